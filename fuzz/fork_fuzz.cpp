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
#include <vector>

#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>

namespace {

enum kind : std::uint8_t { leaf, thrower, fork, loop, reduction, stopped_loop, caught, task, elsewhere, kinds };

/// Runs once for each argument that its parent gives it.
struct node {
  kind what = leaf;
  unsigned with = 0;  ///< 0 to 31
  std::vector<node*> children;
  unsigned at_least = 0;  ///< how often a serial run calls it
  unsigned at_most = 0;   ///< the same, and what others may have begun before a loop ends by an exception
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
      switch (where % 3) {
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
#if defined(LICIT_FUZZ_PLANTED)  // exchanged: only an exception in both halves shows it
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

void check_calls(tree& of, unsigned runs) {
  for (const node& each : of.nodes()) {
    must(each.calls >= each.at_least * runs, "a call is missing");
    must(each.calls <= each.at_most * runs, "a call is made twice");
  }
}

/// The first byte: how many workers, from where, and whether a second thread runs the same tree at the same time. The
/// others: the tree.
void check(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  tree of(input.subspan(1));
  if (of.cost() > 3000) return;
  const outcome want = serial(of.root(), 0, false);

  static std::pmr::synchronized_pool_resource
      memory;  // a leak detector cannot read where the inject queue keeps its own
  const auto of_workers = [](std::size_t n) { return licit::scheduler({.workers = n, .memory = &memory}); };
  static std::array<licit::scheduler, 4> schedulers{of_workers(1), of_workers(2), of_workers(3), of_workers(4)};
  const std::uint8_t how = input[0];
  const bool twice = how >= 192;
  const bool has_guests =
      twice || how / 16 % 3 != 1 || std::ranges::any_of(of.nodes(), [](const node& n) { return n.what == elsewhere; });
  runner all(schedulers[how % 4], schedulers[how / 4 % 4], !has_guests);
  const auto agrees = [&](unsigned where) {
    const outcome got = all.run_from(of.root(), where);
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
