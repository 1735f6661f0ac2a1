/// The owner's handle.
#ifndef LICIT_DEQUE_OWNER_HPP
#define LICIT_DEQUE_OWNER_HPP

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include <licit/deque/stealer.hpp>
#include <licit/digest.hpp>

namespace licit::inline v0 {

/// Makes a structure and owns its private end. Move-only, so a structure has one owner. One thread at a time may use
/// it. A program that hands it to another thread must synchronise the hand-over (by a thread's start, a join, a lock).
/// A moved-from owner can only be destroyed or assigned to.
///
/// T is a trivially copyable type whose atomic is always lock-free, or std::unique_ptr with a stateless deleter. The
/// default structure is the Chase-Lev deque; deque/README.md compares it with the others. A handle offers only what its
/// structure can do.
template <class T, class Policy = native, template <class, class> class Structure = chase_lev>
class owner {
  using shared_type = detail::shared_deque<T, Policy, Structure>;
  using structure = typename shared_type::structure;
  using slot_value = typename payload<T>::slot_value;

  static constexpr bool bounded = requires(structure& s, slot_value v) { s.try_push(v); };

 public:
  using options_type = typename shared_type::options_type;

  /// O(initial capacity). Throws std::invalid_argument that names the option and its range, and std::bad_alloc.
  explicit owner(const options_type& options = {}) : shared_{std::make_shared<shared_type>(options)} {}

  owner(owner&&) noexcept = default;
  owner& operator=(owner&&) noexcept = default;
  owner(const owner&) = delete;
  owner& operator=(const owner&) = delete;
  ~owner() = default;

  /// Owner thread. Wait-free unless the ring is full; then it grows. Amortised O(1). Throws capacity_error at the
  /// maximum capacity, std::bad_alloc, and for a tagged deque index_error. Deque and item are then unchanged.
  void push(T&& item)
    requires(!bounded)
  {
    shared_->deque.push(payload<T>::show(item));
    payload<T>::release(item);
  }
  void push(const T& item)
    requires(!bounded && std::is_copy_constructible_v<T>)
  {
    shared_->deque.push(payload<T>::show(item));
  }

  /// Owner thread; bounded structures only. Returns false, with the item unchanged, when the structure is full.
  /// Wait-free, O(1).
  [[nodiscard]] bool try_push(T&& item)
    requires bounded
  {
    const bool pushed = shared_->deque.try_push(payload<T>::show(item));
    if (pushed) payload<T>::release(item);
    return pushed;
  }
  [[nodiscard]] bool try_push(const T& item)
    requires(bounded && std::is_copy_constructible_v<T>)
  {
    return shared_->deque.try_push(payload<T>::show(item));
  }

  /// Owner thread; bounded structures only. When the structure is full, its older half and then the item go to the sink
  /// in one batch (overflow_sink.hpp). For std::unique_ptr the sink gets the raw pointers, and owns them. Wait-free
  /// apart from the sink; O(1), and O(capacity) on overflow. Throws what `sink.reserve` throws; structure and item are
  /// then unchanged.
  template <class Sink>
  void push(T&& item, Sink& sink)
    requires bounded
  {
    shared_->deque.push(payload<T>::show(item), sink);
    payload<T>::release(item);
  }
  template <class Sink>
  void push(const T& item, Sink& sink)
    requires(bounded && std::is_copy_constructible_v<T>)
  {
    shared_->deque.push(payload<T>::show(item), sink);
  }

  /// Owner thread. Takes the youngest item (LIFO), from a run queue the oldest (FIFO). Returns nothing if the structure
  /// is empty; it then stays empty until this owner pushes. Wait-free, O(1).
  [[nodiscard]] std::optional<T> pop() {
    if (auto value = shared_->deque.pop()) return std::optional<T>(payload<T>::adopt(*value));
    return std::nullopt;
  }

  /// Owner thread. The number of items. Never too low: thieves can only have taken some since. Wait-free, O(1).
  [[nodiscard]] std::size_t size() const { return shared_->deque.size(); }

  /// Owner thread. True means that the structure is empty, until the next push; false is an estimate. Wait-free, O(1).
  [[nodiscard]] bool empty() const { return size() == 0; }

  /// Owner thread. The number of slots: a push beyond it grows the ring, or overflows a bounded structure. Wait-free,
  /// O(1).
  [[nodiscard]] std::size_t capacity() const { return shared_->deque.capacity(); }

  /// Owner thread. Makes a handle for thieves. O(1), no allocation.
  [[nodiscard]] licit::stealer<T, Policy, Structure> stealer() const {
    return licit::stealer<T, Policy, Structure>(shared_);
  }

 private:
  friend class licit::stealer<T, Policy, Structure>;  // whose steal_half fills what is owned here

  std::shared_ptr<shared_type> shared_;
};

}  // namespace licit::inline v0

#endif
