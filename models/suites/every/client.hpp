/// The client class of `licit verify --every`: any calls of one structure, all of them written down and then judged by
/// the structure's specification.
#ifndef LICIT_SUITES_EVERY_CLIENT_HPP
#define LICIT_SUITES_EVERY_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "suites/account.hpp"
#include "suites/every/history.hpp"
#include "suites/every/record.hpp"
#include "suites/every/specification.hpp"
#include "suites/line.hpp"

namespace licit::suites {

/// The structure is made of options with a capacity; thread 0 owns it, the others are its thieves.
template <class Model, template <class, class> class Structure, class Options, class Specification>
class specified_client {
 public:
  static constexpr bool self_contained = true;
  enum : std::uint8_t { push_word, try_word, pop_word, if_word, steal_word, half_word, size_word };
  static constexpr std::array words{"push", "try", "pop", "pop_if", "steal", "half", "size"};
  enum : std::uint8_t { capacity, edges };
  static constexpr std::array settings{"capacity", "edges"};
  using promise = Specification;

  explicit specified_client(const line& l)
      : structure_{options_of(l.setting(capacity, 1))},
        items_{l.count(push_word) + l.count(try_word)},
        room_{static_cast<std::uint8_t>(l.setting(capacity, 1))},
        record_{l.before.size(), l.setting(edges, 0) != 0} {}

  static const char* refuses(const line& l) {
    if (l.setting(edges, 0) > 1) return edges_too_many;
    return l.count(push_word) + l.count(try_word) > most_items ? too_many_items : nullptr;
  }
  static const char* refuses(const line& /*l*/, unsigned thread, const call& c) {
    if (c.numbers != 0) return no_numbers;
    if (c.word == try_word && !tries) return "this deque refuses no item: the word is push";
    if (c.word == if_word && !pops_by_name) return "this structure has no pop_if";
    if (c.word == half_word && !claims_half && !steals_half) return "this structure has no theft of half";
    return thread != owner && c.word < steal_word ? owners_only : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    return record_.perform(thread, [&](done_call& made) {
      made.room = room_;
      apply(made, c.word);
      return c.word == half_word && !claims_half;  // several thefts, one after another
    });
  }

  /// What is left is taken, after everything else. Nothing may be lost, and the history must have a linearisation.
  void settle() {
    while (record_.perform_last([&](done_call& made) {
      made.room = room_;
      apply(made, pop_word);
      return false;
    })) {
    }
    items_.settle();
    record_.settle();
  }
  void leave() { settle(); }

 private:
  using structure_type = Structure<int, Model>;

  static constexpr unsigned owner = 0;
  static constexpr bool tries = requires(structure_type& s) { s.try_push(1); };
  static constexpr bool pops_by_name = requires(structure_type& s) { s.pop_if(1); };
  static constexpr bool claims_half = requires(structure_type& s) { s.steal_half(s); };   // all by one claim
  static constexpr bool steals_half = requires(structure_type& s) { steal_half(s, s); };  // one by one

  /// Where a full queue puts what it does not hold.
  struct overflown {
    std::array<int, most_items> all{};
    std::size_t size = 0;

    void reserve(std::size_t /*items*/) {}
    void take(std::span<const int> items) noexcept {
      for (const int item : items) all[size++] = item;
    }
  };

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
    switch (word) {
      case push_word: return push(made);
      case try_word: return try_push(made);
      case pop_word: return pop(made, structure_.pop());
      case if_word: return pop_by_name(made);
      case steal_word: return stolen_by(made, structure_.steal());
      case half_word: return half(made);
      default: made.what = deed::size, made.count = static_cast<std::uint8_t>(structure_.size());
    }
  }
  void push(done_call& made) {
    const int item = items_.open();
    if constexpr (tries) {
      overflown out;
      structure_.push(item, out);
      if (out.size != 0) return spilt(made, out);
    } else {
      structure_.push(item);
    }
    pushed(made, item);
  }
  void try_push(done_call& made) {
    if constexpr (tries) {
      const int item = items_.open();
      if (structure_.try_push(item)) return pushed(made, item);
      items_.refuse();
      made.how = ending::refused;
    }
  }
  void pushed(done_call& made, int item) {
    made.with.push_back(static_cast<std::uint8_t>(item));
    mine_.push_back(static_cast<std::uint8_t>(item));
  }
  /// The item that was to be pushed comes last, and was never in the queue.
  void spilt(done_call& made, const overflown& out) {
    made.what = deed::spill;
    for (std::size_t i = 0; i + 1 < out.size; ++i) take(made, out.all[i]);
    items_.take(out.all[out.size - 1]);
  }
  void pop(done_call& made, const std::optional<int>& got) {
    made.what = deed::pop;
    if (!got) {
      mine_ = {};
      made.how = ending::empty;
      return;
    }
    (void)mine_.take_back(static_cast<std::uint8_t>(*got));
    take(made, *got);
  }
  /// The youngest by its name; if the owner has none, an item that there is not.
  void pop_by_name(done_call& made) {
    if constexpr (pops_by_name) {
      const int name = mine_.empty() ? 0 : mine_[mine_.size() - 1];
      pop(made, structure_.pop_if(name) ? std::optional(name) : std::nullopt);
    }
  }
  /// Into a structure of its own, which is then emptied from its oldest end: in the order in which they were pushed.
  void half(done_call& made) {
    structure_type own{options_of(made.room)};
    std::size_t moved = 0;
    if constexpr (claims_half) {
      const auto got = structure_.steal_half(own);
      moved = got ? got.moved() : 0;
      stolen_by(made, got);
    } else if constexpr (steals_half) {
      const auto got = steal_half(structure_, own);
      moved = got ? got.moved() : 0;
      stolen_by(made, got);
    }
    empty_out(own, moved, made);
  }
  /// What the deque keeps private its owner pops, the youngest first.
  void empty_out(structure_type& own, std::size_t moved, done_call& made) {
    for (auto along = own.steal(); along; along = own.steal(), --moved) {
      Model::check(moved != 0, "a theft says that less came along than did");
      take(made, *along);
    }
    std::array<int, most_items> rest{};
    std::size_t left = 0;
    for (auto along = own.pop(); along; along = own.pop()) {
      Model::check(left != moved, "a theft says that less came along than did");
      rest[left++] = *along;
    }
    Model::check(left == moved, "a theft says that more came along than did");
    while (left != 0) take(made, rest[--left]);
  }
  template <class Stolen>
  void stolen_by(done_call& made, const Stolen& got) {
    made.what = deed::steal;
    if (!got) {
      made.how = got.is_lost() ? ending::lost : ending::empty;
      return;
    }
    take(made, *got);
  }
  void take(done_call& made, int item) {
    items_.take(item);
    made.with.push_back(static_cast<std::uint8_t>(item));
  }

  structure_type structure_;
  account<Model> items_;
  std::uint8_t room_;
  items mine_;  // the owner's: pushed and not popped, as far as it knows
  call_record<Model, Specification> record_;
};

}  // namespace licit::suites

#endif
