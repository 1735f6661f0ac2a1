/// One execution of Armv8's memory model, built event by event, consistent at every moment.
///
/// The model is the axiomatic one of Arm's aarch64.cat: multi-copy atomic, "ordered-before" (ob) acyclic. Sources:
/// C. Pulte, S. Flur, W. Deacon, J. French, S. Sarkar, P. Sewell, "Simplifying ARM Concurrency", POPL 2018; W. Deacon,
/// J. Alglave et al., aarch64.cat and aarch64hwreqs.cat of herdtools7. models/machine/arm/README.md says where this
/// differs.
#ifndef LICIT_MODELS_ARM_EXECUTION_HPP
#define LICIT_MODELS_ARM_EXECUTION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "machine/arm/candidate.hpp"
#include "machine/arm/instruction.hpp"

namespace licit::arm {

/// Decides where the model leaves a choice.
class chooser {
 public:
  virtual ~chooser() = default;
  /// One of `candidates`, of which there are two or more: 0 is the latest in coherence order, higher ones are older.
  virtual std::size_t choose(std::size_t candidates) = 0;
  /// The same of these writes, at least one: to read from, or to come behind; `initially` is the initial value. Numbers
  /// count shared accesses, reads and writes, as `execution::size` does.
  virtual std::size_t pick(std::span<const event_number> writes) {
    return writes.size() == 1 ? 0 : choose(writes.size());
  }
};

/// Always the latest: a sequentially consistent machine.
class latest : public chooser {
 public:
  std::size_t choose(std::size_t /*candidates*/) override { return 0; }
};

/// What the model does not cover: misaligned accesses, accesses of different sizes that overlap and are not ordered,
/// instructions that are not understood on shared memory, a use against the rules below. The execution is lost:
/// `begin` makes a new one.
class refused : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

/// The elements of one instruction, as numbers, least significant byte first; those it does not have are 0.
using values = std::array<std::uint64_t, 8>;

/// Seeded faults, for the tests of tests: each makes the model admit what Arm forbids.
struct faults {
  bool no_dependencies = false;     ///< address, data and control dependencies order nothing
  bool per_location_views = false;  ///< nothing that another thread did is ordered before what follows its reading
};

/// One caller at a time. An instruction of a thread comes in program order, when its registers' instructions have come;
/// threads may come in any order. A load reads a store that has come, or it is foretold what a store that is yet to
/// come will write. Without foretold loads all executions can be built but those with a cycle in program order and
/// reads-from (load buffering).
///
/// Memory is either shared, and its accesses are events of the model, or a thread's own (its stack), and passes
/// dependencies on; the caller says which it is by the function that it calls, the same for an address through an
/// execution. `pc` is the instruction's address, for the history.
///
/// Cost: an event takes time in proportion to the events so far (bits of a word at a time); memory of their square.
class execution {
 public:
  /// What is in memory before the first access of an execution: asked once for each location, when it is first
  /// accessed. Sizes are 1, 2, 4 and 8.
  using memory = std::function<std::uint64_t(std::uint64_t address, unsigned size)>;

  explicit execution(memory initial, faults seeded = {});
  ~execution();
  execution(execution&&) noexcept;
  execution& operator=(execution&&) noexcept;

  /// A new execution, of `threads` threads that know nothing.
  void begin(unsigned threads);

  /// A load of shared memory: each element reads from any store so far with which `ob` stays acyclic. An exclusive load
  /// too, and it opens a pair. Gives the values. Throws refused.
  values load(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address, chooser& by);

  /// A load of one element that reads what a store of another thread, which has not come, is to write. Gives its
  /// number. The thread may access the location again when the load has its store. Not an acquire, nor one of an
  /// exclusive pair.
  event_number foretell(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                        std::uint64_t value);
  /// Whether a foretold load may read that store, the latest access; and it does.
  [[nodiscard]] bool may_fulfil(event_number load, event_number store) const;
  void fulfil(event_number load, event_number store);
  /// Whether ob has one before the other; and whether it has the load before all that its thread is yet to write.
  [[nodiscard]] bool is_before(event_number first, event_number second) const;
  [[nodiscard]] bool is_before_writes(unsigned thread, event_number load) const;

  /// A store to shared memory: each element takes any place in coherence with which `ob` stays acyclic, and never one
  /// between a read-modify-write's read and its write. Throws refused.
  void store(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address, const values& written,
             chooser& by);

  /// A store-exclusive. With a value it has succeeded: it comes right behind the store that its load read from
  /// (`may_succeed`). Without one it has failed, and writes nothing. Throws refused.
  void store_exclusive(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                       std::optional<std::uint64_t> written);

  /// Whether that store-exclusive may succeed: its pair is open, and the place behind what its load read is free.
  [[nodiscard]] bool may_succeed(unsigned thread, const instruction& i, std::uint64_t address);

  /// An atomic update or compare-and-swap that reads the latest value, `read`, and writes `written`, or nothing when it
  /// does not compare equal. Throws refused, also when `read` is not the latest value.
  void update(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address, std::uint64_t read,
              std::optional<std::uint64_t> written);

  /// The same, of any value it may read: `written` gives what it then writes, or nothing; it is asked for each value
  /// that may be read. Gives what was read.
  std::uint64_t update(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                       const std::function<std::optional<std::uint64_t>(std::uint64_t)>& written, chooser& by);

  /// An access of the thread's own memory, of any kind; `stored` says whether a conditional store was made.
  void private_access(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                      bool stored = true);

  /// Any instruction that accesses no memory: registers, flags, branches, barriers.
  void step(unsigned thread, std::uint64_t pc, const instruction& i);

  /// All that `from` has done is before all that `to` will do: start and join of threads, a wake-up that the harness
  /// makes itself.
  void synchronise(unsigned from, unsigned to);

  /// The membarrier system call: a full barrier in each thread where it stands; what the caller has done is before all
  /// that others will do, and what they have done before all that it will do.
  void membarrier(unsigned caller);

  /// The last value in coherence order, or the initial one. Throws refused.
  [[nodiscard]] std::uint64_t latest_value(std::uint64_t address, unsigned size) const;

  struct location {
    std::uint64_t address;
    unsigned size;
  };
  /// Where accesses so far were among these bytes, or have some of them; by address.
  [[nodiscard]] std::vector<location> accessed(std::uint64_t address, std::uint64_t bytes) const;

  struct shared_access {
    unsigned thread;
    location at;
    std::uint64_t value;
    bool is_write;
  };
  [[nodiscard]] shared_access access(event_number e) const;

  /// Shared accesses so far; a successful read-modify-write is two.
  [[nodiscard]] std::size_t size() const;

  /// All of it as data: events in the order in which they came, with their relations.
  [[nodiscard]] arm::candidate candidate() const;

  /// The axioms from scratch, by other code (candidate.hpp): nothing, or which does not hold.
  [[nodiscard]] std::optional<std::string> check() const { return violated(candidate()); }

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace licit::arm

#endif
