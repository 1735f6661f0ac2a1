/// Generated clients of the scheduler's parts: planted ones that are wrong in one way, and specifications that promise
/// too much.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <span>
#include <string>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "first_wrong.hpp"
#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/census.hpp"
#include "suites/every/clients.hpp"
#include "suites/every/parts.hpp"
#include "suites/idle_set.hpp"
#include "suites/inject_queue.hpp"
#include "suites/lifo_slot.hpp"
#include "suites/parker.hpp"
#include "suites/structure.hpp"
#include "suites/task_state.hpp"
#include "suites/timers.hpp"

namespace licit::suites_test {
namespace {

using checker::outcome;

TEST(every_generator, makes_threads_that_are_not_alike_in_each_order) {
  static constexpr std::array words{"park", "claim"};
  for (unsigned threads = 0; threads != 4; ++threads) {
    for (unsigned calls = 0; calls != 7; ++calls) {
      for (const bool alike : {true, false}) {
        const suites::client_size size{{}, words, threads, calls, alike};
        std::set<std::string> made;
        std::uint64_t number = 0;
        suites::client_generator(size, [&](const std::string& line) {
          ++number;
          EXPECT_TRUE(made.insert(line).second) << line;
          return true;
        }).run();
        EXPECT_EQ(number, suites::count_of(size)) << threads << " threads, " << calls << " calls";
      }
    }
  }
}

TEST(every_part, as_it_is_shipped_is_right) {
  EXPECT_EQ(first_wrong_part<suites::every_slot>(5), "");
  EXPECT_EQ(first_wrong_part<suites::every_slot>(3, "edges=1", true), "");
  EXPECT_EQ(first_wrong_part<suites::every_parker>(4), "");
  EXPECT_EQ(first_wrong_part<suites::every_parker>(3, "edges=1", true), "");
  EXPECT_EQ(first_wrong_part<suites::every_idle_set>(3, "park(1)"), "");
  EXPECT_EQ(first_wrong_part<suites::every_idle_set>(2, "edges=1 begin(1) begin(2)", true), "");
  EXPECT_EQ(first_wrong_part<suites::every_inject>(2, "edges=1", true), "");
}

template <class Model>
using torn_slot_client =
    suites::specified_slot_client<Model, lifo_slot<int, suites::torn<Model, "take.swap">>, suites::slot_promise>;

TEST(every_slot, that_is_taken_in_two_steps_is_wrong) {
  EXPECT_EQ(first_wrong_part<torn_slot_client>(4),
            ": put take | steal: thread 1 reads payload[0], unordered with a plain write by thread 0");
}

template <template <class> class Fault>
struct faulty_parker {
  template <class Model>
  using client = suites::specified_parker_client<Model, parker<Fault<Model>>, suites::parker_promise>;
};

/// Its park takes the token by a store, so that another one, which comes in between, is lost.
TEST(every_parker, that_loses_a_token_is_wrong) {
  const std::string wrong = first_wrong_part<faulty_parker<suites::storing>::client>(5);
  EXPECT_EQ(wrong.find(": park "), 0U) << wrong;
  EXPECT_NE(wrong.find("for ever: park of thread 0, which no order of the calls lets wait"), std::string::npos)
      << wrong;
}
TEST(every_parker, that_wakes_nobody_is_wrong) {
  EXPECT_EQ(first_wrong_part<faulty_parker<suites::wakeless>::client>(3),
            ": park | unpark: for ever: park of thread 0, which no order of the calls lets wait: thread 1: unpark");
}
TEST(every_parker, that_takes_a_wake_up_for_a_token_is_wrong) {
  EXPECT_EQ(first_wrong_part<faulty_parker<suites::credulous>::client>(3),
            ": park: no order of the calls respects happens-before and the specification: thread 0: park");
}

/// A token of its own for each unpark.
struct counting_promise : suites::parker_promise {
  static bool allows(suites::items& tokens, const suites::call_history& h, std::size_t which) {
    if (h[which].what == suites::deed::park) return tokens.take_front(1);
    return tokens.push_back(1), true;
  }
};
template <class Model>
using parker_that_counts = suites::specified_parker_client<Model, parker<Model>, counting_promise>;

TEST(every_parker, breaks_the_promise_to_count_its_tokens) {
  EXPECT_EQ(
      first_wrong_part<parker_that_counts>(4),
      ": park park | unpark | unpark: for ever: park of thread 0, which no order of the calls lets wait: thread 0: "
      "park; thread 1: unpark; thread 2: unpark");
}

template <class Model>
using twice_claimed =
    suites::specified_idle_client<Model, idle_set<suites::torn<Model, "claim.take">>, suites::idle_promise>;

TEST(every_idle_set, that_claims_a_worker_twice_is_wrong) {
  EXPECT_EQ(first_wrong_part<twice_claimed>(3, "park(1)"),
            "park(1): | retract | claim: no order of the calls respects happens-before and the specification: thread "
            "0: enter 0 1; thread 1: retract 0; thread 2: claim 0");
  const auto two_claims = suites::detail::specified_program<twice_claimed>("park(1): | claim-any | claim-any");
  EXPECT_EQ(two_claims.explore({}).outcome, outcome::violation);
}

/// A suspension that does not look whether the task was woken during the run.
template <class Model>
using heedless_task = suites::specified_task_client<
    Model, task_state<suites::with_rules<Model, task_state_rules{.heeds_notifications = false}>, int>,
    suites::task_promise>;

TEST(every_task_state, that_forgets_a_wake_is_wrong) {
  EXPECT_EQ(first_wrong_part<suites::every_task_state>(3, "edges=1", true), "");
  EXPECT_EQ(first_wrong_part<heedless_task>(3),
            ": begin suspend | wake: no order of the calls respects happens-before and the specification: thread 0: "
            "begin, suspend; thread 1: wake");
}

TEST(every_census, as_it_is_shipped_is_right) {
  EXPECT_EQ(first_wrong_part<suites::every_census>(4, "enter(1) close"), "");
  EXPECT_EQ(first_wrong_part<suites::every_census>(3, "edges=1", true), "");
  EXPECT_EQ(first_wrong_part<suites::every_census>(2, "edges=1 enter(1) come(1) end(1) close", true), "");
  EXPECT_EQ(first_wrong_part<suites::every_census>(3, "hold(1) hold(2)", true), "");
}

template <class Model>
using census_that_forgets_holders =
    suites::specified_census_client<Model, licit::detail::census<suites::torn<Model, "hold.drop">>,
                                    suites::census_promise>;
template <class Model>
using census_that_forgets_the_doors =
    suites::specified_census_client<Model, licit::detail::census<suites::torn<Model, "close.set">>,
                                    suites::census_promise>;

TEST(every_census, that_counts_in_two_steps_is_wrong) {
  EXPECT_EQ(first_wrong_part<census_that_forgets_holders>(2, "hold(1)", true).find("hold(1): drop | drop: "), 0U);
  const std::string wrong = first_wrong_part<census_that_forgets_the_doors>(4);
  EXPECT_NE(wrong.find("no order of the calls"), std::string::npos) << wrong;
}

/// That a child is refused from the moment on that all doors are closed. A worker asks a word that no other writes with
/// each task, and may know the closing from the counter and not yet from there.
struct strict_census : suites::census_promise {
  struct state : suites::census_record {
    bool all = false;
    [[nodiscard]] std::string key() const { return suites::census_record::key() + (all ? "all" : ""); }
  };
  static bool allows(state& s, const suites::call_history& h, std::size_t which) {
    const suites::done_call& c = h[which];
    s.all = s.all || (c.what == suites::deed::close && c.room == state::all_doors);
    const bool is_child = c.what == suites::deed::enter && c.room == state::a_child;
    if (is_child && (c.how == suites::ending::done) == s.all) return false;
    return suites::census_promise::allows(s, h, which);
  }
};
template <class Model>
using strict_census_client = suites::specified_census_client<Model, licit::detail::census<Model>, strict_census>;

TEST(every_census, breaks_the_promise_that_children_are_refused_in_one_order) {
  EXPECT_EQ(first_wrong_part<strict_census_client>(3, "enter(1)", true),
            "enter(1): close(1) | enter spawn: no order of the calls respects happens-before and the specification: "
            "thread 0: enter 8, close; thread 1: enter refused, enter 9");
}

/// A queue behind a lock, which may be told to be wrong in one way.
enum class inject_flaw : std::uint8_t {
  none,
  in_order_of_each,
  early_empty,
  hurries,
  overlooks_the_last,  ///< `empty` is true with one item
  remembers_pushes     ///< `empty` is false for ever, once something was pushed
};

template <class Model, inject_flaw Wrong>
class locked_queue {
 public:
  void push(std::uint64_t item) {
    lock_.lock();
    all_.push_back(item);
    pushed_ = true;
    // Of each thread they have ascending numbers.
    if (Wrong == inject_flaw::in_order_of_each) std::ranges::sort(all_);
    lock_.unlock();
  }
  std::size_t pop(std::span<std::uint64_t> into) {
    if (Wrong == inject_flaw::hurries) {
      if (!lock_.try_lock()) return 0;
    } else {
      lock_.lock();
    }
    const bool any = all_.size() >= (Wrong == inject_flaw::early_empty ? 2U : 1U);
    if (any) {
      into[0] = all_.front();
      all_.pop_front();
    }
    lock_.unlock();
    return any ? 1 : 0;
  }
  bool empty() {
    lock_.lock();
    const bool none = all_.size() <= (Wrong == inject_flaw::overlooks_the_last ? 1U : 0U);
    const bool remembers = Wrong == inject_flaw::remembers_pushes && pushed_;
    lock_.unlock();
    return none && !remembers;
  }

