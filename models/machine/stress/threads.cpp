// Executions on real threads: the machine chooses, and small delays help it.
//
// Some executions are made at once, and all threads go through them in the same order, side by side: so threads that
// run at the same time meet often, also where they seldom do (as litmus7 has it: Alglave, Maranget, Sarkar, Sewell,
// "Litmus: running tests against hardware", TACAS 2011).
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <unistd.h>
#include <vector>

#include <licit/deque/futex.hpp>

#include "machine/stress/arena.hpp"
#include "machine/stress/chance.hpp"
#include "machine/stress/model.hpp"
#include "machine/stress/report.hpp"
#include "machine/stress/subject.hpp"

namespace licit::stress {

namespace {

/// A barrier for threads that come soon: they look a while before they sleep.
class meeting {
 public:
  explicit meeting(unsigned threads) : threads_{threads} {}

  /// Returns when all threads have come. What they did before happens-before what they do after.
  void come() {
    const std::uint32_t now = round_.load(std::memory_order_acquire);
    if (come_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      come_.store(0, std::memory_order_relaxed);
      // Each side writes one word by a read-modify-write and then looks at the other: a sleeper is seen, or sees.
      round_.fetch_add(1, std::memory_order_seq_cst);
      if (asleep_.fetch_add(0, std::memory_order_seq_cst) != 0) futex_wake_all(round_);
      return;
    }
    for (unsigned looks = 0; looks != patience; ++looks) {
      if (round_.load(std::memory_order_acquire) != now) return;
    }
    sleep(now);
  }

 private:
  // Some microseconds. A thread that slept is soon let run again even by a busy machine, one that yielded is not.
  static constexpr unsigned patience = 4'000;

  void sleep(std::uint32_t now) {
    asleep_.fetch_add(1, std::memory_order_seq_cst);
    while (round_.load(std::memory_order_acquire) == now) futex_wait(round_, now);
    asleep_.fetch_sub(1, std::memory_order_relaxed);
  }

  const unsigned threads_;
  alignas(64) std::atomic<unsigned> come_{0};
  alignas(64) std::atomic<std::uint32_t> round_{0};
  std::atomic<unsigned> asleep_{0};
};

class team {
 public:
  team(const task& t, report& to) : task_{t}, to_{to}, all_{t.what->threads} {
    for (unsigned i = 1; i < t.what->threads; ++i) others_.emplace_back([this, i] { take_part(i); });
  }

  void run() {
    const clock since;
    const std::uint64_t end = task_.first + task_.executions;
    // One first: it shows how much memory it takes.
    for (number_ = task_.first, count_ = 1; number_ != end && since.seconds() < task_.seconds; number_ += count_) {
      count_ = std::min(number_ == task_.first ? 1 : most_at_once_, end - number_);
      execute();
      to_.executions.fetch_add(count_);
    }
    over_ = true;
    all_.come();
    for (std::thread& t : others_) t.join();
  }

 private:
  /// A thread's part of the executions from one meeting to the next.
  template <class Part>
  void each(unsigned thread, Part&& part) {
    const arena::inside as(thread);
    for (std::uint64_t j = 0; j != count_; ++j) {
      execution_number = number_ + j + 1;
      guarded([&] { part(j); });
    }
  }

  void execute() {
    each(0, [&](std::uint64_t j) { task_.what->construct(object(j), task_.what->client); });
    standing_at_start_ = standing_.load();
    play(0);
    each(0, [&](std::uint64_t j) {
      task_.what->finish(object(j));
      task_.what->destroy(object(j));
    });
    if (arena::left() != 0) fail("memory is not freed at the end");
    if (number_ == task_.first) most_at_once_ = std::min(arena::room_for(task_.what->size), most);
    arena::reset();
  }

  /// Whether there was something to do.
  bool play(unsigned i) {
    all_.come();
    if (over_) return false;
    bool waits = true;
    each(i + 1, [&](std::uint64_t j) {
      chance::begin(task_.seed, number_ + j, i);
      waits = line_up(j, waits ? patient : hasty) && waits;
      chance::stagger();
      task_.what->thread(object(j), i);
    });
    all_.come();
    return true;
  }

  void take_part(unsigned i) {
    while (play(i)) {
    }
  }

  /// Who slept at the meeting, or lost its processor, is late: the others wait, awake, for a while. Says nothing of
  /// memory. Whether all came.
  bool line_up(std::uint64_t j, unsigned looks) {
    const std::uint64_t all = standing_at_start_ + (j + 1) * task_.what->threads;
    standing_.fetch_add(1, std::memory_order_relaxed);
    for (; looks != 0; --looks) {
      if (standing_.load(std::memory_order_relaxed) >= all) return true;
    }
    return false;
  }

  [[nodiscard]] void* object(std::uint64_t j) const { return arena::object(task_.what->size, j); }

  static constexpr unsigned patient = 20'000;  // some tens of microseconds
  static constexpr unsigned hasty = 200;
  static constexpr std::uint64_t most = 64;

  const task& task_;
  report& to_;
  meeting all_;
  std::vector<std::thread> others_;
  std::atomic<std::uint64_t> standing_{0};  // came to an execution, since the beginning
  std::uint64_t most_at_once_ = 1;
  // Written by the first thread before all meet.
  std::uint64_t number_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t standing_at_start_ = 0;
  bool over_ = false;
};

std::uint64_t first_number = 0;

/// Which execution it was is known; that others of its batch had not ended does not matter any more.
void stop() {
  on_failure().to->executions = execution_number - 1 - first_number;
  _exit(1);
}

}  // namespace

void run_on_threads(const task& t, report& to) {
  first_number = t.first;
  on_failure() = {&to, &stop};
  team(t, to).run();
}

}  // namespace licit::stress
