/// What a checker says about a program.
#ifndef LICIT_CHECKER_VERDICT_HPP
#define LICIT_CHECKER_VERDICT_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <licit/checker/calls.hpp>
#include <licit/checker/execution.hpp>
#include <licit/checker/options.hpp>
#include <licit/checker/record.hpp>

namespace licit::checker {

enum class outcome : std::uint32_t {
  ok,         ///< every execution that was asked for was explored, and is right
  violation,  ///< one is wrong
  limit,      ///< nothing wrong was found before a limit ended the exploration
};

constexpr std::string_view name(outcome o) {
  switch (o) {
    case outcome::ok: return "ok";
    case outcome::violation: return "violation";
    case outcome::limit: return "limit";
  }
  return "";
}

enum class violation : std::uint32_t {
  none,
  assertion,       ///< a check or an invariant of the program does not hold
  race,            ///< conflicting accesses that happens-before does not order, one of them not atomic
  use_after_free,  ///< or use of a destroyed object
  bad_free,        ///< of something freed before, or never allocated
  leak,
  deadlock,          ///< every thread that has not ended waits for what never comes
  lost_wakeup,       ///< the same, and one sleeps although the value has changed
  endless,           ///< a loop makes no progress, or one execution goes on and on
  steps,             ///< an operation took more steps than are stated
  retries,           ///< a thread tried again though nobody else had got further
  exception,         ///< one left a thread
  nondeterministic,  ///< the program did something else when it was given the same values again
  unlike_record,     ///< the record cannot be replayed: it is of another program, or spoilt
  unsupported,       ///< the program does what the checker cannot check, such as to start a thread of the system
};

constexpr std::string_view name(violation v) {
  switch (v) {
    case violation::none: return "none";
    case violation::assertion: return "assertion";
    case violation::race: return "data race";
    case violation::use_after_free: return "use after free";
    case violation::bad_free: return "bad free";
    case violation::leak: return "leak";
    case violation::deadlock: return "deadlock";
    case violation::lost_wakeup: return "lost wake-up";
    case violation::endless: return "endless loop";
    case violation::steps: return "too many steps";
    case violation::retries: return "retry without progress";
    case violation::exception: return "uncaught exception";
    case violation::nondeterministic: return "program not deterministic";
    case violation::unlike_record: return "not as recorded";
    case violation::unsupported: return "not supported";
  }
  return "";
}

/// Which part of a search was explored.
struct explored_share {
  unsigned index = 0;          ///< from 0
  unsigned count = 1;          ///< 1: the whole search
  std::uint64_t pieces = 0;    ///< of the whole search, if it was cut
  std::uint64_t explored = 0;  ///< pieces explored in this share
};

/// How large a search is, as a sample of its tree has it. Estimates are unbiased, and most are too low: a few parts of
/// the tree, which few probes come to, may be most of it.
struct estimate {
  std::uint64_t probes = 0;  ///< into the tree, each by itself; 0: nothing was estimated
  double executions = 0;     ///< complete ones
  double least = 0;          ///< between these in 95 of 100 cases, were the sample typical of the tree
  double most = 0;
  double seconds = 0;  ///< that the search takes, on one processor as busy as it was now
};

struct verdict {
  checker::outcome outcome = checker::outcome::ok;
  violation kind = violation::none;
  std::string message = {};      ///< what is violated, or which limit was reached
  std::uint64_t executions = 0;  ///< complete ones
  /// Those and what permutations of equal threads (`options::equal`) make of them: as many as there are without
  /// `equal`. The same number where no threads are equal.
  std::uint64_t represented = 0;
  bool symmetric = false;        ///< some threads were equal
  std::uint64_t blocked = 0;     ///< those in which a thread still waits, though not forever
  std::uint64_t deadlocked = 0;  ///< those in which every thread left waits forever; a violation unless asked for
  double seconds = 0;
  bool exhaustive = false;    ///< every execution of the checker's model: no sample, no bound, no share
  bool sampled = false;       ///< some executions were chosen
  std::string bound = {};     ///< the rules and bounds: "none, c++20", "100000 random, seed 1"; set by explore()
  explored_share share = {};  ///< if not of the whole search
  std::string trace = {};     ///< the violating execution as text
  execution picture = {};     ///< the same as data: what offends, and what that has behind it
  std::string client = {};    ///< after shrinking: the smaller client that trace and picture show
  std::vector<call> calls =
      {};             ///< operations of the client that the violating execution began, without those left out
  record steps = {};  ///< the whole violating execution, to replay it
  checker::options options = {};  ///< those that the violation was found with, to replay it

  estimate size = {};          ///< of the search, if that was asked for
  std::uint64_t number = 0;    ///< of the sample's last execution, from 0; the violating one, if there is one
  std::uint64_t rejected = 0;  ///< graphs that were built and found inconsistent
  /// A read would have learned more by C++11's release sequences. If none would in a whole search under C++20's, both
  /// rules allow the same executions.
  bool rules_differ = false;
  bool stalled = false;   ///< in some execution the thread came to the step that it is stopped before
  std::size_t depth = 0;  ///< the most graphs alive at once
};

/// How the executions were come by: "exhaustive", "shard" or "sampled".
constexpr std::string_view mode_name(const verdict& v) {
  if (v.share.count > 1) return "shard";
  return v.exhaustive ? "exhaustive" : "sampled";
}

/// Calls `visit(name, value)` for each field that a report of the verdict has, in one order and by one set of names.
/// Values are std::string_view, std::uint64_t or double. Texts that are empty are left out; so is a share of the whole.
template <class Visit>
void visit_fields(const verdict& v, Visit&& visit) {
  const auto text = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) visit(name, value);
  };
  text("verdict", name(v.outcome));
  text("mode", mode_name(v));
  text("bound", v.bound);
  visit(std::string_view("executions"), v.executions);
  if (v.symmetric) visit(std::string_view("represented"), v.represented);
  visit(std::string_view("blocked"), v.blocked);
  visit(std::string_view("seconds"), v.seconds);
  if (v.kind != violation::none) text("kind", name(v.kind));
  text("message", v.message);
  text("client", v.client);
  if (v.share.count == 1) return;
  text("shard", std::to_string(v.share.index) + "/" + std::to_string(v.share.count));
  visit(std::string_view("pieces"), v.share.pieces);
  visit(std::string_view("explored"), v.share.explored);
}

}  // namespace licit::checker

#endif
