// The client programs on real threads: executables of models/machine/stress, one a structure for each target.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <system_error>

#include "machine/matrix/cell.hpp"
#include "machine/matrix/executable.hpp"
#include "machine/matrix/rows.hpp"
#include "machine/matrix/same_code.hpp"

namespace licit::matrix {

namespace {

namespace fs = std::filesystem;

/// A target that the executables are built for, and how they are started.
struct variant {
  std::string name = {};
  std::string title = {};
  std::string how = {};
  std::string folder;                           ///< of the executables
  std::vector<std::string> emulator = {};       ///< empty: they run by themselves
  std::vector<std::string> older = {};          ///< the same, of a processor whose atomic instructions order less
  std::string plugin = {};                      ///< of the emulator; empty: none
  std::string target = {};                      ///< licit codegen's
  std::string (*excuse)(const row&) = nullptr;  ///< of a false alarm of this control; empty: there is none
};

/// ThreadSanitizer knows nothing of fences: what they order races.
std::string no_fences(const row& r) {
  const bool fences = std::ranges::any_of(table_of(r), [](const licit::row& entry) {
    return detail::is_fence(entry.kind) && entry.success != order::relaxed;
  });
  return fences ? "ThreadSanitizer does not model fences" : "";
}

/// Its barriers stand before a seq_cst store and after a seq_cst load, and none between the two.
std::string no_barrier(const row& r) {
  const auto has = [&](operation kind) {
    return std::ranges::any_of(
        table_of(r), [&](const licit::row& entry) { return entry.kind == kind && entry.success == order::seq_cst; });
  };
  return has(operation::store) && has(operation::load)
             ? "QEMU on x86-64 lets a seq_cst load pass an earlier seq_cst store"
             : "";
}

/// Where it is known that Armv8 lets a row fail, it is looked for so many times longer before it is given up.
constexpr unsigned more_for_wrong = 10;

budget times(budget b, unsigned factor) {
  b.stress *= factor;
  b.stress_seconds *= factor;
  return b;
}

/// Where what is not caught cannot be: the same code of the operations by themselves, or of the programs.
bool is_same_code(const row& r, const std::string& target) {
  return same_code(r, target, "g++").value_or(false) || same_programs(r, target, "g++").value_or(false);
}

/// Why Armv8 does not let the row fail, as far as that can be computed; empty: it may let it.
struct explanation {
  std::string reason = {};
  std::string lead = {};  ///< who finds the row wrong where the plugin does not
};

std::string lead_of(const without_language& found) {
  if (found.wrong.empty()) return {};
  return fmt::format("the exhaustive checker finds {}: {}", found.raced ? "a race and nothing else" : "a failure",
                     found.wrong);
}

/// The language first, by the row's own programs. That the compiled operations are right in other clients explains
/// nothing if a program of the row is wrong otherwise than by a race.
explanation explain(const row& r, const budget& b, const variant& v) {
  const without_language language = explored_without_language(r, b.exhaustive);
  if (!language.right.empty()) return {.reason = language.right};
  const exploration on_arm = explored_on_arm(r, v.target, b.exhaustive);
  if (on_arm.wrong) return {.lead = on_arm.found};
  if (!on_arm.found.empty() && (language.wrong.empty() || language.raced)) return {.reason = on_arm.found};
  return {.lead = lead_of(language)};
}

constexpr std::string_view depends =
    "a dependency orders it: it is caught where the plugin drops dependencies, which Armv8 forbids";

/// On a processor without Armv8.1's atomic instructions: there an acquire-release update is no full barrier.
cell judge_on_older(const executable& e, const row& r, const budget& b, const std::string& plugin, const cell& before) {
  cell c = stress(e, r, b, plugin);
  if (c.caught()) {
    c.note = "on a processor without Armv8.1's atomic instructions";
    return c;
  }
  if (!fails_against_axioms(e, r, b, plugin + ",fault=dependencies")) return before;
  c = before;
  c.reason = fmt::format("{} (on a processor without Armv8.1's atomic instructions, which order it too)", depends);
  return c;
}

/// By Armv8's model without load buffering; and if that shows nothing, what may explain it.
cell judge_weakly(const executable& e, const row& r, const budget& b, const variant& v) {
  const std::string quiet = v.plugin + ",survey=20,history=off,shrink=off";
  cell c = stress(e, r, b, quiet);
  if (c.found != finding::not_caught || r.is_control() || is_same_code(r, v.target)) return c;
  if (fails_against_axioms(e, r, b, quiet + ",fault=dependencies")) {
    c.reason = depends;
    return c;
  }
  c = judge_on_older({e.file, v.older}, r, b, quiet, c);
  if (c.caught() || !c.reason.empty()) return c;
  const explanation why = explain(r, b, v);
  if (!why.lead.empty()) c = stress(e, r, times(b, more_for_wrong), quiet);
  if (c.found == finding::not_caught) c.reason = why.reason.empty() ? why.lead : why.reason;
  return c;
}

cell judge(const variant& v, const row& r, const budget& b) {
  const executable e{fs::path(v.folder) / ("licit_stress_" + r.structure), v.emulator};
  cell c = v.plugin.empty() ? stress(e, r, b) : judge_weakly(e, r, b, v);
  if (r.is_control() && c.caught() && v.excuse != nullptr) c.excuse = v.excuse(r);
  if (c.found != finding::not_caught || r.is_control() || v.target.empty() || !c.reason.empty()) return c;
  if (!is_same_code(r, v.target)) return c;
  c.found = finding::cannot_see;
  c.reason = fmt::format("the compiler generates the same code for it as for the correct one: g++ for {}", v.target);
  return c;
}

column column_of(const variant& v) {
  return {
      .name = v.name, .title = v.title, .how = v.how, .judge = [v](const row& r, const budget& b, std::string_view) {
        return judge(v, r, b);
      }};
}

}  // namespace

std::vector<column> stress_columns(const std::string& folder, const std::string& plugin) {
  const std::string on_threads = "the programs on real threads, each with its mutant compiled in";
  const std::vector<variant> all{
      {.name = "tsan-g++",
       .title = "TSan, g++",
       .how = on_threads + ", under g++'s ThreadSanitizer",
       .folder = folder + "/tsan-g++",
       .excuse = no_fences},
      {.name = "tsan-clang",
       .title = "TSan, clang",
       .how = on_threads + ", under clang's ThreadSanitizer",
       .folder = folder + "/tsan-clang",
       .excuse = no_fences},
      {.name = "x86",
       .title = "x86 stress",
       .how = on_threads + ", on x86-64",
       .folder = folder + "/x86",
       .target = "x86-64"},
      {.name = "aarch64",
       .title = "aarch64, QEMU",
       .how = on_threads + ", for aarch64 under plain qemu-aarch64",
       .folder = folder + "/aarch64",
       .emulator = {"qemu-aarch64"},
       .target = "aarch64",
       .excuse = no_barrier},
      {.name = "aarch64-weak",
       .title = "aarch64, QEMU, weak",
       .how = "the same aarch64 executables under the plugin of models/machine/qemu: a load may read any value that "
              "Armv8's "
              "model allows, load buffering left out",
       .folder = folder + "/aarch64",
       .emulator = {"qemu-aarch64", "-cpu", "max,sve=off"},  // which the plugin cannot see
       .older = {"qemu-aarch64", "-cpu", "cortex-a57"},
       .plugin = plugin,
       .target = "aarch64"},
  };
  std::vector<column> columns;
  columns.reserve(all.size());
  for (const variant& v : all) columns.push_back(column_of(v));
  return columns;
}

namespace {

/// Of all results in the folder, each once. What cannot be read says so in its cells.
std::string machines_of(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code none;
  for (const auto& file : fs::directory_iterator(folder, none)) {
    if (file.path().extension() == ".json") names.insert(read_machine(text_of(file.path())));
  }
  names.erase("");
  return fmt::format("{}", fmt::join(names, "; "));
}

}  // namespace

column hardware_column(const std::string& folder) {
  return {.name = "arm64",
          .title = "arm64 hardware",
          .how = "the programs on an arm64 processor; the JSON results come from the public CI's runner",
          .machine = machines_of(folder),
          .judge = [folder](const row& r, const budget&, std::string_view) {
            const fs::path file = fs::path(folder) / (r.structure + ".json");
            if (!fs::exists(file)) return not_run(fmt::format("there is no {} of an arm64 runner", file.string()));
            return read_stress(text_of(file), r.structure, r.name, file.string());
          }};
}

}  // namespace licit::matrix
