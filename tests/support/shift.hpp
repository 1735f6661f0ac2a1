/// A shift: one owner that follows a script and thieves that steal throughout. Every item carries its number, and at
/// the end the books of who took what must balance.
#ifndef LICIT_TESTS_SUPPORT_SHIFT_HPP
#define LICIT_TESTS_SUPPORT_SHIFT_HPP

#include <atomic>
#include <cstddef>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "items.hpp"
#include "scale.hpp"

namespace licit_test {

/// What one thread took, in the order in which it took it.
struct ledger {
  std::vector<number> taken;
  std::vector<number> damaged;  ///< of these, the contents were not what had been written before the push
};

/// The owner's ledger, and its own view of the deque: what it pushed and has not taken back, oldest first. The top of
/// it is the only item that a pop may bring: thieves take the oldest, so what is above an item that is left is left
/// too. And if pop brings nothing, thieves have taken all.
class owner_ledger : public ledger {
 public:
  void pushed(number n) { stack_.push_back(n); }

  void popped(number n) {
    taken.push_back(n);
    if (stack_.empty() || stack_.back() != n) out_of_order.push_back(n);
    if (!stack_.empty()) stack_.pop_back();
  }

  /// `left` is the deque's size as the owner sees it right after: zero, since that pop saw top meet bottom and top
  /// never falls.
  void popped_nothing(std::size_t left) {
    if (left != 0) ++false_empties;
    stack_.clear();
  }

  std::vector<number> out_of_order;
  number false_empties = 0;  ///< times that pop brought nothing from a deque that was not empty

 private:
  std::vector<number> stack_;
};

class auditor {
 public:
  /// One line for each thing that is wrong, none if the `pushed` items (numbers 0 to pushed - 1) were each taken once,
  /// whole, and in a lawful order.
  static std::vector<std::string> audit(number pushed, const owner_ledger& owner, const std::vector<ledger>& thieves) {
    auditor a(pushed);
    a.enter("the owner", owner);
    a.next_kind();
    for (const number n : owner.out_of_order) a.complain("the owner popped", n, "which was not its youngest");
    if (owner.false_empties != 0) {
      a.complaints_.push_back("pop brought nothing from a deque with items, " + std::to_string(owner.false_empties) +
                              " times");
    }
    for (std::size_t i = 0; i != thieves.size(); ++i) {
      const std::string who = "thief " + std::to_string(i);
      a.enter(who, thieves[i]);
      a.check_rising(who, thieves[i]);
    }
    a.next_kind();
    for (number n = 0; n != pushed; ++n) {
      if (a.times_[n] == 0) a.complain("nobody took", n, "");
      if (a.times_[n] > 1) a.complain("several took", n, std::to_string(a.times_[n]) + " times");
    }
    return std::move(a.complaints_);
  }

 private:
  explicit auditor(number pushed) : times_(pushed) {}

  void enter(const std::string& who, const ledger& book) {
    for (const number n : book.taken) {
      if (n < times_.size()) {
        ++times_[n];
      } else {
        complain(who + " took", n, "which was never pushed");
      }
    }
    next_kind();
    for (const number n : book.damaged) complain(who + " took", n, "damaged");
  }

  /// An item that is pushed later lies nearer to the owner's end, so one thief's numbers only rise.
  void check_rising(const std::string& who, const ledger& book) {
    next_kind();
    for (std::size_t i = 1; i < book.taken.size(); ++i) {
      if (book.taken[i] <= book.taken[i - 1]) complain(who + " took", book.taken[i], "after a younger one");
    }
  }

  void complain(const std::string& what, number n, const std::string& how) {
    if (complaints_.size() < enough_) complaints_.push_back(what + " item " + std::to_string(n) + " " + how);
  }

  /// A flood of one kind must not hide the next.
  void next_kind() { enough_ = complaints_.size() + 20; }

  std::vector<unsigned> times_;
  std::vector<std::string> complaints_;
  std::size_t enough_ = 20;
};

/// Plain memory that the owner writes before the push and the taker reads and writes after the take: ThreadSanitizer
/// sees a race if the deque does not order the two, or if two threads take the same parcel.
class parcel {
 public:
  void seal(number n) {
    number_ = n;
    contents_ = seal_of(n);
  }
  [[nodiscard]] number label() const { return number_; }

  /// Whether it was sealed and not opened yet; opens it.
  bool open() {
    const bool whole = contents_ == seal_of(number_);
    contents_ = 0;
    return whole;
  }

