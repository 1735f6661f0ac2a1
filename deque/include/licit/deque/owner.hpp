/// The owner's handle.
#ifndef LICIT_DEQUE_OWNER_HPP
#define LICIT_DEQUE_OWNER_HPP

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include <licit/audit_digest.hpp>
#include <licit/deque/stealer.hpp>

namespace licit::inline v0 {

/// Makes a structure and owns its private end. Move-only, so that a structure has one owner. Use it from one thread at
/// a time; handing it to another thread is the caller's to synchronise (a thread's start, a join, a lock). A moved-from
/// owner may only be destroyed or assigned to.
///
/// T is any copyable and trivially copyable type whose atomic is always lock-free, or std::unique_ptr with a stateless
/// deleter. The structure is the Chase-Lev deque unless another is named (deque/README.md compares them); what it
/// cannot do, its handles do not offer.
template <class T, class Policy = native, template <class, class> class Structure = chase_lev>
class owner {
  using shared_type = shared_deque<T, Policy, Structure>;
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

  /// Owner thread. Wait-free unless full, then grows: amortised O(1). If it throws (capacity_error at the maximum
  /// capacity, std::bad_alloc) the deque and the item are as they were.
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

  /// Owner thread, of a bounded structure. False when it is full, and the item is as it was. Wait-free, O(1).
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

  /// Owner thread, of a bounded structure. When it is full, the older half and then the item go to the sink in one
  /// batch (overflow_sink.hpp); of std::unique_ptr the pointers, which are the sink's then. Throws what `sink.reserve`
  /// throws; structure and item are then as they were.
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

  /// Owner thread. The next item in the structure's order (the deques': the youngest, LIFO; the run queue's: the
  /// oldest, FIFO), or nothing. Wait-free, O(1). Nothing means that the structure is empty and stays so until this
  /// owner pushes.
  [[nodiscard]] std::optional<T> pop() {
    if (auto value = shared_->deque.pop()) return std::optional<T>(payload<T>::adopt(*value));
    return std::nullopt;
  }

  /// Owner thread. An estimate that is never too low: thieves may have taken some since. Wait-free, O(1).
  [[nodiscard]] std::size_t size() const { return shared_->deque.size(); }

  /// Owner thread. True only if the deque is empty (it then stays so until the next push); false is an estimate.
  [[nodiscard]] bool empty() const { return size() == 0; }

  /// Owner thread. Items that fit before the next growth moves them.
  [[nodiscard]] std::size_t capacity() const { return shared_->deque.capacity(); }

  /// Owner thread. A handle for thieves.
  [[nodiscard]] licit::stealer<T, Policy, Structure> stealer() const {
    return licit::stealer<T, Policy, Structure>(shared_);
  }

 private:
  friend class licit::stealer<T, Policy, Structure>;  // whose steal_half fills what is owned here

  std::shared_ptr<shared_type> shared_;
};

}  // namespace licit::inline v0

#endif
