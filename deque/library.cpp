// What the archive itself holds besides the C API: its version, and the digests of its sources.
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include <licit/deque/chase_lev_asymmetric_orders.hpp>
#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/run_queue_orders.hpp>
#include <licit/deque/split_orders.hpp>
#include <licit/deque/tagged_asymmetric_orders.hpp>
#include <licit/deque/tagged_orders.hpp>
#include <licit/deque/version.hpp>
#include <licit/parallel/shared_orders.hpp>
#include <licit/scheduler/census_orders.hpp>
#include <licit/scheduler/crew_orders.hpp>
#include <licit/scheduler/fork/fork_orders.hpp>
#include <licit/scheduler/idle/idle_set_orders.hpp>
#include <licit/scheduler/idle/parker_orders.hpp>
#include <licit/scheduler/inject/inject_queue_orders.hpp>
#include <licit/scheduler/lifo_slot_orders.hpp>
#include <licit/scheduler/metrics/metrics_orders.hpp>
#include <licit/scheduler/metrics/trace_ring_orders.hpp>
#include <licit/scheduler/sync/waiters_orders.hpp>
#include <licit/scheduler/task/child_group_orders.hpp>
#include <licit/scheduler/task/task_registry_orders.hpp>
#include <licit/scheduler/task/task_state_orders.hpp>
#include <licit/scheduler/time/timers_orders.hpp>

#include "marked_files.hpp"

/// Headers of the same sources refer to this symbol.
extern "C" [[gnu::used]] const char LICIT_DIGEST_SYMBOL = 0;

namespace licit::inline v0 {

namespace {

/// Read from the archive by `licit audit --library`, without running it.
[[gnu::used]] constexpr char marked_digest[] = "licit-digest " LICIT_DIGEST;
[[gnu::used]] constexpr const char* const* marked_files = detail::marked_files;

/// One line a row: "licit-row STRUCTURE SITE SUCCESS FAILURE".
template <const auto& Table>
class marked_rows {
 public:
  static consteval auto text() {
    std::array<char, write({})> bytes{};
    write(bytes);
    return bytes;
  }

 private:
  static constexpr std::size_t write(std::span<char> to) {
    std::size_t size = 0;
    for (const row& r : Table.rows) {
      for (const std::string_view word :
           {std::string_view("licit-row"), Table.structure, r.site, detail::name(r.success)}) {
        for (const char c : word) put(to, size, c);
        put(to, size, ' ');
      }
      for (const char c : detail::name(r.failure)) put(to, size, c);
      put(to, size, '\n');
    }
    return size;
  }
  static constexpr void put(std::span<char> to, std::size_t& size, char c) {
    if (!to.empty()) to[size] = c;
    ++size;
  }
};
template <const auto& Table>
[[gnu::used]] constexpr auto marked_table = marked_rows<Table>::text();

template <const auto&... Tables>
constexpr std::size_t mark() {
  return (marked_table<Tables>.size() + ...);
}
[[gnu::used]] constexpr std::size_t marked_bytes =
    mark<chase_lev_asymmetric_orders, chase_lev_orders, run_queue_orders, split_orders, tagged_asymmetric_orders,
         tagged_orders, census_orders, crew_orders, idle_set_orders, inject_queue_orders, lifo_slot_orders,
         metrics_orders, parker_orders, child_group_orders, task_registry_orders, task_state_orders, trace_ring_orders,
         parallel_orders, timers_orders, fork_orders, waiters_orders>();

}  // namespace

std::string_view library_version() noexcept { return header_version; }
std::string_view library_digest() noexcept { return LICIT_DIGEST; }

}  // namespace licit::inline v0
