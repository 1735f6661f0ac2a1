#include "report.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <unistd.h>

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

std::string progress_text(double done, double total, double seconds, std::string_view what) {
  constexpr double width = 24;
  constexpr double least = 0.02;  // of the work: of less, the rest cannot be told
  constexpr double a_minute = 60;
  const double share = total > 0 ? std::clamp(done / total, 0.0, 1.0) : 1.0;
  const auto marks = static_cast<int>(share * width);
  std::string left;
  if (share >= least) {
    const double rest = seconds * (1 - share) / share;
    left =
        rest < 2 * a_minute ? fmt::format("  {:.0f} s left", rest) : fmt::format("  {:.0f} min left", rest / a_minute);
  }
  return fmt::format("[{:.<24}] {:>3.0f} %{}  {}", std::string(static_cast<std::size_t>(marks), '#'), share * 100, left,
                     what);
}

progress::progress(double total, bool wanted) : total_{total}, wanted_{wanted && ::isatty(STDERR_FILENO) == 1} {}

progress::~progress() { clear(); }

void progress::show(std::string_view what) const {
  if (!wanted_) return;
  const double seconds = std::chrono::duration<double>(clock::now() - start_).count();
  fmt::print(stderr, "\r\x1b[K{}", progress_text(done_, total_, seconds, what));
}

void progress::clear() const {
  if (wanted_) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace licit::tool
