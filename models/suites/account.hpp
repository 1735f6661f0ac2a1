/// What client programs share: an account of numbered items, of who took what.
#ifndef LICIT_SUITES_ACCOUNT_HPP
#define LICIT_SUITES_ACCOUNT_HPP

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "suites/line.hpp"

namespace licit::suites {

/// As many cells as a program needs, made in place: no allocation that a checker would see.
template <class Cell, std::size_t Most>
class cells {
 public:
  template <class... With>
  explicit cells(std::size_t count, const With&... with) : count_{count} {
    if (count > Most) std::terminate();  // the program's line is too long for its client
    for (std::size_t i = 0; i != count; ++i) ::new (static_cast<void*>(&bytes_[i * sizeof(Cell)])) Cell(with...);
  }
  ~cells() {
    for (std::size_t i = count_; i != 0; --i) std::destroy_at(&(*this)[i - 1]);
  }
  cells(const cells&) = delete;
  cells& operator=(const cells&) = delete;

  [[nodiscard]] std::size_t size() const { return count_; }
  Cell& operator[](std::size_t i) { return *std::launder(reinterpret_cast<Cell*>(&bytes_[i * sizeof(Cell)])); }
  const Cell& operator[](std::size_t i) const {
    return *std::launder(reinterpret_cast<const Cell*>(&bytes_[i * sizeof(Cell)]));
  }
  [[nodiscard]] const Cell* begin() const { return std::launder(reinterpret_cast<const Cell*>(bytes_.data())); }
  [[nodiscard]] const Cell* end() const { return begin() + count_; }

 private:
  std::size_t count_;
  alignas(Cell) std::array<std::byte, Most * sizeof(Cell)> bytes_;
};

/// An object that a client makes in some programs only, or destroys before its own end. The checker reports a use of
/// one that is not there.
template <class T>
class made_later {
 public:
  template <class... With>
  T& emplace(With&&... with) {
    return made_.emplace(std::forward<With>(with)...);
  }
  void reset() { made_.reset(); }

  explicit operator bool() const { return made_.has_value(); }
  T& operator*() { return used(made_); }
  const T& operator*() const { return used(made_); }
  T* operator->() { return &used(made_); }
  const T* operator->() const { return &used(made_); }

 private:
  template <class Made>
  static auto& used(Made& it) {
    if (!it) throw std::bad_optional_access();
    return *it;
  }

  std::optional<T> made_;
};

/// The most items that a program may push.
inline constexpr std::size_t most_items = 16;

inline constexpr const char* too_many_items = "more than 16 items";
inline constexpr const char* owners_only = "only the owner, thread 0, may call this";
inline constexpr const char* no_numbers = "this word takes no number";
inline constexpr const char* no_such_worker = "there is no such worker: set workers=N before the colon";
inline constexpr const char* no_such_deque = "there is no such deque";

/// Items are 1, 2, 3, … in the order of their push; 0 is what a slot holds that nobody wrote. The owner writes an
/// item's payload (not atomic) before it pushes the item, and whoever takes the item reads the payload and overwrites
/// it: an item taken twice, or without a happens-before from its push, is a race or a failed check in every checker.
template <class Model>
class account {
 public:
  explicit account(std::size_t items) : payload_{items} { Model::name(payload_, "payload"); }

  /// The pushing thread: the number of the next item, whose payload is now written.
  int open() {
    const int item = ++opened_;
    payload_[at(item)].write(sealed(item));
    return item;
  }

  /// The pushing thread: the structure was full, and the item of the last `open` is not in it.
  void refuse() { --opened_; }

  /// Whoever took the item.
  void take(int item) {
    Model::check(item >= 1 && item <= static_cast<int>(payload_.size()),
                 "nothing invented: an item that was never pushed");
    auto& cell = payload_[at(item)];
    Model::check(cell.read() == sealed(item),
                 "exactly once: an item was taken twice, or before its payload was visible");
    cell.write(taken);
  }

  /// Main thread, at the end, when everything that could be found was taken: every item was. Threads that were stopped
  /// for good may have some in their hands.
  void settle(int in_hand = 0) {
    for (int item = 1; item <= opened_; ++item) {
      if (payload_[at(item)].read() != taken) --in_hand;
    }
    Model::check(in_hand >= 0, "nothing lost: an item was pushed and never taken");
  }

  /// How many items there are, taken or not.
  [[nodiscard]] int opened() const { return opened_; }
  /// How many there can be.
  [[nodiscard]] std::size_t most() const { return payload_.size(); }

 private:
  static constexpr int taken = 0;
  static constexpr int sealed(int item) { return item + 100; }
  static std::size_t at(int item) { return static_cast<std::size_t>(item - 1); }

  cells<typename Model::template plain<int>, most_items> payload_;
  int opened_ = 0;  // the pushing thread's, then the main thread's
};

/// A cell of each thread, which it writes before a call, so that there is something to be seen.
template <class Model>
class deeds_before {
 public:
  deeds_before() : done_{line::most_threads} {}
  void add(unsigned thread) { done_[thread].write(1); }

 private:
  cells<typename Model::template plain<int>, line::most_threads> done_;
};

}  // namespace licit::suites

#endif
