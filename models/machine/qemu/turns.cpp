#include "machine/qemu/turns.hpp"

#include <algorithm>
#include <span>

namespace licit::qemu {

namespace {

constexpr unsigned none = turns::most_threads;

}  // namespace

bool turns::wait_for_work(unsigned thread) {
  {
    const std::scoped_lock lock(mutex_);
    if (leaving_) return false;
    workers_[thread].waits = true;
  }
  arrived_.notify_one();
  workers_[thread].turn.acquire();
  return !leaving_;
}

ending turns::run(unsigned threads, decisions& by) {
  const auto participants = std::span(workers_).first(threads);
  {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return std::ranges::all_of(participants, &worker::waits); });
    for (worker& w : participants) w.waits = false;
  }
  for (worker& w : participants) w.is = state::ready;
  threads_ = threads;
  by_ = &by;
  ended_ = ending::finished;
  hand_on(none, false, false);
  main_.acquire();
  return ended_;
}

void turns::dismiss() {
  const std::scoped_lock lock(mutex_);
  leaving_ = true;
  for (worker& w : workers_) {
    if (w.waits) w.turn.release();
    w.waits = false;
  }
}

void turns::yield(unsigned thread, bool stays) { hand_on(thread, stays, true); }

void turns::sleep(unsigned thread, std::uint64_t address, bool timed) {
  workers_[thread].is = timed ? state::asleep_for_a_time : state::asleep;
  workers_[thread].address = address;
  hand_on(thread, false, true);
  workers_[thread].is = state::ready;  // also after a time
}

std::vector<unsigned> turns::wake(std::uint64_t address, std::uint64_t most) {
  std::vector<unsigned> sleepers;
  for (unsigned i = 0; i != threads_; ++i) {
    const bool sleeps = workers_[i].is == state::asleep || workers_[i].is == state::asleep_for_a_time;
    if (sleeps && workers_[i].address == address) sleepers.push_back(i);
  }
  while (sleepers.size() > most) {  // the first alternative: the first sleepers are woken
    sleepers.erase(sleepers.end() - 1 - static_cast<std::ptrdiff_t>(by_->value(sleepers.size())));
  }
  for (const unsigned i : sleepers) workers_[i].is = state::ready;
  return sleepers;
}

void turns::finish(unsigned thread) {
  workers_[thread].is = state::finished;
  hand_on(thread, false, false);
}

void turns::abandon(ending how) {
  ended_ = how;
  main_.release();
  for (;;) std::binary_semaphore{0}.acquire();  // the main thread ends the process
}

void turns::collect(unsigned first) {
  candidates_.clear();
  for (const state wanted : {state::ready, state::asleep_for_a_time}) {
    if (first != none && workers_[first].is == wanted) candidates_.push_back(first);
    for (unsigned i = 0; i != threads_; ++i) {
      if (i != first && workers_[i].is == wanted) candidates_.push_back(i);
    }
    if (!candidates_.empty()) return;
  }
}

void turns::hand_on(unsigned thread, bool stays, bool returns) {
  collect(thread);
  const bool running = thread != none && !candidates_.empty() && candidates_[0] == thread;
  if (running && !stays && candidates_.size() != 1) {
    candidates_.erase(candidates_.begin());
    by_->give_way(thread);
  }
  if (candidates_.empty()) {
    ended_ = how_it_ended();
    main_.release();
  } else {
    const unsigned chosen = candidates_[by_->thread(candidates_, running && stays)];
    if (chosen == thread) return;
    workers_[chosen].turn.release();
  }
  if (returns) workers_[thread].turn.acquire();
}

ending turns::how_it_ended() const {
  const auto participants = std::span(workers_).first(threads_);
  return std::ranges::all_of(participants, [](const worker& w) { return w.is == state::finished; }) ? ending::finished
                                                                                                    : ending::blocked;
}

}  // namespace licit::qemu
