/// The kill matrix as it is filled: rows, columns, and a cell for each pair that was judged.
#ifndef LICIT_MODELS_MATRIX_RESULTS_HPP
#define LICIT_MODELS_MATRIX_RESULTS_HPP

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/matrix/cell.hpp"
#include "machine/matrix/column.hpp"

namespace licit::matrix {

/// What is told of a column. Results that were read from a file have no means of judging.
struct heading {
  std::string name;
  std::string title;
  std::string how;
  std::string machine = {};  ///< of the cells that were run last, if that was another than this one

  /// `how`, and on what.
  [[nodiscard]] std::string in_full() const { return machine.empty() ? how : how + "; on " + machine; }
};

struct judged_row {
  row of = {};
  std::map<std::string, cell> cells = {};  ///< by the column's name

  /// Null: not judged.
  [[nodiscard]] const cell* find(std::string_view column) const;
  [[nodiscard]] bool caught() const;
};

/// What a structure's cells were judged on.
struct sources {
  std::string code = {};     ///< digest of the algorithm and its table (digest.hpp)
  std::string clients = {};  ///< digest of the suite's file: client programs, mutants
  std::string made = {};     ///< when and by which command
};

struct results {
  std::string version = {};                    ///< of licit
  std::string budget = {};                     ///< by its name; of results put together "normal, ci"
  std::map<std::string, sources> judged = {};  ///< by the structure's name
  std::vector<heading> columns = {};
  std::vector<judged_row> rows = {};
};

/// The rows and columns, no cell judged, for these sources.
results blank(const std::vector<row>& rows, const std::vector<column>& columns, std::string_view budget,
              const std::map<std::string, sources>& judged);

/// Takes over those of `earlier`'s cells that were run, and are of the same row with the same change; and on which
/// machine they were. A structure whose algorithm has another digest is left out, unless `all`. The number.
std::size_t take_over(results& r, const results& earlier, bool all = false);

/// How a column did.
struct total {
  std::size_t caught = 0;
  std::size_t not_caught = 0;
  std::size_t cannot_see = 0;
  std::size_t not_run = 0;       ///< or not judged
  std::size_t clean = 0;         ///< controls in which nothing was found
  std::size_t false_alarms = 0;  ///< controls in which something was
};

total total_of(const results& r, std::string_view column);

/// Mutants that no column caught.
std::vector<const judged_row*> uncaught(const results& r);

/// Rows by name, under a heading.
struct name_list {
  std::string heading;
  std::vector<std::string> names;
};

/// What is uncaught, and false alarms, those by a known fault apart.
std::vector<name_list> name_lists(const results& r);

/// "chase-lev/push.room relaxed: it takes load buffering": mutants that the column was run for and did not catch, each
/// with what is known of why: the cell's own reason, what the exhaustive checker catches it by alone; or "not
/// explained".
std::vector<std::string> missed(const results& r, std::string_view column);

/// "chase-lev/every order seq_cst by random": controls that a column complained of, without an excuse.
std::vector<std::string> false_alarms(const results& r);

/// The same by a known fault of the column, which is named.
std::vector<std::string> excused_alarms(const results& r);

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
