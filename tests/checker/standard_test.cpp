/// std.hpp: programs that are written for std:: over the checker, and the audit by lines of the source.
#include <array>
#include <atomic>
#include <cassert>
#include <map>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <licit/audit/source_sites.hpp>
#include <licit/checker/run.hpp>
#include <licit/checker/std.hpp>

#include <gtest/gtest.h>

#include "standard_programs.hpp"

namespace licit::checker_test {
namespace {

namespace concurrent = licit::checker::standard;
using checker::check;
using checker::outcome;
using checker::plain;
using checker::verdict;
using checker::violation;
using concurrent::memory_order_acq_rel;
using concurrent::memory_order_acquire;
using concurrent::memory_order_relaxed;
using concurrent::memory_order_release;
using concurrent::memory_order_seq_cst;

// --- the same verdicts and counts as by a table

template <template <class> class Client>
class doors {
 public:
  doors()
      : table{checker::run_program<Client<by_table>>()},
        source{checker::run_program<Client<by_source>>()},
        body{check(start_and_join<Client<by_body>>)} {}

  void expect_equal() const {
    for (const verdict* v : {&source, &body}) {
      EXPECT_EQ(v->outcome, table.outcome) << v->message << v->trace;
      EXPECT_EQ(v->kind, table.kind) << v->message << v->trace;
      if (table.outcome != outcome::ok) continue;  // how many there were before it is the search's business
      EXPECT_EQ(v->blocked, table.blocked);
      if (requires { Client<by_table>::waits; }) {
        EXPECT_LE(v->executions, table.executions);  // another round of a loop may be explored, by what is on the stack
      } else {
        EXPECT_EQ(v->executions, table.executions);
      }
    }
  }

  verdict table, source, body;
};

template <template <class> class Client>
void expect_right() {
  const doors<Client> now;
  now.expect_equal();
  EXPECT_EQ(now.table.outcome, outcome::ok) << now.table.message << now.table.trace;
  EXPECT_GT(now.table.executions, 1U);
}

/// A row is weakened in the one table that all doors take their orders from.
template <template <class> class Client>
void expect_wrong(std::string_view site, violation kind, order failure = order::relaxed) {
  checker::live_orders<client_orders>::set(client_orders.find(site), order::relaxed, failure);
  const doors<Client> now;
  checker::live_orders<client_orders>::reset();
  now.expect_equal();
  EXPECT_EQ(now.table.kind, kind) << now.table.message;
}

TEST(standard, passes_messages_as_by_a_table) {
  expect_right<message_passing>();
  expect_wrong<message_passing>("message.raise", violation::race);
  expect_wrong<message_passing>("message.see", violation::race);
}
TEST(standard, buffers_stores_as_by_a_table) {
  expect_right<store_buffering>();
  expect_wrong<store_buffering>("buffer.store", violation::assertion);
  expect_wrong<store_buffering>("buffer.load", violation::assertion);
}
TEST(standard, locks_by_peterson_as_by_a_table) {
  expect_right<peterson>();
  expect_wrong<peterson>("peterson.enter", violation::race);
  expect_wrong<peterson>("peterson.look", violation::race);
}
TEST(standard, has_a_stack_as_by_a_table) {
  expect_right<stack>();
  expect_wrong<stack>("stack.push", violation::race);
  expect_wrong<stack>("stack.top", violation::race, order::acquire);
}
TEST(standard, has_a_ring_as_by_a_table) {
  expect_right<ring>();
  expect_wrong<ring>("ring.publish", violation::race);
  expect_wrong<ring>("ring.room", violation::race);
}

// --- the names of std::, each over both

struct of_std {
  template <class T>
  using atomic = std::atomic<T>;
  using flag = std::atomic_flag;
};
struct of_checker {
  template <class T>
  using atomic = concurrent::atomic<T>;
  using flag = concurrent::atomic_flag;
};

struct pair_of_ints {
  int a, b;
  friend bool operator==(const pair_of_ints&, const pair_of_ints&) = default;
};

template <class Door>
struct every_name {
  template <class T>
  using atomic = typename Door::template atomic<T>;

