#include "machine/matrix/changes.hpp"

#include <algorithm>
#include <string>

namespace licit::matrix {

std::optional<std::vector<codegen::change>> changes_of(const codegen::structure& s, const row& r) {
  std::vector<codegen::change> all;
  for (const models::mutation& m : r.changes) {
    const auto found = std::ranges::find(s.rows, m.site, &licit::row::site);
    if (found == s.rows.end() || m.how != models::change::weaken || m.failure != found->failure) return std::nullopt;
    all.push_back({static_cast<std::size_t>(found - s.rows.begin()), std::string(licit::name(m.success))});
  }
  return all.empty() ? std::nullopt : std::optional(all);
}

}  // namespace licit::matrix
