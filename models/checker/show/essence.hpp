/// What tells executions apart but for the rounds of loops that wait: how many of those are explored depends on what a
/// compiler leaves on the stack from round to round.
#ifndef LICIT_CHECKER_SHOW_ESSENCE_HPP
#define LICIT_CHECKER_SHOW_ESSENCE_HPP

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/graph.hpp"

namespace licit::checker::detail {

/// Of an execution: which atomic write each read reads, whom each notification wakes, and the modification orders. A
/// thread that does an operation again, and has changed nothing since, has gone round: what it did from the first time
/// on does not count. Plain accesses are left out, and the starts and ends of threads. So are loads of what no thread
/// changes: they tell no executions apart, and are no rounds. `licit check` has one for each membarrier, whose word
/// only main writes.
class essence {
 public:
  explicit essence(const graph& g) : graph_{g}, changed_(g.locations(), false), kept_(g.size(), false) {
    find_changed();
    for (unsigned t = 0; t != max_threads; ++t) keep_last_rounds(t);
    for (unsigned t = 0; t != max_threads; ++t) {
      add(t);
      for (const event_id id : threads_[t]) describe(id);
    }
    for (const location_id l : order_) {
      for (event_id w = g.first_write(l); w != initial; w = g[w].after) {
        if (kept_[first_half(w)]) add_place(w);
      }
      add(end);
    }
  }

  [[nodiscard]] std::uint64_t hash() const { return hash_; }

 private:
  static constexpr std::uint64_t end = ~std::uint64_t{0};

  /// By threads: not by main alone, before it starts the others or after it has joined them.
  void find_changed() {
    std::size_t first = 0;
    std::size_t last = graph_.thread(0).size();
    for (const event_id id : graph_.thread(0)) {
      const event& e = graph_[id];
      if (e.op.what == action::spawn && first == 0) first = e.index;
      if (e.op.what == action::join) last = e.index;
    }
    for (location_id l = 0; l != changed_.size(); ++l) {
      for (event_id w = graph_.first_write(l); w != initial && !changed_[l]; w = graph_[w].after) {
        const event& e = graph_[w];
        const bool alone = e.thread() == 0 && (e.index < first || e.index > last);
        changed_[l] = e.op.what != action::construct && !alone;
      }
    }
  }

  static bool is_look(const operation& o) { return o.what == action::load && o.how != change::compare_exchange; }
  [[nodiscard]] bool counts(const event& e) const {
    switch (e.op.what) {
      case action::load: return !is_look(e.op) || changed_[e.op.location];
      case action::store:
      case action::modify:
      case action::fence:
      case action::awake: return e.half != part::write;
      default: return false;
    }
  }
  static bool changed_nothing(const event& e) {
    if (e.op.what == action::load || e.op.what == action::fence) return true;
    if (e.op.what != action::modify || e.of_queue()) return false;
    return e.half == part::whole || applied(e.op, e.value) == e.value;
  }

  /// Wherever it is in the program: the doors tell places apart in different ways. What is awaited is no part of a
  /// load.
  static bool repeats(const operation& a, const operation& b) {
    return a.what == b.what && a.location == b.location && a.success == b.success && a.failure == b.failure &&
           a.how == b.how && a.operand == b.operand && (is_look(a) || a.expected == b.expected);
  }

  void keep_last_rounds(unsigned t) {
    std::vector<event_id>& all = threads_[t];
    for (const event_id id : graph_.thread(t)) {
      const event& e = graph_[id];
      if (!counts(e)) continue;
      for (std::size_t i = all.size(); i != 0 && changed_nothing(graph_[all[i - 1]]); --i) {
        if (e.op.what == action::fence || !repeats(graph_[all[i - 1]].op, e.op)) continue;
        all.resize(i - 1);
        break;
      }
      all.push_back(id);
    }
    for (std::size_t i = 0; i != all.size(); ++i) {
      kept_[all[i]] = true;
      places_[all[i]] = i;
    }
  }

  [[nodiscard]] event_id first_half(event_id id) const {
    return graph_[id].half == part::write ? graph_.at(graph_[id].thread(), graph_[id].index - 1U) : id;
  }
  /// Who reads what a round that is left out has written reads what was there before.
  void add_place(event_id write) {
    while (write != initial && !kept_[first_half(write)]) {
      const event& half = graph_[first_half(write)];
      if (!half.reads()) break;
      write = half.source;
    }
    if (write == initial) return add(end);
    add(graph_[write].thread());
    add(places_[first_half(write)]);
  }

  void describe(event_id id) {
    const event& e = graph_[id];
    add(static_cast<std::uint64_t>(e.op.what));
    add(e.half == part::read ? 1 : 0);
    add(e.spurious() ? 1 : 0);
    if (e.is_fence()) return;
    const auto [number, is_new] = numbers_.try_emplace(e.op.location, order_.size());
    if (is_new) order_.push_back(e.op.location);
    add(number->second);
    if (e.op.wakes()) add(e.woken);
    if (e.reads() || e.follows()) add_place(e.source);
  }

  void add(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x9e3779b97f4a7c15;
    hash_ ^= hash_ >> 29U;
  }

  const graph& graph_;
  std::vector<bool> changed_;  ///< by location
  std::vector<bool> kept_;
  std::array<std::vector<event_id>, max_threads> threads_;
  std::map<event_id, std::size_t> places_;
  std::map<location_id, std::size_t> numbers_;
  std::vector<location_id> order_;  ///< of the locations, as the threads come to them
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace licit::checker::detail

#endif
