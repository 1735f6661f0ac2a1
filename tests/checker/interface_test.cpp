/// The interface of the model's atomics: the standard's names, defaults and constraints, numbers that are not integers,
/// and one program over the model and over the machine that makes every call of the table in models/checker/README.md.
#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>

#include <licit/checker/native.hpp>
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

namespace licit::checker_test {
namespace {

using checker::model;
using checker::native;
using checker::outcome;
using checker::run_program;
using checker::verdict;
using checker::violation;
using enum licit::order;

// --- numbers

/// Two threads add; the sum must be the sum of the values.
template <class Real>
struct sums {
  static constexpr unsigned threads = 2;
  model::atomic<Real> total{Real(0.5), "total"};
  void thread(unsigned i) { i == 0 ? total.fetch_add(Real(1.25), relaxed) : total.fetch_sub(Real(0.25), relaxed); }
  void finish() { model::check(total.load() == Real(1.5), "0.5 + 1.25 - 0.25"); }
};
TEST(interface, adds_floating_point_numbers) {
  for (const verdict& v : {run_program<sums<double>>(), run_program<sums<float>>()}) {
    EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
    EXPECT_EQ(v.executions, 2U);
  }
}

/// The same by a load and a store: one addition is lost.
struct lost_sum {
  static constexpr unsigned threads = 2;
  model::atomic<double> total{0.5};
  void thread(unsigned) { total = total + 1.25; }
  void finish() { model::check(total == 3.0, "both are added"); }
};
TEST(interface, shows_floating_point_numbers_in_traces) {
  const verdict v = run_program<lost_sum>();
  EXPECT_EQ(v.kind, violation::assertion);
  EXPECT_NE(v.trace.find("1.75"), std::string::npos) << v.trace;
}

/// Threads claim cells by a pointer that moves by elements. A claim of two steps would leave the array.
template <bool Atomic>
struct cursor {
  static constexpr unsigned threads = 2;
  std::array<long, 4> cells{};
  model::atomic<long*> next{cells.data(), "next"};
  std::array<long*, 2> mine{};

