/// The sides of a scheduler's threads together: who steals from whom, who waits for whom, who is told of a fork.
///
/// A joiner whose job was stolen runs only what descends from that job. A job knows nobody; instead each side publishes
/// the token of the stolen job that it runs (`current_`), and whose strand each of its stolen jobs came from
/// (`origin_`). An item descends from the token that its side published when it was pushed. As long as a job runs, what
/// it descends from runs too, so the way up from a token that is current can be read without a lock. Related work:
/// D. B. Wagner, B. G. Calder, "Leapfrogging: A Portable Technique for Implementing Efficient Futures", PPoPP 1993.
#ifndef LICIT_SCHEDULER_FORK_CREW_HPP
#define LICIT_SCHEDULER_FORK_CREW_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <stdexcept>
#include <utility>
#include <vector>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/fork/fork_side.hpp>
#include <licit/scheduler/fork/stack.hpp>
#include <licit/scheduler/idle/idle_set.hpp>
#include <licit/scheduler/idle/parker.hpp>
#include <licit/scheduler/idle/patience.hpp>

namespace licit::inline v0 {

template <class Policy = native>
class fork_crew {
  template <fixed_string Name>
  static constexpr auto at = site_of<fork_orders, Name>;
  using bits = std::uint64_t;

 public:
  using side = fork_side<Policy>;
  using job = fork_job<Policy>;

  struct options {
    std::size_t guests = 0;
    std::size_t capacity = 256;  ///< of each deque at first, in jobs; a power of two
    std::pmr::memory_resource* memory = nullptr;
    bool stolen = true;  ///< false: workers take no jobs, and are not woken for any
    typename side::fences fences{};
  };

  /// A job that its thief has not run yet.
  struct loot {
    job* taken = nullptr;
    side* from = nullptr;
    fork_token origin;
  };

  /// `sleep(worker)` is that worker's parker. Guests have parkers of their own. Throws std::invalid_argument (more
  /// sides than tokens can name) or what the memory resource throws.
  template <class Sleep>
  fork_crew(idle_set<Policy>& idle, std::size_t workers, Sleep&& sleep, const options& how)
      : idle_{idle}, workers_{workers}, wakes_{how.stolen}, fences_{how.fences}, sleep_(how.guests) {
    if (workers + how.guests > fork_token::most_sides)
      throw std::invalid_argument("licit: too many workers and guests");
    for (std::size_t i = 0; i != workers + how.guests; ++i) {
      parker<Policy>& sleeps = i < workers ? sleep(i) : sleep_[i - workers];
      const auto number = static_cast<std::uint32_t>(i);
      sides_.push_back(std::make_unique<side>(*this, idle, sleeps, number, how.capacity, how.memory, fences_));
    }
  }

  [[nodiscard]] std::size_t sides() const { return sides_.size(); }
  [[nodiscard]] std::size_t workers() const { return workers_; }
  [[nodiscard]] side& at_side(std::size_t i) { return *sides_[i]; }

  // --- workers that look for work

  /// Any thread. Whether the side is a worker's that sleeps, and so offers nothing, where that is cheap to know. An old
  /// value may hide a job from a search; the look before sleep passes nobody over.
  [[nodiscard]] bool sleeps(std::size_t side) const {
    return side < workers_ && idle_.has_words() && idle_.is_parked(side);
  }

  /// The thief's thread. Takes the oldest job of another side. Lock-free.
  stolen<loot> steal(std::size_t from) {
    side& victim = *sides_[from];
    fork_token origin;
    const auto got = victim.jobs_.steal_if([&](job* /*one*/) { return origin = current_of(victim), true; });
    if (!got) return got.is_lost() ? stolen<loot>::lost() : stolen<loot>::empty();
    return stolen<loot>::taken({*got, &victim, origin});
  }

  /// The same thread, around its run of the job: others know of it. At the end the job is complete, and may be gone; a
  /// joiner that sleeps is woken.
  class theft {
   public:
    theft(fork_crew& all, side& self, const loot& got)
        : self_{self},
          job_{*got.taken},
          joiner_{got.from->sleep_},
          outer_{self.current_.load(at<"current.own">)},
          reported_{self, *got.from, got.taken} {
      if (all.begin(self, got)) joiner_.unpark();
    }
    ~theft() {
      --self_.depth_;
      self_.current_.store(outer_, at<"current.end">);  // read by current.look
      if (job_.complete()) joiner_.unpark();
    }
    theft(const theft&) = delete;
    theft& operator=(const theft&) = delete;

