/// What the crew's programs put in place of what the crew has: a list for the inject queue, and rules.
#ifndef LICIT_SUITES_CREW_REPLACED_HPP
#define LICIT_SUITES_CREW_REPLACED_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include <licit/deque/order.hpp>
#include <licit/scheduler/inject/inject_queue_rules.hpp>
#include <licit/scheduler/inject/kept.hpp>
#include <licit/scheduler/local_queue.hpp>
#include <licit/scheduler/worker_rules.hpp>

#include "suites/altered.hpp"

namespace licit::suites {

using licit::detail::in_order_rules;
using licit::detail::worker_rules;
using licit::detail::youngest_first_rules;

/// What only many workers or timers come under stays as it is.
struct chosen_worker_rules {
  chosen_rule<&worker_rules::looks_again> looks_again;
  chosen_rule<&worker_rules::passes_on> passes_on;
  chosen_rule<&worker_rules::tells_of_many> tells_of_many;
  chosen_rule<&worker_rules::tells_of_batches> tells_of_batches;
  chosen_rule<&worker_rules::tells_of_slot> tells_of_slot;
  chosen_rule<&worker_rules::tells_of_kept> tells_of_kept;
  chosen_rule<&worker_rules::tells_of_swept> tells_of_swept;
  chosen_rule<&worker_rules::tells_of_yields> tells_of_yields;
  chosen_rule<&worker_rules::wakes_for_posts> wakes_for_posts;
  chosen_rule<&worker_rules::looks_in_inbox> looks_in_inbox;
  chosen_rule<&worker_rules::hands_over> hands_over;
  chosen_rule<&worker_rules::tells_watchdog> tells_watchdog;
  bool passes_over_sleepers = true;
  bool takes_fired = true;
};
struct chosen_in_order_rules {
  std::size_t most_young = in_order_rules{}.most_young;
  chosen_rule<&in_order_rules::counts_young> counts_young;
  chosen_rule<&in_order_rules::gives_young> gives_young;
};
struct chosen_youngest_first_rules {
  chosen_rule<&youngest_first_rules::counts_yielded> counts_yielded;
  chosen_rule<&youngest_first_rules::gives_yielded> gives_yielded;
};
struct choose_crew_rules {
  constexpr auto operator()(worker_rules /*usual*/) const { return chosen_worker_rules{}; }
  constexpr auto operator()(in_order_rules /*usual*/) const { return chosen_in_order_rules{}; }
  constexpr auto operator()(youngest_first_rules /*usual*/) const { return chosen_youngest_first_rules{}; }
};

/// The specification of the inject queue: a list under a lock, and its length. Most of the crew's programs use it in
/// place of the lock-free queue, which has programs of its own (suites/inject_queue.hpp).
template <class T, class Policy>
class locked_list {
 public:
  using value_type = T;
  explicit locked_list(const inject_queue_options& /*options*/) {}

  void push_certain(T one) noexcept {
    change([&] { items_[end_++ % items_.size()] = one; });
  }
  std::size_t pop(std::span<T> into, std::size_t sharers = 1) {
    std::size_t got = 0;
    if (empty()) return got;
    change([&] {
      const std::size_t most = std::min({into.size(), end_ - begin_, (end_ - begin_) / sharers + 1});
      while (got != most) into[got++] = items_[begin_++ % items_.size()];
    });
    return got;
  }
  [[nodiscard]] std::size_t size() const { return length_.load(order::relaxed, "inject.size"); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  static constexpr bool keeps() { return false; }

  class sink {
   public:
    explicit sink(locked_list& to) : to_{to} {}
    static void reserve(std::size_t /*items*/) {}
    void take(std::span<const T> items) noexcept {
      for (const T one : items) to_.push_certain(one);
    }

   private:
    locked_list& to_;
  };

 private:
  template <class Change>
  void change(Change&& change_it) {
    lock_.lock("inject.lock");
    change_it();
    length_.store(end_ - begin_, order::relaxed, "inject.length");
    lock_.unlock("inject.unlock");
  }

  typename Policy::mutex lock_;
  typename Policy::template atomic<std::size_t> length_;
  std::array<T, 8> items_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// The list in which the inject queue keeps items without memory, alone.
template <class T, class Policy>
class kept_list {
 public:
  using value_type = T;
  explicit kept_list(const inject_queue_options& /*options*/) {}

  void push_certain(T one) noexcept { list_.push(one); }
  std::size_t pop(std::span<T> into, std::size_t /*sharers*/ = 1) { return list_.any() ? list_.take(into) : 0; }
  [[nodiscard]] bool empty() const { return list_.none(); }
  [[nodiscard]] bool keeps() const { return list_.some(); }

  class sink {
   public:
    explicit sink(kept_list& to) : to_{to} {}
    static void reserve(std::size_t /*items*/) {}
    void take(std::span<const T> items) noexcept {
      for (const T one : items) to_.push_certain(one);
    }

   private:
    kept_list& to_;
  };

 private:
  licit::detail::inject_kept<T, Policy> list_;
};

}  // namespace licit::suites

#endif
