#include "codegen.hpp"

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

#include "codegen/listing.hpp"
#include "codegen/missing.hpp"
#include "codegen/table.hpp"
#include "codegen/target.hpp"

namespace licit::tool {

namespace {

namespace fs = std::filesystem;
using licit::codegen::listing;
using licit::codegen::missing;
using licit::codegen::table;
using licit::codegen::target;

enum status : int { as_expected = 0, surprise = 1, nothing_done = 3 };

bool chosen(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

/// This build's headers, or those that are installed beside the command.
fs::path headers_in(const std::string& given) {
  std::error_code ignored;
  const std::array<fs::path, 2> usual{
      LICIT_HEADERS, fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path() / "include"};
  const std::vector<fs::path> places =
      given.empty() ? std::vector<fs::path>(usual.begin(), usual.end()) : std::vector<fs::path>{given};
  std::string looked;
  for (const fs::path& place : places) {
    if (fs::exists(place / "licit/deque/chase_lev.hpp", ignored)) return place;
    looked += (looked.empty() ? "" : ", ") + place.string();
  }
  throw std::runtime_error("codegen compiles licit's headers, and finds no licit/deque/chase_lev.hpp in " + looked +
                           ": name their folder by --include");
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

fs::path document(const std::string& folder, const target& t) {
  return fs::path(folder) / (std::string(t.name) + ".md");
}

nlohmann::ordered_json json(const listing& l) {
  nlohmann::ordered_json sites = nlohmann::ordered_json::array();
  for (const auto& s : l.sites) sites.push_back({{"site", s.site}, {"operation", s.order}, {"places", s.places}});
  return {{"target", l.target}, {"compiler", l.by.name},      {"version", l.by.version}, {"command", l.by.command},
          {"sites", sites},     {"operations", l.operations}, {"marked", l.marked}};
}

class session {
 public:
  explicit session(const codegen_options& options) : options_{options}, headers_{headers_in(options.headers)} {
    std::ranges::transform(options.changes, std::back_inserter(changes_), licit::codegen::parse_change);
  }

  void take(const target& t) {
    std::vector<listing> made;
    for (const std::string_view name : licit::codegen::compilers) {
      if (chosen(options_.compilers, name)) take(t, name, made);
    }
    if (made.empty()) return;
    if (options_.check.empty()) print(t, made);
    if (!options_.write.empty()) record(t, made);
    for (const listing& l : made) all_.push_back(json(l));
  }

  int finish() {
    if (!options_.json.empty()) write(options_.json, all_.dump(2) + '\n');
    if (wrong_ != 0) return surprise;
    return done_ == 0 ? nothing_done : as_expected;
  }

 private:
  void take(const target& t, std::string_view compiler, std::vector<listing>& made) try {
    made.push_back(licit::codegen::measure(t, licit::codegen::find_compiler(compiler, t), headers_, changes_));
    if (!options_.check.empty()) check(t, made.back());
    judge(t, made.back());
    ++done_;
  } catch (const missing& e) {
    fmt::print("{} by {}: skipped: {}\n", t.name, compiler, e.what());
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(fmt::format("{} by {}: {}", t.name, compiler, e.what()));
  }

  static void print_tables(const std::vector<listing>& made, std::string (*as)(const table&)) {
    fmt::print("{}\n{}\n", as(table_of_sites(made)), as(table_of_operations(made)));
  }

  void print(const target& t, const std::vector<listing>& made) const {
    if (options_.markdown) {
      fmt::print("{}\n", as_document(t, made));
    } else {
      fmt::print("{} {}\n\n", t.name, t.flags);
      print_tables(made, licit::codegen::as_text);
    }
  }

  void check(const target& t, const listing& l) {
    const fs::path file = document(options_.check, t);
    const std::vector<listing> one{l};
    const auto wrong = licit::codegen::differences(licit::codegen::read_document(contents(file)),
                                                   {table_of_sites(one), table_of_operations(one)});
    fmt::print("{} by {} ({}): {}\n", t.name, l.by.name, l.by.version,
               wrong.empty() ? "as expected" : "NOT AS EXPECTED");
    for (const std::string& w : wrong) fmt::print("  {}\n", w);
    if (!wrong.empty()) fmt::print("  the expected table: {}\n", file.string());
    wrong_ += wrong.size();
  }

  /// A table that is as expected may still be wrong.
  void judge(const target& t, const listing& l) {
    for (const std::string& s : shortcomings(l)) {
      fmt::print("{} by {} ({}): TOO WEAK: {}\n", t.name, l.by.name, l.by.version, s);
      ++wrong_;
    }
  }

  void record(const target& t, const std::vector<listing>& made) const {
    if (made.size() != licit::codegen::compilers.size()) {
      throw std::runtime_error(fmt::format("{}: not written: an expected table is of all compilers", t.name));
    }
    write(document(options_.write, t), as_document(t, made));
  }

  const codegen_options& options_;
  fs::path headers_;
  std::vector<licit::codegen::change> changes_;
  nlohmann::ordered_json all_ = nlohmann::ordered_json::array();
  std::size_t done_ = 0;
  std::size_t wrong_ = 0;
};

std::vector<std::string> names_of(const auto& things, auto name) {
  std::vector<std::string> names;
  std::ranges::transform(things, std::back_inserter(names), [](auto n) { return std::string(n); }, name);
  return names;
}

}  // namespace

std::vector<std::string> codegen_targets() { return names_of(licit::codegen::targets, &target::name); }
std::vector<std::string> codegen_compilers() { return names_of(licit::codegen::compilers, std::identity{}); }

int codegen(const codegen_options& options) {
  session s(options);
  for (const target& t : licit::codegen::targets) {
    if (chosen(options.targets, t.name)) s.take(t);
  }
  return s.finish();
}

}  // namespace licit::tool