   private:
    side& self_;
    job& job_;
    parker<Policy>& joiner_;
    const bits outer_;
    const typename side::reported reported_;
  };
  void run(side& self, const loot& got) noexcept {
    const theft around(*this, self, got);
    got.taken->run(self);
  }

  /// The last searcher, after it left the searchers. Whether there are jobs that it could take. A heavy fence, unless
  /// nobody has forked since he last slept.
  bool sees_work() {
    Policy::fence(at<"look.fence">);  // with alert.fence
    bool forks = false;
    for (const auto& each : sides_) forks = forks || (each->alert_.load(at<"look.quiet">) & side::quiet) == 0;
    if (!forks) return false;
    fences_(at<"look.heavy">);  // with offer.fence
    for (const auto& each : sides_) {
      if (each->seems_to_offer()) return true;
    }
    return false;
  }

  /// The side's thread, before it enters the idle set, or leaves as a guest. Its deque is empty.
  void quiet(side& self) { self.alert_.fetch_or(side::quiet, at<"quiet.set">); }

  // --- a fork

  /// The side's thread, after a push: somebody sleeps, or wants to be told.
  [[gnu::noinline]] void tell(side& self) noexcept {
    const bits before = self.alert_.exchange(0, at<"alert.take">);
    if ((before & side::quiet) != 0) Policy::fence(at<"alert.fence">);  // with look.fence
    if (rules.wakes_idle && wakes_ && idle_.wants_work()) {
      if (const auto worker = idle_.claim()) {
        if (self.metrics_ != nullptr) self.metrics_->woke(*worker);
        sides_[*worker]->sleep_.unpark();
      }
    }
    if (rules.wakes_joiners && (before & side::all_askers) != 0) wake(self, before);
  }

  // --- a join whose job was stolen

  void wait(side& self, job& stolen) noexcept {
    for (unsigned round = 0;;) {
      const typename job::state seen = stolen.look();
      if (seen.complete()) return;
      if (seen.has_begun() && help(self, stolen, seen.thief())) {
        round = 0;
      } else if (round != rules.spins) {
        ++round;
        if (rules.pauses) pause(4 * round);
      } else {
        sleep(self, stolen, seen);
        round = 0;
      }
    }
  }

  // --- foreign threads

  /// Any thread. Whether the side is one of these.
  [[nodiscard]] bool has(const side* one) const { return one != nullptr && &one->all_ == this; }

  /// Any thread. A side for it, or null if none is free. Lock-free.
  side* enter() noexcept {
    for (std::size_t i = workers_; i != sides_.size(); ++i) {
      std::uint32_t free = 0;
      if (sides_[i]->taken_.compare_exchange(free, 1, at<"guest.enter">)) return sides_[i].get();
    }
    return nullptr;
  }
  /// The thread that entered, outside of all joins.
  void leave(side& self) noexcept {
    quiet(self);
    self.taken_.store(0, at<"guest.leave">);
  }

 private:
  static constexpr auto rules = rules_of<fork_rules, Policy>();

  fork_token current_of(const side& of) const {
    return fork_token(of.current_.load(at<"current.look">));  // reads current.begin, current.end
  }

  /// A thief publishes what it runs from now on. Returns whether the joiner is to be woken.
  bool begin(side& self, const loot& got) {
    const std::uint32_t depth = ++self.depth_;
    const fork_token mine(self.self_, depth, ++self.thefts_);
    self.origin_[depth - 1].store(got.origin.value(), at<"origin.set">);
    self.current_.store(mine.value(), at<"current.begin">);
    const bool asleep = got.taken->begin(mine);
    Policy::fence(at<"begin.fence">);  // with tell_of.heavy
    const bits asked = got.from->alert_.load(at<"pass_on.look">) & side::all_askers;
    if (rules.passes_on && asked != 0) self.alert_.fetch_or(asked, at<"pass_on.bits">);
    return asleep && rules.wakes_at_begin;
  }

