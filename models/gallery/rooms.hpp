/// The exhibits, by the file that they are in.
#ifndef LICIT_MODELS_GALLERY_ROOMS_HPP
#define LICIT_MODELS_GALLERY_ROOMS_HPP

#include <vector>

#include "gallery/exhibit.hpp"

namespace licit::models::gallery {

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
