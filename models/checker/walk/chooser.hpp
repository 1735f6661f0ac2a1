/// Who chooses in a walk: which thread goes on, and which of its alternatives an operation takes.
#ifndef LICIT_CHECKER_WALK_CHOOSER_HPP
#define LICIT_CHECKER_WALK_CHOOSER_HPP

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <licit/checker/options.hpp>
#include <licit/checker/record.hpp>

#include "core/graph.hpp"
#include "walk/record.hpp"

namespace licit::checker::detail {

/// One way for an operation: the write that a read reads, or that a write comes right after in modification order.
struct candidate {
  event_id other = initial;
  std::uint8_t choice = 0;
  bool waits = false;  ///< an awaiting read has seen this write, and looks again later
};

class chooser {
 public:
  chooser() = default;
  virtual ~chooser() = default;
  chooser(const chooser&) = delete;
  chooser& operator=(const chooser&) = delete;

  /// The execution with this number begins. The same number again: with the same choices.
  virtual void begin(std::uint64_t execution) = 0;

  /// One of the threads that can go on, by its place in the list.
  virtual std::size_t thread(std::span<const unsigned> able) = 0;

  /// One of the candidates, of which there are at least two; the first is the canonical one.
  virtual std::size_t access(const graph& g, std::span<const candidate> all) = 0;

  /// Whether it has a record to follow. Then it is asked for the thread before every operation, not only before atomic
  /// accesses, and for the candidate when there is but one, too.
  [[nodiscard]] virtual bool follows() const { return false; }
  /// Whether steps of the record are left.
  [[nodiscard]] virtual bool has_more() const { return false; }
  /// A thread that follows the record is about to do this.
  virtual void meet(const step& /*s*/) {}
  /// In what way the program does not do what was recorded; empty: it does.
  [[nodiscard]] virtual const std::string& objection() const;
};

/// Of the mode; null if it is exhaustive. Throws std::invalid_argument where it lacks what it needs, or is out of
/// range.
std::unique_ptr<chooser> make_chooser(const options& o);

/// Follows a record, which must outlive it; and after it, what is canonical.
std::unique_ptr<chooser> follow(const record& r);

}  // namespace licit::checker::detail

#endif
