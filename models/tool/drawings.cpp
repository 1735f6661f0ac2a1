#include "drawings.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <licit/checker/drawing.hpp>

#include <nlohmann/json.hpp>

namespace licit::tool {

namespace {

using checker::execution;
using nlohmann::ordered_json;

void write(const std::string& file, const std::string& contents) {
  std::ofstream out(file, std::ios::binary);
  out << contents;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file + ": " + std::generic_category().message(errno));
}

/// Graphviz's name for it: the file's extension; SVG for those without. An extension has no space.
std::string format_of(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return extension.size() < 2 || extension.find(' ') != std::string::npos ? "svg" : extension.substr(1);
}

ordered_json to_json(const execution& e, std::size_t i) {
  const execution::step& s = e.steps[i];
  ordered_json step{{"event", checker::reference(e, i)}, {"thread", s.thread}, {"action", s.action}};
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) step[key] = text;
  };
  add("site", s.site);
  add("location", s.location);
  add("order", s.strength);
  add("read", s.read);
  add("written", s.written);
  add("remark", s.remark);
  if (s.source != execution::nothing) step["from"] = checker::reference(e, s.source);
  if (s.offends) step["offends"] = true;
  return step;
}

}  // namespace

void draw(const drawings& to, const std::vector<result>& results) {
  if (!to.wanted()) return;
  const auto found = std::ranges::find_if(results, [](const result& r) { return !r.got.picture.steps.empty(); });
  if (found == results.end()) {
    fmt::print("nothing is drawn: no violation under the exhaustive checker\n");
    return;
  }
  const execution& e = found->got.picture;
  if (!to.dot.empty()) write(to.dot, checker::dot(e));
  if (!to.svg.empty()) write(to.svg, checker::drawn(e, format_of(to.svg)));
  fmt::print("drawn: {}{}\n", found->program, found->mutant.empty() ? "" : " with " + found->mutant);
}

void draw_graph(const drawings& to, const std::string& graph) {
  if (graph.empty()) {
    fmt::print("nothing is drawn: no violation\n");
    return;
  }
  if (!to.dot.empty()) write(to.dot, graph);
  if (!to.svg.empty()) write(to.svg, checker::run_dot(graph, format_of(to.svg)));
}

ordered_json to_json(const execution& e) {
  ordered_json steps = ordered_json::array();
  for (std::size_t i = 0; i != e.steps.size(); ++i) steps.push_back(to_json(e, i));
  ordered_json edges = ordered_json::array();
  for (const execution::edge& a : e.edges) {
    ordered_json edge{{"relation", name(a.what)},
                      {"from", checker::reference(e, a.from)},
                      {"to", checker::reference(e, a.to)},
                      {"hb", a.ordered}};
    if (a.offends) edge["offends"] = true;
    edges.push_back(std::move(edge));
  }
  return {{"kind", e.kind},
          {"message", e.message},
          {"threads", e.threads},
          {"events", std::move(steps)},
          {"edges", std::move(edges)},
          {"independent", e.later},
          {"inner", e.inner}};
}

}  // namespace licit::tool
