/// The axiom of sequential consistency: psc, the partial order of the seq_cst events, has no cycle.
#ifndef LICIT_CHECKER_CORE_PSC_HPP
#define LICIT_CHECKER_CORE_PSC_HPP

#include <array>
#include <bitset>
#include <vector>

#include "core/graph.hpp"

namespace licit::checker::detail {

/// psc of RC11 (Lahav et al., PLDI 2017, section 4), for accesses and fences alike.
///
/// An event inserted last has nothing after it in happens-before, so it closes a cycle only through an edge of
/// modification order or from-read to an older event: a read of the newest write, the newest write and a fence need
/// no check. Scratch memory is kept between calls.
class psc {
 public:
  /// Seq_cst events in one graph; more end the search.
  static constexpr std::size_t limit = 256;

  /// Whether a read or a write that was added last can have closed a cycle, or the write and the read of a revisit,
  /// asked of the read. Cheap, and true too often.
  static bool may_close_cycle(const graph& g, event_id added);

  /// Whether the graph's psc is acyclic, given that the graph is coherent. Throws std::length_error beyond `limit`.
  bool acyclic(const graph& g);

 private:
  using nodes = std::bitset<limit>;

  struct reach {  ///< what a fence has after and before it at one location, as keys of graph::key
    unsigned least_after;
    unsigned most_before;
    unsigned most_write_before;
  };

  struct access {
    const event* what;
    unsigned key;  ///< graph::key
  };

  void collect(const graph& g);
  void order_by_program(const graph& g);
  void order_by_location(const graph& g, location_id l);
  void measure(const graph& g);
  void join_accesses(const graph& g);
  void edge(std::size_t from, std::size_t to) { after_[from].set(to); }
  [[nodiscard]] bool has_cycle() const;

  std::vector<event_id> sequential_;  ///< the nodes: accesses and fences
  std::vector<nodes> after_;
  std::vector<access> here_;  ///< those of the location looked at
  std::vector<std::size_t> nodes_here_;
  std::vector<reach> reach_;
};

}  // namespace licit::checker::detail

#endif