 private:
  typename Model::mutex lock_;
  std::deque<std::uint64_t> all_;
  bool pushed_ = false;
};

template <inject_flaw Wrong>
struct planted_queue {
  template <class Model>
  using client = suites::specified_inject_client<Model, locked_queue<Model, Wrong>, suites::inject_promise>;
};

TEST(every_inject_queue, that_is_wrong_in_one_way_is_found) {
  EXPECT_EQ(first_wrong_part<planted_queue<inject_flaw::none>::client>(3, "edges=1"), "");
  EXPECT_EQ(first_wrong_part<planted_queue<inject_flaw::in_order_of_each>::client>(2), "");
  EXPECT_EQ(first_wrong_part<planted_queue<inject_flaw::in_order_of_each>::client>(2, "edges=1"),
            "edges=1: | push | push: with push 3 before push 2, no order of the calls respects happens-before and the "
            "specification: thread 0: take 2, take 3, take empty; thread 1: push 2; thread 2: push 3");
  EXPECT_EQ(first_wrong_part<planted_queue<inject_flaw::early_empty>::client>(3).find(": | push: nothing lost"), 0U);
  EXPECT_EQ(first_wrong_part<planted_queue<inject_flaw::hurries>::client>(2),
            ": | push take: no order of the calls respects happens-before and the specification: thread 0: take 2, "
            "take empty; thread 1: push 2, take empty");
}

struct looking_inject : suites::inject_promise {
  static constexpr std::array all_of_thief{"push", "take", "empty"};
};
template <inject_flaw Wrong>
struct planted_empty {
  template <class Model>
  using client = suites::specified_inject_client<Model, locked_queue<Model, Wrong>, looking_inject>;
};

TEST(every_inject_queue, whose_empty_is_wrong_is_found) {
  EXPECT_EQ(first_wrong_part<planted_empty<inject_flaw::none>::client>(3, "push", true), "");
  EXPECT_EQ(first_wrong_part<planted_empty<inject_flaw::none>::client>(3, "edges=1 push", true), "");
  EXPECT_EQ(first_wrong_part<planted_empty<inject_flaw::overlooks_the_last>::client>(3, "", true),
            ": | push empty: no order of the calls respects happens-before and the specification: thread 0: take 2, "
            "take empty; thread 1: push 2, look empty 0");
  EXPECT_EQ(first_wrong_part<planted_empty<inject_flaw::remembers_pushes>::client>(3, "push", true),
            "push: | take | take empty: no order of the calls respects happens-before and the specification: thread 0: "
            "push 1, take empty; thread 1: take 1; thread 2: take empty, look 0");
}

/// Nor does the shipped one promise that `empty` stands in one order with the items.
struct ordered_inject : suites::inject_promise {
  static bool allows(suites::items& list, const suites::call_history& h, std::size_t which) {
    if (h[which].how == suites::ending::empty && !list.empty()) return false;
    return suites::inject_promise::allows(list, h, which);
  }
};
template <class Model>
using ordered_inject_client =
    suites::specified_inject_client<Model, inject_queue<std::uint64_t, suites::short_segments<Model, 3>>,
                                    ordered_inject>;

TEST(every_inject_queue, breaks_the_promise_that_empty_stands_in_one_order) {
  EXPECT_EQ(first_wrong_part<ordered_inject_client>(3, "push"),
            "push: | take | push take: no order of the calls respects happens-before and the specification: thread 0: "
            "push 1, take 3, take empty; thread 1: take empty; thread 2: push 3, take 1");
}

// --- timers

template <class Model, auto Rules>
using timers_by =
    suites::specified_timers_client<Model, suites::with_rules<suites::few_ticks<Model>, Rules>, suites::timers_promise>;

// Without one of the rules.
template <class Model>
using raises_late = timers_by<Model, timers_rules{.raises_first = false, .alignment = 8, .most_wheels = 1}>;
template <class Model>
using lowers_once = timers_by<Model, timers_rules{.lowers_again = false, .alignment = 8, .most_wheels = 1}>;
template <class Model>
using tells_no_holder = timers_by<Model, timers_rules{.tells_holder = false, .alignment = 8, .most_wheels = 1}>;
template <class Model>
using wakes_no_holder = timers_by<Model, timers_rules{.wakes_a_holder = false, .alignment = 8, .most_wheels = 1}>;
template <class Model>
using hands_over_nothing = timers_by<Model, timers_rules{.hands_over = false, .alignment = 8, .most_wheels = 1}>;
template <class Model>
using passes_nothing_on = timers_by<Model, timers_rules{.passes_on = false, .alignment = 8, .most_wheels = 1}>;
template <class Model>
using looks_first = timers_by<Model, timer_wheel_rules{.bits = 1, .levels = 2, .links_first = false}>;
template <class Model>
using cancels_unlocked = timers_by<Model, timer_wheel_rules{.bits = 1, .levels = 2, .cancels_locked = false}>;

TEST(every_timers, as_they_are_shipped_are_right) {
  EXPECT_EQ(first_wrong_part<suites::every_timers>(3), "");
  EXPECT_EQ(first_wrong_part<suites::every_timers>(2, "edges=1 set(3) rest(1)", true), "");
}
TEST(every_timers, of_which_one_is_forgotten_are_wrong) {
  EXPECT_EQ(first_wrong_part<raises_late>(2, "set(3)"),
            unexplained("set(3): | set(2) | fire(1)") +
                "thread 0: put 3, hold 3, hold, cancel; thread 1: put 2, cancel; "
                "thread 2: take");
  EXPECT_EQ(first_wrong_part<lowers_once>(2, "set(3)"),
            unexplained("set(3): | fire(1)") + "thread 0: put 3, hold 255, hold, cancel; thread 1: take");
  EXPECT_EQ(first_wrong_part<looks_first>(2, "set(1)"),
            unexplained("set(1): | set(2) | fire(1)") +
                "thread 0: put 1, hold 255, hold, cancel lost 1; thread 1: put 2, "
                "cancel; thread 2: take 1");
  EXPECT_EQ(
      first_wrong_part<cancels_unlocked>(3),
      ": | fire(1) | set(1) quit: thread 2 reads plain cell 4 of thread 2, unordered with a plain write by thread 1");
}
TEST(every_timers, of_which_no_sleeper_is_told_are_wrong) {
  EXPECT_EQ(first_wrong_part<tells_no_holder>(2, "set(3) rest(1)"),
            unexplained("set(3) rest(1): | set(1) | set(1)") +
                "thread 0: put 3, park, hold 1, hold 3, cancel; thread 2: put "
                "1, cancel");
  EXPECT_EQ(first_wrong_part<wakes_no_holder>(2),
            unexplained(": | set(1) | rest") + "thread 0: hold 1, hold 255; thread 1: put 1, cancel; thread 2: park");
  EXPECT_EQ(first_wrong_part<hands_over_nothing>(3, "set(3) rest(1)"),
            unexplained("set(3) rest(1): | wake run | rest") +
                "thread 0: put 3, park, hold 3, hold 255, cancel; thread 1: "
                "wake, begin; thread 2: park");
  EXPECT_EQ(first_wrong_part<passes_nothing_on>(3, "rest(1) rest(3)"),
            unexplained("rest(1) rest(3): | wake run | set(1)") +
                "thread 0: park, park, hold 1, hold 255; thread 1: wake, "
                "begin; thread 2: put 1, cancel");
}

/// A worker that was claimed does not ask the set again before it runs. So it may not know what its claimer did.
struct incurious : suites::timers_promise {
  static constexpr bool asks_again = false;
};
template <class Model>
using timers_of_incurious = suites::specified_timers_client<Model, suites::few_ticks<Model>, incurious>;

TEST(every_timers, need_workers_that_ask_again) {
  const std::string line = "rest(1) rest(2): | wake run | set(1) | set(1)";
  EXPECT_EQ(verdict_on<suites::every_timers>(line), "");
  EXPECT_EQ(verdict_on<timers_of_incurious>(line),
            unexplained("") + "thread 0: park, park, hold 1, hold 255; thread 1: wake, begin; thread 3: put 1, cancel");
}

/// A look never misses a timer.
struct clear_sighted : suites::timers_promise {
  static bool allows(state& s, const suites::call_history& h, std::size_t which) {
    return h[which].what == suites::deed::look ? s.none_before(h[which].count) : timers_promise::allows(s, h, which);
  }
};
template <class Model>
using clear_sighted_timers = suites::specified_timers_client<Model, suites::few_ticks<Model>, clear_sighted>;

TEST(every_timers, break_the_promise_that_a_look_misses_none) {
  EXPECT_EQ(first_wrong_part<clear_sighted_timers>(2, "set(3)", true),
            unexplained("set(3): | fire(1) | look") +
                "thread 0: put 3, hold 3, hold, cancel; thread 1: take; thread 2: look "
                "255");
}

/// Michael and Scott's queue (1996). Who takes an item moves the head to its node. A published library (libcds, issue
/// 186) moves it by a compare-exchange that acquires and releases nothing: the next taker comes to a node, and does not
/// see yet what is linked behind it.
template <class Model, order Advance>
class linked_queue {
 public:
  linked_queue() : nodes_{most + 1}, head_{&nodes_[0]}, tail_{&nodes_[0]} {}

