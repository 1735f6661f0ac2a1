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

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/sync/waiter_list.hpp>

namespace licit::inline v0 {

struct job_line_rules {
  bool looks_for_answer = true;  ///< a thread whose time is over does the job that it has been given meanwhile
  bool looks_for_jobs = true;    ///< a thread looks for a job before it leaves a closed line
  bool tells_joiners = true;     ///< the last thread wakes the waiters for it
  bool youngest_first = true;    ///< a job goes to the thread that has been idle for the shortest time
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
    if (closed_.read()) return lock_.unlock(), added::refused;
    if (!idle_.empty()) {
      waiter_type& one = rules.youngest_first ? idle_.back() : idle_.front();
      one.item.write(&job);
      const auto due = idle_.give(one, answer::given);
      lock_.unlock();
      due();
      return added::yes;
    }
    push(job);
    const bool grows = threads_.read() < limit_;
    if (grows) threads_.write(threads_.read() + 1);
    lock_.unlock();
    return grows ? added::grow : added::yes;
  }
  /// For a caller that was told to start a thread, and could not. Returns the jobs for which there is no thread now,
  /// linked; or null, if others will do them.
  [[nodiscard]] Job* shrink() {
    lock_.lock();
    threads_.write(threads_.read() - 1);
    Job* const left = threads_.read() == 0 ? take_all() : nullptr;
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
    if (!rules.looks_for_jobs && closed_.read()) return leave();
    if (Job* const first = pop()) return lock_.unlock(), step{first};
    if (closed_.read()) return leave();
    idle_.link(who);
    lock_.unlock();
    return {nullptr, true};
  }
  /// The same, which waited and was answered.
  [[nodiscard]] step answered(const waiter_type& who) {
    if (who.answered() == answer::given) return {static_cast<Job*>(who.item.read())};
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
    closed_.write(true);
    Job* const dropped = drops ? take_all() : nullptr;
    wake_ups<Policy, Task>::in_rounds(lock_, [&](auto& due) {
      while (!due.full() && !idle_.empty()) due.add(idle_.answer_first(answer::closed));
      return !idle_.empty();
    });
    return dropped;
  }
  /// Any thread, after `close`. Links the waiter, which will be answered when all threads have left. True: they have.
  [[nodiscard]] bool gone_or_wait(waiter_type& who) {
    lock_.lock();
    const bool gone = threads_.read() == 0;
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
    const std::size_t threads = threads_.read();
    lock_.unlock();
    return threads;
  }

 private:
  static constexpr auto rules = rules_of<job_line_rules, Policy>();

  void push(Job& last) {
    last.next = nullptr;
    if (Job* const before = last_.read()) {
      before->next = &last;
    } else {
      first_.write(&last);
    }
    last_.write(&last);
  }
  [[nodiscard]] Job* pop() {
    Job* const first = first_.read();
    if (first == nullptr) return nullptr;
    first_.write(first->next);
    if (first->next == nullptr) last_.write(nullptr);
    return first;
  }
  [[nodiscard]] Job* take_all() {
    Job* const first = first_.read();
    first_.write(nullptr);
    last_.write(nullptr);
    return first;
  }

  // These free the lock.

  [[nodiscard]] step leave() {
    threads_.write(threads_.read() - 1);
    tell_joiners();
    return {};
  }
  void tell_joiners() {
    wake_ups<Policy, Task>::in_rounds(lock_, [&](auto& due) {
      const bool tells = threads_.read() == 0 && rules.tells_joiners;
      while (tells && !due.full() && !joiners_.empty()) due.add(joiners_.answer_first(answer::given));
      return tells && !joiners_.empty();
    });
  }

  lock_type lock_;
  waiter_list<Policy, Task> idle_;
  waiter_list<Policy, Task> joiners_;
  typename Policy::template plain<Job*> first_;
  typename Policy::template plain<Job*> last_;
  typename Policy::template plain<std::size_t> threads_;
  const std::size_t limit_;
  typename Policy::template plain<bool> closed_;
};

}  // namespace licit::inline v0

#endif
