#include "rows.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <licit/deque/version.hpp>

#include <nlohmann/json.hpp>

#include "drawings.hpp"

namespace licit::tool {

namespace {

bool parse_number(std::string_view text, unsigned& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// A digest of the running executable's own bytes: algorithm, ordering tables, programs, checker, compiler and its
/// options are all in it, and none of them can change without it. Against mix-ups, not against forgery (FNV-1a, 64
/// bits). The price: the same source built by two compilers has two digests. Throws std::runtime_error when the
/// executable cannot be read.
std::string build_digest() {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::uint64_t hash = 0xcbf29ce484222325;
  std::streamsize bytes = 0;
  std::array<char, 1 << 16> block{};
  do {
    self.read(block.data(), block.size());
    for (const char c : std::span(block).first(static_cast<std::size_t>(self.gcount()))) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    bytes += self.gcount();
  } while (self);
  if (bytes == 0) throw std::runtime_error("cannot read /proc/self/exe, whose digest goes into the results");
  return fmt::format("{:016x}", hash);
}

using nlohmann::ordered_json;

/// Reads the fields of one row, and says which of them is wrong.
class fields {
 public:
  fields(const ordered_json& row, std::string where) : row_{row}, where_{std::move(where)} {
    if (!row.is_object()) refuse("is not an object");
  }

  [[noreturn]] void refuse(const std::string& why) const { throw std::runtime_error(where_ + " " + why); }

  [[nodiscard]] bool has(const char* key) const { return row_.contains(key); }
  [[nodiscard]] std::string text(const char* key) const {
    const ordered_json& value = at(key);
    if (!value.is_string()) refuse(fmt::format("needs a string as '{}'", key));
    return value.get<std::string>();
  }
  [[nodiscard]] std::uint64_t count(const char* key) const {
    const ordered_json& value = at(key);
    if (!value.is_number_unsigned()) refuse(fmt::format("needs a whole number as '{}'", key));
    return value.get<std::uint64_t>();
  }
  [[nodiscard]] double number(const char* key) const {
    const ordered_json& value = at(key);
    if (!value.is_number()) refuse(fmt::format("needs a number as '{}'", key));
    return value.get<double>();
  }
  [[nodiscard]] checker::outcome outcome(const char* key) const {
    constexpr std::array all{checker::outcome::ok, checker::outcome::violation, checker::outcome::limit};
    const std::string said = text(key);
    const auto* const found = std::ranges::find_if(all, [&](checker::outcome o) { return name(o) == said; });
    if (found == all.end()) refuse(fmt::format("needs a verdict as '{}', not '{}'", key, said));
    return *found;
  }

 private:
  [[nodiscard]] const ordered_json& at(const char* key) const {
    if (!has(key)) refuse(fmt::format("has no '{}'", key));
    return row_[key];
  }

  const ordered_json& row_;
  std::string where_;
};

row read(const fields& f) {
  row r;
  result& what = r.what;
  what.structure = f.text("structure");
  what.program = f.text("program");
  what.checker = f.text("checker");
  what.expected = f.outcome("expected");
  if (f.has("line")) what.line = f.text("line");
  if (f.has("break")) what.broken_by = f.text("break");
  what.got.outcome = f.outcome("verdict");
  what.got.bound = f.text("bound");
  what.got.executions = f.count("executions");
  what.got.symmetric = f.has("represented");
  if (what.got.symmetric) what.got.represented = f.count("represented");
  what.got.blocked = f.count("blocked");
  what.got.seconds = f.number("seconds");
  if (f.has("message")) what.got.message = f.text("message");
  r.made_by = {f.text("version"), f.text("build")};
  if (f.text("mode") == "exhaustive" && !f.has("shard") && !f.has("mutant")) return r;  // of --shard 0/1: the only one
  if (f.text("mode") != "shard") f.refuse(fmt::format("({}) is of a whole search, not of a shard", what.program));
  checker::share which;
  if (const std::string wrong = parse_shard(f.text("shard"), which); !wrong.empty()) f.refuse("has a shard " + wrong);
  r.of = {which.index, which.count, f.count("pieces"), f.count("explored")};
  what.limit = f.count("limit");
  return r;
}

ordered_json parse(const std::string& file) {
  std::error_code none;
  if (std::filesystem::is_directory(file, none)) throw std::runtime_error(file + ": cannot read: it is a directory");
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + ": cannot read: " + std::generic_category().message(errno));
  try {
    return ordered_json::parse(in);
  } catch (const ordered_json::parse_error& e) {
    const std::string_view said = e.what();  // "[json.exception.parse_error.101] parse error at line …"
    throw std::runtime_error(fmt::format("{}: {}", file, said.substr(said.find(' ') + 1)));
  }
}

}  // namespace

std::string parse_shard(const std::string& text, checker::share& which) {
  const std::size_t slash = text.find('/');
  const std::string_view all = text;
  if (slash == std::string::npos || !parse_number(all.substr(0, slash), which.index) ||
      !parse_number(all.substr(slash + 1), which.count)) {
    return fmt::format("'{}': write i/n, as in 0/8", text);
  }
  if (which.count == 0 || which.count > most_shards) return fmt::format("{}: n is 1 to {}", text, most_shards);
  if (which.index >= which.count) return fmt::format("{}: i is 0 to {}", text, which.count - 1);
  return {};
}

origin this_command() {
  static const std::string digest = build_digest();
  return {std::string(library_version()), digest};
}

ordered_json to_json(const result& r, const origin& made_by) {
  ordered_json row{{"structure", r.structure}, {"program", r.program}, {"checker", r.checker}};
  checker::visit_fields(r.got, [&](std::string_view name, const auto& value) { row[std::string(name)] = value; });
  row["expected"] = name(r.expected);
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) row[key] = text;
  };
  if (r.calls != 0) row["calls"] = r.calls;
  if (r.clients != 0) {
    row["clients"] = r.clients;
    row["alphabet"] = r.full ? "full" : "core";
    row["edges"] = r.edges ? 1 : 0;
    if (!r.capacities.empty()) row["capacities"] = r.capacities;
  }
  if (r.undecided != 0) row["undecided"] = r.undecided;
  add("line", r.line);
  add("mutant", r.mutant);
  add("break", r.broken_by);
  add("note", r.note);
  add("trace", r.got.trace);
  if (!r.got.picture.steps.empty()) row["execution"] = tool::to_json(r.got.picture);
  if (r.got.share.count > 1) row["limit"] = r.limit;
  row["version"] = made_by.version;
  row["build"] = made_by.build;
  return row;
}

void write_json(const std::string& file, const ordered_json& rows) {
  std::ofstream out(file);
  out << rows.dump(2) << '\n';
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file + ": " + std::generic_category().message(errno));
}

std::vector<row> read_shards(const std::string& file) {
  const ordered_json all = parse(file);
  if (!all.is_array()) throw std::runtime_error(file + ": is not an array of verdicts");
  std::vector<row> rows;
  for (const ordered_json& each : all) rows.push_back(read({each, fmt::format("{}: row {}", file, rows.size() + 1)}));
  return rows;
}

}  // namespace licit::tool
