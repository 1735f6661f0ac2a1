// The clients of a structure's suite as programs: std::thread, std::atomic, and the orders of the run-time copy of its
// table, of which the second argument makes a row wrong. Compiled with LICIT_SUITE, the suite, and LICIT_HEADER, where
// it is. With LICIT_BY_POLICY, too, it explores them over the checker's policy.
//   suites PROGRAM [MUTANT]
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <licit/checker/live_orders.hpp>
#include <licit/checker/model.hpp>
#include <licit/checker/native.hpp>
#include <licit/checker/run.hpp>
#include <licit/checker/site_rules.hpp>
#include <licit/deque/asymmetric.hpp>
#include <licit/deque/order.hpp>

#include LICIT_HEADER
#include "show/essence.hpp"
#include "suites/line.hpp"
#include "suites/program.hpp"

namespace {

using licit::order;
using licit::checker::detail::live_row_of;
using licit::checker::detail::ordering_site;
using licit::suites::client_line;
using suite = licit::suites::LICIT_SUITE;

/// Whether this execution comes to a site for the first time. The runtime puts globals back before each.
template <class Site>
bool is_first() {
  static bool been = false;
  return !std::exchange(been, true);
}
template <class Site>
bool is_left_out() {
  return live_row_of<Site>().dropped || (live_row_of<Site>().dropped_first && is_first<Site>());
}

#ifdef LICIT_BY_POLICY

using live = licit::checker::model;

#else

/// checker::native with orders that are known at run time.
struct live : licit::checker::native {
  using base = licit::checker::native;

  template <class T>
  class atomic : public base::atomic<T> {
    using all = base::atomic<T>;
    using by = licit::checker::detail::difference_of<T>;

   public:
    using all::all, all::operator=, all::load, all::store, all::exchange, all::compare_exchange,
                    all::compare_exchange_weak, all::fetch_add, all::fetch_sub, all::fetch_or, all::fetch_and,
                    all::fetch_xor, all::futex_wait, all::futex_wait_for;

    template <ordering_site Site>
    T load(Site) const {
      return all::load(live_row_of<Site>().success);
    }
    template <ordering_site Site>
    void store(T value, Site) {
      if (!is_left_out<Site>()) all::store(value, live_row_of<Site>().success);
    }
    template <ordering_site Site>
    T exchange(T value, Site) {
      return all::exchange(value, live_row_of<Site>().success);
    }
    template <ordering_site Site>
    bool compare_exchange(T& expected, T desired, Site) {
      const auto& row = live_row_of<Site>();
      if (!row.blind) return all::compare_exchange(expected, desired, row.success, row.failure);
      all::store(desired, order::relaxed);
      return true;
    }
    template <ordering_site Site>
    bool compare_exchange_weak(T& expected, T desired, Site s) {
      const auto& row = live_row_of<Site>();
      if (!row.blind) return all::compare_exchange_weak(expected, desired, row.success, row.failure);
      return compare_exchange(expected, desired, s);
    }
    template <ordering_site Site>
    T fetch_add(by amount, Site) {
      return all::fetch_add(amount, live_row_of<Site>().success);
    }
    template <ordering_site Site>
    T fetch_sub(by amount, Site) {
      return all::fetch_sub(amount, live_row_of<Site>().success);
    }
    template <ordering_site Site>
    T fetch_or(T bits, Site) {
      return all::fetch_or(bits, live_row_of<Site>().success);
    }
    template <ordering_site Site>
    T fetch_and(T bits, Site) {
      return all::fetch_and(bits, live_row_of<Site>().success);
    }
    template <ordering_site Site>
    T fetch_xor(T bits, Site) {
      return all::fetch_xor(bits, live_row_of<Site>().success);
    }
    template <ordering_site Site>
    void futex_wait(T old, Site) const {
      all::futex_wait(old, live_row_of<Site>().success);
    }
    template <ordering_site Site>
    void futex_wait_for(T old, std::chrono::nanoseconds most, Site) const {
      // Over the policy a limit may be later than the client says, who says 0.
      all::futex_wait_for(old, std::max(most, std::chrono::nanoseconds(1)), live_row_of<Site>().success);
    }
  };

