#include "machine/matrix/outcomes.hpp"

#include <set>
#include <string_view>

#include <licit/checker/run.hpp>

#include "core/graph.hpp"
#include "machine/matrix/rows.hpp"

namespace licit::matrix {

namespace {

/// Two of them are the same for two executions that differ with the probability of a collision of 64 bits.
using outcome = std::uint64_t;

constexpr outcome spread(outcome hash, std::uint64_t with) {
  hash = (hash ^ with) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29U);
}

outcome outcome_of(const checker::graph& g) {
  outcome hash = 0;
  for (unsigned t = 0; t != checker::max_threads; ++t) {
    hash = spread(hash, t);
    for (const checker::event_id id : g.thread(t)) {
      const checker::event& e = g[id];
      if (e.op.what == checker::action::fence) continue;  // it is not seen but by what others read
      for (const char c : std::string_view(e.op.site == nullptr ? "" : e.op.site)) {
        hash = spread(hash, static_cast<unsigned char>(c));
      }
      hash = spread(spread(hash, static_cast<std::uint64_t>(e.op.what)), e.value);
    }
  }
  return hash;
}

std::optional<std::set<outcome>> outcomes_of(const models::program& p, std::uint64_t limit) {
  std::set<outcome> all;
  const auto note = [&](const checker::graph& g) { all.insert(outcome_of(g)); };
  const checker::verdict v = p.explore({.max_executions = limit, .observe = note, .observe_blocked = note});
  return v.end == checker::ending::ok ? std::optional(std::move(all)) : std::nullopt;
}

std::optional<std::set<outcome>> outcomes_with(const row& r, const models::program& p, std::uint64_t limit) {
  const applied change(r);
  return outcomes_of(p, limit);
}

}  // namespace

std::optional<bool> same_outcomes(const row& r, std::uint64_t limit) {
  if (r.what == kind::broken) return std::nullopt;  // there is nothing that it would be compared with
  row unchanged = r;
  unchanged.changes.clear();
  for (const models::program* p : programs_of(r)) {
    const auto mine = outcomes_with(r, *p, limit);
    const auto theirs = outcomes_with(unchanged, *p, limit);
    if (!mine || !theirs) return std::nullopt;
    if (*mine != *theirs) return false;
  }
  return true;
}

}  // namespace licit::matrix
