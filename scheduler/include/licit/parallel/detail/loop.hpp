/// A loop that is divided when somebody asks for work.
#ifndef LICIT_PARALLEL_LOOP_HPP
#define LICIT_PARALLEL_LOOP_HPP

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

#include <licit/parallel/detail/branches.hpp>

namespace licit::inline v0::detail {

/// Positions [first, last).
struct positions {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  [[nodiscard]] std::uint64_t size() const { return last - first; }
  [[nodiscard]] std::uint64_t position() const { return first; }
  /// Keeps the left half and returns the right one.
  positions split() {
    const std::uint64_t middle = first + size() / 2;
    return {middle, std::exchange(last, middle)};
  }
  /// Takes so many from the front.
  positions take(std::uint64_t count) {
    const std::uint64_t from = std::exchange(first, first + count);
    return {from, first};
  }
};

/// How many items a chunk has: the grain, or as many as take about `chunk_time`.
class pace {
 public:
  explicit pace(const control& all) : chunk{all.options().grain.value_or(1)}, fixed_{all.options().grain.has_value()} {}

  std::uint64_t chunk;

  [[nodiscard]] bool is_fixed() const { return fixed_; }
  /// What so many items will probably take, in nanoseconds; 0 as long as that cannot be told.
  [[nodiscard]] double time_of(std::uint64_t items) const {
    return measured_ < trusted_time ? 0 : each_ * static_cast<double>(items);
  }
  /// How many of the items that are left are in the next chunk. Where other threads could ask for some, a chunk leaves
  /// most of them, unless they are few: what comes last may take longer than what came before.
  [[nodiscard]] std::uint64_t next(std::uint64_t left, bool shared) const {
    return std::min({chunk, left, fixed_ || !shared ? left : std::max(left / 4, few_items)});
  }
  /// Whether a half of so many items is more than a theft costs.
  [[nodiscard]] bool may_halve(std::uint64_t items) const {
    return fixed_ ? items / 2 >= chunk : chunk == 1 ? items >= 2 : items / 4 >= chunk;
  }

  void begin() {
    if (!fixed_ && start_ == 0) start_ = steady_nanoseconds::now();
  }
  void end(std::uint64_t items) {
    if (fixed_) return;
    items_ += items;
    if (settled_ && ++chunks_ != (chunk == 1 && measured_ >= trusted_time ? 16 : 4)) return;
    const std::uint64_t now = steady_nanoseconds::now();
    const double took = std::max(static_cast<double>(now - start_), 1.0);
    each_ = took / static_cast<double>(items_);
    measured_ += took;
    const double right = chunk_time / each_;
    const auto before = static_cast<double>(chunk);
    const double most = std::min(8 * before, 0x1p62);  // a loop that does nothing takes no time
    const double next = std::clamp(right, 1.0, most);
    settled_ = next >= before / 2 && next <= before * 2;  // so it is for items that take longer than a chunk should
    chunk = static_cast<std::uint64_t>(next);
    restart(now);
  }
  /// What comes next is no chunk.
  void interrupt() { restart(0); }

 private:
  void restart(std::uint64_t now) {
    start_ = now;
    items_ = 0;
    chunks_ = 0;
  }

  bool fixed_;
  bool settled_ = false;  ///< the last time was about right: the clock is read after every fourth chunk, or 16 items
  double each_ = 0;
  double measured_ = 0;       ///< nanoseconds, in all
  std::uint64_t start_ = 0;   ///< of what is measured; 0: not yet known
  std::uint64_t items_ = 0;   ///< since then
  std::uint32_t chunks_ = 0;  ///< since then, if settled
};

/// Body has
/// - a `range` with `size`, `position` and `split`;
/// - a `state` of neighbouring items that one thread runs: `state begin(const range&)`, and
///   `void merge(state& left, state&& right)`;
/// - `void run(range&, count, state&)`, which takes so many items from the front;
/// - `void abandon(range&)`, which takes those that are not to be run.
///
/// A thread that runs a range asks after each chunk whether something of it is on offer. If nothing is, it halves what
/// is left and offers the right half. So there are about as many divisions as thefts.
template <class Body>
class loop {
 public:
  using range = typename Body::range;
  using state = typename Body::state;

  /// `outer` has the branches of an algorithm of which this loop is a step; they are older and go first.
  loop(control& all, Body& body, branches* outer = nullptr) : all_{all}, body_{body}, outer_{outer} {}

