/// The wake-up protocol's semantics against the exhaustive checker: each execution of clients of the crew is a path of
/// the transition system, in whatever order its events are made, and every invariant holds on the way.
#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "graphs.hpp"
#include "proof/structures.hpp"
#include "suites/crew.hpp"
#include "typed.hpp"

namespace licit::proof {
namespace {

using typed::cell;
using typed::cells;
using typed::frame;
using typed::term;
using typed::universe;

/// A transition whose terms are compiled. Bound: 0 is `me`, 1 `other`, 2 the choice.
class concrete_step {
 public:
  concrete_step(const universe& u, const transition& t, const invariants& file) : u_{&u} {
    const universe::scope bound{{"me", {0, {"", 0, 'T'}}}, {"other", {1, {"", 0, 'T'}}}, {"v", {2, {}}}};
    const auto made = [&](const std::string& text, const universe::scope& in) {
      return u.compiled(parse(text).at(0), in);
    };
    universe::scope of_all = bound;
    of_all["s"] = {3, {}};
    for (const std::string& g : t.guards) {
      const sexpr e = parse(g).at(0);
      if (g.starts_with("(forall ((p Int)) (! (= (select learnt p)")) {
        universe::scope of_learnt = bound;
        of_learnt["p"] = {3, {}};
        learnt_ = u.compiled(e.list.at(2).list.at(1).list.at(2), of_learnt);
      } else {
        guards_.push_back(u.compiled(e, bound));
      }
    }
    for (const bool late : {false, true}) {  // those that use the step's own results come later
      for (const auto& [name, value] : t.updates) {
        if ((value.find('!') != std::string::npos) == late) updates_.emplace_back(name, made(value, bound));
      }
    }
    for (const auto& [name, value] : t.redone) {
      const term of_one = made(value, of_all);
      updates_.emplace_back(name, term{u.sort_of_variable(name), [of_one](frame& f, const cell* i) {
                                         f.bound[3] = i[0];
                                         return of_one.at(f, i + 1);
                                       }});
    }
    for (const auto& g : file.ghosts) {
      if (is_step(g.step, t.name)) updates_.emplace_back(g.name, u.compiled(g.formula.list.at(2), bound));
    }
    for (const auto& [name, value] : t.obligations) obligations_.emplace_back(name, made(value, bound));
    for (const auto& m : file.musts) {
      if (is_step(m.name, t.name)) obligations_.emplace_back(m.prose, u.compiled(m.formula, bound));
    }
  }

  /// Whether the step is possible; `after` is then the state after it, and `wrong` the obligation that does not hold.
  bool make(const cells& before, cell me, cell other, cell v, cells& after, std::string& wrong) const {
    cells learnt;
    frame f{&before, &after, &learnt, {me, other, v}};
    if (guards_[0].at(f, nullptr) == 0) return false;  // the thread is elsewhere
    if (learnt_.at) {
      for (cell p = 0; p <= u_->most(); ++p) {
        f.bound[3] = p;
        learnt.push_back(learnt_.at(f, nullptr));
      }
    }
    after = before;
    for (const auto& [name, value] : updates_) u_->assign(name, value, f, after);
    if (!std::ranges::all_of(guards_, [&](const term& g) { return g.at(f, nullptr) != 0; })) return false;
    for (const auto& [name, holds] : obligations_) {
      if (holds.at(f, nullptr) == 0) wrong = name;
    }
    return true;
  }

 private:
  const universe* u_;
  std::vector<term> guards_;
  term learnt_;
  std::vector<std::pair<std::string, term>> updates_, obligations_;
};

using checker::change;
using checker::detail::event;
using checker::detail::event_id;
using checker::detail::graph;

/// What one thread does in one step.
struct act {
  unsigned thread = 0;
  std::string site;
  event_id when = 0;        ///< the event at which the step is made
  cell value = 0;           ///< that was read
  std::size_t version = 0;  ///< of the head, by its place in modification order
  bool won = false;
  std::string to = {};  ///< the point where it ends, if that has to be said
};

bool is_one_of(std::string_view site, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, site) != all.end();
}

/// The acts of an execution, up to where somebody stops the crew.
class acts_of {
 public:
  acts_of(const graph& g, unsigned workers) : g_{g}, workers_{workers} {
    for (event_id e = 0; e != g.size(); ++e) {
      if (site_of(g[e]) == "stop.set") stop_ = &g[e];
    }
    for (unsigned t = 0; t != checker::max_threads; ++t) {
      read_thread(t);
      look_.reset();  // one that was not over
    }
  }
  [[nodiscard]] const std::vector<act>& all() const { return all_; }
  [[nodiscard]] bool has(const event& e) const { return stop_ == nullptr || !stop_->within(e.prefix); }

