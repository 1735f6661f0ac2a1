#include "report.hpp"

#include <fmt/format.h>

namespace licit::tool {

namespace {

std::string mode_text(const result& r) {
  return r.got.only ? fmt::format("shard {}/{}", r.got.only->index, r.got.only->count) : std::string(mode(r));
}

}  // namespace

std::string_view mode(const result& r) {
  if (r.got.only) return "shard";
  return r.got.exhaustive ? "exhaustive" : "sampled";
}

std::string heading_text(std::string_view structure) {
  return fmt::format("\n{:<34} {:<22} {:<10} {:<16} {:>11} {:>8}  verdict\n", structure, "program", "mode", "bound",
                     "executions", "seconds");
}

std::string row_text(const result& r) {
  const std::string subject = r.mutant.empty() ? r.checker : r.mutant + (r.checker == "relacy" ? " (relacy)" : "");
  std::string text = fmt::format("{:<34} {:<22} {:<10} {:<16} {:>11} {:>8.2f}  {}{}\n", subject, r.program,
                                 mode_text(r), r.got.bound, r.got.executions, r.got.seconds, name(r.got.outcome),
                                 r.as_expected() ? "" : fmt::format("  NOT AS EXPECTED ({})", name(r.expected)));
  if (!r.got.failure.empty()) text += fmt::format("{:>35}{}\n", "", r.got.failure);
  if (!r.note.empty()) text += fmt::format("{:>35}{}\n", "", r.note);
  return text;
}

std::string history_text(const result& r) {
  if (r.got.outcome != models::outcome_of_check::violation) return {};
  const std::string& wrong = r.got.ended.empty() ? r.got.failure : r.got.ended;
  std::string text = fmt::format(
      "\n  The execution of {} ({}) under {}. A column is a thread; each event follows what it reads from.\n",
      r.program, r.structure, r.checker);
  if (!r.got.client.empty()) text += fmt::format("  shrunk to {}\n", r.got.client);
  return text + fmt::format("\n{}\n  {}\n\n", r.got.history, wrong);
}

}  // namespace licit::tool
