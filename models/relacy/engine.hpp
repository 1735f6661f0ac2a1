/// Relacy itself, without the macros that it puts over the language (new, delete, free, assert, memory_order_…), and
/// what an execution under it has: its memory, and a record of its steps.
#ifndef LICIT_MODELS_RELACY_ENGINE_HPP
#define LICIT_MODELS_RELACY_ENGINE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

#include <licit/deque/order.hpp>

#include <relacy/relacy.hpp>

#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst

namespace licit::models::relacy {

/// Memory for one execution under Relacy: never reused within it, so that an access to something freed is seen, and
/// its addresses do not depend on what ran before.
class arena : public std::pmr::memory_resource {
 public:
  static arena& instance() {
    static arena the_arena;
    return the_arena;
  }

  /// A new execution begins.
  void reset() { used_ = live_ = 0; }

  /// Blocks allocated and not freed.
  [[nodiscard]] std::size_t live() const { return live_; }

  /// A pointer as histories show it: the offset in the arena, from 1; 0 for null, -1 for memory that is not of the
  /// arena.
  static std::int64_t number(const void* p) {
    if (p == nullptr) return 0;
    const auto* at = static_cast<const std::byte*>(p);
    const auto* start = instance().bytes_;
    return at >= start && at < start + size ? at - start + 1 : -1;
  }

 private:
  static constexpr std::size_t size = 1 << 16;

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::size_t at = (used_ + alignment - 1) / alignment * alignment;
    if (at + bytes > size) throw std::bad_alloc();
    used_ = at + bytes;
    ++live_;
    return bytes_ + at;
  }
  void do_deallocate(void* /*p*/, std::size_t /*bytes*/, std::size_t /*alignment*/) override { --live_; }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  alignas(128) std::byte bytes_[size];
  std::size_t used_ = 0;
  std::size_t live_ = 0;
};

/// The steps of the execution that is running, in fixed storage: Relacy counts every allocation made while it runs.
class recorder {
 public:
  static void reset();
  static void add(std::string_view site, std::string_view verb, std::int64_t first, std::int64_t second, order o);

  /// Whether this is the execution's first operation at the site.
  static bool first_visit(std::size_t site);

  static void failed(std::string_view property);
  static std::string_view failure();

  /// The steps recorded, a line each and a column a thread. Outside Relacy only.
  static std::string history();

 private:
  struct entry {
    unsigned thread;
    std::string_view site;
    std::string_view verb;
    std::int64_t first;
    std::int64_t second;
    order ordering;
  };
  static constexpr std::size_t most_steps = 4096;
  static constexpr std::size_t most_sites = 256;

  static inline std::array<entry, most_steps> entries_;
  static inline std::size_t count_ = 0;
  static inline std::array<bool, most_sites> visited_{};
  static inline std::array<char, 256> failure_{};
};

}  // namespace licit::models::relacy

#endif
