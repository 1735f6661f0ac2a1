/// A shift: one owner that follows a script and thieves that steal throughout; every item is accounted for.
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

#include "accounting.hpp"
#include "items.hpp"
#include "scale.hpp"

namespace licit_test {

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
