#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory_resource>
#include <new>
#include <thread>

#include <licit/scheduler/default_memory.hpp>

#include <gtest/gtest.h>

namespace {

// Which of the two forms of new was called last.
thread_local std::size_t asked_alignment = 0;

}  // namespace

// Not inlined: g++ would take free for the wrong partner of what it sees allocated.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  asked_alignment = 0;
  if (void* const place = std::malloc(bytes)) return place;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  asked_alignment = static_cast<std::size_t>(alignment);
  const std::size_t whole = (bytes + asked_alignment - 1) / asked_alignment * asked_alignment;
  if (void* const place = std::aligned_alloc(asked_alignment, whole)) return place;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* place) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::align_val_t) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t, std::align_val_t) noexcept { std::free(place); }

namespace {

bool is_aligned(const void* place, std::size_t to) { return reinterpret_cast<std::uintptr_t>(place) % to == 0; }

TEST(DefaultMemory, IsPlainNewWhereTheAlignmentIsUsual) {
  std::pmr::memory_resource& memory = licit::default_memory();
  for (std::size_t alignment = 1; alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__; alignment *= 2) {
    asked_alignment = 1;
    void* const place = memory.allocate(100, alignment);
    EXPECT_EQ(asked_alignment, 0U);
    EXPECT_TRUE(is_aligned(place, alignment));
    memory.deallocate(place, 100, alignment);
  }
}

TEST(DefaultMemory, AsksForAnAlignmentThatIsNot) {
  std::pmr::memory_resource& memory = licit::default_memory();
  void* const place = memory.allocate(100, 256);
  EXPECT_EQ(asked_alignment, 256U);
  EXPECT_TRUE(is_aligned(place, 256));
  memory.deallocate(place, 100, 256);
}

TEST(DefaultMemory, AnyThreadFrees) {
  std::pmr::memory_resource& memory = licit::default_memory();
  void* const place = memory.allocate(64, 8);
  std::thread([&] { memory.deallocate(place, 64, 8); }).join();
}

TEST(DefaultMemory, IsOne) {
  EXPECT_TRUE(licit::default_memory().is_equal(licit::default_memory()));
  EXPECT_FALSE(licit::default_memory().is_equal(*std::pmr::null_memory_resource()));
}

}  // namespace
