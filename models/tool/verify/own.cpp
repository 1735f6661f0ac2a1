#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/core.h>
#include <stdexcept>
#include <string_view>

#include <licit/checker/process_pool.hpp>

#include "verify/inspection.hpp"

namespace licit::tool {

namespace {

constexpr std::string_view misused =
    "does the line use each word as the lines of --list do? One that does not may violate anything";

bool has_calls(const suites::line& l) {
  return std::ranges::any_of(l.thread, [](const suites::calls& c) { return c.size() != 0; });
}

/// No thread has begun.
bool in_setup(const checker::verdict& v) {
  return v.kind == checker::violation::exception && v.steps.ended_in == checker::main_thread &&
         std::ranges::none_of(v.steps.steps,
                              [](const checker::step& s) { return s.at.thread != checker::main_thread; });
}

}  // namespace

void expect_structure(const verify_options& o) {
  if (o.client.empty() || o.structures.size() == 1) return;
  throw std::runtime_error("--client needs one --structure, whose words the line has");
}

suites::program own_program(const suites::structure& s, const std::string& text) {
  const suites::line parsed = suites::parse(text, s.words);
  if (!has_calls(parsed)) throw suites::line_error(text, text.size() + 1, "a call was expected: no thread has one");
  return s.own(text);
}

void judge_own(result& r) {
  if (r.got.outcome != checker::outcome::violation) return;
  if (in_setup(r.got)) {
    const std::string& message = r.got.message;
    throw std::runtime_error(fmt::format("client \"{}\" cannot be set up: {}", r.line, message));
  }
  if (r.broken_by.empty()) r.note = misused;
}

int run_apart(const std::string& line, const std::function<int()>& command) {
  std::fflush(stdout);
  // A status, or a message.
  checker::process_pool one(1);
  one.start([&]() -> std::string {
    std::string said;
    try {
      said = static_cast<char>('0' + command());
    } catch (const std::exception& e) {
      said = e.what();
    }
    std::fflush(stdout);
    return said;
  });
  const auto ended = one.wait();
  if (!ended->failure.empty()) {
    throw std::runtime_error(fmt::format(
        "client \"{}\": its process {}. Perhaps the line has too many items or threads, or a number out of range, for "
        "this structure: --list has lines that it can run",
        line, ended->failure));
  }
  if (ended->output.size() != 1) throw std::runtime_error(ended->output);
  return ended->output[0] - '0';
}

}  // namespace licit::tool
