#include "core/fiber.hpp"

#include <cstring>
#include <cxxabi.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include <boost/context/detail/fcontext.hpp>

#ifdef LICIT_CHECKER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace licit::checker::detail {

namespace context = boost::context::detail;

namespace {

std::size_t guard_size() {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return page;
}

/// AddressSanitizer is told of every switch, and that a dropped fiber's stack is free again.
namespace asan {
#ifdef LICIT_CHECKER_ASAN
void leave(void** kept, const void* bottom, std::size_t size) { __sanitizer_start_switch_fiber(kept, bottom, size); }
void arrive(void* kept, const void** bottom, std::size_t* size) { __sanitizer_finish_switch_fiber(kept, bottom, size); }
void clean(void* bottom, std::size_t size) { __asan_unpoison_memory_region(bottom, size); }
#else
void leave(void** /*kept*/, const void* /*bottom*/, std::size_t /*size*/) {}
void arrive(void* /*kept*/, const void** /*bottom*/, std::size_t* /*size*/) {}
void clean(void* /*bottom*/, std::size_t /*size*/) {}
#endif
}  // namespace asan

}  // namespace

/// What a fresh stack starts with. It never returns: the fiber is restarted or dropped.
struct fiber::entry {
  static void run(context::transfer_t from) {
    auto* self = static_cast<fiber*>(from.data);
    asan::arrive(nullptr, &self->outside_bottom_, &self->outside_size_);
    self->outside_ = from.fctx;
    self->body_(self->argument_);
    self->ended_ = true;
    self->suspend();
  }
};

fiber::fiber() {
  void* mapped = mmap(nullptr, stack_size + guard_size(), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<std::byte*>(mapped);
  mprotect(mapping_, guard_size(), PROT_NONE);  // a stack that overflows faults, and spoils nothing
}

const std::byte* fiber::bottom() const { return mapping_ + guard_size() + stack_size; }

fiber::~fiber() { munmap(mapping_, stack_size + guard_size()); }

void fiber::start(void (*body)(void*), void* argument) {
  body_ = body;
  argument_ = argument;
  ended_ = false;
  exceptions_ = {};
  asan::clean(mapping_ + guard_size(), stack_size);
  inside_ = context::make_fcontext(mapping_ + guard_size() + stack_size, stack_size, &entry::run);
}

void fiber::resume() {
  swap_exception_state();
  void* kept = nullptr;
  asan::leave(&kept, mapping_ + guard_size(), stack_size);
  inside_ = context::jump_fcontext(inside_, this).fctx;
  asan::arrive(kept, nullptr, nullptr);
  swap_exception_state();
}

void fiber::suspend() {
  void* kept = nullptr;
  asan::leave(ended_ ? nullptr : &kept, outside_bottom_, outside_size_);
  outside_ = context::jump_fcontext(outside_, nullptr).fctx;
  asan::arrive(kept, &outside_bottom_, &outside_size_);
}

void fiber::keep(image& in) const {
  in.put(ended_);
  if (ended_) return;
  in.put(inside_);  // the registers are there, and what is in use is above
  in.put_bytes(std::span(static_cast<const std::byte*>(inside_), bottom()));
}

void fiber::go_back(image::reader& to) {
  to.get(ended_);
  if (ended_) return;
  to.get(inside_);
  to.get_bytes(std::span(static_cast<std::byte*>(inside_), const_cast<std::byte*>(bottom())));
  exceptions_ = {};
}

/// The C++ runtime keeps the stack of caught exceptions per thread of the system; here it is per fiber. Its first two
/// words are all that there is to it (Itanium C++ ABI, 2.2.2).
void fiber::swap_exception_state() {
  const void* const thread = __builtin_thread_pointer();
  if (thread != thread_) {
    thread_ = thread;
    globals_ = abi::__cxa_get_globals();
  }
  exception_state other;
  __builtin_memcpy(other.data(), globals_, sizeof other);
  __builtin_memcpy(globals_, exceptions_.data(), sizeof other);
  exceptions_ = other;
}

}  // namespace licit::checker::detail
