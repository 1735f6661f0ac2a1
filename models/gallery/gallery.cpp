#include "gallery/gallery.hpp"

#include <iterator>
#include <utility>
#include <vector>

namespace licit::models::gallery {

namespace {

std::vector<exhibit> hang() {
  std::vector<exhibit> all;
  for (const auto room : {chase_lev_2005, le_2013, push_forms, relaxed_ring, half, scheduler_article, first_principles,
                          overview, packed_queue, three_counters, taskpools, taskflow, blocks, blocks_with_rounds}) {
    std::vector<exhibit> some = room();
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return all;
}

std::string as_code(std::string_view program) {
  std::string text = "`";
  for (const char c : program) {
    if (c == '|') text += '\\';  // a column of the table otherwise
    text += c;
  }
  return text + "`";
}

/// Of the whole exhibit under one rule: how many programs are right, and how each of the others fails.
std::string verdict_of(const exhibit& e, checker::release_sequences rule) {
  std::size_t well = 0;
  std::string failures;
  for (const showing& s : e.showings) {
    const expectation& expected = s.expected(rule);
    if (expected.kind == checker::violation::none) {
      ++well;
      continue;
    }
    if (!failures.empty()) failures += "; ";
    failures += describe(expected) + ": " + as_code(s.program) + ", " + std::string(s.size);
  }
  if (well == 0) return failures;
  const std::string right = "ok: " + std::to_string(well) + (well == 1 ? " program" : " programs");
  return failures.empty() ? right : right + "; " + failures;
}

}  // namespace

std::span<const exhibit> exhibits() {
  static const std::vector<exhibit> all = hang();
  return all;
}

std::string describe(const expectation& e) {
  if (e.kind == checker::violation::none) return "ok";
  return std::string(e.kind == checker::violation::assertion ? e.message : name(e.kind));
}

std::string readme_row(const exhibit& e) {
  const std::string cxx20 = verdict_of(e, checker::release_sequences::cxx20);
  const std::string cxx11 = verdict_of(e, checker::release_sequences::cxx11);
  return "| `" + std::string(e.name) + "` | " + std::string(e.source) + " | " + cxx20 + " | " +
         (cxx11 == cxx20 ? "the same" : cxx11) + " | " + std::string(e.lesson) + " |";
}

checker::verdict run(const showing& s, checker::release_sequences rule, std::uint64_t limit) {
  return s.run({.sequences = rule, .max_executions = limit, .timeouts = s.timeouts});
}

}  // namespace licit::models::gallery
