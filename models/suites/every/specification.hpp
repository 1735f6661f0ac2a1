/// What each structure promises: its calls as deeds to a list, and where concurrency may show.
#ifndef LICIT_SUITES_EVERY_SPECIFICATION_HPP
#define LICIT_SUITES_EVERY_SPECIFICATION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "suites/every/history.hpp"

namespace licit::suites {

/// A call may be lost only to another thread's successful claim that is concurrent with it.
inline bool lost_to_another(const call_history& h, std::size_t which) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    const bool claimed = h[i].what != deed::push && h[i].what != deed::size && h[i].how == ending::done &&
                         h[i].thread != h[which].thread;
    if (claimed && h.concurrent(i, which)) return true;
  }
  return false;
}

/// The call that takes the item, which a call of `adds` has added; none: the number of calls.
inline std::size_t taker(const call_history& h, std::uint8_t item, deed adds) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    if (h[i].what == adds) continue;
    for (std::size_t n = 0; n != h[i].with.size(); ++n) {
      if (h[i].with[n] == item) return i;
    }
  }
  return h.size();
}

/// The items, in this order, are the oldest of the list.
inline bool take_oldest(items& list, const items& taken) {
  for (std::size_t i = 0; i != taken.size(); ++i) {
    if (!list.take_front(taken[i])) return false;
  }
  return true;
}

/// How many items there are for certain, and how many there may be, as far as happens-before tells: an item is there
/// that was pushed before this call, and that no call takes which may come before it.
struct estimate_bounds {
  unsigned least = 0;
  unsigned most = 0;

  estimate_bounds(const call_history& h, std::size_t which, deed adds = deed::push) {
    for (std::size_t i = 0; i != h.size(); ++i) {
      if (h[i].what != adds || h[i].how != ending::done || (h[i].before >> which & 1U) != 0) continue;
      const std::size_t by = taker(h, h[i].with[0], adds);
      const bool is_behind = (h[which].before >> i & 1U) != 0;
      if (by == h.size() || (h[which].before >> by & 1U) == 0) ++most;
      if (is_behind && (by == h.size() || (h[by].before >> which & 1U) != 0)) ++least;
    }
  }
};
inline bool is_estimate(const call_history& h, std::size_t which, deed adds) {
  const estimate_bounds bounds(h, which, adds);
  return h[which].count >= bounds.least && h[which].count <= bounds.most;
}

/// The owner pushes and pops the youngest; thieves steal the oldest. `empty` only where the list is.
struct deque_promise {
  static constexpr std::array owner{"push", "pop"};
  static constexpr std::array thief{"steal"};
  static constexpr std::array all_of_owner{"push", "pop", "size"};
  static constexpr std::array all_of_thief{"steal", "half", "size"};
  static constexpr std::array capacities{1U, 2U};
  static constexpr std::array before{""};
  static constexpr unsigned calls = 7;
  static constexpr unsigned full_calls = 4;

  static bool allows(items& list, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    if (c.what == deed::size) return is_estimate(h, which, deed::push);
    if (c.how == ending::empty) return list.empty();
    if (c.how == ending::lost) return c.what == deed::steal && lost_to_another(h, which);
    if (c.how == ending::refused) return false;
    if (c.what == deed::push) return list.push_back(c.with[0]), true;
    return c.what == deed::pop ? list.take_back(c.with[0]) : take_oldest(list, c.with);
  }
};

/// Chase-Lev: the same, and a pop of the youngest by its name. A theft of half is several thefts, one after another.
struct chase_lev_promise : deque_promise {
  static constexpr std::array all_of_owner{"push", "pop", "pop_if", "size"};
  static constexpr unsigned full_calls = 5;
};

/// The tagged deque: the same, and a theft of half takes several of the oldest by one claim.
struct tagged_promise : deque_promise {
  static constexpr std::array thief{"steal", "half"};
  static constexpr unsigned full_calls = 5;
};

/// Whether the call is concurrent with an owner's pop that brought an item.
inline bool beside_a_pop(const call_history& h, std::size_t which) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    if (h[i].what == deed::pop && h[i].how == ending::done && h.concurrent(i, which)) return true;
  }
  return false;
}

/// The tagged deque with tags that come to their end soon: all items are the owner's alone while a pop of its renews
/// them. A thief may find none then, and a size may add old indices to new ones.
struct renewing_promise : tagged_promise {
  static constexpr std::string_view name = "tags of one bit";
  static constexpr std::array capacities{4U};
  static constexpr std::array before{"", " push*3 pop pop push*2"};
  static constexpr unsigned calls = 4;
  static constexpr unsigned full_calls = 4;

  static bool allows(items& list, const call_history& h, std::size_t which) {
    if (h[which].what == deed::steal && h[which].how == ending::empty && beside_a_pop(h, which)) return true;
    if (h[which].what == deed::size && beside_a_pop(h, which)) return true;
    return tagged_promise::allows(list, h, which);
  }
};