  template <class T>
  class plain : public base::plain<T> {
    using all = base::plain<T>;

   public:
    using all::all;

    T read() const {
      const T value = all::read();
      asm volatile("" : : "m"(value));  // the compiler does not leave out a read whose value nobody uses
      return value;
    }
  };

  using base::fence;
  template <ordering_site Site>
  static void fence(Site) {
    if (is_left_out<Site>()) return;
    const auto& row = live_row_of<Site>();
    if constexpr (Site::entry.kind == licit::operation::light_fence) {
      if (!row.symmetric) licit::native::compiler_barrier();
    } else if constexpr (Site::entry.kind == licit::operation::heavy_fence) {
      row.symmetric ? base::fence() : licit::membarrier();
    } else {
      base::fence(row.success);
    }
  }
  struct fences {
    template <class Site>
    void operator()(Site s) const {
      fence(s);
    }
  };

  /// As the other door has it: `assert` is what the runtime looks at.
  static void check(bool holds, std::string_view property) { base::check(holds, property); }
  static void invariant(int number, bool holds) {
    if (!holds) base::check(false, "invariant I" + std::to_string(number));
  }
};

#endif

}  // namespace

#ifndef LICIT_BY_POLICY
/// The fences of its table, too, which would be licit::native's: it is one.
template <class Policy>
  requires std::is_base_of_v<live, Policy>
struct licit::asymmetric_policy<Policy> : Policy {
  static constexpr bool asymmetric = true;
};
template <class Policy>
  requires std::is_base_of_v<live, Policy>
struct licit::late_asymmetric_policy<Policy> : licit::asymmetric_policy<Policy> {};
#endif

namespace {

#ifdef LICIT_BY_POLICY

/// What the check of the program as it is has to say.
void say(const licit::checker::verdict& v, std::size_t distinct) {
  std::printf("%s: %llu executions, %llu blocked, %zu distinct\n", name(v.outcome).data(),
              static_cast<unsigned long long>(v.executions), static_cast<unsigned long long>(v.blocked), distinct);
}

template <class Program, class... With>
void run(unsigned count, const With&... with) {
  std::set<std::uint64_t> essences;
  licit::checker::options o;
  o.leaks = false;
  o.observe = [&](const licit::checker::detail::graph& g) {
    essences.insert(licit::checker::detail::essence(g).hash());
  };
  licit::checker::verdict v;
  if constexpr (sizeof...(With) == 0) {
    v = licit::checker::run_program<Program>(o);
  } else {
    v = licit::checker::run_program_with<Program>(with..., count, o);
  }
  say(v, essences.size());
}

#else

template <class Program, class... With>
void run(unsigned count, const With&... with) {
  std::optional<Program> p(std::in_place, with...);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != count; ++i) threads.emplace_back([&p, i] { p->thread(i); });
  for (std::thread& t : threads) t.join();
  p->finish();
}

#endif

/// Runs what is asked for of a suite's list.
struct programs {
  std::string_view asked;
  bool found = false;

  template <template <class> class Client>
  void lines(std::span<const client_line> all) {
    for (const client_line& one : all) {
      if (one.name != asked) continue;
      found = true;
      const licit::suites::line parsed = licit::suites::parse(one.text, licit::suites::vocabulary_of<Client<live>>());
      run<licit::suites::line_program<Client, live>>(parsed.threads, parsed);
    }
  }
  template <template <class> class Program>
  void add() {
    if (Program<live>::about.name != asked) return;
    found = true;
    run<Program<live>>(Program<live>::about.threads);
  }
};

}  // namespace

int main(int argc, char** argv) {
  programs all{argc < 2 ? "" : argv[1]};
  bool known = argc < 3;
  for (const licit::suites::mutant& m : suite::mutants) {
    if (known || m.name != argv[2]) continue;
    licit::checker::live_orders<suite::orders>::apply(m.what);
    known = true;
  }
#ifndef LICIT_BY_POLICY
  (void)licit::asymmetric_fences();  // registers the process for membarrier
#endif
  if (known) suite::programs(all);
  return known && all.found ? 0 : 3;
}
