/// What a symbolic run records.
#ifndef LICIT_PROOF_RECORDER_HPP
#define LICIT_PROOF_RECORDER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory_resource>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <licit/checker/live_orders.hpp>
#include <licit/deque/order.hpp>

namespace licit::proof {

/// One thing that a run did.
struct event {
  enum class what : std::uint8_t {
    operation,   ///< on memory that other threads access: the next step begins here
    own_read,    ///< of a location that only this thread writes: `name` becomes its latest value
    write,       ///< of a variable of the structure that only this thread accesses
    decision,    ///< `term` held, or its negation
    obligation,  ///< `term` must hold: `name` says which invariant of the README it is
    copy,     ///< of the slots of items `index` to `term`, out of ring `place` into ring `ring`, which nobody else has
    hand,     ///< to somebody else, of the items from `index` to `term`, as the owner reads them
    reclaim,  ///< of memory that another thread may hold
    again,    ///< the operation begins anew
    ended,    ///< the run is, before the operation at site `name`
    given,    ///< a value of another structure, or an argument: `name` becomes any number
    named,    ///< `name` becomes `term`
    batch,    ///< of copies begins, and those before it count no more
  };
  what kind = what::operation;
  std::string name = {};   ///< of an operation, its site
  std::string term = {};   ///< of an operation, the value that is stored
  std::string place = {};  ///< the location
  std::string index = {};  ///< of a slot
  std::string ring = {};   ///< of a slot
  licit::operation how = licit::operation::load;
  order success = order::relaxed;
  bool won = false;  ///< a compare-exchange that succeeds
  bool blind = false;
  bool batch = false;       ///< a claim of several; or a store of the tail: publishes the copies from `index` to `ring`
  std::string behind = {};  ///< the site of the fence directly before a load, if there is one
  order fenced = order::relaxed;  ///< that fence
  std::string takes = {};         ///< a claim of one of several items: the item
};

/// How a loop over items is run: once for an item `i`; for the one item `watched`, which is any; or round by round,
/// with a counter `round` of the thread's own; or so, and a claim in each round.
enum class loops : std::uint8_t { once, watched, counted, claims };

/// The places, variables and slots of a second structure of the same kind: what is read there may be anything.
inline constexpr std::string_view away = "away";

/// What a run leaves. A term names a result or a variable as `name~EVENT.STEP`, EVENT the number of the event that gave
/// it, so that steps.cpp sees a use of a value that is no longer there.
class recorder {
 public:
  static recorder& running();

  /// Threads: the owner's reads of what only it writes are its own.
  void begin(bool owner, std::vector<bool> decisions);
  /// The operation has returned: what follows is the end of its structure.
  void end() { over_ = true; }
  /// The locations and private variables of a structure, in the order in which it makes them. With `rounds` an
  /// operation visits a site that often, and then the run ends; else an operation that comes back to its first site
  /// begins anew.
  void name_cells(std::vector<std::string> atomics, std::vector<std::string> plains, int rounds = 0);
  [[nodiscard]] int rounds() const { return rounds_; }
  /// The structure's ring is as large as it may become.
  void forbid_growth() { may_grow_ = false; }
  [[nodiscard]] bool may_grow() const { return may_grow_; }
  /// Until the next run begins.
  void run_loops(loops how) { loops_ = how; }
  [[nodiscard]] loops how_loops_run() const { return loops_; }
  /// Any number, by that name.
  std::string given(const std::string& name);
  /// How many items the running theft of half is asked for: any number, for which `most` stands in the source.
  std::string argument();
  static constexpr std::size_t most = 12345;
  /// The number of items that the running operation is about to move, as a result by that name.
  std::string named(const std::string& number);
  /// The number that it reports. A symbolic run has no number for it, and returns 0.
  std::size_t moved(const std::string& number) {
    write(owner_ ? "bring.moved" : "half.moved", number);
    return 0;
  }
  /// A precondition.
  void assume(const std::string& condition) { events_.push_back({.kind = event::what::decision, .term = condition}); }
  std::string next_atomic();
  std::string next_plain();

  bool decide(const std::string& condition);
  /// The operation that runs may answer a number, once.
  void may_answer_a_number() { may_answer_ = true; }
  /// That number, for which `most` stands. It must not be below the owner's. Throws std::logic_error in an operation
  /// that may not.
  std::size_t answered(const std::string& number);
  /// Whether the run has stored the item that is being pushed and then published it, or handed it over: once.
  [[nodiscard]] bool has_pushed() const;
  /// The item that was read in a slot last.
  [[nodiscard]] const std::string& loaded_item() const { return loaded_item_; }
  void oblige(const std::string& name, const std::string& condition);
  /// The result's name.
  std::string load(std::string_view site, const checker::live_row& row, const std::string& place);
  std::string load_slot(std::string_view site, const checker::live_row& row, const std::string& ring,
                        const std::string& index);
  void store(std::string_view site, const checker::live_row& row, const std::string& place, const std::string& value);
  void store_slot(std::string_view site, const checker::live_row& row, const std::string& ring,
                  const std::string& index, const std::string& value);
  /// Whether it succeeds; then nothing is read but `expected`. Else `expected` becomes what was read.
  bool compare_exchange(std::string_view site, const checker::live_row& row, const std::string& place,
                        std::string& expected, const std::string& desired);
  void fence(std::string_view site, const checker::live_row& row, operation kind);
  void write(const std::string& variable, const std::string& value);
  std::string read(const std::string& variable);

