/// Those who wait: clients of the line of items and of the line of jobs.
#ifndef LICIT_SUITES_WAITERS_CHANNEL_HPP
#define LICIT_SUITES_WAITERS_CHANNEL_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <licit/scheduler/sync/job_line.hpp>
#include <licit/scheduler/sync/line_of_items.hpp>

#include "suites/waiters/policies.hpp"

namespace licit::suites {

/// The memory of a channel, of plain cells.
template <class Model>
class ring_of_cells {
 public:
  using item = int;
  explicit ring_of_cells(std::size_t capacity) { capacity_.write(capacity); }
  ring_of_cells(ring_of_cells&& o) noexcept { swap(*this, o); }
  ring_of_cells& operator=(ring_of_cells&&) = delete;
  ~ring_of_cells() = default;
  friend void swap(ring_of_cells& a, ring_of_cells& b) noexcept {
    const auto change = [](auto& x, auto& y) {
      const auto before = x.read();
      x.write(y.read());
      y.write(before);
    };
    change(a.capacity_, b.capacity_);
    change(a.first_, b.first_);
    change(a.size_, b.size_);
    for (std::size_t i = 0; i != a.cell_.size(); ++i) change(a.cell_[i], b.cell_[i]);
  }

  [[nodiscard]] std::size_t size() const { return size_.read(); }
  [[nodiscard]] bool full() const { return size() == capacity_.read(); }
  void push(int&& last) {
    cell_[(first_.read() + size()) % capacity_.read()].write(last);
    size_.write(size() + 1);
  }
  int pop() {
    const std::size_t first = first_.read();
    first_.write(first + 1);
    size_.write(size() - 1);
    return cell_[first % capacity_.read()].read();
  }

 private:
  template <class T>
  using plain = typename Model::template plain<T>;

  plain<std::size_t> capacity_;
  plain<std::size_t> first_;
  plain<std::size_t> size_;
  std::array<plain<int>, 2> cell_;
};

/// A channel of `capacity` items. Each send of a line has an item of its own, with a plain payload; they are numbered
/// from 1 on, by threads.
///
///     send receive               a coroutine, which waits if it must
///     send_early receive_early   the same, which runs once for another reason
///     quit_send quit_receive     waits, if it must, and is cancelled at once
///     send_asleep receive_asleep a thread
///     reserve                    an item is reserved, and then taken; or none
///     look                       whether it is closed, and empty, and then whether it has ended
///     close drop                 closes it; also takes what is inside, of which those are told that are told of the
///     end
template <class Model, class LineModel>
class channel_client_over {
  using task_type = waiting_task<Model>;
  using line_type = line_of_items<ring_of_cells<Model>, LineModel, task_type>;
  using waiter_type = placed<Model, typename line_type::waiter_type>;

 public:
  enum : std::uint8_t {
    send_word,
    receive_word,
    send_early_word,
    receive_early_word,
    quit_send_word,
    quit_receive_word,
    send_asleep_word,
    receive_asleep_word,
    reserve_word,
    look_word,
    close_word,
    drop_word
  };
  static constexpr std::array words{"send",      "receive",      "send_early",  "receive_early",
                                    "quit_send", "quit_receive", "send_asleep", "receive_asleep",
                                    "reserve",   "look",         "close",       "drop"};
  enum : std::uint8_t { capacity_setting };
  static constexpr std::array settings{"capacity"};

