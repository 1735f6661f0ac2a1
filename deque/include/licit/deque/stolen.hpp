/// What a steal brings back.
#ifndef LICIT_DEQUE_STOLEN_HPP
#define LICIT_DEQUE_STOLEN_HPP

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace licit::inline v0 {

enum class outcome : std::uint32_t {
  taken,  ///< the caller has the item
  empty,  ///< at some moment during the call there was nothing to steal
  lost,   ///< another thread took the item first, or all items are private (split deque). There may be more: try again
};

/// The result of `steal`: an item, or why there is none. Contention is a value, so the caller decides how to react:
/// another victim, a pause, another try.
template <class T>
class [[nodiscard]] stolen {
 public:
  static stolen taken(T item, std::size_t moved = 0) { return stolen(outcome::taken, std::move(item), moved); }
  static stolen empty() { return stolen(outcome::empty, std::nullopt); }
  static stolen lost() { return stolen(outcome::lost, std::nullopt); }

  [[nodiscard]] outcome what() const { return what_; }
  [[nodiscard]] bool is_empty() const { return what_ == outcome::empty; }
  [[nodiscard]] bool is_lost() const { return what_ == outcome::lost; }
  explicit operator bool() const { return what_ == outcome::taken; }

  /// The number of further items that `steal_half` put into the thief's own structure; 0 after `steal`.
  [[nodiscard]] std::size_t moved() const { return moved_; }

  /// The item. Precondition: taken.
  // NOLINTBEGIN(bugprone-unchecked-optional-access): as std::optional, the caller has looked
  [[nodiscard]] T& operator*() & { return *item_; }
  [[nodiscard]] const T& operator*() const& { return *item_; }
  [[nodiscard]] T&& operator*() && { return *std::move(item_); }
  [[nodiscard]] T* operator->() { return &*item_; }
  // NOLINTEND(bugprone-unchecked-optional-access)

 private:
  stolen(outcome what, std::optional<T> item, std::size_t moved = 0)
      : item_{std::move(item)}, moved_{moved}, what_{what} {}

  std::optional<T> item_;
  std::size_t moved_;
  outcome what_;
};

}  // namespace licit::inline v0

#endif
