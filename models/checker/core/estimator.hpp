/// How large a search will be, before it is made: a sample of its tree.
#ifndef LICIT_CHECKER_CORE_ESTIMATOR_HPP
#define LICIT_CHECKER_CORE_ESTIMATOR_HPP

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "core/search.hpp"

namespace licit::checker::detail {

/// Chen, "Heuristic Sampling: A Method for Predicting the Performance of Tree Searching Programs", SIAM Journal on
/// Computing 21 (1992). A probe goes down the tree level by level. The alternatives of a level that are alike share one
/// representative, which is explored, and which counts for as many as it stands for; each is as likely to be it. The
/// sum of what all representatives count for is an unbiased estimate of the size of the tree. With all alternatives
/// alike this would be Knuth's estimator ("Estimating the Efficiency of Backtrack Programs", 1975), whose distribution
/// has too heavy a tail for trees like these.
class estimator final : public search {
 public:
  estimator(release_sequences rule, symmetry equal, const sampling& how);

  void begin() override;
  /// Goes on in the same probe, or to the next. False when `sampling` asks for no more.
  bool next() override;
  void ended(bool complete) override { complete_ = complete; }

  /// What the probes have met so far.
  [[nodiscard]] estimate result() const override;

 private:
  using time = std::chrono::steady_clock;

  /// What makes alternatives alike: they are as deep in the tree, continue a graph of the same size, and in the same
  /// way.
  struct kind {
    unsigned level;
    event_id size;
    std::uint8_t way;
    auto operator<=>(const kind&) const = default;
  };
  struct representative {
    double weight = 0;  ///< of how many it stands for
    graph events = {};  ///< that it continues
    alternative next = {};
  };

  void begin_probe();
  void collect();
  bool explore_one();
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(time::now() - start_).count(); }

  const sampling how_;
  std::mt19937_64 random_;
  time::time_point start_;
  std::map<kind, representative> waiting_;
  double weight_ = 1;  ///< of the current execution
  bool complete_ = false;
  std::uint64_t runs_ = 0;          ///< of the program
  double found_ = 0;                ///< by this probe: executions
  double all_ = 0;                  ///< and with those in which a thread waits: so often the search runs the program
  std::vector<double> executions_;  ///< a probe
  std::vector<double> searched_;
};

}  // namespace licit::checker::detail

#endif
