/// Equal threads: of the executions that differ only in which of them does what, the search visits one.
///
/// Spore (Kokologiannakis, Marmanis, Vafeiadis, PLDI 2024), for weak memory. models/checker/README.md has the proof.
/// Two equal threads are *alike* at a place if all that they did until then is the same: the same operations, which
/// read the same writes. While they are alike the one with the lower number goes first, and where they come to differ
/// it reads the earlier write, or its own write is the earlier one.
#ifndef LICIT_CHECKER_CORE_SYMMETRY_HPP
#define LICIT_CHECKER_CORE_SYMMETRY_HPP

#include <array>
#include <cstdint>
#include <vector>

#include <licit/checker/options.hpp>

#include "core/graph.hpp"

namespace licit::checker::detail {

class symmetry {
 public:
  /// A thread that the options stop is equal to none, and where operations are left out, no thread is to another.
  explicit symmetry(const options& o);

  /// Throws std::invalid_argument for a thread that the program lacks, or that is in two groups.
  static void expect_valid(const options& o, unsigned threads);

  [[nodiscard]] bool applies() const { return !groups_.empty(); }

  /// Notes with which equal threads the event's is alike, and that theirs come before it. Of an event that has its
  /// clocks, and that is its thread's last, in the graph or not.
  void join(const graph& g, event& e);

  /// Whether the event, joined and with its place if it is a write, is where the order of equal threads lets it be.
  [[nodiscard]] bool in_order(const graph& g, const event& e) const {
    return lower_[e.thread()] == 0 || is_in_order(g, e);
  }

  /// How many executions the complete one stands for: those that it becomes by permutations of equal threads. 0 if
  /// another of them stands for it.
  [[nodiscard]] std::uint64_t orbit(const graph& g);

  /// Whether threads were not equal after all, which cannot be told from here on.
  [[nodiscard]] bool differ() const { return differ_; }
  void begin() { differ_ = false; }

 private:
  using threads = std::uint8_t;  ///< a bit a thread
  using naming = std::array<unsigned, max_threads>;

  [[nodiscard]] threads candidates(const graph& g, const event& e) const;
  [[nodiscard]] bool is_in_order(const graph& g, const event& e) const;
  [[nodiscard]] bool must_wait(const graph& g, const event& e, const event& first, threads others) const;
  [[nodiscard]] bool ended_alike(const graph& g, unsigned a, unsigned b);
  [[nodiscard]] bool is_chosen(const graph& g);
  [[nodiscard]] bool is_possible(const graph& g, const naming& names);
  bool add_next(const graph& g, const naming& names, unsigned thread);

  std::vector<std::vector<unsigned>> groups_;  ///< each in ascending order
  std::array<threads, max_threads> lower_{};   ///< of each thread: its equals with lower numbers
  bool differ_ = false;
  graph renamed_;                                          ///< scratch
  std::array<std::vector<event_id>, max_threads> places_;  ///< in it, of each thread's events
};

}  // namespace licit::checker::detail

#endif
