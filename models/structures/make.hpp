/// How the entry of a structure is made.
#ifndef LICIT_MODELS_STRUCTURES_MAKE_HPP
#define LICIT_MODELS_STRUCTURES_MAKE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <licit/checker/live_orders.hpp>

#include "catalogue.hpp"
#include "programs/list.hpp"

namespace licit::models {

template <template <class> class Program, bool Relacy>
program program_of() {
  using info = Program<checker::model>;
  program p{info::about, nullptr, &checker::run<Program>};
  if constexpr (Relacy && info::about.relacy != reach::none) p.under_relacy = &relacy::run<Program>;
  return p;
}

template <bool Relacy, template <class> class... Programs>
std::vector<program> programs_of(program_list<Programs...> /*all*/) {
  return {program_of<Programs, Relacy>()...};
}

template <const auto& Table, template <class> class... Programs>
audit::subject subject_of(program_list<Programs...> /*all*/) {
  return audit::subject_of<Table, Programs...>();
}

/// The mutants of both.
template <std::size_t N, std::size_t M>
constexpr std::array<mutant, N + M> joined(const std::array<mutant, N>& a, const std::array<mutant, M>& b) {
  std::array<mutant, N + M> all{};
  std::ranges::copy(b, std::ranges::copy(a, all.begin()).out);
  return all;
}

/// Without Relacy if `Relacy` says so, for a reason.
template <const auto& Table, class Programs, class Broken = program_list<>, bool Relacy = true>
structure structure_of(std::span<const mutant> mutants, std::string_view no_relacy = {}) {
  return {.name = Table.structure,
          .programs = programs_of<Relacy>(Programs{}),
          .mutants = mutants,
          .broken = programs_of<false>(Broken{}),
          .audited = subject_of<Table>(Programs{}),
          .apply = &live_orders<Table>::apply,
          .reset = &live_orders<Table>::reset,
          .no_relacy = no_relacy};
}

}  // namespace licit::models

#endif