  explicit channel_client_over(const line& l)
      : payload_{most_items},
        tasks_{l, send_asleep_word},
        items_{l.setting(capacity_setting, 1)},
        is_dropped_{l.count(drop_word) != 0} {
    Model::name(payload_, "payload");
    std::size_t first = sends(l.before);
    for (unsigned t = 0; t != l.threads; ++t) {
      first_[t] = next_[t] = t == 0 ? 0 : first;
      first += sends(l.thread[t]);
    }
  }
  static const char* refuses(const line& l) {
    return l.setting(capacity_setting, 1) - 1 < 2 ? nullptr : "a channel has room for 1 or 2 items";
  }

  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case send_word: return send(thread, patience_of::coroutine, false);
      case send_early_word: return send(thread, patience_of::hurried, false);
      case send_asleep_word: return send(thread, patience_of::thread, false);
      case quit_send_word: return send(thread, patience_of::coroutine, true);
      case receive_word: return receive(thread, patience_of::coroutine, false);
      case receive_early_word: return receive(thread, patience_of::hurried, false);
      case receive_asleep_word: return receive(thread, patience_of::thread, false);
      case quit_receive_word: return receive(thread, patience_of::coroutine, true);
      case reserve_word: return items_.reserve() && take(thread, items_.take_reserved());
      case look_word: return look();
      case drop_word: return drop();
      default: return items_.close();
    }
  }

  /// What is left is taken: each item that was sent, once.
  void settle() {
    for (unsigned t = 0; t != line::most_threads; ++t) {
      if (Model::stalled(t)) return;
    }
    while (take(0, items_.try_take())) {
    }
    Model::check(items_.size() == 0, "an item is reserved for nobody");
    for (std::size_t i = 0; i != most_items; ++i) {
      Model::check(!sent_[i] || payload_[i].read() == taken, "an item that was sent is lost");
      Model::check(sent_[i] || payload_[i].read() != taken, "an item was taken that was not sent");
    }
  }
  void leave() {}

 private:
  static constexpr int written = 1;
  static constexpr int taken = 2;

  static std::size_t sends(const calls& all) {
    return all.count(send_word) + all.count(send_early_word) + all.count(quit_send_word) + all.count(send_asleep_word);
  }

  bool send(unsigned thread, patience_of how, bool quits) {
    task_type* const task = how == patience_of::thread ? nullptr : &tasks_.next(thread);
    const std::size_t mine = next_[thread]++;
    payload_[mine].write(written);
    int item = static_cast<int>(mine) + 1;
    const waiter_type who;
    if (task != nullptr) who->belongs_to(*task);
    bool done = false;
    if (const sent now = items_.send_or_wait(item, *who); now != sent::full) {
      done = now == sent::yes;
    } else if (quits) {
      done = !items_.cancel_send(*who) && who->answered() == answer::given;
    } else {
      done = await_answer<Model>(*who, task, how) == answer::given;
      if (!done && is_dropped_) Model::check(dropped_.read() != 0, "who is told of the end sees no number of items");
    }
    sent_[mine] = done;
    return done;
  }
  bool look() {
    const bool was_closed = items_.is_closed();
    const bool was_empty = items_.size() == 0;
    const bool over = items_.is_ended();
    Model::check(!was_closed || items_.is_closed(), "what was closed is open");
    Model::check(over || !was_closed || !was_empty, "what was closed and empty has not ended");
    return over;
  }
  bool drop() {
    auto all = items_.close_and_drop(ring_of_cells<Model>(0), [&](std::size_t number) { dropped_.write(number); });
    while (all.size() != 0) (void)take(0, all.pop());
    return true;
  }

  bool receive(unsigned thread, patience_of how, bool quits) {
    task_type* const task = how == patience_of::thread ? nullptr : &tasks_.next(thread);
    const waiter_type who;
    if (task != nullptr) who->belongs_to(*task);
    auto got = items_.take_or_wait(*who);
    if (!got.waits) return take(thread, got.what);
    if (quits) return (void)items_.cancel_take(*who), false;
    if (await_answer<Model>(*who, task, how) == answer::closed) return false;
    const auto item = items_.take_reserved();
    Model::check(item.has_value(), "a receiver was told of an item that is not there");
    return take(thread, item);
  }
  bool take(unsigned thread, std::optional<int> item) {
    if (!item) return false;
    const auto place = static_cast<std::size_t>(*item - 1);
    Model::check(payload_[place].read() == written, "an item was taken twice");
    payload_[place].write(taken);
    std::size_t sender = 0;
    for (unsigned t = 1; t != line::most_threads; ++t) {
      if (first_[t] <= place && first_[t] != 0) sender = t;
    }
    Model::check(last_[thread][sender] <= *item, "items of one sender come out of order");
    last_[thread][sender] = *item;
    return true;
  }

  cells<typename Model::template plain<int>, most_items> payload_;
  waiting_tasks<Model, task_type> tasks_;
  line_type items_;
  const bool is_dropped_;
  typename Model::template plain<std::size_t> dropped_;                         // items: written before anybody is told
  std::array<std::size_t, line::most_threads> next_{};                          // each entry its thread's
  std::array<std::size_t, line::most_threads> first_{};                         // as it was at the beginning
  std::array<bool, most_items> sent_{};                                         // each its sender's
  std::array<std::array<int, line::most_threads>, line::most_threads> last_{};  // each row its receiver's
};

