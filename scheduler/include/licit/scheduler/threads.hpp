/// The threads of a scheduler: made all or none, named, bound to processors.
#ifndef LICIT_SCHEDULER_THREADS_HPP
#define LICIT_SCHEDULER_THREADS_HPP

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <licit/scheduler/scheduler_options.hpp>

namespace licit::inline v0 {

class threads {
 public:
  /// `options` are valid ones, and outlive the threads.
  explicit threads(const scheduler_options& options) : options_{options} {}
  threads(const threads&) = delete;
  threads& operator=(const threads&) = delete;
  /// They have been joined.
  ~threads() = default;

  /// One for each of `number` workers: the start hook, `body(worker)`, the stop hook, which must not throw. Returns
  /// when all have started. Throws what the first that could not threw; then `give_up` was called, and all have ended.
  void start(std::size_t number, const std::function<void(std::size_t)>& body, const std::function<void()>& give_up);

  /// Blocks until all have ended. Twice is once.
  void join();

 private:
  void run(std::size_t worker, const std::function<void(std::size_t)>& body);
  void prepare(std::size_t worker) const;
  void started(std::exception_ptr failure);
  void failed(std::exception_ptr failure);

  const scheduler_options& options_;
  std::vector<std::thread> all_;
  std::mutex mutex_;
  std::condition_variable change_;
  std::size_t started_ = 0;
  std::exception_ptr failure_;
};

}  // namespace licit::inline v0

#endif
