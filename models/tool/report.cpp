#include "report.hpp"

#include <cerrno>
#include <fmt/core.h>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <nlohmann/json.hpp>

namespace licit::tool {

namespace {

std::string_view mode(const result& r) { return r.got.exhaustive ? "exhaustive" : "sampled"; }

}  // namespace

void print_heading(std::string_view title) {
  fmt::print("\n{:<34} {:<22} {:<10} {:<16} {:>11} {:>8}  verdict\n", title, "program", "mode", "bound", "executions",
             "seconds");
}

void print_row(const result& r) {
  const std::string subject = r.mutant.empty() ? r.checker : r.mutant + (r.checker == "relacy" ? " (relacy)" : "");
  fmt::print("{:<34} {:<22} {:<10} {:<16} {:>11} {:>8.2f}  {}{}\n", subject, r.program, mode(r), r.got.bound,
             r.got.executions, r.got.seconds, name(r.got.outcome),
             r.as_expected() ? "" : fmt::format("  NOT AS EXPECTED ({})", name(r.expected)));
  if (!r.got.failure.empty()) fmt::print("{:>35}{}\n", "", r.got.failure);
  if (!r.note.empty()) fmt::print("{:>35}{}\n", "", r.note);
}

void print_history(const result& r) {
  fmt::print("\n  history of {} under {}, one column a thread, each event after what it reads from:\n\n{}\n  {}\n\n",
             r.program, r.checker, r.got.history, r.got.failure);
}

void write_json(const std::string& file, const std::vector<result>& results) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const result& r : results) {
    nlohmann::ordered_json row{
        {"program", r.program},     {"checker", r.checker},           {"mode", mode(r)},
        {"bound", r.got.bound},     {"executions", r.got.executions}, {"blocked", r.got.blocked},
        {"seconds", r.got.seconds}, {"verdict", name(r.got.outcome)}, {"expected", name(r.expected)}};
    if (!r.mutant.empty()) row["mutant"] = r.mutant;
    if (!r.got.failure.empty()) row["failure"] = r.got.failure;
    if (!r.note.empty()) row["note"] = r.note;
    rows.push_back(std::move(row));
  }
  std::ofstream out(file);
  out << rows.dump(2) << '\n';
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file + ": " + std::generic_category().message(errno));
}

}  // namespace licit::tool