 private:
  void read_thread(unsigned t) {
    const auto events = g_.thread(t);
    std::string_view before;
    for (std::size_t i = 0; i != events.size(); ++i) {
      const event& e = g_[events[i]];
      if (!has(e)) return;
      const std::string_view site = site_of(e);
      const bool wrote = e.half == checker::detail::part::read && i + 1 != events.size() &&
                         g_[events[i + 1]].half == checker::detail::part::write && has(g_[events[i + 1]]);
      const event_id when = wrote ? events[i + 1] : events[i];
      if (!reads_look(e, events[i], site)) end_look(site);
      if (site == "look.fence") look_ = act{.thread = t, .site = "look", .when = events[i]};
      add(t, e, site, before, when, wrote);
      before = site;
      if (wrote) ++i;
    }
  }
  /// A load of the look that is under way.
  bool reads_look(const event& e, event_id at, std::string_view site) {
    if (!look_ || !e.reads() || !is_one_of(site, {"inject.size", "size.head", "size.tail", "empty.look"})) return false;
    look_->when = at;
    return true;
  }
  void end_look(std::string_view site) {
    if (!look_ || site.empty()) return;
    all_.push_back(*look_);
    look_.reset();
  }
  void add(unsigned t, const event& e, std::string_view site, std::string_view before, event_id when, bool wrote) {
    act a{t, std::string(site), when, e.value, g_.rank(e), wrote, ""};
    if (is_one_of(site, {"park.count", "end.count", "begin.look", "begin.count", "claim.look", "claim.take",
                         "parked.look", "retract.look", "retract.take", "park.begin", "park.take", "unpark.swap"})) {
      all_.push_back(a);
    } else if (site == "inject.length") {
      a.site = t < workers_ ? "take" : "publish";
      all_.push_back(a);
    } else if ((site == "park.sleep" || site == "unpark.wake") && before != site) {
      all_.push_back(a);
    } else if (site == "stop.seen" && is_one_of(before, {"park.begin", "park.take"})) {
      all_.push_back(a);
    }
  }

  const graph& g_;
  unsigned workers_;
  const event* stop_ = nullptr;
  std::optional<act> look_;
  std::vector<act> all_;
};

/// The transition system of the protocol on numbers.
struct concrete_crew {
  explicit concrete_crew(transition_system s, std::string_view file, unsigned of, unsigned and_others)
      : system{std::move(s)},
        variables{state_of(system)},
        transitions{crew_transitions(system)},
        all{read_invariants(file, system, variables)},
        workers{of},
        u{variables, of, of + and_others, 24} {
    for (const transition& t : transitions) steps.emplace_back(u, t, all);
    for (const auto* each : {&all.all, &all.always}) {
      for (const auto& i : *each) {
        invariants.emplace_back(i.name == "always" ? i.prose : i.name, u.compiled(i.formula, {}));
      }
    }
  }
  [[nodiscard]] cells first() const {
    cells start(u.size());
    for (cell a = 0; a != u.threads(); ++a) start[u.at("word", a)] = 1;
    return start;
  }
  [[nodiscard]] std::size_t named(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(transitions, name, &transition::name) - transitions.begin());
  }

  transition_system system;
  state variables;
  std::vector<transition> transitions;
  proof::invariants all;
  unsigned workers;
  universe u;
  std::vector<concrete_step> steps;
  std::vector<std::pair<std::string, term>> invariants;
};

/// Makes the acts of an execution in an order, by steps of the system.
class walker {
 public:
  explicit walker(concrete_crew& s) : s_{s} {}

