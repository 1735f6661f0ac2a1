/// Vector clocks: how much of every thread an event has behind it.
#ifndef LICIT_CHECKER_CORE_CLOCK_HPP
#define LICIT_CHECKER_CORE_CLOCK_HPP

#include <cstdint>

#include <licit/checker/threads.hpp>

namespace licit::checker::detail {

/// It has as many lanes as a program may have threads.
///
/// For each thread, how many of its first events. A set of events that is closed under program order is one of these,
/// so happens-before and porf prefixes are one vector register each.
class clock {
 public:
  /// Whether the event at `index` of `thread` is in the set.
  [[nodiscard]] bool covers(unsigned thread, unsigned index) const { return lanes_[thread] > index; }
  [[nodiscard]] unsigned count(unsigned thread) const { return lanes_[thread]; }

  void set(unsigned thread, unsigned count) { lanes_[thread] = static_cast<std::uint16_t>(count); }
  void join(const clock& other) { lanes_ = lanes_ > other.lanes_ ? lanes_ : other.lanes_; }

  /// Whether every event of this set is in `other`.
  [[nodiscard]] bool within(const clock& other) const {
    const lanes beyond = lanes_ > other.lanes_ ? lanes_ : lanes{};
    using halves = std::uint64_t __attribute__((vector_size(sizeof(lanes))));
    const auto words = reinterpret_cast<halves>(beyond);
    return (words[0] | words[1]) == 0;
  }

 private:
  using lanes = std::uint16_t __attribute__((vector_size(max_threads * sizeof(std::uint16_t))));
  lanes lanes_{};
};

}  // namespace licit::checker::detail

#endif
