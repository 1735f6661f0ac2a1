/// Makes a failing execution smaller: fewer switches of threads, fewer loads of old values.
#ifndef LICIT_MODELS_QEMU_SHRINK_HPP
#define LICIT_MODELS_QEMU_SHRINK_HPP

#include <optional>

#include "decisions.hpp"

namespace licit::qemu {

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