  /// Whether the acts are a path from the state in which the client begins. Equal thread numbers are equal threads.
  bool is_path(std::vector<act> acts, const std::vector<std::size_t>& place, const cells& begun) {
    std::ranges::stable_sort(acts, {}, [&](const act& a) { return place[a.when]; });
    acts_ = &acts;
    furthest_ = 0;
    failed_.clear();
    first_version_ = begun[s_.u.at("heads")];
    return goes_on(0, begun, 0, begun[s_.u.at("pubs")], 0);
  }
  /// The acts of which there was no path last, up to the first that cannot be made.
  static std::string text(const act& a) {
    return std::to_string(a.thread) + " " + a.site + " " + std::to_string(a.value) + (a.won ? " won" : "");
  }
  [[nodiscard]] std::string dead_end(std::vector<act> acts, const std::vector<std::size_t>& place) const {
    std::ranges::stable_sort(acts, {}, [&](const act& a) { return place[a.when]; });
    std::string out;
    for (std::size_t i = 0; i <= furthest_ && i != acts.size(); ++i) out += text(acts[i]) + "\n";
    return out;
  }
  /// The state after somebody has done what the acts say, before all threads begin.
  cells after(const std::vector<act>& acts) {
    last_.reset();
    acts_ = &acts;
    first_version_ = 0;
    if (!goes_on(0, s_.first(), 0, 0, 0)) throw std::logic_error("the client cannot begin so");
    return *last_;
  }
  std::set<std::string> fired, broken;

 private:
  static std::string base(const std::string& point) { return point.substr(0, point.find('#')); }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are acts
  bool goes_on(std::size_t n, const cells& now, std::size_t taken, std::size_t published, cell length) {
    if (n == acts_->size()) {
      last_ = now;
      return true;
    }
    furthest_ = std::max(furthest_, n);
    if (!failed_.insert(std::to_string(n) + key(now)).second) return false;
    const act& a = (*acts_)[n];
    if (a.site == "publish") {
      return made(s_.named("a thread publishes work"), n, now, 0,
                  [&](const cells& next) { return goes_on(n + 1, next, taken, published + 1, a.value); });
    }
    if (a.site == "take") return takes(n, now, taken, published, length);
    for (std::size_t i = 0; i != s_.system.steps.size(); ++i) {
      const step& s = s_.system.steps[i];
      if (!s.does || s.does->name != a.site || !fits(n, s)) continue;
      for (const cell v : choices(s, a)) {
        if (made(i, n, now, v, [&](const cells& next) {
              return agrees(s, a, now, next) && goes_on(n + 1, next, taken, published, length);
            })) {
          return true;
        }
      }
    }
    if (now[s_.u.at("asleep", a.thread)] == 0) return false;
    return made(s_.named("a sleeper wakes up for no reason"), n, now, 0,
                [&](const cells& next) { return goes_on(n, next, taken, published, length); });
  }
  /// The oldest ones, so many that the list has this length now.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are acts
  bool takes(std::size_t n, const cells& now, std::size_t taken, std::size_t published, cell length) {
    const act& a = (*acts_)[n];
    if (length == a.value) return goes_on(n + 1, now, taken, published, length);
    return made(s_.named("somebody takes a piece of work"), n, now, taken,
                [&](const cells& next) { return takes(n, next, taken + 1, published, length - 1); });
  }
  template <class Then>
  bool made(std::size_t i, std::size_t n, const cells& now, cell v, Then&& then) {
    cells next;
    std::string wrong;
    const cell me = (*acts_)[n].thread;
    if (!s_.steps[i].make(now, me, me, v, next, wrong)) return false;
    if (!then(next)) return false;
    fired.insert(s_.transitions[i].name);
    if (!wrong.empty()) broken.insert(s_.transitions[i].name + ": " + wrong);
    judge(s_.transitions[i].name, next);
    return true;
  }