/// Whether a steal that found nothing public happens before the owner's call `by`, and that before this call, and
/// nobody does anything else to the items between: then `by` has published items, if there are any.
inline bool is_answered(const call_history& h, std::size_t asked, std::size_t by, std::size_t which) {
  if (h[asked].what != deed::steal || h[asked].how == ending::done || lost_to_another(h, asked)) return false;
  if (h[by].what == deed::steal || h[by].what == deed::size || (h[by].before >> asked & 1U) == 0) return false;
  std::size_t items = 0;
  for (std::size_t i = 0; i != h.size(); ++i) {
    if (h[i].what == deed::size || (h[i].what == deed::steal && h[i].how != ending::done)) continue;
    if ((h[i].before >> which & 1U) != 0) continue;
    if (i != by && (h[asked].before >> i & 1U) == 0) return false;
    h[i].what == deed::push ? items += h[i].with.size() : items -= h[i].with.size();
  }
  return items != 0;
}

/// The split deque: the same, but items are private until the owner publishes them. A steal that finds private items
/// only is lost, to nobody, and asks for some. The owner's next push or pop publishes them.
struct split_promise : deque_promise {
  static constexpr std::array before{"", " push push steal"};
  static constexpr unsigned calls = 5;
  static constexpr unsigned full_calls = 3;

  static bool allows(items& list, const call_history& h, std::size_t which) {
    const bool misses = h[which].what == deed::steal && h[which].how == ending::lost && !list.empty();
    return (misses && !was_answered(h, which)) || deque_promise::allows(list, h, which);
  }

 private:
  static bool was_answered(const call_history& h, std::size_t which) {
    for (std::size_t asked = 0; asked != h.size(); ++asked) {
      if ((h[which].before >> asked & 1U) == 0) continue;
      for (std::size_t by = 0; by != h.size(); ++by) {
        if ((h[which].before >> by & 1U) != 0 && is_answered(h, asked, by, which)) return true;
      }
    }
    return false;
  }
};

/// The split deque with no tag: whenever the owner takes items back, the indices begin elsewhere. A size may then add
/// old indices to new ones, and be too high.
struct renumbering_promise : split_promise {
  static constexpr std::string_view name = "no tag";
  static constexpr std::array capacities{1U, 2U};
  static constexpr std::array before{" steal push", " steal push push", " push push steal push"};
  static constexpr unsigned calls = 3;

  static bool allows(items& list, const call_history& h, std::size_t which) {
    if (h[which].what == deed::size && beside_a_pop(h, which)) {
      return h[which].count >= estimate_bounds(h, which).least;
    }
    return split_promise::allows(list, h, which);
  }
};

/// Each item whose push happens before this call is taken by a call that this one does not happen before.
inline bool empty_as_far_as_known(const call_history& h, std::size_t which) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    if ((h[which].before >> i & 1U) == 0 || h[i].what != deed::push || h[i].how != ending::done) continue;
    const std::size_t by = taker(h, h[i].with[0], deed::push);
    if (by == h.size() || (h[by].before >> which & 1U) != 0) return false;
  }
  return true;
}

/// Whether a take that found nothing happens before the call, and behind it there is no push: each one happens before
/// that take, or after the call.
inline bool was_found_empty(const call_history& h, std::size_t which) {
  std::uint32_t pushes = 0;  // that do not happen after the call
  for (std::size_t i = 0; i != h.size(); ++i) {
    const bool pushed = h[i].what == deed::push && h[i].how == ending::done;
    if (pushed && (h[i].before >> which & 1U) == 0) pushes |= std::uint32_t{1} << i;
  }
  for (std::size_t i = 0; i != h.size(); ++i) {
    const bool found = h[i].what == deed::take && h[i].how == ending::empty && (h[which].before >> i & 1U) != 0;
    if (found && (pushes & ~h[i].before) == 0) return true;
  }
  return false;
}

/// Over asymmetric fences: the same, but a thief looks before its fence whether there is anything. So its `empty` says
/// what it knew. It may see that an item is gone, and not yet the one that was pushed after it. Such clients have many
/// more executions.
template <class Promise, unsigned Calls = Promise::calls>
struct looks_before_its_fence : Promise {
  static constexpr unsigned calls = Calls;
  static constexpr unsigned full_calls = 4;

  static bool allows(items& list, const call_history& h, std::size_t which) {
    if (h[which].what == deed::steal && h[which].how == ending::empty && empty_as_far_as_known(h, which)) return true;
    return Promise::allows(list, h, which);
  }
};

/// The run queue: everybody takes the oldest, a theft of half several at once; a push is refused only where the list is
/// full, or half of them goes elsewhere. It has no fence, so `empty` says what the call knew: a thief may see that an
/// item is gone, and not yet the one that was pushed after it.
struct queue_promise {
  static constexpr std::array owner{"try", "pop"};
  static constexpr std::array thief{"steal", "half"};
  static constexpr std::array all_of_owner{"try", "push", "pop", "size"};
  static constexpr std::array all_of_thief{"steal", "half", "size"};
  static constexpr std::array capacities{2U, 4U};
  static constexpr std::array before{""};
  static constexpr unsigned calls = 7;
  static constexpr unsigned full_calls = 5;

  static bool allows(items& list, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    if (c.what == deed::spill) {
      return list.size() == c.room && c.with.size() == c.room / std::size_t{2} && take_oldest(list, c.with);
    }
    if (c.how == ending::empty) return c.what != deed::push && empty_as_far_as_known(h, which);
    if (c.how == ending::refused) return c.what == deed::push && list.size() == c.room;
    if (c.what == deed::pop && c.how == ending::done) return take_oldest(list, c.with);
    return deque_promise::allows(list, h, which);
  }
};

}  // namespace licit::suites

#endif
