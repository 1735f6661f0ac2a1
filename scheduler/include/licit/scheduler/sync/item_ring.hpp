/// The memory of a channel: a ring of items of fixed capacity, for one thread at a time.
#ifndef LICIT_SCHEDULER_ITEM_RING_HPP
#define LICIT_SCHEDULER_ITEM_RING_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace licit::inline v0 {

template <class T>
class item_ring {
 public:
  using item = T;

  /// Has no memory, and is full.
  item_ring() = default;
  explicit item_ring(std::size_t capacity) : items_{std::allocator<T>().allocate(capacity)}, capacity_{capacity} {
    // Here, where T is complete: it may have an end of a channel of its own type.
    static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>,
                  "licit: a channel moves items under a lock: their moves must not throw");
  }
  item_ring(item_ring&& o) noexcept { swap(*this, o); }
  item_ring& operator=(item_ring&&) = delete;
  ~item_ring() {
    while (size_ != 0) pop();
    if (items_ != nullptr) std::allocator<T>().deallocate(items_, capacity_);
  }
  friend void swap(item_ring& a, item_ring& b) noexcept {
    std::swap(a.items_, b.items_);
    std::swap(a.capacity_, b.capacity_);
    std::swap(a.first_, b.first_);
    std::swap(a.size_, b.size_);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool full() const noexcept { return size_ == capacity_; }
  /// Precondition: it is not full.
  void push(T&& last) noexcept {
    std::size_t place = first_ + size_;
    if (place >= capacity_) place -= capacity_;
    ::new (static_cast<void*>(items_ + place)) T(std::move(last));
    ++size_;
  }
  /// Precondition: it is not empty.
  T pop() noexcept {
    T* const first = items_ + first_;
    struct ends {
      T* it;
      ~ends() { std::destroy_at(it); }
    } const afterwards{first};
    if (++first_ == capacity_) first_ = 0;
    --size_;
    return std::move(*first);
  }

 private:
  T* items_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace licit::inline v0

#endif
