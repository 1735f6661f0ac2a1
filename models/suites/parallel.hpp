/// What the parts of a parallel algorithm share: client programs, mutants.
#ifndef LICIT_SUITES_PARALLEL_HPP
#define LICIT_SUITES_PARALLEL_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <licit/parallel/shared.hpp>

#include "suites/altered.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline const site_rules_for<parallel_orders> parallel_site_rules{
    {"end.look", "end"},      {"lower.look", "end"},    {"lower.claim", "end"},   {"add.count", "done"},
    {"report.enter", "busy"}, {"report.count", "done"}, {"report.leave", "busy"},
};

/// One algorithm, whose parts are the threads. The callback's own data, which are not atomic, are checked for races.
///
///     lower(n)  a part has found something at position n, of at most 200
///     look      a part asks where the end is
///     add(n)    a part has done n items
///     report    a part calls the callback, unless another does
template <class Model>
class parallel_client {
 public:
  enum : std::uint8_t { lower_word, look_word, add_word, report_word };
  static constexpr std::array words{"lower", "look", "add", "report"};
  static constexpr std::array<const char*, 0> settings{};

  explicit parallel_client(const line& /*l*/) {
    seen_.fill(none);
    lowest_.fill(none);
    Model::name(told_, "told");
  }

  static const char* refuses(const line& /*l*/, unsigned /*thread*/, const call& c) {
    const bool takes_number = c.word == lower_word || c.word == add_word;
    if (takes_number) return c.numbers == 1 ? nullptr : "this word takes a number";
    return c.numbers == 0 ? nullptr : "this word takes no number";
  }

  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case lower_word: lower(thread, c.at(0, 0)); break;
      case look_word: look(thread); break;
      case add_word:
        added_[thread] += c.at(0, 0);
        meter_.add(c.at(0, 0));
        break;
      default: return report();
    }
    return true;
  }

  void settle() {
    for (unsigned t = 0; t != line::most_threads; ++t) {
      if (Model::stalled(t)) return;
    }
    Model::check(end_.get() == std::ranges::min(lowest_), "the end is not the lowest position");
    std::uint64_t added = 0;
    for (const std::uint64_t each : added_) added += each;
    Model::check(report(), "the callback counts as busy for ever");
    Model::check(told_.read() == added, "the callback is told of another number than was added");
  }
  void leave() {}

 private:
  static constexpr std::uint64_t none = 1'000;

  void lower(unsigned thread, std::uint64_t to) {
    lowest_[thread] = std::min(lowest_[thread], to);
    end_.lower(to);
    look(thread);
    Model::check(seen_[thread] <= to, "the end is after a position to which this thread has lowered it");
  }
  void look(unsigned thread) {
    const std::uint64_t now = end_.get();
    Model::check(now <= seen_[thread], "the end has risen");
    seen_[thread] = now;
  }
  /// Whether this thread called.
  bool report() {
    bool called = false;
    meter_.report([&](std::uint64_t done) {
      Model::check(done >= told_.read(), "the callback is told of fewer items than before");
      told_.write(done);
      called = true;
    });
    return called;
  }

  end_of_items<Model> end_{none};
  progress_meter<Model> meter_;
  typename Model::template plain<std::uint64_t> told_{0};  // the callback's
  std::array<std::uint64_t, line::most_threads> seen_;     // each entry one thread's
  std::array<std::uint64_t, line::most_threads> lowest_;   // each entry one thread's
  std::array<std::uint64_t, line::most_threads> added_{};  // each entry one thread's
};

inline constexpr std::array parallel_lines{
    client_line{"lowest_of_two", "lower(7) look | lower(3) look", "of two positions the lower one is the end"},
    client_line{"lowest_of_three", "lower(7) | lower(3) | lower(5) look",
                "of three positions the lowest one is the end"},
    client_line{"only_falls", "lower(9) lower(4) | look look look", "who looks again sees no later end"},
    client_line{"one_at_a_time", "add(1) report | add(2) report",
                "one thread at a time calls, with a number that grows"},
    client_line{"calls_again", "add(1) report add(1) report | add(2) report",
                "a thread that calls again does so after the other, or sees it call"},
    client_line{"three_report", "add(1) report | add(2) report | add(4) report", "three threads call one at a time"},
};

inline constexpr std::array parallel_mutants{
    mutant{"report.enter relaxed", {"report.enter", change::weaken}},
    mutant{"report.leave relaxed", {"report.leave", change::weaken}},
    mutant{"a caller never leaves", {"report.leave", change::drop}},
};

/// A thread calls although another does.
template <class Model>
using reports_together = with_rules<Model, parallel_rules{.reports_alone = false}>;
template <class Model>
using reports_together_client = parallel_client<reports_together<Model>>;
template <class Model>
using lowers_torn_client = parallel_client<torn<Model, "lower.claim">>;
template <class Model>
using adds_torn_client = parallel_client<torn<Model, "add.count">>;
template <class Model>
using enters_torn_client = parallel_client<torn<Model, "report.enter">>;

inline constexpr std::array reports_together_lines{
    client_line{"reports_together", "add(1) report | add(2) report", "two threads are in the callback at a time"}};
inline constexpr std::array lowers_torn_lines{
    client_line{"lowers_torn", "lower(7) | lower(3)", "a position by a load and a store replaces a lower one"}};
inline constexpr std::array adds_torn_lines{
    client_line{"adds_torn", "add(1) | add(2)", "a count by a load and a store loses another's items"}};
inline constexpr std::array enters_torn_lines{client_line{"enters_torn", "add(1) report | add(2) report",
                                                          "a look and a store let two threads into the callback"}};

struct parallel_suite {
  static constexpr const auto& orders = parallel_orders;
  static constexpr const auto& mutants = parallel_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<parallel_client>(parallel_lines);
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<reports_together_client>(reports_together_lines);
    to.template lines<lowers_torn_client>(lowers_torn_lines);
    to.template lines<adds_torn_client>(adds_torn_lines);
    to.template lines<enters_torn_client>(enters_torn_lines);
  }
};

}  // namespace licit::suites

#endif