  /// The step ends where the thread's next act begins.
  [[nodiscard]] bool fits(std::size_t n, const step& s) const {
    if (s.does->how == operation::compare_exchange && s.does->won != (*acts_)[n].won) return false;
    const std::string to = base(s.next);
    if (const std::string& must = (*acts_)[n].to; !must.empty()) return to == must;
    if (is_one_of(to, {"idle", "published", "searching", "brought", "wait"})) return true;
    const auto next = std::find_if(acts_->begin() + static_cast<std::ptrdiff_t>(n) + 1, acts_->end(),
                                   [&](const act& a) { return a.thread == (*acts_)[n].thread; });
    return next == acts_->end() || next->site == to;
  }
  [[nodiscard]] std::vector<cell> choices(const step& s, const act& a) const {
    if (s.does->place == "futex" && s.does->how == operation::load) return {1, 0};
    return {first_version_ + a.version};
  }
  /// Whether the thread read that, and made that version.
  [[nodiscard]] bool agrees(const step& s, const act& a, const cells& now, const cells& next) const {
    if (s.does->place == "word" && s.does->how == operation::update) {
      const bool own = s.does->index == "me";
      return now[s_.u.at("word", own ? a.thread : now[s_.u.at("found", a.thread)])] == a.value;
    }
    if (s.does->place != "head") return true;
    const bool changes = next[s_.u.at("heads")] != now[s_.u.at("heads")];
    if (changes && next[s_.u.at("heads")] != first_version_ + a.version + 1) return false;
    return next[s_.u.at("got", a.thread)] == a.value;
  }
  void judge(const std::string& step, const cells& state) {
    if (!judged_.insert(key(state)).second) return;
    frame f{&state, &state, &state, {}};
    for (const auto& [name, holds] : s_.invariants) {
      if (holds.at(f, nullptr) == 0) broken.insert(step + ": " + name);
    }
  }

  static std::string key(const cells& state) {
    return {reinterpret_cast<const char*>(state.data()), state.size() * sizeof(cell)};
  }

  concrete_crew& s_;
  std::size_t furthest_ = 0;
  std::unordered_set<std::string> failed_;
  const std::vector<act>* acts_ = nullptr;
  std::optional<cells> last_;
  cell first_version_ = 0;
  std::unordered_set<std::string> judged_;
};

using checker::model;
using client = suites::line_program<suites::crew_client, model>;

struct tally {
  std::size_t executions = 0, orders = 0, others = 0;
  std::string dead_end = {};
};

/// Each execution of the line, in the order of insertion and in so many others.
tally replayed(concrete_crew& s, walker& w, std::string_view text, int orders, std::size_t most = 1'000'000) {
  const suites::line l = suites::parse(text, suites::vocabulary_of<suites::crew_client<model>>());
  std::vector<act> before;
  const unsigned workers = s.workers;
  cell head = 0;
  std::size_t version = 0;
  if (text.find("asleep=1") != std::string_view::npos) {
    for (unsigned i = 0; i != workers; ++i) {
      before.push_back({.thread = i, .site = "park.count", .value = head, .version = version++});
      before.push_back({.thread = i, .site = "look", .to = "wait"});
      head += (cell{1} << 32) + (cell{1} << i);
    }
  }
  tally t;
  cells begun = w.after(before);
  for (cell t = workers; before.size() != 0 && t != s.u.threads(); ++t) {  // what came before it began
    cells learnt;
    std::string wrong;
    if (s.steps[s.named("a thread learns from another")].make(begun, t, workers - 1, 0, learnt, wrong)) begun = learnt;
  }
  std::mt19937 random(1);
  checker::options o;
  o.deadlocks = false;
  o.max_executions = most;
  const auto see = [&](const graph& g) {
    const acts_of acts(g, workers);
    ++t.executions;
    for (int n = 0; n <= orders; ++n) {
      ++t.orders;
      const auto place = extension(g, n == 0 ? nullptr : &random);
      if (w.is_path(acts.all(), place, begun)) continue;
      ++t.others;
      if (t.dead_end.empty()) t.dead_end = w.dead_end(acts.all(), place);
    }
  };
  o.observe = see;
  o.observe_blocked = see;
  const auto v = checker::run_program_with<client>(l, l.threads, o);
  EXPECT_NE(v.outcome, checker::outcome::violation) << v.message;
  return t;
}

