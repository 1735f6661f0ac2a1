/// Two deques, a victim's and a thief's, run in lockstep with two std::deques: half of the one goes to the other.
#ifndef LICIT_TESTS_SUPPORT_HALF_LOCKSTEP_HPP
#define LICIT_TESTS_SUPPORT_HALF_LOCKSTEP_HPP

#include <algorithm>
#include <cstddef>
#include <deque>
#include <new>
#include <span>
#include <utility>

#include <licit/deque.hpp>

#include "items.hpp"
#include "lockstep.hpp"
#include "memory.hpp"

namespace licit_test {

/// Single-threaded, so that every result is known. `Half` is called as (stealer of the victim, own, most).
template <class T, class Half, class Owner = licit::owner<T, licit::native_checked>>
class half_lockstep {
 public:
  /// The thief's deque is made of `own`, the memory of which is `memory`; the victim may grow as it likes.
  half_lockstep(const licit::deque_options& own, counting_memory& memory, Half half)
      : memory_{memory},
        half_{half},
        victim_{licit::deque_options{.initial_capacity = 2}},
        thief_{own},
        capacity_{own.initial_capacity},
        maximum_{own.maximum_capacity} {}

  void push() {
    T value = item<T>::make(next_++);
    left_.push_back(item<T>::read(value));
    victim_.push(std::move(value));
    compare_sizes();
  }

  /// Of the thief's own, so that there may be room for few. A push that fails leaves the item, which is dropped.
  void push_own() {
    T value = item<T>::make(next_++);
    const number n = item<T>::read(value);
    const bool fits = has_room();
    try {
      thief_.push(std::move(value));
      must_agree("whether a push fails", 0, fits ? 0 : 1);
      home_.push_back(n);
    } catch (const licit::capacity_error&) {
      must_agree("whether a push fails at the maximum", 1, fits ? 0 : 1);
    } catch (const std::bad_alloc&) {
      must_agree("whether a push fails for want of memory", 1, fits ? 0 : 1);
    }
    compare_sizes();
  }

  void pop() { take(victim_.pop(), left_, "the victim's pop"); }
  void pop_own() { take(thief_.pop(), home_, "the thief's pop"); }

  void half(std::size_t most) {
    const std::size_t share = std::min(left_.size() - left_.size() / 2, most);
    const auto got = half_(victim_.stealer(), thief_, most);
    must_agree("whether half has an item", static_cast<bool>(got), share != 0);
    must_agree("whether a theft without a rival is lost", got.is_lost(), false);
    if (!got) return compare_sizes();
    must_agree("the item handed back", item<T>::read(*got), left_.front());
    left_.pop_front();
    std::size_t moved = 0;
    for (; moved + 1 < share && has_room(); ++moved) {
      home_.push_back(left_.front());
      left_.pop_front();
    }
    must_agree("how many items came along", got.moved(), moved);
    compare_sizes();
  }

  [[nodiscard]] std::size_t left() const { return left_.size(); }
  [[nodiscard]] std::size_t home() const { return home_.size(); }

 private:
  /// For one item more in the thief's deque; grows what is expected of it.
  bool has_room() {
    if (home_.size() < capacity_) return true;
    if (capacity_ == maximum_ || memory_.failing) return false;
    capacity_ *= 2;
    return true;
  }

  template <class Got>
  void take(const Got& got, std::deque<number>& from, const char* what) {
    must_agree(what, got.has_value(), !from.empty());
    if (got) {
      must_agree(what, item<T>::read(*got), from.back());
      from.pop_back();
    }
    compare_sizes();
  }

  void compare_sizes() const {
    must_agree("the victim's size", victim_.size(), left_.size());
    must_agree("the thief's size", thief_.size(), home_.size());
    must_agree("the thief's capacity", thief_.capacity(), capacity_);
  }

  counting_memory& memory_;
  Half half_;
  Owner victim_;
  Owner thief_;
  std::deque<number> left_;
  std::deque<number> home_;
  std::size_t capacity_;
  std::size_t maximum_;
  number next_ = 0;
};

inline constexpr auto real_half = [](const auto& victim, auto& own, std::size_t most) {
  return victim.steal_half(own, most);
};

/// Rounds down: two of five.
inline constexpr auto half_rounded_down = [](const auto& victim, auto& own, std::size_t most) {
  return victim.steal_half(own, std::min(most, std::max<std::size_t>(victim.size() / 2, 1)));
};

/// Does not see that there is no room: the item that it has claimed by then is lost.
inline constexpr auto half_without_room = [](const auto& victim, auto& own, std::size_t most) {
  const std::size_t before = own.size();
  auto got = victim.steal_half(own, most);
  const std::size_t wanted = std::min(victim.size() + (own.size() - before), most - 1);
  if (got && got.moved() < wanted && own.size() == own.capacity()) (void)victim.steal();
  return got;
};

/// The capacities of the first byte, then a byte an operation: which in the low three bits, how often in the others.
template <class T, class Owner = licit::owner<T, licit::native_checked>, class Half>
void run_halves(std::span<const std::uint8_t> input, Half half) {
  if (input.empty()) return;
  counting_memory memory;
  licit::deque_options own{.initial_capacity = std::size_t{1} << (input[0] & 3U), .memory = &memory};
  const unsigned doublings = input[0] >> 2U & 3U;
  if (doublings < 3) own.maximum_capacity = own.initial_capacity << doublings;
  {
    half_lockstep<T, Half, Owner> pair(own, memory, half);
    for (const std::uint8_t byte : input.subspan(1)) {
      const unsigned much = (byte >> 3U) + 1U;
      const std::size_t most = byte >> 3U;
      switch (byte & 7U) {
        case 4: memory.failing = !memory.failing; break;
        case 5: pair.half(most); break;
        case 6: pair.half(32); break;
        default:
          for (unsigned i = 0; i != much; ++i) {
            switch (byte & 7U) {
              case 2: pair.pop(); break;
              case 3: pair.pop_own(); break;
              case 7: pair.push_own(); break;
              default: pair.push(); break;
            }
          }
      }
    }
  }
  must_agree("the bytes of rings that were not freed", memory.live_bytes(), 0);
  must_agree("the number of items that outlive the deques", static_cast<std::size_t>(counted::live()), 0);
}

}  // namespace licit_test

#endif
