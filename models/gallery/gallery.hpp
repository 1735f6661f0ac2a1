/// The gallery: published deques, queues and an idle protocol, each with its verdict under the exhaustive checker.
#ifndef LICIT_MODELS_GALLERY_GALLERY_HPP
#define LICIT_MODELS_GALLERY_GALLERY_HPP

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gallery/exhibit.hpp"

namespace licit::models::gallery {

std::span<const exhibit> exhibits();

/// What the expectation says, in a few words: a failed check by its message.
std::string describe(const expectation& e);

/// The exhibit's row in models/gallery/README.md.
std::string readme_row(const exhibit& e);

/// The exhibits, by the file that they are in.
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
