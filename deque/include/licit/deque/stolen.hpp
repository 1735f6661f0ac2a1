/// What a steal brings back.
#ifndef LICIT_DEQUE_STOLEN_HPP
#define LICIT_DEQUE_STOLEN_HPP

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace licit::inline v0 {

enum class outcome : std::uint8_t {
  taken,  ///< the caller has the item
  empty,  ///< the deque had nothing to steal at some moment during the call
  lost,   ///< another thread took the item first; the deque may well hold more: try again
};

/// The result of `steal`: an item, or why there is none. Contention is a value, so that the caller chooses what to do
/// about it (another victim, a pause, another try).
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

  /// Items that came along, and are in the thief's own deque now. None unless half was stolen.
  [[nodiscard]] std::size_t moved() const { return moved_; }

  /// The item. Only when taken.
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
