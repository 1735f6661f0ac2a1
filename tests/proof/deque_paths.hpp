/// Executions of clients of a deque as paths of its transition system, in whatever order their events are made.
#ifndef LICIT_TESTS_PROOF_DEQUE_PATHS_HPP
#define LICIT_TESTS_PROOF_DEQUE_PATHS_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "answers.hpp"
#include "concrete_system.hpp"
#include "deque_deeds.hpp"
#include "graphs.hpp"
#include "proof/structures.hpp"

namespace licit::proof::of_deque {

/// Makes the deeds of an execution in an order, by steps of the system.
class walker {
 public:
  explicit walker(const concrete_system& s, queue of = queue::only, const filling& filled = {})
      : s_{s}, of_{of}, filled_{filled}, owners_{s.system, true}, thiefs_{s.system, false}, first_{s.first()} {
    for (const step& each : s.system.steps) {
      std::vector<std::string> names;
      if (each.does) names.push_back(each.does->name);
      std::vector<std::string> given;
      for (const auto& r : each.reads) {
        if (is_read(r)) names.push_back(r.result);
        if (r.place == away) given.push_back(r.result);
      }
      sites_.push_back(names);
      given_.push_back(given);
      counts_sizes_ |= each.returns == "a number";
    }
    if (filled.items != 0) fill(filled.items);
  }

  /// `made`: what the calls answered, which the path has to answer as well.
  bool is_path(const graph& g, const std::vector<std::size_t>& place, const answers* made = nullptr) {
    made_ = made == nullptr ? answers{} : *made;
    for (unsigned t = 0; t != most_threads; ++t) {  // of sizes, the system has the owner's only, or none
      if (t != 0 || !counts_sizes_) std::erase_if(made_[t], [](const auto& c) { return c.what == suites::deed::size; });
    }
    compares_ = made != nullptr;
    if (compares_) items_ = items_of(g);
    all_ = deeds_of(g, owners_, thiefs_, s_.watched, of_, filled_);
    order_.clear();
    for (unsigned t = 0; t != most_threads; ++t) {
      for (std::size_t i = 0; i != all_[t].size(); ++i) {
        if (of(t).operations.contains(all_[t][i].site)) order_.push_back({t, i, place[when(t, i)]});
      }
    }
    std::ranges::stable_sort(order_, {}, &turn::when);
    return goes_on(0, {}, first_);
  }
  std::set<std::string> fired, broken;

 private:
  struct turn {
    unsigned thread;
    std::size_t deed;
    std::size_t when;
  };
  /// Of each thread how many of its deeds and calls are done, and which deed was the first of the latest call.
  struct done {
    std::array<std::size_t, most_threads> deeds{}, calls{}, begun{};
    std::size_t& operator[](unsigned t) { return deeds[t]; }
    std::size_t operator[](unsigned t) const { return deeds[t]; }
  };

  /// The state after so many pushes of the owner's, as its steps make them.
  void fill(std::int64_t items) {
    all_ = {};
    order_.clear();
    for (std::int64_t i = 0; i != items; ++i) {
      for (const char* site : {"push.own", "push.item", "push.fence", "push.publish"}) {
        if (!owners_.operations.contains(site) && !owners_.own_reads.contains(site)) continue;
        const std::size_t n = all_[0].size();
        all_[0].push_back({.site = site, .value = i});
        if (of(0).operations.contains(site)) order_.push_back({0, n, n});
      }
    }
    if (!goes_on(0, {}, first_)) throw std::logic_error("the queue cannot be filled so");
    first_ = last_;
    begun_ = items;
    fired.clear();
  }

  [[nodiscard]] const sites& of(unsigned t) const { return t == 0 ? owners_ : thiefs_; }

