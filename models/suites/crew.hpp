/// The crew, which is the workers of a scheduler with their real loop: client programs, mutants.
#ifndef LICIT_SUITES_CREW_HPP
#define LICIT_SUITES_CREW_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <licit/scheduler/idle/idle_set.hpp>
#include <licit/scheduler/inject/inject_queue_rules.hpp>
#include <licit/scheduler/inject/link.hpp>
#include <licit/scheduler/metrics/watchdog.hpp>
#include <licit/scheduler/worker.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/crew/replaced.hpp"
#include "suites/crew/tools.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline constexpr std::array crew_sites{site_rule{"stop.set", "stop"}, site_rule{"stop.seen", "stop"}};
inline const site_rules_for<crew_orders> crew_site_rules{std::span<const site_rule>(crew_sites)};

/// An item's number, in a word.
enum class crew_item : std::uint64_t {};

}  // namespace licit::suites

/// For items that are retained without memory, an item's one link after another's. Whether links race is asked of the
/// inject queue's own programs (suites/inject_queue.hpp).
template <>
struct licit::inject_link<licit::suites::crew_item> {
  using item = licit::suites::crew_item;
  static item get(item one) noexcept { return links[static_cast<std::size_t>(one)]; }
  static void set(item one, item next) noexcept { links[static_cast<std::size_t>(one)] = next; }

 private:
  static inline std::array<item, 8> links{};
};

namespace licit::suites {

using licit::detail::crew;
using licit::detail::in_order;
using licit::detail::worker;
using licit::detail::worker_options;
using licit::detail::youngest_first;

/// Short segments, so that a pusher and a taker cannot keep each other from a cell for long.
template <class Model>
using with_short_segments = with_rules<Model, inject_queue_rules{.cells = 2, .alignment = 64, .number_bits = 2}>;

/// Workers and foreign threads. When the last item has run, the crew is stopped, and the run ends. An item that nobody
/// runs leaves threads asleep for ever, which the checker calls a lost wake-up.
///
///     work      this thread is a worker, in its loop; workers are the first threads
///     inject    a foreign thread: an item from outside
///     stop      a foreign thread: the crew is to stop
///     batch(n)  a foreign thread: n items from outside, at once
///     post(w)   a foreign thread: an item that only worker w may run
///     watch(f)  a foreign thread: the watchdog, which sleeps while all workers are parked, and then sets flag f
///
/// Before the colon:
///
///     put       an item in worker 0's slot
///     announce  as if there were work
///     task(i)   what follows is what item i does when it runs (items count from 1):
///     next      it makes an item, which its worker runs next
///     later     it makes an item, which its worker runs after the others
///     many(n)   it makes n items at once
///     send(w)   it makes an item that only worker w may run
///     hand-over its thread is about to block
///     sweep     its worker takes all out of its queue and puts them back
///     set(f)    it sets flag f
///     await(f)  it blocks until flag f is set
///
/// `asleep=1`: workers begin in the idle set. `interval`: a worker looks at the inject queue first every so many polls.
/// `batch`: it takes so many items at once. `steals=0`: nobody steals.
template <class Model, template <class, class> class Local, template <class, class> class Inject>
class crew_client_of {
 public:
  enum : std::uint8_t { work_word, inject_word, stop_word, post_word, batch_word, watch_word };
  static constexpr std::array words{"work", "inject", "stop", "post", "batch", "watch"};
  enum : std::uint8_t {
    put_word = 6,
    announce_word,
    task_word,
    next_word,
    later_word,
    many_word,
    send_word,
    over_word,
    sweep_word,
    set_word,
    await_word
  };
  static constexpr std::array before{"put",  "announce",  "task",  "next", "later", "many",
                                     "send", "hand-over", "sweep", "set",  "await"};
  enum : std::uint8_t { asleep, interval, batch, steals };
  static constexpr std::array settings{"asleep", "interval", "batch", "steals"};

