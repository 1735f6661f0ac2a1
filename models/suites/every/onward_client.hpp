/// Generated clients in which what a theft of half took is stolen onward, and what they are promised.
#ifndef LICIT_SUITES_EVERY_ONWARD_CLIENT_HPP
#define LICIT_SUITES_EVERY_ONWARD_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "suites/account.hpp"
#include "suites/every/history.hpp"
#include "suites/every/record.hpp"
#include "suites/every/specification.hpp"
#include "suites/line.hpp"

namespace licit::suites {

/// What a deque holds, and what half thefts have brought into another one.
struct onward_state {
  items source;
  items loot;
  [[nodiscard]] std::string key() const { return source.key() + '\0' + loot.key(); }
};

/// Whether the item came into the loot by a theft of half: all of what that took but the oldest.
inline bool brings(const done_call& theft, std::uint8_t item) {
  for (std::size_t n = 1; theft.what == deed::take && n < theft.with.size(); ++n) {
    if (theft.with[n] == item) return true;
  }
  return false;
}

/// Each item that a theft before this call brought is taken by a call that this one does not happen before.
inline bool loot_empty_as_far_as_known(const call_history& h, std::size_t which) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    if ((h[which].before >> i & 1U) == 0 || h[i].what != deed::take) continue;
    for (std::size_t n = 1; n < h[i].with.size(); ++n) {
      const std::size_t by = taker(h, h[i].with[n], deed::take);
      if (by == h.size() || h[by].what == deed::push || (h[by].before >> which & 1U) != 0) return false;
    }
  }
  return true;
}

/// A steal from the loot is lost only to another claim there that is concurrent with it.
inline bool lost_in_the_loot(const call_history& h, std::size_t which) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    const bool claimed = (h[i].what == deed::steal || h[i].what == deed::pop) && h[i].how == ending::done;
    if (claimed && h[i].thread != h[which].thread && h.concurrent(i, which)) return true;
  }
  return false;
}

/// A theft of half takes the oldest of one deque. It keeps the oldest, and the others are then in the second deque.
/// From there its owner pops the youngest, and thieves steal the oldest.
struct onward_promise {
  using state = onward_state;
  static constexpr std::string_view name = "stolen onward";
  static constexpr std::array owner{"push", "half", "pop"};
  static constexpr std::array thief{"steal"};
  static constexpr const auto& all_of_owner = owner;
  static constexpr const auto& all_of_thief = thief;
  static constexpr std::array capacities{4U};
  static constexpr std::array before{"", " push*3"};
  static constexpr unsigned calls = 6;
  static constexpr unsigned full_calls = 5;  // the same words, with an edge from outside

  static bool allows(state& s, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    if (c.what == deed::push) return s.source.push_back(c.with[0]), c.how == ending::done;
    if (c.what == deed::take && c.how == ending::empty) return s.source.empty();
    if (c.what == deed::take) return c.with.size() == (s.source.size() + 1) / 2 && moves(s, c.with);
    if (c.how == ending::empty) return s.loot.empty();
    if (c.how == ending::lost) return c.what == deed::steal && lost_in_the_loot(h, which);
    return c.what == deed::pop ? s.loot.take_back(c.with[0]) : s.loot.take_front(c.with[0]);
  }

 protected:
  static bool moves(state& s, const items& taken) {
    if (!take_oldest(s.source, taken)) return false;
    for (std::size_t n = 1; n != taken.size(); ++n) s.loot.push_back(taken[n]);
    return true;
  }
};

/// Where `empty` says what the call knew: over asymmetric fences, and for the run queue.
template <class Promise>
struct onward_as_known : Promise {
  static bool allows(onward_state& s, const call_history& h, std::size_t which) {
    const bool finds_none = h[which].what != deed::take && h[which].how == ending::empty;
    return (finds_none && loot_empty_as_far_as_known(h, which)) || Promise::allows(s, h, which);
  }
};

/// The run queue: everybody takes the oldest. A theft takes fewer than half if the second queue has no room for more,
/// as far as its owner knows.
struct onward_queue_promise : onward_promise {
  static constexpr std::array owner{"try", "half", "pop"};
  static constexpr const auto& all_of_owner = owner;
  static constexpr std::array before{"", " try*3"};

  static bool allows(state& s, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    if (c.what == deed::push && c.how == ending::refused) return s.source.size() == c.room;
    const bool done = c.how == ending::done;
    const std::size_t half = (s.source.size() + 1) / 2;
    if (c.what == deed::take && done && brought_before(h, which) + half > c.room + std::size_t{1}) {
      return c.with.size() <= half && moves(s, c.with);
    }
    return c.what == deed::pop && done ? s.loot.take_front(c.with[0]) : onward_promise::allows(s, h, which);
  }

