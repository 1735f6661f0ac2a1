/// What an execution is: the guest's code, and at each place where it could go on in several ways, which it took.
#ifndef LICIT_MODELS_QEMU_DECISIONS_HPP
#define LICIT_MODELS_QEMU_DECISIONS_HPP

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "machine/qemu/strategy.hpp"

namespace licit::qemu {

/// Takes them from a strategy, or from a script, and keeps them. The first alternative, 0, is always the plain one: the
/// thread that runs goes on, a load reads the latest value.
class decisions {
 public:
  using list = std::vector<std::uint16_t>;

  void begin(const strategy& random);
  /// Beyond the script's end, the first alternative. So a shorter script, or one with more zeros, is a plainer
  /// execution.
  void begin(list script);

  std::size_t thread(std::span<const unsigned> candidates, bool stays);
  std::size_t value(std::size_t n);
  /// The thread that runs lets others run before it goes on.
  void give_way(unsigned thread);

  [[nodiscard]] const list& taken() const { return taken_; }

 private:
  std::size_t next_of_script(std::size_t n);
  std::size_t take(std::size_t which);

  std::optional<strategy> random_;
  list script_;
  list taken_;
};

/// Delta debugging (Zeller, Hildebrandt, TSE 2002) over the decisions that are not the plain one: proposes scripts,
/// each to be run by somebody else, who says whether that still fails. Ends when no single decision can be made plain.
class shrink {
 public:
  explicit shrink(decisions::list failing);

  /// The next script to try; none when it is as small as it gets.
  std::optional<decisions::list> propose();

  /// Of the script proposed last: whether it failed, and if so what was then taken.
  void judge(bool failed, const decisions::list& taken);

  [[nodiscard]] const decisions::list& smallest() const { return smallest_; }

  /// Decisions that are not the plain one.
  static std::size_t size(const decisions::list& taken);

 private:
  decisions::list smallest_;
  std::size_t chunk_;      // decisions that are made plain at once
  std::size_t from_ = 0;   // the first of them, among those that are not plain
  bool progress_ = false;  // since the first chunk of this size
};

}  // namespace licit::qemu

#endif
