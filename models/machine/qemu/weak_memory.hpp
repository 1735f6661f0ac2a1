/// The guest's shared memory during an execution: what a load finds there is what Armv8's model lets it read.
#ifndef LICIT_MODELS_QEMU_WEAK_MEMORY_HPP
#define LICIT_MODELS_QEMU_WEAK_MEMORY_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "machine/arm/execution.hpp"
#include "machine/qemu/decisions.hpp"
#include "machine/qemu/emulator.hpp"
#include "machine/qemu/history.hpp"
#include "machine/qemu/options.hpp"
#include "machine/qemu/turns.hpp"

namespace licit::qemu {

/// A load that reads what another thread stores later: the thread's access of that number, from 0, and the value.
struct foretold {
  unsigned thread;
  std::size_t access;
  std::uint64_t value;
};

/// Stacks in the region, in places of 16 bytes. A place is its first thread's own until another one accesses it: then
/// it is met, and from the next execution that adopts such places it is shared.
class stack_places {
 public:
  enum class use : std::uint8_t {
    own,       ///< the thread's alone, as far as this execution knows
    shared,    ///< known to be shared since the execution began
    surprise,  ///< another thread's, or partly shared: the execution cannot treat it as either
  };

  /// No places if both are 0.
  void add(std::uint64_t begin, std::uint64_t end);
  void begin(bool adopts);

  /// What the thread's access of these bytes would be.
  [[nodiscard]] use look(unsigned thread, std::uint64_t address, std::uint64_t bytes) const;
  /// The thread accesses them.
  use access(unsigned thread, std::uint64_t address, std::uint64_t bytes);
  /// Calls `each(address, bytes)` for those of the bytes that lie in places which are not shared.
  template <class Each>
  void not_shared(std::uint64_t address, std::uint64_t bytes, Each&& each) const {
    for (std::uint64_t at = std::max(address, begin_); at < std::min(address + bytes, end_);) {
      const std::uint64_t next = std::min({address + bytes, end_, begin_ + (place_of(at) + 1) * size});
      if (!places_[place_of(at)].shared) each(at, next - at);
      at = next;
    }
  }

 private:
  static constexpr std::uint64_t size = 16;
  static constexpr std::uint8_t nobody = 0xff;
  struct place {
    std::uint8_t owner = nobody;
    bool shared = false;
    bool met = false;
  };
  [[nodiscard]] std::size_t place_of(std::uint64_t address) const { return (address - begin_) / size; }

  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::vector<place> places_;
};

/// Before a load the model is asked for a value, which is put where the load will find it; after it, memory holds the
/// latest value in coherence order again, as it does whenever the guest's thread is not within an access. What a store
/// wrote is told to the model after it. One thread at a time calls.
///
/// Exclusives: the emulator's store-exclusive succeeds if memory holds the value that its load read. So that value is
/// put there where the model lets it succeed, and another where not.
///
/// A misaligned access (compilers fill memory by overlapping stores) is one of each aligned piece: Arm makes it one of
/// each byte, so that fewer executions are explored than there are.
class weak_memory : private arm::chooser {
 public:
  weak_memory(const options& how, const emulator& machine, decisions& by);

  /// Where memory is shared, from now on; without stacks.
  void share(std::uint64_t begin, std::uint64_t end);
  /// Which part of it is stacks.
  void add_stacks(std::uint64_t begin, std::uint64_t end);
  [[nodiscard]] bool is_shared(std::uint64_t address, std::uint64_t bytes) const;
  /// The same, and no place of a stack that is the thread's own.
  [[nodiscard]] bool is_shared_by(unsigned thread, std::uint64_t address, std::uint64_t bytes) const;
  [[nodiscard]] std::uint64_t region() const { return begin_; }

