/// Generated clients: all of a size (suites/every/clients.hpp), explored and judged by the structure's specification.
#ifndef LICIT_MODELS_TOOL_VERIFY_EVERY_HPP
#define LICIT_MODELS_TOOL_VERIFY_EVERY_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "report.hpp"
#include "suites/structure.hpp"
#include "verify/command.hpp"

namespace licit::tool {

/// Which clients are generated, apart from the number of their calls.
struct client_shape {
  std::string_view rules = {};  ///< the structure's, by their name; empty: those that it has
  suites::alphabet words = {};
  unsigned thieves = 2;                   ///< at most
  bool alike = true;                      ///< these
  unsigned filling = 0;                   ///< items before, at most
  std::vector<unsigned> capacities = {};  ///< initial ones; 0: it has none
  suites::beginnings before = {};
  bool edges = false;  ///< judged with an edge from outside, too
};

/// As the options say; capacities that they do not name are the specification's.
client_shape shape_of(const suites::specified_structure& s, const verify_options& o);

/// "an owner (push, pop) and up to 2 thieves (steal), capacities 1 and 2, no edge from outside".
std::string text_of(const client_shape& shape);

/// Calls `each` with every client of so many calls, as a line, until it returns false.
void for_each_client(const client_shape& shape, unsigned calls, const std::function<bool(const std::string&)>& each);

/// How many there are, by the closed form.
std::uint64_t count_of(const client_shape& shape, unsigned calls);

/// All that every verification has, under both rules of release sequences: a row, or one for each rule where they
/// differ. They end at the first client that fails. `full`: of the full alphabet, and judged with an edge from outside.
std::vector<result> check_clients(const suites::structure& s, const suites::specified_structure& every, bool full,
                                  std::uint64_t limit);

/// `--kill`, of one structure: prints, for each mutant, the smallest client that finds it, and adds the rows. Throws
/// std::runtime_error if a process died.
exit_status print_kills(const suites::structure& s, const verify_options& o, unsigned jobs,
                        std::vector<nlohmann::ordered_json>& rows);

}  // namespace licit::tool

#endif
