/// What `execution` is made of, for its own sources only: its history, the relation ob as it grows, and its state.
#ifndef LICIT_MODELS_ARM_EXECUTION_STATE_HPP
#define LICIT_MODELS_ARM_EXECUTION_STATE_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "machine/arm/candidate.hpp"
#include "machine/arm/coherence.hpp"
#include "machine/arm/dependencies.hpp"
#include "machine/arm/execution.hpp"
#include "machine/arm/instruction.hpp"
#include "machine/arm/relation.hpp"

namespace licit::arm {

/// What an execution has done, in the order in which it came: all that the axioms are asked of. Shared accesses are
/// numbered as in `coherence`; a place counts all entries, barriers and the rest among them. `known` is what registers
/// depend on as the entry comes.
class history {
 public:
  void begin();

  /// The next read or write of shared memory; of `nobody` a write that depends on nothing.
  void access(event_kind k, unsigned thread, std::uint64_t pc, const instruction& i, dependencies& known);
  /// A read of the thread's own memory, whose bytes depend on `there`.
  void own_read(unsigned thread, std::uint64_t pc, const instruction& i, dependencies& known, const word* there);
  void own_write(unsigned thread, std::uint64_t pc, const instruction& i, dependencies& known);
  void fence(unsigned thread, std::uint64_t pc, barrier b, const dependencies& known);

  /// An end of a link. Gives its place.
  std::size_t mark(event_kind k, unsigned thread);
  /// Whatever the model says, `first` is before `second`: places, or shared accesses.
  void link(std::size_t first, std::size_t second) { links_.emplace_back(first, second); }
  void link_accesses(event_number first, event_number second) { link(place_of_[first], place_of_[second]); }

  /// The reads that a shared access depends on, by its address or by its data. Hold until the next entry.
  [[nodiscard]] const word* address_of(event_number e) const { return depends_[entries_[place_of_[e]].rows]; }
  [[nodiscard]] const word* data_of(event_number e) const { return depends_[entries_[place_of_[e]].rows + 1]; }

  /// All of it, with the values, reads-from and coherence of `accesses`.
  [[nodiscard]] candidate as_candidate(const coherence& accesses) const;

 private:
  struct entry {
    event_kind kind = event_kind::read;
    unsigned thread = 0;
    std::uint64_t pc = 0;
    bool acquire = false;
    bool acquire_pc = false;
    bool release = false;
    bool no_result = false;
    bool one_instruction = false;
    barrier orders = barrier::none;
    std::size_t rows = 0;  ///< the first of three in `depends_`: address, data, control; none of a link's end
  };

  entry& add(event_kind k, unsigned thread, std::uint64_t pc);
  entry& record(event_kind k, unsigned thread, std::uint64_t pc, const instruction& i, dependencies& known);
  [[nodiscard]] std::vector<event_number> listed(const word* row) const;
  [[nodiscard]] event as_event(const entry& h, const coherence& accesses, std::optional<event_number> access) const;

  std::vector<entry> entries_;
  std::vector<std::size_t> place_of_;  ///< of a shared access
  std::vector<std::pair<std::size_t, std::size_t>> links_;
  bit_matrix depends_;
};

/// Events of a thread's past, each with all that is before it in ob.
enum class past : unsigned char {
  before_any,     ///< before whatever access comes
  before_reads,   ///< before any read that comes
  before_writes,  ///< before any write that comes
  all,
  reads,     ///< that dmb ishld orders
  writes,    ///< that dmb ishst orders
  releases,  ///< before any acquiring read (A) that comes
  waiting,   ///< before any read behind an isb that comes: control dependencies, address dependencies of the past
  count,
};

/// Which events are before which: the relation ob of an execution as it grows. A new event is first prepared: what is
/// before it is gathered in `pending`; then tried against successors; then added. All sets are kept closed under ob.
class order {
 public:
  void begin(unsigned threads);

  // The event that is being prepared.
  void prepare() { closed_.clear(pending); }
  void after(unsigned thread, past p) { closed_.merge(pending, closed_[row(thread, p)]); }
  void after(std::size_t event) {
    closed_.merge(pending, closed_[event_row(event)]);
    closed_.set(pending, event);
  }
  void after_each(const word* events) {
    closed_.each(events, [&](std::size_t e) { after(e); });
  }
  [[nodiscard]] bool is_after(std::size_t event) const { return closed_.test(pending, event); }
  [[nodiscard]] const word* prepared() const { return closed_[pending]; }

  /// Keeps what is prepared aside, and takes it back.
  void set_aside() { closed_.copy(aside, closed_[pending]); }
  void take_back() { closed_.copy(pending, closed_[aside]); }

  /// Adds it, before `next` if there is one; then `is_after(*next)` must be false. Gives its number, counted from 0.
  std::size_t add(std::optional<std::size_t> next);

  // Of events that have been added.
  [[nodiscard]] bool is_before(std::size_t first, std::size_t second) const {
    return closed_.test(event_row(second), first);
  }
  [[nodiscard]] bool is_in(unsigned thread, past p, std::size_t event) const {
    return closed_.test(row(thread, p), event);
  }
  /// `is_before(second, first)` must be false.
  void put_before(std::size_t first, std::size_t second);

