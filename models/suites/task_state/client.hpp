/// What the lines of a task's state say: what the threads do with one task, and what its runs do.
#ifndef LICIT_SUITES_TASK_STATE_CLIENT_HPP
#define LICIT_SUITES_TASK_STATE_CLIENT_HPP

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "suites/account.hpp"
#include "suites/program.hpp"
#include "suites/task_state/job.hpp"

namespace licit::suites {

/// One task, which is scheduled. A thread that does anything with it but run it has a reference of its own; what the
/// line says after the thread has given that back does nothing.
///
///     run       takes the task from the queue: one run, or several where it is scheduled meanwhile
///     drive     runs the task to its end, and sleeps while it is idle
///     take      waits until the task has yielded, and goes on with it
///     post      writes a letter; the runs suspend until all letters of the line are there
///     wake      cancel  retain  release  detach
///     note(n)   writes into the task
///     look      the result, if the task is complete
///     join(n)   registers joiner n    unjoin  takes the joiner back
///     wait      sleeps until the task is complete    wait_for  the same, with a time limit
///     claim     runs the task out of its turn, if it is in a queue
///     hold      takes the task from the queue, and its reference for the handle: one run, as `run`
///     sweep     before a run of the same thread: takes the task from the queue, and puts it back unless its entry is
///               stale; the run has no entry then
///
/// Settings: the first `yields` runs yield, the next `suspends` suspend; with `throws=1` the last one throws. With
/// `asks=1` the first makes a stop source and asks for the stop.
template <class Model>
class task_state_client : public job_program<Model, task_state_client<Model>> {
  using job_type = job<Model, task_state_client>;
  template <class T>
  using plain = typename Model::template plain<T>;

 public:
  // clang-format off
  enum : std::uint8_t {
    run_word, drive_word, take_word, sweep_word, post_word, wake_word, cancel_word, retain_word, release_word, detach_word,
    note_word, look_word, join_word, unjoin_word, wait_word, wait_for_word, claim_word, hold_word
  };
  static constexpr std::array words{
    "run", "drive", "take", "sweep", "post", "wake", "cancel", "retain", "release", "detach",
    "note", "look", "join", "unjoin", "wait", "wait_for", "claim", "hold"
  };
  // clang-format on
  enum : std::uint8_t { suspends_setting, yields_setting, throws_setting, asks_setting };
  static constexpr std::array settings{"suspends", "yields", "throws", "asks"};

  explicit task_state_client(const line& l)
      : line_{l},
        suspends_{static_cast<int>(l.setting(suspends_setting, 0))},
        yields_{static_cast<int>(l.setting(yields_setting, 0))},
        posted_{l.count(post_word)},
        letters_{l.count(post_word)},
        references_{references(l)},
        task_{this->make(std::accumulate(references_.begin(), references_.end(), 0U))} {
    std::size_t first = 0;
    for (unsigned t = 0; t != l.threads; ++t) {
      next_letter_[t] = first;
      first += l.thread[t].count(post_word);
    }
  }

  static const char* refuses(const line& l) {
    if (l.count(run_word) + l.count(drive_word) + l.count(hold_word) > 1) return "more than one run, drive or hold";
    if (l.count(take_word) > 1) return "more than one take";
    if (l.count(detach_word) > 1) return "more than one detach: there is one handle";
    if (l.count(post_word) > most_items) return "more than 16 letters";
    return l.setting(throws_setting, 0) > 1 ? "throws is 0 or 1" : nullptr;
  }
  static const char* refuses(const line& l, unsigned thread, const call& c) {
    if (c.word == note_word) return c.at(0, thread) < line::most_threads ? nullptr : "there is no such note";
    if (of_handle(c.word)) {
      for (unsigned t = 0; t != l.threads; ++t) {
        const auto uses = [&](const call& other) { return other.what == call::kind::word && of_handle(other.word); };
        if (t != thread && std::ranges::any_of(l.thread[t], uses)) return "another thread has the handle";
      }
    }
    if (c.word == sweep_word && l.thread[thread].count(run_word) == 0) return "a run of the same thread was expected";
    if (c.word == join_word) return c.at(0, 3) != 0 ? nullptr : "joiners are numbered from 1 on";
    if (c.numbers != 0) return no_numbers;
    if (c.word != take_word) return nullptr;
    const bool comes = l.setting(yields_setting, 0) != 0 && l.count(run_word) != 0;
    return comes ? nullptr : "the task does not come into the queue again: it takes yields=1 and a run";
  }

  bool perform(unsigned thread, const call& c) {
    if (c.word >= wake_word && references_[thread] == 0) return false;
    switch (c.word) {
      case run_word:
      case drive_word:
      case take_word: work(c); break;
      case post_word: post(thread); break;
      case wake_word: wake(thread); break;
      case cancel_word: cancel(thread); break;
      case note_word: task_.note(c.at(0, thread)); break;
      case look_word:
        if (!task_.done()) return false;
        see(task_);
        break;
      case join_word:
      case unjoin_word:
      case wait_word:
      case wait_for_word: return wait(c);
      case claim_word: return task_.run_in_place() != task_outcome::stale;
      case hold_word: return hold();
      case sweep_word: return swept_ = task_.discard_if_stale();
      default: count(thread, c);
    }
    return true;
  }

