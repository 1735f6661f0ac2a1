/// The axiom of sequential consistency: psc, the partial order of the seq_cst events, has no cycle.
#ifndef LICIT_CHECKER_CORE_PSC_HPP
#define LICIT_CHECKER_CORE_PSC_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/graph.hpp"

namespace licit::checker::detail {

/// Which node leads to which. They are numbered from 0 on.
class adjacency {
 public:
  void reset(std::size_t size) {
    size_ = size;
    words_ = (size + 63) / 64;
    after_.assign(size * words_, 0);
  }
  void add(std::size_t from, std::size_t to) { after_[from * words_ + to / 64] |= bit(to); }
  [[nodiscard]] bool has_cycle();

 private:
  static std::uint64_t bit(std::size_t node) { return std::uint64_t{1} << node % 64; }
  [[nodiscard]] bool leads_on(std::size_t from) const;

  std::size_t size_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> after_;  ///< a row of bits for each node
  std::vector<std::uint64_t> left_;   ///< scratch of has_cycle: nodes that may be on a cycle
};

/// psc of RC11 (Lahav et al., PLDI 2017, section 4), for accesses and fences alike.
///
/// An event inserted last has nothing after it in happens-before, so it closes a cycle only through an edge of
/// modification order or from-read to an older event: a read of the newest write, the newest write and a fence need
/// no check. Scratch memory is kept between calls.
class psc {
 public:
  /// Whether a read or a write that was added last can have closed a cycle, or the write and the read of a revisit,
  /// asked of the read. Cheap, and true too often.
  static bool may_close_cycle(const graph& g, event_id added);

  /// Whether the graph's psc is acyclic, given that the graph is coherent.
  bool acyclic(const graph& g);

 private:
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
  void edge(std::size_t from, std::size_t to) { order_.add(from, to); }

  std::vector<event_id> sequential_;            ///< the nodes: accesses and fences
  std::vector<const event*> elsewhere_before_;  ///< of each node: the last event before it of another location
  adjacency order_;
  std::vector<access> here_;  ///< those of the location looked at
  std::vector<std::size_t> nodes_here_;
  std::vector<reach> reach_;
};

}  // namespace licit::checker::detail

#endif
