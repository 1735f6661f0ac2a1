/// Memory for one execution under Relacy: never reused within it, so that an access to something freed is seen, and
/// its addresses do not depend on what ran before.
#ifndef LICIT_MODELS_RELACY_ARENA_HPP
#define LICIT_MODELS_RELACY_ARENA_HPP

#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace licit::models::relacy {

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

}  // namespace licit::models::relacy

#endif
