/// The structures whose code is looked at.
#ifndef LICIT_MODELS_CODEGEN_STRUCTURE_HPP
#define LICIT_MODELS_CODEGEN_STRUCTURE_HPP

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <licit/deque/order.hpp>

namespace licit::codegen {

struct structure {
  std::string_view name;  ///< its table's
  std::string_view header;
  std::string_view type;     ///< a template over the item and the policy
  std::string_view adaptor;  ///< of the policy; may be empty
  std::span<const row> rows;

  /// What operations.cpp is compiled with.
  [[nodiscard]] std::vector<std::string> definitions() const;
};

std::span<const structure> structures();

/// Throws std::invalid_argument that names those that there are.
const structure& find_structure(std::string_view name);

struct change {
  std::size_t row;
  std::string how;  ///< as operations.cpp has it: an order, removed, release_fence, acquire_fence, std_fence
};

/// "push.publish=seq_cst": a site and an order; or `removed`; or `release-fence`, before an operation that is then
/// relaxed; or `acquire-fence`, behind it; or `std-fence`, a fence as the compiler makes it. Throws
/// std::invalid_argument that names what is wrong: no such site, or no change that its operation can have.
change parse_change(std::string_view text, const structure& s);

/// The order that the row's operation has, by itself or by the fence beside it.
order order_of(const structure& s, std::size_t row, const std::vector<change>& changes);

/// "store release", "compare_exchange release/relaxed", "fence removed": a row as it is compiled.
std::string described(const structure& s, std::size_t row, const std::vector<change>& changes);

extern const std::string_view operations_source;

}  // namespace licit::codegen

#endif