  /// Runs one job that descends from the stolen one. Whether it did, another thread was faster, or the stolen one is
  /// complete: a look at many sides takes longer than many a job.
  bool help(side& self, const job& stolen, fork_token thief, bool passes_over = true) noexcept {
    if (!may_help(self)) return false;
    std::size_t i = thief.side();
    for (std::size_t n = 0; n != sides_.size(); ++n, i = i + 1 == sides_.size() ? 0 : i + 1) {
      side& victim = *sides_[i];
      if (i == self.self_ || (passes_over && sleeps(i))) continue;
      if (n != 0 && stolen.look().complete()) return true;
      fork_token origin;
      const auto one = victim.jobs_.steal_if([&](job* /*one*/) {
        origin = current_of(victim);
        return !rules.only_descendants || descends(origin, thief, stolen, self);
      });
      if (one) run(self, {*one, &victim, origin});
      if (!one.is_empty()) return true;
    }
    return false;
  }

  /// Whether what `token` names descends from the job that `thief` names, for which `self` waits. True is certain if
  /// the token's job has not ended meanwhile. The way up is as long as the chain of thefts between them, cut off at
  /// four times the number of sides.
  bool descends(fork_token token, fork_token thief, const job& stolen, const side& self) const {
    for (std::size_t n = 4 * sides_.size(); n != 0; --n) {
      if (token.side() == thief.side()) return token.depth() >= thief.depth() && !stolen.look().complete();
      if (token.depth() == 0 || token.side() == self.self_) return false;
      token = fork_token(sides_[token.side()]->origin_[token.depth() - 1].load(at<"origin.look">));
    }
    return false;
  }

  /// Leaves a request with every side that runs what descends from the job. Whether there was one that did not have it.
  bool tell_of(side& self, const job& stolen, fork_token thief) {
    bool told = false;
    for (const auto& each : sides_) {
      if (each->self_ == self.self_) continue;
      const fork_token runs(each->current_.load(at<"tell_of.current">));
      if (!descends(runs, thief, stolen, self) || (each->alert_.load(at<"tell_of.look">) & self.own_bit()) != 0)
        continue;
      each->alert_.fetch_or(self.own_bit(), at<"tell_of.bit">);
      told = true;
    }
    return told;
  }

  /// Returns when there may be something to do, or for no reason.
  void sleep(side& self, job& stolen, typename job::state seen) noexcept {
    if (self.before_sleep_.call != nullptr) self.before_sleep_.call(self.before_sleep_.with);
    bool finds = false;
    while (seen.has_begun() && may_help(self) && tell_of(self, stolen, seen.thief()) && rules.looks_again) {
      fences_(at<"tell_of.heavy">);  // with offer.fence, begin.fence
      finds = help(self, stolen, seen.thief(), false);
      if (finds) break;
    }
    if (!finds && stolen.announce(seen)) self.sleep_.park();
  }

  /// Each request that is taken wakes its joiner, or the joiner's next sleep ends at once: only the taker knows that
  /// the request is gone. A joiner that has ended its wait is woken for nothing.
  void wake(const side& self, bits asked) {
    for (const auto& each : sides_) {
      if ((asked & each->own_bit()) != 0 && each->self_ != self.self_) each->sleep_.unpark();
    }
  }

  /// A policy may have a clock of its own.
  static void pause(unsigned times) {
    if constexpr (requires { Policy::relax(times); }) {
      Policy::relax(times);
    } else {
      detail::relax(times);
    }
  }

  /// Whether the thread runs jobs while it waits. Otherwise it leaves no requests: forks would wake it for nothing.
  static bool may_help(const side& self) {
    return self.depth_ != fork_token::deepest && !detail::is_beyond(__builtin_frame_address(0), self.half_of_stack_);
  }

  idle_set<Policy>& idle_;
  const std::size_t workers_;
  const bool wakes_;
  [[no_unique_address]] const typename side::fences fences_;
  std::vector<parker<Policy>> sleep_;  ///< the guests'
  std::vector<std::unique_ptr<side>> sides_;
};

}  // namespace licit::inline v0

#endif
