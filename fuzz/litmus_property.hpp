/// Any bytes as a litmus file: read, or refused with a place in the file; and what is read, is explored for a moment.
#ifndef LICIT_FUZZ_LITMUS_PROPERTY_HPP
#define LICIT_FUZZ_LITMUS_PROPERTY_HPP

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "checker/litmus/error.hpp"
#include "checker/litmus/explore.hpp"

namespace licit_fuzz {

/// Aborts when `parse`, which is the reader of litmus files or one with a fault, does not keep to that.
template <class Parse>
void check_reader(std::string_view source, const Parse& parse) {
  try {
    licit::litmus::explore(parse(source), {.max_executions = 20, .unroll = 2});
  } catch (const licit::litmus::syntax_error& e) {
    const bool inside = e.where().line >= 1 && e.where().column >= 1 && e.where().line <= source.size() + 1;
    if (inside && *e.what() != '\0') return;
    std::fprintf(stderr, "litmus reader: an error at line %u, column %u of %zu bytes: '%s'\n", e.where().line,
                 e.where().column, source.size(), e.what());
    std::abort();
  }
}

}  // namespace licit_fuzz

#endif
