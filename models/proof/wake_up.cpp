// The transition system of the scheduler's wake-up protocol, out of worker.hpp, crew.hpp, idle_set.hpp and parker.hpp.
#include <map>
#include <memory>
#include <string>

#include <licit/scheduler/metrics/metrics.hpp>
#include <licit/scheduler/worker.hpp>

#include "proof/crew_mutants.hpp"
#include "proof/structures.hpp"
#include "proof/symbolic_crew.hpp"
#include "suites/altered.hpp"

template <>
struct licit::inject_link<licit::proof::work> {
  static licit::proof::work get(licit::proof::work one) noexcept { return one; }
  static void set(licit::proof::work item, licit::proof::work next) noexcept {
    licit::proof::tape::running().links(item.some, next.some);
  }
};

namespace licit::proof {

namespace {

/// Tells the tape where `wait` begins, which is a call of its own.
struct wait_marks : no_metrics {
  bool here = false;
  void parks() const { tape::running().enter("wait", here); }
};
struct tools {
  wait_marks metrics;
  static void going_to_sleep() {}
  static void awake() {}
};

template <class Policy>
class run_worker : public detail::worker<detail::crew<work, Policy, looked_at, looked_at>, tools> {
 public:
  using crew = detail::crew<work, Policy, looked_at, looked_at>;
  using base = detail::worker<crew, tools>;
  run_worker(crew& all, tools& with) : base(all, 0, {}, with) {}

  std::string finds() {
    this->searching_ = true;
    this->found();
    return this->searching_ ? "searching" : "idle";
  }
  std::string sleeps(bool searching) {
    this->searching_ = searching;
    return after(this->sleep());
  }
  std::string waits() {
    const bool goes_on = this->wait();
    if (goes_on) tape::running().returns("awake");
    return after(goes_on);
  }

