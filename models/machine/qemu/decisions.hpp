/// What an execution is: the guest's code, and at each place where it could go on in several ways, which it took.
#ifndef LICIT_MODELS_QEMU_DECISIONS_HPP
#define LICIT_MODELS_QEMU_DECISIONS_HPP

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "strategy.hpp"

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

}  // namespace licit::qemu

#endif
