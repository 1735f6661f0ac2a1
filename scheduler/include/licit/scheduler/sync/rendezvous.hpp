/// A number of parties that wait for one another, again and again: the protocol of the barrier.
#ifndef LICIT_SCHEDULER_RENDEZVOUS_HPP
#define LICIT_SCHEDULER_RENDEZVOUS_HPP

#include <cstddef>
#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/sync/waiter_list.hpp>

namespace licit::inline v0 {

struct rendezvous_rules {
  bool tells_phases_apart = true;  ///< a party that has come for the next phase does not go on at the end of this one
};

template <class Policy = native, class Task = task_header>
class rendezvous {
  using lock_type = typename lock_for<Policy>::type;

 public:
  using waiter_type = waiter<Policy, Task>;

  explicit rendezvous(std::uint64_t parties) : parties_{parties}, missing_{parties} {}
  rendezvous(const rendezvous&) = delete;
  rendezvous& operator=(const rendezvous&) = delete;
  /// Precondition: nobody waits.
  ~rendezvous() = default;

  enum class arrival : std::uint32_t { waits, last, refused };

  /// Any thread. One party arrives. It is the last of the phase, which ends; or its waiter is linked, and answered when
  /// the phase ends. Refused: there are no parties any more.
  [[nodiscard]] arrival arrive_or_wait(waiter_type& who) {
    lock_.lock();
    if (missing_.read() == 0) return lock_.unlock(), arrival::refused;
    if (missing_.read() == 1) return end_phase(), arrival::last;
    missing_.write(missing_.read() - 1);
    who.asks.write(phase_.read());
    waiting_.link(who);
    lock_.unlock();
    return arrival::waits;
  }
  /// Any thread. One party arrives for the last time, and does not wait. False: there is none.
  bool arrive_and_drop() {
    lock_.lock();
    if (missing_.read() == 0) return lock_.unlock(), false;
    parties_.write(parties_.read() - 1);
    if (missing_.read() == 1) return end_phase(), true;
    missing_.write(missing_.read() - 1);
    lock_.unlock();
    return true;
  }
  /// For a waiter that is cancelled; it has arrived all the same. Whether it was still linked.
  [[nodiscard]] bool cancel(waiter_type& who) {
    lock_.lock();
    const bool linked = who.is_linked();
    if (linked) waiting_.unlink(who);
    lock_.unlock();
    return linked;
  }

 private:
  static constexpr auto rules = rules_of<rendezvous_rules, Policy>();

  /// Frees the lock. Wakes the waiters of this phase, and not those of the next, which may come meanwhile.
  void end_phase() {
    missing_.write(parties_.read());
    const std::size_t mine = phase_.read();
    phase_.write(mine + 1);
    wake_ups<Policy, Task>::in_rounds(lock_, [&](auto& due) {
      while (!due.full() && awaits(mine)) due.add(waiting_.answer_first(answer::given));
      return awaits(mine);
    });
  }
  [[nodiscard]] bool awaits(std::size_t phase) const {
    return !waiting_.empty() && (waiting_.front().asks.read() <= phase || !rules.tells_phases_apart);
  }

  lock_type lock_;
  waiter_list<Policy, Task> waiting_;
  typename Policy::template plain<std::uint64_t> parties_;
  typename Policy::template plain<std::uint64_t> missing_;  ///< in this phase
  typename Policy::template plain<std::size_t> phase_;
};

}  // namespace licit::inline v0

#endif