  // A thread's past. What is added to it stays when the execution grows.
  void remember(unsigned thread, past p, std::size_t event) {
    closed_.merge(row(thread, p), closed_[event_row(event)]);
    closed_.set(row(thread, p), event);
  }
  void remember_each(unsigned thread, past p, const word* events) {
    closed_.each(events, [&](std::size_t e) { remember(thread, p, e); });
  }
  void remember(unsigned thread, past to, past from) { closed_.merge(row(thread, to), closed_[row(thread, from)]); }
  void remember_of(unsigned thread, past to, unsigned other, past from) {
    closed_.merge(row(thread, to), closed_[row(other, from)]);
  }
  void remember_prepared(unsigned thread, past p) { closed_.merge(row(thread, p), closed_[pending]); }

  [[nodiscard]] std::size_t size() const { return events_; }

 private:
  static constexpr std::size_t pending = 0;
  static constexpr std::size_t aside = 1;
  static constexpr std::size_t first_thread = 2;
  static constexpr std::size_t pasts = static_cast<std::size_t>(past::count);

  static std::size_t row(unsigned thread, past p) {
    return first_thread + thread * pasts + static_cast<std::size_t>(p);
  }
  [[nodiscard]] std::size_t event_row(std::size_t event) const { return first_event_ + event; }
  /// What is prepared is before the event, and before whatever is after it.
  void spread_before(std::size_t event);

  bit_matrix closed_;  ///< first what is prepared, then the threads' pasts, then the events
  std::size_t first_event_ = first_thread;
  std::size_t events_ = 0;
};

/// For messages.
std::string hexadecimal(std::uint64_t n);
std::string described(std::uint64_t address, unsigned size);

/// The steps that accesses and barriers have in common. An access is prepared (what is before it whatever it reads or
/// overwrites), its location found, its candidates gathered, one chosen, and that one done: read or write.
struct execution::state {
  state(memory m, faults f) : initial(std::move(m)), seeded(f) {}

  /// An exclusive load whose store has not come.
  struct open_pair {
    bool is_open = false;
    std::uint64_t address = 0;
    unsigned size = 0;
    event_number read = initially;
    event_number from = initially;
  };
  /// Bytes that become a location.
  struct piece {
    std::uint64_t address;
    unsigned size;
    std::uint64_t value;
  };

  memory initial;
  faults seeded;
  arm::order order;
  arm::dependencies dependencies;
  arm::coherence coherence;
  arm::history history;
  std::vector<open_pair> pairs;     ///< of each thread
  std::vector<event_number> found;  ///< candidates, the latest first

  void begin(unsigned threads);

  // Before an access.
  void prepare(unsigned thread, const instruction& i, bool reads, bool writes);
  void prepare_dependent(const word* events) {
    if (!seeded.no_dependencies) order.after_each(events);
  }

  // The locations of an access, and how those of different sizes overlap.
  std::size_t locate(unsigned thread, std::uint64_t address, unsigned size);
  std::size_t join(unsigned thread, std::uint64_t address, unsigned size);
  [[nodiscard]] bool all_before(unsigned thread, event_number e) const;
  [[nodiscard]] std::vector<event_number> overlapped(unsigned thread, std::uint64_t address, unsigned size) const;
  [[nodiscard]] std::vector<piece> cut(std::uint64_t address, unsigned size) const;
  void take_over(unsigned by, std::size_t l, std::uint64_t value, const std::vector<event_number>& old);
  [[nodiscard]] std::uint64_t composed(std::uint64_t address, unsigned size) const;

  // Candidates: behind which write a new one may come, or which one may be read.
  template <class Allowed>
  void gather(unsigned thread, std::size_t l, Allowed allowed);
  event_number chosen(chooser& by);

  // An access, one element of it.
  event_number read(unsigned thread, std::uint64_t pc, const instruction& i, std::size_t l, event_number from);
  event_number write(unsigned thread, std::uint64_t pc, const instruction& i, std::size_t l, event_number behind,
                     std::uint64_t value, event_number rmw_read);
  void orders_read(unsigned thread, event_number from, bool acquires);
  void orders_write(std::size_t l, event_number behind);
  void remember(unsigned thread, const instruction& i, event_number e, bool is_read);

  // After all elements of an instruction.
  void address_is_past(unsigned thread, const instruction& i);
  void loaded(unsigned thread, const instruction& i, std::span<const event_number> elements);

  // Whole instructions that read and write.
  std::uint64_t update(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                       const std::function<std::optional<std::uint64_t>(std::uint64_t)>& written, chooser& by,
                       bool only_latest);
  void own(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address, bool reads, bool writes);

  void fence(unsigned thread, std::uint64_t pc, barrier b);
  void pass(unsigned from, unsigned to);
};

/// From the latest write down to the last that the thread has seen, while what comes behind is not before this access.
template <class Allowed>
void execution::state::gather(unsigned thread, std::size_t l, Allowed allowed) {
  found.clear();
  const coherence::place& p = coherence.location(l);
  event_number w = p.last;
  for (;;) {
    if (allowed(w)) found.push_back(w);
    if (w == p.seen[thread] || order.is_after(w)) return;
    w = coherence[w].previous;
  }
}

}  // namespace licit::arm

#endif
