/// Two split deques run in lockstep with what they are to be: every result, and the sizes after it, must agree.
#ifndef LICIT_TESTS_SUPPORT_SPLIT_LOCKSTEP_HPP
#define LICIT_TESTS_SUPPORT_SPLIT_LOCKSTEP_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <new>

#include <licit/deque/split.hpp>

#include "items.hpp"
#include "lockstep.hpp"
#include "memory.hpp"

namespace licit_test {

/// The production word, with the rare nearer: fewer tags, fewer public items, a top that wraps at once.
template <unsigned TagBits, unsigned CountBits, std::int64_t First = 0>
struct narrow_word : licit::native_checked {
  static constexpr auto replaced(licit::split_rules r) {
    r.tag_bits = TagBits;
    r.count_bits = CountBits;
    r.first = First;
    return r;
  }
};

/// Single-threaded, so every result is known: which items are public, and whether somebody has asked.
template <class Deque>
class split_lockstep {
 public:
  /// The memory is that of the options.
  split_lockstep(const licit::deque_options& options, counting_memory& memory)
      : memory_{memory}, deques_{Deque(options), Deque(options)}, maximum_{options.maximum_capacity} {
    for (reference& r : references_) r.capacity = options.initial_capacity;
  }

  void push(std::size_t which) {
    reference& r = references_.at(which);
    const verdict expected = judge_push(r);
    must_agree("the outcome of a push", static_cast<std::size_t>(attempt(deques_[which])),
               static_cast<std::size_t>(expected));
    if (expected == verdict::done) {
      if (r.size() == r.capacity) r.capacity *= 2;
      r.mine.push_back(next_);
      r.answer();
    }
    ++next_;
    compare(which);
  }

  void pop(std::size_t which) {
    reference& r = references_.at(which);
    const auto got = deques_[which].pop();
    must_agree("whether pop has an item", got.has_value(), r.size() != 0);
    if (got) {
      if (r.mine.empty()) r.reclaim();
      must_agree("the popped item", *got, r.mine.back());
      r.mine.pop_back();
      r.answer();
    }
    compare(which);
  }

  void steal(std::size_t which) {
    reference& r = references_.at(which);
    const auto got = deques_[which].steal();
    judge_theft(r, got);
    if (got) take_oldest(r, *got);
    compare(which);
  }

  /// From one to the other.
  void steal_half(std::size_t which, std::size_t most) {
    reference& r = references_.at(which);
    reference& own = references_.at(1 - which);
    const auto got = deques_[which].steal_half(deques_[1 - which], most);
    if (most == 0) {
      must_agree("whether a theft of no item reports empty", got.is_empty(), true);
    } else {
      judge_theft(r, got);
    }
    if (got) {
      const std::size_t n = std::min({(r.offered.size() + 1) / 2, most, own.capacity - own.size() + 1});
      must_agree("the number of items that came along", got.moved(), n - 1);
      take_oldest(r, *got);
      for (std::size_t i = 1; i != n; ++i) {
        own.mine.push_back(r.offered.front());
        r.offered.pop_front();
      }
      if (n != 1) own.answer();
    }
    compare(0);
    compare(1);
  }

  [[nodiscard]] std::size_t capacity() const { return references_[0].capacity; }

 private:
  enum class verdict { done, full, no_memory };

  struct reference {
    std::deque<number> offered = {};
    std::deque<number> mine = {};
    std::size_t capacity = 0;
    std::size_t tag = 0;
    bool asked = false;

    [[nodiscard]] std::size_t size() const { return offered.size() + mine.size(); }

    void answer() {
      const std::size_t more = std::min((mine.size() + 1) / 2, Deque::most_public - offered.size());
      if (!asked || more == 0) return;
      asked = false;
      offered.insert(offered.end(), mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(more));
      mine.erase(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(more));
    }

    void reclaim() {
      const bool last = tag == Deque::tags - 1;
      const auto n = static_cast<std::ptrdiff_t>(last ? offered.size() : (offered.size() + 1) / 2);
      tag = last ? 0 : tag + 1;
      mine.assign(offered.end() - n, offered.end());
      offered.erase(offered.end() - n, offered.end());
    }
  };

  [[nodiscard]] verdict judge_push(const reference& r) const {
    if (r.size() < r.capacity) return verdict::done;
    if (r.capacity == maximum_) return verdict::full;
    return memory_.failing ? verdict::no_memory : verdict::done;
  }

  verdict attempt(Deque& deque) {
    try {
      deque.push(next_);
      return verdict::done;
    } catch (const licit::capacity_error&) {
      return verdict::full;
    } catch (const std::bad_alloc&) {
      return verdict::no_memory;
    }
  }

  static void judge_theft(reference& r, const licit::stolen<number>& got) {
    must_agree("whether a steal has an item", static_cast<bool>(got), !r.offered.empty());
    must_agree("whether a steal is lost", got.is_lost(), r.offered.empty() && !r.mine.empty());
    if (r.offered.empty()) r.asked = true;
  }

  static void take_oldest(reference& r, number got) {
    must_agree("the stolen item", got, r.offered.front());
    r.offered.pop_front();
    r.tag = 0;
  }

  void compare(std::size_t which) const {
    must_agree("the size", deques_.at(which).size(), references_.at(which).size());
    must_agree("the capacity", deques_[which].capacity(), references_[which].capacity);
  }

  counting_memory& memory_;
  std::array<Deque, 2> deques_;
  std::array<reference, 2> references_;
  std::size_t maximum_;
  number next_ = 0;
};

/// With how many values its tag has; a planted fault derives from it.
template <class Policy>
struct tagged_split : licit::split_deque<number, Policy> {
  using licit::split_deque<number, Policy>::split_deque;
  static constexpr std::size_t tags = std::size_t{1} << licit::split_word<Policy>::tag_bits;
};

/// The fault that the comparison must find: each fourth raid loses an item on its way.
template <class Policy>
struct forgetful_split : tagged_split<Policy> {
  using tagged_split<Policy>::tagged_split;
  licit::stolen<number> steal_half(forgetful_split& own, std::size_t most) {
    const auto got = tagged_split<Policy>::steal_half(own, most);
    if (got && got.moved() != 0 && ++raids_ % 4 == 0) (void)own.pop();
    return got;
  }

 private:
  std::size_t raids_ = 0;
};

}  // namespace licit_test

#endif
