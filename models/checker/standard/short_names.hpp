/// Names of files and functions as reports have them.
#ifndef LICIT_CHECKER_STANDARD_SHORT_NAMES_HPP
#define LICIT_CHECKER_STANDARD_SHORT_NAMES_HPP

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace licit::checker::detail {

inline std::string file_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

/// Without namespaces that have no name, arguments of templates and parameters: they fill lines, and the line of the
/// file says it all.
inline std::string short_function(std::string function) {
  function.resize(std::min(function.size(), function.find(" [")));  // what a template's parameters are
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  constexpr std::string_view also_unnamed = "{anonymous}::";
  for (const std::string_view name : {unnamed, also_unnamed}) {
    for (std::size_t at = 0; (at = function.find(name)) != std::string::npos;) function.erase(at, name.size());
  }
  constexpr std::array<std::string_view, 3> lambdas{"<lambda", "(lambda", "(anonymous class)"};
  const bool lambda = std::ranges::any_of(lambdas, [&](auto l) { return function.find(l) != std::string::npos; });
  std::string all;
  int depth = 0;
  for (const char c : function) {
    if (c == '<' || c == '(') ++depth;
    if (depth == 0) all += c;
    if (c == '>' || c == ')') --depth;
  }
  if (lambda || all.ends_with("operator")) return "a lambda";
  const auto type = all.rfind(' ');
  const bool converts = all.find("operator") != std::string::npos;
  if (all.empty()) return function;
  return type == std::string::npos || converts ? all : all.substr(type + 1);
}

}  // namespace licit::checker::detail

#endif
