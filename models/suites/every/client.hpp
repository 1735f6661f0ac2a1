/// The client class of `licit verify --every`: any calls of one structure, all of them written down and then judged by
/// the structure's specification.
#ifndef LICIT_SUITES_EVERY_CLIENT_HPP
#define LICIT_SUITES_EVERY_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <licit/checker/edges.hpp>
#include <licit/checker/engine.hpp>

#include "suites/account.hpp"
#include "suites/every/history.hpp"
#include "suites/every/specification.hpp"
#include "suites/line.hpp"

namespace licit::suites {

/// The structure is made of options with a capacity; thread 0 owns it, the others are its thieves.
template <class Model, template <class, class> class Structure, class Options, class Specification>
class specified_client {
 public:
  enum : std::uint8_t { push_word, try_word, pop_word, if_word, steal_word, half_word, size_word };
  static constexpr std::array words{"push", "try", "pop", "pop_if", "steal", "half", "size"};
  enum : std::uint8_t { capacity, edges };
  static constexpr std::array settings{"capacity", "edges"};
  using promise = Specification;

  explicit specified_client(const line& l)
      : structure_{options_of(l.setting(capacity, 1))},
        items_{l.count(push_word) + l.count(try_word)},
        room_{static_cast<std::uint8_t>(l.setting(capacity, 1))},
        edges_{l.setting(edges, 0) != 0},
        first_end_{l.before.size()} {}

  static const char* refuses(const line& l) {
    if (l.setting(edges, 0) > 1) return "edges is 0 or 1";
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
    done_call made{.thread = static_cast<std::uint8_t>(thread), .room = room_};
    if (first_ != first_end_) {  // the main thread's
      made.before = history_.all();
      apply(made, c.word);
      history_.add(made);
      ++first_;
      return made.how == ending::done;
    }
    const auto begin = Model::happened();
    apply(made, c.word);
    const auto end = Model::happened();
    // Other threads have made calls meanwhile. What is added now is this thread's.
    if (c.word != half_word || claims_half || made.with.empty()) {
      add(made, begin, end);
    } else {
      for (std::size_t n = 0; n != made.with.size(); ++n) {
        done_call one = made;
        one.with = {};
        one.with.push_back(made.with[n]);
        add(one, begin, end);
      }
    }
    return made.how == ending::done;
  }

  /// What is left is taken, after everything else. Nothing may be lost, and the history must have a linearisation.
  void settle() {
    order();
    const std::size_t threads_end = history_.size();
    for (bool more = true; more;) {
      done_call last{.before = history_.all(), .room = room_};
      apply(last, pop_word);
      history_.add(last);
      more = last.how == ending::done;
    }
    items_.settle();
    if (!is_linearizable<Specification>(history_)) {
      Model::check(false, "no order of the calls respects happens-before and the specification: " + history_.text());
    }
    if (edges_) judge_with_edges(threads_end);
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

  /// Which calls of the threads have which behind them. The history has each thread's in their order.
  void order() {
    for (std::size_t later = first_; later != history_.size(); ++later) {
      done_call& c = history_[later];
      for (std::size_t i = 0; i != history_.size(); ++i) {
        const unsigned by = history_[i].thread;
        const bool known = i < first_ || (by == c.thread ? i < later : begins_[later][by] >= ends_[i][by]);
        c.before |= (known ? 1U : 0U) << i;
      }
    }
  }

  /// A client may let a call happen before another by means of its own, such as a flag. Then the execution is the same,
  /// unless happens-before now rules it out; and the history must have a linearisation still.
  void judge_with_edges(std::size_t threads_end) {
    for (std::size_t a = first_; a != threads_end; ++a) {
      for (std::size_t b = first_; b != threads_end; ++b) {
        if (history_[a].thread == history_[b].thread || !history_.concurrent(a, b)) continue;
        const checker::place from{history_[a].thread, ends_[a][history_[a].thread]};
        const checker::place to{history_[b].thread, begins_[b][history_[b].thread]};
        if (!checker::could_happen_before(from, to)) continue;
        const call_history with = joined(a, b, threads_end);
        if (is_linearizable<Specification>(with)) continue;
        Model::check(false,
                     "with " + history_.text(a) + " before " + history_.text(b) +
                         ", no order of the calls respects happens-before and the specification: " + with.text());
      }
    }
  }
  /// The history, if the end of call a happens before the beginning of call b.
  call_history joined(std::size_t a, std::size_t b, std::size_t threads_end) const {
    call_history with = history_;
    const unsigned to = history_[b].thread;
    std::uint32_t behind = 0;
    for (std::size_t i = 0; i != threads_end; ++i) {
      const unsigned by = history_[i].thread;
      const bool has_ended = i < first_ || i == a || (by == history_[a].thread ? i < a : ends_[i][by] <= ends_[a][by]);
      behind |= (has_ended ? 1U : 0U) << i;
    }
    for (std::size_t i = first_; i != threads_end; ++i) {
      const bool learns = history_[i].thread == to ? i >= b : begins_[i][to] > begins_[b][to];
      if (learns) with[i].before |= behind;
    }
    return with;
  }

  void add(const done_call& made, const checker::detail::past& begin, const checker::detail::past& end) {
    const std::size_t number = history_.add(made);
    begins_[number] = begin;
    ends_[number] = end;
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
  bool edges_;
  std::size_t first_end_;  // how many calls the main thread makes before the others start
  std::size_t first_ = 0;  // how many of them it has made; then, the first call of another thread
  items mine_;             // the owner's: pushed and not popped, as far as it knows
  call_history history_;
  // Of each call of a thread: what happens before its first event, and before what comes after its last.
  std::array<checker::detail::past, call_history::most> begins_{};
  std::array<checker::detail::past, call_history::most> ends_{};
};

}  // namespace licit::suites

#endif
