/// What a worker has beside its own queue: the items that only it may run, the sink for overflows, others' queues.
#ifndef LICIT_SCHEDULER_WORKER_QUEUES_HPP
#define LICIT_SCHEDULER_WORKER_QUEUES_HPP

#include <algorithm>
#include <cstddef>
#include <span>

#include <licit/deque/rules.hpp>
#include <licit/scheduler/inject/kept.hpp>
#include <licit/scheduler/inject/link.hpp>
#include <licit/scheduler/worker_rules.hpp>

namespace licit::inline v0::detail {

/// The items that only one worker may run. For its own thread: first in, first out, linked through the items, so that
/// no item is ever refused. Items from other threads come through the inbox. `T{}` stands for no item.
template <class T, class Policy, class Metrics>
class bound_items {
  using link = inject_link<T>;

 public:
  bound_items(detail::inject_kept<T, Policy>& inbox, Metrics& metrics) : inbox_{inbox}, metrics_{metrics} {}

  void push(T one) {
    append(one);
    metrics_.bound_queued(1);
  }

  [[nodiscard]] bool empty() const { return oldest_ == T{}; }

  /// Whether the next item should be one of these, and there is one: every other time.
  bool is_next() { return oldest_ != T{} && (turn_ = !turn_); }

  /// The oldest.
  T pop() {
    const T one = oldest_;
    if (one == T{}) return one;
    oldest_ = link::get(one);
    metrics_.bound_poll();
    return one;
  }
  /// The same, after a look at the inbox.
  T pop_any() {
    collect();
    return pop();
  }

  /// Drops each item for which `discards(item)` is true, and keeps the order of the others. Returns how many those are.
  template <class Discards>
  std::size_t sweep(Discards&& discards) {
    std::size_t all = 0;
    for (T one = oldest_; one != T{}; one = link::get(one)) ++all;
    std::size_t kept = 0;
    for (std::size_t left = all; left != 0; --left) {
      const T one = oldest_;
      oldest_ = link::get(one);
      if (!discards(one)) append(one), ++kept;
    }
    metrics_.bound_dropped(all - kept);
    return kept;
  }

  /// Takes what is in the inbox. A load if that is empty.
  void collect() {
    if (!inbox_.any()) return;
    T in_order{};
    for (T one = inbox_.take_all(); one != T{};) {  // the newest first
      const T older = link::get(one);
      link::set(one, in_order);
      in_order = one;
      one = older;
    }
    std::size_t number = 0;
    for (T one = in_order; one != T{}; ++number) {
      const T younger = link::get(one);
      append(one);
      one = younger;
    }
    metrics_.bound_queued(number);
  }

 private:
  void append(T one) {
    link::set(one, T{});
    if (oldest_ == T{}) {
      oldest_ = one;
    } else {
      link::set(newest_, one);
    }
    newest_ = one;
  }

  detail::inject_kept<T, Policy>& inbox_;
  Metrics& metrics_;
  T oldest_{};
  T newest_{};  ///< if there is one
  bool turn_ = false;
};

/// When a worker sweeps its queues: when it has left as many entries there as the last sweep has kept, and `least`.
class sweeps {
 public:
  explicit sweeps(std::size_t least) : least_{least}, at_{least} {}
  /// After each entry that is left.
  [[nodiscard]] bool due() { return ++left_ >= at_ && !under_way_; }
  /// `all()` returns how many it has kept. What it drops may come here from a destructor.
  template <class All>
  void run(All&& all) {
    under_way_ = true;
    left_ = 0;
    at_ = std::max(least_, all());
    under_way_ = false;
  }

 private:
  const std::size_t least_;
  std::size_t at_;
  std::size_t left_ = 0;
  bool under_way_ = false;
};

/// The sink for overflows of a worker's own queue: the inject queue, also without memory. For one worker's thread.
/// `Inject` and `Metrics` must outlive it.
template <class Inject, class Metrics>
class overflow {
 public:
  using item = typename Inject::value_type;

  overflow(Inject& to, Metrics& metrics) : to_{to}, metrics_{metrics}, sink_{to} {}

  void reserve(std::size_t items) noexcept {
    alone_ = false;
    try {
      sink_.reserve(items);
    } catch (...) {  // then `take` adds the items one by one
      alone_ = true;
    }
  }
  void take(std::span<const item> items) noexcept {
    metrics_.overflowed(items.size());
    if (!alone_) return sink_.take(items);
    for (const item one : items) to_.push_certain(one);
  }

 private:
  Inject& to_;
  Metrics& metrics_;
  typename Inject::sink sink_;
  bool alone_ = false;
};

/// A worker's thread: whether it has items in its slot, its queue or bound to it.
template <class Member, class Bound>
bool has_items(const Member& own, const Bound& bound) {
  return !own.slot.empty() || !own.queue.empty() || !bound.empty();
}

/// A worker's thread: half of the first other queue that has something, or the item in another's slot. The rest of the
/// half is then in its own queue.
template <class Crew, class Tools>
typename Crew::item steal_from_others(Crew& crew, typename Crew::member& own, Tools& tools, std::size_t most) {
  using item = typename Crew::item;
  item found{};
  // A sleeper has nothing. An old value may hide work here; the look before sleep passes nobody over.
  const auto sleeps = [&](std::size_t victim) {
    constexpr bool passes_over = rules_of<worker_rules, typename Crew::policy>().passes_over_sleepers;
    return passes_over && crew.idle().has_words() && crew.idle().is_parked(victim);
  };
  const auto half = [&](std::size_t victim) {
    if (sleeps(victim)) return false;
    tools.metrics.steal_tried();
    const auto got = crew.at_worker(victim).queue.steal_half(own.queue, most);
    if (!got) return false;  // also if lost: the queue was then not empty, and a worker looks again before it sleeps
    tools.metrics.stole(victim, 1 + got.moved());
    tools.caught(1 + got.moved());
    found = *got;
    return true;
  };
  const auto slot = [&](std::size_t victim) {
    if (sleeps(victim)) return false;
    found = crew.at_worker(victim).slot.steal();
    if (found == item{}) return false;
    tools.metrics.slot_stolen(victim);
    tools.caught(1);
    return true;
  };
  if (!tools.others.visit(half)) (void)tools.others.visit(slot);
  return found;
}

}  // namespace licit::inline v0::detail

#endif
