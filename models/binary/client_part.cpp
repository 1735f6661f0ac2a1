
// ---- what is behind operations.cpp: a structure in static memory, whose rings come from there too ----

#include <cstdint>
#include <memory_resource>

namespace {

/// Gives and never takes back.
class arena final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    used_ = (used_ + alignment - 1) / alignment * alignment;
    void* const place = bytes_ + used_;
    used_ += bytes;
    return place;
  }
  void do_deallocate(void* /*place*/, std::size_t /*bytes*/, std::size_t /*alignment*/) override {}
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  alignas(128) std::byte bytes_[1 << 14];
  std::size_t used_ = 0;
};

}  // namespace

alignas(arena) unsigned char licit_arena[sizeof(arena)];

extern "C" {
alignas(deque) unsigned char licit_structure[sizeof(deque)];
[[gnu::used]] std::uint64_t licit_items[128];  // each 64 bytes from the next

[[gnu::used]] void licit_set_up(std::size_t capacity, std::size_t maximum) {
  auto* const memory = ::new (static_cast<void*>(licit_arena)) arena;
  ::new (static_cast<void*>(licit_structure))
      deque({.initial_capacity = capacity, .maximum_capacity = maximum, .memory = memory});
}
}

/// Of libc's own the loader chooses one, and there is no loader here. Eight bytes at a time, as atomics of that size
/// need it.
extern "C" void* memset(void* to, int value, std::size_t bytes) {
  auto* at = static_cast<unsigned char*>(to);
  const std::uint64_t word = 0x0101010101010101U * static_cast<unsigned char>(value);
  for (; bytes % 8 != 0; --bytes) at[bytes - 1] = static_cast<unsigned char>(value);
  for (; bytes != 0; bytes -= 8, at += 8) {
    *reinterpret_cast<std::uint64_t*>(at) = word;
    asm volatile("" ::: "memory");  // or the compiler makes a memset of it
  }
  return to;
}

int main() {}
