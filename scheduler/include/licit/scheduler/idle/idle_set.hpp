/// Which workers are parked, and how many search for work: who needs to be woken, found in one load.
///
/// Sources: the counts in one word, the woken counted as searching by its waker, and at most half of the workers
/// searching are Tokio's (`idle.rs`); there the sleepers are a list under a mutex, here they are bits beside the
/// counts. scheduler/idle.md has the invariants, and why no wake-up is lost.
///
/// This class trusts its caller to be the right thread.
#ifndef LICIT_SCHEDULER_IDLE_SET_HPP
#define LICIT_SCHEDULER_IDLE_SET_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <licit/deque/native.hpp>
#include <licit/scheduler/idle/idle_set_orders.hpp>

namespace licit::inline v0 {

/// How many workers have their bits beside the counts, and how many share a word if there are more. A policy may have
/// other numbers.
template <class Policy>
struct idle_set_widths {
  static constexpr std::size_t few = 32;
  static constexpr std::size_t in_word = 64;
};
template <class Policy>
  requires requires { Policy::few_workers; }
struct idle_set_widths<Policy> {
  static constexpr std::size_t few = Policy::few_workers;
  static constexpr std::size_t in_word = Policy::workers_in_word;
};

template <class Policy = native>
class idle_set {
  template <fixed_string Name>
  static constexpr auto at = site_of<idle_set_orders, Name>;

 public:
  static constexpr std::size_t most_workers = 4096;

  /// No worker is parked and none searches. Throws std::invalid_argument (a number of workers out of range) or
  /// std::bad_alloc.
  explicit idle_set(std::size_t workers)
      : workers_{valid(workers)},
        narrow_{workers <= widths::few},
        words_(narrow_ ? 0 : (workers + widths::in_word - 1) / widths::in_word, Policy::memory()) {}

  /// No other thread may be using the set, and all their uses happen before.
  ~idle_set() = default;

  idle_set(const idle_set&) = delete;
  idle_set& operator=(const idle_set&) = delete;

  /// Worker `self` only, which is not in the set: from now on it can be claimed. `searching`: it was counted as
  /// searching, and is no more. True: nobody is now, and the caller, after a fence, must look at all work once more.
  /// Wait-free: one read-modify-write, or two beyond 32 workers.
  bool park(std::size_t self, bool searching) {
    if (!narrow_) {
      const bits before = word_of(self).fetch_or(bit_of(self), at<"park.bit">);
      Policy::invariant(53, (before & bit_of(self)) == 0);
    }
    const bits change = one_parked + own_bit(self) - (searching ? one_searching : 0);
    const bits before = head_.fetch_add(change, at<"park.count">);  // read by claim.take
    Policy::invariant(53, (before & own_bit(self)) == 0);
    Policy::invariant(54, !searching || searching_in(before) != 0);
    return searching_in(before + change) == 0;
  }

  /// Any thread, after a fence since the work that it published: a parked worker that is in the set no more and counted
  /// as searching, to be unparked by the caller; or nobody, if one searches already or none is parked. Lock-free: one
  /// load where nobody is to be woken, else also one compare-exchange (again where others changed the set meanwhile);
  /// beyond 32 workers a word for each 64, and one more read-modify-write.
  std::optional<std::size_t> claim() { return claim_if(false); }

  /// The same, however many search.
  std::optional<std::size_t> claim_any() { return claim_if(true); }

  /// Worker `self` only, after its park: takes itself out again, and is counted as searching. False: it was claimed,
  /// or, beyond 32 workers, another was since the park and has taken what would have been its part of the count.
  /// Whoever was claimed will find the work; this one sleeps while `is_parked` says so, and leaves a token for later.
  /// Lock-free; two read-modify-writes at most where nobody else changes the set, three if it is claimed meanwhile.
  bool retract(std::size_t self) {
    if (!is_parked(self)) return false;
    bits h = head_.load(at<"retract.look">);
    do {
      if (narrow_ ? (h & own_bit(self)) == 0 : parked_in(h) == 0) return false;
    } while (!head_.compare_exchange(h, h - one_parked + one_searching - own_bit(self), at<"retract.take">));
    if (narrow_ || (word_of(self).fetch_and(~bit_of(self), at<"retract.clear">) & bit_of(self)) != 0) return true;
    head_.fetch_add(one_parked - one_searching, at<"retract.return">);  // it was another's unit
    return false;
  }

