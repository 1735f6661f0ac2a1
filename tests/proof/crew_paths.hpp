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

#include "crew_acts.hpp"
#include "crew_system.hpp"
#include "graphs.hpp"
#include "suites/crew.hpp"

namespace licit::proof::of_crew {

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
    return goes_on(0, begun, length);
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
    if (!goes_on(0, s_.first(), 0)) throw std::logic_error("the client cannot begin so");
    return *last_;
  }
  std::set<std::string> fired, broken;
  std::set<std::string> falsified;  ///< of `broken`, by a step from a state in which all invariants hold

 private:
  static std::string base(const std::string& point) { return point.substr(0, point.find('#')); }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are acts
  bool goes_on(std::size_t n, const cells& now, cell length) {
    if (n == acts_->size()) {
      last_ = now;
      return true;
    }
    furthest_ = std::max(furthest_, n);
    if (!failed_.insert(std::to_string(n) + bytes_of(now)).second) return false;
    const act& a = (*acts_)[n];
    if (a.site == "publish") {
      return made(s_.named("a thread publishes work"), n, now, 0,
                  [&](const cells& next) { return goes_on(n + 1, next, a.value); });
    }
    if (a.site == "take") return takes(n, now, length);
    if (a.site == "drain.take") return empties_inbox(n, now, length);
    for (std::size_t i = 0; i != s_.system.steps.size(); ++i) {
      const step& s = s_.system.steps[i];
      if (!s.does || s.does->name != a.site || !fits(n, s)) continue;
      for (const cell v : choices(s, a)) {
        if (made(i, n, now, v,
                 [&](const cells& next) { return agrees(s, a, now, next) && goes_on(n + 1, next, length); })) {
          return true;
        }
      }
    }
    if (now[s_.u.at("asleep", a.thread)] == 0) return false;
    return made(s_.named("a sleeper wakes up for no reason"), n, now, 0,
                [&](const cells& next) { return goes_on(n, next, length); });
  }
  /// The oldest ones, so many that the list has this length now.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are acts
  bool takes(std::size_t n, const cells& now, cell length) {
    const act& a = (*acts_)[n];
    if (length == a.value) return goes_on(n + 1, now, length);
    return made(s_.named("somebody takes a piece of work"), n, now,
                oldest(now, [&](cell p) { return now[s_.u.at("sent", p)] == 0; }),
                [&](const cells& next) { return takes(n, next, length - 1); });
  }
  /// Everything that was sent to the worker.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are acts
  bool empties_inbox(std::size_t n, const cells& now, cell length) {
    const cell me = (*acts_)[n].thread;
    const cell one = oldest(now, [&](cell p) { return now[s_.u.at("sent", p)] != 0 && now[s_.u.at("to", p)] == me; });
    if (one == now[s_.u.at("pubs")]) return goes_on(n + 1, now, length);
    return made(s_.named("somebody takes a piece of work"), n, now, one,
                [&](const cells& next) { return empties_inbox(n, next, length); });
  }
  /// Of such pieces of work that nobody took; or the next that will be published.
  template <class Such>
  [[nodiscard]] cell oldest(const cells& now, Such&& such) const {
    cell p = 0;
    while (p != now[s_.u.at("pubs")] && (now[s_.u.at("taken", p)] != 0 || !such(p))) ++p;
    return p;
  }
  template <class Then>
  bool made(std::size_t i, std::size_t n, const cells& now, cell v, Then&& then) {
    cells next;
    std::string wrong;
    const act& a = (*acts_)[n];
    if (!s_.steps[i].make(now, a.thread, a.site == "keep.push" ? a.value : a.thread, v, next, wrong)) return false;
    if (!then(next)) return false;
    fired.insert(s_.transitions[i].name);
    judge(s_.transitions[i].name, now, next, wrong);
    return true;
  }

  /// The step ends where the thread's next act begins.
  [[nodiscard]] bool fits(std::size_t n, const step& s) const {
    const bool may_be_lost = s.does->how == operation::compare_exchange || s.does->place == "inbox";
    if (may_be_lost && s.does->won != (*acts_)[n].won) return false;
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

/// Each execution of the line, in the order of insertion and in so many others. `how`: or `most` of them at random.
/// `until_missed`: up to one that is no path.
template <template <class> class Client = suites::crew_client, class Model = checker::model>
tally replayed(concrete_crew& s, walker& w, std::string_view text, int orders, std::size_t most = 1'000'000,
               checker::mode how = checker::mode::exhaustive, bool until_missed = false) {
  const suites::line l = suites::parse(text, suites::vocabulary_of<Client<Model>>());
  const unsigned workers = s.workers;
  const beginning first(l, workers, static_cast<unsigned>(s.u.threads()) - 1);
  tally t;
  const cells begun = known_to_all(s, w.after(first.acts()));
  std::mt19937 random(1);
  checker::options o;
  o.deadlocks = false;
  o.max_executions = most;
  o.how = how;
  o.sample.executions = most;
  const auto see = [&](const graph& g) {
    if (until_missed && t.others != 0) return;
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
