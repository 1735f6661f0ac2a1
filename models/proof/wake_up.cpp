// The transition system of the scheduler's wake-up protocol, out of worker.hpp, crew.hpp, idle_set.hpp and parker.hpp.
#include <memory>

#include <licit/scheduler/metrics/metrics.hpp>
#include <licit/scheduler/worker.hpp>

#include "proof/structures.hpp"
#include "proof/symbolic_crew.hpp"

template <>
struct licit::inject_link<licit::proof::work> {
  static licit::proof::work get(licit::proof::work one) noexcept { return one; }
  static void set(licit::proof::work /*item*/, licit::proof::work /*next*/) noexcept {}
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
  std::string waits() { return after(this->wait()); }

 private:
  std::string after(bool goes_on) const {
    if (!goes_on) return "ended";
    return this->searching_ ? "searching" : "idle";
  }
};

template <class Policy>
transition_system protocol(const char* name) {
  using worker = run_worker<Policy>;
  const auto call_of = [](const char* called, std::vector<std::string> from, bool workers_only, auto run) {
    return protocol_call{called, std::move(from), workers_only, [=](const std::vector<bool>& decisions) {
                           constexpr std::size_t workers = 2;  // the running and the claimed one
                           tape& t = tape::running();
                           t.makes(workers);
                           typename worker::crew all({.workers = workers});
                           t.name_parkers({{&all.at_worker(0).sleep, "me"}, {&all.at_worker(1).sleep, "(select found me)"}});
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
       call_of("wait", {"wait"}, true, [](crew&, worker& w) { return w.waits(); })});
}

}  // namespace

transition_system wake_up_system() { return protocol<symbolic_crew>("wake-up"); }

}  // namespace licit::proof
