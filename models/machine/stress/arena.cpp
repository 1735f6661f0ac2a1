#include "machine/stress/arena.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <unistd.h>

#include "machine/stress/report.hpp"
#include "machine/stress/watch.hpp"

namespace licit::stress {

namespace {

constexpr std::size_t object_room = std::size_t{1} << 20U;
constexpr std::size_t thread_room = std::size_t{1} << 20U;
constexpr std::size_t line = 64;
constexpr unsigned nobody = ~0U;

/// In front of each piece.
struct header {
  std::uint64_t bytes;
  std::atomic<std::uint64_t> freed;
};
static_assert(sizeof(header) <= line);

/// What one thread takes its pieces from; no other looks at it during an execution.
struct alignas(line) slice {
  std::size_t used = 0;
  std::int64_t live = 0;
};

alignas(4096) std::array<std::byte, object_room + (arena::most_threads + 1) * thread_room> region;
std::array<slice, arena::most_threads + 1> slices;
void (*spoiler)(const void*, std::size_t) = nullptr;
thread_local unsigned self = nobody;

[[noreturn]] void no_room() {
  std::fputs("licit: the region of the stress test is too small for this program\n", stderr);
  _exit(3);
}

constexpr std::size_t stride(std::size_t size) { return (size + 127) / 128 * 128; }

bool contains(const void* p) { return p >= region.data() && p < region.data() + region.size(); }

void* take(std::size_t bytes, std::size_t alignment) {
  if (self == nobody) fail("memory is asked for outside of a program's threads");
  slice& mine = slices[self];
  const std::size_t step = std::max(alignment, line);
  const std::size_t place = (mine.used + line + step - 1) / step * step;
  if (place + bytes > thread_room) no_room();
  mine.used = place + bytes;
  ++mine.live;
  std::byte* const at = region.data() + object_room + self * thread_room + place;
  ::new (at - line) header{bytes, 0};
  return at;
}

void give_back(void* p) {
  if (self == nobody) fail("memory is freed outside of a program's threads");
  auto* const front = std::launder(reinterpret_cast<header*>(static_cast<std::byte*>(p) - line));
  if (front->freed.exchange(1, std::memory_order_relaxed) != 0) fail("memory is freed twice");
  --slices[self].live;
  if (spoiler != nullptr) return spoiler(p, front->bytes);
  std::fill_n(static_cast<std::byte*>(p), front->bytes, std::byte{0xa5});
}

class resource : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override { return take(bytes, alignment); }
  void do_deallocate(void* p, std::size_t /*bytes*/, std::size_t /*alignment*/) override { give_back(p); }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

[[maybe_unused]] void* general_new(std::size_t bytes, std::size_t alignment) {
  if (self != nobody) return take(bytes, alignment);
  const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  if (void* const got = std::aligned_alloc(alignment, rounded)) return got;
  std::fputs("licit: no memory\n", stderr);
  std::abort();
}

[[maybe_unused]] void general_delete(void* p) { contains(p) ? give_back(p) : std::free(p); }

}  // namespace

namespace arena {

std::byte* begin() { return region.data(); }
std::byte* end() { return region.data() + region.size(); }

void* object(std::size_t size, std::uint64_t number) {
  const std::uint64_t place = number * stride(size);
  if (place + size > object_room) no_room();
  return region.data() + place;
}

std::uint64_t room_for(std::size_t size) {
  std::size_t used = line;
  for (const slice& s : slices) used = std::max(used, s.used);
  return std::max<std::uint64_t>(1, std::min(object_room / stride(size), thread_room / (2 * used)));
}

void reset() {
  for (std::size_t i = 0; spoiler != nullptr && i != slices.size(); ++i) {
    if (slices[i].used != 0) spoiler(region.data() + object_room + i * thread_room, slices[i].used);
  }
  slices = {};
}

std::int64_t left() {
  std::int64_t all = 0;
  for (const slice& s : slices) all += s.live;
  return all;
}

void spoil_by(void (*how)(const void* begin, std::size_t bytes)) { spoiler = how; }

inside::inside(unsigned thread) { self = thread; }
inside::~inside() { self = nobody; }
void leave() { self = nobody; }

}  // namespace arena

std::pmr::memory_resource& arena_memory() {
  static resource one;
  return one;
}

}  // namespace licit::stress

// What programs take by `new`, they share as well. Under clang's ThreadSanitizer it stays elsewhere: the sanitizer's
// own library has these operators and cannot be linked with others, and there nobody needs to know where memory lies.
#if !defined(LICIT_STRESS_CLANG_TSAN)
void* operator new(std::size_t bytes) { return licit::stress::general_new(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return licit::stress::general_new(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { licit::stress::general_delete(p); }
void operator delete(void* p, std::size_t /*bytes*/) noexcept { licit::stress::general_delete(p); }
void operator delete(void* p, std::align_val_t /*alignment*/) noexcept { licit::stress::general_delete(p); }
void operator delete(void* p, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  licit::stress::general_delete(p);
}
#endif
