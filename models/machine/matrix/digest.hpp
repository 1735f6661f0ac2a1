/// Digests of the sources that a structure's cells rest on.
#ifndef LICIT_MODELS_MATRIX_DIGEST_HPP
#define LICIT_MODELS_MATRIX_DIGEST_HPP

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/matrix/results.hpp"

namespace licit::matrix {

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
