// Executions on real threads: the machine chooses, and small delays help it.
#include <atomic>
#include <thread>
#include <unistd.h>
#include <vector>

#include "stress/arena.hpp"
#include "stress/chance.hpp"
#include "stress/clock.hpp"
#include "stress/failure.hpp"
#include "stress/meeting.hpp"
#include "stress/run.hpp"
#include "stress/visits.hpp"

namespace licit::stress {

namespace {

class team {
 public:
  team(const task& t, report& to)
      : task_{t}, to_{to}, object_{arena::object(t.what->size, t.what->alignment)}, all_{t.what->threads} {
    for (unsigned i = 1; i < t.what->threads; ++i) others_.emplace_back([this, i] { take_part(i); });
  }

  void run() {
    const clock since;
    for (number_ = task_.first; number_ != task_.first + task_.executions; ++number_) {
      if (number_ % 64 == 0 && since.seconds() > task_.seconds) break;
      execute();
      to_.executions.fetch_add(1);
    }
    over_ = true;
    all_.come();
    for (std::thread& t : others_) t.join();
  }

 private:
  void execute() {
    execution_number = number_ + 1;
    {
      const arena::inside as(0);
      task_.what->construct(object_);
    }
    play(0);
    {
      const arena::inside as(0);
      task_.what->finish(object_);
      task_.what->destroy(object_);
    }
    if (arena::left() != 0) fail("memory is not freed at the end");
    arena::reset();
  }

  /// Thread i's part of an execution, from one meeting to the other; whether there was one.
  bool play(unsigned i) {
    all_.come();
    if (over_) return false;
    chance::begin(task_.seed, number_, i);
    const arena::inside as(i + 1);
    line_up();
    chance::delay();
    guarded([&] { task_.what->thread(object_, i); });
    all_.come();
    return true;
  }

  /// Who slept at the meeting is late: the others wait, awake, for a while. Says nothing of memory.
  void line_up() {
    const std::uint64_t all = (number_ - task_.first + 1) * task_.what->threads;
    standing_.fetch_add(1, std::memory_order_relaxed);
    for (unsigned looks = 0; looks != patience; ++looks) {
      if (standing_.load(std::memory_order_relaxed) >= all) return;
    }
  }

  void take_part(unsigned i) {
    while (play(i)) {
    }
  }

  const task& task_;
  report& to_;
  void* const object_;
  meeting all_;
  static constexpr unsigned patience = 20'000;  // some tens of microseconds
  std::atomic<std::uint64_t> standing_{0};      // since the first execution
  std::vector<std::thread> others_;
  // Written by the first thread before all meet.
  std::uint64_t number_ = 0;
  bool over_ = false;
};

}  // namespace

void run_on_threads(const task& t, report& to) {
  on_failure() = {&to, [] { _exit(1); }};
  team(t, to).run();
}

}  // namespace licit::stress
