/// A shift of thieves that take half: each has a deque of its own, from which the others take half again.
#ifndef LICIT_TESTS_SUPPORT_HALF_SHIFT_HPP
#define LICIT_TESTS_SUPPORT_HALF_SHIFT_HPP

#include <atomic>
#include <cstddef>
#include <latch>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <licit/deque.hpp>

#include "items.hpp"
#include "shift.hpp"

namespace licit_test {

struct half_options {
  licit::deque_options first = {};  ///< of the deque that everything is pushed to
  licit::deque_options own = {};    ///< of the thieves'
  std::size_t most = 32;
  number pushes = 0;
  number burst = 64;  ///< pushed at once, before the owner pops half as many
};

/// A worker that has taken items: which, and which of them were not as they had been sealed.
struct worker_book {
  std::vector<number> taken;
  std::vector<number> damaged;
  number moved = 0;  ///< items that came along

  void enter(parcel& p) {
    taken.push_back(p.label());
    if (!p.open()) damaged.push_back(p.label());
  }
};

/// One line for each kind of thing that is wrong with the books.
inline std::vector<std::string> audit_halves(number pushed, const std::vector<worker_book>& books) {
  std::vector<unsigned> times(pushed);
  number invented = 0;
  number damaged = 0;
  for (const worker_book& book : books) {
    for (const number n : book.taken) n < pushed ? void(++times[n]) : void(++invented);
    damaged += book.damaged.size();
  }
  number nobody = 0;
  number several = 0;
  for (const unsigned t : times) {
    nobody += t == 0 ? 1 : 0;
    several += t > 1 ? 1 : 0;
  }
  std::vector<std::string> complaints;
  const auto complain = [&](number count, const char* what) {
    if (count != 0) complaints.push_back(std::to_string(count) + what);
  };
  complain(invented, " were never pushed");
  complain(damaged, " were damaged");
  complain(nobody, " were taken by nobody");
  complain(several, " were taken more than once");
  return complaints;
}

/// Worker 0 pushes in bursts and pops; the others steal half of what they see, wherever they see it, and pop what they
/// have brought home. `Half` is called as (stealer of the victim, own, most).
template <class Owner, class Half>
class half_workers {
 public:
  half_workers(const half_options& how, std::size_t thieves, Half half)
      : how_(how),
        half_(std::move(half)),
        books_(thieves + 1),
        parcels_(how.pushes),
        start_(static_cast<std::ptrdiff_t>(thieves) + 1) {
    deques_.emplace_back(how.first);
    for (std::size_t i = 0; i != thieves; ++i) deques_.emplace_back(how.own);
    for (const Owner& o : deques_) stealers_.push_back(o.stealer());
  }

  std::vector<worker_book> run() {
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i != deques_.size(); ++i) threads.emplace_back([this, i] { steal(i); });
    push();
    while (deques_[0].size() != 0) std::this_thread::yield();
    over_.store(true, std::memory_order_release);
    for (std::thread& t : threads) t.join();
    return books_;
  }

 private:
  bool pop_one(std::size_t i) {
    const auto got = deques_[i].pop();
    if (!got) return false;
    books_[i].enter(**got);
    return true;
  }

  void pop_all(std::size_t i) {
    while (pop_one(i)) {
    }
  }

  void steal(std::size_t i) {
    start_.arrive_and_wait();
    for (std::size_t victim = 0; !over_.load(std::memory_order_acquire); victim = (victim + 1) % stealers_.size()) {
      if (victim == i) continue;
      if (const auto got = half_(stealers_[victim], deques_[i], how_.most)) {
        books_[i].moved += got.moved();
        books_[i].enter(**got);
        // Some stay for the others to steal.
        for (std::size_t pops = (got.moved() + 1) / 2; pops != 0 && pop_one(i); --pops) {
        }
      } else {
        pop_all(i);
        std::this_thread::yield();
      }
    }
    pop_all(i);
  }

  void push() {
    start_.arrive_and_wait();
    for (number pushed = 0; pushed != how_.pushes;) {
      const number before = pushed;
      while (pushed != how_.pushes && pushed - before != how_.burst &&
             deques_[0].size() != how_.first.maximum_capacity) {
        deques_[0].push(parcels_.next(pushed++));
      }
      for (number pops = how_.burst / 2; pops != 0 && pop_one(0); --pops) {
      }
      if (pushed == before || pushed % (16 * how_.burst) < how_.burst) std::this_thread::yield();
    }
  }

  half_options how_;
  Half half_;
  std::vector<Owner> deques_;
  std::vector<decltype(std::declval<const Owner&>().stealer())> stealers_;
  std::vector<worker_book> books_;
  supply<parcel*> parcels_;
  std::atomic<bool> over_{false};
  std::latch start_;
};

/// What is wrong after a shift of `half_workers`. `moved`: items that came along.
template <class Owner = licit::owner<parcel*, licit::native_checked>, class Half>
std::vector<std::string> half_shift(const half_options& how, std::size_t thieves, Half half, number* moved = nullptr) {
  const std::vector<worker_book> books = half_workers<Owner, Half>(how, thieves, std::move(half)).run();
  if (moved != nullptr) {
    *moved = 0;
    for (const worker_book& book : books) *moved += book.moved;
  }
  return audit_halves(how.pushes, books);
}

}  // namespace licit_test

#endif