  /// Memory for a ring, which has twice the slots of the one before.
  void made_ring(void* place, std::size_t bytes);
  void freed_ring(void* place, std::size_t bytes);
  /// Whether memory is left that was made since the cells got their names.
  [[nodiscard]] bool leaves_memory() const { return !rings_.empty() && !std::ranges::all_of(rings_, &extent::freed); }
  /// The first value of an index that other threads access is 0.
  static void expect_first(const std::string& value);
  /// The slots and the mask are of one ring.
  void expect_mask(const void* slots, std::size_t mask) const;
  /// Whether the ring was replaced.
  [[nodiscard]] bool grew() const { return adopted_ != 0; }
  [[nodiscard]] bool making() const { return making_; }
  /// The ring becomes the owner's.
  void adopt(const void* ring);
  /// As a term: of the owner, `newest` or the one that it is making; of a thief, the one that it loaded.
  [[nodiscard]] std::string ring_at(const void* place);
  [[nodiscard]] std::string ring_of(std::size_t mask);
  /// `copy_one` copies item i from a slot to another one. It is run once, for all i.
  template <class Copy>
  void each(const std::string& first, const std::string& last, Copy&& copy_one) {
    copying_ = {.kind = event::what::copy, .term = last, .index = first};
    in_copy_ = true;
    copy_one();
    in_copy_ = false;
  }
  /// For the item that is watched, if it is one of those.
  template <class Do>
  void watch(const std::string& first, const std::string& last, Do&& what) {
    watched_first_ = first;
    if (decide("(and (<= " + first + " watched) (< watched " + last + "))")) what("watched");
  }
  /// Round by round. Each stores to a slot.
  template <class Do>
  void count(const std::string& first, const std::string& last, Do&& what) {
    events_.push_back({.kind = event::what::batch});
    write("round", first);
    for (counting_ = {"", first, last}; decide("(< " + read("round") + " " + last + ")");) {
      counting_.round = "round~p." + std::to_string(step_ + 1);
      what(counting_.round);
      write("round", "(+ " + read("round") + " 1)");
    }
    counting_.round.clear();
  }
  /// Round by round, as long as `claim` is true.
  template <class Do>
  void claims(const std::string& first, const std::string& last, Do&& claim) {
    write("half.round", first);
    while (decide("(not (= " + read("half.round") + " " + last + "))")) {
      if (!claim("half.round~p." + std::to_string(step_ + 1))) return;
      write("half.round", "(+ " + read("half.round") + " 1)");
    }
  }
  /// The items that the operation has claimed one by one. Each is what its thread had read in a slot last.
  [[nodiscard]] const std::vector<std::string>& claimed() const { return claimed_; }
  /// Somebody else gets what the loop has read, and then the item that is being pushed: as many as memory was reserved
  /// for.
  void hands_over(const std::string& read, const std::string& pushed, const std::string& reserved);

  [[nodiscard]] const std::vector<event>& events() const { return events_; }
  [[nodiscard]] const std::vector<bool>& decisions() const { return decisions_; }
  /// What was written to each private variable last.
  [[nodiscard]] const std::map<std::string, std::string>& written() const { return written_; }

 private:
  std::string result(const std::string& site) const;
  void visit(std::string_view site);
  void next_step();
  void expect_owner(const std::string& variable) const;
  [[nodiscard]] std::size_t number_at(const void* place) const;
  void copy_away(const checker::live_row& row, const std::string& index, const std::string& value);
  std::string ring_numbered(std::size_t number);

  bool owner_ = true;
  bool making_ = false;  ///< the constructor runs: no other thread has the structure
  bool over_ = false;
  bool may_answer_ = false;
  bool may_grow_ = true;
  std::vector<bool> decisions_;
  std::size_t decided_ = 0;
  std::vector<event> events_;
  std::size_t step_ = 0;
  std::string entry_;
  int entries_ = 0;
  int rounds_ = 0;
  std::map<std::string, int, std::less<>> visits_;
  std::map<std::string, std::string> written_;  ///< in this step
  std::vector<std::string> atomics_, plains_;
  std::size_t next_atomic_ = 0, next_plain_ = 0;

  struct extent {
    const std::byte* first;
    std::size_t bytes;
    bool freed = false;
  };
  std::vector<extent> rings_;  ///< in the order in which they were made
  std::size_t adopted_ = 0;    ///< the owner's
  std::string loaded_;         ///< a thief's
  bool in_copy_ = false;
  event copying_;

  loops loops_ = loops::once;
  struct {
    std::string round, first, last;
  } counting_;
  std::string batch_first_, batch_last_;  ///< positions of the copies
  std::string watched_first_;
  std::string loaded_item_;  ///< out of a slot
  std::vector<std::string> claimed_;
};

/// Memory of rings. That there is none is a decision of the run.
class ring_memory : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override;
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

/// Thrown into a run that begins its operation for the third time, or comes to a site too often.
struct endless {};

}  // namespace licit::proof

#endif
