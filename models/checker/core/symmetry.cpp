#include "core/symmetry.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>

namespace licit::checker::detail {

namespace {

/// The first of each group is asked for its next permutation, then the others when it has had all.
bool permute(std::vector<std::vector<unsigned>>& groups) {
  return std::ranges::any_of(groups, [](std::vector<unsigned>& g) { return std::ranges::next_permutation(g).found; });
}

std::uint64_t factorial(std::uint64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// The same operation, whichever of two equal threads asks for it.
bool equal(const operation& a, const operation& b) {
  if (a.how != change::sleep || b.how != change::sleep) return same(a, b);
  operation other = b;
  other.operand = a.operand;  // who goes to sleep
  return same(a, other);
}

/// Nobody can tell which of two threads did it, given that they were alike before.
bool same_happened(const event& a, const event& b) {
  if (a.reads() && b.reads()) return a.source == b.source && a.choice == b.choice;
  return !a.writes() && a.op.what != action::plain_write && a.op.what != action::ghost_write &&
         a.op.what != action::ghost_construct;
}

/// Calls `visit` with each thread of the set.
template <class Visit>
void each(std::uint8_t set, const Visit& visit) {
  for (; set != 0; set = static_cast<std::uint8_t>(set & (set - 1)))
    visit(static_cast<unsigned>(std::countr_zero(set)));
}

/// The execution in numbers, if its threads were named so.
template <class Naming>
std::vector<unsigned> described(const graph& g, const Naming& names) {
  std::vector<unsigned> text;
  for (unsigned name = 0; name != max_threads; ++name) {
    const auto thread = static_cast<unsigned>(std::ranges::find(names, name) - names.begin());
    for (const event_id id : g.thread(thread)) {
      const event& e = g[id];
      unsigned woken = 0;
      each(e.woken, [&](unsigned t) { woken |= 1U << names[t]; });
      text.push_back(e.has_source() ? names[g[e.source].thread()] << 16U | g[e.source].index : initial << 16U);
      text.push_back(e.op.wakes() ? woken : e.choice);
      text.push_back(e.writes() ? e.rank : 0U);
    }
  }
  return text;
}

/// The event of that thread at the place of this one; null if it has not come there.
const event* counterpart(const graph& g, const event& e, unsigned thread) {
  return g.thread(thread).size() > e.index ? &g[g.at(thread, e.index)] : nullptr;
}

}  // namespace

symmetry::symmetry(const options& o) {
  expect_valid(o, max_threads);
  const bool whole =
      o.without.calls.empty() && o.without.end == left_out::all();  // no operation is left out in some threads only
  for (std::vector<unsigned> group : o.equal) {
    std::erase(group, o.stalled.thread);
    if (!whole || group.size() < 2) continue;
    std::ranges::sort(group);
    threads before = 0;
    for (const unsigned t : group) {
      lower_[t] = before;
      before = static_cast<threads>(before | 1U << t);
    }
    groups_.push_back(std::move(group));
  }
}

void symmetry::expect_valid(const options& o, unsigned threads) {
  std::vector<unsigned> all;
  for (const auto& group : o.equal) all.insert(all.end(), group.begin(), group.end());
  std::ranges::sort(all);
  if (!all.empty() && all.back() >= threads) {
    throw std::invalid_argument("licit: there is no thread " + std::to_string(all.back()) + " to be equal to another");
  }
  const auto twice = std::ranges::adjacent_find(all);
  if (twice != all.end()) {
    throw std::invalid_argument("licit: thread " + std::to_string(*twice) + " is named twice among equal threads");
  }
}

/// The equal threads with lower numbers that are alike before the event.
symmetry::threads symmetry::candidates(const graph& g, const event& e) const {
  const event* previous = g.previous(e);
  return previous == nullptr ? lower_[e.thread()] : previous->alike;
}

void symmetry::join(const graph& g, event& e) {
  e.alike = 0;
  e.out_of_turn = false;
  if (lower_[e.thread()] == 0) return;
  each(candidates(g, e), [&](unsigned t) {
    const event* first = counterpart(g, e, t);
    if (first == nullptr) return;
    e.prefix.join(first->half == part::read ? g[g.at(t, e.index + 1U)].prefix : first->prefix);  // both halves
    differ_ = differ_ || !equal(first->op, e.op);
    if (same_happened(*first, e)) e.alike = static_cast<threads>(e.alike | 1U << t);
    if (e.reads() && first->reads() && g.rank(e.source) < g.rank(first->source)) e.out_of_turn = true;
  });
}

/// Whether the event comes after what `first`, or what is alike with it, causes: then no order of their threads lets it
/// come before them.
bool symmetry::must_wait(const graph& g, const event& e, const event& first, threads others) const {
  if (e.source == initial || e.source == first.source) return false;
  bool waits = false;
  each(others, [&](unsigned t) {
    const event* other = counterpart(g, e, t);
    if (other != nullptr && same_happened(*other, first) && other->within(g[e.source].prefix)) waits = true;
  });
  return waits;
}

bool symmetry::is_in_order(const graph& g, const event& e) const {
  bool ordered = true;
  const threads others = candidates(g, e);
  each(others, [&](unsigned t) {
    const event* first = counterpart(g, e, t);
    if (first == nullptr || (e.alike >> t & 1U) != 0) return;
    if (e.reads() && first->reads()) {
      const unsigned here = g.rank(e.source);
      const unsigned there = g.rank(first->source);
      const bool before = here < there || (here == there && e.choice > first->choice);
      ordered = ordered && (!before || must_wait(g, e, *first, others));
    } else if (e.writes() && first->writes()) {
      ordered = ordered && g.rank(e) > g.rank(*first);
    }
  });
  return ordered;
}

/// Whether all that the two threads did, in a complete execution, is the same.
bool symmetry::ended_alike(const graph& g, unsigned a, unsigned b) {
  const auto one = g.thread(a);
  const auto other = g.thread(b);
  const std::size_t both = std::min(one.size(), other.size());
  if (both != 0 && (g[g.at(b, static_cast<unsigned>(both - 1))].alike >> a & 1U) == 0) return false;
  differ_ = differ_ || one.size() != other.size();
  return true;
}

std::uint64_t symmetry::orbit(const graph& g) {
  std::uint64_t size = 1;
  for (const auto& group : groups_) {
    size *= factorial(group.size());
    std::uint64_t same = 1;  // permutations that change nothing
    for (std::size_t i = 0; i != group.size(); ++i) {
      const auto alike = std::count_if(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(i),
                                       [&](unsigned lower) { return ended_alike(g, lower, group[i]); });
      same *= static_cast<std::uint64_t>(alike) + 1;
    }
    size /= same;
  }
  return is_chosen(g) ? size : 0;
}

/// Which of the executions of an orbit stands for it where some thread was out of turn: then several might. The one
/// whose description is the least.
bool symmetry::is_chosen(const graph& g) {
  const auto out_of_turn = [&](unsigned t) {
    return std::ranges::any_of(g.thread(t), [&](event_id id) { return g[id].out_of_turn; });
  };
  const auto has_one = [&](const auto& group) { return std::ranges::any_of(group, out_of_turn); };
  if (std::ranges::none_of(groups_, has_one)) return true;
  naming names{};
  std::iota(names.begin(), names.end(), 0U);
  const std::vector<unsigned> mine = described(g, names);
  for (auto permuted = groups_; permute(permuted);) {
    for (std::size_t n = 0; n != groups_.size(); ++n) {
      for (std::size_t i = 0; i != groups_[n].size(); ++i) names[groups_[n][i]] = permuted[n][i];
    }
    if (described(g, names) < mine && is_possible(g, names)) return false;
  }
  return true;
}

/// Whether the search visits the execution with its threads so named: whether it can be built in the search's order.
bool symmetry::is_possible(const graph& g, const naming& names) {
  renamed_.clear();
  for (auto& p : places_) p.clear();
  const auto add_some = [&] {
    bool added = false;
    for (unsigned t = 0; t != max_threads; ++t) {
      while (add_next(g, names, t)) added = true;
    }
    return added;
  };
  while (add_some()) {
  }
  return renamed_.size() == g.size();
}

/// Adds the thread's next event to the renamed graph. False if it has none, something is missing that it must come
/// after, or it is not in order.
bool symmetry::add_next(const graph& g, const naming& names, unsigned thread) {
  std::vector<event_id>& done = places_[thread];
  if (done.size() == g.thread(thread).size()) return false;
  event e = g[g.thread(thread)[done.size()]];
  e.op.thread = static_cast<std::uint8_t>(names[thread]);
  e.prefix = e.index == 0 ? clock{} : renamed_.previous(e)->prefix;
  e.prefix.set(e.thread(), e.index + 1U);
  if (e.has_source()) {
    const event& source = g[e.source];
    const std::vector<event_id>& there = places_[source.thread()];
    if (there.size() <= source.index) return false;
    e.source = there[source.index];
    e.prefix.join(renamed_[e.source].prefix);
  }
  const threads first = candidates(renamed_, e);
  for (unsigned t = 0; t != max_threads; ++t) {
    if ((first >> names[t] & 1U) == 0 || g.thread(t).size() <= e.index) continue;
    const bool update = g[g.at(t, e.index)].half == part::read;
    if (places_[t].size() <= e.index + (update ? 1U : 0U)) return false;
  }
  join(renamed_, e);
  if (!in_order(renamed_, e)) return false;
  done.push_back(renamed_.append(e));
  return true;
}

}  // namespace licit::checker::detail
