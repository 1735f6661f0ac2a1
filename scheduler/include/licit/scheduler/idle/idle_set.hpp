/// The set of parked workers, and the number of searching ones. One load tells whether a worker needs to be woken.
///
/// Sources: from Tokio (`idle.rs`) come the counts in one word, a waker that counts the woken worker as searching, and
/// the limit of half of the workers searching. There the sleepers are a list under a mutex; here they are bits beside
/// the counts. scheduler/idle/README.md has the invariants and the proof that no wake-up is lost.
///
/// This class does not check that the right thread calls.
#ifndef LICIT_SCHEDULER_IDLE_SET_HPP
#define LICIT_SCHEDULER_IDLE_SET_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/idle/idle_set_orders.hpp>

namespace licit::inline v0 {

/// Where the workers' bits are.
struct idle_set_rules {
  std::size_t few = 32;          ///< up to so many workers have them beside the counts
  std::size_t in_word = 64;      ///< so many share a word if there are more
  std::size_t busy = 4;          ///< a worker is woken although others search if so many are busy for each of these
  std::size_t busy_of_many = 1;  ///< the same if there are more than `few` workers
};

namespace detail {
/// A word in which the set computes: the policy's, if it has one of its own.
template <class Policy>
struct word_of_bits : std::type_identity<std::uint64_t> {};
template <class Policy>
  requires requires { typename Policy::bits; }
struct word_of_bits<Policy> : std::type_identity<typename Policy::bits> {};
}  // namespace detail

template <class Policy = native>
class idle_set {
  template <fixed_string Name>
  static constexpr auto at = site_of<idle_set_orders, Name>;

 public:
  static constexpr std::size_t most_workers = 4096;

  /// At first no worker is parked and none searches. Throws std::invalid_argument (number of workers out of range) or
  /// std::bad_alloc.
  explicit idle_set(std::size_t workers)
      : workers_{valid(workers)},
        narrow_{workers <= rules.few},
        words_(narrow_ ? 0 : (workers + rules.in_word - 1) / rules.in_word, Policy::memory()) {}

  /// Precondition: no other thread uses the set, and all uses happen before this call.
  ~idle_set() = default;

  idle_set(const idle_set&) = delete;
  idle_set& operator=(const idle_set&) = delete;

  /// Worker `self` only, which must not be in the set. Enters the set: from now on the worker can be claimed. If
  /// `searching`, the worker was counted as searching, and no longer is. Returns true if nobody searches now: the
  /// caller must then pass a fence and look at all work once more. Wait-free: one read-modify-write, two with more than
  /// 32 workers.
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

  /// Any thread, after publishing work and passing a fence. Takes a parked worker out of the set and counts it as
  /// searching; the caller must unpark it. Returns nobody if none is parked or enough workers search: one, and with
  /// eight and more busy workers one for four of these; with more than 32 workers one for each.
  /// Lock-free: one load if nobody is to be woken, otherwise also one compare-exchange, which is repeated if others
  /// changed the set meanwhile. With more than 32 workers it also reads a word for each 64 and makes one more
  /// read-modify-write.
  std::optional<std::size_t> claim() { return claim_if(false); }

  /// The same, even if workers search.
  std::optional<std::size_t> claim_any() { return claim_if(true); }

  /// Worker `self` only, after its park. Leaves the set, and is counted as searching. Returns false if the worker was
  /// claimed, or, with more than 32 workers, if since the park another was claimed that took its part of the count. The
  /// claimed worker will find the work. This one sleeps while `is_parked` says so, and a token may be left for later.
  /// Lock-free: at most two read-modify-writes if nobody else changes the set, three if this worker is claimed
  /// meanwhile.
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

  /// A worker that is neither parked nor counted as searching. Counts it as searching and returns true, unless more
  /// than half of the workers, rounded up, would then search. Lock-free: a load and one compare-exchange, repeated if
  /// others changed the set meanwhile.
  bool begin_search() {
    bits h = head_.load(at<"begin.look">);
    do {
      if (searching_in(h) >= (workers_ + 1) / 2) return false;
    } while (!head_.compare_exchange(h, h + one_searching, at<"begin.count">));
    return true;
  }

  /// A worker that is counted as searching. Ends its search. Returns true if it was the last: if it leaves with work,
  /// it must pass a fence, look whether there is more, and wake another worker if there is. It looks on behalf of all
  /// that left before it, and sees what they wrote before. Wait-free, one read-modify-write.
  bool end_search() {
    const bits before = head_.fetch_sub(one_searching, at<"end.count">);  // read by the last
    Policy::invariant(54, searching_in(before) != 0);
    return searching_in(before) == 1;
  }

  /// Any thread. Whether the worker is in the set. For the worker itself false is certain until it parks, and what was
  /// written before its claim is then visible. One load.
  [[nodiscard]] bool is_parked(std::size_t self) const {
    return ((narrow_ ? head_ : word_of(self)).load(at<"parked.look">) & bit_of(self)) != 0;  // reads claim.take, .clear
  }

