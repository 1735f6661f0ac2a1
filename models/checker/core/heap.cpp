#include "core/heap.hpp"

#include <algorithm>
#include <cstdlib>
#include <malloc.h>
#include <new>

#include "core/fiber.hpp"

namespace licit::checker::detail {

void heap::allocated(void* p) {
  const scope engine{nullptr};
  live_.push_back({p, running_});
}

void heap::released(void* p) {
  const scope engine{nullptr};
  freed_({p, malloc_usable_size(p)});
  // NOLINTNEXTLINE(modernize-use-ranges): base() is needed of what is found
  const auto last = std::find_if(live_.rbegin(), live_.rend(), [p](const piece& one) { return one.at == p; });
  if (last != live_.rend()) live_.erase(std::next(last).base());
}

void heap::add_those_of(unsigned thread, std::vector<std::span<const std::byte>>& to) const {
  for (const piece& one : live_) {
    if (one.by == thread) to.emplace_back(static_cast<const std::byte*>(one.at), malloc_usable_size(one.at));
  }
}

void heap::end_well() {
  ended_well_ = true;
  keeps_ = keeps_ || !live_.empty();
  live_.clear();
}

void heap::abandon() {
  if (ended_well_ && !keeps_) {
    for (const piece& one : live_) std::free(one.at);
  }
  live_.clear();
}

}  // namespace licit::checker::detail

// A sanitizer has operators of its own.
#if !defined(LICIT_CHECKER_ASAN) && !defined(__SANITIZE_THREAD__)

namespace {

using licit::checker::detail::heap;

void* noted(void* p) {
  if (heap* const h = heap::in_use(); h != nullptr && p != nullptr) h->allocated(p);
  return p;
}

void give_back(void* p) {
  if (heap* const h = heap::in_use(); h != nullptr && p != nullptr) h->released(p);
  std::free(p);
}

void* allocate(std::size_t size, std::size_t alignment) {
  size = std::max<std::size_t>(size, 1);
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return std::malloc(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  for (;;) {
    if (void* const p = allocate(size, alignment)) return noted(p);
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

}  // namespace

// Weak: a program that has its own keeps them. The array forms and those that do not throw call these.
[[gnu::weak]] void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
[[gnu::weak]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
[[gnu::weak]] void operator delete(void* p) noexcept { give_back(p); }
[[gnu::weak]] void operator delete(void* p, std::size_t /*size*/) noexcept { give_back(p); }
[[gnu::weak]] void operator delete(void* p, std::align_val_t /*alignment*/) noexcept { give_back(p); }
[[gnu::weak]] void operator delete(void* p, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  give_back(p);
}

#endif
