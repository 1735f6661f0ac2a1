/// A walk: one execution at a time, forwards only, a chooser deciding which.
///
/// RC11 has no cycle in po ∪ rf, so every execution is come to by adding its events in some order in which each read
/// follows its write, each write being put where it belongs in modification order. A walk whose threads may be switched
/// before every atomic access can therefore come to all of them.
#ifndef LICIT_CHECKER_WALK_WALK_HPP
#define LICIT_CHECKER_WALK_WALK_HPP

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/exploration.hpp"
#include "walk/chooser.hpp"

namespace licit::checker::detail {

class walk final : public exploration {
 public:
  /// `executions` of them. From `patience` events on, an execution is taken to its end by turns and by what is newest:
  /// what goes on even then is no matter of an unfair choice.
  walk(release_sequences rule, chooser& chooses, std::uint64_t executions, unsigned patience);

  /// Who chooses, from the next execution on.
  void choose_by(chooser& c) { chooser_ = &c; }
  [[nodiscard]] chooser& chooses() const { return *chooser_; }

  void begin() override {
    rejected_ = 0;
    start(0);
  }
  void repeat() override { start(number_); }
  bool next() override;

  /// One of the threads that can go on, by its place in the list.
  std::size_t thread(std::span<const unsigned> able);

  /// An awaiting read that finds nothing, or chooses to look again, adds nothing (`progress::later`).
  answer access(const operation& op) override;

  /// Whether an awaiting read that was put off could find something now.
  [[nodiscard]] bool found(const operation& op);
  /// Nothing else can go on: the next awaiting read of this thread is added though it finds nothing.
  void give_up(unsigned thread) { looks_[thread].last = true; }

  /// The number of the execution.
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  /// An awaiting read that was put off.
  struct look {
    bool looked = false;
    bool last = false;
    event_id seen = initial;  ///< it will read nothing older
  };

  void start(std::uint64_t number);
  [[nodiscard]] bool tired() const { return events_.size() > patience_ && !chooser_->follows(); }
  void collect_sources(const operation& op);
  void collect_places(event_id write);
  bool try_read(const operation& op, event_id source, unsigned choice);
  const candidate& chosen();
  answer read(const operation& op);
  answer write(const operation& op);

  graph events_;
  chooser* chooser_;
  std::uint64_t executions_;
  unsigned patience_;
  unsigned last_ = 0;  ///< whose turn it was
  std::uint64_t number_ = 0;
  std::vector<candidate> candidates_;
  std::array<look, max_threads> looks_{};
};

}  // namespace licit::checker::detail

#endif