/// A line of jobs with a limit of `limit` threads. A thread of the program that is told to start one becomes it, and
/// works until it leaves.
///
///     add        a job
///     patient    the same; as a thread of the line it waits as long as it must. `add` gives up at once
///     fail       adds a job; the thread that it is to start does not start
///     close drop closes the line; also takes the jobs that are queued
///     join       waits until all threads have left
template <class Model, class JobModel>
class jobs_client_over {
  struct job {
    job* next = nullptr;
    typename Model::template plain<int> done;
  };
  using line_type = job_line<job, JobModel, waiting_task<Model>>;
  using waiter_type = placed<Model, typename line_type::waiter_type>;

 public:
  enum : std::uint8_t { add_word, patient_word, fail_word, close_word, drop_word, join_word };
  static constexpr std::array words{"add", "patient", "fail", "close", "drop", "join"};
  enum : std::uint8_t { limit_setting };
  static constexpr std::array settings{"limit"};

  explicit jobs_client_over(const line& l)
      : jobs_{l.count(add_word) + l.count(patient_word) + l.count(fail_word)}, all_{l.setting(limit_setting, 1)} {
    std::size_t first = added_in(l.before);
    for (unsigned t = 0; t != l.threads; ++t) {
      next_[t] = t == 0 ? 0 : first;
      first += added_in(l.thread[t]);
    }
  }

  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case add_word:
      case patient_word:
      case fail_word: return add(thread, c.word);
      case close_word: (void)all_.close(false); return true;
      case drop_word: drop(all_.close(true)); return true;
      default: return join();
    }
  }

  /// Each job was done, dropped or refused, once.
  void settle() {
    for (unsigned t = 0; t != line::most_threads; ++t) {
      if (Model::stalled(t)) return;
    }
    Model::check(all_.threads() == 0, "a thread is counted that has left");
    for (std::size_t i = 0; i != jobs_.size(); ++i) {
      Model::check(jobs_[i].done.read() == 1, "a job is neither done nor dropped");
    }
  }
  void leave() {}

 private:
  static std::size_t added_in(const calls& all) {
    return all.count(add_word) + all.count(patient_word) + all.count(fail_word);
  }

  static void finish(job& one) { one.done.write(one.done.read() + 1); }
  static void drop(job* first) {
    while (first != nullptr) finish(*std::exchange(first, first->next));
  }
  bool add(unsigned thread, std::uint8_t how) {
    job& mine = jobs_[next_[thread]++];
    const auto done = all_.add(mine);
    if (done == line_type::added::refused) return finish(mine), false;
    if (done == line_type::added::yes) return true;
    if (how == fail_word) return drop(all_.shrink()), true;
    work(how == patient_word);
    return true;
  }
  void work(bool patient) {
    for (;;) {
      const waiter_type who;
      auto step = all_.next(*who);
      if (step.waits) {
        if (!patient && who->sleep_for({}) == answer::none && all_.give_up(*who)) return;
        (void)who->sleep();
        step = all_.answered(*who);
      }
      if (step.job == nullptr) return;
      finish(*step.job);
    }
  }
  bool join() {
    const waiter_type who;
    if (!all_.gone_or_wait(*who)) (void)who->sleep();
    return true;
  }

  cells<job, most_items> jobs_;
  line_type all_;
  std::array<std::size_t, line::most_threads> next_{};  // each entry its thread's
};

}  // namespace licit::suites

#endif