 private:
  /// How many items have ever come into the loot.
  static std::size_t brought_before(const call_history& h, std::size_t which) {
    std::size_t n = 0;
    for (std::size_t i = 0; i != h.size(); ++i) {
      const bool is_theft = h[i].what == deed::take && h[i].how == ending::done && (h[which].before >> i & 1U) != 0;
      n += is_theft ? h[i].with.size() - 1 : 0;
    }
    return n;
  }
};

/// Thread 0 owns both deques; the others are thieves of the second.
template <class Model, template <class, class> class Structure, class Options, class Specification>
class onward_client {
 public:
  static constexpr bool self_contained = true;
  enum : std::uint8_t { push_word, try_word, half_word, pop_word, steal_word };
  static constexpr std::array words{"push", "try", "half", "pop", "steal"};
  enum : std::uint8_t { capacity, edges };
  static constexpr std::array settings{"capacity", "edges"};
  using promise = Specification;

  explicit onward_client(const line& l)
      : source_{options_of(l.setting(capacity, 4))},
        loot_{options_of(l.setting(capacity, 4))},
        items_{l.count(push_word) + l.count(try_word)},
        room_{static_cast<std::uint8_t>(l.setting(capacity, 4))},
        record_{l.before.size(), l.setting(edges, 0) != 0} {}

  static const char* refuses(const line& l) {
    if (l.setting(edges, 0) > 1) return edges_too_many;
    return l.count(push_word) + l.count(try_word) > most_items ? too_many_items : nullptr;
  }
  static const char* refuses(const line& /*l*/, unsigned thread, const call& c) {
    if (c.numbers != 0) return no_numbers;
    return thread != 0 && c.word != steal_word ? owners_only : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    return record_.perform(thread, [&](done_call& made) { return apply(made, c.word), false; });
  }

  /// What is left is taken: what was stolen, and then the rest of the first deque.
  void settle() {
    while (record_.perform_last([&](done_call& made) { return apply(made, pop_word), false; })) {
    }
    for (auto rest = source_.pop(); rest; rest = source_.pop()) items_.take(*rest);
    items_.settle();
    record_.settle();
  }
  void leave() { settle(); }

 private:
  using structure_type = Structure<int, Model>;
  static constexpr bool tries = requires(structure_type& s) { s.try_push(1); };

  static Options options_of(std::size_t items) {
    Options o;
    if constexpr (tries) {
      o.capacity = items;
    } else {
      o.initial_capacity = items;
    }
    return o;
  }

  void apply(done_call& made, unsigned word) {
    made.room = room_;
    switch (word) {
      case push_word:
      case try_word: return push(made);
      case half_word: return half(made);
      case pop_word: return pop(made, loot_.pop());
      default: return steal(made);
    }
  }
  void push(done_call& made) {
    const int item = items_.open();
    if (takes(item)) return made.with.push_back(static_cast<std::uint8_t>(item));
    items_.refuse();
    made.how = ending::refused;
  }
  bool takes(int item) {
    if constexpr (tries) {
      return source_.try_push(item);
    } else {
      source_.push(item);
      return true;
    }
  }
  /// Items have consecutive numbers, and nobody else takes any from the first deque. So those behind the oldest are
  /// known before they are seen; whoever takes them finds out whether they are these.
  void half(done_call& made) {
    made.what = deed::take;
    const auto got = source_.steal_half(loot_);
    Model::check(got || !got.is_lost(), "a theft of half is lost though there is no other");
    if (!got) return void(made.how = ending::empty);
    take(made, *got);
    for (std::size_t n = 1; n <= got.moved(); ++n)
      made.with.push_back(static_cast<std::uint8_t>(*got + static_cast<int>(n)));
  }
  void pop(done_call& made, const std::optional<int>& got) {
    made.what = deed::pop;
    got ? take(made, *got) : void(made.how = ending::empty);
  }
  void steal(done_call& made) {
    made.what = deed::steal;
    const auto got = loot_.steal();
    if (got) return take(made, *got);
    made.how = got.is_lost() ? ending::lost : ending::empty;
  }
  void take(done_call& made, int item) {
    items_.take(item);
    made.with.push_back(static_cast<std::uint8_t>(item));
  }

  structure_type source_;
  structure_type loot_;
  account<Model> items_;
  std::uint8_t room_;
  call_record<Model, Specification> record_;
};

}  // namespace licit::suites

#endif