 private:
  std::string after(bool goes_on) const {
    if (!goes_on) return "ended";
    return this->searching_ ? "searching" : "idle";
  }
};

/// Whom a thread wakes is the worker that its claim has found, or any, if it has something for that one.
template <class Crew>
std::map<const void*, std::string> owners_in(Crew& all) {
  return {{&all.at_worker(0).sleep, "me"},
          {&all.at_worker(0).inbox, "me"},
          {&all.at_worker(1).sleep, "(select found me)"},
          {&all.at_worker(1).inbox, "other"}};
}

/// A crew that begins asleep is one whose workers have parked. Throws std::logic_error if it is another.
template <class Crew>
void expect_asleep() {
  static constexpr std::size_t workers = 2;
  const auto made = [](bool asleep) {
    tape& t = tape::running();
    t.begin({});
    Crew all({.workers = workers, .asleep = asleep});
    for (std::size_t i = 0; !asleep && i != workers; ++i) (void)all.idle().park(i, false);
    std::string out;
    for (const step& s : t.steps()) out += text(s);
    return out;
  };
  if (made(true) != made(false)) throw std::logic_error("licit: a crew that begins asleep is not one that has parked");
  if (tape::running().first() != 1) throw std::logic_error("licit: a parker has another first word");
}

template <class Policy>
transition_system protocol(const char* name, std::size_t workers) {
  using worker = run_worker<Policy>;
  const auto call_of = [workers](const char* called, std::vector<std::string> from, bool workers_only, auto run) {
    return protocol_call{called, std::move(from), workers_only, [=](const std::vector<bool>& decisions) {
                           tape& t = tape::running();
                           t.makes(workers);
                           typename worker::crew all({.workers = workers});
                           t.name_owners(owners_in(all));
                           tools with;
                           with.metrics.here = called == std::string_view("wait");
                           worker it(all, with);
                           t.begin(decisions);
                           return run(all, it);
                         }};
  };
  using crew = typename worker::crew;
  return protocol_of(
      name, {"idle", "published", "searching", "brought", "wait"},
      {call_of("announce", {"idle", "published"}, false,
               [](crew& c, worker&) -> std::string { return c.announce(), "idle"; }),
       call_of("begin_search", {"idle"}, true,
               [](crew& c, worker&) -> std::string { return c.idle().begin_search() ? "searching" : "idle"; }),
       call_of("found", {"searching", "brought"}, true, [](crew&, worker& w) { return w.finds(); }),
       call_of("sleep", {"searching"}, true, [](crew&, worker& w) { return w.sleeps(true); }),
       call_of("sleep", {"idle"}, true, [](crew&, worker& w) { return w.sleeps(false); }),
       call_of("wait", {"wait"}, true, [](crew&, worker& w) { return w.waits(); }),
       call_of("post", {"idle"}, false, [](crew& c, worker&) -> std::string {
         c.post(1, work{true});
         if (tape::running().posts_made() != 1) tape::running().oblige("posted", "false");
         return "idle";
       })});
}

/// Of two workers: the running one and whom it wakes.
template <class Policy = symbolic_crew>
transition_system wake_up_of_two() {
  expect_asleep<typename run_worker<Policy>::crew>();
  return protocol<Policy>("wake-up", 2);
}

/// Of any number of workers: as many as there can be do the same as two.
template <class Policy = symbolic_crew>
transition_system wake_up() {
  transition_system made = wake_up_of_two<Policy>();
  if (text(made) != text(protocol<Policy>("wake-up", 32))) {
    throw std::logic_error("licit: with more workers the protocol is another");
  }
  return made;
}

// --- mutants

// Of two workers. That more do the same is checked of the shipped protocol only.
template <const auto& Table>
altered_system row(const char* name, checker::mutation what) {
  return {name, [what] {
            checker::live_orders<Table>::apply(what);
            transition_system made = wake_up_of_two();
            checker::live_orders<Table>::reset();
            return made;
          }};
}

template <detail::worker_rules Rules>
transition_system under() {
  return wake_up_of_two<suites::with_rules<symbolic_crew, Rules>>();
}

}  // namespace

transition_system wake_up_system() { return wake_up(); }

std::vector<altered_system> wake_up_mutants() {
  using checker::change;
  return {row<crew_orders>("announce.fence removed", {"announce.fence", change::drop}),
          row<crew_orders>("announce.fence acq_rel", {"announce.fence", change::weaken, order::acq_rel}),
          row<crew_orders>("look.fence removed", {"look.fence", change::drop}),
          row<crew_orders>("look.fence acq_rel", {"look.fence", change::weaken, order::acq_rel}),
          row<idle_set_orders>("park.count relaxed", {"park.count", change::weaken}),
          row<idle_set_orders>("end.count relaxed", {"end.count", change::weaken}),
          row<idle_set_orders>("claim.take acquire", {"claim.take", change::weaken, order::acquire}),
          row<idle_set_orders>("claim.take release", {"claim.take", change::weaken, order::release}),
          row<idle_set_orders>("parked.look relaxed", {"parked.look", change::weaken}),
          row<idle_set_orders>("claim.take a blind store", {"claim.take", change::blind_store}),
          row<idle_set_orders>("retract.take a blind store", {"retract.take", change::blind_store}),
          row<idle_set_orders>("begin.count a blind store", {"begin.count", change::blind_store}),
          row<parker_orders>("park.begin relaxed", {"park.begin", change::weaken}),
          row<parker_orders>("park.take relaxed", {"park.take", change::weaken}),
          row<parker_orders>("unpark.swap relaxed", {"unpark.swap", change::weaken}),
          row<parker_orders>("park.take a blind store", {"park.take", change::blind_store}),
          {"the last searcher sleeps without another look", under<detail::worker_rules{.looks_again = false}>},
          {"the last searcher leaves without another look", under<detail::worker_rules{.passes_on = false}>},
          {"a post wakes nobody", under<detail::worker_rules{.wakes_for_posts = false}>},
          {"a worker does not look into its inbox", under<detail::worker_rules{.looks_in_inbox = false}>},
          {"the publisher does not look who is parked", wake_up_of_two<without_claim<symbolic_crew>>},
          {"a claim counts no searcher", wake_up_of_two<uncounted_claim<symbolic_crew>>},
          {"unpark leaves no token", wake_up_of_two<without_token<symbolic_crew>>},
          {"unpark wakes nobody", wake_up_of_two<without_wake<symbolic_crew>>},
          {"park takes every wake-up for its token", wake_up_of_two<trusting_wakes<symbolic_crew>>}};
}

}  // namespace licit::proof