  state operator()(range whole) {
    hand mine{lane::here(), pace(all_), outer_};
    if (!mine.where.concurrent() && !all_.has_chunks()) mine.how.chunk = std::max<std::uint64_t>(whole.size(), 1);
    if (strand* const by = mine.where.measured()) mine.counted.open(*by);
    state made = body_.begin(whole);
    go(whole, made, mine);
    return made;
  }

 private:
  /// What a thread knows while it runs a part.
  struct hand {
    lane where;
    pace how;
    branches* outer = nullptr;
    bool told = true;            ///< sleeping workers have been told of what is on offer
    std::uint64_t on_offer = 0;  ///< items
    unsigned divisions = 0;      ///< that are under way
    strand_loop counted = {};
  };

  class part final : public lane_job {
   public:
    part(loop& l, range right, const pace& how) : what{std::move(right)}, from{what.position()}, in_{l}, how_{how} {}

    range what;
    std::uint64_t from;
    std::optional<typename Body::state> made;
    std::exception_ptr thrown;
    strand_loop::totals took;  ///< if it is measured

    void run() noexcept override {
      hand mine{lane::here(), how_};
      mine.how.interrupt();
      if (strand* const by = mine.where.measured()) mine.counted.open(*by);
      try {
        made.emplace(in_.body_.begin(what));
        in_.go(what, *made, mine);
      } catch (...) {
        thrown = std::current_exception();
      }
      if (mine.counted.is_open()) took = mine.counted.leave();
    }

   private:
    loop& in_;
    pace how_;
  };

  void go(range& r, state& s, hand& mine) {
    try {
      while (r.size() != 0 && !all_.is_over(r.position())) {
        if (mine.how.may_halve(r.size()) && is_asked(mine)) {
          divide(r, s, mine);
          mine.how.interrupt();
          continue;
        }
        all_.begin_chunk();
        const std::uint64_t count = mine.how.next(r.size(), mine.where.concurrent());
        mine.how.begin();
        body_.run(r, count, s);
        mine.how.end(count);
        all_.end_chunk(count);
        mine.counted.end_chunk();
      }
    } catch (...) {
      all_.end_at(r.position());
      body_.abandon(r);
      throw;
    }
    body_.abandon(r);
  }

  /// Whether nothing of this thread is on offer.
  bool is_asked(hand& mine) {
    if (mine.outer != nullptr && mine.divisions == 0 && mine.outer->offer()) return false;
    if (mine.where.hungry()) return true;
    if (!mine.told && is_worth_a_wake(mine)) tell(mine);
    return false;
  }
  bool is_worth_a_wake(const hand& mine) const {
    return mine.how.is_fixed() || all_.items() <= few_items || mine.how.time_of(mine.on_offer) >= worth_a_wake;
  }
  static void tell(hand& mine) {
    mine.told = true;
    mine.where.call();
  }

  /// Runs the left half, while the right one is on offer. Leaves in `r` what is left to do.
  void divide(range& r, state& s, hand& mine) {
    part right(*this, r.split(), mine.how);
    if (strand* const by = mine.where.measured()) right.counted().tell(*by);
    const std::uint64_t items = right.what.size();  // a thief changes it
    const bool offered = mine.where.offer(right);
    if (offered) {
      mine.on_offer = items;
      mine.told = false;
      if (is_worth_a_wake(mine)) tell(mine);
    }
    ++mine.divisions;
    try {
      go(r, s, mine);
    } catch (...) {
      if (reclaim(right, offered, mine, true)) body_.abandon(right.what);
      throw;
    }
    if (reclaim(right, offered, mine)) {
      r = std::move(right.what);
      return;
    }
    if (right.thrown != nullptr && all_.end() >= right.from) std::rethrow_exception(std::move(right.thrown));
    if (right.thrown == nullptr) body_.merge(s, std::move(*right.made));
    mine.counted.end_serial();
  }
  bool reclaim(part& right, bool offered, hand& mine, bool threw = false) {
    --mine.divisions;
    mine.told = true;
    if (!offered || mine.where.take_back(right)) return true;
    mine.counted.pause();
    threw ? mine.where.await_alone(right) : mine.where.await(right);
    if (mine.counted.is_open()) mine.counted.add(right.took);
    return false;
  }

  control& all_;
  Body& body_;
  branches* outer_;
};

}  // namespace licit::inline v0::detail

#endif
