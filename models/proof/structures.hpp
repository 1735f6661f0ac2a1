/// The structures that have a proof.
#ifndef LICIT_PROOF_STRUCTURES_HPP
#define LICIT_PROOF_STRUCTURES_HPP

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <licit/deque/errors.hpp>
#include <licit/deque/options.hpp>
#include <licit/deque/run_queue_options.hpp>
#include <licit/deque/steal_half.hpp>
#include <licit/deque/stolen.hpp>

#include "proof/stand_ins.hpp"
#include "proof/steps.hpp"

namespace licit::proof {

template <class Structure>
std::unique_ptr<Structure> made_chase_lev(int rounds = 0, bool at_maximum = false) {
  recorder::running().name_cells({"top", "ring", "bottom"}, {"drained", "begin", "end", "lap", "lap.ring", "limit"},
                                 rounds);
  deque_options with{.initial_capacity = 1};  // recorder: each ring has twice as many
  if (at_maximum) with.maximum_capacity = 1;
  auto made = std::make_unique<Structure>(with);
  if (at_maximum) recorder::running().forbid_growth();
  return made;
}

/// A theft of half of a Chase-Lev deque. `Policy`: symbolic, or in a test one of other rules.
template <class Policy = symbolic>
call half_of_chase_lev() {
  return {"half", false, [](const std::vector<bool>& decisions) -> call::answer {
            constexpr int rounds = 4;
            const auto victim = made_chase_lev<chase_lev<item, Policy>>(rounds);
            recorder& r = recorder::running();
            symbolic_home own;
            r.begin(false, {});
            if (!detail::steal_half_into(*victim, own, 0).is_empty() || !r.events().empty()) {
              throw std::logic_error("licit: a theft of half that is asked for nothing does something");
            }
            r.begin(false, decisions);
            r.run_loops(loops::claims);
            const auto got = detail::steal_half_into(*victim, own, recorder::most);
            if (got && got.moved() != own.got) r.oblige("moved", "false");
            r.end();
            if (!got) return {"", got.is_empty() ? "empty" : "lost"};
            if ((*got).text != r.claimed().at(0) || own.got + 1 != r.claimed().size()) {
              throw std::logic_error("licit: a theft of half does not keep what it claims");
            }
            return {"", "half"};
          }};
}

/// A call of the deque. With `rounds` it may come back to a site that often. Whether the deque is at its maximum
/// capacity is the run's first decision.
template <class Structure, class Operation>
call call_of_chase_lev(const char* name, bool owner, Operation operation, int rounds = 0) {
  return {name, owner, [=](const std::vector<bool>& decisions) {
            const auto deque = made_chase_lev<Structure>(rounds, !decisions.empty() && !decisions.front());
            const memory_of<Structure> before(*deque);
            recorder::running().begin(owner, decisions);
            recorder::running().decide("");
            call::answer got = operation(*deque);
            recorder::running().end();
            before.expect_same();
            return got;
          }};
}

/// What an owner may call besides push and pop.
template <class Structure>
std::vector<call> other_calls_of_chase_lev() {
  const auto pop_if = [](Structure& d) -> call::answer {
    recorder& r = recorder::running();
    if (d.pop_if(item{r.given("pop.asked")})) return {r.loaded_item(), ""};
    const bool popped =
        std::ranges::any_of(r.events(), [](const event& e) { return e.kind == event::what::operation; });
    return {"", popped ? "none" : "another"};
  };
  const auto room = [](Structure& d) -> call::answer { return {"", d.make_room_for_one() ? "room" : "no room"}; };
  const auto size = [](Structure& d) -> call::answer {
    recorder::running().may_answer_a_number();
    if (d.size() != recorder::most) throw std::logic_error("licit: size is another number than it has computed");
    return {"", "a number"};
  };
  constexpr int pops = 2;  // what it reads, and then the pop
  return {call_of_chase_lev<Structure>("pop_if", true, pop_if, pops), call_of_chase_lev<Structure>("room", true, room),
          call_of_chase_lev<Structure>("size", true, size)};
}

/// A Chase-Lev deque, by the run-time copy of its table, with push, pop, steal and `more`. `Structure` is
/// chase_lev<item, symbolic>, or in a test a variant of it. `words`: by the pop of words.
template <class Structure, bool words = false>
transition_system chase_lev_system(const char* name = "chase-lev", const std::vector<call>& more = {}) {
  const auto deque = made_chase_lev<Structure>();
  const auto& first = recorder::running().written();
  std::vector<std::pair<std::string, std::string>> initial(first.begin(), first.end());
  expect_no_claim_unless_admitted([] { return made_chase_lev<Structure>(); });

  const auto push = [](Structure& d) -> call::answer {
    try {
      d.push(item{"pushes"});
    } catch (const std::bad_alloc&) {
      return {"", "no room"};
    } catch (const capacity_error&) {
      return {"", "no room"};
    }
    return pushed();
  };
  const auto pop = [](Structure& d) -> call::answer {
    if constexpr (words) return popped_word(d);
    const auto got = d.pop();
    return got ? call::answer{got->text, ""} : call::answer{"", "none"};
  };
  const auto steal = [](Structure& d) -> call::answer {
    const auto got = d.steal();
    return got ? call::answer{(*got).text, ""} : call::answer{"", got.is_empty() ? "empty" : "lost"};
  };
  std::vector<call> calls{call_of_chase_lev<Structure>("push", true, push),
                          call_of_chase_lev<Structure>("pop", true, pop),
                          call_of_chase_lev<Structure>("steal", false, steal)};
  calls.insert(calls.end(), more.begin(), more.end());
  return system_of(name, std::move(initial), calls);
}

/// The queue in question.
template <class Structure>
std::unique_ptr<Structure> made_run_queue() {
  recorder::running().name_cells(
      {"top", "bottom", "away.top", "away.bottom"},
      {"end", "lap", "lap.ring", "limit", "seen", "away.end", "away.lap", "away.lap.ring", "away.limit", "away.seen"},
      4);
  return std::make_unique<Structure>(run_queue_options{.capacity = 2});
}

/// The queue in question, when it has had an overflow.
template <class Structure>
std::unique_ptr<Structure> overflown_run_queue() {
  auto queue = made_run_queue<Structure>();
  recorder& r = recorder::running();
  std::vector<bool> decisions;
  do {
    symbolic_sink to;
    r.begin(true, decisions);
    try {
      queue->push(item{"pushes"}, to);
    } catch (const refused&) {  // NOLINT(bugprone-empty-catch): this path ends here
    } catch (const endless&) {  // NOLINT(bugprone-empty-catch): so does this one
    }
    if (!to.batch.empty()) break;
    decisions = r.decisions();
  } while (next_path(decisions));
  return queue;
}

/// A theft of half, of its two sides: `half` takes from the queue in question, and `bring` fills it.
template <class Structure>
std::vector<call> half_calls() {
  const auto half_of = [](const char* of, bool receives, loops how, auto operation) {
    return call{of, receives, [=](const std::vector<bool>& decisions) {
                  const auto queue = made_run_queue<Structure>();
                  const auto other = std::make_unique<Structure>(run_queue_options{.capacity = 4});
                  recorder& r = recorder::running();
                  r.begin(receives, decisions);
                  r.run_loops(how);
                  call::answer got = operation(*queue, *other);
                  r.end();
                  return got;
                }};
  };
  const auto half = [](Structure& q, Structure& own) -> call::answer {
    const auto got = q.steal_half(own, recorder::most);
    if (got) return {(*got).text, ""};
    const bool asked = std::ranges::any_of(recorder::running().events(),
                                           [](const event& e) { return e.kind == event::what::operation; });
    return {"", !asked ? "nothing" : got.is_empty() ? "empty" : "lost"};
  };
  const auto bring = [](Structure& q, Structure& victim) -> call::answer {
    return {"", victim.steal_half(q, recorder::most) ? "a batch" : "in vain"};
  };
  return {half_of("half", false, loops::watched, half), half_of("bring", true, loops::counted, bring)};
}

/// A run queue, by the run-time copy of its table. `Structure` is run_queue<item, symbolic_queue>, or in a test a
/// variant of it. `words`: by the pop of words.
template <class Structure, bool words = false>
transition_system run_queue_system(const char* name = "run-queue") {
  const auto call_of = [&](const char* of, bool owner, auto operation, auto made) {
    return call{of, owner, [=](const std::vector<bool>& decisions) {
                  const auto queue = made();
                  const memory_of<Structure> before(*queue);
                  recorder::running().begin(owner, decisions);
                  call::answer got = operation(*queue);
                  recorder::running().end();
                  if (of != std::string_view("push")) before.expect_same();  // which has its batch
                  return got;
                }};
  };
  const auto queue = made_run_queue<Structure>();
  const auto& first = recorder::running().written();
  std::vector<std::pair<std::string, std::string>> initial(first.begin(), first.end());

  const auto try_push = [](Structure& q) -> call::answer {
    return q.try_push(item{"pushes"}) ? pushed() : call::answer{"", "full"};
  };
  const auto push = [](Structure& q) -> call::answer {
    symbolic_sink to;
    try {
      q.push(item{"pushes"}, to);
    } catch (const refused&) {
      return {"", "refused"};
    }
    to.hand_over();
    return pushed();
  };
  const auto pop = [](Structure& q) -> call::answer {
    if constexpr (words) return popped_word(q);
    const auto got = q.pop();
    return got ? call::answer{got->text, ""} : call::answer{"", "none"};
  };
  const auto steal = [](Structure& q) -> call::answer {
    const auto got = q.steal();
    return got ? call::answer{(*got).text, ""} : call::answer{"", got.is_empty() ? "empty" : "lost"};
  };
  constexpr auto fresh = made_run_queue<Structure>;
  std::vector<call> calls{call_of("try_push", true, try_push, fresh),
                          call_of("push", true, push, overflown_run_queue<Structure>), call_of("pop", true, pop, fresh),
                          call_of("steal", false, steal, fresh)};
  for (const char* constant : {"watched", "away.cap"}) initial.emplace_back(constant, constant);  // any
  for (call& each : half_calls<Structure>()) calls.push_back(std::move(each));
  transition_system made_of = system_of(name, std::move(initial), calls);
  made_of.given.push_back("(>= (cap 0) " + std::to_string(run_queue_options::smallest_capacity) + ")");
  return made_of;
}

/// The scheduler's wake-up protocol, for up to 32 workers and any number of other threads (wake_up.cpp).
transition_system wake_up_system();

/// A system with one thing made wrong.
struct altered_system {
  std::string name;
  std::function<transition_system()> system;
};
/// Of the protocol's tables and rules. Each system leaves the run-time tables as the library has them.
std::vector<altered_system> wake_up_mutants();

/// What has a proof, by the names of tables.
struct with_proof {
  const char* structure;
  const char* theorem;
};
inline constexpr std::array structures_with_proof{
    with_proof{"chase-lev",
               "Any number of threads and operations, with growth: each item is taken at most once, after its\n"
               "push, by the owner as the youngest or by a thief as the oldest; none is lost. A theft of half is\n"
               "a row of such thefts, of at most half of what it saw, rounded up. pop finds nothing\n"
               "only if all were taken; no steal reports empty while an item that was pushed before it is there,\n"
               "unless a pop under way has reserved it; and a steal is lost only to another claim of its item. A\n"
               "thief looks only into rings of which it knows how they were made. The calls have an order that\n"
               "respects happens-before and explains their results."},
    with_proof{"chase-lev-asymmetric",
               "The same, but for thefts of half, where the owner's fences are light and the thieves' are heavy."},
    with_proof{"run-queue",
               "Any number of threads and operations, of push, pop, steal and steal_half, with overflow: each item\n"
               "is taken at most once, the oldest first, after its push; none is lost. A theft of half claims at\n"
               "most half of what it saw, rounded up; it returns the oldest item, and publishes the others in the\n"
               "thief's own queue, in order. pop finds nothing only if all were taken; no theft reports empty\n"
               "while an item that was pushed before it is there; and a theft is lost only to another claim of its\n"
               "first item. The calls have an order that respects happens-before and explains their results."},
    with_proof{"wake-up",
               "Up to 32 workers, any number of other threads and of operations. While work waits that was told\n"
               "of, some worker does not sleep, or the last thread that announced and knew of this work is at the\n"
               "compare-exchange that claims one. (Told of: its publisher has read the idle set's head behind a\n"
               "fence, or the searcher that brought it has ended its search. To sleep: to be in the idle set and\n"
               "in `wait`.) Work that was not told of is that of a thread which is about to tell. A worker that\n"
               "was claimed and is still in the futex is about to get its token, or to be woken; if it leaves\n"
               "`wait`, it sees what its claimer saw. While there is work in a worker's inbox, that worker is not in\n"
               "the futex, or is about to get its token or to be woken. Nothing is said of progress."}};

/// The shipped ones, by their tables' names. Throws std::out_of_range for a structure that has no proof.
transition_system shipped(const std::string& structure);
inline transition_system shipped_chase_lev() { return shipped("chase-lev"); }
/// Chase-Lev without thefts of half: a smaller system, for tests.
transition_system chase_lev_of_single_thefts();

}  // namespace licit::proof

#endif
