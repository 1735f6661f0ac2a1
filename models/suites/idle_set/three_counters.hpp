/// Counters instead of the set: who searches, who is parked and which are three atomics, each right by itself.
#ifndef LICIT_SUITES_IDLE_SET_THREE_COUNTERS_HPP
#define LICIT_SUITES_IDLE_SET_THREE_COUNTERS_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <licit/deque/order.hpp>

namespace licit::suites {

/// Every access is seq_cst: it is no matter of orders.
template <class Model>
class three_counters {
 public:
  explicit three_counters(std::size_t /*workers*/) {}

  bool park(std::size_t self, bool searching) {
    bits_.fetch_or(bit(self), order::seq_cst, "park.bit");
    parked_.fetch_add(1, order::seq_cst, "park.parked");
    if (searching) return searching_.fetch_sub(1, order::seq_cst, "park.searching") == 1;
    return searching_.load(order::seq_cst, "park.look") == 0;
  }

  std::optional<std::size_t> claim() {
    if (searching_.load(order::seq_cst, "claim.searching") != 0) return std::nullopt;
    return claim_any();
  }

  std::optional<std::size_t> claim_any() {
    std::uint64_t bits = bits_.load(order::seq_cst, "claim.bits");
    while (bits != 0) {
      const auto lowest = static_cast<std::size_t>(std::countr_zero(bits));
      if (bits_.compare_exchange(bits, bits & (bits - 1), order::seq_cst, order::seq_cst, "claim.clear")) {
        parked_.fetch_sub(1, order::seq_cst, "claim.parked");
        searching_.fetch_add(1, order::seq_cst, "claim.count");
        return lowest;
      }
    }
    return std::nullopt;
  }

  bool retract(std::size_t self) {
    if ((bits_.fetch_and(~bit(self), order::seq_cst, "retract.bit") & bit(self)) == 0) return false;
    parked_.fetch_sub(1, order::seq_cst, "retract.parked");
    searching_.fetch_add(1, order::seq_cst, "retract.count");
    return true;
  }

  bool begin_search() {
    searching_.fetch_add(1, order::seq_cst, "begin.count");
    return true;
  }
  bool end_search() { return searching_.fetch_sub(1, order::seq_cst, "end.count") == 1; }

  [[nodiscard]] bool is_parked(std::size_t self) const {
    return (bits_.load(order::seq_cst, "parked.look") & bit(self)) != 0;
  }
  [[nodiscard]] std::size_t parked() const { return parked_.load(order::seq_cst, "count.parked"); }
  [[nodiscard]] std::size_t searching() const { return searching_.load(order::seq_cst, "count.searching"); }

 private:
  static std::uint64_t bit(std::size_t self) { return std::uint64_t{1} << self; }

  typename Model::template atomic<std::uint64_t> bits_;
  typename Model::template atomic<std::uint64_t> parked_;
  typename Model::template atomic<std::uint64_t> searching_;
};

}  // namespace licit::suites

#endif
