/// Memory of coroutine frames: one block for the frame, the result, and the task if the coroutine is spawned.
#ifndef LICIT_SCHEDULER_FRAME_MEMORY_HPP
#define LICIT_SCHEDULER_FRAME_MEMORY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>

#include <licit/scheduler/default_memory.hpp>
#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/coroutine_header.hpp>
#include <licit/scheduler/task/task_result.hpp>

namespace licit::inline v0 {

/// What stands in front of a frame, in the same block. The header is there only in a coroutine that was spawned. It and
/// the result outlive the frame then, and whoever set `kept` calls `free`; otherwise the block goes with the frame.
template <class T>
class coroutine_place {
 public:
  /// Throws what the memory resource throws. Returns the place of the frame.
  static void* make(std::size_t frame, std::pmr::memory_resource& memory) {
    const std::size_t bytes = in_front() + frame;
    void* const block = usual ? detail::allocate(memory, bytes) : memory.allocate(bytes, alignment);
    return (::new (block) coroutine_place(memory, bytes))->frame();
  }
  static coroutine_place& of(void* frame) noexcept {
    return *reinterpret_cast<coroutine_place*>(static_cast<std::byte*>(frame) - in_front());
  }
  /// Precondition: a header has been constructed in its place.
  static coroutine_place& of(task_header& header) noexcept {
    return reinterpret_cast<coroutine_place&>(static_cast<coroutine_header&>(header));
  }

  coroutine_place(const coroutine_place&) = delete;
  coroutine_place& operator=(const coroutine_place&) = delete;

  [[nodiscard]] void* frame() noexcept { return reinterpret_cast<std::byte*>(this) + in_front(); }
  [[nodiscard]] std::pmr::memory_resource& memory() const noexcept { return memory_; }

  /// Precondition: neither a frame nor a header is there any more.
  void free() noexcept {
    std::pmr::memory_resource& memory = memory_;
    const std::size_t bytes = bytes_;
    const std::size_t steps = steps_;
    this->~coroutine_place();
    if (steps != 0) return detail::memory_of_tasks.resource.give_steps(this, steps);
    usual ? detail::deallocate(memory, this, bytes) : memory.deallocate(this, bytes, alignment);
  }

  union {
    coroutine_header header;
  };
  task_result<T> result;
  bool kept = false;

 private:
  coroutine_place(std::pmr::memory_resource& memory, std::size_t bytes) noexcept
      : steps_{steps_of(memory, bytes)}, memory_{memory}, bytes_{bytes} {}
  ~coroutine_place() {}  // NOLINT(modernize-use-equals-default): the union has a member that is not trivial

  static constexpr std::size_t alignment =
      std::max<std::size_t>(__STDCPP_DEFAULT_NEW_ALIGNMENT__, alignof(task_result<T>));
  static constexpr bool usual = alignment == __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  static constexpr std::size_t in_front() { return (sizeof(coroutine_place) + alignment - 1) / alignment * alignment; }

  static std::uint8_t steps_of(std::pmr::memory_resource& memory, std::size_t bytes) {
    const bool has_steps = usual && &memory == &default_memory() && detail::free_blocks::fits(bytes);
    return has_steps ? static_cast<std::uint8_t>(detail::free_blocks::size_of(bytes)) : std::uint8_t{0};
  }

  const std::uint8_t steps_;  ///< of the default memory; 0: the block is larger, or is of another
  std::pmr::memory_resource& memory_;
  const std::size_t bytes_;
};

/// A promise's base. If the coroutine's first two parameters, after its object if it has one, are std::allocator_arg_t
/// and a std::pmr::memory_resource* or allocator, its frame is allocated there; otherwise from the memory of the
/// executor in whose task or `block_on` the coroutine is made; elsewhere by operator new.
/// Always inline: without optimisation g++ warns that `operator delete` is another kind than these.
template <class T>
class frame_memory {
  using place = coroutine_place<T>;
  using resource = std::pmr::memory_resource;
  using allocator = std::pmr::polymorphic_allocator<>;

 public:
  [[gnu::always_inline]] static void* operator new(std::size_t frame) { return place::make(frame, memory_here()); }
  template <class... Rest>
  [[gnu::always_inline]] static void* operator new(std::size_t frame, std::allocator_arg_t /*tag*/, resource* memory,
                                                   const Rest&... /*arguments*/) {
    return place::make(frame, *memory);
  }
  template <class This, class... Rest>
  [[gnu::always_inline]] static void* operator new(std::size_t frame, const This& /*object*/,
                                                   std::allocator_arg_t /*tag*/, resource* memory,
                                                   const Rest&... /*arguments*/) {
    return place::make(frame, *memory);
  }
  template <class... Rest>
  [[gnu::always_inline]] static void* operator new(std::size_t frame, std::allocator_arg_t /*tag*/, allocator memory,
                                                   const Rest&... /*arguments*/) {
    return place::make(frame, *memory.resource());
  }
  template <class This, class... Rest>
  [[gnu::always_inline]] static void* operator new(std::size_t frame, const This& /*object*/,
                                                   std::allocator_arg_t /*tag*/, allocator memory,
                                                   const Rest&... /*arguments*/) {
    return place::make(frame, *memory.resource());
  }

  static void operator delete(void* frame) noexcept {
    place& here = place::of(frame);
    if (!here.kept) here.free();
  }
};

}  // namespace licit::inline v0

#endif
