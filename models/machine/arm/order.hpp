/// The relation ob of an execution as it grows, transitively closed.
#ifndef LICIT_MODELS_ARM_ORDER_HPP
#define LICIT_MODELS_ARM_ORDER_HPP

#include <cstddef>
#include <optional>

#include "machine/arm/relation.hpp"

namespace licit::arm {

/// Events of a thread's past, each with all that is before it in ob.
enum class past : unsigned char {
  before_any,     ///< before whatever access comes
  before_reads,   ///< before any read that comes
  before_writes,  ///< before any write that comes
  all,
  reads,     ///< that dmb ishld orders
  writes,    ///< that dmb ishst orders
  releases,  ///< before any acquiring read (A) that comes
  waiting,   ///< before any read behind an isb that comes: control dependencies, address dependencies of the past
  count,
};

/// Which events are before which. A new event is first prepared: what is before it is gathered in `pending`; then
/// tried against successors; then added. All sets are kept closed under ob.
class order {
 public:
  void begin(unsigned threads);

  // The event that is being prepared.
  void prepare() { closed_.clear(pending); }
  void after(unsigned thread, past p) { closed_.merge(pending, closed_[row(thread, p)]); }
  void after(std::size_t event) {
    closed_.merge(pending, closed_[event_row(event)]);
    closed_.set(pending, event);
  }
  void after_each(const word* events) {
    closed_.each(events, [&](std::size_t e) { after(e); });
  }
  [[nodiscard]] bool is_after(std::size_t event) const { return closed_.test(pending, event); }
  [[nodiscard]] const word* prepared() const { return closed_[pending]; }

  /// Keeps what is prepared aside, and takes it back.
  void set_aside() { closed_.copy(aside, closed_[pending]); }
  void take_back() { closed_.copy(pending, closed_[aside]); }

  /// Adds it, before `next` if there is one; then `is_after(*next)` must be false. Gives its number, counted from 0.
  std::size_t add(std::optional<std::size_t> next);

  // Of events that have been added.
  [[nodiscard]] bool is_before(std::size_t first, std::size_t second) const {
    return closed_.test(event_row(second), first);
  }
  [[nodiscard]] bool is_in(unsigned thread, past p, std::size_t event) const {
    return closed_.test(row(thread, p), event);
  }
  /// `is_before(second, first)` must be false.
  void put_before(std::size_t first, std::size_t second);

  // A thread's past. What is added to it stays when the execution grows.
  void remember(unsigned thread, past p, std::size_t event) {
    closed_.merge(row(thread, p), closed_[event_row(event)]);
    closed_.set(row(thread, p), event);
  }
  void remember_each(unsigned thread, past p, const word* events) {
    closed_.each(events, [&](std::size_t e) { remember(thread, p, e); });
  }
  void remember(unsigned thread, past to, past from) { closed_.merge(row(thread, to), closed_[row(thread, from)]); }
  void remember_of(unsigned thread, past to, unsigned other, past from) {
    closed_.merge(row(thread, to), closed_[row(other, from)]);
  }
  void remember_prepared(unsigned thread, past p) { closed_.merge(row(thread, p), closed_[pending]); }

  [[nodiscard]] std::size_t size() const { return events_; }

 private:
  static constexpr std::size_t pending = 0;
  static constexpr std::size_t aside = 1;
  static constexpr std::size_t first_thread = 2;
  static constexpr std::size_t pasts = static_cast<std::size_t>(past::count);

  static std::size_t row(unsigned thread, past p) {
    return first_thread + thread * pasts + static_cast<std::size_t>(p);
  }
  [[nodiscard]] std::size_t event_row(std::size_t event) const { return first_event_ + event; }
  /// What is prepared is before the event, and before whatever is after it.
  void spread_before(std::size_t event);

  bit_matrix closed_;  ///< first what is prepared, then the threads' pasts, then the events
  std::size_t first_event_ = first_thread;
  std::size_t events_ = 0;
};

}  // namespace licit::arm

#endif
