#include "machine/matrix/executable.hpp"

#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <sstream>

#include "machine/codegen/process.hpp"
#include "machine/matrix/stress_results.hpp"
#include "machine/qemu/guest.hpp"

namespace licit::matrix {

namespace {

namespace fs = std::filesystem;

/// The programs that it has for the row.
std::size_t programs_of(const executable& e, const row& r) {
  std::vector<std::string> words = e.emulator;
  words.insert(words.end(), {e.file.string(), "--list"});
  std::istringstream lines(codegen::run(words).output);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) count += line.starts_with(r.name + "\t") ? 1U : 0U;
  return count;
}

std::vector<std::string> command(const executable& e, const row& r, const budget& b, std::size_t programs,
                                 const std::string& plugin, const fs::path& json) {
  std::vector<std::string> words = e.emulator;
  if (!plugin.empty()) words.insert(words.end(), {"-plugin", plugin});
  words.insert(words.end(),
               {e.file.string(), "--row", r.name, "--executions", std::to_string((b.stress + programs - 1) / programs),
                "--seconds", fmt::format("{}", b.stress_seconds / static_cast<double>(programs)), "--seeds",
                std::to_string(b.seeds), "--json", json.string()});
  return words;
}

/// Why it cannot be run here; empty: it can.
std::string missing(const executable& e, const std::string& plugin) {
  if (!fs::exists(e.file)) return e.file.string() + " is not built: cmake --build build/release --target stress";
  const std::string file = plugin.substr(0, plugin.find(','));
  if (!plugin.empty() && !fs::exists(file)) {
    return file + " is not built: cmake --build build/release --target licit_qemu";
  }
  if (!e.emulator.empty() && codegen::run({e.emulator.front(), "--version"}).status == 127) {
    return fmt::format("there is no {} (package qemu-user)", e.emulator.front());
  }
  return "";
}

/// Nothing caught, or something (models/machine/stress). By any other status nothing counts, whatever was written before.
bool is_verdict(int status) { return status == 0 || status == 1; }

}  // namespace

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

cell stress(const executable& e, const row& r, const budget& b, const std::string& plugin) {
  if (const std::string why = missing(e, plugin); !why.empty()) return not_run(why);
  const std::size_t programs = programs_of(e, r);
  if (programs == 0) return not_run(e.file.string() + " does not have this row");
  const codegen::scratch room;
  const fs::path json = room / "results.json";
  const codegen::finished f = codegen::run(command(e, r, b, programs, plugin, json));
  if (!is_verdict(f.status) || !fs::exists(json)) {
    return not_run(fmt::format("status {}: {}", f.status, f.output.substr(0, 300)));
  }
  return read_stress(text_of(json), r.structure, r.name, e.file.string());
}

bool fails_against_axioms(const executable& e, const row& r, const budget& b, const std::string& plugin) {
  const std::size_t programs = programs_of(e, r);
  if (programs == 0) return false;
  const codegen::scratch room;
  return codegen::run(command(e, r, b, programs, plugin, room / "results.json")).status == qemu::forbidden;
}

}  // namespace licit::matrix
