/// What the tests of generated clients share.
#ifndef LICIT_TESTS_SUITES_FIRST_WRONG_HPP
#define LICIT_TESTS_SUITES_FIRST_WRONG_HPP

#include <string>

#include <licit/checker/run.hpp>

#include "suites/every/clients.hpp"
#include "suites/structure.hpp"

namespace licit::suites_test {

/// The first line, by the number of calls, that fails; empty: none does.
template <template <class> class Client>
std::string first_wrong_part(unsigned calls, const std::string& before = "", bool full = false) {
  using promise = typename Client<checker::model>::promise;
  std::string wrong;
  for (unsigned n = 1; n <= calls && wrong.empty(); ++n) {
    suites::client_size size{promise::owner, promise::thief, 2, n};
    if (full) size.owner = promise::all_of_owner, size.thief = promise::all_of_thief;
    if (size.owner.empty()) size.thieves = 3;
    if constexpr (requires { promise::alike; }) size.alike = promise::alike;
    suites::client_generator(size, [&](const std::string& text) {
      const std::string line = before + ":" + text;
      const checker::verdict v = suites::detail::specified_program<Client>(line).explore({});
      if (v.outcome == checker::outcome::violation) wrong = line + ": " + v.message;
      return wrong.empty();
    }).run();
  }
  return wrong;
}

/// What is wrong with the client; empty: nothing.
template <template <class> class Client>
std::string verdict_on(const std::string& line) {
  return suites::detail::specified_program<Client>(line).explore({}).message;
}
/// How it begins if a promise is broken.
inline std::string unexplained(const std::string& line) {
  return line + (line.empty() ? "" : ": ") + "no order of the calls respects happens-before and the specification: ";
}

}  // namespace licit::suites_test

#endif
