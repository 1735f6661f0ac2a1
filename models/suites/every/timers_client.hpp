/// What timers and the driver promise, and the client class of their generated clients.
#ifndef LICIT_SUITES_EVERY_TIMERS_CLIENT_HPP
#define LICIT_SUITES_EVERY_TIMERS_CLIENT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <licit/scheduler/idle/idle_set.hpp>
#include <licit/scheduler/idle/parker.hpp>
#include <licit/scheduler/time/timers.hpp>

#include "suites/account.hpp"
#include "suites/every/history.hpp"
#include "suites/every/record.hpp"
#include "suites/every/waiting.hpp"
#include "suites/line.hpp"
#include "suites/timers/policies.hpp"
#include "suites/waiters/policies.hpp"

namespace licit::suites {

/// The timer of each thread, and the wheel's time.
struct timers_record {
  static constexpr std::uint8_t never = 0xff;

  std::array<std::uint8_t, line::most_threads> tick{};   ///< while it is linked; otherwise 0
  std::array<answer, line::most_threads> word{};         ///< what its waiter was told since it was set
  std::array<std::uint32_t, line::most_threads> with{};  ///< the call that set it, or that told its waiter
  std::uint8_t elapsed = 0;
  bool closed = false;

  bool sets(const done_call& c, std::size_t which) {
    const ending how = closed ? ending::refused : c.count <= elapsed ? ending::lost : ending::done;
    tick[c.thread] = how == ending::done ? c.count : std::uint8_t{0};
    word[c.thread] = answer::none;
    with[c.thread] = bit_of(which);
    return c.how == how;
  }
  /// Tells the waiters of all timers up to that tick. How many; -1: the call has not seen what a thread did before.
  int tells(const done_call& c, std::size_t which, std::uint8_t until, answer what) {
    int told = 0;
    for (std::size_t t = 0; t != tick.size(); ++t) {
      if (tick[t] == 0 || tick[t] > until) continue;
      if (!has_seen(c, with[t])) return -1;
      tick[t] = 0;
      word[t] = what;
      with[t] = bit_of(which);
      ++told;
    }
    return told;
  }
  /// Whether its timer was linked still; or else `count` is what its waiter was told.
  bool quits(const done_call& c) {
    const bool linked = std::exchange(tick[c.thread], std::uint8_t{0}) != 0;
    if (c.how == ending::done) return linked;
    return !linked && c.count == static_cast<std::uint8_t>(word[c.thread]) && has_seen(c, with[c.thread]);
  }
  [[nodiscard]] bool none_before(std::uint8_t deadline) const {
    return std::ranges::none_of(tick, [&](std::uint8_t t) { return t != 0 && t < deadline; });
  }
  [[nodiscard]] std::string key() const {
    std::string text = std::to_string(elapsed) + (closed ? '-' : '+');
    for (std::size_t t = 0; t != tick.size(); ++t) {
      text += std::to_string(tick[t]) + ',' + std::to_string(static_cast<unsigned>(word[t])) + ',' +
              std::to_string(with[t]) + ';';
    }
    return text;
  }
};

/// Whether a look may miss the timer that was set: it may be gone, as far as happens-before tells, or a fire is under
/// way, which raises the deadline before it lowers it to what is left.
inline bool may_be_missed(const call_history& h, std::size_t set, std::size_t look) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    if ((h[set].before >> i & 1U) != 0 || (h[i].before >> look & 1U) != 0) continue;
    if (h[i].what == deed::cancel && h[i].thread == h[set].thread) return true;
    if (h[i].what == deed::close) return true;
    if (h[i].what == deed::take && (h[i].room >= h[set].count || h.concurrent(i, look))) return true;
  }
  return false;
}

/// Timers: each thread has one at a time. A fire tells the waiters of all whose tick is over, and has seen what their
/// threads did before they set them; a close tells all. A thread that is told has seen what was done before that.
/// Behind a close no timer can be set. A look sees a deadline no later than each timer that was set before it, unless
/// it may miss that. At the end, when no call is under way, it is no later than the first timer; so is what the
/// sleeping workers know: one of them holds the driver, or was told to look again, unless a worker is about to look.
struct timers_promise {
  using state = timers_record;
  static constexpr std::array<const char*, 0> owner{}, all_of_owner{};
  static constexpr std::array thief{"set(1)", "set(2)", "quit", "fire(1)", "rest", "wake", "run"};
  static constexpr std::array all_of_thief{"set(1)", "set(2)", "set(3)", "quit", "fire(1)", "fire(2)",
                                           "close",  "look",   "rest",   "wake", "run"};
  static constexpr std::array before{"", " set(1)", " set(3) rest(1)", " rest(1) rest(3)"};
  static constexpr unsigned calls = 3, full_calls = 2;
  static constexpr bool alike = false, sees = true, asks_again = true;

