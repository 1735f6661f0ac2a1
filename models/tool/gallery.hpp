/// `licit gallery`: published deques under the exhaustive checker, each with the verdict that is expected of it.
#ifndef LICIT_MODELS_TOOL_GALLERY_HPP
#define LICIT_MODELS_TOOL_GALLERY_HPP

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gallery/gallery.hpp"

namespace licit::tool {

struct gallery_options {
  std::vector<std::string> names;    ///< empty: all; else these only, each with its execution where it fails
  std::string json;                  ///< file for the results, or empty
  std::uint64_t limit = 10'000'000;  ///< executions of one program
};

/// Every exhibit's name.
std::vector<std::string> gallery_names();

/// Runs the chosen of the exhibits and prints what came of them; the exit status, as `verify`'s. Throws
/// std::runtime_error when the JSON cannot be written.
int gallery(const gallery_options& options,
            std::span<const models::gallery::exhibit> shown = models::gallery::exhibits());

/// Prints the exhibits, where they come from and what is claimed of them.
void list_gallery();

}  // namespace licit::tool

#endif
