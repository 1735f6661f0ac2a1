/// What the parts of a parallel algorithm share: where it ends, and how far it is.
#ifndef LICIT_PARALLEL_SHARED_HPP
#define LICIT_PARALLEL_SHARED_HPP

#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/parallel/shared_orders.hpp>

namespace licit::inline v0 {

struct parallel_rules {
  bool reports_alone = true;  ///< one thread at a time calls the callback
};

/// What both classes below are made of.
struct parallel_sites {
 protected:
  template <fixed_string Name>
  static constexpr auto at = site_of<parallel_orders, Name>;
};

/// The position before which an algorithm's items still matter: that of the lowest exception, or of what it searches.
/// Any thread; it only ever falls.
template <class Policy = native>
class end_of_items : parallel_sites {
 public:
  explicit end_of_items(std::uint64_t last) : end_{last} {}

  /// Wait-free: a load. An estimate, which may be too large; exact after all parts have joined.
  [[nodiscard]] std::uint64_t get() const { return end_.load(at<"end.look">); }

  /// Lock-free. Makes it `to`, unless it is lower already.
  void lower(std::uint64_t to) {
    std::uint64_t seen = end_.load(at<"lower.look">);
    while (to < seen && !end_.compare_exchange(seen, to, at<"lower.claim">)) continue;
  }

 private:
  typename Policy::template atomic<std::uint64_t> end_;
};

/// How many items are done, and a callback that is told.
template <class Policy = native>
class progress_meter : parallel_sites {
 public:
  /// Any thread. Wait-free. So many more items are done.
  void add(std::uint64_t items) { done_.fetch_add(items, at<"add.count">); }

  /// Any thread. Calls `tell(items done)`, unless another thread is calling. Apart from that call wait-free. Throws
  /// what `tell` throws.
  template <class F>
  void report(F&& tell) {
    if (busy_.exchange(1, at<"report.enter">) != 0 && rules.reports_alone) return;  // reads report.leave
    struct leaves {
      progress_meter& meter;
      ~leaves() { meter.busy_.store(0, at<"report.leave">); }  // read by report.enter
    } const after{*this};
    tell(done_.load(at<"report.count">));
  }

 private:
  static constexpr auto rules = rules_of<parallel_rules, Policy>();

  typename Policy::template atomic<std::uint64_t> done_{0};
  typename Policy::template atomic<std::uint32_t> busy_{0};
};

}  // namespace licit::inline v0

#endif
