/// The gallery: published deques, queues and an idle protocol, each with its verdict under the exhaustive checker.
#ifndef LICIT_MODELS_GALLERY_GALLERY_HPP
#define LICIT_MODELS_GALLERY_GALLERY_HPP

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <licit/checker/explore.hpp>

namespace licit::models::gallery {

/// What a program must come to under one rule of release sequences.
struct expectation {
  checker::violation kind = checker::violation::none;
  std::string_view message = {};  ///< the verdict's message holds it; of a violation only
  std::uint64_t executions = 0;   ///< exactly so many, if every one is right
  /// A thread goes round in a loop. Where the compiler leaves dead values in its frame, the checker knows that a round
  /// later: then there are up to half as many more. Of what clang++ compiles there are as few as half.
  bool loops = false;

  [[nodiscard]] bool met_by(const checker::verdict& v) const {
    return v.outcome != checker::outcome::limit && v.kind == kind && v.message.find(message) != std::string::npos;
  }
};

/// Every execution is right, and there are so many.
constexpr expectation right(std::uint64_t executions) { return {.executions = executions}; }
constexpr expectation right_with_loops(std::uint64_t executions) { return {.executions = executions, .loops = true}; }

constexpr expectation wrong(checker::violation kind, std::string_view message) {
  return {.kind = kind, .message = message};
}

/// One program of an exhibit.
struct showing {
  std::string_view program;  ///< a client line
  std::string_view size;     ///< of the structure in it
  expectation cxx20;
  expectation cxx11;
  checker::explorer run;
  bool timeouts = true;  ///< timed waits may end by their time limit

  [[nodiscard]] const expectation& expected(checker::release_sequences rule) const {
    return rule == checker::release_sequences::cxx20 ? cxx20 : cxx11;
  }
};

struct exhibit {
  std::string_view name;
  std::string_view file;    ///< under models/gallery: whose it is in full, and what is our reading
  std::string_view source;  ///< in short
  std::string_view claim;   ///< what the source says of it, or what it is shown for
  std::string_view lesson;
  std::vector<showing> showings;
};

/// Explores it under the rule, every execution or at most `limit`.
checker::verdict run(const showing& s, checker::release_sequences rule, std::uint64_t limit);

std::span<const exhibit> exhibits();

/// What the expectation says, in a few words: a failed check by its message.
std::string describe(const expectation& e);

/// The exhibit's row in models/gallery/README.md.
std::string readme_row(const exhibit& e);

/// The exhibits, by the file that they are in; `push_forms` and `half` are in le_2013.cpp.
std::vector<exhibit> chase_lev_2005();
std::vector<exhibit> le_2013();
std::vector<exhibit> push_forms();
std::vector<exhibit> relaxed_ring();
std::vector<exhibit> half();
std::vector<exhibit> scheduler_article();
std::vector<exhibit> first_principles();
std::vector<exhibit> overview();
std::vector<exhibit> packed_queue();
std::vector<exhibit> three_counters();
std::vector<exhibit> taskpools();
std::vector<exhibit> taskflow();
std::vector<exhibit> blocks();
std::vector<exhibit> blocks_with_rounds();

}  // namespace licit::models::gallery

#endif