  explicit crew_client_of(const line& l)
      : crew_{{.workers = workers_of(l), .asleep = l.setting(asleep, 0) != 0, .local_capacity = 2}},
        items_{items_of(l)},
        left_{static_cast<int>(items_of(l)), "left"},
        flags_{flags_of(l)} {
    Model::name(flags_, "flag");
    if (l.count(watch_word) != 0) watchdog_.emplace();
    const std::size_t workers = workers_of(l);
    for (std::size_t i = 0; i != workers; ++i) {
      tools_[i].emplace(i, workers, static_cast<unsigned>(l.setting(interval, 8)));
      workers_[i].emplace(
          crew_, i,
          worker_options{
              .in_a_row = 3, .inject_batch = l.setting(batch, 2), .steals = l.setting(steals, 1) != 0, .rounds = 1},
          *tools_[i]);
      if (watchdog_) tools_[i]->metrics.out_of_set = [this] { watchdog_->unpark(); };
    }
  }

  static const char* refuses(const line& l) {
    if (workers_of(l) == 0 || workers_of(l) > most_workers) return "one or two threads are workers";
    if (items_of(l) > most_of_items) return "more than 5 items";
    if (items_of(l) == 0 && l.count(stop_word) == 0) return "without an item or a stop, the workers never end";
    if (flags_of(l) > most_flags) return "more than 2 flags are set";
    if (l.count(watch_word) > 1) return "there is one watchdog";
    return l.setting(interval, 8) == 0 ? "interval is at least 1" : nullptr;
  }
  static const char* refuses(const line& l, unsigned thread, const call& c) {
    if (c.word == work_word) return thread < workers_of(l) ? nullptr : "workers are the first threads, and work once";
    if ((c.word == post_word || c.word == send_word) && c.at(0, 0) >= workers_of(l)) return "there is no such worker";
    if (c.word == task_word) return c.at(0, 1) <= items_of(l) ? nullptr : "there is no such item";
    if (c.word == watch_word) return c.at(0, 0) < flags_of(l) ? nullptr : "flags count from 0";
    if (c.word < next_word) return nullptr;
    if (l.before.count(task_word) == 0) return "a task(i) before it was expected";
    const bool of_flag = c.word == set_word || c.word == await_word;
    return of_flag && c.at(0, 0) >= flags_of(l) ? "nothing sets this flag" : nullptr;
  }

