#include "report.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace licit::tool {

namespace {

std::string mode_text(const result& r) {
  const std::string mode(mode_name(r.got));
  return r.got.share.count > 1 ? fmt::format("{} {}/{}", mode, r.got.share.index, r.got.share.count) : mode;
}

}  // namespace

std::string heading_text(std::string_view structure) {
  return fmt::format("\n{:<34} {:<22} {:<10} {:<16} {:>11} {:>8}  verdict\n", structure, "program", "mode", "bound",
                     "executions", "seconds");
}

std::string row_text(const result& r) {
  const std::string subject = r.mutant.empty() ? r.checker : r.mutant + (r.checker == "relacy" ? " (relacy)" : "");
  std::string text = fmt::format("{:<34} {:<22} {:<10} {:<16} {:>11} {:>8.2f}  {}{}\n", subject, r.program,
                                 mode_text(r), r.got.bound, r.got.executions, r.got.seconds, name(r.got.outcome),
                                 r.as_expected() || r.got.outcome == checker::outcome::limit
                                     ? ""
                                     : fmt::format("  NOT AS EXPECTED ({})", name(r.expected)));
  if (!r.got.message.empty()) text += fmt::format("{:>35}{}\n", "", r.got.message);
  if (!r.note.empty()) text += fmt::format("{:>35}{}\n", "", r.note);
  return text;
}

std::string history_text(const result& r) {
  if (r.got.outcome != checker::outcome::violation) return {};
  const std::string& wrong = r.got.picture.message.empty() ? r.got.message : r.got.picture.message;
  std::string text = fmt::format(
      "\n  The execution of {} ({}) under {}. A column is a thread; each event follows what it reads from.\n",
      r.program, r.structure, r.checker);
  if (!r.got.client.empty()) text += fmt::format("  shrunk to {}\n", r.got.client);
  return text + fmt::format("\n{}\n  {}\n\n", r.got.trace, wrong);
}

unsigned processes(unsigned asked) { return asked == 0 ? std::max(1U, std::thread::hardware_concurrency()) : asked; }

void flush_output() {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) return;
  const std::string why = errno == 0 ? "" : ": " + std::generic_category().message(errno);  // not of an earlier flush
  throw std::runtime_error("cannot write the output" + why);
}

}  // namespace licit::tool
