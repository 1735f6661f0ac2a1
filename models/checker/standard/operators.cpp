/// operator new and operator delete of a program over std.hpp: blocks of the engine, whose addresses are the same in
/// each execution and not given out twice. Elsewhere they do what those of core/heap.cpp do, in whose place they are.
#include <algorithm>
#include <cstdlib>
#include <new>

#include "core/executor.hpp"
#include "core/fiber.hpp"
#include "core/heap.hpp"
#include "standard/program.hpp"

namespace licit::checker::detail {

void link_operators() {}

}  // namespace licit::checker::detail

// A sanitizer has operators of its own.
#if !defined(LICIT_CHECKER_ASAN) && !defined(__SANITIZE_THREAD__)

namespace {

using namespace licit::checker::detail;  // NOLINT(google-build-using-namespace): the operators are outside of it

bool is_explored() { return heap::in_use() != nullptr && is_standard_program(); }

void* noted(void* p) {
  if (heap* const h = heap::in_use(); h != nullptr && p != nullptr) h->allocated(p);
  return p;
}

void* from_system(std::size_t size, std::size_t alignment) {
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return std::malloc(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate(std::size_t size, std::size_t alignment) {
  size = std::max<std::size_t>(size, 1);
  if (is_explored())
    return engine::running().allocate(size, std::max<std::size_t>(alignment, alignof(std::max_align_t)));
  for (;;) {
    if (void* const p = from_system(size, alignment)) return noted(p);
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void release(void* p) {
  if (p == nullptr) return;
  if (is_standard_program() && is_of_program(p)) {
    if (is_explored()) engine::running().release(p);
    return;
  }
  if (heap* const h = heap::in_use()) h->released(p);
  std::free(p);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t /*size*/) noexcept { release(p); }
void operator delete(void* p, std::align_val_t /*alignment*/) noexcept { release(p); }
void operator delete(void* p, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { release(p); }

#endif
