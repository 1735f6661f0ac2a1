#include <algorithm>

#include <licit/audit/subject.hpp>

namespace licit::audit {

namespace {

std::vector<order> orders_of(operation kind) {
  using enum order;
  switch (kind) {
    case operation::load: return {relaxed, acquire, seq_cst};
    case operation::store: return {relaxed, release, seq_cst};
    case operation::compare_exchange:
    case operation::update:
    case operation::fence: return {relaxed, acquire, release, acq_rel, seq_cst};
    case operation::light_fence:
    case operation::heavy_fence: return {relaxed, seq_cst};
  }
  return {};
}

std::vector<order> failure_orders_of(operation kind) {
  return kind == operation::compare_exchange ? orders_of(operation::load) : std::vector{order::relaxed};
}

}  // namespace

bool no_stronger(const assignment& a, const assignment& b) {
  return std::ranges::equal(a, b, [](const level& x, const level& y) { return no_stronger(x, y); });
}

std::vector<level> levels_of(const row& r) {
  std::vector<level> all;
  for (const order s : orders_of(r.kind)) {
    for (const order f : failure_orders_of(r.kind)) all.push_back({s, f});
  }
  return all;
}

std::vector<level> weaker_than(const row& r, const level& now) {
  std::vector<level> weaker;
  for (const level& l : levels_of(r)) {
    const bool one = (l.success == now.success) != (l.failure == now.failure);
    if (one && no_stronger(l, now)) weaker.push_back(l);
  }
  std::ranges::reverse(weaker);
  return weaker;
}

level strongest(const row& r) { return levels_of(r).back(); }

}  // namespace licit::audit
