/// Results in files. JSON has every detail of every cell. The record, which is committed, has a line a row.
#ifndef LICIT_MODELS_MATRIX_RECORD_HPP
#define LICIT_MODELS_MATRIX_RECORD_HPP

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/matrix/results.hpp"

namespace licit::matrix {

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
