// What is compiled once for all programs: Relacy's test suite, for each number of threads, and the record of the steps.
#include "relacy/run.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fmt/core.h>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>

#include "relacy/model.hpp"

namespace licit::models::relacy {

void recorder::reset() {
  count_ = 0;
  visited_.fill(false);
  failure_.fill('\0');
}

void recorder::add(std::string_view site, std::string_view verb, std::int64_t first, std::int64_t second, order o) {
  if (count_ == most_steps) return;
  entries_[count_++] = {rl::thread_index(), site, verb, first, second, o};
}

bool recorder::first_visit(std::size_t site) {
  const bool first = !visited_[site];
  visited_[site] = true;
  return first;
}

void recorder::failed(std::string_view property) {
  failure_.fill('\0');
  std::copy_n(property.begin(), std::min(property.size(), failure_.size() - 1), failure_.begin());
}

std::string_view recorder::failure() { return failure_.data(); }

std::string recorder::history() {
  constexpr int column = 46;
  std::string out;
  for (std::size_t i = 0; i != count_; ++i) {
    const entry& e = entries_[i];
    std::string what(e.verb);
    if (e.verb == "claims") {
      what = fmt::format("{} {} -> {}", e.verb, e.first, e.second);
    } else if (e.verb == "fails to claim") {
      what = fmt::format("{} {}, found {}", e.verb, e.first, e.second);
    } else if (e.verb != "fence") {
      what = fmt::format("{} {}", e.verb, e.first);
    }
    out +=
        fmt::format("{:{}}{:<15}{} [{}]\n", "", 2 + (column * e.thread), e.site, what, licit::detail::name(e.ordering));
  }
  return out;
}

namespace {

/// Swallows what Relacy prints, without an allocation that it would count.
class silence : public std::streambuf {
  int_type overflow(int_type c) override { return traits_type::not_eof(c); }
};

/// What the suite, which Relacy constructs itself, needs to know of its run.
struct current_run {
  static inline const client* what = nullptr;
  static inline const settings* how = nullptr;
  static inline const rl::test_params* params = nullptr;
  static inline std::uint64_t executions = 0;
  static inline bool limited = false;
};

/// Relacy takes seconds to compile for each suite, so what the program is, is a value.
template <unsigned Threads>
struct suite : rl::test_suite<suite<Threads>, Threads> {
  void before() {
    recorder::reset();
    arena::instance().reset();
    constexpr std::uint64_t report_every = 1 << 14;
    const settings& how = *current_run::how;
    // Relacy runs an execution that ended the search once more, for its history; it does not count again.
    if (!current_run::params->collect_history) {
      current_run::limited = how.how != search::random && current_run::executions == how.limit;
      current_run::executions += current_run::limited ? 0 : 1;
    }
    if (current_run::limited) rl::ctx().rl_until("limit", $);
    if (current_run::executions % report_every == 0 && how.progress) how.progress(current_run::executions);
    current_run::what->construct(place, current_run::what->with);
  }

  void thread(unsigned i) { current_run::what->thread(place, i); }

  void after() {
    current_run::what->finish(place);
    current_run::what->destroy(place);
    model::check(arena::instance().live() == 0, "leak: a ring was not freed with its deque");
  }

 private:
  alignas(client::alignment) static inline std::byte place[client::largest];
};

std::string failure_of(rl::test_result_e result) {
  if (result == rl::test_result_user_assert_failed) return std::string(recorder::failure());
  switch (result) {
    case rl::test_result_data_race: return "data race: a plain access is not ordered with another";
    case rl::test_result_access_to_freed_memory: return "access to freed memory";
    case rl::test_result_unitialized_access: return "read of memory that no write happens before";
    case rl::test_result_livelock: return "a loop that makes no progress";
    case rl::test_result_deadlock: return "deadlock: every unfinished thread is blocked";
    default: return rl::test_result_str(result);
  }
}

template <unsigned Threads>
checker::verdict run_suite(const client& c, const settings& s) {
  silence nothing;
  std::ostream quiet(&nothing);
  rl::test_params params;
  params.output_stream = params.progress_stream = &quiet;
  params.iteration_count = s.executions;
  params.context_bound = s.preemptions;
  params.search_type = s.how == search::full    ? rl::sched_full
                       : s.how == search::bound ? rl::sched_bound
                                                : rl::sched_random;
  current_run::what = &c;
  current_run::how = &s;
  current_run::params = &params;
  current_run::executions = 0;
  current_run::limited = false;

  const auto start = std::chrono::steady_clock::now();
  rl::simulate<suite<Threads>>(params);
  checker::verdict v;
  v.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  v.executions = current_run::executions;
  v.exhaustive = s.how == search::full;
  v.bound = s.how == search::full ? "none"
            : s.how == search::bound
                ? std::to_string(s.preemptions) + (s.preemptions == 1 ? " preemption" : " preemptions")
                : std::to_string(s.executions) + " random";
  if (params.test_result == rl::test_result_until_condition_hit) {
    v.outcome = checker::outcome::limit;
    v.message = "stopped after " + std::to_string(s.limit) + " executions";
  } else if (params.test_result != rl::test_result_success) {
    v.outcome = checker::outcome::violation;
    v.message = failure_of(params.test_result);
    v.trace = recorder::history();
  }
  return v;
}

}  // namespace

checker::verdict run(const client& c, const settings& s) {
  switch (c.threads) {
    case 2: return run_suite<2>(c, s);
    case 3: return run_suite<3>(c, s);
    default: throw std::invalid_argument("licit: Relacy runs clients of two or three threads");
  }
}

}  // namespace licit::models::relacy