  static bool allows(state& s, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    switch (c.what) {
      case deed::put: return s.sets(c, which);
      case deed::cancel: return s.quits(c);
      case deed::take:
        s.elapsed = std::max(s.elapsed, c.room);
        return s.tells(c, which, c.room, answer::given) == c.count;
      case deed::close: return s.closed = true, s.tells(c, which, state::never, answer::closed) >= 0;
      case deed::look: return is_known(h, which);
      case deed::hold: return s.none_before(c.count);
      default: return true;  // a sleep and a wake-up
    }
  }

 private:
  static bool is_known(const call_history& h, std::size_t which) {
    for (std::size_t i = 0; i != h.size(); ++i) {
      const bool later = h[i].what == deed::put && h[i].how == ending::done && h[i].count < h[which].count;
      if (later && (h[which].before >> i & 1U) != 0 && !may_be_missed(h, i, which)) return false;
    }
    return true;
  }
};

/// Timers of three workers, each the thread of its number. What a thread may not call where it stands is left out.
///
///     set(t) quit    a timer, one a thread; takes it back, or waits until the task is woken that its waiter belongs to
///     fire(t) close  fires what is due at tick t; the end of all timers
///     look           the deadline. At the end the main thread also asks for what the workers know that sleep
///     rest           the worker is in the idle set, takes the driver if there is need, and is about to sleep
///     wake run       it leaves the idle set; it gives the driver away, or sees to it, for it is to run a task
template <class Model, class TimersModel, class Specification>
class specified_timers_client {
  using task_type = waiting_task<Model>;
  using timers_type = licit::timers<TimersModel, task_type>;
  using waiter_type = placed<Model, typename timers_type::waiter_type>;
  using parker_type = parker<TimersModel>;

 public:
  enum : std::uint8_t { set_word, quit_word, fire_word, close_word, look_word, rest_word, wake_word, run_word };
  static constexpr std::array words{"set", "quit", "fire", "close", "look", "rest", "wake", "run"};
  enum : std::uint8_t { edges };
  static constexpr std::array settings{"edges"};
  using promise = Specification;

  explicit specified_timers_client(const line& l)
      : tasks_{l, quit_word}, record_{l.before.size(), l.setting(edges, 0) != 0} {
    for (parker_type& each : parkers_) each.interrupted_by({[](void* /*none*/) noexcept {}, nullptr});
  }

  static const char* refuses(const line& l) { return l.setting(edges, 0) > 1 ? edges_too_many : nullptr; }
  static const char* refuses(const line& /*l*/, unsigned thread, const call& c) {
    if (c.word >= rest_word) return c.at(0, thread) - 1 < workers ? nullptr : "a worker from 1 to 3 was expected";
    if (c.word != set_word && c.word != fire_word) return c.numbers != 0 ? no_numbers : nullptr;
    return c.at(0, 1) - 1 < timers_type::wheel::last ? nullptr : "a tick from 1 to 3 was expected";
  }

  /// The main thread names the worker that it stands for.
  bool perform(unsigned thread, const call& c) {
    const std::size_t who = c.word >= rest_word ? c.at(0, thread) : thread;
    if (!may(c.word, who)) return false;
    before_.add(thread);
    return record_.perform(thread, [&](done_call& made) {
      apply(made, c.word, who, static_cast<std::uint8_t>(c.at(0, 1)));
      return false;
    });
  }
  void settle() {
    for (const std::uint8_t known : {told(timers_.earliest()), known_to_sleepers()}) {
      (void)record_.perform_last([&](done_call& made) {
        made.what = deed::hold;
        made.count = known;
        return false;
      });
    }
    for (std::size_t t = 0; t != waiter_.size(); ++t) {
      const auto quits = [&](done_call& made) {
        made.thread = static_cast<std::uint8_t>(t);
        return quit(made, t), false;
      };
      if (waiter_[t]) (void)record_.perform_last(quits);
    }
    record_.settle();
  }
  void leave() { settle(); }

 private:
  static constexpr std::size_t workers = 3;
  enum class standing : std::uint8_t { busy, rests, woken };

