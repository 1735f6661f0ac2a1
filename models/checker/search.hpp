/// The search: every consistent execution graph of a program, each once.
///
/// TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, "Truly Stateless, Optimal Dynamic Partial Order Reduction",
/// POPL 2022). A read that is added takes each write that it may read, a write each place in modification order; and a
/// write that is added *revisits* each read that could have read it had it been there: what the read's removal takes
/// away is deleted, provided that all of it had been added in the one canonical way (`maximal`), so that no graph is
/// come to twice. Depth first: memory is linear in the length of an execution times the depth of the revisits.
#ifndef LICIT_MODELS_CHECKER_SEARCH_HPP
#define LICIT_MODELS_CHECKER_SEARCH_HPP

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <licit/checker/coherence.hpp>
#include <licit/checker/cut.hpp>
#include <licit/checker/graph.hpp>
#include <licit/checker/psc.hpp>

namespace licit::checker {

/// How an operation went.
enum class progress : std::uint8_t {
  done,
  stuck,       ///< nothing there that is awaited
  impossible,  ///< nowhere for it in this graph: the other alternatives have it
};

/// What an operation returns to the thread that asked for it.
struct outcome {
  word value;
  bool success;
  progress made = progress::done;
};

inline outcome outcome_of(const event& e) {
  if (e.stuck) return {e.value, false, progress::stuck};
  return {e.value, e.op.what == action::load ? !e.spurious() : e.half == part::read};
}

class search {
 public:
  explicit search(release_sequences rule, cut where = {}) : rule_{rule}, cut_{std::move(where)} { begin(); }

  /// Back to the empty graph.
  void begin();

  [[nodiscard]] const graph& current() const { return top().events; }

  /// Adds an atomic access, in its first alternative; the others are for later.
  outcome access(const operation& op);

  /// Adds an event that has no alternatives: a fence, a plain access, an allocation, …
  const event& add(const operation& op, word value = 0);

  /// Adds the going on of a thread that `notify` woke.
  void add_awake(const operation& op, event_id notify);

  /// Goes to the next alternative. False when there is none: everything has been explored.
  bool next();

  /// Whether what is found now counts here: always, but above a cut.
  [[nodiscard]] bool counts() const { return cut_.above || level_ >= cut_.level; }
  /// Pieces that were met at the cut, and those of them that were explored here.
  [[nodiscard]] std::uint64_t pieces() const { return pieces_; }
  [[nodiscard]] std::uint64_t taken() const { return taken_; }

  /// Graphs that were built and found inconsistent before any thread ran on them.
  [[nodiscard]] std::uint64_t rejected() const { return rejected_; }
  /// The most graphs alive at once: the depth of revisits.
  [[nodiscard]] std::size_t deepest() const { return frames_.size(); }

 private:
  enum class way : std::uint8_t {
    read,     ///< the operation reads `source`, and writes if it is a read-modify-write that succeeds
    write,    ///< the operation writes right after `source`
    revisit,  ///< `revisited` is to read what the operation writes
    placed,   ///< the same, in the restricted graph: the write comes right after `source`
  };

  struct alternative {
    way how;
    std::uint8_t choice = 0;
    bool half = false;  ///< the operation is a read-modify-write whose read is in the graph
    event_id size;      ///< of the graph that it continues
    event_id source = initial;
    event_id revisited = initial;
    operation op;
    unsigned level = 0;  ///< in the tree of alternatives (cut.hpp)
  };

  struct frame {
    graph events;
    std::vector<alternative> untried;
  };

  [[nodiscard]] frame& top() { return *frames_[depth_ - 1]; }
  [[nodiscard]] const frame& top() const { return *frames_[depth_ - 1]; }
  frame& push();
  void offer(alternative a);
  bool goes_into(const alternative& a);
  void reject() { rejected_ += counts() ? 1U : 0U; }

  outcome read(const operation& op);
  outcome write(const operation& op);
  bool try_read(const operation& op, event_id source, unsigned choice);
  void offer_revisits(event_id write, alternative how);

  event_id append_read(const operation& op, event_id source, unsigned choice);
  event_id append_write(const operation& op, bool half);
  bool finish_update(event_id read);
  [[nodiscard]] bool readable(event_id read);
  bool sequentially_consistent(event_id added);

  bool apply(const alternative& a);
  void restrict(const alternative& a);
  bool apply_placed(const alternative& a);

  [[nodiscard]] word value_of(location_id l, event_id write) const;
  [[nodiscard]] static bool revisitable(const graph& g, event_id read, event_id write);

  release_sequences rule_;
  cut cut_;
  psc psc_;
  std::vector<std::unique_ptr<frame>> frames_;  ///< the first `depth_` are in use
  std::size_t depth_ = 0;
  std::vector<event_id> names_;
  std::vector<word> initial_;
  unsigned level_ = 0;  ///< of the alternative that the current graph continues
  std::uint64_t pieces_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t rejected_ = 0;

 public:
  /// The value that a location starts with.
  void set_initial(location_id l, word value) {
    if (l >= initial_.size()) initial_.resize(l + std::size_t{1});
    initial_[l] = value;
  }
  [[nodiscard]] word initial_value(location_id l) const { return l < initial_.size() ? initial_[l] : 0; }
};

/// Whether the event, which the revisit of a read by `write` would delete, was added in the canonical way: a read of
/// the newest write, a write in the newest place and not read by what stays, among what was there before it or stays.
bool added_maximally(const graph& g, event_id e, event_id write);

}  // namespace licit::checker

#endif
