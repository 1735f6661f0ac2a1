/// What makes execution graphs, an event at a time, as a program's threads ask for operations: the exhaustive search,
/// or a walk.
#ifndef LICIT_CHECKER_CORE_EXPLORATION_HPP
#define LICIT_CHECKER_CORE_EXPLORATION_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <licit/checker/verdict.hpp>

#include "core/coherence.hpp"
#include "core/graph.hpp"
#include "core/image.hpp"
#include "core/psc.hpp"
#include "core/symmetry.hpp"

namespace licit::checker::detail {

inline answer answer_of(const event& e) {
  if (e.stuck) return {e.value, false, progress::stuck};
  return {e.value, e.op.what == action::load ? !e.spurious() : e.half == part::read};
}

class exploration {
 public:
  virtual ~exploration() = default;
  exploration(const exploration&) = delete;
  exploration& operator=(const exploration&) = delete;

  /// Back to the empty graph, and to the first alternative.
  virtual void begin() = 0;
  /// The current execution is to be run once more.
  virtual void repeat() = 0;
  /// Goes to the next execution. False when there is none.
  virtual bool next() = 0;
  /// Called with false before each execution, and with true at the end of one that is complete.
  virtual void ended(bool /*complete*/) {}
  /// Adds an atomic access, in one of its alternatives.
  virtual answer access(const operation& op) = 0;

  /// So many events lie between such states, at most, where reads may be revisited.
  virtual void replay_at_most(std::size_t /*events*/) {}
  /// Whether the program's state before the access that was added last is worth an image: there are alternatives that
  /// continue the graph before it, or are likely to come.
  [[nodiscard]] virtual bool offers_to_go_back() const { return false; }
  /// Where to put that state, or null: there is enough of them.
  virtual image* place_for_image() { return nullptr; }
  /// It was not put there after all.
  virtual void drop_image() {}
  virtual void forget_images() {}
  /// The latest state that was put there, and is one of the current graph.
  [[nodiscard]] virtual const image* latest_image() const { return nullptr; }

  /// Graphs that were built, or walks that were begun, and led nowhere.
  [[nodiscard]] std::uint64_t rejected() const { return rejected_; }
  /// Whether a read would have learned more by C++11's release sequences: if none did, they allow the same executions.
  [[nodiscard]] bool rules_differ() const { return rules_differ_; }
  /// The most graphs alive at once.
  [[nodiscard]] virtual std::size_t deepest() const { return 1; }
  /// Whether what is found in the current execution is counted.
  [[nodiscard]] virtual bool counts() const { return true; }
  /// Pieces of a search that is cut (cut.hpp), and those of them that were explored here.
  [[nodiscard]] virtual std::uint64_t pieces() const { return 0; }
  [[nodiscard]] virtual std::uint64_t taken() const { return 0; }

  /// How large the search is, if that is what was looked for.
  [[nodiscard]] virtual estimate result() const { return {}; }

  [[nodiscard]] const graph& current() const { return *graph_; }

  [[nodiscard]] bool is_symmetric() const { return equal_.applies(); }
  /// Of a complete execution: how many it stands for, itself included; 0 if another stands for it.
  [[nodiscard]] std::uint64_t stands_for() { return equal_.applies() ? equal_.orbit(current()) : 1; }
  /// Whether threads that were said to be equal are not.
  [[nodiscard]] bool unequal() const { return equal_.differ(); }

  /// Adds an event that has no alternatives: a fence, a plain access, an allocation, …
  const event& add(const operation& op, word value = 0);

  /// Adds the going on of a thread that `notify` woke.
  void add_awake(const operation& op, event_id notify);
  /// Adds an event that another thread's happens before: a thread's begin, or its end where another waits for it.
  void add_after(const operation& op, event_id earlier);

  /// The value that a location starts with.
  void set_initial(location_id l, word value) {
    if (l >= initial_.size()) initial_.resize(l + std::size_t{1});
    initial_[l] = value;
  }
  [[nodiscard]] word initial_value(location_id l) const { return l < initial_.size() ? initial_[l] : 0; }

 protected:
  explicit exploration(release_sequences rule, symmetry equal = symmetry({})) : rule_{rule}, equal_{std::move(equal)} {}

  /// Called with each read that is bound.
  void compare_rules(const event& read) {
    if (!rules_differ_) rules_differ_ = learns_more_by_cxx11(current(), read);
  }
  event_id append_read(const operation& op, event_id source, unsigned choice);
  event_id append_write(const operation& op, bool half);
  [[nodiscard]] bool readable(event_id read);
  bool sequentially_consistent(event_id added);
  [[nodiscard]] word value_of(location_id l, event_id write) const;
  [[nodiscard]] bool awaited(const operation& op, event_id source) const {
    return op.until == nullptr || op.until(value_of(op.location, source), op.expected);
  }

  release_sequences rule_;
  symmetry equal_;
  psc psc_;
  graph* graph_ = nullptr;  ///< the current one
  std::uint64_t rejected_ = 0;
  bool rules_differ_ = false;

 private:
  std::vector<word> initial_;
};

}  // namespace licit::checker::detail

#endif