  void thread(unsigned i) {
    if (Atomic) {
      mine[i] = next.fetch_add(1, relaxed);
    } else {
      mine[i] = next.load(relaxed);
      next.store(mine[i] + 1, relaxed);
    }
  }
  void finish() {
    model::check(mine[0] != mine[1], "each cell is claimed once");
    model::check(next == cells.data() + 2, "two cells are claimed");
    model::check(++next == cells.data() + 3 && --next == cells.data() + 2, "it counts elements");
    model::check((next += 2) == cells.data() + 4 && (next -= 4) == cells.data(), "it counts elements");
    model::check(next++ == cells.data() && next-- == cells.data() + 1, "the value from before");
    model::check(next.fetch_sub(-1) == cells.data() && next == cells.data() + 1, "backwards is forwards");
  }
};
TEST(interface, moves_pointers_by_elements) {
  const verdict v = run_program<cursor<true>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
  EXPECT_EQ(run_program<cursor<false>>().kind, violation::assertion);
}

// --- names, defaults, constraints

/// Store buffering. seq_cst is the default, so both loads cannot miss both stores; with memory_order_release they can.
template <bool Default>
struct store_buffering {
  static constexpr unsigned threads = 2;
  model::atomic<int> x = 0, y = 0;
  std::array<int, 2> seen{};
  void thread(unsigned i) {
    auto& mine = i == 0 ? x : y;
    auto& other = i == 0 ? y : x;
    if (Default) {
      mine = 1;
      seen[i] = other;
    } else {
      mine.store(1, std::memory_order_release);
      seen[i] = other.load(std::memory_order_acquire);
    }
  }
  void finish() { model::check(seen[0] + seen[1] != 0, "somebody sees the other's store"); }
};
TEST(interface, is_seq_cst_by_default) {
  EXPECT_EQ(run_program<store_buffering<true>>().outcome, outcome::ok);
  EXPECT_EQ(run_program<store_buffering<false>>().kind, violation::assertion);
}

/// A lock by compare_exchange_strong of one order: it gives both the acquire of success and the order of failure.
template <std::memory_order Order>
struct spin_lock {
  static constexpr unsigned threads = 2;
  model::atomic<bool> locked;
  model::plain<int> data;
  void thread(unsigned) {
    bool expected = false;
    if (!locked.compare_exchange_strong(expected, true, Order)) return;
    data.write(data.read() + 1);
    locked.store(false, std::memory_order_release);
  }
  void finish() {}
};
TEST(interface, takes_one_order_of_a_compare_exchange) {
  EXPECT_EQ(run_program<spin_lock<std::memory_order_acq_rel>>().outcome, outcome::ok);
  EXPECT_EQ(run_program<spin_lock<std::memory_order_acquire>>().outcome, outcome::ok);
  EXPECT_EQ(run_program<spin_lock<std::memory_order_release>>().kind, violation::race);
}

/// What a failed compare-exchange of one order reads it acquires, if that order acquires.
template <std::memory_order Order>
struct failing {
  static constexpr unsigned threads = 2;
  model::atomic<int> flag;
  model::plain<int> data;
  void thread(unsigned i) {
    if (i == 0) {
      data.write(1);
      flag.store(1, std::memory_order_release);
      return;
    }
    int expected = 0;
    if (!flag.compare_exchange_strong(expected, 0, Order)) (void)data.read();
  }
  void finish() {}
};
TEST(interface, derives_the_order_of_a_failure) {
  EXPECT_EQ(run_program<failing<std::memory_order_seq_cst>>().outcome, outcome::ok);
  EXPECT_EQ(run_program<failing<std::memory_order_acq_rel>>().outcome, outcome::ok);
  EXPECT_EQ(run_program<failing<std::memory_order_release>>().kind, violation::race);
}

template <template <class> class Atomic, class T>
concept adds = requires(Atomic<T>& a, T v) { a.fetch_add(v); };
template <template <class> class Atomic, class T>
concept ors = requires(Atomic<T>& a, T v) { a.fetch_or(v); };
template <template <class> class Atomic, class T>
concept counts = requires(Atomic<T>& a) { ++a; };
struct pair_of_ints {
  int a, b;
};
template <template <class> class Atomic>
constexpr bool constrained_as_the_standard =
    adds<Atomic, int> && ors<Atomic, unsigned char> && counts<Atomic, long> && adds<Atomic, double> &&
    !ors<Atomic, double> && !counts<Atomic, double> && !adds<Atomic, bool> && !ors<Atomic, bool> &&
    !counts<Atomic, bool> && !adds<Atomic, pair_of_ints> && !ors<Atomic, pair_of_ints> &&
    !counts<Atomic, pair_of_ints> && counts<Atomic, int*> && !ors<Atomic, int*> &&
    !std::is_copy_constructible_v<Atomic<int>> && !std::is_copy_assignable_v<Atomic<int>> &&
    std::is_convertible_v<int, Atomic<int>> && std::is_convertible_v<Atomic<int>, int> &&
    std::is_same_v<typename Atomic<int>::value_type, int> && Atomic<int>::is_always_lock_free;
static_assert(constrained_as_the_standard<std::atomic>);
static_assert(constrained_as_the_standard<model::atomic>);
static_assert(constrained_as_the_standard<native::atomic>);
static_assert(!counts<model::atomic, void*> && !counts<native::atomic, void*>);

// --- every call, over both

enum class colour : unsigned char { red, green };

/// One thread makes every call that never waits for another; the waits find what they wait for.
template <class Memory>
struct every_call {
  static constexpr unsigned threads = 1;
  template <class T>
  using atomic = typename Memory::template atomic<T>;

