/// A violation for other programs: drawn by Graphviz, and as JSON.
#ifndef LICIT_MODELS_TOOL_DRAWINGS_HPP
#define LICIT_MODELS_TOOL_DRAWINGS_HPP

#include <string>
#include <vector>

#include <licit/checker/execution.hpp>

#include <nlohmann/json_fwd.hpp>

#include "report.hpp"

namespace licit::tool {

/// Files, or empty.
struct drawings {
  std::string dot;
  std::string svg;  ///< or another of Graphviz's formats, by the file's extension

  [[nodiscard]] bool wanted() const { return !dot.empty() || !svg.empty(); }
};

/// Draws the first violation that has a picture, and says so; or that there is none. Throws std::runtime_error that
/// names the file, or Graphviz if that is missing.
void draw(const drawings& to, const std::vector<result>& results);

/// The same of a graph in Graphviz's language; empty: there is no violation.
void draw_graph(const drawings& to, const std::string& graph);

nlohmann::ordered_json to_json(const checker::execution& e);

}  // namespace licit::tool

#endif
