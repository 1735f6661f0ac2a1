// Executions under the weak-memory plugin: it chooses who runs and what is read.
#include <csetjmp>
#include <exception>
#include <thread>
#include <unistd.h>
#include <vector>

#include "machine/qemu/guest.hpp"
#include "machine/stress/arena.hpp"
#include "machine/stress/chance.hpp"
#include "machine/stress/model.hpp"
#include "machine/stress/report.hpp"
#include "machine/stress/subject.hpp"

namespace licit::stress {

namespace {

namespace guest = qemu::guest;

// Where the thread goes on that has failed. Not an exception: programs fail inside of functions that are noexcept.
thread_local std::jmp_buf way_out;  // NOLINT(modernize-avoid-c-arrays): the standard's

void jump() { std::longjmp(way_out, 1); }  // NOLINT(cert-err52-cpp): what is left behind lies in the arena

/// When something is first thrown the unwinder sorts its tables, millions of instructions: before any execution, where
/// nobody counts them.
void throw_once() {
  try {
    throw std::exception();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): that it is caught is all
  }
}

/// Calls it as the program's thread (0: the main one), until its end or its failure.
template <class Part>
void within_program(unsigned thread, Part&& part) {
  if (setjmp(way_out) != 0) {  // NOLINT(cert-err52-cpp)
    arena::leave();
    return;
  }
  const arena::inside as(thread);
  guarded(part);
}

class team {
 public:
  team(const task& t, report& to) : task_{t}, to_{to}, object_{arena::object(t.what->size, 0)} {
    guest::region(arena::begin(), arena::end());
    for (unsigned i = 0; i != t.what->threads; ++i) workers_.emplace_back([this, i] { work(i); });
  }

  void run() {
    const clock since;
    for (std::uint64_t n = task_.first; n != task_.first + task_.executions && !to_.failed(); ++n) {
      if (since.seconds() > task_.seconds) break;
      // Again and again, while the plugin makes a failing execution smaller.
      do {
        execute(n);
      } while (guest::verdict(to_.failed(), to_.text.data()));
      if (!to_.failed()) to_.executions.fetch_add(1);
    }
    if (to_.failed()) _exit(1);
    guest::leave();
    for (std::thread& w : workers_) w.join();
  }

 private:
  void execute(std::uint64_t n) {
    to_.stage = 0;
    number_ = n + 1;
    arena::reset();
    within_program(0, [&] { task_.what->construct(object_, task_.what->client); });
    if (to_.failed()) return;
    const qemu::ending end = guest::execute(task_.what->threads, task_.seed * 1'000'000'000 + n);
    if (end != qemu::ending::finished) return stuck(end);
    if (to_.failed()) return;
    within_program(0, [&] {
      task_.what->finish(object_);
      task_.what->destroy(object_);
    });
    if (!to_.failed() && arena::left() != 0) to_.say("memory is not freed at the end");
  }

  /// The threads never return from that.
  void stuck(qemu::ending end) {
    if (!to_.failed()) {
      to_.say(end == qemu::ending::blocked ? "hang: each thread that has not ended sleeps"
                                           : "hang: a loop that nobody ends");
    }
    (void)guest::verdict(true, to_.text.data());
    _exit(1);
  }

  void work(unsigned i) {
    chance::none();
    while (guest::next(i)) {
      execution_number = number_;
      within_program(i + 1, [&] { task_.what->thread(object_, i); });
    }
  }

  const task& task_;
  report& to_;
  void* const object_;
  std::uint64_t number_ = 0;
  std::vector<std::thread> workers_;
};

}  // namespace

void run_under_plugin(const task& t, report& to) {
  on_failure() = {&to, &jump};
  // The plugin knows in what sizes it was accessed, and refuses others.
  arena::spoil_by(guest::freed);
  throw_once();
  team(t, to).run();
}

}  // namespace licit::stress
