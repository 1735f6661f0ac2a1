/// A client program as a Relacy test suite. Each instantiation takes seconds to compile.
#ifndef LICIT_MODELS_RELACY_SUITE_HPP
#define LICIT_MODELS_RELACY_SUITE_HPP

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <ostream>
#include <span>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>

#include "relacy/model.hpp"
#include "relacy/run.hpp"
#include "suites/structure.hpp"

namespace licit::models::relacy {

/// Swallows what Relacy prints, without an allocation that it would count.
class silence : public std::streambuf {
  int_type overflow(int_type c) override { return traits_type::not_eof(c); }
};

/// What the suite, which Relacy constructs itself, needs to know of its run.
struct current_run {
  static inline const settings* how = nullptr;
  static inline const rl::test_params* params = nullptr;
  static inline std::uint64_t executions = 0;
  static inline bool limited = false;
};

/// `Make` says what the program is, and makes it: `type` and `at(place)`.
template <class Make, unsigned Threads>
struct suite : rl::test_suite<suite<Make, Threads>, Threads> {
  using program = typename Make::type;

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
    client_ = Make::at(place);
  }

  void thread(unsigned i) { client_->thread(i); }

  void after() {
    client_->finish();
    std::destroy_at(client_);
    model::check(arena::instance().live() == 0, "leak: a ring was not freed with its deque");
  }

 private:
  alignas(program) static inline std::byte place[sizeof(program)];
  program* client_ = nullptr;
};

inline std::string failure_of(rl::test_result_e result) {
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

/// Runs the program as often as the settings say.
template <class Make, unsigned Threads>
checker::verdict run(const settings& s) {
  silence nothing;
  std::ostream quiet(&nothing);
  rl::test_params params;
  params.output_stream = params.progress_stream = &quiet;
  params.iteration_count = s.executions;
  params.context_bound = s.preemptions;
  params.search_type = s.how == search::full    ? rl::sched_full
                       : s.how == search::bound ? rl::sched_bound
                                                : rl::sched_random;
  current_run::how = &s;
  current_run::params = &params;
  current_run::executions = 0;
  current_run::limited = false;

  const auto start = std::chrono::steady_clock::now();
  rl::simulate<suite<Make, Threads>>(params);
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

/// Relacy constructs suites itself, so the line that is run stands beside it.
template <template <class> class Client>
struct of_line {
  using type = suites::line_program<Client, model>;
  static inline const suites::line* current = nullptr;
  static type* at(void* place) { return ::new (place) type(*current); }
};

template <template <class> class Program>
struct of_program {
  using type = Program<model>;
  static type* at(void* place) { return ::new (place) type(); }
};

template <template <class> class Client>
checker::verdict run_line(const suites::line& l, const settings& s) {
  of_line<Client>::current = &l;
  switch (l.threads) {
    case 2: return run<of_line<Client>, 2>(s);
    case 3: return run<of_line<Client>, 3>(s);
    default: throw std::invalid_argument("licit: Relacy runs clients of two or three threads");
  }
}

/// Gives the programs of an entry that Relacy can run their way to it.
class program_list {
 public:
  explicit program_list(suites::structure& to) : to_{to} {}

  template <template <class> class Client>
  void lines(std::span<const suites::client_line> all) {
    for (const suites::client_line& one : all) {
      if (one.relacy == suites::reach::none) continue;
      const suites::line parsed = suites::parse(one.text, suites::vocabulary_of<Client<model>>());
      find(one.name).under_relacy = [parsed](const settings& s) { return run_line<Client>(parsed, s); };
    }
  }
  template <template <class> class Program>
  void add() {
    constexpr const auto& about = Program<model>::about;
    if constexpr (about.relacy != suites::reach::none) {
      find(about.name).under_relacy = [](const settings& s) { return run<of_program<Program>, about.threads>(s); };
    }
  }

 private:
  suites::program& find(std::string_view name) {
    const auto found = std::ranges::find(to_.programs, name, [](const suites::program& p) { return p.about.name; });
    if (found == to_.programs.end()) throw std::logic_error("licit: no program " + std::string(name));
    return *found;
  }

  suites::structure& to_;
};

}  // namespace licit::models::relacy

#endif
