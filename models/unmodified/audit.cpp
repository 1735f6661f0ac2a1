/// The audit: each operation of the user's own code with each weaker order.
#include <algorithm>
#include <compare>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>

#include "runtime.hpp"

namespace licit::unmodified {

namespace {

std::vector<order> weaker(deed what, order o) {
  using enum order;
  if (o == relaxed || what == deed::other) return {};
  if (what == deed::load) return o == seq_cst ? std::vector{acquire, relaxed} : std::vector{relaxed};
  if (what == deed::store) return o == seq_cst ? std::vector{release, relaxed} : std::vector{relaxed};
  if (o == seq_cst) return {acq_rel, acquire, release, relaxed};
  if (o == acq_rel) return {acquire, release, relaxed};
  return {relaxed};
}

/// The operations of one kind and order on one line, wherever they were inlined.
struct audited {
  std::vector<site*> sites = {};
  std::optional<order> strongest = {};
  std::optional<order> strongest_failure = {};
};

order strongest_of(unsigned bits) { return static_cast<order>(31 - __builtin_clz(bits)); }

const char* deed_name(deed what) {
  constexpr std::array names{"load", "store", "update", "compare-exchange", "fence", ""};
  return names[static_cast<std::size_t>(what)];
}

/// File and line, as a site's text has them: lines are sorted by number.
struct source_line {
  std::string file;
  unsigned long line = 0;

  explicit source_line(std::string_view text) : file(text.substr(0, text.rfind(':'))) {
    if (file.size() != text.size()) line = std::strtoul(text.data() + file.size() + 1, nullptr, 10);
  }
  auto operator<=>(const source_line&) const = default;
};

struct audited_key {
  source_line at;
  std::string name;  ///< the place and the deed
  unsigned orders;

  auto operator<=>(const audited_key&) const = default;
};

/// By place and deed, and by their orders: operations of one line that have different orders are different ones.
std::map<audited_key, audited> audited_sites() {
  name_sites();
  std::map<audited_key, audited> all;
  for (site* const s : all_sites()) {
    if (s->what == deed::other || s->orders == 0 || (!s->users && s->what != deed::fence)) continue;
    const std::string_view text = s->text.data();
    audited& a = all[{source_line(text), std::string(text) + " " + deed_name(s->what), s->orders}];
    a.sites.push_back(s);
    a.strongest = std::max(a.strongest.value_or(order::relaxed), strongest_of(s->orders));
    if (s->failures != 0) {
      a.strongest_failure = std::max(a.strongest_failure.value_or(order::relaxed), strongest_of(s->failures));
    }
  }
  return all;
}

/// False if a limit was reached.
bool try_order(const std::string& name, const audited& a, order from, order to, bool failure) {
  for (site* const s : a.sites) (failure ? s->weakened_failure : s->weakened) = static_cast<int>(to);
  const checker::verdict v = explored_again();
  for (site* const s : a.sites) s->weakened = s->weakened_failure = -1;
  const std::string what = name + (failure ? " on failure" : "");
  const std::string orders = std::string(licit::detail::name(from)) + " -> " + std::string(licit::detail::name(to));
  std::string finding = "not needed by this program";
  if (v.outcome == checker::outcome::violation)
    finding = "needed: " + std::string(checker::name(v.kind)) + ": " + v.message;
  if (v.outcome == checker::outcome::limit) finding = "not decided: a limit was reached";
  say("%-36s %-22s %s\n", what.c_str(), orders.c_str(), finding.c_str());
  return v.outcome != checker::outcome::limit;
}

}  // namespace

status audit() {
  bool decided = true;
  std::size_t count = 0;
  for (const auto& [key, a] : audited_sites()) {
    const std::string& name = key.name;
    ++count;
    const order now = *a.strongest;  // NOLINT(bugprone-unchecked-optional-access): it was performed
    const auto orders = weaker(a.sites.front()->what, now);
    if (orders.empty()) {
      say("%-36s %-22s nothing is weaker\n", name.c_str(), std::string(licit::detail::name(now)).c_str());
    }
    for (const order o : orders) decided = try_order(name, a, now, o, false) && decided;
    for (const order o : weaker(deed::load, a.strongest_failure.value_or(order::relaxed))) {
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): nothing is weaker than no order
      decided = try_order(name, a, *a.strongest_failure, o, true) && decided;
    }
  }
  if (count == 0) say("no atomic operation of the user's own code was met\n");
  return decided ? as_expected : undecided;
}

}  // namespace licit::unmodified