  /// A worker that is neither parked nor counted as searching: whether it may search, and is counted. Not if more than
  /// half of the workers, rounded up, would. Lock-free: a load and one compare-exchange, again where others changed the
  /// set meanwhile.
  bool begin_search() {
    bits h = head_.load(at<"begin.look">);
    do {
      if (searching_in(h) >= (workers_ + 1) / 2) return false;
    } while (!head_.compare_exchange(h, h + one_searching, at<"begin.count">));
    return true;
  }

  /// A worker that is counted as searching: it is no more. True: it was the last, and if it leaves with work, must,
  /// after a fence, look whether there is more, and wake another: it looks for all who left before it, and sees what
  /// they wrote before they did. Wait-free, one read-modify-write.
  bool end_search() {
    const bits before = head_.fetch_sub(one_searching, at<"end.count">);  // read by the last
    Policy::invariant(54, searching_in(before) != 0);
    return searching_in(before) == 1;
  }

  /// Any thread. Whether the worker is in the set; for itself, no is certain until it parks, and what was written
  /// before its claim is visible then. One load.
  [[nodiscard]] bool is_parked(std::size_t self) const {
    return ((narrow_ ? head_ : word_of(self)).load(at<"parked.look">) & bit_of(self)) != 0;  // reads claim.take, .clear
  }

  /// Any thread. How many were parked, or searched, at about this moment; a load, ordered with nothing.
  [[nodiscard]] std::size_t parked() const { return parked_in(counts()); }
  [[nodiscard]] std::size_t searching() const { return searching_in(counts()); }

 private:
  using bits = std::uint64_t;
  using widths = idle_set_widths<Policy>;
  using word = typename Policy::template atomic<bits>;
  static_assert(widths::few <= 32 && widths::in_word >= 1 && widths::in_word <= 64);

  // The head, from the lowest bit: 32 bits of few workers, 16 the count of the parked, 16 of those who search.
  static constexpr bits one_parked = bits{1} << 32;
  static constexpr bits one_searching = bits{1} << 48;
  static constexpr std::size_t parked_in(bits head) { return (head >> 32) & 0xffff; }
  static constexpr std::size_t searching_in(bits head) { return head >> 48; }

  static std::size_t valid(std::size_t workers) {
    if (workers >= 1 && workers <= most_workers) return workers;
    throw std::invalid_argument("licit: an idle set is for " + std::to_string(workers) +
                                " workers, and must be for 1 to " + std::to_string(most_workers));
  }

  [[nodiscard]] bits counts() const { return head_.load(at<"count.look">); }

  // A worker's bit, where it stands; and in the head: none if there are too many workers.
  [[nodiscard]] bits bit_of(std::size_t self) const { return bits{1} << (narrow_ ? self : self % widths::in_word); }
  [[nodiscard]] bits own_bit(std::size_t self) const { return narrow_ ? bits{1} << self : 0; }
  word& word_of(std::size_t self) { return words_[self / widths::in_word]; }
  [[nodiscard]] const word& word_of(std::size_t self) const { return words_[self / widths::in_word]; }

  std::optional<std::size_t> claim_if(bool always) {
    bits h = head_.load(at<"claim.look">);
    do {
      if (parked_in(h) == 0 || (!always && searching_in(h) != 0)) return std::nullopt;
    } while (!head_.compare_exchange(h, claimed(h), at<"claim.take">));  // reads park.count; read by parked.look
    return narrow_ ? static_cast<std::size_t>(std::countr_zero(h)) : clear_one();
  }

  /// A unit of the count moved, and the lowest bit gone.
  [[nodiscard]] bits claimed(bits h) const { return (narrow_ ? h & (h - 1) : h) - one_parked + one_searching; }

  /// Who has taken a unit of the parked count is entitled to a bit, and there is one (I52). A pass can miss it only
  /// where workers park, and others retract or are claimed, during it.
  std::size_t clear_one() {
    for (;;) {
      for (std::size_t w = 0; w != words_.size(); ++w) {
        bits seen = words_[w].load(at<"claim.bits">);
        while (seen != 0) {
          const bits lowest = seen & -seen;
          seen = words_[w].fetch_and(~lowest, at<"claim.clear">);  // read by parked.look
          if ((seen & lowest) != 0) return w * widths::in_word + static_cast<std::size_t>(std::countr_zero(lowest));
        }
      }
      if constexpr (requires { Policy::clears_in_one_pass; }) Policy::invariant(52, false);  // a program's
    }
  }

  // A cache line, and the one that the adjacent-line prefetcher fetches with it.
  static constexpr std::size_t line = 128;

  alignas(line) word head_;  ///< changed by read-modify-writes only
  alignas(line) const std::size_t workers_;
  const bool narrow_;
  std::pmr::vector<word> words_;  ///< of more than a few workers: their bits
};

}  // namespace licit::inline v0

#endif