/// Of models/suites/crew.hpp: what they do is what the system has, without posts.
constexpr std::string_view two_tasks = "work | inject inject";
constexpr std::string_view stopped = "work | work | stop";
constexpr std::string_view one_for_two = "asleep=1: work | work | inject";
constexpr std::string_view batch_of_two =
    "asleep=1 task(1) set(0) await(1) task(2) set(1) await(0): work | work | batch(2)";

class wake_up_replay : public testing::Test {
 protected:
  ~wake_up_replay() override { checker::live_orders<crew_orders>::reset(); }
};

TEST_F(wake_up_replay, finds_a_path_for_every_execution_and_no_invariant_broken) {
  const transition_system system = wake_up_system();
  for (const auto& [text, workers, orders] : {std::tuple{two_tasks, 1U, 0}, {stopped, 2U, 0}, {one_for_two, 2U, 100}}) {
    concrete_crew s(system, invariants_of(system), workers, 1);
    walker w(s);
    const tally t = replayed(s, w, text, orders);
    EXPECT_EQ(t.others, 0U) << text << ": of " << t.orders << "\n" << t.dead_end;
    EXPECT_EQ(w.broken, std::set<std::string>{}) << text;
    EXPECT_GT(t.executions, 10U) << text;
    std::printf("%s: %zu executions, %zu orders\n", text.data(), t.executions, t.orders);
  }
}

TEST_F(wake_up_replay, finds_a_path_for_the_first_executions_of_a_longer_client) {
  const transition_system system = wake_up_system();
  concrete_crew s(system, invariants_of(system), 2, 1);
  walker w(s);
  const tally t = replayed(s, w, batch_of_two, 4, 100);
  EXPECT_EQ(t.others, 0U) << t.dead_end;
  EXPECT_EQ(w.broken, std::set<std::string>{});
}

TEST_F(wake_up_replay, misses_executions_if_the_semantics_forbid_what_is_real) {
  const char* all_taken =
      "(forall ((p Int)) (! (=> (and (<= 0 p) (< p pubs)) (select taken p)) :pattern ((select taken p))))";
  for (const auto& [where, guard] : {std::pair{"look > wait", all_taken},            // a look misses nothing
                                     {"idle: claim.look > idle", "(= v heads)"}}) {  // no old version of the head
    const transition_system system = wake_up_system();
    concrete_crew s(system, invariants_of(system), 1, 1);
    for (std::size_t i = 0; i != s.transitions.size(); ++i) {
      if (!s.transitions[i].name.starts_with(where)) continue;
      s.transitions[i].guards.emplace_back(guard);
      s.steps[i] = concrete_step(s.u, s.transitions[i], s.all);
    }
    walker w(s);
    EXPECT_NE(replayed(s, w, two_tasks, 10, 100).others, 0U) << where << " " << guard;
  }
}

TEST_F(wake_up_replay, sees_a_false_invariant) {
  const transition_system system = wake_up_system();
  const std::string file = std::string(invariants_of(system)) + "(invariant 99 \"wrong\" (<= heads 1))";
  concrete_crew s(system, file, 1, 1);
  walker w(s);
  EXPECT_EQ(replayed(s, w, two_tasks, 0, 20).others, 0U);
  EXPECT_TRUE(std::ranges::any_of(w.broken, [](const std::string& b) { return b.ends_with(": 99"); }));
}

TEST_F(wake_up_replay, finds_executions_of_a_mutant_in_its_own_system_where_they_break_what_is_recorded) {
  const auto mutants = wake_up_mutants();
  const auto found = std::ranges::find(mutants, "announce.fence acq_rel", &altered_system::name);
  ASSERT_NE(found, mutants.end());
  const transition_system wrong = found->system(), right = wake_up_system();
  checker::live_orders<crew_orders>::apply({"announce.fence", change::weaken, order::acq_rel});
  concrete_crew its(wrong, invariants_of(wrong), 1, 1), other(right, invariants_of(right), 1, 1);
  walker in_its(its), in_other(other);
  EXPECT_EQ(replayed(its, in_its, two_tasks, 0, 400).others, 0U);
  EXPECT_TRUE(in_its.broken.contains("idle: claim.look > idle: 21"));  // as wake_up.inv says
  EXPECT_NE(replayed(other, in_other, two_tasks, 0, 400).others, 0U);
}

}  // namespace
}  // namespace licit::proof
