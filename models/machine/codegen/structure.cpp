#include "structure.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <stdexcept>

#include <licit/deque/chase_lev_asymmetric_orders.hpp>
#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/run_queue_orders.hpp>
#include <licit/deque/split_orders.hpp>
#include <licit/deque/tagged_asymmetric_orders.hpp>
#include <licit/deque/tagged_orders.hpp>

namespace licit::codegen {

namespace {

template <const auto& Table>
constexpr structure structure_of(std::string_view header, std::string_view type, std::string_view adaptor = {}) {
  return {Table.structure, header, type, adaptor, Table.rows};
}

}  // namespace

std::vector<std::string> structure::definitions() const {
  std::vector<std::string> all{fmt::format("-DLICIT_HEADER=<{}>", header), fmt::format("-DLICIT_STRUCTURE={}", type)};
  if (!adaptor.empty()) all.push_back(fmt::format("-DLICIT_ADAPTOR={}", adaptor));
  return all;
}

std::span<const structure> structures() {
  static constexpr std::array all{
      structure_of<chase_lev_orders>("licit/deque/steal_half.hpp", "licit::chase_lev"),
      structure_of<chase_lev_asymmetric_orders>("licit/deque/steal_half.hpp", "licit::chase_lev", "licit::asymmetric"),
      structure_of<tagged_orders>("licit/deque/tagged.hpp", "licit::tagged_deque"),
      structure_of<tagged_asymmetric_orders>("licit/deque/tagged.hpp", "licit::tagged_deque", "licit::asymmetric"),
      structure_of<run_queue_orders>("licit/deque/run_queue.hpp", "licit::run_queue"),
      structure_of<split_orders>("licit/deque/split.hpp", "licit::split_deque"),
  };
  return all;
}

const structure& find_structure(std::string_view name) {
  const auto all = structures();
  const auto found = std::ranges::find(all, name, &structure::name);
  if (found != all.end()) return *found;
  std::vector<std::string_view> names;
  for (const structure& s : all) names.push_back(s.name);
  throw std::invalid_argument(fmt::format("there is no structure {}; there are: {}", name, fmt::join(names, " ")));
}

}  // namespace licit::codegen