  /// Any thread, after publishing work and passing a fence. Whether a claim would find somebody: a worker is parked,
  /// and too few search. One load.
  [[nodiscard, gnu::always_inline]] bool wants_work() const {
    const bits h = head_.load(at<"wants.look">);
    return parked_in(h) != 0 && !enough_search(h);
  }

  /// Whether the workers' bits are in words of their own: then `is_parked` reads no word that every claim changes.
  [[nodiscard]] bool has_words() const { return !narrow_; }

  /// Any thread. Estimates of the numbers of parked and of searching workers: a load that orders nothing.
  [[nodiscard]] std::size_t parked() const { return parked_in(counts()); }
  [[nodiscard]] std::size_t searching() const { return searching_in(counts()); }

 private:
  using bits = typename detail::word_of_bits<Policy>::type;
  using word = typename Policy::template atomic<bits>;
  static constexpr auto rules = rules_of<idle_set_rules, Policy>();
  static_assert(rules.few <= 32 && rules.in_word >= 1 && rules.in_word <= 64);

  // The head, from the lowest bit: 32 bits of up to 32 workers, 16 bits for the parked count, 16 for the searching
  // count.
  static constexpr std::uint64_t one_parked = std::uint64_t{1} << 32;
  static constexpr std::uint64_t one_searching = std::uint64_t{1} << 48;
  static constexpr bits parked_in(bits head) { return (head >> 32) & 0xffff; }
  static constexpr bits searching_in(bits head) { return head >> 48; }
  /// The number of the lowest bit.
  static std::size_t lowest_in(bits word) {
    using std::countr_zero;
    return static_cast<std::size_t>(countr_zero(word));
  }

  static std::size_t valid(std::size_t workers) {
    if (workers >= 1 && workers <= most_workers) return workers;
    throw std::invalid_argument("licit: an idle set is for " + std::to_string(workers) +
                                " workers, and must be for 1 to " + std::to_string(most_workers));
  }

  [[nodiscard]] bits counts() const { return head_.load(at<"count.look">); }

  // A worker's bit in its word; and its bit in the head, which is 0 if there are more workers than bits.
  [[nodiscard]] bits bit_of(std::size_t self) const { return bits{1} << (narrow_ ? self : self % rules.in_word); }
  [[nodiscard]] bits own_bit(std::size_t self) const { return narrow_ ? bits{1} << self : bits{0}; }
  word& word_of(std::size_t self) { return words_[self / rules.in_word]; }
  [[nodiscard]] const word& word_of(std::size_t self) const { return words_[self / rules.in_word]; }

  std::optional<std::size_t> claim_if(bool always) {
    bits h = head_.load(at<"claim.look">);
    do {
      if (parked_in(h) == 0 || (!always && enough_search(h))) return std::nullopt;
    } while (!head_.compare_exchange(h, claimed(h), at<"claim.take">));  // reads park.count; read by parked.look
    return narrow_ ? lowest_in(h) : clear_one();
  }

  /// Whether there are enough searchers to find what is published. One is, until eight workers are busy; then one for
  /// four of them, so that the number of workers that are awake grows by a factor and not by one after the other. With
  /// many workers the factor is larger: a wake-up takes as long as many thefts (bench/simulation.md).
  [[nodiscard]] bool enough_search(bits h) const {
    const bits awake = workers_ - parked_in(h);
    return searching_in(h) != 0 && searching_in(h) * ((narrow_ ? rules.busy : rules.busy_of_many) + 1) >= awake;
  }

  /// The head with one worker moved from parked to searching, and the lowest bit cleared.
  [[nodiscard]] bits claimed(bits h) const { return (narrow_ ? h & (h - 1) : h) - one_parked + one_searching; }

  /// The caller has taken a unit of the parked count, so there is a bit for it (I52). A pass over the words can miss it
  /// only if workers park during the pass while others retract or are claimed.
  std::size_t clear_one() {
    for (;;) {
      for (std::size_t w = 0; w != words_.size(); ++w) {
        bits seen = words_[w].load(at<"claim.bits">);
        while (seen != 0) {
          const bits lowest = seen & -seen;
          seen = words_[w].fetch_and(~lowest, at<"claim.clear">);  // read by parked.look
          if ((seen & lowest) != 0) return w * rules.in_word + lowest_in(lowest);
        }
      }
    }
  }

  // A cache line, and the one that the adjacent-line prefetcher fetches with it.
  static constexpr std::size_t line = 128;

  alignas(line) word head_;  ///< changed by read-modify-writes only
  alignas(line) const bits workers_;
  const bool narrow_;
  std::pmr::vector<word> words_;  ///< with more than 32 workers: their bits
};

}  // namespace licit::inline v0

#endif
