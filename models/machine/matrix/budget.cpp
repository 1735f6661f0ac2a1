#include <algorithm>
#include <array>
#include <stdexcept>

#include "machine/matrix/column.hpp"

namespace licit::matrix {

namespace {

constexpr std::array budgets{
    budget{.name = "ci",
           .exhaustive = 20'000,
           .both_rules = false,
           .sample = 10'000,
           .relacy = 2'000,
           .fuzz = 5'000,
           .stress = 2'000,
           .stress_seconds = 2,
           .seeds = 1,
           .control = 10'000,
           .control_seconds = 2},
    budget{.name = "normal",
           .exhaustive = 5'000'000,
           .both_rules = true,
           .sample = 20'000,
           .relacy = 20'000,
           .fuzz = 20'000,
           .stress = 20'000,
           .stress_seconds = 10,
           .seeds = 3,
           .control = 100'000,
           .control_seconds = 120},
    budget{.name = "nightly",
           .exhaustive = 50'000'000,
           .both_rules = true,
           .sample = 100'000,
           .relacy = 100'000,
           .fuzz = 500'000,
           .stress = 100'000,
           .stress_seconds = 60,
           .seeds = 5,
           .control = 500'000,
           .control_seconds = 200},
};

}  // namespace

const budget& find_budget(std::string_view name) {
  const auto* const found = std::ranges::find(budgets, name, &budget::name);
  if (found != budgets.end()) return *found;
  throw std::invalid_argument("licit: there is no budget " + std::string(name) + "; there are: ci normal nightly");
}

budget budget_for(const row& r, const budget& b) {
  budget own = b;
  if (!r.is_control()) return own;
  const std::uint64_t seeds = std::max(b.seeds, 1U);
  const std::uint64_t by_a_seed = (b.control + seeds - 1) / seeds;
  for (std::uint64_t budget::* each : {&budget::sample, &budget::fuzz, &budget::stress}) {
    own.*each = std::max(own.*each, by_a_seed);
  }
  own.stress_seconds = b.control_seconds;
  return own;
}

std::vector<std::string> budget_names() {
  std::vector<std::string> all;
  all.reserve(budgets.size());
  for (const budget& b : budgets) all.emplace_back(b.name);
  return all;
}

}  // namespace licit::matrix
