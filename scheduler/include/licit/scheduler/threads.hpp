/// The threads of a scheduler: all are started or none; named, bound to processors, with the stack and the blocked
/// signals of the options.
#ifndef LICIT_SCHEDULER_THREADS_HPP
#define LICIT_SCHEDULER_THREADS_HPP

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <vector>

#include <licit/scheduler/scheduler_options.hpp>

namespace licit::inline v0::detail {

/// The calling thread's stack, which grows downwards: its lowest address, where half of it is used, and where only a
/// reserve is left, as stack_exhausted has it. Null if that is not known.
struct stack_marks {
  const void* lowest = nullptr;
  const void* half = nullptr;
  const void* end = nullptr;
};
/// The first call in a thread is slow: it may read the list of the process's memory.
[[nodiscard]] const stack_marks& this_stack() noexcept;

class threads {
 public:
  /// `options` must be valid and outlive the threads.
  explicit threads(const scheduler_options& options) : options_{options} {}
  threads(const threads&) = delete;
  threads& operator=(const threads&) = delete;
  /// Precondition: the threads have been joined.
  ~threads() = default;

  /// Starts `number` threads, each of which runs the start hook, `body(worker)` and the stop hook, which must not
  /// throw. Returns when all have started. If one cannot start, calls `give_up`, waits until all have ended, and throws
  /// what the first of these threw.
  void start(std::size_t number, const std::function<void(std::size_t)>& body, const std::function<void()>& give_up);

  /// Blocks until all have ended. May be called again.
  void join();

 private:
  struct beginning {
    threads* all;
    std::size_t worker;
  };

  static void* enter(void* at) noexcept;
  void create(beginning& at);
  void run(std::size_t worker);
  void prepare(std::size_t worker) const;
  void started(std::exception_ptr failure);
  void failed(std::exception_ptr failure);

  const scheduler_options& options_;
  std::function<void(std::size_t)> body_;
  std::vector<beginning> beginnings_;
  std::vector<pthread_t> all_;
  std::mutex mutex_;
  std::condition_variable change_;
  std::size_t started_ = 0;
  std::exception_ptr failure_;
};

}  // namespace licit::inline v0::detail

#endif
