/// The structures that have a proof.
#ifndef LICIT_PROOF_STRUCTURES_HPP
#define LICIT_PROOF_STRUCTURES_HPP

#include <array>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <licit/deque/options.hpp>
#include <licit/deque/run_queue_options.hpp>
#include <licit/deque/stolen.hpp>

#include "proof/steps.hpp"

namespace licit::proof {

/// A Chase-Lev deque, by the run-time copy of its table. `Structure` is chase_lev<item, symbolic>,
/// or in a test a variant of it.
template <class Structure>
transition_system chase_lev_system(const char* name = "chase-lev") {
  const auto made = [] {
    recorder::running().name_cells({"top", "ring", "bottom"}, {"drained", "begin", "end", "lap", "lap.ring", "limit"});
    return std::make_unique<Structure>(deque_options{.initial_capacity = 1});  // recorder: each ring has twice as many
  };
  const auto call_of = [&](const char* name, bool owner, auto operation) {
    return call{name, owner, [=](const std::vector<bool>& decisions) {
                  const auto deque = made();
                  recorder::running().begin(owner, decisions);
                  const call::answer got = operation(*deque);
                  recorder::running().end();
                  return got;
                }};
  };
  const auto deque = made();
  const auto& first = recorder::running().written();
  std::vector<std::pair<std::string, std::string>> initial(first.begin(), first.end());

  const auto push = [](Structure& d) -> call::answer {
    try {
      d.push(item{"pushes"});
    } catch (const std::bad_alloc&) {  // or capacity_error, from the same place
      return {"", "no room"};
    }
    return {"", "nothing"};
  };
  const auto pop = [](Structure& d) -> call::answer {
    const auto got = d.pop();
    return got ? call::answer{got->text, ""} : call::answer{"", "none"};
  };
  const auto steal = [](Structure& d) -> call::answer {
    const auto got = d.steal();
    return got ? call::answer{(*got).text, ""} : call::answer{"", got.is_empty() ? "empty" : "lost"};
  };
  return system_of(name, std::move(initial),
                   {call_of("push", true, push), call_of("pop", true, pop), call_of("steal", false, steal)});
}

struct refused {};  ///< thrown by a sink that has no room
/// What an overflow goes to: whether it has room is a decision of the run.
struct symbolic_sink {
  static void reserve(const index& /*items*/) { reserve(std::size_t{0}); }
  static void reserve(std::size_t /*items*/) {
    if (!recorder::running().decide("")) throw refused{};
  }
  static void take(std::span<const item> batch) noexcept {
    recorder::running().hands_over(batch.front().text, batch.back().text);
  }
};

/// A run queue, by the run-time copy of its table. `Structure` is run_queue<item, symbolic_queue>, or in a test a
/// variant of it.
template <class Structure>
transition_system run_queue_system(const char* name = "run-queue") {
  const auto made = [] {
    recorder::running().name_cells({"top", "bottom"}, {"end", "lap", "lap.ring", "limit", "seen"}, 4);
    return std::make_unique<Structure>(run_queue_options{.capacity = 2});
  };
  const auto call_of = [&](const char* of, bool owner, auto operation) {
    return call{of, owner, [=](const std::vector<bool>& decisions) {
                  const auto queue = made();
                  recorder::running().begin(owner, decisions);
                  const call::answer got = operation(*queue);
                  recorder::running().end();
                  return got;
                }};
  };
  const auto queue = made();
  const auto& first = recorder::running().written();
  std::vector<std::pair<std::string, std::string>> initial(first.begin(), first.end());

  const auto try_push = [](Structure& q) -> call::answer {
    return {"", q.try_push(item{"pushes"}) ? "nothing" : "full"};
  };
  const auto push = [](Structure& q) -> call::answer {
    symbolic_sink to;
    try {
      q.push(item{"pushes"}, to);
    } catch (const refused&) {
      return {"", "refused"};
    }
    return {"", "nothing"};
  };
  const auto pop = [](Structure& q) -> call::answer {
    const auto got = q.pop();
    return got ? call::answer{got->text, ""} : call::answer{"", "none"};
  };
  const auto steal = [](Structure& q) -> call::answer {
    const auto got = q.steal();
    return got ? call::answer{(*got).text, ""} : call::answer{"", got.is_empty() ? "empty" : "lost"};
  };
  transition_system made_of = system_of(name, std::move(initial),
                                        {call_of("try_push", true, try_push), call_of("push", true, push),
                                         call_of("pop", true, pop), call_of("steal", false, steal)});
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
    with_proof{
        "chase-lev",
        "Any number of threads and operations, with growth: each item is taken at most once, after its push, by the\n"
        "owner as the youngest or by a thief as the oldest; none is lost. pop finds nothing only if all were taken; "
        "no\n"
        "steal reports empty while an item that was pushed before it is there, unless a pop under way has reserved "
        "it;\n"
        "and a steal is lost only to another claim of its item. A thief looks only into rings of which it knows how\n"
        "they were made."},
    with_proof{"chase-lev-asymmetric", "The same, where the owner's fences are light and the thieves' are heavy."},
    with_proof{
        "run-queue",
        "Any number of threads and operations, of push, pop and steal, with overflow: each item is taken at most\n"
        "once, the oldest first, after its push; none is lost. pop finds nothing only if all were taken; no steal\n"
        "reports empty while an item that was pushed before it is there; and a steal is lost only to another claim of\n"
        "its item."},
    with_proof{"wake-up",
               "Up to 32 workers, any number of other threads and of operations. While work waits that was told of, "
               "some worker\n"
               "does not sleep, or the last thread that announced and knew of this work is at the compare-exchange "
               "that claims\n"
               "one. (Told of: its publisher has read the idle set's head behind a fence, or the searcher that brought "
               "it has\n"
               "ended its search. To sleep: to be in the idle set and in `wait`.) Work that was not told of is that of "
               "a thread\n"
               "which is about to tell. A worker that was claimed and is still in the futex is about to get its token, "
               "or to be\n"
               "woken; if it leaves `wait`, it sees what its claimer saw. Nothing is said of progress."}};

/// The shipped ones, by their tables' names. Throws std::out_of_range for a structure that has no proof.
transition_system shipped(const std::string& structure);
inline transition_system shipped_chase_lev() { return shipped("chase-lev"); }

}  // namespace licit::proof

#endif