  /// A thief's fence is made where the load behind it is, and so is its seq_cst load of top (README.md).
  [[nodiscard]] event_id when(unsigned t, std::size_t i) const {
    const deed& d = all_[t][i];
    const proof::event& e = of(t).operations.find(d.site)->second;
    const bool looks =
        licit::detail::is_fence(e.how) || (e.how == operation::load && e.place == "top" && e.success == order::seq_cst);
    return t != 0 && looks && i + 1 != all_[t].size() ? all_[t][i + 1].when : d.when;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are deeds
  bool goes_on(std::size_t n, const done& at, const cells& now) {
    unsigned t = 0;
    if (n == order_.size()) {  // what threads still do by themselves
      while (t != most_threads && at[t] == all_[t].size()) ++t;
      if (t == most_threads) {
        for (t = 0; compares_ && t != most_threads; ++t) {
          if (at.calls[t] != made_[t].size()) return false;
        }
        last_ = now;
        return true;
      }
    } else {
      t = order_[n].thread;
    }
    const bool its_turn = n != order_.size() && at[t] == order_[n].deed;
    for (std::size_t i = 0; i != sites_.size(); ++i) {
      const step& s = s_.system.steps[i];
      const bool unseen = sites_[i].empty() && !given_[i].empty() && s.next != "idle";  // a call begins
      if (s.owner != (t == 0) || (!unseen && (s.does.has_value() != its_turn || !begins(t, at[t], sites_[i]))))
        continue;
      if (made(i, t, at, now, [&](const done& then, const cells& next) {
            return goes_on(its_turn && !unseen ? n + 1 : n, then, next);
          })) {
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool begins(unsigned t, std::size_t from, const std::vector<std::string>& names) const {
    if (from + names.size() > all_[t].size() || names.empty()) return false;
    for (std::size_t i = 0; i != names.size(); ++i) {
      if (all_[t][from + i].site != names[i]) return false;
    }
    return true;
  }
  /// Numbers of other queues: all that make a difference there.
  [[nodiscard]] std::vector<std::int64_t> candidates(const std::string& name) const {
    if (name.ends_with(".most")) return {most_at_once, 1, 2};
    if (name == "pop.asked") return {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    if (name == "away.half.own") return {s_.other_capacity};
    if (name == "away.limit") return {4, 5, 6, 7};
    if (name == "away.room.head") return {0, 1, 2, 3, 4};
    if (name == "away.half.head") return {0};
    return {1, 2, 3, 4, 5, 6, 7, 8};
  }
  /// What the step chooses: `seen`, if it reads something, and then the numbers of other queues.
  template <class Then>
  bool made(std::size_t i, unsigned t, const done& at, const cells& now, Then&& then) {
    std::vector<std::vector<std::int64_t>> of_each;
    const bool looks = given_[i].empty() && s_.steps[i].choices == 2;  // a load of top, and what the next one will see
    if (s_.steps[i].choices != given_[i].size() || given_[i].empty()) {
      of_each.push_back({witness(s_.system.steps[i], t, at[t])});
      if (at[t] != all_[t].size() && all_[t][at[t]].copy) of_each[0].push_back(-1);
      if (looks) of_each.push_back({at[t] + 1 < all_[t].size() ? begun_ + all_[t][at[t] + 1].place : 0});
      if (given_[i].empty() && !looks) of_each.push_back(of_each[0]);
    }
    for (const std::string& name : given_[i]) of_each.push_back(candidates(name));
    of_each.resize(5, {0});
    const bool same = given_[i].empty() && !looks;
    for (const std::int64_t v : of_each[0]) {
      for (const std::int64_t w : same ? std::vector{v} : of_each[1]) {
        for (const std::int64_t x : of_each[2]) {
          for (const std::int64_t y : of_each[3]) {
            if (made_by(i, t, at, now, v, w, {x, y}, then)) return true;
          }
        }
      }
    }
    return false;
  }
  template <class Then>
  bool made_by(std::size_t i, unsigned t, done at, const cells& now, std::int64_t v, std::int64_t w,
               const more_choices& more, Then&& then) {
    const std::int64_t me = t == 0 ? 0 : t - 1;
    cells next;
    if (!s_.steps[i].make(now, me, 0, v, w, next, more) || !agrees(i, t, at[t], next)) return false;
    at[t] += sites_[i].size();
    if (s_.system.steps[i].next == "idle" && !answers_alike(i, t, now, next, at)) return false;
    if (!then(at, next)) return false;
    const std::string& name = s_.transitions[i].name;
    fired.insert(name);
    judge(i, me, now, v, w, next);
    return true;
  }
  /// Whether the call that ends by this step answers what it did.
  bool answers_alike(std::size_t i, unsigned t, const cells& now, const cells& next, done& at) const {
    const step& s = s_.system.steps[i];
    if (compares_ && !s.returns.empty()) {
      const auto pushes = std::ranges::count(std::span(all_[0]).first(at[0]), "push.item", &deed::site);
      answered path{s.returns, {}, std::span(all_[t]).subspan(at.begun[t], at[t] - at.begun[t]), pushes, {}};
      if (s.returns.starts_with("item ")) {
        std::string name = s.returns.substr(5);
        if (name.ends_with('!')) name.pop_back();
        path.item = next[t == 0 ? s_.u.at(name) : s_.u.at(name, t - 1)];
      }
      if (s.hands) {
        frame f{&now, &next, {}};
        const auto value = [&](const std::string& term) { return s_.u.compiled(parse(term).at(0), {})(f); };
        for (std::int64_t n = value(s.hands->first); n != value(s.hands->last); ++n) path.handed_over.push_back(n);
      }
      const std::size_t calls = calls_alike(path, std::span(made_[t]).subspan(at.calls[t]), items_);
      if (calls == 0) return false;
      at.calls[t] += calls;
    }
    at.begun[t] = at[t];
    return true;
  }
  /// Each step between two states once, and each state once. They are told apart by a hash: if two had the same, one
  /// would not be judged.
  void judge(std::size_t i, std::int64_t me, const cells& now, std::int64_t v, std::int64_t w, const cells& next) {
    const std::string& name = s_.transitions[i].name;
    const auto before = static_cast<std::int64_t>(hash_of(now)), after = static_cast<std::int64_t>(hash_of(next));
    const std::array step{before, after, static_cast<std::int64_t>(i), me, v, w};
    if (judged_.insert(hash_of(step)).second) {
      const std::string wrong = s_.steps[i].broken(now, me, v, w, next);
      if (!wrong.empty()) broken.insert(name + ": " + wrong);
    }
    if (judged_.insert(hash_of(next)).second) {
      const std::string wrong = s_.broken(next);
      if (!wrong.empty()) broken.insert(name + ": " + wrong);
    }
  }
  static std::size_t hash_of(std::span<const std::int64_t> numbers) {
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }
  /// What the step chooses: what it reads. A thief's fence chooses what the load behind it reads.
  [[nodiscard]] std::int64_t witness(const step& s, unsigned t, std::size_t i) const {
    if (!s.does) return 0;
    const bool fence = licit::detail::is_fence(s.does->how);
    if (fence && i + 1 == all_[t].size()) return 0;
    const deed& d = all_[t][fence ? i + 1 : i];
    return fence || s.does->place == "bottom" ? begun_ + d.place : d.value;
  }
  [[nodiscard]] bool agrees(std::size_t i, unsigned t, std::size_t from, const cells& after) const {
    const step& of = s_.system.steps[i];
    for (std::size_t n = 0; n != sites_[i].size(); ++n) {
      const deed& d = all_[t][from + n];
      if (of.does && n == 0) {
        if (of.does->how == operation::compare_exchange && of.does->won != d.won) return false;
        if (d.won && after[s_.u.at("top")] != d.value) return false;
        if (d.won || (of.does->how != operation::load && of.does->how != operation::compare_exchange)) continue;
      }
      const std::string& name = sites_[i][n];
      const std::int64_t got = after[t == 0 ? s_.u.at(name) : s_.u.at(name, t - 1)];
      if (got != d.value && !(d.copy && got == -1)) return false;
    }
    return true;
  }

  const concrete_system& s_;
  queue of_;
  filling filled_;
  sites owners_, thiefs_;
  cells first_, last_;
  std::int64_t begun_ = 0;  ///< stores to bottom before
  std::vector<std::vector<std::string>> sites_, given_;
  deeds all_;
  std::vector<turn> order_;
  answers made_;
  bool compares_ = false;
  bool counts_sizes_ = false;
  std::map<std::int64_t, std::uint8_t> items_;
  std::unordered_set<std::size_t> judged_;
};

}  // namespace licit::proof::of_deque

#endif