  /// The task has ended once if it had a reason to, what is told to whom is told once, and with the last reference it
  /// is destroyed. What a stopped thread holds is lost.
  void settle() {
    if (this->anybody_stopped()) return;
    if (ends_.read() == 0) {
      Model::check(!must_have_ended(), "a task that was woken or cancelled did not run");
      give_up();
    }
    unsigned held = std::accumulate(references_.begin(), references_.end(), 0U);
    if (line_.count(detach_word) != 0 && !detached_) detached_ = true, --held, task_.detach();
    for (; held != 0; --held) task_.release();

    this->expect_destroyed();
    Model::check(ends_.read() == 1, "a task ends once");
    const bool stops = asked_ && (gave_up_ || std::ranges::count(cancelled_, true) != 0);
    Model::check(stops_.read() == (stops ? 1 : 0), "the stop of a task that asked and was cancelled is requested once");
    Model::check(told_.read() == expected_, "the joiner that is registered at the end, and no other, is told, once");
    Model::check(reports_.read() == (threw_ && detached_ ? 1 : 0),
                 "an exception that no handle takes is reported once");
  }
  void leave() { settle(); }

  // Called by the task.
  task_outcome poll(job_type& it, int number) {
    Model::check(number <= 1 + yields_ + wakes(), "a task ran though it was not scheduled");
    if (number == 1 && line_.setting(asks_setting, 0) != 0) ask(it);
    if (number <= yields_) return task_outcome::yielded;
    number -= yields_;
    if (number <= suspends_) return task_outcome::suspended;
    for (auto& p : posted_) {
      if (p.load(order::relaxed) == 0) return task_outcome::suspended;
    }
    for (std::size_t i = 0; i != letters_.size() && number > wakes(); ++i) {
      Model::check(letters_[i].read() == 1, "a run sees what its wakers wrote");  // it has come after all of them
    }
    ends_.write(ends_.read() + 1);
    it.leave(job_value);
    threw_ = line_.setting(throws_setting, 0) != 0;
    return threw_ ? task_outcome::threw : task_outcome::finished;
  }
  void stop(job_type& /*it*/) {
    ends_.write(ends_.read() + 1);
    // A task that yielded goes on without an acquire, and is promised nothing.
    if (only_canceller() && yields_ == 0)
      Model::check(why_.read() == 1, "a stopped task sees what its canceller wrote");
    if (asked_ && yields_ == 0) Model::check(stops_.read() == 1, "a task is stopped before its stop is requested");
  }
  void schedule(job_type& it, placement where) {
    if (line_.count(drive_word) != 0) {
      it.state().rouse();
    } else if (where == placement::back && line_.count(take_word) != 0 && !was_queued_) {
      was_queued_ = in_queue_ = true;  // then the task is the taking thread's
      queued_.store(1, order::release);
    } else {
      it.run();
    }
  }
  [[nodiscard]] bool may_ask() const { return line_.setting(asks_setting, 0) != 0; }
  void tell_stop(job_type& /*it*/) {
    Model::check(source_.read() == 1, "the source of a stop that is requested is there");
    if (only_canceller()) Model::check(why_.read() == 1, "who requests the stop has seen what its canceller wrote");
    stops_.write(stops_.read() + 1);
  }
  void tell(job_type& it, int who) {
    see(it);
    told_.write(told_.read() + who);
  }
  void report(job_type& it) {
    if (line_.setting(throws_setting, 0) == 0) return;
    const int left = it.left();
    if (left == job_stopped && line_.count(cancel_word) != 0) return;
    Model::check(left == job_value, "the exception is visible where it is reported");
    it.leave(no_result);
    reports_.write(reports_.read() + 1);
  }

 private:
  template <class T>
  using by_thread = std::array<T, line::most_threads>;

  static bool of_handle(std::size_t word) {
    return (word >= join_word && word <= wait_for_word) || word == detach_word;
  }
  /// The references that threads have: each those that it gives back, or one if it does anything but run the task.
  static by_thread<unsigned> references(const line& l) {
    by_thread<unsigned> all{};
    for (unsigned t = 0; t != l.threads; ++t) {
      const auto count = [&](std::size_t word) {
        return static_cast<unsigned>(l.thread[t].count(word) + (t == 0 ? l.before.count(word) : 0));
      };
      unsigned uses = 0;
      for (std::size_t word = wake_word; word != words.size(); ++word) uses += count(word);
      const unsigned retains = count(retain_word);
      const unsigned releases = count(release_word) + count(detach_word);
      if (uses != 0) all[t] = releases > retains ? releases - retains : 1;
    }
    return all;
  }
  [[nodiscard]] int wakes() const { return static_cast<int>(line_.count(wake_word)); }
  [[nodiscard]] bool only_canceller() const { return line_.count(cancel_word) == 1; }

