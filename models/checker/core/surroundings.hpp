/// What a program brings along that starts its threads itself.
#ifndef LICIT_CHECKER_CORE_SURROUNDINGS_HPP
#define LICIT_CHECKER_CORE_SURROUNDINGS_HPP

#include <cstddef>
#include <span>

#include "core/image.hpp"

namespace licit::checker::detail {

/// The engine's requests to whoever runs such a program. Its code is not constructed anew for each execution: memory is
/// put back instead. The program's atomics are permanent locations (`memory::permanent`). If it is `self_contained`,
/// it also goes back to what it was in the middle of an execution.
class surroundings {
 public:
  surroundings() = default;
  surroundings(const surroundings&) = delete;
  surroundings& operator=(const surroundings&) = delete;
  virtual ~surroundings() = default;

  /// An execution begins: the program's memory is to be as it was before the first.
  virtual void reset() = 0;
  /// A thread goes on, and stops.
  virtual void enter(unsigned thread) = 0;
  virtual void leave(unsigned thread) = 0;
  /// An execution is complete. `counts`: it is among those that are counted. May fail (`executor::fail`).
  virtual void ended(bool counts) = 0;
  /// A violation is about to be put into words: the last chance to name sites and locations.
  virtual void describe() = 0;

  /// Whether an image can have all that the program has now.
  [[nodiscard]] virtual bool can_be_kept() const { return false; }
  /// Keeps what is neither on the stacks nor in the program's blocks; and puts it back, when those have been.
  virtual void keep(image& /*in*/) const {}
  virtual void go_back(image::reader& /*to*/) {}

  /// What a loop may change besides its stack and the program's blocks.
  [[nodiscard]] virtual std::span<const std::byte> globals() const = 0;
  [[nodiscard]] virtual std::span<const std::byte> thread_locals_of(unsigned thread) const = 0;
};

}  // namespace licit::checker::detail

#endif
