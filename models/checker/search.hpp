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
#include <vector>

#include <licit/checker/coherence.hpp>
#include <licit/checker/graph.hpp>
#include <licit/checker/psc.hpp>

namespace licit::checker {

/// What an operation returns to the thread that asked for it.
struct outcome {
  word value;
  bool success;
};

/// Of an awaiting read: whether its thread goes on with this value.
struct condition {
  bool (*holds)(const void* context, word value) = nullptr;
  const void* context = nullptr;
};

class search {
 public:
  explicit search(release_sequences rule) : rule_{rule} { begin(); }

  /// Back to the empty graph.
  void begin();

  [[nodiscard]] const graph& current() const { return top().events; }

  /// Adds an atomic access, in its first alternative; the others are for later.
  outcome access(const operation& op, const condition& awaited = {});

  /// Adds an event that has no alternatives: a fence, a plain access, an allocation, …
  const event& add(const operation& op, word value = 0);

  /// Goes to the next alternative. False when there is none: everything has been explored.
  bool next();

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
    bool spurious = false;
    bool half = false;  ///< the operation is a read-modify-write whose read is in the graph
    event_id size;      ///< of the graph that it continues
    event_id source = initial;
    event_id revisited = initial;
    operation op;
  };

  struct frame {
    graph events;
    std::vector<alternative> untried;
  };

  [[nodiscard]] frame& top() { return *frames_[depth_ - 1]; }
  [[nodiscard]] const frame& top() const { return *frames_[depth_ - 1]; }
  frame& push();

  outcome read(const operation& op, const condition& awaited);
  outcome write(const operation& op);
  bool try_read(const operation& op, event_id source, bool spurious);
  void offer_revisits(event_id write, alternative how);

  event_id append_read(const operation& op, event_id source, bool spurious);
  event_id append_write(const operation& op, bool half);
  bool finish_update(event_id read);
  bool sequentially_consistent(event_id added);

  bool apply(const alternative& a);
  void restrict(const alternative& a);
  bool apply_placed(const alternative& a);

  [[nodiscard]] word value_of(location_id l, event_id write) const;
  [[nodiscard]] static bool revisitable(const graph& g, event_id read, event_id write);

  release_sequences rule_;
  psc psc_;
  std::vector<std::unique_ptr<frame>> frames_;  ///< the first `depth_` are in use
  std::size_t depth_ = 0;
  std::vector<event_id> names_;
  std::vector<word> initial_;
  std::uint64_t rejected_ = 0;

 public:
  /// The value that a location starts with.
  void set_initial(location_id l, word value) {
    if (l >= initial_.size()) initial_.resize(l + std::size_t{1});
    initial_[l] = value;
  }
};

/// Whether the event, which the revisit of a read by `write` would delete, was added in the canonical way: a read of
/// the newest write, a write in the newest place and not read by what stays, among what was there before it or stays.
bool added_maximally(const graph& g, event_id e, event_id write);

}  // namespace licit::checker

#endif
