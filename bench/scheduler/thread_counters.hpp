/// What the kernel has counted of some of this process's threads.
#ifndef LICIT_BENCH_SCHEDULER_THREAD_COUNTERS_HPP
#define LICIT_BENCH_SCHEDULER_THREAD_COUNTERS_HPP

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace licit_bench {

struct thread_counters {
  std::uint64_t threads = 0;
  std::uint64_t voluntary = 0;    ///< context switches
  std::uint64_t involuntary = 0;  ///< context switches
  std::uint64_t cpu_ns = 0;

  /// Those whose name begins so, from /proc/self/task.
  static thread_counters of_threads_named(const std::string& beginning) {
    thread_counters sum;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream name(thread.path() / "comm");
      std::string line;
      if (std::getline(name, line) && line.starts_with(beginning)) sum.add(thread.path());
    }
    return sum;
  }

  thread_counters& operator+=(const thread_counters& other) {
    voluntary += other.voluntary;
    involuntary += other.involuntary;
    cpu_ns += other.cpu_ns;
    return *this;
  }
  friend thread_counters operator-(thread_counters later, const thread_counters& earlier) {
    later.voluntary -= earlier.voluntary;
    later.involuntary -= earlier.involuntary;
    later.cpu_ns -= earlier.cpu_ns;
    return later;
  }

 private:
  void add(const std::filesystem::path& thread) {
    ++threads;
    std::ifstream status(thread / "status");
    for (std::string key; status >> key;) {
      std::uint64_t number = 0;
      if (key == "voluntary_ctxt_switches:" && status >> number) voluntary += number;
      if (key == "nonvoluntary_ctxt_switches:" && status >> number) involuntary += number;
      status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    std::uint64_t ran = 0;
    if (std::ifstream(thread / "schedstat") >> ran) cpu_ns += ran;
  }
};

}  // namespace licit_bench

#endif
