/// Who took what. Every item of a shift carries its number, and at the end the books must balance.
#ifndef LICIT_TESTS_SUPPORT_ACCOUNTING_HPP
#define LICIT_TESTS_SUPPORT_ACCOUNTING_HPP

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "items.hpp"

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

}  // namespace licit_test

#endif