  void prepare(const call& c) {
    if (c.word == put_word) return workers_[0]->run_next(open());
    if (c.word == announce_word) return crew_.announce();
    if (c.word == task_word) {
      described_ = &does_[c.at(0, 1)];
      *described_ = {&c + 1, 0};
    } else {
      *described_ = {described_->data(), described_->size() + 1};
    }
  }
  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case work_word: work(thread); break;
      case inject_word: crew_.inject(open()); break;
      case batch_word: crew_.inject_all(open_many(c.at(0, 1))); break;
      case post_word: crew_.post(c.at(0, 0), open_for(c.at(0, 0))); break;
      case watch_word: watch(c.at(0, 0)); break;
      default: crew_.stop(); break;
    }
    return true;
  }

  void settle() { items_.settle(); }
  void leave() {}

 private:
  static constexpr std::size_t most_workers = 2;
  static constexpr std::size_t most_of_items = 5;
  static constexpr std::size_t most_flags = 2;

  using policy = with_short_segments<with_choice<Model, choose_crew_rules{}>>;
  using crew_type = crew<crew_item, policy, Local, Inject>;
  using worker_type = worker<crew_type, crew_tools>;

  static std::size_t workers_of(const line& l) { return l.count(work_word); }
  static std::size_t flags_of(const line& l) { return l.count(set_word) + l.count(watch_word); }
  static std::size_t items_of(const line& l) {
    return l.count(inject_word) + l.count(put_word) + l.count(next_word) + l.count(later_word) + l.count(post_word) +
           l.count(send_word) + items_at_once(l);
  }
  static std::size_t items_at_once(const line& l) {
    std::size_t items = 0;
    const auto add = [&](const call& c) { items += c.word == batch_word || c.word == many_word ? c.at(0, 1) : 0; };
    for (const call& c : l.before) add(c);
    for (unsigned t = 0; t != l.threads; ++t) {
      for (const call& c : l.thread[t]) add(c);
    }
    return items;
  }

  /// The spawning thread: the next item.
  crew_item open() { return crew_item{static_cast<std::uint64_t>(items_.open())}; }

  /// Valid until the thread's next call.
  std::span<const crew_item> open_many(std::size_t n) {
    for (std::size_t i = 0; i != n; ++i) many_[i] = open();
    return std::span(many_).first(n);
  }
  /// The same, for one worker alone.
  crew_item open_for(std::size_t worker) {
    const crew_item one = open();
    only_[static_cast<std::size_t>(one)] = worker + 1;
    return one;
  }

  void work(unsigned thread) {
    workers_[thread]->run([&](crew_item one) {
      const auto number = static_cast<std::size_t>(one);
      items_.take(static_cast<int>(number));
      Model::check(only_[number] == 0 || only_[number] == thread + 1, "an item ran on another worker than its own");
      for (const call& c : does_[number]) act(thread, c);
      if (left_.fetch_sub(1, order::relaxed, "left") == 1) crew_.stop();
    });
  }
  void act(unsigned thread, const call& c) {
    worker_type& at = *workers_[thread];
    switch (c.word) {
      case next_word: return at.run_next(open());
      case later_word: return at.run_later(open());
      case many_word: return at.run_all(open_many(c.at(0, 1)));
      case send_word: return send(thread, c.at(0, 0));
      case over_word: return at.hand_over();
      case sweep_word: return at.sweep([](crew_item /*one*/) { return false; });
      case set_word: return flags_[c.at(0, 0)].store(1, order::relaxed, "set");
      default: return flags_[c.at(0, 0)].await_value(1, order::relaxed, "await");
    }
  }

  void watch(std::size_t flag) {
    const auto all_parked = [this] { return crew_.idle().parked() == crew_.workers(); };
    while (licit::detail::sleep_while_all_parked(*watchdog_, all_parked)) {
    }
    flags_[flag].store(1, order::relaxed, "watched");
  }
  void send(unsigned thread, std::size_t to) {
    const crew_item one = open_for(to);
    to == thread ? workers_[thread]->bound().push(one) : crew_.post(to, one);
  }

  crew_type crew_;
  made_later<parker<policy>> watchdog_;
  std::array<made_later<crew_tools>, most_workers> tools_;
  std::array<made_later<worker_type>, most_workers> workers_;
  account<Model> items_;
  typename Model::template atomic<int> left_;
  cells<typename Model::template atomic<int>, most_flags> flags_;
  std::array<std::span<const call>, most_of_items + 1> does_{};  // by an item's number
  std::array<crew_item, most_of_items> many_{};                  // one thread's: a line has one such call
  std::array<std::size_t, most_of_items + 1> only_{};            // one more than the worker that may run it
  std::span<const call>* described_ = does_.data();
};

/// The workers' own queues first in, first out; the inject queue by its specification.
template <class Model>
using crew_client = crew_client_of<Model, in_order, locked_list>;
/// The youngest item of a worker's own queue first.
template <class Model>
using crew_youngest_client = crew_client_of<Model, youngest_first, locked_list>;
/// Nothing but the inject queue's list for items that get no memory.
template <class Model>
using crew_without_memory_client = crew_client_of<Model, in_order, kept_list>;
/// The lock-free inject queue.
template <class Model>
using crew_whole_client = crew_client_of<Model, in_order, inject_queue>;

/// The rules that only many workers come under: thieves pass over who is asleep, and workers are woken although others
/// search; here whenever one is busy.
template <class Model>
using crew_of_many_client = crew_client<with_rules<Model, idle_set_rules{.few = 0, .in_word = 1, .busy_of_many = 0}>>;

constexpr client_line waiting(std::string_view name, std::string_view text, std::string_view property) {
  return {.name = name, .text = text, .property = property, .waits = true};
}

/// The task waits for the watchdog, so a watchdog that sleeps while the task runs is never awake.
inline constexpr std::string_view watched_task = "task(1) await(0): work | inject | watch(0)";

