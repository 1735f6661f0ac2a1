/// The kill matrix for people: on a terminal, in Markdown, as a page of HTML.
#ifndef LICIT_MODELS_MATRIX_PAGES_HPP
#define LICIT_MODELS_MATRIX_PAGES_HPP

#include <string>

#include "machine/matrix/results.hpp"

namespace licit::matrix {

/// A cell in a few characters: "12" (caught after 12 executions), "12 (2/3)" (by two of three seeds), "– 1.2 M" (not
/// caught within so many), "blind", "not run"; for a control "ok" or "ALARM".
std::string brief(const cell* c, bool control);

/// Everything that the cell says, in sentences.
std::string in_full(const cell* c, bool control);

/// 950, 12.3 k, 4.5 M.
std::string counted(std::uint64_t n);

/// The totals of each column, and by name what is uncaught and who raised a false alarm.
std::string summary_text(const results& r);

std::string markdown(const results& r);
std::string html(const results& r);

}  // namespace licit::matrix

#endif
