/// Executions of clients of the crew as paths of the wake-up protocol's transition system.
#ifndef LICIT_TESTS_PROOF_CREW_PATHS_HPP
#define LICIT_TESTS_PROOF_CREW_PATHS_HPP

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "crew_system.hpp"
#include "graphs.hpp"
#include "suites/crew.hpp"

namespace licit::proof::of_crew {

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

/// Makes the acts of an execution in an order, by steps of the system.
class walker {
 public:
  explicit walker(concrete_crew& s) : s_{s} {}

  /// Whether the acts are a path from the state in which the client begins. Equal thread numbers are equal threads.
  /// `length`: of the inject queue at first.
  bool is_path(std::vector<act> acts, const std::vector<std::size_t>& place, const cells& begun, cell length = 0) {
    std::ranges::stable_sort(acts, {}, [&](const act& a) { return place[a.when]; });
    acts_ = &acts;
    furthest_ = 0;
    failed_.clear();
    first_version_ = begun[s_.u.at("heads")];
    return goes_on(0, begun, 0, begun[s_.u.at("pubs")], length);
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
  std::set<std::string> falsified;  ///< of `broken`, by a step from a state in which all invariants hold

 private:
  static std::string base(const std::string& point) { return point.substr(0, point.find('#')); }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are acts
  bool goes_on(std::size_t n, const cells& now, std::size_t taken, std::size_t published, cell length) {
    if (n == acts_->size()) {
      last_ = now;
      return true;
    }
    furthest_ = std::max(furthest_, n);
    if (!failed_.insert(std::to_string(n) + bytes_of(now)).second) return false;
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
    judge(s_.transitions[i].name, now, next, wrong);
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
  void judge(const std::string& step, const cells& before, const cells& after, const std::string& wrong) {
    std::vector<std::string> all = broken_in(after);
    if (!wrong.empty()) all.push_back(wrong);
    const bool right_before = all.empty() || broken_in(before).empty();
    for (const std::string& each : all) {
      broken.insert(step + ": " + each);
      if (right_before) falsified.insert(step + ": " + each);
    }
  }
  const std::vector<std::string>& broken_in(const cells& state) {
    const auto [found, is_new] = judged_.try_emplace(bytes_of(state));
    if (is_new) found->second = s_.broken(state);
    return found->second;
  }

  concrete_crew& s_;
  std::size_t furthest_ = 0;
  std::unordered_set<std::string> failed_;
  const std::vector<act>* acts_ = nullptr;
  std::optional<cells> last_;
  cell first_version_ = 0;
  std::unordered_map<std::string, std::vector<std::string>> judged_;
};

/// What is done before the threads of a line begin: workers fall asleep, and then the main thread publishes work and
/// wakes.
class beginning {
 public:
  /// `main`: a thread that does it.
  beginning(const suites::line& l, unsigned workers, unsigned main) : main_{main} {
    using client = suites::crew_client<checker::model>;
    for (unsigned i = 0; l.setting(client::asleep, 0) != 0 && i != workers; ++i) {
      add({.thread = i, .site = "park.count"});
      all_.push_back({.thread = i, .site = "look", .to = "wait"});
      ++version_;
      head_ += parked(i);
    }
    for (const suites::call& c : l.before) {
      if (c.word == client::inject_word) {
        all_.push_back({.thread = main_, .site = "publish", .value = ++length_});
        announce();
      }
      if (c.word == client::announce_word) announce();
    }
  }
  [[nodiscard]] const std::vector<act>& acts() const { return all_; }
  [[nodiscard]] cell length() const { return length_; }

 private:
  static constexpr cell searching = cell{1} << 48;
  static cell parked(unsigned worker) { return (cell{1} << 32) + (cell{1} << worker); }
  void add(act a) {
    a.value = head_;
    a.version = version_;
    all_.push_back(a);
  }
  /// Wakes the first worker, unless somebody searches or nobody is parked.
  void announce() {
    add({.thread = main_, .site = "claim.look"});
    if (head_ >= searching || head_ == 0) return;
    add({.thread = main_, .site = "claim.take", .won = true});
    all_.push_back({.thread = main_, .site = "unpark.swap", .value = 1, .won = true});  // it is not asleep as yet
    ++version_;
    head_ += searching - parked(0);
  }

  unsigned main_;
  std::vector<act> all_;
  cell head_ = 0, length_ = 0;
  std::size_t version_ = 0;
};

/// The state in which each thread knows what any thread knows.
inline cells known_to_all(const concrete_crew& s, cells state) {
  const auto& learns = s.steps[s.named("a thread learns from another")];
  const cell all = s.u.threads();
  for (cell n = 0; n != all * all; ++n) {
    cells learnt;
    std::string wrong;
    // To the last thread first, and from there to the others.
    const cell me = n < all ? all - 1 : n % all;
    if (learns.make(state, me, n < all ? n : all - 1, 0, learnt, wrong)) state = learnt;
  }
  return state;
}

struct tally {
  std::size_t executions = 0, orders = 0, others = 0;
  std::string dead_end = {}, wrong = {};
};

/// Each execution of the line, in the order of insertion and in so many others.
template <template <class> class Client = suites::crew_client, class Model = checker::model>
tally replayed(concrete_crew& s, walker& w, std::string_view text, int orders, std::size_t most = 1'000'000) {
  const suites::line l = suites::parse(text, suites::vocabulary_of<Client<Model>>());
  const unsigned workers = s.workers;
  const beginning first(l, workers, static_cast<unsigned>(s.u.threads()) - 1);
  tally t;
  const cells begun = known_to_all(s, w.after(first.acts()));
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
      if (w.is_path(acts.all(), place, begun, first.length())) continue;
      ++t.others;
      if (t.dead_end.empty()) t.dead_end = w.dead_end(acts.all(), place);
    }
  };
  o.observe = see;
  o.observe_blocked = see;
  const auto v = checker::run_program_with<suites::line_program<Client, Model>>(l, l.threads, o);
  t.wrong = v.outcome == checker::outcome::violation ? v.message : "";
  return t;
}

}  // namespace licit::proof::of_crew

#endif
