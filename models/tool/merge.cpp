#include <cstdint>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <numeric>
#include <stdexcept>

#include "arguments.hpp"
#include "report.hpp"
#include "rows.hpp"

namespace licit::tool {

namespace {

struct shard_file {
  std::string name;
  std::vector<row> rows;
};

/// What a row is about: which search, of which code.
std::string subject(const row& r) {
  const result& w = r.what;
  return fmt::format("{}{} of {} ({}, {}{})", w.program, w.line.empty() ? "" : fmt::format(" \"{}\"", w.line),
                     w.structure, w.checker, w.got.bound,
                     w.broken_by.empty() ? "" : fmt::format(", broken by '{}'", w.broken_by));
}

/// Refuses a row that differs from the first file's.
void expect_same(const shard_file& file, const shard_file& first, std::size_t i) {
  const row& a = first.rows[i];
  const row& b = file.rows[i];
  const auto same = [&](const char* what, const auto& has, const auto& wanted) {
    if (has == wanted) return;
    throw std::runtime_error(
        fmt::format("{}: row {} is of {} {}, where {} has {}", file.name, i + 1, what, has, first.name, wanted));
  };
  same("program", subject(b), subject(a));
  same("expected verdict", name(b.what.expected), name(a.what.expected));
  same("licit's version", b.made_by.version, a.made_by.version);
  same("licit's build", b.made_by.build, a.made_by.build);
  same("a number of shards of", b.of.count, a.of.count);
  same("limit", b.what.limit, a.what.limit);
  same("a number of pieces of", b.of.pieces, a.of.pieces);
}

void expect_same(const shard_file& file, const shard_file& first) {
  if (file.rows.size() != first.rows.size()) {
    throw std::runtime_error(
        fmt::format("{} has {} rows, where {} has {}", file.name, file.rows.size(), first.name, first.rows.size()));
  }
  for (std::size_t i = 0; i != file.rows.size(); ++i) expect_same(file, first, i);
}

/// The files by their shard in row `i`: each once, none missing.
std::vector<const shard_file*> by_shard(const std::vector<shard_file>& files, std::size_t i) {
  const unsigned count = files.front().rows[i].of.count;
  std::vector<const shard_file*> all(count, nullptr);
  for (const shard_file& f : files) {
    const unsigned index = f.rows[i].of.index;
    if (all[index] != nullptr) {
      throw std::runtime_error(fmt::format("{}: row {} is of shard {}/{}, which is in {} already", f.name, i + 1, index,
                                           count, all[index]->name));
    }
    all[index] = &f;
  }
  std::vector<unsigned> missing;
  for (unsigned s = 0; s != count; ++s) {
    if (all[s] == nullptr) missing.push_back(s);
  }
  if (!missing.empty()) {
    throw std::runtime_error(fmt::format("no file has shard {} of {} of {}", fmt::join(missing, ", "), count,
                                         subject(files.front().rows[i])));
  }
  return all;
}

/// The first violation, else the first limit, is the whole's.
void adopt(result& whole, const row& r) {
  const auto rank = [](const result& x) {
    return x.got.outcome == checker::outcome::violation ? 2 : x.got.outcome == checker::outcome::limit ? 1 : 0;
  };
  if (rank(r.what) <= rank(whole)) return;
  whole.got.outcome = r.what.got.outcome;
  whole.got.message = r.what.got.message;
  if (r.of.count > 1) whole.got.message = fmt::format("shard {}/{}: {}", r.of.index, r.of.count, r.what.got.message);
}

result added_up(const std::vector<shard_file>& files, std::size_t i) {
  const row& first = files.front().rows[i];
  result whole{.structure = first.what.structure,
               .program = first.what.program,
               .checker = first.what.checker,
               .got = {.exhaustive = true, .bound = first.what.got.bound},
               .expected = first.what.expected,
               .line = first.what.line,
               .broken_by = first.what.broken_by,
               .limit = first.what.limit};
  std::uint64_t explored = 0;
  for (const shard_file* f : by_shard(files, i)) {
    const row& r = f->rows[i];
    whole.got.executions += r.what.got.executions;
    whole.got.represented += r.what.got.represented;
    whole.got.symmetric = whole.got.symmetric || r.what.got.symmetric;
    whole.got.blocked += r.what.got.blocked;
    whole.got.seconds += r.what.got.seconds;
    explored += r.of.explored;
    adopt(whole, r);
  }
  const std::uint64_t pieces = first.of.pieces;
  if (whole.got.outcome == checker::outcome::ok && explored != pieces) {
    throw std::runtime_error(
        fmt::format("the shards of {} explored {} pieces of {}", subject(first), explored, pieces));
  }
  return whole;
}

}  // namespace

int merge(const merge_options& options) {
  std::vector<shard_file> files;
  files.reserve(options.files.size());
  for (const std::string& name : options.files) files.push_back({name, read_shards(name)});
  for (const shard_file& f : files) expect_same(f, files.front());
  std::vector<result> results;
  for (std::size_t i = 0; i != files.front().rows.size(); ++i) results.push_back(added_up(files, i));
  if (results.empty()) throw std::runtime_error(files.front().name + ": has no rows");
  std::string of;
  std::size_t surprises = 0;
  bool limited = false;
  for (const result& r : results) {
    if (r.structure != of) fmt::print("{}", heading_text(of = r.structure));
    fmt::print("{}", row_text(r));
    limited |= r.got.outcome == checker::outcome::limit;
    surprises += r.as_expected() || r.got.outcome == checker::outcome::limit ? 0U : 1U;
  }
  fmt::print("\n{} row{}, added up from {} file{}: {}. Seconds are the sum of the shards'.\n", results.size(),
             results.size() == 1 ? "" : "s", files.size(), files.size() == 1 ? "" : "s",
             surprises != 0 ? fmt::format("{} NOT as expected", surprises)
             : limited      ? "some not finished"
                            : "all as expected");
  if (!options.json.empty()) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const result& r : results) rows.push_back(to_json(r, files.front().rows.front().made_by));
    write_json(options.json, rows);
  }
  return surprises != 0 ? violated : limited ? undecided : as_expected;
}

}  // namespace licit::tool
