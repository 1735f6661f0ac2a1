#include "machine/matrix/by_language.hpp"

#include <fmt/core.h>

#include "machine/matrix/rows.hpp"

namespace licit::matrix {

namespace {

struct explored {
  std::uint64_t executions = 0;
  unsigned programs = 0;
  bool complete = true;
  std::string wrong = {};
  bool raced = false;
};

/// No machine knows of these: it shows them by a value that is wrong, or not at all.
bool is_race(checker::violation kind) {
  return kind == checker::violation::race || kind == checker::violation::use_after_free ||
         kind == checker::violation::bad_free;
}

explored explore(const row& r, std::uint64_t limit, checker::release_sequences sequences) {
  explored e;
  for (const models::program* p : programs_of(r)) {
    const checker::verdict v = p->explore({.sequences = sequences, .max_executions = limit, .ghosts = false});
    e.executions += v.executions;
    ++e.programs;
    if (v.end == checker::ending::limit) e.complete = false;
    if (v.end != checker::ending::violation) continue;
    const bool raced = is_race(v.kind);
    if (!e.wrong.empty() && raced) continue;
    e.wrong = fmt::format("{}: {}: {}", p->about.name, name(v.kind), v.message);
    e.raced = raced;
    if (!raced) return e;
  }
  return e;
}

}  // namespace

without_language explored_without_language(const row& r, std::uint64_t limit) {
  const applied change(r);
  const auto right = [](const explored& e, std::string_view how) {
    return fmt::format("all {} executions of {} programs are right {}", e.executions, e.programs, how);
  };
  const explored plain = explore(r, limit, checker::release_sequences::cxx20);
  if (plain.wrong.empty()) {
    return {.right = plain.complete ? right(plain, "without load buffering (exhaustive checker)") : ""};
  }
  const explored older = explore(r, limit, checker::release_sequences::cxx11);
  if (!older.wrong.empty()) return {.wrong = older.wrong, .raced = older.raced && older.complete};
  if (!older.complete) return {};
  return {.right = right(older, "under C++11's release sequences and without load buffering (exhaustive checker)")};
}

}  // namespace licit::matrix