inline constexpr std::array crew_lines{
    waiting("two_tasks", "work | inject inject",
            "a foreign thread spawns two tasks for one worker, which sleeps between"),
    waiting("stopped", "work | work | stop", "workers that sleep, or are about to, are stopped"),
    waiting("woken_in_vain", "asleep=1 announce: work | work | inject",
            "a foreign thread spawns one task while a worker that was woken finds none, and another sleeps"),
    waiting("batch", "interval=1 put inject inject task(2) set(0) await(1) task(3) set(1) await(0): work | work",
            "other workers are told of the items that came in a batch from the inject queue"),
    waiting("watched", watched_task, "a watchdog that sleeps while all workers are parked is awake while a task runs"),
};
inline constexpr std::array crew_whole_lines{
    waiting("one_for_two_asleep", "asleep=1: work | work | inject",
            "a foreign thread spawns one task for two workers that sleep; lock-free inject queue"),
};

inline constexpr std::string_view overtaken =
    "asleep=1 interval=1 batch=1 inject inject task(1) next task(2) await(0) task(3) set(0): work | work";
inline constexpr std::string_view put_back =
    "interval=1 batch=1 put inject inject task(2) set(0) await(1) task(3) set(1) await(0): work | work";
inline constexpr std::string_view batch_of_two =
    "asleep=1 task(1) set(0) await(1) task(2) set(1) await(0): work | work | batch(2)";
inline constexpr std::string_view many = "put task(1) many(2) await(0) task(2) set(0): work | work";
inline constexpr std::string_view many_for_one_asleep =
    "asleep=1 task(1) many(2) await(0) task(2) set(0) await(1) task(3) set(1): work | work | inject";
inline constexpr std::string_view swept = "put task(1) later sweep await(0) task(2) set(0): work | work";
inline constexpr std::string_view young = "put task(1) many(1) await(0) task(2) set(0): work | work";
inline constexpr std::string_view posted = "work | post(0) post(0)";
inline constexpr std::string_view posted_and_claimed =
    "asleep=1 task(1) set(0) task(2) await(0): work | work | post(0) inject";
inline constexpr std::string_view each_its_own =
    "asleep=1 steals=0 task(1) set(0) await(1) task(2) set(1) await(0): work | work | post(0) post(1)";
inline constexpr std::string_view overtaken_by_bound =
    "put task(1) next send(0) task(2) set(0) task(3) await(0): work | work";
inline constexpr std::string_view overtaken_by_bound_asleep =
    "asleep=1 task(1) next send(0) task(2) set(0) task(3) await(0): work | work | inject";
inline constexpr std::string_view blocking = "put task(1) next hand-over await(0) task(2) set(0): work | work";
inline constexpr std::string_view yielded =
    "asleep=1 inject task(1) next later task(2) await(0) task(3) set(0): work | work";
inline constexpr std::string_view yielded_awake = "task(1) next later task(2) await(0) task(3) set(0) put: work | work";
inline constexpr std::string_view side_by_side =
    "asleep=1 task(1) set(0) await(1) task(2) set(1) await(0): work | work | inject inject";
inline constexpr std::string_view shared_out = "put task(1) next next: work | work";

inline constexpr std::array crew_full_fences_lines{
    waiting("blocking", blocking, "the task in the slot of a worker that blocks runs elsewhere"),
    waiting("yielded", yielded, "a task that yielded goes on while another keeps its worker"),
    waiting("side_by_side", side_by_side, "two tasks that wait for each other get both workers"),
    waiting("batch_of_two", batch_of_two, "two tasks that a foreign thread spawns at once get both workers"),
    waiting("many_for_one_asleep", many_for_one_asleep,
            "two tasks that a worker spawns at once run beside each other, though the other worker slept"),
    waiting("swept", swept, "a task that a worker had in its hand while it swept runs beside it"),
    waiting("young", young, "a task that its worker could take back runs beside its spawner"),
    waiting("posted", posted, "a foreign thread posts two tasks to a worker, which sleeps between"),
    waiting("posted_and_claimed", posted_and_claimed,
            "a sleeping worker gets a task of its own, while it may be woken for another"),
    waiting("each_its_own", each_its_own, "without thefts each worker runs what is posted to it, beside the other"),
    waiting("sent", "post(0) task(1) send(1) await(0) task(2) set(0): work | work",
            "a task that is sent to another worker runs beside its sender"),
    waiting("overtaken_by_bound_asleep", overtaken_by_bound_asleep,
            "the task in a worker's slot runs elsewhere, where a worker slept, while a bound one keeps the worker"),
    waiting("overtaken", overtaken,
            "the task in a worker's slot runs elsewhere while an injected one keeps the worker"),
};
inline constexpr std::array crew_without_memory_lines{
    waiting("put_back", put_back, "other workers are told of injected tasks that a worker took out and put back"),
};
inline constexpr std::array crew_youngest_lines{
    waiting("blocking_youngest_first", blocking,
            "the task in the slot of a worker that blocks runs elsewhere; LIFO queues"),
    waiting("yielded_youngest_first", yielded,
            "a task that yielded goes on while another keeps its worker; LIFO queues"),
};

