/// The kill matrix as it is filled: rows, columns, and a cell for each pair that was judged; and in files. JSON has
/// every detail of every cell. The record, which is committed, has a line a row.
#ifndef LICIT_MODELS_MATRIX_RESULTS_HPP
#define LICIT_MODELS_MATRIX_RESULTS_HPP

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/matrix/cell.hpp"

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

inline constexpr unsigned json_version = 2;
inline constexpr unsigned record_version = 2;

std::string to_json(const results& r);
std::string to_json(const cell& c);

/// Throws std::runtime_error that names `where` and says what is wrong.
cell read_cell(const std::string& text, const std::string& where);

/// A remark of cells: why one was not caught, by what alone it is, and so on. Tables have a letter in its place.
struct remark {
  char code;
  std::string_view what;  ///< reason, note, only or excuse: a field of `cell`
  std::string text;
};

/// Of all cells, each once, in the order of the rows.
std::vector<remark> remarks_of(const results& r);

/// The cell's letters.
std::string codes_of(const cell& c, const std::vector<remark>& known);

/// The record, format in README.md. It leaves out seconds, complaints, and what stands behind the first colon of a
/// reason; the program that caught the row only where nothing is left to chance.
std::string to_record(const results& r);

/// Throws std::runtime_error that names `where` and the line.
results read_record(const std::string& text, const std::string& where);

/// What either wrote. Throws std::runtime_error that names `where` and, for a record, the line.
results read_results(const std::string& text, const std::string& where);

/// A cell's remark as the record has it: what stands before its first colon.
std::string_view in_short(std::string_view remark);

/// C++ source without comments, white space and include directives: what may change without another digest.
std::string bare(std::string_view source);

/// Of the files, by name and bare text: 16 hexadecimal digits (FNV-1a). The same for the same files in any folder.
std::string digest_of(std::vector<std::filesystem::path> files);

/// The file and all that it includes of the project, in the folders of `roots`, without the checker's.
std::vector<std::filesystem::path> closure_of(const std::filesystem::path& file,
                                              const std::vector<std::filesystem::path>& roots);

/// The file of models/suites that has the structure's suite. Throws std::runtime_error when there is none.
std::filesystem::path suite_of(std::string_view structure);

/// Its type's name, "chase_lev_suite".
std::string suite_name(std::string_view structure);

/// Of each structure, by its name: `code` of what its suite's file reaches in deque/ and scheduler/, `clients` of what
/// it reaches in models/suites/. In the source tree of this build. Throws std::runtime_error for a structure that has
/// no file there.
std::map<std::string, sources> sources_of(const std::vector<std::string>& structures);

}  // namespace licit::matrix

#endif
