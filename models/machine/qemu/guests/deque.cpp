// The Chase-Lev deque under the plugin: correct, or with one ordering weakened at compile time.
//   deque [--mutant NAME] [--executions N] [--first SEED]
// One owner, two thieves: each item must be taken once, with its payload. Exit status 1 at the first execution in which
// that does not hold, and its number.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory_resource>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <licit/deque/chase_lev.hpp>

#include "../guest.hpp"
#include "machine/stress/row.hpp"
#include "suites/line.hpp"

namespace {

namespace guest = licit::qemu::guest;

using licit::stress::altered;
using licit::stress::row;
using licit::suites::change;

/// What is weakened, as stress executables have their rows.
struct rows_of_the_deque {
  static constexpr const auto& table = licit::chase_lev_orders;
  static constexpr std::array rows{
      row{"", false, {}, {}},
      row{"push.publish relaxed", true, {{"push.publish", change::weaken}}, {}},
      row{"pop.reserve relaxed", true, {{"pop.reserve", change::weaken}}, {}},
      row{"pop.fence relaxed", true, {{"pop.fence", change::weaken}}, {}},
      row{"steal.fence relaxed", true, {{"steal.fence", change::weaken}}, {}},
      row{"steal.bottom relaxed", true, {{"steal.bottom", change::weaken}}, {}},
      row{"steal.claim relaxed", true, {{"steal.claim", change::weaken}}, {}},
      row{"push.room relaxed", true, {{"push.room", change::weaken}}, {}},
  };
};

/// A site with the orders that the row gives it.
template <class Site, std::size_t Row>
struct altered_site {
  static constexpr licit::row entry = [] {
    constexpr auto now = altered<rows_of_the_deque, Row>::template at<Site>();
    licit::row changed = Site::entry;
    changed.success = now.success;
    changed.failure = now.failure;
    return changed;
  }();
};

/// The machine's memory, with one row compiled in.
template <std::size_t Row>
struct weakened : licit::native {
  template <class T>
  struct atomic : licit::native::atomic<T> {
    using base = licit::native::atomic<T>;
    using base::base;
    template <class Site>
    T load(Site /*site*/) const {
      return base::load(altered_site<Site, Row>());
    }
    template <class Site>
    void store(T value, Site /*site*/) {
      base::store(value, altered_site<Site, Row>());
    }
    template <class Site>
    bool compare_exchange(T& expected, T desired, Site /*site*/) {
      return base::compare_exchange(expected, desired, altered_site<Site, Row>());
    }
  };

  struct fences {
    template <class Site>
    void operator()(Site /*site*/) const {
      licit::native::fence(altered_site<Site, Row>());
    }
  };
};

enum : std::uint8_t { push_word, pop_word, steal_word };
constexpr std::array words{"push", "pop", "steal"};
constexpr licit::suites::line program =
    licit::suites::parse("push push pop push pop pop push | steal steal | steal steal", {words, {}});

constexpr unsigned thieves = 2;
constexpr unsigned items = 4;
constexpr int sealed = 100;
#if defined(LICIT_ONE_SLOT)
constexpr std::size_t most = 1;  // each push overwrites what was stolen
#else
constexpr std::size_t most = 16;
#endif

/// What a thread took: its own, outside the region, until all have finished.
struct hand {
  std::array<int, items + 1> item{};
  std::array<int, items + 1> payload{};
  unsigned count = 0;
};
std::array<hand, thieves + 1> hands;

/// In the region, made anew for each execution.
template <class Policy>
class client {
 public:
  explicit client(std::pmr::memory_resource& memory)
      : deque_{{.initial_capacity = 1, .maximum_capacity = most, .memory = &memory}} {}

  void thread(unsigned i) {
    for (const licit::suites::call& c : program.thread[i]) {
      switch (c.word) {
        case push_word: push(++pushed_); break;
        case pop_word: take(0, deque_.pop()); break;
        default: take(i, deque_.steal());
      }
    }
  }

  /// What does not hold, or nothing.
  const char* finish() {
    while (const auto left = deque_.pop()) take(0, left);
    std::array<unsigned, items + 1> taken{};
    for (const hand& h : hands) {
      for (unsigned k = 0; k != h.count; ++k) {
        if (h.item[k] < 1 || h.item[k] > static_cast<int>(items)) return "an item that was never pushed";
        if (h.payload[k] != h.item[k] + sealed) return "an item whose payload was not visible";
        if (++taken[static_cast<unsigned>(h.item[k])] == 2) return "an item taken twice";
      }
    }
    for (unsigned item = 1; item <= items; ++item) {
      if (was_pushed_[item] && taken[item] == 0) return "an item lost";
    }
    return nullptr;
  }