inline constexpr std::array crew_of_many_lines{
    waiting("asleep_of_many", "asleep=1: work | work | inject",
            "a foreign thread spawns one task for two workers that sleep; by the rules for many workers"),
    waiting("batch_of_many", crew_lines[3].text,
            "other workers are told of the items that came in a batch; by the rules for many workers"),
};

/// Some hundred thousand executions each, and more.
inline constexpr std::array crew_longer_lines{
    waiting("two_asleep", "asleep=1: work | work | inject inject",
            "a foreign thread spawns two tasks for two workers that sleep"),
    waiting("shared_out", shared_out, "a task spawns two, and another worker helps, asleep or not"),
    waiting("two_workers", "work | work | inject", "a foreign thread spawns one task for two workers"),
    waiting("many", many, "a task that a worker spawns among several at once runs beside its spawner"),
    waiting("overtaken_by_bound", overtaken_by_bound,
            "the task in a worker's slot runs elsewhere while one that is bound to it keeps the worker"),
};
inline constexpr std::array crew_longer_of_many_lines{
    waiting("many_of_many", many,
            "a task that a worker spawns among several at once runs beside its spawner; by the rules for many workers"),
};
inline constexpr std::array crew_longer_whole_lines{
    waiting("two_tasks_whole", "work | inject inject", "two_tasks, with the lock-free inject queue"),
    waiting("woken_in_vain_whole", "asleep=1 announce: work | work | inject",
            "woken_in_vain, with the lock-free inject queue"),
};
inline constexpr std::array crew_longer_youngest_lines{
    waiting("shared_out_youngest_first", shared_out,
            "a task spawns two, and another worker helps, asleep or not; LIFO queues"),
    waiting("side_by_side_youngest_first", side_by_side,
            "two tasks that wait for each other get both workers; LIFO queues"),
    waiting("yielded_while_searching", yielded_awake,
            "a task that yielded goes on while another keeps its worker, and one is about to sleep; LIFO queues"),
};
inline constexpr std::array crew_sampled_lines{
    waiting("overflow", "put task(1) next*4: work | work",
            "half of a full queue goes to the inject queue while the queue is stolen from"),
};
inline constexpr std::array crew_sampled_youngest_lines{
    waiting("overflow_of_yielded", "put task(1) later*4: work | work",
            "the same of the tasks that yielded; LIFO queues"),
};

inline constexpr std::array crew_mutants{
    mutant{"announce.fence removed", {"announce.fence", change::drop}},
    mutant{"announce.fence acq_rel", {"announce.fence", change::weaken, order::acq_rel}},
    mutant{"look.fence removed", {"look.fence", change::drop}},
    mutant{"look.fence acq_rel", {"look.fence", change::weaken, order::acq_rel}},
    mutant{"stop.set removed", {"stop.set", change::drop}},
};

