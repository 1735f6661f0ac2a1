/// What the threads of an execution of a deque's client did, as its transition system calls it.
#ifndef LICIT_TESTS_PROOF_DEQUE_DEEDS_HPP
#define LICIT_TESTS_PROOF_DEQUE_DEEDS_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphs.hpp"
#include "proof/structures.hpp"

namespace licit::proof::of_deque {

using checker::detail::event;
using checker::detail::event_id;
using checker::detail::graph;

inline constexpr unsigned most_threads = 3;

/// What one thread did at one site.
struct deed {
  std::string site;
  event_id when = 0;
  std::int64_t value = 0;  ///< that was read
  std::int64_t place = 0;  ///< in modification order, of what was read
  bool won = false;
  bool copy = false;  ///< what was read was written by a theft of half, and maybe not yet published
};
using deeds = std::array<std::vector<deed>, most_threads>;

/// Whether the step reads something of the structure.
inline bool is_read(const step::own_read& r) { return !r.place.empty() && r.place != away; }

/// What a system calls the sites of the owner, or those of thieves. The others are of other queues.
struct sites {
  sites(const transition_system& s, bool owner) {
    for (const step& each : s.steps) {
      if (each.owner != owner) continue;
      if (each.does) operations[each.does->name] = *each.does;
      for (const auto& r : each.reads) {
        if (is_read(r)) own_reads[r.result] = r.place;
      }
    }
  }
  std::map<std::string, proof::event, std::less<>> operations;
  std::map<std::string, std::string, std::less<>> own_reads;
};

/// Which queue a path is of.
enum class queue : std::uint8_t {
  only,  ///< that on which all calls are made, but thefts of half into a thief's own
  loot,  ///< that into which thread 0 brings what it takes from another, where nobody but thread 0 pushes
};

/// Follows the events of thread 0, which says at the beginning of each call of which queue it is.
class which_queue {
 public:
  explicit which_queue(queue of) : of_{of} {}
  /// Whether the next event is of the other queue.
  bool is_elsewhere(std::string_view site) {
    if (site == "push.own") elsewhere_ = of_ == queue::loot;
    if (site == "half.own" || site.starts_with("pop.")) elsewhere_ = false;
    return elsewhere_;
  }

 private:
  queue of_;
  bool elsewhere_ = false;
};

/// Where the top of the Chase-Lev deque lies that is not a thief's own: it was made first.
inline std::optional<checker::detail::location_id> top_of(const graph& g) {
  std::optional<checker::detail::location_id> first;
  for (event_id e = 0; e != g.size(); ++e) {
    const std::string_view site = site_of(g[e]);
    if (site != "steal.top" && site != "half.top" && site != "size.top" && site != "pop.top" && site != "push.room") {
      continue;
    }
    first = first ? std::min(*first, g[e].op.location) : g[e].op.location;
  }
  return first;
}

/// Items that the queue has before the threads begin.
struct filling {
  std::int64_t items = 0;
  checker::detail::word first = 0;  ///< the oldest one
};

/// Where the oldest index of the queue lies that is not a thief's own: it was made first.
inline std::optional<checker::detail::location_id> head_of(const graph& g) {
  std::optional<checker::detail::location_id> first;
  for (unsigned t = 1; t != most_threads; ++t) {
    for (const event_id id : g.thread(t)) {
      const std::string_view site = site_of(g[id]);
      if (site != "steal.head" && site != "half.head") continue;
      first = first ? std::min(*first, g[id].op.location) : g[id].op.location;
    }
  }
  for (const event_id id : g.thread(0)) {
    if (site_of(g[id]) == "pop.head") first = first ? std::min(*first, g[id].op.location) : g[id].op.location;
  }
  return first;
}

/// The numbers of pushes, by the writes to slots; growth copies them, and a batch of copies is pushed when it is
/// published.
inline std::map<event_id, std::int64_t> pushes_of(const graph& g, queue of, std::int64_t made = 0) {
  std::map<event_id, std::int64_t> pushes;
  std::map<checker::detail::word, std::int64_t> by_item;
  std::vector<event_id> batch;
  which_queue at(of);
  for (const event_id id : g.thread(0)) {
    const std::string_view site = site_of(g[id]);
    if (at.is_elsewhere(site)) continue;
    if (site == "push.item") pushes[id] = by_item[g[id].value] = made++;
    if (site == "grow.copy") pushes[id] = by_item.at(g[id].value);
    if (site == "half.own") batch.clear();
    if (site == "half.copy") batch.push_back(id);
    if (site != "half.publish") continue;
    for (const event_id copy : batch) pushes[copy] = made++;
  }
  return pushes;
}

/// Of the items that a theft of half reads behind the first, only the one that is watched.
inline deeds deeds_of(const graph& g, const sites& owner, const sites& thief, std::int64_t watched,
                      queue of = queue::only, const filling& filled = {}) {
  const std::map<event_id, std::int64_t> pushes = pushes_of(g, of, filled.items);
  const auto head = head_of(g), top = top_of(g);
  const bool watches = thief.operations.contains("half.first");
  const auto number = [&](const std::string& place, const event& e) {
    if (place == "ring") return static_cast<std::int64_t>(g.rank(e));
    if (place != "slot") return static_cast<std::int64_t>(e.value);
    if (e.source == checker::detail::initial) {
      const auto place_of_it = static_cast<std::int64_t>(e.value - filled.first);
      return place_of_it < filled.items ? place_of_it : -1;
    }
    const auto found = pushes.find(e.source);
    return found == pushes.end() ? std::int64_t{-1} : found->second;
  };
  deeds all;
  for (unsigned t = 0; t != most_threads; ++t) {
    const auto events = g.thread(t);
    const sites& known = t == 0 ? owner : thief;
    std::int64_t round = 0;
    bool elsewhere = false;  // in a call on another queue
    bool of_other = false;   // the owner asks for another deque's size
    which_queue at(of);
    for (std::size_t i = 0; i != events.size(); ++i) {
      const event& e = g[events[i]];
      if (e.is_ghost()) continue;
      const std::string site(site_of(e));
      if (t == 0) elsewhere = at.is_elsewhere(site);
      if (t != 0 && (site == "steal.head" || site == "half.head")) elsewhere = head != e.op.location;
      if (t != 0 && (site == "steal.top" || site == "half.top")) elsewhere = top != e.op.location;
      if (t == 0 && site == "size.top") of_other = top != e.op.location;
      if (t == 0 && (site.starts_with("push.") || site.starts_with("pop."))) of_other = false;
      if (elsewhere || of_other) continue;
      if (site == "half.first") round = 0;
      if (site == "half.item" && watches && ++round != watched) continue;
      const auto operation = known.operations.find(site);
      const auto own = known.own_reads.find(site);
      if (operation == known.operations.end() && own == known.own_reads.end()) continue;
      const bool won = e.half == checker::detail::part::read && i + 1 != events.size() &&
                       g[events[i + 1]].half == checker::detail::part::write;
      const std::string place = operation != known.operations.end() ? operation->second.place : own->second;
      const event& read = g[events[won ? i + 1 : i]];
      const bool copy = place == "slot" && e.has_source() && site_of(g[e.source]) == "half.copy";
      all[t].push_back({site, events[won ? i + 1 : i], number(place, won ? read : e), g.rank(e), won, copy});
      if (won) ++i;
    }
  }
  return all;
}

}  // namespace licit::proof::of_deque

#endif
