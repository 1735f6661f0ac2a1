/// A power-of-two array of atomic slots, addressed by an ever-growing index.
#ifndef LICIT_DEQUE_RING_HPP
#define LICIT_DEQUE_RING_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>

namespace licit::inline v0::detail {

/// The position of an item since the deque was made. 64 bits wrap after 292 years of an operation a nanosecond.
using index = std::int64_t;

/// One allocation: the header, then the slots. Each ring keeps the ring that it replaced, because a thief may still
/// hold that; `destroy` frees the whole chain. A chain of doubling rings has fewer than twice the slots of the newest.
template <class T, class Policy>
class ring {
 public:
  using slot_type = typename Policy::template atomic<T>;

  /// Throws what `memory` throws (std::bad_alloc), and then has changed nothing. O(capacity).
  static ring* create(std::pmr::memory_resource& memory, std::size_t capacity, ring* previous) {
    void* place = memory.allocate(bytes(capacity), alignment);
    ring* made = ::new (place) ring(capacity, previous);
    std::uninitialized_default_construct_n(made->slots(), capacity);
    return made;
  }

  /// Frees `newest` and every ring that it replaced. No thread may hold any of them.
  static void destroy(std::pmr::memory_resource& memory, ring* newest) {
    while (newest != nullptr) {
      ring* previous = newest->previous_.read();
      const std::size_t capacity = newest->capacity();
      std::destroy_n(newest->slots(), capacity);
      std::destroy_at(newest);
      memory.deallocate(newest, bytes(capacity), alignment);
      newest = previous;
    }
  }

  [[nodiscard]] std::size_t capacity() const { return mask_.read() + 1; }
  [[nodiscard]] slot_type* slots() {
    return std::launder(reinterpret_cast<slot_type*>(reinterpret_cast<std::byte*>(this) + header));
  }
  [[nodiscard]] slot_type& slot(index i) { return slots()[static_cast<std::size_t>(i) & mask_.read()]; }

 private:
  using size_cell = typename Policy::template plain<std::size_t>;
  using ring_cell = typename Policy::template plain<ring*>;

  ring(std::size_t capacity, ring* previous) : mask_{capacity - 1}, previous_{previous} {}

  static constexpr std::size_t alignment = 64 > alignof(slot_type) ? 64 : alignof(slot_type);
  static constexpr std::size_t header = (sizeof(size_cell) + sizeof(ring_cell) + alignment - 1) / alignment * alignment;
  static constexpr std::size_t bytes(std::size_t capacity) { return header + (capacity * sizeof(slot_type)); }

  size_cell mask_;
  ring_cell previous_;
};

}  // namespace licit::inline v0::detail

#endif
