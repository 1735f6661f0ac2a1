#include "machine/matrix/executable.hpp"

#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

#include <nlohmann/json.hpp>

#include "checker/show/exit_status.hpp"
#include "machine/codegen/process.hpp"
#include "machine/matrix/cell.hpp"
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

/// Nothing caught, or something (models/machine/stress). By any other status nothing counts, whatever was written
/// before.
bool is_verdict(int status) { return status == checker::as_expected || status == checker::violated; }

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

namespace {

using nlohmann::json;

/// Of one seed.
struct tally {
  std::uint64_t executions = 0;
  bool caught = false;
};

class adder {
 public:
  void add(const json& result) {
    cell_.seconds += result.at("seconds").get<double>();
    tally& t = seeds_[result.at("seed").get<std::uint64_t>()];
    if (t.caught) return;
    t.executions += result.at("executions").get<std::uint64_t>();
    t.caught = result.at("caught").get<bool>();
    if (!t.caught || !cell_.program.empty()) return;
    cell_.program = result.at("program").get<std::string>();
    cell_.what = result.at("what").get<std::string>();
  }

  cell sum() {
    std::vector<std::uint64_t> until;
    for (const auto& [seed, t] : seeds_) {
      if (t.caught) until.push_back(t.executions);
      cell_.executions += t.executions;
    }
    cell_.seeds = static_cast<unsigned>(seeds_.size());
    cell_.caught_by = static_cast<unsigned>(until.size());
    cell_.found = until.empty() ? finding::not_caught : finding::caught;
    if (!until.empty()) cell_.executions = median(until);
    return cell_;
  }

 private:
  std::map<std::uint64_t, tally> seeds_;
  cell cell_;
};

cell read(const json& all, std::string_view structure, std::string_view row) {
  adder sum;
  bool any = false;
  for (const json& result : all.at("results")) {
    if (result.at("structure") != structure || result.at("row") != row) continue;
    if (const auto reason = result.find("cannot_run"); reason != result.end()) return not_run(*reason);
    any = true;
    sum.add(result);
  }
  return any ? sum.sum() : not_run("the stress executable does not have this row");
}

}  // namespace

cell read_stress(const std::string& text, std::string_view structure, std::string_view row, const std::string& where) {
  try {
    return read(json::parse(text), structure, row);
  } catch (const json::exception& e) {
    throw std::runtime_error(fmt::format("{}: {}", where, e.what()));
  }
}

std::string read_machine(const std::string& text) {
  const json all = json::parse(text, nullptr, false);
  const auto machine = all.is_object() ? all.find("machine") : all.end();
  return machine != all.end() && machine->is_string() ? machine->get<std::string>() : "";
}

}  // namespace licit::matrix
