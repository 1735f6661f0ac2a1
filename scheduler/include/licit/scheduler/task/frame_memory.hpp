/// Allocation of coroutine frames.
#ifndef LICIT_SCHEDULER_FRAME_MEMORY_HPP
#define LICIT_SCHEDULER_FRAME_MEMORY_HPP

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <new>

#include <licit/scheduler/default_memory.hpp>

namespace licit::inline v0 {

/// A promise's base. If the coroutine's first two parameters, after its object if it has one, are std::allocator_arg_t
/// and a std::pmr::memory_resource* or allocator, its frame is allocated there; otherwise by operator new. A note
/// behind the frame says how to free it.
class frame_memory {
 public:
  static void* operator new(std::size_t size) { return allocate(size, &default_memory()); }
  template <class... Rest>
  static void* operator new(std::size_t size, std::allocator_arg_t /*tag*/, std::pmr::memory_resource* memory,
                            const Rest&... /*arguments*/) {
    return allocate(size, memory);
  }
  template <class This, class... Rest>
  static void* operator new(std::size_t size, const This& /*object*/, std::allocator_arg_t /*tag*/,
                            std::pmr::memory_resource* memory, const Rest&... /*arguments*/) {
    return allocate(size, memory);
  }
  template <class... Rest>
  static void* operator new(std::size_t size, std::allocator_arg_t /*tag*/, std::pmr::polymorphic_allocator<> allocator,
                            const Rest&... /*arguments*/) {
    return allocate(size, allocator.resource());
  }
  template <class This, class... Rest>
  static void* operator new(std::size_t size, const This& /*object*/, std::allocator_arg_t /*tag*/,
                            std::pmr::polymorphic_allocator<> allocator, const Rest&... /*arguments*/) {
    return allocate(size, allocator.resource());
  }

  static void operator delete(void* frame, std::size_t size) noexcept {
    std::pmr::memory_resource* memory = nullptr;
    std::memcpy(&memory, static_cast<std::byte*>(frame) + padded(size), sizeof(memory));
    memory->deallocate(frame, padded(size) + sizeof(memory), alignment);
  }

 private:
  static constexpr std::size_t alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  static constexpr std::size_t padded(std::size_t size) {
    constexpr std::size_t step = alignof(std::pmr::memory_resource*);
    return (size + step - 1) / step * step;
  }
  static void* allocate(std::size_t size, std::pmr::memory_resource* memory) {
    void* const frame = memory->allocate(padded(size) + sizeof(memory), alignment);
    std::memcpy(static_cast<std::byte*>(frame) + padded(size), &memory, sizeof(memory));
    return frame;
  }
};

}  // namespace licit::inline v0

#endif
