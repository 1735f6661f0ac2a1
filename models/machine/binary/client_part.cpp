
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

/// Some structures grow up to a maximum, others are bounded.
template <class Structure>
concept growing =
    requires(arena* memory) { Structure({.initial_capacity = 1, .maximum_capacity = 1, .memory = memory}); };

template <class Structure>
void make(void* where, std::size_t capacity, std::size_t maximum, arena* memory) {
  if constexpr (growing<Structure>) {
    ::new (where) Structure({.initial_capacity = capacity, .maximum_capacity = maximum, .memory = memory});
  } else {
    ::new (where) Structure({.capacity = capacity, .memory = memory});
  }
}

}  // namespace

// What does not fit into a bounded queue is lost: a client that lets it come so far is wrong.
void looked_at::sink::reserve(std::size_t /*items*/) {}
void looked_at::sink::take(std::span<void* const> /*items*/) noexcept {}

#ifdef LICIT_ADAPTOR
/// In place of the library's: that one tries again when the kernel refuses.
void licit::membarrier() noexcept {
  register std::uint64_t command asm("x0") = 8;  // MEMBARRIER_CMD_PRIVATE_EXPEDITED
  register std::uint64_t flags asm("x1") = 0;
  register std::uint64_t number asm("x8") = 283;
  asm volatile("svc #0" : "+r"(command) : "r"(flags), "r"(number) : "memory", "cc");
}
#endif

alignas(arena) unsigned char licit_arena[sizeof(arena)];

// What does not take its memory from there. libc's own asks the kernel.
void* operator new(std::size_t bytes) {
  return reinterpret_cast<arena*>(licit_arena)->allocate(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return reinterpret_cast<arena*>(licit_arena)->allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* /*place*/) noexcept {}
void operator delete(void* /*place*/, std::size_t /*bytes*/) noexcept {}
void operator delete(void* /*place*/, std::align_val_t /*alignment*/) noexcept {}
void operator delete(void* /*place*/, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {}

extern "C" {
alignas(deque) unsigned char licit_structures[2][sizeof(deque)];  // the owner's, and that of the thief who takes half
[[gnu::used]] std::uint64_t licit_items[128];                     // each 64 bytes from the next
[[gnu::used]] extern const std::uint64_t licit_grows = growing<deque> ? 1 : 0;
[[gnu::used]] extern const std::uint64_t licit_size_of = sizeof(deque);

[[gnu::used]] void licit_set_up(std::size_t capacity, std::size_t maximum) {
  auto* const memory = ::new (static_cast<void*>(licit_arena)) arena;
  for (unsigned char* where : licit_structures) make<deque>(where, capacity, maximum, memory);
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
