// libFuzzer: random trees of joins and of what joins contain give the results and exceptions of a serial run.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory_resource>
#include <mutex>
#include <numeric>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>

#include "support/items.hpp"

namespace {

enum kind : std::uint8_t { leaf, thrower, fork, loop, reduction, stopped_loop, caught, task, elsewhere, kinds };

/// Runs once for each argument that its parent gives it.
struct node {
  kind what = leaf;
  unsigned with = 0;  ///< 0 to 31
  std::vector<node*> children;
  unsigned at_least = 0;  ///< how often a serial run calls it
  unsigned at_most = 0;   ///< the same, and what others may have begun before a loop ends by an exception
  unsigned reports = 0;   ///< exceptions of a fork that are not the first, in calls that a serial run makes
  std::atomic<unsigned> calls = 0;
};

/// What nodes throw.
struct thrown {
  unsigned number;
};
struct outcome {
  bool threw = false;
  unsigned number = 0;
};

void must(bool holds, const char* what) {
  if (holds) return;
  static std::mutex first;  // libFuzzer ends the process at the first signal: a second one kills it before it reports
  first.lock();
  std::fprintf(stderr, "fork mismatch: %s\n", what);
  std::abort();
}

unsigned mixed(unsigned a, unsigned b) { return (a * 31 + b + 1) * 2'654'435'761U; }
unsigned items_of(const node& n) { return n.with % 12 + (n.with > 24 ? 40 : 1); }
bool throws(const node& n, unsigned x) { return (n.with + x) % 2 == 0; }
char letter_of(unsigned number) { return static_cast<char>('a' + number % 26); }
unsigned hash_of(const std::string& text) {
  return std::accumulate(text.begin(), text.end(), 0U,
                         [](unsigned h, char c) { return mixed(h, static_cast<unsigned>(c)); });
}

/// A tree of a fuzzer's bytes, in preorder. A byte: a kind, and a number. Where there are no more, leaves.
class tree {
 public:
  explicit tree(std::span<const std::uint8_t> bytes) : left_{bytes} { root_ = &grow(0); }

  [[nodiscard]] node& root() const { return *root_; }
  /// About how many calls a run makes.
  [[nodiscard]] std::size_t cost() const { return cost(*root_); }
  std::deque<node>& nodes() { return nodes_; }

 private:
  // NOLINTNEXTLINE(misc-no-recursion)
  node& grow(unsigned depth) {
    node& made = nodes_.emplace_back();
    if (left_.empty() || depth == 12) return made;
    made.what = static_cast<kind>(left_[0] % kinds);
    made.with = left_[0] / kinds;
    left_ = left_.subspan(1);
    for (unsigned n = children_of(made); n != 0; --n) made.children.push_back(&grow(depth + 1));
    return made;
  }
  static unsigned children_of(const node& n) {
    switch (n.what) {
      case fork: return 2 + n.with % 3;
      case loop:
      case reduction:
      case caught:
      case task:
      case elsewhere: return 1;
      default: return 0;
    }
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  [[nodiscard]] static std::size_t cost(const node& n) {
    std::size_t sum = 1;
    for (const node* each : n.children) sum += cost(*each);
    const bool repeats = n.what == loop || n.what == reduction || n.what == stopped_loop;
    return std::min<std::size_t>(sum * (repeats ? items_of(n) : 1), 1'000'000);
  }

  std::deque<node> nodes_;
  std::span<const std::uint8_t> left_;
  node* root_ = nullptr;
};

/// By plain recursion. `may_end`: whether an exception may keep others from beginning this call.
// NOLINTNEXTLINE(misc-no-recursion)
outcome serial(node& n, unsigned x, bool may_end) {
  n.at_least += may_end ? 0 : 1;
  n.at_most += 1;
  const auto child = [&](std::size_t which, unsigned argument, bool ended = false) {
    return serial(*n.children[which], argument, may_end || ended);
  };
  outcome result{.number = mixed(n.with, x)};
  switch (n.what) {
    case thrower: result.threw = throws(n, x); break;
    case fork: {
      outcome first;
      for (std::size_t i = 0; i != n.children.size(); ++i) {
        const outcome one = child(i, x + static_cast<unsigned>(i));  // all run, whichever throws
        if (one.threw && first.threw && !may_end) ++n.reports;
        if (one.threw && !first.threw) first = one;
        result.number = mixed(result.number, one.number);
      }
      if (first.threw) return first;
      break;
    }
    case loop:
    case reduction: {
      outcome first;
      unsigned sum = 0;
      std::string text;
      for (unsigned i = 0; i != items_of(n); ++i) {
        const outcome one = child(0, x + i, first.threw);
        if (one.threw && !first.threw) first = one;
        sum += one.number;
        text += letter_of(one.number);
      }
      if (first.threw) return first;
      result.number = mixed(result.number, n.what == loop ? sum : hash_of(text));
      break;
    }
    case caught: {
      const outcome one = child(0, x);
      result.number = mixed(result.number, one.number + (one.threw ? 1 : 0));
      break;
    }
    case task:
    case elsewhere: return child(0, x);
    default: break;
  }
  return result;
}

/// A scheduler of some workers, and one beside it.
class runner {
 public:
  /// `spawns`: whether a half may wait for a task. Guests may not: a joiner whose worker could run it runs no tasks.
  runner(licit::scheduler& here, licit::scheduler& other, bool spawns) : here_{here}, other_{other}, spawns_{spawns} {}

  // NOLINTNEXTLINE(misc-no-recursion)
  unsigned run(node& n, unsigned x) {
    ++n.calls;
    const auto child = [&](std::size_t which, unsigned argument) { return run(*n.children[which], argument); };
    unsigned number = mixed(n.with, x);
    switch (n.what) {
      case leaf: spend(n.with); break;
      case thrower:
        spend(n.with);
        if (throws(n, x)) throw thrown{number};
        break;
      case fork: return forked(n, x);
      case loop: {
        std::atomic<unsigned> sum = 0;
        licit::parallel_for(0U, items_of(n), [&](unsigned i) { sum += child(0, x + i); }, options_of(n));
        return mixed(number, sum);
      }
      case reduction: {
        std::vector<unsigned> items(items_of(n));
        std::iota(items.begin(), items.end(), x);
        const std::string text = licit::parallel_transform_reduce(
            items, std::string(), std::plus<>(), [&](unsigned at) { return std::string(1, letter_of(child(0, at))); },
            options_of(n));
        return mixed(number, hash_of(text));
      }
      case stopped_loop: stop(n, x); break;
      case caught: try { number = mixed(number, child(0, x));
        } catch (const thrown& one) {
          number = mixed(number, one.number + 1);
        }
        break;
      case task: return spawns_ ? here_.spawn([&] { return child(0, x); }).get() : child(0, x);
      default: return other_.enter([&] { return child(0, x); });
    }
    return number;
  }

  /// In a task, in `block_on`, in a foreign thread.
  outcome run_from(node& root, unsigned where) {
    const auto body = [&] { return run(root, 0); };
    try {
      switch (where) {
        case 0: return {false, here_.enter(body)};
        case 1: return {false, here_.spawn(body).get()};
        default: return {false, here_.block_on([](auto of) -> licit::task<unsigned> { co_return of(); }(body))};
      }
    } catch (const thrown& one) {
      return {true, one.number};
    }
  }

 private:
  static licit::parallel_options options_of(const node& n) {
    licit::parallel_options options;
    if (n.with % 4 != 0) options.grain = n.with % 4;
    return options;
  }
  /// So that others come to steal, and joiners come to sleep.
  static void spend(unsigned with) {
    if (with % 8 == 7) std::this_thread::yield();
    if (with == 31) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  unsigned forked(node& n, unsigned x) {
    const auto at = [&](unsigned which) { return [&, which] { return run(*n.children[which], x + which); }; };
    const unsigned number = mixed(n.with, x);
    if (n.children.size() == 2) {
#if defined(LICIT_FUZZ_PLANTED) && \
    !defined(LICIT_FUZZ_COROUTINES)  // exchanged: only an exception in both halves shows it
      const auto [b, a] = licit::join(at(1), at(0));
#else
      const auto [a, b] = licit::join(at(0), at(1));
#endif
      return mixed(mixed(number, a), b);
    }
    if (n.children.size() == 3) {
      const auto [a, b, c] = licit::join(at(0), at(1), at(2));
      return mixed(mixed(mixed(number, a), b), c);
    }
    const auto [a, b, c, d] = licit::join(at(0), at(1), at(2), at(3));
    return mixed(mixed(mixed(mixed(number, a), b), c), d);
  }

  /// One of the items requests a stop.
  static void stop(const node& n, unsigned x) {
    const unsigned items = items_of(n);
    std::stop_source source;
    std::vector<std::atomic<unsigned>> calls(items);
    licit::parallel_options options = options_of(n);
    options.stop = source.get_token();
    bool stopped = false;
    try {
      licit::parallel_for(
          0U, items,
          [&](unsigned i) {
            ++calls[i];
            if (i == x % items) source.request_stop();
          },
          options);
    } catch (const licit::parallel_stopped&) {
      stopped = true;
    }
    must(std::ranges::all_of(calls, [](unsigned c) { return c <= 1; }), "an item of a stopped loop ran twice");
    const bool whole = std::ranges::all_of(calls, [](unsigned c) { return c == 1; });
    must(stopped != whole, "a loop says that it was stopped if, and only if, it left items");
    must(calls[x % items] == 1, "nobody but an item has stopped the loop");
  }

  licit::scheduler& here_;
  licit::scheduler& other_;
  bool spawns_;
};

/// The same by coroutines. Loops take one item after the other; where the others stop a loop, these cancel a task.
class coroutines {
 public:
  /// `moves`: whether a task may go to the other scheduler.
  coroutines(licit::scheduler& here, licit::scheduler& other, bool moves)
      : here_{here}, other_{other}, moves_{moves}, callables_{here, other, false} {}

  /// In a task or in `block_on`.
  outcome run_from(node& root, bool in_task) {
    try {
      return {false, in_task ? here_.spawn(run(root, 0)).get() : here_.block_on(run(root, 0))};
    } catch (const thrown& one) {
      return {true, one.number};
    }
  }
  /// How many exceptions nobody has caught.
  [[nodiscard]] std::uint64_t reported() const {
    const std::uint64_t elsewhere = &here_ == &other_ ? 0 : other_.metrics().unobserved_exceptions;
    return here_.metrics().unobserved_exceptions + elsewhere;
  }
  /// Whether that number is the tree's.
  static bool reports_exactly(const node& n) { return n.what != stopped_loop && !(n.what == task && n.with % 2 == 0); }

 private:
  // NOLINTNEXTLINE(misc-no-recursion)
  licit::task<unsigned> run(node& n, unsigned x) {
    ++n.calls;
    unsigned number = mixed(n.with, x);
    switch (n.what) {
      case leaf: co_await rest(n.with); break;
      case thrower:
        co_await rest(n.with);
        if (throws(n, x)) throw thrown{number};
        break;
      case fork: co_return mixed_all(number, co_await forked(n, x));
      case loop: {
        unsigned sum = 0;
        for (unsigned i = 0; i != items_of(n); ++i) sum += co_await run(*n.children[0], x + i);
        co_return mixed(number, sum);
      }
      case reduction: {
        std::string text;
        for (unsigned i = 0; i != items_of(n); ++i) text += letter_of(co_await run(*n.children[0], x + i));
        co_return mixed(number, hash_of(text));
      }
      case stopped_loop: co_await cancel(n, x); break;
      case caught: try { number = mixed(number, co_await run(*n.children[0], x));
        } catch (const thrown& one) {
          number = mixed(number, one.number + 1);
        }
        break;
      case task:
        if (n.with % 2 == 0) co_return co_await licit::spawn([&] { return callables_.run(*n.children[0], x); });
        co_return co_await licit::spawn(run(*n.children[0], x));
      default:
        if (moves_) co_await other_.schedule();
        number = co_await run(*n.children[0], x);
        if (moves_) co_await here_.schedule();
    }
    co_return number;
  }

  using pair = std::pair<unsigned, unsigned>;
  static unsigned mixed_all(unsigned number, const std::vector<unsigned>& all) {
    return std::accumulate(all.begin(), all.end(), number, mixed);
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  licit::task<pair> both(node& n, unsigned from, unsigned x) {
#if defined(LICIT_FUZZ_COROUTINES)  // exchanged, as above
    const auto [b, a] =
        co_await licit::join(run(*n.children[from + 1], x + from + 1), run(*n.children[from], x + from));
    co_return pair(a, b);
#else
    co_return co_await licit::join(run(*n.children[from], x + from), run(*n.children[from + 1], x + from + 1));
#endif
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  licit::task<std::vector<unsigned>> forked(node& n, unsigned x) {
    if (n.children.size() == 2) {
      const auto [a, b] = co_await both(n, 0, x);
      co_return std::vector<unsigned>{a, b};
    }
    if (n.children.size() == 3) {
      const auto [a, others] = co_await licit::join(run(*n.children[0], x), both(n, 1, x));
      co_return std::vector<unsigned>{a, others.first, others.second};
    }
    const auto [front, back] = co_await licit::join(both(n, 0, x), both(n, 2, x));
    co_return std::vector<unsigned>{front.first, front.second, back.first, back.second};
  }

  /// Some go on at once, some yield or wait.
  static licit::task<> rest(unsigned with) {
    if (with % 8 == 7) co_await licit::yield_now();
    if (with % 8 == 6) co_await licit::suspend_with([](const licit::waker& w) { w.wake(); });
    if (with == 31) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }

  /// When a cancelled task has ended, so have the frames of its joins.
  static licit::task<> cancel(const node& n, unsigned x) {
    std::atomic<int> alive = 0;
    auto handle = licit::spawn(never_ends(n.with, x % 3, alive));
    for (unsigned i = n.with % 4; i != 0; --i) co_await licit::yield_now();
    handle.request_stop();
    bool cancelled = false;
    try {
      co_await handle;
    } catch (const licit::task_cancelled&) {
      cancelled = true;
    }
    must(cancelled, "a task that never ends is cancelled");
    must(alive == 0, "the frames of a cancelled task are gone");
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  static licit::task<> never_ends(unsigned with, unsigned depth, std::atomic<int>& alive) {
    const licit_test::counts_itself mine(alive);
    co_await rest(with);
    if (depth == 0) co_return co_await waits(alive);
    (void)co_await licit::join(may_throw(with, alive), never_ends(with / 2, depth - 1, alive));
  }
  static licit::task<> waits(std::atomic<int>& alive) {
    const licit_test::counts_itself mine(alive);
    for (;;) co_await licit::suspend_with([](licit::waker /*dropped*/) {});
  }
  static licit::task<> may_throw(unsigned with, std::atomic<int>& alive) {
    const licit_test::counts_itself mine(alive);
    co_await rest(with * 3 % 8);
    if (with % 2 == 0) throw thrown{with};
  }

  licit::scheduler& here_;
  licit::scheduler& other_;
  bool moves_;
  runner callables_;
};

void check_calls(tree& of, unsigned runs) {
  for (const node& each : of.nodes()) {
    must(each.calls >= each.at_least * runs, "a call is missing");
    must(each.calls <= each.at_most * runs, "a call is made twice");
  }
}

/// The first byte: how many workers, from where and in which form, and whether a second thread runs the same tree at
/// the same time. The others: the tree.
void check(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  tree of(input.subspan(1));
  if (of.cost() > 3000) return;
  const outcome want = serial(of.root(), 0, false);
  const bool exactly = std::ranges::all_of(of.nodes(), coroutines::reports_exactly);
  unsigned reports = 0;
  for (const node& each : of.nodes()) reports += each.reports;

  static std::pmr::synchronized_pool_resource
      memory;  // a leak detector cannot read where the inject queue keeps its own
  const auto of_workers = [](std::size_t n) { return licit::scheduler({.workers = n, .memory = &memory}); };
  static std::array<licit::scheduler, 4> schedulers{of_workers(1), of_workers(2), of_workers(3), of_workers(4)};
  const std::uint8_t how = input[0];
  const bool twice = how >= 192;
  const bool has_guests =
      twice || how / 16 % 5 != 1 || std::ranges::any_of(of.nodes(), [](const node& n) { return n.what == elsewhere; });
  runner all(schedulers[how % 4], schedulers[how / 4 % 4], !has_guests);
  const auto agrees = [&](unsigned where) {
    const bool in_task = where % 5 == 3;
    coroutines joins(schedulers[how % 4], schedulers[how / 4 % 4], in_task);
    const std::uint64_t before = joins.reported();
    const outcome got = where % 5 < 3 ? all.run_from(of.root(), where % 5) : joins.run_from(of.root(), in_task);
    if (in_task && !twice && exactly) must(joins.reported() - before == reports, "the second exceptions");
    must(got.threw == want.threw, "only one of both runs throws");
    must(got.number == want.number, want.threw ? "the exception" : "the result");
  };
  {
    std::jthread second;
    if (twice) second = std::jthread([&] { agrees(how / 48); });
    agrees(how / 16);
  }
  check_calls(of, twice ? 2 : 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check({data, size});
  return 0;
}