  [[nodiscard]] bool may(unsigned word, std::size_t who) const {
    if ((standing_[who] == standing::rests) != (word == wake_word)) return false;
    if (word == run_word) return standing_[who] == standing::woken;
    return word > quit_word || static_cast<bool>(waiter_[who]) == (word == quit_word);
  }
  static std::uint8_t told(timer_tick deadline) {
    return static_cast<std::uint8_t>(std::min<timer_tick>(deadline, timers_record::never));
  }

  void apply(done_call& made, unsigned word, std::size_t who, std::uint8_t tick) {
    switch (word) {
      case set_word: return set(made, who, tick);
      case quit_word: return quit(made, who);
      case fire_word:
        made.what = deed::take;
        made.room = tick;
        made.count = static_cast<std::uint8_t>(timers_.fire(timers_.for_others(), tick));
        return;
      case close_word: made.what = deed::close; return timers_.close();
      case look_word:
        made.what = deed::look;
        made.count = told(timers_.earliest());
        return;
      case rest_word: made.what = deed::park; return rest(who);
      case wake_word: made.what = deed::wake; return wake(who);
      default: made.what = deed::begin; return run(who);
    }
  }

  void set(done_call& made, std::size_t who, std::uint8_t tick) {
    made.what = deed::put;
    made.count = tick;
    waiter_[who].emplace();
    task_[who] = &tasks_.next(static_cast<unsigned>(who));
    (*waiter_[who])->belongs_to(*task_[who]);
    timer_[who].due_at(tick);
    const timer_start how = timers_.set(0, **waiter_[who], timer_[who]);
    if (how == timer_start::waits) return;
    made.how = how == timer_start::due ? ending::lost : ending::refused;
    waiter_[who].reset();
  }
  void quit(done_call& made, std::size_t who) {
    made.what = deed::cancel;
    if (!timers_type::wheel::cancel(**waiter_[who])) {
      made.how = ending::lost;
      task_[who]->rest();
      made.count = static_cast<std::uint8_t>((*waiter_[who])->answered());
    }
    waiter_[who].reset();
  }

  void rest(std::size_t who) {
    (void)idle_.park(who - 1, standing_[who] == standing::woken);
    holds_[who] = holds_[who] || timers_.take(who - 1);
    if (holds_[who]) visits_.write(1);
    knows_[who] = told(timers_.earliest());
    standing_[who] = standing::rests;
  }
  void wake(std::size_t who) {
    while (!idle_.retract(who - 1) && Specification::asks_again && idle_.is_parked(who - 1)) {
    }
    (void)has_token(who);
    if (holds_[who]) visits_.write(1);
    standing_[who] = standing::woken;
  }
  void run(std::size_t who) {
    std::exchange(holds_[who], false) ? timers_.give() : timers_.pass_on();
    (void)idle_.end_search();
    standing_[who] = standing::busy;
  }
  /// Takes the token, too.
  bool has_token(std::size_t who) {
    return parkers_[who - 1].park_outside([] {});
  }

  /// When nothing is under way. A worker that was told, or is awake and not yet busy, is about to look.
  std::uint8_t known_to_sleepers() {
    bool sleeps = false;
    bool looks = false;
    std::uint8_t known = timers_record::never;
    for (std::size_t who = 1; who != standing_.size(); ++who) {
      if (standing_[who] == standing::busy) continue;
      looks = looks || standing_[who] == standing::woken || has_token(who);
      sleeps = true;
      if (holds_[who]) known = knows_[who];
    }
    return sleeps && !looks ? known : std::uint8_t{0};
  }

  std::array<parker_type, workers> parkers_;
  idle_set<TimersModel> idle_{workers};
  timers_type timers_{idle_, workers, [&](std::size_t i) -> parker_type& { return parkers_[i]; }, false};
  typename Model::template plain<int> visits_;  ///< to where the holder of the driver sleeps
  waiting_tasks<Model, task_type> tasks_;
  // Each entry its thread's.
  std::array<made_later<waiter_type>, line::most_threads> waiter_;
  std::array<typename timers_type::timer, line::most_threads> timer_;
  std::array<task_type*, line::most_threads> task_{};
  std::array<standing, line::most_threads> standing_{};
  std::array<bool, line::most_threads> holds_{};
  std::array<std::uint8_t, line::most_threads> knows_{};  ///< the deadline until which the worker is to sleep
  deeds_before<Model> before_;
  call_record<Model, Specification> record_;
};

}  // namespace licit::suites

#endif