struct crew_suite {
  static constexpr const auto& orders = crew_orders;
  static constexpr const auto& mutants = crew_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<crew_client>(crew_lines);
    to.template lines<crew_whole_client>(crew_whole_lines);
    to.template lines<crew_client>(crew_full_fences_lines);
    to.template lines<crew_without_memory_client>(crew_without_memory_lines);
    to.template lines<crew_youngest_client>(crew_youngest_lines);
    to.template lines<crew_of_many_client>(crew_of_many_lines);
  }
  template <class List>
  static void longer(List& to) {
    to.template lines<crew_client>(crew_longer_lines);
    to.template lines<crew_whole_client>(crew_longer_whole_lines);
    to.template lines<crew_of_many_client>(crew_longer_of_many_lines);
    to.template lines<crew_youngest_client>(crew_longer_youngest_lines);
  }
  template <class List>
  static void sampled(List& to) {
    to.template lines<crew_client>(crew_sampled_lines);
    to.template lines<crew_youngest_client>(crew_sampled_youngest_lines);
  }
  template <class List>
  static void broken(List& to) {
    one<crew_client, worker_rules{.looks_again = false}>(to, "parks_without_a_look", crew_lines[0].text,
                                                         "the last searcher sleeps without having looked again");
    one<crew_client, worker_rules{.passes_on = false}>(to, "wakes_no_other", side_by_side,
                                                       "a searcher that found work wakes nobody for the rest of it");
    one<crew_client, worker_rules{.tells_of_batches = false}>(
        to, "batch_not_told", crew_lines[3].text,
        "nobody is told of the items that came in a batch from the inject queue");
    one<crew_client, worker_rules{.hands_over = false}>(to, "slot_left_behind", blocking,
                                                        "a worker blocks with a task in its slot");
    one<crew_client, worker_rules{.tells_of_slot = false}>(
        to, "slot_overtaken", overtaken, "nobody is told of a slot's task that an injected one overtakes");
    one<crew_without_memory_client, worker_rules{.tells_of_kept = false}>(
        to, "put_back_untold", put_back, "nobody is told of injected tasks that were taken out and put back");
    one<crew_client, worker_rules{.tells_of_slot = false}>(
        to, "slot_overtaken_by_bound", overtaken_by_bound,
        "nobody is told of a slot's task that a bound one overtakes");
    one<crew_client, worker_rules{.tells_of_many = false}>(
        to, "batch_of_two_untold", batch_of_two, "nobody is told of the tasks that a foreign thread spawns at once");
    one<crew_client, worker_rules{.tells_of_many = false}>(to, "many_untold", many,
                                                           "nobody is told of the tasks that a worker spawns at once");
    one<crew_client, worker_rules{.wakes_for_posts = false}>(to, "posted_unwoken", posted,
                                                             "a worker is not woken for a task of its own");
    one<crew_client, worker_rules{.tells_watchdog = false}>(
        to, "watchdog_untold", watched_task, "nobody tells the watchdog of a worker that saw work before it slept");
    one<crew_client, worker_rules{.looks_in_inbox = false}>(
        to, "posted_unseen", posted, "a worker that is woken for a task of its own does not look there");
    one<crew_client, worker_rules{.tells_of_swept = false}>(to, "swept_in_silence", swept,
                                                            "nobody is told of a task that a worker has swept");
    one<crew_client, worker_rules{.tells_of_yields = false}>(to, "yielded_left_behind", yielded,
                                                             "nobody is told of a task that yielded behind another");
    one<crew_client, in_order_rules{.counts_young = false}>(to, "young_unseen", young,
                                                            "who looks before it sleeps does not see a young task");
    one<crew_client, in_order_rules{.gives_young = false}>(to, "young_not_given", young,
                                                           "thieves leave a task that its worker could take back");
    one<crew_youngest_client, youngest_first_rules{.counts_yielded = false}>(
        to, "yielded_unseen", yielded_awake, "who looks before it sleeps does not see a task that yielded under LIFO");
    one<crew_youngest_client, youngest_first_rules{.gives_yielded = false}>(
        to, "yielded_not_given", yielded, "thieves leave a task that yielded under LIFO");
  }

 private:
  template <template <class> class Client, auto Rules, class List>
  static void one(List& to, std::string_view name, std::string_view text, std::string_view property) {
    to.template lines_under<Client, Rules>(std::array{waiting(name, text, property)});
  }
};

}  // namespace licit::suites

#endif
