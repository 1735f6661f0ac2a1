/// Guest threads take turns: of those that take part in an execution, one runs.
#ifndef LICIT_MODELS_QEMU_TURNS_HPP
#define LICIT_MODELS_QEMU_TURNS_HPP

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <semaphore>
#include <vector>

#include "machine/qemu/decisions.hpp"
#include "machine/qemu/guest.hpp"

namespace licit::qemu {

/// Waiting is done on the host, in a callback. A thread that waits between two of its instructions counts as running
/// for the emulator, whose exclusive sections (the first thread made, a flush of translated code, its exit) would wait
/// for it: so none of these may come during an execution. A thread that waits in a system call does not.
class turns {
 public:
  static constexpr unsigned most_threads = 8;

  // Outside executions.

  /// A worker that has nothing to do; returns in its first turn of an execution (true), or when all shall leave
  /// (false).
  bool wait_for_work(unsigned thread);
  /// Main thread: waits until workers 0 to threads - 1 wait, runs an execution of them, gives how it ended.
  ending run(unsigned threads, decisions& by);
  /// Main thread: workers leave.
  void dismiss();

  // The thread whose turn it is, in an execution.

  /// Another may run now; returns in this thread's next turn. `stays`: it may also go on itself, if others can run.
  void yield(unsigned thread, bool stays);
  /// The thread waits for a wake-up at that address; if `timed`, also goes on when nobody else can.
  void sleep(unsigned thread, std::uint64_t address, bool timed);
  /// Up to `most` of those that wait there can run again: which ones.
  std::vector<unsigned> wake(std::uint64_t address, std::uint64_t most);
  /// The thread has done its part. It then waits for work.
  void finish(unsigned thread);
  /// The execution ends so, for the main thread; no thread that is in it ever runs again.
  [[noreturn]] void abandon(ending how);

 private:
  enum class state : std::uint8_t { away, ready, asleep, asleep_for_a_time, finished };
  struct worker {
    std::binary_semaphore turn{0};
    bool waits = false;  // for work; under the mutex
    state is = state::away;
    std::uint64_t address = 0;  // where it sleeps
  };

  // Of all that can run: `first` comes first, if it is one of them.
  void collect(unsigned first);
  void hand_on(unsigned thread, bool stays, bool returns);
  [[nodiscard]] ending how_it_ended() const;

  std::array<worker, most_threads> workers_;
  unsigned threads_ = 0;  // that take part
  decisions* by_ = nullptr;
  std::vector<unsigned> candidates_;
  std::binary_semaphore main_{0};
  ending ended_ = ending::finished;
  bool leaving_ = false;

  std::mutex mutex_;
  std::condition_variable arrived_;
};

}  // namespace licit::qemu

#endif
