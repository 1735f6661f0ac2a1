/// The judge against a brute-force search, the generator against its closed form, planted structures that are wrong in
/// one way, and specifications that promise too much.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <licit/checker/run.hpp>
#include <licit/deque/stolen.hpp>
#include <licit/deque/tagged_rules.hpp>

#include <gtest/gtest.h>

#include "suites/altered.hpp"
#include "suites/chase_lev.hpp"
#include "suites/chase_lev_asymmetric.hpp"
#include "suites/every/client.hpp"
#include "suites/every/clients.hpp"
#include "suites/every/onward_client.hpp"
#include "suites/run_queue.hpp"
#include "suites/split.hpp"
#include "suites/tagged.hpp"

namespace licit::suites_test {
namespace {

using checker::model;
using checker::outcome;
using checker::verdict;
using suites::call_history;
using suites::deed;
using suites::done_call;
using suites::ending;

/// All orders of all calls.
template <class Specification>
bool has_order(const call_history& h) {
  std::vector<std::size_t> order(h.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    suites::items list;
    std::uint32_t done = 0;
    const bool right = std::ranges::all_of(order, [&](std::size_t i) {
      if ((h[i].before & ~done) != 0) return false;
      done |= std::uint32_t{1} << i;
      return Specification::allows(list, h, i);
    });
    if (right) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

/// What a call of the owner or of a thief may have done: items are 1 and 2.
std::vector<done_call> possible_calls() {
  std::vector<done_call> all;
  for (const deed what : {deed::push, deed::pop, deed::steal}) {
    for (std::uint8_t item = 1; item != 3; ++item) {
      done_call c{.what = what, .room = 1};
      c.with.push_back(item);
      all.push_back(c);
    }
  }
  all.push_back({.what = deed::push, .how = ending::refused, .room = 1});
  all.push_back({.what = deed::pop, .how = ending::empty});
  all.push_back({.what = deed::steal, .how = ending::empty});
  all.push_back({.what = deed::steal, .how = ending::lost});
  return all;
}

/// All histories of so many calls, each by a thread of its own, with every transitive relation that the order of their
/// numbers continues.
template <class Function>
void for_all_histories(std::size_t calls, Function&& each) {
  const std::vector<done_call> possible = possible_calls();
  const std::size_t pairs = calls * (calls - 1) / 2;
  std::vector<std::size_t> chosen(calls, 0);
  for (bool more = true; more;) {
    for (std::uint32_t related = 0; related != 1U << pairs; ++related) {
      call_history h;
      unsigned pair = 0;
      bool transitive = true;
      for (std::size_t b = 0; b != calls; ++b) {
        done_call c = possible[chosen[b]];
        c.thread = static_cast<std::uint8_t>(b);
        for (std::size_t a = 0; a != b; ++a) c.before |= (related >> pair++ & 1U) << a;
        for (std::size_t a = 0; a != b; ++a) {
          if ((c.before >> a & 1U) != 0 && (h[a].before & ~c.before) != 0) transitive = false;
        }
        h.add(c);
      }
      if (transitive) each(h);
    }
    std::size_t at = 0;
    while (at != calls && ++chosen[at] == possible.size()) chosen[at++] = 0;
    more = at != calls;
  }
}

template <class Specification>
void compare(std::size_t calls) {
  std::size_t right = 0;
  std::size_t wrong = 0;
  for_all_histories(calls, [&](const call_history& h) {
    const bool expected = has_order<Specification>(h);
    ++(expected ? right : wrong);
    ASSERT_EQ(suites::judge<Specification>(h).approves(), expected);
  });
  EXPECT_GT(right, 0U);
  EXPECT_GT(wrong, right);
}

void compare_all(std::size_t calls) {
  compare<suites::deque_promise>(calls);
  compare<suites::queue_promise>(calls);
  compare<suites::split_promise>(calls);
}

TEST(every_judge, agrees_with_all_orders_of_all_small_histories) {
  for (const std::size_t calls : {1U, 2U, 3U}) compare_all(calls);
}

TEST(every_judge, agrees_with_all_orders_of_all_histories_of_four_calls_long) { compare_all(4); }

/// A history that one capacity allows, and another does not.
TEST(every_judge, remembers_no_verdict_of_another_capacity) {
  call_history h;
  done_call c{.room = 1};
  c.with.push_back(1);
  h.add(c);
  h.add({.what = deed::push, .how = ending::refused, .before = 1, .room = 1});
  EXPECT_TRUE(suites::is_linearizable<suites::queue_promise>(h));
  for (std::size_t i = 0; i != h.size(); ++i) h[i].room = 2;
  EXPECT_FALSE(suites::is_linearizable<suites::queue_promise>(h));
}

TEST(every_generator, makes_as_many_clients_as_the_closed_form_says_and_none_twice) {
  static constexpr std::array owner{"push", "pop"};
  static constexpr std::array thief{"steal"};
  static constexpr std::array two{"steal", "half"};
  for (unsigned thieves = 0; thieves != 4; ++thieves) {
    for (unsigned calls = 0; calls != 8; ++calls) {
      for (const std::span<const char* const> words : {std::span<const char* const>(thief), {two}}) {
        const suites::client_size size{owner, words, thieves, calls};
        std::set<std::string> made;
        std::uint64_t number = 0;
        suites::client_generator(size, [&](const std::string& line) {
          ++number;
          // Thieves in any order are the same thieves.
          std::string sorted = line.substr(0, line.find('|')) + "|";
          std::vector<std::string> parts;
          for (std::size_t at = line.find('|'); at != std::string::npos; at = line.find('|', at + 1))
            parts.push_back(line.substr(at + 1, line.find('|', at + 1) - at - 1));
          std::ranges::sort(parts);
          for (const std::string& part : parts) sorted += part + "|";
          EXPECT_TRUE(made.insert(sorted).second) << line;
          return true;
        }).run();
        EXPECT_EQ(number, suites::count_of(size)) << thieves << " thieves, " << calls << " calls";
      }
    }
  }
}

/// Of what generated clients are made.
template <class Promise>
constexpr suites::alphabet core{Promise::owner, Promise::thief};
template <class Promise>
constexpr suites::alphabet full{Promise::all_of_owner, Promise::all_of_thief};

/// The first line, by the number of calls, that fails; empty: none does.
template <template <class> class Client>
std::string first_wrong(unsigned calls, const std::string& before = "capacity=2",
                        const suites::alphabet& words = core<typename Client<model>::promise>) {
  std::string wrong;
  for (unsigned n = 1; n <= calls && wrong.empty(); ++n) {
    const suites::client_size size{words.owner, words.thief, 2, n};
    suites::client_generator(size, [&](const std::string& text) {
      const std::string line = before + ":" + text;
      const suites::line parsed = suites::parse(line, suites::vocabulary_of<Client<model>>());
      const verdict v = checker::run_program_with<suites::line_program<Client, model>>(parsed, parsed.threads);
      if (v.outcome == outcome::violation) wrong = line + ": " + v.message;
      return wrong.empty();
    }).run();
  }
  return wrong;
}

/// A deque behind a lock, which may be told to be wrong in one way.
enum class flaw : std::uint8_t {
  none,
  pops_oldest,
  early_empty,
  always_lost,
  steals_youngest,
  counts_short,
  hurries,
  reverses_half,
  takes_all
};

/// A few items in the object itself: a client is put back to an earlier state of its object.
class few_items {
 public:
  [[nodiscard]] bool empty() const { return first_ == last_; }
  [[nodiscard]] std::size_t size() const { return last_ - first_; }
  [[nodiscard]] int front() const { return all_.at(first_); }
  [[nodiscard]] int back() const { return all_.at(last_ - 1); }
  void push_back(int item) { all_.at(last_++) = item; }
  void pop_front() { ++first_; }
  void pop_back() { --last_; }

 private:
  std::array<int, 16> all_{};  // pushes, in all, of the longest client and before it
  std::size_t first_ = 0, last_ = 0;
};

template <class Model, flaw Wrong>
class locked_deque {
 public:
  explicit locked_deque(const deque_options& /*options*/) {}

  void push(int item) {
    locked([&] { return all_.push_back(item), 0; });
  }
  std::optional<int> pop() {
    return locked([&]() -> std::optional<int> {
      if (all_.empty()) return std::nullopt;
      const bool oldest = Wrong == flaw::pops_oldest;
      const int item = oldest ? all_.front() : all_.back();
      oldest ? all_.pop_front() : all_.pop_back();
      return item;
    });
  }
  stolen<int> steal() {
    if constexpr (Wrong == flaw::hurries) {  // takes a lock that it does not get for an empty deque
      if (!lock_.try_lock()) return stolen<int>::empty();
      lock_.unlock();
    }
    return locked([&]() -> stolen<int> {
      if (Wrong == flaw::always_lost) return stolen<int>::lost();
      if (all_.size() < (Wrong == flaw::early_empty ? 2U : 1U)) return stolen<int>::empty();
      const bool youngest = Wrong == flaw::steals_youngest;
      const int item = youngest ? all_.back() : all_.front();
      youngest ? all_.pop_back() : all_.pop_front();
      return stolen<int>::taken(item);
    });
  }
  /// The locks of the two deques are not held at once, but this one's until the theft is in the other.
  stolen<int> steal_half(locked_deque& own) {
    return locked([&]() -> stolen<int> {
      if (all_.empty()) return stolen<int>::empty();
      const std::size_t n = Wrong == flaw::takes_all ? all_.size() : (all_.size() + 1) / 2;
      const int first = all_.front();
      all_.pop_front();
      few_items moved;
      for (std::size_t i = 1; i != n; ++i, all_.pop_front()) moved.push_back(all_.front());
      for (; !moved.empty(); Wrong == flaw::reverses_half ? moved.pop_back() : moved.pop_front())
        own.push(Wrong == flaw::reverses_half ? moved.back() : moved.front());
      return stolen<int>::taken(first, n - 1);
    });
  }
  std::size_t size() const {
    return locked([&] { return all_.size() - (Wrong == flaw::counts_short && all_.size() == 2 ? 1 : 0); });
  }

 private:
  auto locked(auto&& step) const {
    lock_.lock();
    auto result = step();
    lock_.unlock();
    return result;
  }

  mutable typename Model::mutex lock_;
  few_items all_;
};

template <flaw Wrong>
struct planted {
  template <class Item, class Model>
  using structure = locked_deque<Model, Wrong>;
  template <class Model>
  using client = suites::specified_client<Model, structure, deque_options, suites::deque_promise>;
  template <class Model>
  using onward = suites::onward_client<Model, structure, deque_options, suites::onward_promise>;
};

TEST(every_client, finds_planted_structures_that_are_wrong_in_one_way) {
  EXPECT_EQ(first_wrong<planted<flaw::none>::client>(5), "");
  EXPECT_EQ(first_wrong<planted<flaw::pops_oldest>::client>(5).find("capacity=2: push push:"), 0U);
  EXPECT_EQ(first_wrong<planted<flaw::steals_youngest>::client>(5).find("capacity=2: push push | steal:"), 0U);
  EXPECT_EQ(first_wrong<planted<flaw::always_lost>::client>(5).find("capacity=2: | steal:"), 0U);
  EXPECT_EQ(first_wrong<planted<flaw::early_empty>::client>(5, "capacity=2 push").find("capacity=2 push: | steal:"),
            0U);
}

/// The sizes of a deque that is wrong in its estimate.
struct sized_promise : suites::deque_promise {
  static constexpr std::array owner{"push", "size"};
};
template <class Model>
using counts_short_client =
    suites::specified_client<Model, planted<flaw::counts_short>::structure, deque_options, sized_promise>;

TEST(every_client, finds_an_estimate_that_is_too_low) {
  EXPECT_EQ(first_wrong<counts_short_client>(4).find("capacity=2: push push size:"), 0U);
  static constexpr std::array thief{"size"};
  EXPECT_EQ(first_wrong<counts_short_client>(2, "capacity=2 push push", {sized_promise::owner, thief})
                .find("capacity=2 push push: | size:"),
            0U);
}

/// A thief that finds the lock taken says `empty`. Alone it never knows that the push came before; a flag of the
/// client's can tell it.
TEST(every_client, is_judged_with_an_edge_from_outside) {
  EXPECT_EQ(first_wrong<planted<flaw::hurries>::client>(2), "");
  const std::string wrong = first_wrong<planted<flaw::hurries>::client>(2, "capacity=2 edges=1");
  EXPECT_EQ(wrong,
            "capacity=2 edges=1: push | steal: with push 1 before steal empty, no order of the calls respects "
            "happens-before and the specification: thread 0: push 1, pop 1, pop empty; thread 1: steal empty");
  EXPECT_EQ(first_wrong<planted<flaw::none>::client>(4, "capacity=2 edges=1"), "");
}

TEST(every_client, of_the_full_alphabet_with_an_edge_is_right) {
  using suites::chase_lev_promise, suites::tagged_promise, suites::split_promise, suites::queue_promise;
  EXPECT_EQ(first_wrong<suites::every_chase_lev>(3, "capacity=1 edges=1", full<chase_lev_promise>), "");
  EXPECT_EQ(first_wrong<suites::every_chase_lev>(2, "capacity=2 edges=1 push push push", full<chase_lev_promise>), "");
  EXPECT_EQ(first_wrong<suites::every_tagged>(3, "capacity=1 edges=1", full<tagged_promise>), "");
  EXPECT_EQ(first_wrong<suites::every_split>(3, "capacity=1 edges=1", full<split_promise>), "");
  EXPECT_EQ(first_wrong<suites::every_run_queue>(3, "capacity=2 edges=1", full<queue_promise>), "");
  EXPECT_EQ(first_wrong<suites::every_run_queue>(2, "capacity=2 edges=1 try try", full<queue_promise>), "");
}

TEST(every_client, of_the_shipped_queues_is_right_long) {
  EXPECT_EQ(first_wrong<suites::every_chase_lev>(5), "");
  EXPECT_EQ(first_wrong<suites::every_run_queue>(5), "");
  EXPECT_EQ(first_wrong<suites::every_split>(5), "");
  EXPECT_EQ(first_wrong<suites::every_tagged>(4), "");
}

TEST(every_client, of_the_shipped_queues_is_right) {
  EXPECT_EQ(first_wrong<suites::every_chase_lev>(4), "");
  EXPECT_EQ(first_wrong<suites::every_run_queue>(4), "");
  EXPECT_EQ(first_wrong<suites::every_split>(4), "");
  EXPECT_EQ(first_wrong<suites::every_tagged>(3), "");
  EXPECT_EQ(first_wrong<suites::every_tagged>(3, "capacity=2 push push push"), "");  // half of three is two
}

/// A theft of half that publishes in its own deque what it has not claimed yet.
template <class Model>
using unclaimed_half =
    suites::specified_client<suites::with_rules<Model, tagged_rules{.claims_before_it_publishes = false}>, tagged_deque,
                             deque_options, suites::tagged_promise>;

TEST(every_client, of_a_theft_of_half_that_publishes_before_it_claims_is_wrong) {
  const std::string wrong = first_wrong<unclaimed_half>(3, "capacity=2 push push push");
  EXPECT_EQ(wrong, "capacity=2 push push push: | steal | half: a theft says that less came along than did");
}

/// The split deque does not promise that a thief finds the owner's private items.
template <class Model>
using split_as_deque = suites::specified_client<Model, split_deque, deque_options, suites::deque_promise>;

TEST(every_client, of_the_split_deque_breaks_the_stronger_promise) {
  const std::string wrong = first_wrong<split_as_deque>(5);
  EXPECT_EQ(wrong,
            "capacity=2: push | steal: no order of the calls respects happens-before and the specification: "
            "thread 0: push 1, pop 1, pop empty; thread 1: steal lost");
}

/// Nor do the thefts over asymmetric fences promise that `empty` stands in one order with the other calls. The suites'
/// clients have the promise that they keep.
template <class Model>
using asymmetric_as_deque =
    suites::specified_client<asymmetric<Model>, chase_lev, deque_options, suites::chase_lev_promise>;

TEST(every_client, over_asymmetric_fences_breaks_the_stronger_promise) {
  const suites::line line = suites::parse("capacity=1: push push push | steal steal | steal steal",
                                          suites::vocabulary_of<asymmetric_as_deque<model>>());
  const verdict v = checker::run_program_with<suites::line_program<asymmetric_as_deque, model>>(line, line.threads);
  EXPECT_EQ(v.outcome, outcome::violation);
  EXPECT_EQ(v.message.find("no order of the calls"), 0U) << v.message;
  EXPECT_NE(v.message.find("steal lost, steal empty"), std::string::npos) << v.message;
}

/// Nor does the run queue promise that `empty` stands in one order with the other calls.
struct ordered_queue : suites::queue_promise {
  static bool allows(suites::items& list, const call_history& h, std::size_t which) {
    if (h[which].how == ending::empty && !list.empty()) return false;
    return suites::queue_promise::allows(list, h, which);
  }
};
template <class Model>
using ordered_queue_client = suites::specified_client<Model, run_queue, run_queue_options, ordered_queue>;

TEST(every_client, of_the_run_queue_breaks_the_stronger_promise) {
  const std::string wrong = first_wrong<ordered_queue_client>(5);
  EXPECT_EQ(wrong,
            "capacity=2: try try try | steal steal: no order of the calls respects happens-before and the "
            "specification: thread 0: push 1, push 2, push refused, pop 2, pop empty; thread 1: steal 1, steal empty");
}

/// What a theft of half took is stolen onward.
TEST(every_client, finds_loot_that_is_wrong_in_one_way) {
  const std::string six = "capacity=4 push push push push push push";
  EXPECT_EQ(first_wrong<planted<flaw::none>::onward>(4, "capacity=4 push push push"), "");
  EXPECT_EQ(first_wrong<planted<flaw::none>::onward>(3, six + " half"), "");
  EXPECT_EQ(first_wrong<planted<flaw::reverses_half>::onward>(3, six).find(six + ": half:"), 0U);
  EXPECT_EQ(first_wrong<planted<flaw::takes_all>::onward>(3).find("capacity=2: push push half:"), 0U);
  EXPECT_EQ(first_wrong<planted<flaw::steals_youngest>::onward>(3, six).find(six + ": half | steal:"), 0U);
  EXPECT_EQ(first_wrong<planted<flaw::pops_oldest>::onward>(3, six).find(six + ": half:"), 0U);
  EXPECT_EQ(first_wrong<planted<flaw::always_lost>::onward>(3, six).find(six + ": | steal:"), 0U);
  EXPECT_EQ(first_wrong<planted<flaw::early_empty>::onward>(3, six + " half half").find(six + " half half:"), 0U);
}

/// Where `empty` says what the call knew, it does not say more: the main thread's theft is known to all.
template <class Model>
using early_where_known = suites::onward_client<Model, planted<flaw::early_empty>::structure, deque_options,
                                                suites::onward_as_known<suites::onward_promise>>;

TEST(every_client, finds_loot_that_is_hidden_from_who_knows_it) {
  const std::string wrong = first_wrong<early_where_known>(2, "capacity=4 push push push half");
  EXPECT_EQ(wrong.find("capacity=4 push push push half: | steal:"), 0U) << wrong;
}

TEST(every_client, of_loot_in_a_run_queue_is_right) {
  EXPECT_EQ(first_wrong<suites::every_onward_queue>(4, "capacity=4 edges=1 try try try try"), "");
  EXPECT_EQ(first_wrong<suites::every_onward_queue>(4, "capacity=8 try try try try try try try"), "");
}

TEST(every_client, of_loot_in_a_tagged_deque_is_right) {
  EXPECT_EQ(first_wrong<suites::every_onward_tagged>(3, "capacity=4 edges=1 push push push push push"), "");
}

}  // namespace
}  // namespace licit::suites_test
