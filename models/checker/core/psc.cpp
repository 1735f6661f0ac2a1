#include "core/psc.hpp"

#include <algorithm>
#include <limits>

namespace licit::checker::detail {

namespace {

constexpr unsigned never = std::numeric_limits<unsigned>::max();

bool happens_before(const event& a, const event& b) { return &a != &b && a.within(b.happened); }

bool happens_before_or_is(const event& a, const event& b) { return a.within(b.happened); }

/// What the checker has for itself, and no axiom speaks of: ghosts, allocations, the queue of who waits.
bool is_bookkeeping(const event& e) {
  return e.is_ghost() || e.is_light() || e.of_queue() || e.op.what == action::allocate ||
         e.op.what == action::release || e.op.what == action::awake || e.op.what == action::destroy;
}

bool same_location(const event& a, const event& b) {
  return !a.is_fence() && !b.is_fence() && a.op.location == b.op.location;
}

/// A light fence is ordered with heavy fences, and with nothing else.
bool strangers(const event& a, const event& b) {
  return (a.is_light() && b.op.weight != asymmetry::heavy) || (b.is_light() && a.op.weight != asymmetry::heavy);
}

/// Before in program order, and of another location: the first after `a` and the last before `b`, or null.
const event* next_elsewhere(const graph& g, const event& a) {
  const auto t = g.thread(a.thread());
  for (std::size_t i = a.index + std::size_t{1}; i < t.size(); ++i) {
    if (!is_bookkeeping(g[t[i]]) && !same_location(a, g[t[i]])) return &g[t[i]];
  }
  return nullptr;
}

const event* previous_elsewhere(const graph& g, const event& b) {
  const auto t = g.thread(b.thread());
  for (std::size_t i = b.index; i-- != 0;) {
    if (!is_bookkeeping(g[t[i]]) && !same_location(b, g[t[i]])) return &g[t[i]];
  }
  return nullptr;
}

const event* next(const graph& g, const event& a) {
  const auto t = g.thread(a.thread());
  return a.index + std::size_t{1} < t.size() ? &g[t[a.index + std::size_t{1}]] : nullptr;
}

}  // namespace

/// What was added has nothing after it but what modification order and from-reads lead to. So a cycle goes through it,
/// or from a fence before it, to a newer access, and from there on by that access or by a fence after it.
bool psc::may_close_cycle(const graph& g, event_id added) {
  const event& e = g[added];
  clock behind = e.happened;
  bool leads = e.sequential();
  if (e.reads() && e.source != initial && e.source > added) {  // a revisit, whose write is as new
    behind.join(g[e.source].happened);
    leads = leads || g[e.source].sequential();
  }
  const auto fences = g.fences();
  if (!leads && std::ranges::none_of(fences, [&](event_id f) { return g[f].within(behind); })) return false;
  const unsigned key = g.key(e);
  for (event_id id = g.last_access(e.op.location); id != initial; id = g[id].chained) {
    const event& newer = g[id];
    if ((!newer.reads() && !newer.writes()) || g.key(newer) <= key) continue;
    if (newer.sequential()) return true;
    if (std::ranges::any_of(fences, [&](event_id f) { return newer.within(g[f].happened); })) return true;
  }
  return false;
}

void psc::collect(const graph& g) {
  sequential_.clear();
  for (event_id id = 0; id != g.size(); ++id) {
    if (g[id].sequential() || g[id].is_light()) sequential_.push_back(id);
  }
  order_.reset(sequential_.size());
}

/// The edges that do not ask which location: program order, po-elsewhere; hb; po-elsewhere, and hb to and from fences.
void psc::order_by_program(const graph& g) {
  elsewhere_before_.clear();
  for (const event_id each : sequential_) {
    elsewhere_before_.push_back(g[each].is_fence() ? nullptr : previous_elsewhere(g, g[each]));
  }
  for (std::size_t i = 0; i != sequential_.size(); ++i) {
    const event& a = g[sequential_[i]];
    const event* after_a = next(g, a);
    const event* elsewhere_after_a = a.is_fence() ? nullptr : next_elsewhere(g, a);
    for (std::size_t j = 0; j != sequential_.size(); ++j) {
      if (i == j) continue;
      const event& b = g[sequential_[j]];
      if (strangers(a, b)) continue;
      if (a.thread() == b.thread()) {
        if (a.index < b.index) edge(i, j);
        continue;
      }
      const event* before_b = g.previous(b);
      if (a.is_fence() && b.is_fence()) {
        if (happens_before(a, b)) edge(i, j);
      } else if (a.is_fence()) {
        if (before_b != nullptr && happens_before_or_is(a, *before_b)) edge(i, j);
      } else if (b.is_fence()) {
        if (after_a != nullptr && happens_before_or_is(*after_a, b)) edge(i, j);
      } else if (elsewhere_after_a != nullptr) {
        const event* elsewhere_before_b = elsewhere_before_[j];
        if (elsewhere_before_b != nullptr && happens_before(*elsewhere_after_a, *elsewhere_before_b)) edge(i, j);
      }
    }
  }
}

/// For each fence, how far it reaches among the accesses of the location.
void psc::measure(const graph& g) {
  reach_.assign(sequential_.size(), {never, 0, 0});
  for (std::size_t i = 0; i != sequential_.size(); ++i) {
    const event& fence = g[sequential_[i]];
    if (!fence.is_fence()) continue;
    reach r{never, 0, 0};
    for (const auto& [e, key] : here_) {
      if (fence.within(e->happened)) {
        r.least_after = std::min(r.least_after, key);
      } else if (e->within(fence.happened)) {
        r.most_before = std::max(r.most_before, key);
        if (!e->reads()) r.most_write_before = std::max(r.most_write_before, key);
      }
    }
    reach_[i] = r;
  }
}

/// The edges that have a seq_cst access of this location at one end or both.
void psc::join_accesses(const graph& g) {
  for (const std::size_t s : nodes_here_) {
    const event& access = g[sequential_[s]];
    const unsigned key = g.key(access);
    for (std::size_t i = 0; i != sequential_.size(); ++i) {
      const event& other = g[sequential_[i]];
      if (!other.is_fence()) {
        if (i != s && same_location(access, other)) {
          if (happens_before(access, other) || (other.writes() && g.key(other) > key)) edge(s, i);
        }
        continue;
      }
      if (other.is_light()) continue;
      if (access.writes() && reach_[i].least_after < key) edge(i, s);  // fence; hb; mo or fr
      if (reach_[i].most_write_before > key) edge(s, i);               // mo or fr; hb; fence
      for (const auto& here : here_) {  // hb of the same location, hb on the fence's side
        const event& e = *here.what;
        if (happens_before(other, e) && happens_before(e, access)) edge(i, s);
        if (happens_before(access, e) && happens_before(e, other)) edge(s, i);
      }
    }
  }
}

void psc::order_by_location(const graph& g, location_id l) {
  // Without a write there is no modification order and no from-read; what else orders these accesses is
  // happens-before, which order_by_program has taken to their neighbours in program order.
  if (g.first_write(l) == initial || is_bookkeeping(g[g.first_write(l)])) return;
  here_.clear();
  nodes_here_.clear();
  bool shared = false;
  for (event_id id = g.last_access(l); id != initial; id = g[id].chained) {
    const event& e = g[id];
    if (!e.reads() && !e.writes()) continue;  // plain: ordered by happens-before, or a race
    here_.push_back({&e, g.key(e)});
    shared = shared || e.thread() != here_.front().what->thread();
    if (!e.sequential()) continue;
    const auto node = std::ranges::lower_bound(sequential_, id);
    nodes_here_.push_back(static_cast<std::size_t>(node - sequential_.begin()));
  }
  if (!shared) return;  // in one thread, all of it is program order
  measure(g);
  join_accesses(g);
  for (std::size_t i = 0; i != sequential_.size(); ++i) {  // fence; hb; eco; hb; fence
    if (reach_[i].least_after == never) continue;
    for (std::size_t j = 0; j != sequential_.size(); ++j) {
      if (i == j || reach_[i].least_after >= reach_[j].most_before) continue;
      if (!strangers(g[sequential_[i]], g[sequential_[j]])) edge(i, j);
    }
  }
}

/// Whether an edge leads from the node to one that is left.
bool adjacency::leads_on(std::size_t from) const {
  for (std::size_t w = 0; w != words_; ++w) {
    if ((after_[from * words_ + w] & left_[w]) != 0) return true;
  }
  return false;
}

/// Takes away what leads nowhere, the newest first: most edges lead to what is newer.
bool adjacency::has_cycle() {
  left_.assign(words_, 0);
  for (std::size_t i = 0; i != size_; ++i) left_[i / 64] |= bit(i);
  std::size_t number = size_;
  for (std::size_t before = 0; number != before;) {
    before = number;
    for (std::size_t i = size_; i-- != 0;) {
      if ((left_[i / 64] & bit(i)) == 0 || leads_on(i)) continue;
      left_[i / 64] &= ~bit(i);
      --number;
    }
  }
  return number != 0;
}

bool psc::acyclic(const graph& g) {
  collect(g);
  if (sequential_.size() < 2) return true;
  order_by_program(g);
  for (std::size_t l = 0; l != g.locations(); ++l) order_by_location(g, static_cast<location_id>(l));
  return !order_.has_cycle();
}

}  // namespace licit::checker::detail