  void integers() {
    atomic<int> a{5, "a"};
    int expected = 5;
    Memory::check(a.load() == 5 && a.load(acquire, "load") == 5 && a == 5, "load");
    a.store(6);
    a.store(6, std::memory_order_relaxed, "store");
    Memory::check(a.exchange(5) == 6 && (a = 5) == 5, "exchange");
    Memory::check(a.compare_exchange(expected, 7, acq_rel, relaxed, "cas") && expected == 5, "compare_exchange");
    Memory::check(!a.compare_exchange(expected, 8) && expected == 7, "compare_exchange of one order");
    Memory::check(a.compare_exchange_strong(expected, 5, acq_rel, acquire), "compare_exchange_strong");
    Memory::check(!a.compare_exchange_strong(expected, 5, std::memory_order_release), "of one order");
    while (!a.compare_exchange_weak(expected, 1, acq_rel, relaxed)) continue;
    expected = 1;
    while (!a.compare_exchange_weak(expected, 2)) continue;
    Memory::check(a.fetch_add(2) == 2 && a.fetch_sub(1, relaxed) == 4 && a == 3, "fetch_add, fetch_sub");
    Memory::check(a.fetch_or(4) == 3 && a.fetch_and(6) == 7 && a.fetch_xor(2) == 6 && a == 4, "bits");
    Memory::check(++a == 5 && a++ == 5 && --a == 5 && a-- == 5 && (a += 3) == 7 && (a -= 3) == 4, "steps");
    Memory::check((a |= 3) == 7 && (a &= 6) == 6 && (a ^= 2) == 4 && a.is_lock_free(), "operators");
    Memory::name(a, "renamed");
  }
  void others() {
    atomic<double> real = 0.25;
    Memory::check((real += 0.5) == 0.75 && real.fetch_sub(0.25) == 0.75 && real == 0.5, "floating point");
    std::array<short, 3> cells{};
    atomic<short*> pointer{cells.data()};
    Memory::check(++pointer == cells.data() + 1 && (pointer += 1) == cells.data() + 2, "pointers");
    atomic<pair_of_ints> pair{pair_of_ints{1, 2}};
    pair_of_ints seen = pair.load();
    Memory::check(pair.compare_exchange_strong(seen, pair_of_ints{3, 4}) && pair.exchange(seen).b == 4, "a struct");
    atomic<colour> paint{colour::red};
    paint = colour::green;
    Memory::check(paint == colour::green, "an enumeration");
    atomic<bool> flag;
    Memory::check(!flag && !flag.exchange(true) && flag, "a truth value");
  }
  void waits() {
    atomic<unsigned> w{1};
    const std::chrono::nanoseconds soon{1};
    Memory::check(w.await([](unsigned v) { return v == 1; }, acquire) == 1 && w.await_change(0) == 1, "await");
    w.await_value(1, relaxed, "await");
    w.exchange_when(1, 2, acquire);
    w.wait(1);
    w.wait(1, std::memory_order_acquire, "wait");
    Memory::check(w.wait_for(1, soon), "another value already");
    w.notify_one();
    w.notify_all("notify");
    w.futex_wait(1);
    w.futex_wait_for(1, soon, acquire, "futex");
    w.futex_wake_one();
    w.futex_wake_all("wake");
  }
  void policy() {
    typename Memory::template plain<int> cell{1, "cell"};
    cell.write(cell.read() + 1);
    typename Memory::ghost ghost;
    ghost.write();
    ghost.read();
    ghost.guess();
    Memory::ghost::claim(false);
    typename Memory::mutex mutex;
    mutex.lock();
    mutex.unlock();
    while (!mutex.try_lock()) continue;
    mutex.unlock();
    Memory::fence();
    Memory::fence(std::memory_order_acquire, "fence");
    Memory::light_fence();
    Memory::heavy_fence();
    Memory::memory()->deallocate(Memory::memory()->allocate(8), 8);
    Memory::invariant(1, true);
    Memory::check(Memory::within(8, [] { return 3; }) == 3 && !Memory::stalled(0), "within, stalled");
    Memory::check(!Memory::leaves_out("call"), "leaves_out");
  }
  void thread(unsigned) {
    integers();
    others();
    waits();
    policy();
  }
  void finish() {}
};
TEST(interface, is_one_over_the_model_and_the_machine) {
  const verdict v = run_program<every_call<model>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << v.trace;
  every_call<native>().thread(0);  // aborts where a check does not hold
}

// --- the table

std::string text_of(const std::string& file) {
  std::ifstream in(std::string(LICIT_SOURCE "/") + file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What matches the expression's first group.
std::set<std::string> matches(const std::string& text, const char* expression) {
  const std::regex wanted(expression);
  std::set<std::string> all;
  for (std::sregex_iterator i(text.begin(), text.end(), wanted), end; i != end; ++i) all.insert((*i)[1]);
  return all;
}

TEST(interface, is_in_the_table_and_the_table_is_in_the_headers) {
  const std::string headers = "models/checker/include/licit/checker/";
  const std::string page = text_of("models/checker/README.md");
  const std::size_t begin = page.find("### The whole interface");
  const std::string table = page.substr(begin, page.find("### Your own clients") - begin);
  std::string calls;  // the first column
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| `")) calls += line.substr(0, line.find(" | ", 2)) + "\n";
  }
  const std::string shared = text_of(headers + "standard_names.hpp");
  const std::string of_model = shared + text_of(headers + "atomic.hpp") + text_of(headers + "model.hpp");
  const std::string of_native =
      shared + text_of(headers + "native.hpp") + text_of("deque/include/licit/deque/native.hpp");
  const std::string test = text_of("tests/checker/interface_test.cpp");
  const std::set<std::string> named = matches(calls, R"(([a-z_]+)\()");
  EXPECT_GE(named.size(), 40U);
  for (const std::string& name : named) {
    EXPECT_TRUE(of_model.find(" " + name + "(") != std::string::npos) << name;
    if (name == "happened") continue;  // the model's only
    EXPECT_TRUE(of_native.find(" " + name + "(") != std::string::npos) << name;
    EXPECT_TRUE(test.find(name + "(") != std::string::npos) << name << " is not called over both";
  }
  const char* const declared =
      R"(\n +(?:static |\[\[nodiscard\]\] )*(?:void|bool|T|decltype\(auto\)|value_type) ([a-z_]+)\()";
  const std::string ours = shared + text_of(headers + "native.hpp");
  for (const std::string& name : matches(ours, declared)) {
    EXPECT_TRUE(named.contains(name) || name == "same" || name == "sum") << name << " is not in the table";
  }
}

}  // namespace
}  // namespace licit::checker_test
