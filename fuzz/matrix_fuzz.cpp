// libFuzzer: bytes choose an execution of one row of the kill matrix. The first byte is the program. Beside the code
// that it covers, an execution is interesting for who reads from whom, as in Wolff, Shi, Duck, Mathur, Roychoudhury:
// Greybox Fuzzing for Concurrency Testing, ASPLOS 2024.
//   matrix_fuzz --row=<structure>/<name> [--program=<name>] -runs=N -seed=N
// Says in its last line what came of it, for `licit matrix`.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph.hpp"
#include "machine/matrix/rows.hpp"

namespace {

namespace matrix = licit::matrix;
using licit::suites::program;

std::unique_ptr<matrix::applied> change;
std::vector<const program*> programs;
std::uint64_t executions = 0;

// libFuzzer clears them before each input, and looks which are not zero after it.
__attribute__((section("__libfuzzer_extra_counters"))) std::array<std::uint8_t, 1U << 14U> pairs;

std::uint64_t spread(std::uint64_t hash, std::uint64_t with) { return (hash ^ with) * 0x100000001b3U; }  // FNV-1a

/// The same in each process: of a site its name, not where that lies.
std::uint64_t mark(std::uint64_t hash, const licit::checker::detail::event& e) {
  hash = spread(hash, static_cast<std::uint64_t>(e.op.what));
  hash = spread(hash, e.thread());
  for (const char* c = e.op.site; c != nullptr && *c != '\0'; ++c) hash = spread(hash, static_cast<std::uint8_t>(*c));
  return hash;
}

/// Each read, and the write that it reads.
void note_reads(const licit::checker::detail::graph& g) {
  for (licit::checker::detail::event_id id = 0; id != g.size(); ++id) {
    if (!g[id].reads()) continue;
    std::uint64_t hash = mark(0xcbf29ce484222325U, g[id]);
    if (g[id].source != licit::checker::detail::initial) hash = mark(hash, g[g[id].source]);
    pairs[(hash ^ (hash >> 32U)) % pairs.size()] = 1;
  }
}

void say_clean() { std::printf("licit-matrix: clean %llu\n", static_cast<unsigned long long>(executions)); }

[[noreturn]] void say_caught(const program& p, const licit::checker::verdict& v) {
  std::string message = v.message;
  std::ranges::replace(message, '\n', ' ');
  std::printf("licit-matrix: caught %llu %s %s: %s\n", static_cast<unsigned long long>(executions),
              std::string(p.about.name).c_str(), std::string(name(v.kind)).c_str(), message.c_str());
  std::fflush(stdout);
  std::_Exit(1);
}

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "matrix_fuzz: %s\n", why.c_str());
  std::_Exit(2);
}

std::string_view argument(int argc, char** argv, std::string_view name) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with(name)) return word.substr(name.size());
  }
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const std::string wanted(argument(*argc, *argv, "--row="));
  const std::string_view only = argument(*argc, *argv, "--program=");
  const auto& rows = matrix::all_rows();
  const auto found = std::ranges::find(rows, wanted, &matrix::row::id);
  if (found == rows.end()) refuse("there is no row '" + wanted + "'");
  programs = matrix::programs_of(*found);
  std::erase_if(programs, [&](const program* p) { return !only.empty() && p->about.name != only; });
  if (programs.empty()) refuse("the row has no program '" + std::string(only) + "'");
  change = std::make_unique<matrix::applied>(*found);
  std::atexit(say_clean);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const program& p = *programs[data[0] % programs.size()];
  ++executions;
  const licit::checker::verdict v = p.explore({.observe = note_reads,
                                               .observe_blocked = note_reads,
                                               .how = licit::checker::mode::bytes,
                                               .sample = {.bytes = {data + 1, size - 1}}});
  if (v.outcome == licit::checker::outcome::violation) say_caught(p, v);
  return 0;
}
