/// The client class of `licit verify --every`: any calls of one structure, all of them written down and then judged by
/// the structure's specification.
#ifndef LICIT_SUITES_EVERY_CLIENT_HPP
#define LICIT_SUITES_EVERY_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

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
  enum : std::uint8_t { push_word, try_word, pop_word, steal_word, half_word };
  static constexpr std::array words{"push", "try", "pop", "steal", "half"};
  static constexpr std::array settings{"capacity"};
  static constexpr std::span<const char* const> owner_words = Specification::owner;
  static constexpr std::span<const char* const> thief_words = Specification::thief;
  static constexpr std::span<const unsigned> capacities = Specification::capacities;

  explicit specified_client(const line& l)
      : structure_{options_of(l.setting(0, 1))},
        items_{l.count(push_word) + l.count(try_word)},
        room_{static_cast<std::uint8_t>(l.setting(0, 1))},
        first_end_{l.before.size()} {}

  static const char* refuses(const line& l) {
    return l.count(push_word) + l.count(try_word) > most_items ? too_many_items : nullptr;
  }
  static const char* refuses(const line& /*l*/, unsigned thread, const call& c) {
    if (c.numbers != 0) return no_numbers;
    if constexpr (!pushes_always) {
      if (c.word == push_word) return "this queue may refuse an item: the word is try";
    }
    if constexpr (!tries) {
      if (c.word == try_word) return "this deque refuses no item: the word is push";
    }
    if constexpr (!halves) {
      if (c.word == half_word) return "thefts of half are not among the calls that are specified";
    }
    return thread != owner && c.word < steal_word ? owners_only : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    done_call made{.thread = static_cast<std::uint8_t>(thread), .room = room_};
    if (first_ != first_end_) {  // the main thread's
      made.before = history_.all();
      apply(made, c.word);
      history_.add(made);
      ++first_;
    } else {
      const auto past = Model::happened();
      apply(made, c.word);
      begins_[history_.size()] = past;
      ends_[history_.size()] = Model::happened()[thread];
      history_.add(made);
    }
    return made.how == ending::done;
  }

  /// What is left is taken, after everything else. Nothing may be lost, and the history must have a linearisation.
  void settle() {
    order();
    for (bool more = true; more;) {
      done_call last{.before = history_.all(), .room = room_};
      apply(last, pop_word);
      more = last.how == ending::done;
      history_.add(last);
    }
    items_.settle();
    if (is_linearizable<Specification>(history_)) return;
    Model::check(false, "no order of the calls respects happens-before and the specification: " + history_.text());
  }
  void leave() { settle(); }

 private:
  using structure_type = Structure<int, Model>;

  static constexpr unsigned owner = 0;
  static constexpr bool tries = requires(structure_type& s) { s.try_push(1); };
  static constexpr bool pushes_always = !tries;
  static constexpr bool halves = requires(structure_type& s) { s.steal_half(s); };  // by one claim

  static Options options_of(std::size_t capacity) {
    Options o;
    if constexpr (tries) {
      o.capacity = capacity;
    } else {
      o.initial_capacity = capacity;
    }
    return o;
  }

  /// Which calls of the threads have which behind them. The history has each thread's in their order.
  void order() {
    for (std::size_t later = first_; later != history_.size(); ++later) {
      done_call& c = history_[later];
      for (std::size_t i = 0; i != history_.size(); ++i) {
        const unsigned by = history_[i].thread;
        const bool known = i < first_ || (by == c.thread ? i < later : begins_[later][by] >= ends_[i]);
        c.before |= (known ? 1U : 0U) << i;
      }
    }
  }

  void apply(done_call& made, unsigned word) {
    switch (word) {
      case push_word:
      case try_word: return push(made);
      case pop_word: {
        made.what = deed::pop;
        const auto got = structure_.pop();
        return got ? take(made, *got) : void(made.how = ending::empty);
      }
      case steal_word: return stolen_by(made, structure_.steal());
      default: return half(made);
    }
  }
  void push(done_call& made) {
    const int item = items_.open();
    if constexpr (tries) {
      if (!structure_.try_push(item)) {
        items_.refuse();
        made.how = ending::refused;
        return;
      }
    } else {
      structure_.push(item);
    }
    made.with.push_back(static_cast<std::uint8_t>(item));
  }
  void half(done_call& made) {
    if constexpr (halves) {
      structure_type own{options_of(made.room)};
      const auto got = structure_.steal_half(own);
      stolen_by(made, got);
      for (std::size_t n = got ? got.moved() : 0; n != 0; --n) {
        const auto along = own.steal();  // the oldest: in the order in which they were pushed
        Model::check(static_cast<bool>(along), "a theft says that more came along than did");
        take(made, *along);
      }
      Model::check(!own.steal(), "a theft says that less came along than did");
    }
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
  std::size_t first_end_;  // how many calls the main thread makes before the others start
  std::size_t first_ = 0;  // how many of them it has made; then, the first call of another thread
  call_history history_;
  // Of each call of a thread: what happens before it, and how many events its thread had when it ended.
  std::array<checker::detail::past, call_history::most> begins_{};
  std::array<std::uint16_t, call_history::most> ends_{};
};

}  // namespace licit::suites

#endif
