#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include <nlohmann/json.hpp>

#include "checker/show/exit_status.hpp"
#include "machine/codegen/listing.hpp"
#include "machine/codegen/process.hpp"
#include "machine/codegen/target.hpp"
#include "machine/commands.hpp"

namespace licit::machine {

namespace {

namespace fs = std::filesystem;
using licit::codegen::listing;
using licit::codegen::missing;
using licit::codegen::structure;
using licit::codegen::table;
using licit::codegen::target;

using enum checker::exit_status;

bool chosen(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

std::vector<std::string> names_of(const auto& things, auto name) {
  std::vector<std::string> names;
  std::ranges::transform(things, std::back_inserter(names), [](auto n) { return std::string(n); }, name);
  return names;
}

/// This build's headers, or those that are installed beside the command.
std::string headers_in(const std::string& given) {
  std::error_code ignored;
  const std::array<std::string, 2> usual{
      std::string(licit::codegen::headers_of_this_build()),
      fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path() / "include"};
  const std::vector<std::string> places =
      given.empty() ? std::vector<std::string>(usual.begin(), usual.end()) : std::vector<std::string>{given};
  std::string looked;
  for (const std::string& place : places) {
    for (const std::string& flag : licit::codegen::include_flags(place)) {
      if (fs::exists(fs::path(flag.substr(2)) / "licit/deque/chase_lev.hpp", ignored)) return place;
    }
    looked += (looked.empty() ? "" : ", ") + place;
  }
  throw std::runtime_error("codegen compiles licit's headers, and finds no licit/deque/chase_lev.hpp in " + looked +
                           ": name their folders by --include");
}

std::string contents(const fs::path& file) {
  std::ifstream in(file);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::runtime_error(file.string() + ": cannot read: " + std::generic_category().message(errno));
  return text;
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file.string() + ": " + std::generic_category().message(errno));
}

fs::path expected_page(const std::string& folder) { return fs::path(folder) / "expected.md"; }

nlohmann::ordered_json json(const listing& l) {
  nlohmann::ordered_json sites = nlohmann::ordered_json::array();
  for (const auto& s : l.sites) sites.push_back({{"site", s.site}, {"operation", s.order}, {"places", s.places}});
  return {{"structure", l.structure}, {"target", l.target}, {"compiler", l.by.name},      {"version", l.by.version},
          {"command", l.by.command},  {"sites", sites},     {"operations", l.operations}, {"marked", l.marked}};
}

class session {
 public:
  explicit session(const codegen_options& options) : options_{options}, headers_{headers_in(options.headers)} {}

  void take(const structure& s) {
    changes_.clear();
    for (const std::string& c : options_.changes) changes_.push_back(licit::codegen::parse_change(c, s));
    std::vector<listing> made;
    for (const target& t : licit::codegen::targets) {
      if (chosen(options_.targets, t.name)) take(s, t, made);
    }
    if (made.empty()) return;
    if (!options_.write.empty()) record(s, made);
    for (const listing& l : made) all_.push_back(json(l));
  }

  int finish() {
    if (!options_.json.empty()) write(options_.json, all_.dump(2) + '\n');
    if (wrong_ != 0) return violated;
    return done_ == 0 ? undecided : as_expected;
  }

 private:
  void take(const structure& s, const target& t, std::vector<listing>& all) {
    std::vector<listing> made;
    for (const std::string_view name : licit::codegen::compilers) {
      if (chosen(options_.compilers, name)) take(s, t, name, made);
    }
    if (options_.check.empty() && !made.empty()) print(t, made);
    std::ranges::move(made, std::back_inserter(all));
  }

  void take(const structure& s, const target& t, std::string_view compiler, std::vector<listing>& made) try {
    made.push_back(licit::codegen::measure(s, t, licit::codegen::find_compiler(compiler, t), headers_, changes_));
    if (!options_.check.empty()) check(s, made.back());
    judge(t, made.back());
    ++done_;
  } catch (const missing& e) {
    fmt::print("{} on {} by {}: skipped: {}\n", s.name, t.name, compiler, e.what());
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(fmt::format("{} on {} by {}: {}", s.name, t.name, compiler, e.what()));
  }

  void print(const target& t, const std::vector<listing>& made) const {
    const auto as = options_.markdown ? licit::codegen::as_markdown : licit::codegen::as_text;
    fmt::print("{} on {} {}\n\n{}\n{}\n", made.front().structure, t.name, t.flags, as(table_of_sites(made)),
               as(table_of_operations(made)));
  }

  void check(const structure& s, const listing& l) {
    const fs::path file = expected_page(options_.check);
    const std::string page = contents(file);
    const std::vector<listing> one{l};
    const auto wrong =
        licit::codegen::differences(licit::codegen::read_section(licit::codegen::section_of(page, s.name)),
                                    {table_of_sites(one), table_of_operations(one)});
    fmt::print("{} on {} by {} ({}): {}\n", l.structure, l.target, l.by.name, l.by.version,
               wrong.empty() ? "as expected" : "NOT AS EXPECTED");
    for (const std::string& w : wrong) fmt::print("  {}\n", w);
    if (!wrong.empty()) fmt::print("  the expected table: {}\n", file.string());
    wrong_ += wrong.size();
  }

  /// A table that is as expected may still be wrong.
  void judge(const target& t, const listing& l) {
    for (const std::string& weak : shortcomings(l)) {
      fmt::print("{} on {} by {} ({}): TOO WEAK: {}\n", l.structure, t.name, l.by.name, l.by.version, weak);
      ++wrong_;
    }
  }

  void record(const structure& s, const std::vector<listing>& made) const {
    if (made.size() != licit::codegen::compilers.size() * licit::codegen::targets.size()) {
      throw std::runtime_error(fmt::format("{}: not written: an expected table has every target and compiler", s.name));
    }
    const fs::path file = expected_page(options_.write);
    std::error_code failed;  // `write` says so
    fs::create_directories(file.parent_path(), failed);
    write(file, with_section(fs::exists(file, failed) ? contents(file) : std::string(), made));
  }

  const codegen_options& options_;
  std::string headers_;
  std::vector<licit::codegen::change> changes_;
  nlohmann::ordered_json all_ = nlohmann::ordered_json::array();
  std::size_t done_ = 0;
  std::size_t wrong_ = 0;
};

}  // namespace

std::vector<std::string> codegen_structures() { return names_of(licit::codegen::structures(), &structure::name); }
std::vector<std::string> codegen_targets() { return names_of(licit::codegen::targets, &target::name); }
std::vector<std::string> codegen_compilers() { return names_of(licit::codegen::compilers, std::identity{}); }

int run_codegen(const codegen_options& options) {
  session all(options);
  if (!options.changes.empty() && options.structures.size() != 1) {
    throw std::invalid_argument("a change is of one table: name it by --structure");
  }
  for (const structure& s : licit::codegen::structures()) {
    if (chosen(options.structures, s.name)) all.take(s);
  }
  return all.finish();
}

}  // namespace licit::machine
