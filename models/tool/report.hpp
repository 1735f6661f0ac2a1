/// The verdict table, histories and JSON.
#ifndef LICIT_MODELS_TOOL_REPORT_HPP
#define LICIT_MODELS_TOOL_REPORT_HPP

#include <string>
#include <string_view>
#include <vector>

#include "verdict.hpp"

namespace licit::tool {

/// One verdict: a program as it is, or a mutant under the programs that were tried on it.
struct result {
  std::string program;
  std::string checker;
  std::string mutant;  ///< empty: the program as it is
  std::string note;    ///< why the expectation is what it is, where that needs saying
  models::verdict got;
  models::outcome_of_check expected = models::outcome_of_check::ok;

  [[nodiscard]] bool as_expected() const { return got.outcome == expected; }
};

void print_heading(std::string_view title);
void print_row(const result& r);
void print_history(const result& r);

/// Throws std::runtime_error that names the file and the reason.
void write_json(const std::string& file, const std::vector<result>& results);

}  // namespace licit::tool

#endif
