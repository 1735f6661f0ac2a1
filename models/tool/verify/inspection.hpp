/// The rows of one structure: each program under each checker, and each mutant under the programs.
#ifndef LICIT_MODELS_TOOL_VERIFY_INSPECTION_HPP
#define LICIT_MODELS_TOOL_VERIFY_INSPECTION_HPP

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>

#include "catalogue.hpp"
#include "report.hpp"
#include "verify/command.hpp"

namespace licit::tool {

/// A way to check a program.
enum class way {
  exhaustive,
  exhaustive_cxx11,
  sampled,
  relacy_full,
  relacy_bound,
  relacy_random,
  relacy_glance,  ///< a tenth of the random executions, where nothing is expected
};

class inspection {
 public:
  /// `jobs`: processes of each exhaustive search.
  inspection(const models::structure& s, const verify_options& options, unsigned jobs)
      : of_{s}, options_{options}, jobs_{jobs} {}

  [[nodiscard]] std::size_t rows() const;

  /// Runs them all, and calls `done` with each.
  void run(std::function<void(result)> done);

 private:
  [[nodiscard]] bool has_programs() const { return options_.mutants.empty(); }
  [[nodiscard]] bool has_mutants() const {
    return options_.programs.empty() && options_.broken_by.empty() && options_.stall.empty() && !options_.shard;
  }
  [[nodiscard]] std::vector<way> ways(const models::program& p) const;
  /// Threads to stop in it, one a verdict.
  [[nodiscard]] std::vector<std::optional<unsigned>> stops(const models::program& p, way w) const;
  /// One hunt for the mutant a checker.
  [[nodiscard]] std::vector<std::vector<way>> hunts(const models::mutant& m) const;
  [[nodiscard]] bool has_broken() const;

  void check_programs();
  void check_program(const models::program& p, way w, std::optional<unsigned> stall);
  void check_broken(const models::program& p);
  /// The programs one after another, one way and then the next, until one of them violates. Where Relacy is blind to
  /// the mutant, none may.
  void hunt(const models::mutant& m, const std::vector<way>& by);

  models::verdict check(const models::program& p, way w, std::optional<unsigned> stall = {});
  models::verdict sampled(const models::program& p) const;
  models::verdict exhaustively(const models::program& p, way w, std::optional<unsigned> stall) const;
  models::verdict under_relacy(const models::program& p, way w) const;

  const models::structure& of_;
  const verify_options& options_;
  unsigned jobs_;
  std::function<void(result)> done_;
  bool hunting_ = false;
};

/// Whether the list names it; an empty one names everything.
bool chosen(const std::vector<std::string>& names, std::string_view name);

}  // namespace licit::tool

#endif