  void ask(job_type& it) {
    asked_ = true;
    source_.write(1);
    if (it.state().ask()) tell_stop(it);
  }
  void work(const call& c) {
    if (c.word == take_word) {
      queued_.await_value(1, order::acquire);
      in_queue_ = false;
      task_.run();
      return;
    }
    ran_ = true;
    if (c.word == run_word) {
      if (!swept_) task_.run();
    } else {
      while (task_.run() == task_outcome::suspended) task_.state().rest();
    }
  }
  bool hold() {
    ran_ = true;
    return task_.run_held() != task_outcome::stale;
  }
  void post(unsigned thread) {
    const std::size_t letter = next_letter_[thread]++;
    letters_[letter].write(1);
    posted_[letter].store(1, order::relaxed);
    ++unannounced_[thread];
  }
  void wake(unsigned thread) {
    unannounced_[thread] = 0;
    woken_[thread] = true;
    task_.wake();
  }
  void cancel(unsigned thread) {
    if (only_canceller()) why_.write(1);
    cancelled_[thread] = true;
    task_.cancel();
  }
  void count(unsigned thread, const call& c) {
    if (c.word == retain_word) {
      ++references_[thread];
      task_.retain();
      return;
    }
    --references_[thread];
    if (c.word == release_word) {
      task_.release();
    } else {
      detached_ = true;
      task_.detach();
    }
  }

  /// The handle's thread. Whether the task is complete.
  bool wait(const call& c) {
    auto& state = task_.state();
    if (c.word == join_word) {
      if (complete_ || joined_) return complete_;
      const int who = static_cast<int>(c.at(0, 3));
      joined_ = state.join(who);
      expected_ = joined_ ? who : expected_;
      complete_ = !joined_;
    } else if (c.word == unjoin_word) {
      if (!joined_) return complete_;
      joined_ = false;
      complete_ = !state.unjoin();
      if (!complete_) expected_ = 0;
    } else if (c.word == wait_word) {
      state.wait();
      complete_ = true;
    } else {
      int rounds = 1;
      complete_ = state.wait_for([&] { return std::chrono::nanoseconds(rounds--); });
    }
    if (!complete_) return false;
    see(task_);
    if (c.word == wait_word) task_.leave(task_.left());  // nobody else reads it now
    return true;
  }

  /// Any thread that knows the task to be complete.
  void see(job_type& it) {
    const int left = it.left();
    const bool may_be_stopped = line_.count(cancel_word) != 0 || gave_up_;
    Model::check(left == job_value || (may_be_stopped && left == job_stopped),
                 "the result is visible to a thread that sees the task complete");
  }

  /// Main thread, at the end. A line may leave its task idle, or (where calls are left out of it) in a queue.
  [[nodiscard]] bool must_have_ended() const {
    if (!ran_ || in_queue_) return false;
    if (std::ranges::count(cancelled_, true) != 0) return true;
    if (suspends_ != 0) {
      const bool was_idle = suspends_ == 1 && letters_.size() == 0 && line_.before.count(run_word) == 1;
      return was_idle && std::ranges::count(woken_, true) != 0;
    }
    std::size_t announced = 0;
    for (unsigned t = 0; t != line_.threads; ++t)
      announced += unannounced_[t] == 0 ? line_.thread[t].count(post_word) : 0;
    return announced == letters_.size() && all_posted();
  }
  [[nodiscard]] bool all_posted() const {
    return std::ranges::all_of(letters_, [](const auto& l) { return l.read() == 1; });
  }
  void give_up() {
    gave_up_ = true;
    if (only_canceller()) why_.write(1);
    task_.cancel();
    if (!ran_ || in_queue_) task_.run();
  }

  const line& line_;
  const int suspends_;
  const int yields_;
  cells<typename Model::template atomic<int>, most_items> posted_;
  cells<plain<int>, most_items> letters_;
  typename Model::template atomic<int> queued_;
  plain<int> why_;
  plain<int> ends_;
  plain<int> told_;
  plain<int> reports_;
  plain<int> source_;
  plain<int> stops_;

  // Each entry one thread's.
  by_thread<std::size_t> next_letter_{};
  by_thread<unsigned> unannounced_{};  // posted since the last wake
  by_thread<bool> woken_{};
  by_thread<bool> cancelled_{};
  by_thread<unsigned> references_;  // to the task

  // The handle's thread's.
  bool joined_ = false;
  bool complete_ = false;
  bool detached_ = false;
  int expected_ = 0;

  // The running thread's.
  bool ran_ = false;
  bool was_queued_ = false;
  bool in_queue_ = false;
  bool threw_ = false;
  bool asked_ = false;

  bool gave_up_ = false;  // the main thread's, at the end

  job_type& task_;
  bool swept_ = false;  ///< the entry is gone; its thread's
};

}  // namespace licit::suites

#endif