  /// A new execution; in it, perhaps, a load reads what was foretold. One that repeats another keeps the stacks' places
  /// as they were there.
  void begin(unsigned threads, bool repeats, const std::optional<foretold>& what = {});
  /// Whether a stack's place turned out to be shared. Then the rest of the execution is sequentially consistent, as
  /// every machine may be, and the model is told nothing of it.
  [[nodiscard]] bool surprised() const { return surprised_; }
  /// Of the execution that has ended, something that can be foretold when it is run again, of all there is; or nothing.
  [[nodiscard]] std::optional<foretold> foretell(std::uint64_t which, unsigned most_bytes) const;

  /// A thread is about to do this access; the address is that of its first element.
  void before(unsigned thread, const located& whole, std::uint64_t address);
  /// The emulator has accessed these bytes. Gives up if that is not what was announced.
  void after(unsigned thread, std::uint64_t address, unsigned bytes);
  /// The thread overwrites what threads have accessed among these bytes, by plain stores of the request at `pc`. Gives
  /// these places. Throws arm::refused.
  std::vector<arm::execution::location> spoil(unsigned thread, std::uint64_t pc, std::uint64_t address,
                                              std::uint64_t bytes);
  /// An instruction that accesses no memory has run.
  void step(unsigned thread, const located& at);
  /// Whether the thread has a load-exclusive behind it whose store may come.
  [[nodiscard]] bool within_exclusives(unsigned thread) const { return monitors_[thread].has_value(); }

  /// Of the execution that has ended, by the axioms from scratch: nothing if it is one of Armv8's, or what does not
  /// hold. What was foretold must have been stored then.
  [[nodiscard]] std::optional<std::string> violated() const;

  [[nodiscard]] arm::execution& model() { return model_; }
  [[nodiscard]] const std::vector<deed>& deeds() const { return deeds_; }

 private:
  // An access between `before` and its last `after`.
  struct flight {
    const located* at;
    std::uint64_t address;
    unsigned bytes;     // in all
    unsigned done = 0;  // reported by the emulator
    bool shared;
    std::optional<std::uint64_t> left;  // what an atomic must leave in memory
    std::array<std::byte, 64> image{};  // of the shared bytes, before a store
  };
  struct monitor {
    std::uint64_t address;
    std::uint64_t value;
  };

  void come_true(const flight& f, deed& d);
  [[nodiscard]] bool is_foretold(unsigned thread, const arm::instruction& i);
  std::size_t choose(std::size_t candidates) override;
  std::uint64_t initial(std::uint64_t address, unsigned size) const;

  const located* in_pieces(const located* at, std::uint64_t address);
  void load(unsigned thread, flight& f, deed& d);
  void update(unsigned thread, flight& f, deed& d);
  void store_exclusive(unsigned thread, flight& f, deed& d);
  void own(unsigned thread, const flight& f);
  void complete(unsigned thread, flight& f);
  void store(unsigned thread, const flight& f);
  void restore(const flight& f) const;
  [[nodiscard]] std::uint64_t operand(std::uint8_t number, unsigned bytes) const;
  [[nodiscard]] std::optional<std::uint64_t> written_by(const arm::instruction& i, std::uint64_t old) const;

  stack_places::use use_of(unsigned thread, std::uint64_t address, std::uint64_t bytes);

  const emulator& machine_;
  decisions& by_;
  const bool weak_;
  const bool believes_;  // a seeded fault: what was foretold is not judged
  arm::execution model_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  stack_places stacks_;
  bool surprised_ = false;
  std::array<std::optional<flight>, turns::most_threads> flights_;
  std::array<std::optional<monitor>, turns::most_threads> monitors_;
  const flight* storing_ = nullptr;  // the store that the model is being told of
  bool not_the_first_ = false;       // alternative was chosen, since this was false
  std::vector<deed> deeds_;
  std::map<std::pair<const located*, unsigned>, located> pieces_;
  std::map<std::pair<std::uint64_t, unsigned>, located> spoils_;  // by the request's place and the size

  std::optional<foretold> foretold_;                         // for this execution
  std::optional<std::size_t> event_;                         // of the candidate: the load that read it
  std::array<std::size_t, turns::most_threads> accesses_{};  // of each thread
};

}  // namespace licit::qemu

#endif
