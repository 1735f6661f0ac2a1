#include "gallery/gallery.hpp"

#include <iterator>
#include <utility>
#include <vector>

#include "gallery/rooms.hpp"

namespace licit::models::gallery {

namespace {

std::vector<exhibit> hang() {
  std::vector<exhibit> all;
  for (const auto room : {chase_lev_2005, le_2013, push_forms, relaxed_ring, scheduler_article, first_principles,
                          overview, packed_queue, three_counters, taskpools, taskflow, blocks, blocks_with_rounds}) {
    std::vector<exhibit> some = room();
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return all;
}

std::string verdict_of(const showing& s) {
  const std::string cxx20 = describe(s.cxx20);
  const std::string cxx11 = describe(s.cxx11);
  return cxx20 == cxx11 ? cxx20 : cxx20 + "; C++11: " + cxx11;
}

}  // namespace

std::span<const exhibit> exhibits() {
  static const std::vector<exhibit> all = hang();
  return all;
}

std::string describe(const expectation& e) {
  return e.kind == checker::violation::none ? "right" : std::string(name(e.kind));
}

std::string readme_row(const exhibit& e) {
  std::string row = "| `" + std::string(e.name) + "` | " + std::string(e.source) + " | ";
  for (const showing& s : e.showings) {
    if (&s != &e.showings.front()) row += "<br>";
    std::string program(s.program);
    for (std::size_t at = 0; (at = program.find('|', at)) != std::string::npos; at += 2) program.insert(at, "\\");
    row += "`" + program + "`, " + std::string(s.size) + ": " + verdict_of(s);
  }
  return row + " | " + std::string(e.lesson) + " |";
}

checker::verdict run(const showing& s, checker::release_sequences rule, std::uint64_t limit) {
  return s.run({.sequences = rule, .max_executions = limit, .timeouts = s.timeouts});
}

}  // namespace licit::models::gallery
