#include "report.hpp"

#include <fmt/core.h>

namespace licit::tool {

namespace {

std::string mode(const result& r) {
  if (r.got.only) return fmt::format("shard {}/{}", r.got.only->index, r.got.only->count);
  return r.got.exhaustive ? "exhaustive" : "sampled";
}

}  // namespace

void print_heading(std::string_view structure) {
  fmt::print("\n{:<34} {:<22} {:<10} {:<16} {:>11} {:>8}  verdict\n", structure, "program", "mode", "bound",
             "executions", "seconds");
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
  const std::string& wrong = r.got.ended.empty() ? r.got.failure : r.got.ended;
  fmt::print("\n  history of {} ({}) under {}, one column a thread, each event after what it reads from:\n", r.program,
             r.structure, r.checker);
  if (!r.got.client.empty()) fmt::print("  shrunk to {}\n", r.got.client);
  fmt::print("\n{}\n  {}\n\n", r.got.history, wrong);
}

}  // namespace licit::tool
