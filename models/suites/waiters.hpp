/// Those who wait for a mutex, a semaphore, an event, a channel or a job: client programs, mutants.
#ifndef LICIT_SUITES_WAITERS_HPP
#define LICIT_SUITES_WAITERS_HPP

#include <array>
#include <string_view>

#include "suites/altered.hpp"
#include "suites/every/channel_client.hpp"
#include "suites/every/jobs_client.hpp"
#include "suites/every/waiting.hpp"
#include "suites/every/waiting_client.hpp"
#include "suites/program.hpp"
#include "suites/waiters/clients.hpp"
#include "suites/waiters/policies.hpp"

namespace licit::suites {

inline constexpr std::array short_lock_lines{
    client_line{.name = "lock",
                .text = "enter enter | enter",
                .property = "two threads are in the lock one after the other, and both come in",
                .waits = true,
                .goes_round = "lock."},
    client_line{.name = "lock_of_three",
                .text = "enter | enter | enter",
                .property = "so do three, of which two sleep",
                .waits = true,
                .goes_round = "lock."},
};

// A sleeper may wake for no reason; a task or a thread at the lock may wait for what comes in other executions only.

inline constexpr std::array permits_lines{
    client_line{.name = "mutex",
                .text = "take use give take use give | take use give",
                .property = "two coroutines hold a mutex one after the other",
                .waits = true},
    client_line{.name = "mutex_early",
                .text = "take use give | hurry use give",
                .property = "a waiter that runs early sees its answer, and may end at once",
                .waits = true},
    client_line{.name = "mutex_of_threads",
                .text = "take use give | sleep use give",
                .property = "a coroutine and a thread hold a mutex one after the other",
                .waits = true,
                .goes_round = "answer. rest"},
    client_line{.name = "mutex_of_three",
                .text = "take use give | take use give | take use give",
                .property = "three coroutines hold a mutex one after the other",
                .waits = true},
    client_line{.name = "mutex_that_expects",
                .text = "expects=1: take use give take use give | take use give",
                .property = "the same, of a mutex that does not look first",
                .waits = true},
    client_line{.name = "mutex_of_threads_that_expects",
                .text = "expects=1: take use give | sleep use give",
                .property = "the same, of a coroutine and a thread",
                .waits = true,
                .goes_round = "answer. rest"},
    client_line{.name = "cancelled_while_others_expect",
                .text = "expects=1: take use give | quit | try use? give?",
                .property = "the same, with a waiter that is cancelled and one that only tries",
                .waits = true},
    client_line{.name = "cancelled",
                .text = "take use give | quit | take use give",
                .property = "a waiter that is cancelled passes on the mutex that it was handed",
                .waits = true},
    client_line{.name = "tried",
                .text = "take use give | try use? give?",
                .property = "an attempt takes the mutex or leaves it",
                .waits = true},
    client_line{.name = "behind_a_larger_one",
                .text = "quit(2) | take give",
                .property = "who waits behind a cancelled one that asked for more gets what is there",
                .waits = true},
    client_line{.name = "from_two_givers",
                .text = "free=0: write(0) give | write(1) give | take(2) read(0) read(1)",
                .property = "who takes two permits sees what both givers did",
                .waits = true},
    client_line{.name = "left_over",
                .text = "free=0: write(0) give | quit(2) | try read(0)?",
                .property = "who takes a permit that a waiter left sees what its giver did",
                .waits = true},
    client_line{.name = "left_over_for_a_waiter",
                .text = "free=0: write(0) give | quit(2) | take read(0)",
                .property = "the same, of one that waits",
                .waits = true},
    client_line{.name = "enough_for_two",
                .text = "free=0: give(2) | take | take",
                .property = "permits for two wake two",
                .waits = true},
};
inline constexpr std::array locked_permits_lines{
    client_line{.name = "mutex_whole",
                .text = "take use give | take use give",
                .property = "a mutex with its own lock",
                .waits = true,
                .goes_round = "lock. rest"},
};
inline constexpr std::array permits_one_by_one_lines{
    client_line{.name = "rounds",
                .text = "free=0: give(2) | take give | take",
                .property = "between two rounds of a giver a permit is given back",
                .waits = true},
    client_line{.name = "rounds_cancelled",
                .text = "free=0: give(2) | quit | take",
                .property = "between two rounds of a giver a waiter is cancelled",
                .waits = true},
};
inline constexpr std::array gate_one_by_one_lines{
    client_line{.name = "event_in_rounds",
                .text = "open | wait shut quit! | quit",
                .property = "who comes between two rounds, after the gate was shut, does not go through",
                .waits = true},
    client_line{.name = "event_opened_in_rounds",
                .text = "open | wait shut open | wait",
                .property = "between two rounds the event is reset and set again",
                .waits = true},
    client_line{.name = "latch_in_rounds",
                .text = "arrive | destroy(1)",
                .property = "who has waited for a latch may destroy it when the others are cancelled",
                .waits = true},
};
inline constexpr std::array rendezvous_one_by_one_lines{
    client_line{.name = "barrier_in_rounds",
                .text = "parties=3: meet | meet quit! | meet",
                .property = "who comes for the next phase between two rounds does not go on",
                .waits = true},
};
// Where a sender and a receiver wait, a taker has two to wake. So these lines have waiters of one kind.
inline constexpr std::array channel_one_by_one_lines{
    client_line{.name = "receivers_in_rounds",
                .text = "receive | receive | close",
                .property = "all that wait for an item are told of the end",
                .waits = true},
    client_line{.name = "senders_in_rounds",
                .text = "send: send | send | close",
                .property = "all that wait for room are told of the end",
                .waits = true},
};
inline constexpr std::array jobs_one_by_one_lines{
    client_line{.name = "closed_in_rounds",
                .text = "limit=2: patient | patient | close",
                .property = "all threads that are idle are told of the end",
                .waits = true,
                .goes_round = "answer. lock"},
    client_line{.name = "joined_in_rounds",
                .text = "add | join | close join",
                .property = "the last thread wakes all that wait for it",
                .waits = true,
                .goes_round = "answer. lock"},
};
inline constexpr std::array gate_lines{
    client_line{.name = "event",
                .text = "write(0) open | wait read(0)",
                .property = "who waits for an event sees what was done before it",
                .waits = true},
    client_line{.name = "event_early",
                .text = "write(0) open | hurry read(0)",
                .property = "so does one that runs early",
                .waits = true},
    client_line{.name = "event_for_threads",
                .text = "write(0) open | sleep read(0)",
                .property = "so does a thread",
                .waits = true,
                .goes_round = "answer."},
    client_line{.name = "event_seen", .text = "write(0) open | look read(0)?", .property = "so does one that looks"},
    client_line{.name = "latch",
                .text = "missing=2: write(0) arrive | write(1) arrive | wait read(0) read(1)",
                .property = "who waits for a latch sees what all did who arrived",
                .waits = true},
    client_line{.name = "latch_seen",
                .text = "missing=2: write(0) arrive | write(1) arrive | look read(0)? read(1)?",
                .property = "so does one that looks",
                .waits = true},
    client_line{.name = "latch_destroyed",
                .text = "missing=2: arrive | arrive | destroy",
                .property = "who has waited for a latch may destroy it",
                .waits = true},
    client_line{.name = "event_again",
                .text = "open shut open | wait wait",
                .property = "an event that is reset is awaited again",
                .waits = true},
    client_line{.name = "event_cancelled",
                .text = "open | quit | wait",
                .property = "one waiter is cancelled while both are woken",
                .waits = true},
};
inline constexpr std::array counted_gate_lines{
    client_line{.name = "event_at_the_end",
                .text = "open | hurry",
                .property = "who opens has a reference to a task that ends as soon as it sees that",
                .waits = true},
    client_line{.name = "event_cancelled_at_the_end",
                .text = "open | quit | wait",
                .property = "so it has of one that is cancelled",
                .waits = true},
};
inline constexpr std::array rendezvous_lines{
    client_line{.name = "barrier",
                .text = "write(0) meet read(1) | write(1) meet read(0)",
                .property = "two that meet see what the other did before",
                .waits = true},
    client_line{.name = "barrier_early",
                .text = "write(0) early read(1) | write(1) asleep read(0)",
                .property = "so do a waiter that runs early, and a thread",
                .waits = true,
                .goes_round = "answer. rest"},
    client_line{.name = "barrier_again", .text = "meet meet | meet meet", .property = "two meet twice", .waits = true},
    client_line{.name = "barrier_cancelled",
                .text = "parties=3: meet | meet | quit",
                .property = "one that is cancelled has arrived",
                .waits = true},
    client_line{.name = "barrier_dropped",
                .text = "parties=3: meet meet | meet meet | drop",
                .property = "one arrives for the last time, and the others meet again without it",
                .waits = true},
};
inline constexpr std::array channel_lines{
    client_line{.name = "one_to_one",
                .text = "send send | receive receive",
                .property = "items arrive, in order, through a channel for one",
                .waits = true},
    client_line{.name = "one_to_one_early",
                .text = "send send_early | receive_early receive",
                .property = "so they do where either side runs early",
                .waits = true},
    client_line{.name = "threads",
                .text = "send_asleep send_asleep | receive_asleep receive_asleep",
                .property = "so they do between threads",
                .waits = true,
                .goes_round = "answer."},
    client_line{.name = "two_to_one",
                .text = "send | send | receive receive",
                .property = "two senders and a receiver, through a channel for one",
                .waits = true},
    client_line{.name = "one_to_two",
                .text = "send send | receive | receive",
                .property = "a sender and two receivers",
                .waits = true},
    client_line{.name = "cancelled_receiver",
                .text = "send send | quit_receive | receive",
                .property = "a receiver that is cancelled leaves its item to the next",
                .waits = true},
    client_line{.name = "cancelled_sender",
                .text = "send: quit_send | receive",
                .property = "a sender that is cancelled has sent its item or not",
                .waits = true},
    client_line{.name = "closed",
                .text = "send close | receive receive",
                .property = "a receiver takes what is inside, and then learns that no more comes",
                .waits = true},
    client_line{.name = "closed_for_two",
                .text = "send close | receive | receive",
                .property = "of two receivers one takes the last item, and the other learns that no more comes",
                .waits = true},
    client_line{.name = "closed_sender",
                .text = "send: send | close",
                .property = "a sender that waits for room learns that nobody will take its item",
                .waits = true},
    client_line{.name = "dropped_sender",
                .text = "send: send | drop",
                .property = "so it learns, and the items inside are counted before, if they are dropped",
                .waits = true},
    client_line{.name = "looked_at",
                .text = "send close | receive | look",
                .property = "a channel that was closed and empty has ended",
                .waits = true},
    client_line{.name = "closed_and_cancelled",
                .text = "send close | quit_receive | receive",
                .property = "send, close and a cancelled receiver at once",
                .waits = true},
    client_line{.name = "reserved",
                .text = "send: reserve | receive | send",
                .property = "room that a receiver leaves is filled, and the item wakes the next receiver",
                .waits = true},
};
inline constexpr std::array jobs_lines{
    client_line{.name = "grows",
                .text = "limit=2: add | add | close join",
                .property = "jobs are added, for which threads are started, while the pool is closed",
                .waits = true,
                .goes_round = "answer. lock"},
    client_line{.name = "given_to_the_idle",
                .text = "patient | add close",
                .property = "a job goes to a thread that is idle",
                .waits = true,
                .goes_round = "answer. lock"},
    client_line{.name = "given_as_time_is_over",
                .text = "add | add | close join",
                .property = "a job goes to a thread that is about to leave",
                .waits = true,
                .goes_round = "answer. lock"},
    client_line{.name = "dropped",
                .text = "add | add | drop join",
                .property = "a job is done, dropped or refused",
                .waits = true,
                .goes_round = "answer. lock"},
    client_line{.name = "without_a_thread",
                .text = "fail | add | close join",
                .property = "a thread cannot be started, for which another job waits",
                .waits = true,
                .goes_round = "answer. lock"},
};

inline constexpr std::array waiters_mutants{
    mutant{"lock.take relaxed", {"lock.take", change::weaken}},
    mutant{"lock.wait relaxed", {"lock.wait", change::weaken}},
    mutant{"lock.free relaxed", {"lock.free", change::weaken}},
    mutant{"answer.give relaxed", {"answer.give", change::weaken}},
    mutant{"answer.give removed", {"answer.give", change::drop}},
    mutant{"answer.look relaxed", {"answer.look", change::weaken}},
    mutant{"answer.wait relaxed", {"answer.wait", change::weaken}},
    mutant{"take.claim relaxed", {"take.claim", change::weaken}},
    mutant{"wait.claim relaxed", {"wait.claim", change::weaken}},
    mutant{"give.add relaxed", {"give.add", change::weaken}},
    mutant{"settle.look relaxed", {"settle.look", change::weaken}},
    mutant{"settle.store relaxed", {"settle.store", change::weaken}},
    mutant{"settle.store removed", {"settle.store", change::drop}},
    mutant{"gate.look relaxed", {"gate.look", change::weaken}},
    mutant{"gate.open relaxed", {"gate.open", change::weaken}},
};

/// Every client: of generated lines, judged by the specifications.
template <class Model>
using every_lock = specified_lock_client<Model, short_lock<twice_tried<Model>>, lock_promise>;
template <class Model>
using every_permits = waiting_client<Model, permits_of_threads<Model, specified_lock<Model>, waiting_task<Model>>,
                                     waiting_task<Model>, permits_promise>;
template <class Model>
using every_gate = waiting_client<Model, gate_of_threads<Model, specified_lock<Model>, waiting_task<Model>>,
                                  waiting_task<Model>, gate_promise>;
template <class Model>
using every_rendezvous = waiting_client<Model, rendezvous_of_threads<Model, specified_lock<Model>, waiting_task<Model>>,
                                        waiting_task<Model>, rendezvous_promise>;
template <class Model>
using every_channel = specified_channel_client<Model, specified_lock<Model>, waiting_task<Model>, channel_promise>;
template <class Model>
using every_jobs = specified_jobs_client<Model, specified_lock<Model>, waiting_task<Model>, jobs_promise>;

struct waiters_suite {
  static constexpr const auto& orders = waiters_orders;
  static constexpr const auto& mutants = waiters_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<permits_client>(permits_lines);
    to.template lines<short_lock_client>(short_lock_lines);
    to.template lines<locked_permits_client>(locked_permits_lines);
    to.template lines<permits_one_by_one_client>(permits_one_by_one_lines);
    to.template lines<channel_one_by_one_client>(channel_one_by_one_lines);
    to.template lines<jobs_one_by_one_client>(jobs_one_by_one_lines);
    to.template lines<gate_client>(gate_lines);
    to.template lines<counted_gate_client>(counted_gate_lines);
    to.template lines<gate_one_by_one_client>(gate_one_by_one_lines);
    to.template lines<rendezvous_one_by_one_client>(rendezvous_one_by_one_lines);
    to.template lines<rendezvous_client>(rendezvous_lines);
    to.template lines<channel_client>(channel_lines);
    to.template lines<jobs_client>(jobs_lines);
  }
  template <class List>
  static void broken(List& to) {
    one<deaf_lock_client>(to, "lock_wakes_nobody", "enter | enter", "who frees the lock wakes nobody", "lock.");
    one<stale_lock_client>(to, "lock_expects_what_it_saw", "enter | enter", "a second try takes a lock that is held",
                           "lock.");
    one<torn_lock_client>(to, "lock_in_two_steps", "enter | enter", "two threads find the lock free", "lock.");
    one<torn_take_of_permits_client>(to, "take_in_two_steps", "take use give | take use give",
                                     "two find the mutex free");
    one<torn_mark_client>(to, "mark_in_two_steps", "take use give | take use give",
                          "a mark over a word that has changed meanwhile");
    one<torn_give_client>(to, "give_in_two_steps", "free=0: give | give | take(2)", "two give, and one permit comes");
    one<keeps_permits_client>(to, "cancelled_keeps_permits", "take use give | quit | take use give",
                              "a waiter that is cancelled keeps the mutex that it was handed");
    one<looks_not_behind_client>(to, "cancelled_looks_not_behind", "quit(2) | take give",
                                 "who waits behind a cancelled one is forgotten");
    one<unmarked_client>(to, "waits_without_mark", "take use give | take use give", "a giver sees nobody wait");
    one<forgetful_permits_client>(to, "wakes_nobody", "take use give | take use give", "a wake-up is dropped");
    one<looks_once_client>(to, "gate_opens_behind_a_look", "open | wait", "the gate opens between a look and the wait");
    one<lends_late_client>(to, "lends_late", "open | hurry", "a task ends before who answers it has a reference");
    one<lets_nobody_leave_client>(to, "destroyed_under_its_opener", "arrive | destroy",
                                  "who waited for a latch destroys it before its opener has left");
    one<lets_no_round_finish_client>(to, "destroyed_between_rounds", "arrive | destroy(1)",
                                     "who waited for a latch destroys it between two rounds of its opener");
    one<gate_of_one_round_client>(to, "opens_for_some", "open | wait | wait",
                                  "an opening wakes as many as there is room for");
    one<channel_of_one_round_client>(to, "tells_some_of_the_end", "receive | receive | close",
                                     "a close tells as many as there is room for");
    one<jobs_of_one_round_client>(to, "tells_some_threads_of_the_end", "limit=2: patient | patient | close",
                                  "so does the close of a pool", "answer.");
    one<one_opening_client>(to, "goes_through_by_an_old_opening", "open | wait shut quit! | quit",
                            "who comes after an opening goes through by it");
    one<one_phase_client>(to, "goes_on_by_an_old_phase", "parties=3: meet | meet quit! | meet",
                          "who comes for the next phase goes on by the end of this one");
    one<keeps_items_client>(to, "cancelled_keeps_item", "send send | quit_receive | receive",
                            "a receiver that is cancelled keeps what was reserved for it");
    one<overtaking_receiver_client>(to, "takes_what_is_reserved", "send send | receive | receive",
                                    "a receiver takes an item of which another was told");
    one<drops_in_silence_client>(to, "drops_in_silence", "send: send | drop", "a sender waits where nobody is left");
    one<endless_client>(to, "last_item_in_silence", "send close | receive | receive",
                        "who waits is not told that the last item is gone");
    one<leaves_with_a_job_client>(to, "leaves_with_a_job", "add | add | close join",
                                  "a thread leaves with the job that it has been given", "answer.");
    one<leaves_jobs_client>(to, "leaves_jobs", "add | add | close join", "a thread leaves while a job is queued",
                            "answer.");
    one<leaves_in_silence_client>(to, "leaves_in_silence", "add | close join", "the last thread wakes no joiner",
                                  "answer.");
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_lock>();
    to.template specified<every_permits>();
    to.template specified<every_gate>();
    to.template specified<every_rendezvous>();
    to.template specified<every_channel>();
    to.template specified<every_jobs>();
  }

 private:
  template <template <class> class Client, class List>
  static void one(List& to, std::string_view name, std::string_view text, std::string_view property,
                  std::string_view goes_round = {}) {
    to.template lines<Client>(std::array{
        client_line{.name = name, .text = text, .property = property, .waits = true, .goes_round = goes_round}});
  }
};

}  // namespace licit::suites

#endif
