/// What a symbolic run of the wake-up protocol records: steps of one call, and how they go on.
#ifndef LICIT_PROOF_TAPE_HPP
#define LICIT_PROOF_TAPE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <licit/checker/live_orders.hpp>

#include "proof/steps.hpp"

namespace licit::proof {

/// Steps of a run, in order. A step is an operation and what its thread decides until the next one. A fence belongs to
/// the load behind it, and all loads of a look at the work are one operation (README.md).
class tape {
 public:
  static tape& running();

  /// A crew of so many workers is made: their number becomes the constant `workers`.
  void makes(std::size_t workers) { workers_ = workers, making_ = true; }
  /// It is made, and a call begins.
  void begin(std::vector<bool> decisions);
  [[nodiscard]] const std::vector<bool>& decisions() const { return decisions_; }
  [[nodiscard]] const std::vector<step>& steps() const { return steps_; }
  /// The call `name` is entered: thrown out of a run that is another call's, which goes on there.
  void enter(const std::string& name, bool here);
  /// The source does what the system does not have. It may not throw there.
  void refuse(const std::string& why) { fault_ = why; }
  [[nodiscard]] const std::string& fault() const { return fault_; }
  /// The call is over, with this result.
  void returns(const std::string& what) { steps_.back().returns = what; }

  bool decide(const std::string& condition);
  void oblige(const std::string& name, const std::string& condition);
  [[nodiscard]] std::string literal(std::uint64_t number) const;
  /// Which worker a number stands for.
  static std::string worker(std::size_t number);
  std::size_t find(const std::string& term);

  // The head of the idle set: they return what was read.
  std::string load(std::string_view site, const checker::live_row& row);
  bool compare_exchange(std::string_view site, const checker::live_row& row, std::string& expected,
                        const std::string& desired);
  std::string update(std::string_view site, const checker::live_row& row, const std::string& term);

  // A parker's word: 0, 1 or 2.
  void first(std::uint32_t value) { first_word_ = value; }
  [[nodiscard]] std::uint32_t first() const { return first_word_; }
  std::uint32_t token(std::string_view site, const checker::live_row& row, const void* word, const std::string& term);
  bool take_token(std::string_view site, const checker::live_row& row, const void* word, std::uint32_t& expected,
                  std::uint32_t desired);
  void falls_asleep(std::string_view site, const checker::live_row& row, const void* word, std::uint32_t old);
  void wakes(std::string_view label, const void* word);

  // An inbox. A post is the compare-exchange that succeeds, into the inbox of any worker. One that fails, a few
  // times at most, is no step: it changes nothing, and what it acquires is forgotten. Before each, the item must be
  // linked to what was read last.
  bool posts(std::string_view site, const checker::live_row& row, const void* inbox, bool some);
  bool sees_top();
  void links(bool item, bool some) { linked_ = item ? linked_to(some) : linked::no; }
  [[nodiscard]] int posts_made() const { return posts_; }
  bool looks_into_inbox(std::string_view site, const checker::live_row& row, const void* inbox);

  /// Which parker and which inbox is whose.
  void name_owners(std::map<const void*, std::string> names) { owners_ = std::move(names); }

  void flag(std::string_view site, const checker::live_row& row, const void* word);
  void fence(std::string_view site, const checker::live_row& row);
  /// A look at one place for work.
  bool empty(const void* place);

 private:
  step& operation(event e);
  void visit(std::string_view site);
  std::string rendered(const std::string& term) const;
  [[nodiscard]] std::string got() const { return "got~" + std::to_string(steps_.size()); }
  [[nodiscard]] std::string owner_of(const void* place) const;

  std::vector<bool> decisions_;
  std::size_t decided_ = 0;
  std::size_t workers_ = 0;
  int posts_ = 0;
  std::string fault_;
  enum class linked : std::uint8_t { no, to_none, to_some } linked_ = linked::no;
  static linked linked_to(bool some) { return some ? linked::to_some : linked::to_none; }
  std::vector<step> steps_;
  std::string given_;  ///< the latest result, as a token
  event fence_;        ///< that belongs to the next load, if it has a name
  std::map<std::string, int, std::less<>> visits_;
  std::set<const void*> seen_;  ///< by the look that is under way
  bool looking_ = false;
  bool making_ = false;
  std::map<const void*, std::string> owners_;
  std::uint32_t first_word_ = 0;
};

/// Thrown into a run that goes on in another call.
struct entered {};

/// A call of the protocol: where a thread must be to make it. `run` returns the point where the thread then is.
struct protocol_call {
  std::string name;
  std::vector<std::string> from;
  bool worker = true;  ///< only workers
  std::function<std::string(const std::vector<bool>&)> run;
};

/// Enumerates the paths of the calls. Two points are one if all that follows is the same, as far as loops are run:
/// each operation of a call up to four times. Throws std::logic_error where that does not say which point it is, or if
/// nothing leads out of a loop.
transition_system protocol_of(std::string structure, const std::vector<std::string>& between,
                              const std::vector<protocol_call>& calls);

}  // namespace licit::proof

#endif