  static number seal_of(number n) { return (n + 1) * 0x9e3779b97f4a7c15U; }

 private:
  number number_ = 0;
  number contents_ = 0;
};

/// Where a shift's items come from: parcels of one array, or each a heap object of its own.
template <class T>
class supply;

template <>
class supply<parcel*> {
 public:
  explicit supply(number most) : parcels_(most) {}
  parcel* next(number n) {
    parcels_.at(n).seal(n);
    return &parcels_[n];
  }

 private:
  std::vector<parcel> parcels_;
};

template <>
class supply<std::unique_ptr<parcel>> {
 public:
  explicit supply(number /*most*/) {}
  static std::unique_ptr<parcel> next(number n) {
    auto made = std::make_unique<parcel>();
    made->seal(n);
    return made;
  }
};

inline void enter(ledger& book, parcel& taken) {
  if (!taken.open()) book.damaged.push_back(taken.label());
}

/// The owner as a script sees it.
template <class T, class Owner>
class owner_side {
 public:
  owner_side(Owner owner, number most, const std::atomic<number>& stolen)
      : owner_{std::move(owner)}, items_{most}, most_{most}, stolen_{stolen} {}

  void push() {
    owner_.push(items_.next(next_));
    book_.pushed(next_++);
  }

  bool pop() {
    auto got = owner_.pop();
    if (!got) {
      book_.popped_nothing(owner_.size());
      return false;
    }
    book_.popped((*got)->label());
    enter(book_, **got);
    return true;
  }

  void push(number times) {
    for (number i = 0; i != times; ++i) push();
  }

  void pop_all() {
    while (pop()) {
    }
  }

  /// A shift without a theft would say nothing about thieves. Call it with items in the deque.
  void await_theft() const {
    const number before = stolen_.load(std::memory_order_relaxed);
    while (owner_.size() != 0 && stolen_.load(std::memory_order_relaxed) == before) std::this_thread::yield();
  }

  /// Another thread becomes the owner's thread for as long as `work` takes.
  template <class Work>
  void on_another_thread(Work work) {
    std::thread([this, &work, moved = std::move(owner_)]() mutable {
      owner_ = std::move(moved);
      work();
    }).join();
  }

  /// How many items thieves have had.
  [[nodiscard]] number stolen() const { return stolen_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool has_room() const { return owner_.size() < owner_.capacity(); }
  [[nodiscard]] bool has_more() const { return next_ != most_; }
  [[nodiscard]] number left() const { return most_ - next_; }
  [[nodiscard]] number pushed() const { return next_; }
  [[nodiscard]] const owner_ledger& book() const { return book_; }
  [[nodiscard]] Owner& handle() { return owner_; }

 private:
  Owner owner_;
  supply<T> items_;
  owner_ledger book_;
  number most_;
  number next_ = 0;
  const std::atomic<number>& stolen_;
};

template <class Stealer>
void steal_until(const std::atomic<bool>& over, const Stealer& thief, ledger& book, std::atomic<number>& stolen) {
  while (true) {
    const bool last_look = over.load(std::memory_order_acquire);
    auto got = thief.steal();
    if (got) {
      book.taken.push_back((*got)->label());
      enter(book, **got);
      stolen.fetch_add(1, std::memory_order_relaxed);
    } else if (got.is_empty()) {
      if (last_look) return;
      std::this_thread::yield();
    }
  }
}

/// Runs `script` with an owner of at most `most` items against `thieves` threads, and audits. What the script leaves in
/// the deque the owner pops. Returns the auditor's complaints.
template <class T, class Owner, class Script>
std::vector<std::string> shift(Owner owner, number most, std::size_t thieves, Script script) {
  std::atomic<bool> over{false};
  std::atomic<number> stolen{0};
  std::vector<ledger> books(thieves);
  std::latch start(static_cast<std::ptrdiff_t>(thieves) + 1);
  const auto thief = owner.stealer();
  owner_side<T, Owner> mine(std::move(owner), most, stolen);
  std::vector<std::thread> threads;
  for (ledger& book : books) {
    threads.emplace_back([&over, &stolen, &start, thief, &book] {
      start.arrive_and_wait();
      steal_until(over, thief, book, stolen);
    });
  }
  start.arrive_and_wait();
  script(mine);
  mine.pop_all();
  over.store(true, std::memory_order_release);
  for (std::thread& t : threads) t.join();
  return auditor::audit(mine.pushed(), mine.book(), books);
}

}  // namespace licit_test

#endif