 private:
  void push(int item) {
    if (deque_.size() == most) return;
    was_pushed_[static_cast<unsigned>(item)] = true;
    payload_[static_cast<unsigned>(item)] = item + sealed;
    deque_.push(item);
  }

  template <class Got>
  void take(unsigned thread, const Got& got) {
    hand& mine = hands[thread];
    if (!got || mine.count == mine.item.size()) return;
    mine.item[mine.count] = *got;
    const bool real = *got >= 1 && *got <= static_cast<int>(items);
    mine.payload[mine.count++] = real ? payload_[static_cast<unsigned>(*got)] : 0;
  }

  licit::chase_lev<int, Policy> deque_;
  std::array<int, items + 1> payload_{};
  std::array<bool, items + 1> was_pushed_{};  // the owner's
  int pushed_ = 0;                            // the owner's
};

struct arguments {
  std::string_view mutant;
  unsigned long executions = 10'000;
  unsigned long first = 0;
};

alignas(128) std::array<std::byte, 4096> region;

// What memory holds that the client has not made yet: no execution looks right by what the one before left there.
constexpr std::byte never_written{0xa5};

/// How many executions failed: 0, or 1, the last.
template <class Policy>
int run(const arguments& all) {
  using tested = client<Policy>;
  auto* place = reinterpret_cast<tested*>(region.data());
  const std::span rest = std::span(region).subspan(sizeof(tested));
  const guest::workers some(thieves + 1, [place](unsigned i) { std::launder(place)->thread(i); });
  for (unsigned long seed = all.first; seed != all.first + all.executions; ++seed) {
    const char* wrong = nullptr;
    do {
      std::ranges::fill(rest, never_written);
      std::pmr::monotonic_buffer_resource memory(rest.data(), rest.size(), std::pmr::null_memory_resource());
      hands = {};
      auto* made = ::new (place) tested(memory);
      if (guest::execute(thieves + 1, seed) != licit::qemu::ending::finished) std::exit(3);
      wrong = made->finish();
      made->~tested();
    } while (guest::verdict(wrong != nullptr, wrong == nullptr ? "" : wrong));
    if (wrong == nullptr) continue;
    std::printf("execution %lu: %s\n", seed, wrong);
    return 1;
  }
  std::printf("%lu executions, none wrong\n", all.executions);
  return 0;
}

using runs = std::array<int (*)(const arguments&), rows_of_the_deque::rows.size()>;

/// Of each row; the first is the code as it is linked.
constexpr runs all_runs = []<std::size_t... Row>(std::index_sequence<Row...>) {
  return runs{&run<std::conditional_t<Row == 0, licit::native, weakened<Row>>>...};
}(std::make_index_sequence<rows_of_the_deque::rows.size()>{});

[[noreturn]] void refuse(const char* what) {
  std::fprintf(stderr, "deque: what is %s? [--mutant NAME] [--executions N] [--first SEED]; mutants:\n", what);
  for (const row& r : rows_of_the_deque::rows) std::fprintf(stderr, "  \"%s\"\n", r.name.data());
  std::exit(2);
}

arguments parse(std::span<char*> all) {
  arguments result;
  for (std::size_t i = 1; i < all.size(); i += 2) {
    const std::string_view option = all[i];
    if (i + 1 == all.size()) refuse(all[i]);
    if (option == "--mutant")
      result.mutant = all[i + 1];
    else if (option == "--executions")
      result.executions = std::strtoul(all[i + 1], nullptr, 10);
    else if (option == "--first")
      result.first = std::strtoul(all[i + 1], nullptr, 10);
    else
      refuse(all[i]);
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const arguments all = parse(std::span(argv, static_cast<std::size_t>(argc)));
  if (!guest::present()) {
    std::fprintf(stderr, "deque: no plugin is there; run by qemu-aarch64 -plugin\n");
    return 2;
  }
  guest::region(region.data(), region.data() + region.size());
  for (std::size_t i = 0; i != all_runs.size(); ++i) {
    if (rows_of_the_deque::rows[i].name == all.mutant) return all_runs[i](all);
  }
  refuse(std::string(all.mutant).c_str());
}