  static void integers() {
    atomic<int> n = 1;
    assert(n.is_lock_free() && n == 1);
    n = 2;
    n.store(n.load() + 1, memory_order_release);
    assert(n.exchange(4) == 3 && n.fetch_add(2) == 4 && n.fetch_sub(1, memory_order_acq_rel) == 6);
    assert(n.fetch_or(8) == 5 && n.fetch_and(12) == 13 && n.fetch_xor(1) == 12 && n == 13);
    assert(++n == 14 && n++ == 14 && --n == 14 && n-- == 14 && n.load(memory_order_acquire) == 13);
    assert((n += 2) == 15 && (n -= 1) == 14 && (n |= 1) == 15 && (n &= 6) == 6 && (n ^= 2) == 4);
    int expected = 5;
    assert(!n.compare_exchange_strong(expected, 9) && expected == 4);
    assert(n.compare_exchange_strong(expected, 6, memory_order_acq_rel));
    assert(!n.compare_exchange_strong(expected, 7, memory_order_release, memory_order_relaxed) && expected == 6);
    while (!n.compare_exchange_weak(expected, 8)) {
    }
    while (!n.compare_exchange_weak(expected = 8, 9, memory_order_seq_cst, memory_order_acquire)) {
    }
    atomic<unsigned char> small(255);
    assert(++small == 0 && --small == 255 && (small += 2) == 1 && (small -= 2) == 255);
  }
  static void others() {
    std::array<long, 4> cells{};
    atomic<long*> p = nullptr;
    p = cells.data();
    assert(p.fetch_add(2) == cells.data() && p++ == &cells[2] && --p == &cells[2] && (p -= 1) == &cells[1]);
    atomic<double> sum{0.5};
    assert((sum += 1.25) == 1.75 && sum.fetch_sub(0.75) == 1.75 && sum == 1.0);
    atomic<bool> set{false};
    assert(!set.exchange(true) && (set = true) && set);
    atomic<pair_of_ints> both(pair_of_ints{1, 2});
    assert(both.load() == (pair_of_ints{1, 2}) && both.exchange({3, 4}) == (pair_of_ints{1, 2}));
    both.notify_one();
    sum.wait(2.0);
    sum.notify_all();
  }
  static void functions() {
    atomic<int> n(1);
    int expected = 1;
    assert(atomic_is_lock_free(&n) && atomic_load(&n) == 1 && atomic_load_explicit(&n, memory_order_acquire) == 1);
    atomic_store(&n, 2);
    atomic_store_explicit(&n, 3, memory_order_release);
    assert(atomic_exchange(&n, 4) == 3 && atomic_exchange_explicit(&n, 5, memory_order_relaxed) == 4);
    assert(!atomic_compare_exchange_strong(&n, &expected, 6) && expected == 5);
    assert(atomic_compare_exchange_strong_explicit(&n, &expected, 6, memory_order_acq_rel, memory_order_relaxed));
    assert(!atomic_compare_exchange_weak(&n, &expected, 7) && expected == 6);
    assert(!atomic_compare_exchange_weak_explicit(&n, &(expected = 5), 7, memory_order_acq_rel, memory_order_acquire));
    assert(atomic_fetch_add(&n, 1) == 6 && atomic_fetch_sub_explicit(&n, 1, memory_order_relaxed) == 7);
    assert(atomic_fetch_or(&n, 1) == 6 && atomic_fetch_and(&n, 5) == 7 && atomic_fetch_xor(&n, 1) == 5);
    atomic_wait(&n, 5);
    atomic_wait_explicit(&n, 5, memory_order_acquire);
    atomic_notify_one(&n);
    atomic_notify_all(&n);
    typename Door::flag f = ATOMIC_FLAG_INIT;
    assert(!f.test() && !f.test_and_set() && f.test(memory_order_acquire) && f.test_and_set(memory_order_acquire));
    f.clear(memory_order_release);
    f.wait(true);
    assert(!atomic_flag_test_and_set(&f) && atomic_flag_test_and_set_explicit(&f, memory_order_acquire));
    atomic_flag_clear(&f);
    atomic_flag_clear_explicit(&f, memory_order_release);
    f.notify_one();
    f.notify_all();
  }
  static void all() {
    integers();
    others();
    functions();
  }
};
TEST(standard, has_the_names_of_std) {
  every_name<of_std>::all();
  const verdict v = check(every_name<of_checker>::all);
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
}

template <template <class> class Atomic, class T>
concept adds = requires(Atomic<T>& a, T v) { a.fetch_add(v); };
template <template <class> class Atomic, class T>
concept ors = requires(Atomic<T>& a, T v) { a |= v; };
template <template <class> class Atomic, class T>
concept counts = requires(Atomic<T>& a) { ++a; };
template <template <class> class Atomic>
constexpr bool constrained_as_the_standard =
    adds<Atomic, int> && ors<Atomic, unsigned char> && counts<Atomic, long> && adds<Atomic, double> &&
    !ors<Atomic, double> && !counts<Atomic, double> && !adds<Atomic, bool> && !ors<Atomic, bool> &&
    !counts<Atomic, bool> && !adds<Atomic, pair_of_ints> && counts<Atomic, int*> && !ors<Atomic, int*> &&
    !std::is_copy_constructible_v<Atomic<int>> && !std::is_copy_assignable_v<Atomic<int>> &&
    std::is_convertible_v<int, Atomic<int>> && std::is_convertible_v<Atomic<int>, int> &&
    std::is_same_v<typename Atomic<int>::value_type, int> && Atomic<int>::is_always_lock_free;
static_assert(constrained_as_the_standard<std::atomic>);
static_assert(constrained_as_the_standard<concurrent::atomic>);
static_assert(!counts<concurrent::atomic, void*>);
static_assert(std::is_same_v<decltype(concurrent::atomic(7L)), concurrent::atomic<long>>);

// --- threads, locks, waiting

std::string said_by(void (*body)()) {
  checker::outcomes said;
  const verdict v = check(body, {}, &said);
  if (v.outcome != outcome::ok) return std::string(name(v.kind)) + ": " + v.message + "\n" + v.trace;
  std::string all;
  for (const auto& [text, count] : said) all += (all.empty() ? "" : ", ") + text + " x" + std::to_string(count);
  return all;
}

TEST(standard, says_how_executions_went) {
  EXPECT_EQ(said_by([] {
              concurrent::atomic<int> x(0);
              concurrent::atomic<int> y(0);
              concurrent::thread other([&] {
                x.store(1);
                checker::say("a=%d", y.load());
              });
              y.store(1);
              checker::say("b=%d", x.load());
              other.join();
            }),
            "b=0 a=1 x1, b=1 a=0 x1, b=1 a=1 x1");
}

TEST(standard, says_once_how_each_execution_of_a_sample_went) {
  for (const checker::mode how : {checker::mode::random, checker::mode::pct}) {
    checker::outcomes said;
    const verdict v = check([] { checker::say("ended"); }, {.how = how, .sample = {.executions = 10}}, &said);
    EXPECT_EQ(v.outcome, outcome::ok) << v.message;
    EXPECT_EQ(said, (checker::outcomes{{"ended", 10}}));
  }
}

TEST(standard, nobody_is_asked_to_stop_without_a_stop_state) {
  EXPECT_EQ(said_by([] {
              concurrent::stop_source none(concurrent::nostopstate);
              concurrent::jthread nobody;
              checker::say("%d %d", static_cast<int>(none.request_stop()), static_cast<int>(nobody.request_stop()));
            }),
            "0 0 x1");
}

TEST(standard, refuses_orders_that_an_operation_does_not_have) {
  const auto refused = [](void (*body)(concurrent::atomic<int>&)) {
    static void (*does)(concurrent::atomic<int>&) = nullptr;
    does = body;
    const verdict v = check([] {
      concurrent::atomic<int> x(0);
      does(x);
    });
    return v.kind == violation::unsupported ? v.message : std::string(name(v.kind));
  };
  using x_type = concurrent::atomic<int>;
  EXPECT_NE(refused([](x_type& x) {
              (void)x.load(std::memory_order_release);
            }).find("thread 0 does a load with memory_order_release at standard_test.cpp:"),
            std::string::npos);
  EXPECT_NE(refused([](x_type& x) { (void)x.load(std::memory_order_acq_rel); }).find("a load"), std::string::npos);
  EXPECT_NE(refused([](x_type& x) { x.wait(1, std::memory_order_release); }).find("a load"), std::string::npos);
  EXPECT_NE(refused([](x_type& x) { x.store(1, std::memory_order_acquire); }).find("a store"), std::string::npos);
  EXPECT_NE(refused([](x_type& x) {
              int old = 0;
              x.compare_exchange_weak(old, 1, std::memory_order_seq_cst, std::memory_order_acq_rel);
            }).find("a failed compare_exchange with memory_order_acq_rel"),
            std::string::npos);
  EXPECT_EQ(refused([](x_type& x) {
              int old = 1;
              x.compare_exchange_strong(old, 1, std::memory_order_relaxed, std::memory_order_seq_cst);
              x.store(x.load(std::memory_order_consume), std::memory_order_release);
              x.exchange(1, std::memory_order_acquire);
            }),
            name(violation::none));
}

TEST(standard, starts_threads_with_arguments_and_joins_them) {
  EXPECT_EQ(said_by([] {
              int sum = 0;
              concurrent::thread first([](int* to, int by) { *to += by; }, &sum, 2);
              assert(first.joinable() && first.get_id() != concurrent::this_thread::get_id());
              concurrent::thread moved(std::move(first));
              moved.join();
              {
                const concurrent::jthread last([&sum](std::unique_ptr<int> by) { sum += *by; },
                                               std::make_unique<int>(3));
              }
              checker::say("%d", sum);
            }),
            "5 x1");
}

TEST(standard, asks_threads_to_stop) {
  EXPECT_EQ(said_by([] {
              concurrent::atomic<int> rounds(0);
              {
                const concurrent::jthread loop([&](const concurrent::stop_token& token) {
                  while (!token.stop_requested()) concurrent::this_thread::yield();
                  ++rounds;
                });
              }
              checker::say("%d", rounds.load());
            }),
            "1 x1");
}

TEST(standard, locks_mutexes) {
  EXPECT_EQ(said_by([] {
              concurrent::mutex m;
              plain<int> n = 0;
              const auto count = [&] {
                const concurrent::lock_guard hold(m);
                ++n;
                n += 1;
              };
              concurrent::thread other(count);
              count();
              other.join();
              concurrent::unique_lock late(m, concurrent::defer_lock);
              late.lock();
              checker::say("%d", n.read());
            }),
            "4 x2");
}

TEST(standard, waits_for_conditions) {
  const auto told = [](bool tells) {
    concurrent::mutex m;
    concurrent::condition_variable changed;
    plain<bool> ready = false;
    concurrent::thread other([&] {
      {
        const concurrent::scoped_lock hold(m);
        ready = true;
      }
      if (tells) changed.notify_one();
    });
    {
      concurrent::unique_lock hold(m);
      changed.wait(hold, [&] { return ready.read(); });
    }
    other.join();
  };
  const verdict right = check([&] { told(true); });
  EXPECT_EQ(right.outcome, outcome::ok) << right.message << right.trace;
  EXPECT_NE(check([&] { told(false); }).outcome, outcome::ok);
}

TEST(standard, finds_lost_wake_ups) {
  const verdict v = check([] {
    concurrent::atomic<int> x(0);
    concurrent::thread other([&] { x.store(1); });  // nobody is notified
    x.wait(0);
    other.join();
  });
  EXPECT_EQ(v.kind, violation::lost_wakeup) << v.message;
}

// --- what is wrong is found, with its places

/// "standard_test.cpp:12", for the line that many lines below.
std::string below(unsigned lines, std::source_location at = std::source_location::current()) {
  return "standard_test.cpp:" + std::to_string(at.line() + lines);
}

TEST(standard, finds_races_of_plain_data_and_names_both_places) {
  const std::string write = below(4);
  const std::string read = below(4);
  const verdict v = check([] {
    plain<int> data;
    concurrent::thread other([&] { data = 1; });
    const int seen = data;
    other.join();
    checker::say("%d", seen);
  });
  EXPECT_EQ(v.kind, violation::race);
  EXPECT_NE(v.message.find(write), std::string::npos) << v.message;
  EXPECT_NE(v.message.find(read), std::string::npos) << v.message;
  EXPECT_NE(v.trace.find(write), std::string::npos) << v.trace;
  EXPECT_NE(v.trace.find(read), std::string::npos) << v.trace;
}

struct node {
  concurrent::atomic<int> n{0};
};
TEST(standard, checks_new_and_delete) {
  EXPECT_EQ(check([] { const concurrent::atomic<int*> kept = new int(1); }).kind, violation::leak);
  EXPECT_EQ(check([] {
              auto* const p = new int(1);
              concurrent::thread other([p] { delete p; });
              delete p;
              other.join();
            }).kind,
            violation::bad_free);
  EXPECT_EQ(check([] {
              auto* const p = new node;
              concurrent::thread other([p] { p->n.fetch_add(1); });
              p->n.fetch_add(1);
              delete p;
              other.join();
            }).kind,
            violation::use_after_free);
  EXPECT_EQ(check([] {
              auto* const p = new node;
              concurrent::thread([p] { delete p; }).join();
              p->n.store(1);
            }).kind,
            violation::use_after_free);
  EXPECT_EQ(check([] { const concurrent::atomic<int*> kept = new int(1); }, {.leaks = false}).outcome, outcome::ok);
}

TEST(standard, finds_what_threads_do_wrong) {
  const verdict not_joined = check([] { const concurrent::thread other([] {}); });
  EXPECT_EQ(not_joined.kind, violation::assertion);
  EXPECT_NE(not_joined.message.find("joined before it is destroyed"), std::string::npos);
  EXPECT_EQ(check([] { concurrent::thread([] { throw 1; }).join(); }).kind, violation::exception);
  EXPECT_EQ(check([] {
              std::vector<concurrent::thread> all;
              for (unsigned n = 0; n != checker::max_threads; ++n) all.emplace_back([] {});
              for (concurrent::thread& t : all) t.join();
            }).kind,
            violation::unsupported);
  const verdict elsewhere = checker::run_program<message_passing<by_source>>();
  EXPECT_EQ(elsewhere.outcome, outcome::ok);
}

struct starts_a_thread {
  static constexpr unsigned threads = 1;
  void thread(unsigned) {
    concurrent::thread([] {}).join();
  }
  void finish() {}
};
TEST(standard, starts_no_threads_of_a_program_that_has_its_own) {
  const verdict v = checker::run_program<starts_a_thread>();
  EXPECT_EQ(v.kind, violation::assertion);
  EXPECT_NE(v.message.find("the body of licit::checker::check"), std::string::npos) << v.message;
}

/// A variable of the body that a loop of another thread counts in: its rounds differ.
TEST(standard, sees_loops_that_change_the_body_s_variables) {
  EXPECT_EQ(said_by([] {
              concurrent::atomic<int> flag(0);
              int tries = 0;
              concurrent::thread other([&] {
                while (flag.load(memory_order_relaxed) == 0 && ++tries != 3) {
                }
              });
              flag.store(1, memory_order_relaxed);
              other.join();
              checker::say("%d", tries);
            }),
            "0 x1, 1 x1, 2 x1, 3 x1");
}

TEST(standard, samples) {
  checker::options o{.how = checker::mode::pct};
  o.sample.executions = 100;
  const verdict v = check(start_and_join<ring<by_body>>, o);
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
  EXPECT_EQ(v.executions, 100U);
}

// --- the audit

using audit::need;
using audit::source_report;

std::map<std::string, need> needs_of(const source_report& r) {
  std::map<std::string, need> all;
  for (const audit::source_site& s : r.sites) all[s.name] = s.verdict;
  return all;
}

template <std::memory_order Raise>
void message() {
  plain<int> data;
  concurrent::atomic<int> flag(0);
  concurrent::thread other([&] {
    data = 1;
    flag.store(1, Raise);
  });
  if (flag.load(memory_order_acquire) == 1) assert(data == 1);
  other.join();
}

TEST(source_audit, says_what_is_needed_and_how_it_breaks) {
  const source_report r = audit::audit_source(message<memory_order_release>);
  ASSERT_EQ(r.sites.size(), 2U);
  EXPECT_TRUE(r.decided());
  const std::string text = audit::text(r);
  EXPECT_NE(text.find(" store          release -> relaxed     needed: data race: "), std::string::npos) << text;
  EXPECT_NE(text.find(" load           acquire -> relaxed     needed: data race: "), std::string::npos) << text;
  for (const audit::source_site& s : r.sites) EXPECT_EQ(s.verdict, need::needed) << s.name;
}

TEST(source_audit, says_what_is_too_strong) {
  const source_report r = audit::audit_source(message<memory_order_seq_cst>);
  ASSERT_EQ(r.sites.size(), 2U);
  const audit::source_site& store = r.sites[0];
  EXPECT_EQ(store.verdict, need::not_needed);
  ASSERT_EQ(store.weaker.size(), 2U);
  EXPECT_EQ(store.weaker[0].to, order::release);
  EXPECT_EQ(store.weaker[0].result.outcome, outcome::ok);
  EXPECT_EQ(store.weaker[1].to, order::relaxed);
  EXPECT_EQ(store.weaker[1].result.outcome, outcome::violation);
  EXPECT_EQ(store.weaker[1].result.kind, "data race");
  EXPECT_NE(audit::text(r).find("seq_cst -> release     not needed by this program"), std::string::npos);
}

TEST(source_audit, leaves_the_program_as_it_was) {
  audit::audit_source(message<memory_order_release>);
  EXPECT_EQ(check(message<memory_order_release>).outcome, outcome::ok);
}

TEST(source_audit, says_so_of_a_program_that_is_wrong_as_it_is) {
  const source_report r = audit::audit_source(message<memory_order_relaxed>);
  EXPECT_EQ(r.sufficient.kind, violation::race);
  EXPECT_TRUE(r.sites.empty());
  EXPECT_EQ(audit::text(r).substr(0, 11), "data race: ");
}

TEST(source_audit, looks_at_fences_updates_failures_and_operators) {
  const std::string fence = below(9) + " fence";
  const std::string add = below(9) + " update";
  const std::string increment = below(9) + " update";
  const std::string exchange = below(11) + " compare-exchange";
  const std::string conversion = below(11) + " load";
  const source_report r = audit::audit_source([] {
    concurrent::atomic<int> flag(0);
    plain<int> data;
    concurrent::thread other([&] {
      concurrent::atomic_thread_fence((data = 1, memory_order_release));
      flag.fetch_add(1, memory_order_relaxed);
      flag++;
    });
    int expected = 0;
    flag.compare_exchange_strong(expected, 0, memory_order_relaxed, memory_order_acquire);
    if (expected == 0) expected = flag;
    if (expected != 0) assert(data == 1);
    other.join();
  });
  const auto needs = needs_of(r);
  ASSERT_EQ(needs.size(), 5U) << audit::text(r);
  EXPECT_EQ(needs.at(fence), need::needed) << audit::text(r);
  EXPECT_EQ(needs.at(add), need::relaxed) << audit::text(r);
  EXPECT_EQ(needs.at(increment), need::not_needed) << audit::text(r);
  EXPECT_EQ(needs.at(exchange), need::needed) << audit::text(r);
  EXPECT_EQ(needs.at(conversion), need::not_needed) << audit::text(r);
  EXPECT_NE(audit::text(r).find(exchange + " on failure"), std::string::npos) << audit::text(r);
}

TEST(source_audit, tells_operations_of_one_line_apart) {
  const source_report r = audit::audit_source([] {
    concurrent::atomic<int> x(0);
    x.store(x.load(memory_order_relaxed) + x.load(memory_order_relaxed), memory_order_relaxed);
  });
  ASSERT_EQ(r.sites.size(), 3U);
  EXPECT_NE(r.sites[0].name, r.sites[1].name);
  EXPECT_NE(audit::text(r).find("nothing is weaker"), std::string::npos);
}

TEST(source_audit, takes_several_programs_and_limits) {
  const auto half = [](bool sees) {
    return audit::source_program([sees](const checker::options& o) {
      return check(
          [sees] {
            plain<int> data;
            concurrent::atomic<int> flag(0);
            concurrent::thread other([&] {
              data = 1;
              flag.store(1, memory_order_release);
            });
            if (flag.load(memory_order_acquire) == 1 && sees) assert(data == 1);
            other.join();
          },
          o);
    });
  };
  for (const auto& [site, what] : needs_of(audit::audit_source(std::vector{half(false)}))) {
    EXPECT_EQ(what, need::not_needed) << site;
  }
  for (const auto& [site, what] : needs_of(audit::audit_source(std::vector{half(false), half(true)}))) {
    EXPECT_EQ(what, need::needed) << site;
  }
  checker::options few;
  few.max_executions = 1;
  EXPECT_EQ(audit::audit_source(std::vector{half(true)}, few).sufficient.outcome, outcome::limit);
}

}  // namespace
}  // namespace licit::checker_test
