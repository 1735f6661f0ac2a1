/// The gallery: published deques, queues and an idle protocol, each with its verdict under the exhaustive checker.
#ifndef LICIT_MODELS_GALLERY_GALLERY_HPP
#define LICIT_MODELS_GALLERY_GALLERY_HPP

#include <span>
#include <string>
#include <string_view>

#include "gallery/exhibit.hpp"

namespace licit::models::gallery {

std::span<const exhibit> exhibits();

/// What the expectation says, in a few words: a failed check by its message.
std::string describe(const expectation& e);

/// The exhibit's row in models/gallery/README.md.
std::string readme_row(const exhibit& e);

}  // namespace licit::models::gallery

#endif
