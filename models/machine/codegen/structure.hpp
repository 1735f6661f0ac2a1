/// The structures whose code is looked at.
#ifndef LICIT_MODELS_CODEGEN_STRUCTURE_HPP
#define LICIT_MODELS_CODEGEN_STRUCTURE_HPP

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

}  // namespace licit::codegen

#endif
