/// What the workers of a scheduler share: for each a queue, a slot and a parker; the inject queue; the set of idle
/// workers.
///
/// The promise: announced work does not wait while every worker sleeps, although nobody sleeps with a timeout, nor
/// while a sleeping worker could run it beside the others (W1 to W4 in scheduler/README.md). Source: the protocol is
/// that of Go's and Tokio's schedulers, "the last searcher looks again". Ours are the fences, and that a searcher which
/// found work looks before it wakes another.
#ifndef LICIT_SCHEDULER_CREW_HPP
#define LICIT_SCHEDULER_CREW_HPP

#include <algorithm>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include <licit/deque/native.hpp>
#include <licit/deque/order.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/crew_orders.hpp>
#include <licit/scheduler/idle/idle_set.hpp>
#include <licit/scheduler/idle/parker.hpp>
#include <licit/scheduler/inject/inject_queue.hpp>
#include <licit/scheduler/inject/kept.hpp>
#include <licit/scheduler/lifo_slot.hpp>
#include <licit/scheduler/local_queue.hpp>
#include <licit/scheduler/worker_rules.hpp>

namespace licit::inline v0::detail {

struct crew_options {
  std::size_t workers = 1;
  bool asleep = false;                          ///< workers begin in the idle set, without a first look for work
  std::size_t local_capacity = 256;             ///< of each worker's own queue, in items; a power of two
  std::pmr::memory_resource* memory = nullptr;  ///< for the queues; null: the policy's
};

template <class T, class Policy = native, template <class, class> class Local = in_order,
          template <class, class> class Inject = inject_queue>
class crew {
  template <fixed_string Name>
  static constexpr auto at = site_of<crew_orders, Name>;

 public:
  using item = T;
  using policy = Policy;
  using local_queue = Local<T, Policy>;
  using inject_type = Inject<T, Policy>;

  /// One worker's part; others steal from it and wake it.
  struct member {
    explicit member(const crew_options& options) : queue{options.local_capacity, options.memory} {}
    local_queue queue;
    lifo_slot<T, Policy> slot;
    detail::inject_kept<T, Policy> inbox;  ///< items that only this worker may run
    parker<Policy> sleep;
  };

  /// Throws std::invalid_argument (an option out of range) or what the memory resource throws.
  explicit crew(const crew_options& options)
      : idle_{options.workers}, injected_{{.memory = options.memory}}, asleep_{options.asleep} {
    for (std::size_t i = 0; i != options.workers; ++i) members_.push_back(std::make_unique<member>(options));
    for (std::size_t i = 0; asleep_ && i != options.workers; ++i) (void)idle_.park(i, false);
  }

  /// Any thread. Queues an item from outside, or a woken one, and announces it. Lock-free; throws nothing.
  void inject(T one) noexcept {
    injected_.push_certain(one);
    announce();
  }

  /// Any thread. The same for several items, with one announcement.
  void inject_all(std::span<const T> items) noexcept {
    typename inject_type::sink to(injected_);
    if (reserves(to, items.size())) {
      to.take(items);
    } else {
      for (const T one : items) injected_.push_certain(one);
    }
    if (rules.tells_of_many) announce();
  }

  /// Any thread. Puts an item where only worker `to` takes it, and wakes that worker. The token of its parker is
  /// enough: a worker takes the token before it sleeps, then sees the item, and looks. Lock-free; throws nothing.
  void post(std::size_t to, T one) noexcept {
    members_[to]->inbox.push(one);
    if (rules.wakes_for_posts) members_[to]->sleep.unpark();
  }

  /// Any thread, after it put work where workers look (a queue, not a slot). Wakes a worker if too few search.
  /// Lock-free; a fence and a load unless somebody is to be woken, whom a worker's metrics are told of.
  template <class... Metrics>
  void announce(Metrics&... of) {
    Policy::fence(at<"announce.fence">);  // with look.fence
    const std::optional<std::size_t> worker = idle_.claim();
    if (!worker) return;
    (of.woke(*worker), ...);
    members_[*worker]->sleep.unpark();
  }

  /// Whether there is work that a worker could take. Its loads come after this thread's last change of the idle set, by
  /// a full fence.
  bool sees_work() {
    Policy::fence(at<"look.fence">);  // with announce.fence
    return !injected_.empty() ||
           std::ranges::any_of(members_, [](const auto& m) { return !m->queue.empty() || !m->slot.empty(); });
  }

  /// Any thread. Tells every worker to end its loop, and wakes the sleeping ones.
  void stop() {
    stop_.store(1, at<"stop.set">);
    for (const auto& m : members_) m->sleep.unpark();
  }
  [[nodiscard]] bool stopped() const { return stop_.load(at<"stop.seen">) != 0; }

  /// One thread, after all workers have ended. Calls `each(item)` for every item that is left, wherever items can be.
  template <class Each>
  void drain(Each each) {
    for (const auto& m : members_) {
      if (const T one = m->slot.steal(); one != T{}) each(one);
      for (T one; (one = m->queue.pop_or(T{})) != T{};) each(one);
    }
    T one{};
    while (injected_.pop(std::span<T>(&one, 1)) != 0) each(one);
  }

  [[nodiscard]] bool begins_asleep() const { return asleep_; }
  [[nodiscard]] std::size_t workers() const { return members_.size(); }
  [[nodiscard]] member& at_worker(std::size_t i) { return *members_[i]; }
  [[nodiscard]] const member& at_worker(std::size_t i) const { return *members_[i]; }
  [[nodiscard]] idle_set<Policy>& idle() { return idle_; }
  [[nodiscard]] const idle_set<Policy>& idle() const { return idle_; }
  [[nodiscard]] inject_type& injected() { return injected_; }
  [[nodiscard]] const inject_type& injected() const { return injected_; }

 private:
  static constexpr auto rules = rules_of<worker_rules, Policy>();

  static bool reserves(typename inject_type::sink& to, std::size_t items) noexcept {
    try {
      to.reserve(items);
      return true;
    } catch (...) {
      return false;
    }
  }

  idle_set<Policy> idle_;
  inject_type injected_;
  const bool asleep_;
  typename Policy::template atomic<std::uint32_t> stop_;  ///< 0 or 1; as in census.hpp, no bool
  std::vector<std::unique_ptr<member>> members_;
};

}  // namespace licit::inline v0::detail

#endif