  void push(std::uint64_t item) {
    node* const made = &nodes_[static_cast<std::size_t>(item)];
    for (;;) {
      node* last = tail_.load(order::acquire, "push.tail");
      node* next = last->next.load(order::acquire, "push.next");
      if (next != nullptr) {
        tail_.compare_exchange(last, next, order::release, order::relaxed, "push.help");
      } else if (last->next.compare_exchange(next, made, order::release, order::relaxed, "push.link")) {
        tail_.compare_exchange(last, made, order::release, order::relaxed, "push.swing");
        return;
      }
    }
  }
  std::size_t pop(std::span<std::uint64_t> into) {
    node* first = head_.load(order::acquire, "pop.head");
    for (;;) {
      node* const next = first->next.load(order::acquire, "pop.next");
      if (next == nullptr) return 0;
      if (!head_.compare_exchange(first, next, Advance, order::acquire, "pop.advance")) continue;
      into[0] = static_cast<std::uint64_t>(next - &nodes_[0]);
      return 1;
    }
  }

 private:
  static constexpr std::size_t most = 16;
  struct node {
    typename Model::template atomic<node*> next{nullptr};
  };

  suites::cells<node, most + 1> nodes_;  // of an item, by its number
  typename Model::template atomic<node*> head_;
  typename Model::template atomic<node*> tail_;
};

template <order Advance>
struct linked {
  template <class Model>
  using client = suites::specified_inject_client<Model, linked_queue<Model, Advance>, ordered_inject>;
};

TEST(every_inject_queue, of_a_library_whose_head_is_not_released_says_empty_too_early_long) {
  EXPECT_EQ(first_wrong_part<linked<order::release>::client>(4), "");
  EXPECT_EQ(first_wrong_part<linked<order::acquire>::client>(4),
            ": | push take | push take: no order of the calls respects happens-before and the specification: thread "
            "0: take 3, take empty; thread 1: push 2, take empty; thread 2: push 3, take 2");
}

}  // namespace
}  // namespace licit::suites_test
