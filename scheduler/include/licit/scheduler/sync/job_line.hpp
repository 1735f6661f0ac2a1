/// Jobs, and the threads that come and go to do them: the protocol of the blocking pool.
///
/// A job goes to the thread that has been idle for the shortest time. If no thread is idle, it goes to the queue, and
/// if there are fewer threads than the limit, the caller starts another. So while jobs are queued there is a thread,
/// and a thread that was idle for long leaves. A thread whose time is over takes the lock: it is still in the list of
/// the idle, or it has been given a job.
#ifndef LICIT_SCHEDULER_JOB_LINE_HPP
#define LICIT_SCHEDULER_JOB_LINE_HPP

#include <cstddef>
#include <cstdint>
#include <utility>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/sync/waiter_list.hpp>

namespace licit::inline v0 {

struct job_line_rules {
  bool looks_for_answer = true;  ///< a thread whose time is over does the job that it has been given meanwhile
  bool looks_for_jobs = true;    ///< a thread looks for a job before it leaves a closed line
  bool tells_joiners = true;     ///< the last thread wakes the waiters for it
};

/// Job has a member `Job* next`, which is the line's while the job is in it.
template <class Job, class Policy = native, class Task = task_header>
class job_line {
  using lock_type = typename lock_for<Policy>::type;

 public:
  using waiter_type = waiter<Policy, Task>;

  explicit job_line(std::size_t limit) : limit_{limit} {}
  job_line(const job_line&) = delete;
  job_line& operator=(const job_line&) = delete;
  /// Precondition: all threads have left.
  ~job_line() = default;

  enum class added : std::uint32_t {
    yes,
    grow,  ///< and the caller starts a thread, which is counted already; or calls `shrink`
    refused,
  };
  /// Any thread. Adds a job.
  [[nodiscard]] added add(Job& job) {
    lock_.lock();
    if (closed_) return lock_.unlock(), added::refused;
    if (!idle_.empty()) {
      waiter_type& youngest = idle_.back();
      youngest.item = &job;
      const auto due = idle_.give(youngest, answer::given);
      lock_.unlock();
      due();
      return added::yes;
    }
    push(job);
    const bool grows = threads_ < limit_;
    if (grows) ++threads_;
    lock_.unlock();
    return grows ? added::grow : added::yes;
  }
  /// For a caller that was told to start a thread, and could not. Returns the jobs for which there is no thread now,
  /// linked; or null, if others will do them.
  [[nodiscard]] Job* shrink() {
    lock_.lock();
    --threads_;
    Job* const left = threads_ == 0 ? take_all() : nullptr;
    tell_joiners();
    return left;
  }

  /// What a thread of the line does next.
  struct step {
    Job* job = nullptr;
    bool waits = false;  ///< until its waiter is answered; with neither it has left, and ends
  };
  /// A thread of the line.
  [[nodiscard]] step next(waiter_type& who) {
    lock_.lock();
    if (!rules.looks_for_jobs && closed_) return leave();
    if (Job* const first = pop()) return lock_.unlock(), step{first};
    if (closed_) return leave();
    idle_.link(who);
    lock_.unlock();
    return {nullptr, true};
  }
  /// The same, which waited and was answered.
  [[nodiscard]] step answered(const waiter_type& who) {
    if (who.answered() == answer::given) return {static_cast<Job*>(who.item)};
    lock_.lock();
    return leave();
  }
  /// The same, which has waited long enough. True: it has left. False: it has been answered.
  [[nodiscard]] bool give_up(waiter_type& who) {
    lock_.lock();
    const bool linked = who.is_linked();
    if (linked) idle_.unlink(who);
    if (!linked && rules.looks_for_answer) return lock_.unlock(), false;
    (void)leave();
    return true;
  }

  /// Any thread. Refuses jobs from now on; those that are queued are done, or returned linked if `drops`. Threads leave
  /// when they find none.
  Job* close(bool drops) {
    lock_.lock();
    closed_ = true;
    Job* const dropped = drops ? take_all() : nullptr;
    wake_ups<Policy, Task> due;
    for (;;) {
      while (!due.full() && !idle_.empty()) due.add(idle_.answer_first(answer::closed));
      const bool more = !idle_.empty();
      lock_.unlock();
      due.wake();
      if (!more) return dropped;
      lock_.lock();
    }
  }
  /// Any thread, after `close`. Links the waiter, which will be answered when all threads have left. True: they have.
  [[nodiscard]] bool gone_or_wait(waiter_type& who) {
    lock_.lock();
    const bool gone = threads_ == 0;
    if (!gone) joiners_.link(who);
    lock_.unlock();
    return gone;
  }
  /// For such a waiter that no longer waits. Whether it was still linked.
  [[nodiscard]] bool cancel(waiter_type& who) {
    lock_.lock();
    const bool linked = who.is_linked();
    if (linked) joiners_.unlink(who);
    lock_.unlock();
    return linked;
  }

  /// Any thread. How many threads there were a moment ago.
  [[nodiscard]] std::size_t threads() {
    lock_.lock();
    const std::size_t threads = threads_;
    lock_.unlock();
    return threads;
  }

 private:
  static constexpr auto rules = rules_of<job_line_rules, Policy>();

  void push(Job& last) {
    last.next = nullptr;
    (last_ == nullptr ? first_ : last_->next) = &last;
    last_ = &last;
  }
  [[nodiscard]] Job* pop() {
    Job* const first = first_;
    if (first != nullptr) first_ = first->next;
    if (first_ == nullptr) last_ = nullptr;
    return first;
  }
  [[nodiscard]] Job* take_all() {
    last_ = nullptr;
    return std::exchange(first_, nullptr);
  }

  // These free the lock.

  [[nodiscard]] step leave() {
    --threads_;
    tell_joiners();
    return {};
  }
  void tell_joiners() {
    wake_ups<Policy, Task> due;
    for (;;) {
      const bool tells = threads_ == 0 && rules.tells_joiners;
      while (tells && !due.full() && !joiners_.empty()) due.add(joiners_.answer_first(answer::given));
      const bool more = tells && !joiners_.empty();
      lock_.unlock();
      due.wake();
      if (!more) return;
      lock_.lock();
    }
  }

  lock_type lock_;
  waiter_list<Policy, Task> idle_;
  waiter_list<Policy, Task> joiners_;
  Job* first_ = nullptr;
  Job* last_ = nullptr;
  std::size_t threads_ = 0;
  const std::size_t limit_;
  bool closed_ = false;
};

}  // namespace licit::inline v0

#endif
