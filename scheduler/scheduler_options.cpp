#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <csignal>
#include <cstdint>
#include <stdexcept>

#include <licit/scheduler/clock.hpp>
#include <licit/scheduler/processors.hpp>
#include <licit/scheduler/random.hpp>
#include <licit/scheduler/scheduler_options.hpp>

namespace licit::inline v0 {

namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& value, const std::string& range) {
  throw std::invalid_argument("licit: scheduler option " + option + " is " + value + ", and must be " + range);
}

std::string from_to(std::uint64_t least, std::uint64_t most) {
  return "from " + std::to_string(least) + " to " + std::to_string(most);
}

void check_range(const char* option, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value < least || value > most) refuse(option, std::to_string(value), from_to(least, most));
}

void check_power_of_two(const char* option, std::uint64_t value, std::uint64_t least, std::uint64_t most,
                        const std::string& also = "") {
  if (std::has_single_bit(value) && value >= least && value <= most) return;
  refuse(option, std::to_string(value), also + "a power of two " + from_to(least, most));
}

void check_enumerator(const char* option, unsigned value, unsigned enumerators) {
  if (value >= enumerators)
    refuse(option, std::to_string(value), "one of its " + std::to_string(enumerators) + " names");
}

void check_interval(const interval_options& interval) {
  constexpr std::uint64_t second = 1000000000;
  constexpr std::uint32_t most_polls = 65535;
  check_range("interval.fixed", interval.fixed, 0, most_polls);
  check_range("interval.target_ns", interval.target_ns, 1000, second);
  check_range("interval.least", interval.least, 1, most_polls);
  check_range("interval.most", interval.most, interval.least, most_polls);
}

/// Linux allows 15 characters, and a worker's number has up to four.
void check_name(const std::string& name) {
  constexpr std::size_t longest = 11;
  if (name.size() > longest) {
    refuse("thread_name", "of " + std::to_string(name.size()) + " characters (" + name + ")",
           "of at most " + std::to_string(longest) + ", to which the worker's number is added");
  }
  if (name.find('\0') != std::string::npos) refuse("thread_name", "a name with a zero character", "without one");
}

void check_affinity(const std::vector<std::vector<unsigned>>& sets, std::size_t workers) {
  if (sets.empty()) return;
  if (sets.size() != 1 && sets.size() != workers) {
    refuse("affinity", "of " + std::to_string(sets.size()) + " sets",
           "of none, of one, or of one for each of the " + std::to_string(workers) + " workers");
  }
  for (std::size_t i = 0; i != sets.size(); ++i) {
    const std::string set = "affinity[" + std::to_string(i) + "]";
    if (sets[i].empty()) refuse(set, "empty", "a set of at least one processor");
    const unsigned largest = std::ranges::max(sets[i]);
    if (largest >= scheduler_options::most_cpus) {
      refuse(set, "with processor " + std::to_string(largest),
             "of processors " + from_to(0, scheduler_options::most_cpus - 1));
    }
  }
}

constexpr std::uint64_t least_stall_ns = 100'000;
constexpr std::uint64_t most_stall_ns = std::uint64_t{86400} * 1'000'000'000;
constexpr std::uint64_t least_stack = std::uint64_t{64} << 10;
constexpr std::uint64_t most_stack = std::uint64_t{64} << 30;

bool can_be_blocked(int signal) {
  constexpr std::array not_to_be{SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  sigset_t set;
  sigemptyset(&set);  // without those that the system keeps for itself
  return std::ranges::find(not_to_be, signal) == not_to_be.end() && signal > 0 && sigaddset(&set, signal) == 0;
}

void check_signals(const std::vector<int>& signals) {
  for (const int signal : signals) {
    if (!can_be_blocked(signal)) {
      refuse("blocked_signals", "with signal " + std::to_string(signal),
             "of signals that exist and may be blocked: not SIGKILL, SIGSTOP and those of faulty instructions");
    }
  }
}

}  // namespace

std::vector<int> scheduler_options::all_signals() {
  std::vector<int> all;
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (can_be_blocked(signal)) all.push_back(signal);
  }
  return all;
}

void scheduler_options::validate() const {
  check_range("workers", workers, 0, most_workers);
  check_enumerator("order", static_cast<unsigned>(order), 2);
  check_enumerator("join_fences", static_cast<unsigned>(join_fences), 2);
  check_power_of_two("local_capacity", local_capacity, 2, 65536);
  check_range("inject_batch", inject_batch, 1, 1024);
  check_range("lifo_in_a_row", lifo_in_a_row, 0, 1024);
  check_range("budget", budget, 1, 65535);
  check_interval(interval);
  check_range("spins", spins, 0, 10000);
  check_range("guests", guests, 0, most_guests);
  check_range("steal_at_most", steal_at_most, 1, 65536);
  check_name(thread_name);
  check_affinity(affinity, resolved_workers());
  if (stack_bytes != 0) check_range("stack_bytes", stack_bytes, least_stack, most_stack);
  check_signals(blocked_signals);
  if (stall_after.count() != 0) {
    if (stall_after.count() < 0) refuse("stall_after", std::to_string(stall_after.count()) + " ns", "0 or more");
    check_range("stall_after", static_cast<std::uint64_t>(stall_after.count()), least_stall_ns, most_stall_ns);
  }
  if (trace_events != 0) check_power_of_two("trace_events", trace_events, 2, std::size_t{1} << 24, "0 or ");
}

std::uint64_t scheduler_options::resolved_seed() const {
  static std::atomic<std::uint64_t> calls = 0;
  if (seed) return *seed;
  const auto where = reinterpret_cast<std::uintptr_t>(&calls);  // which differs by run, too
  return detail::random((detail::steady_nanoseconds::now() ^ where) + calls.fetch_add(1) * 0x9E3779B97F4A7C15U).next();
}

std::size_t scheduler_options::resolved_workers() const {
  if (workers != 0) return workers;
  return std::clamp<std::size_t>(detail::usable_processors(), 1, most_workers);
}

join_fences scheduler_options::resolved_fences() const {
  return resolved_workers() > most_asymmetric_workers ? join_fences::full : join_fences;
}

}  // namespace licit::inline v0
