/// What `execution` is made of, for its own sources only.
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

#include "machine/arm/coherence.hpp"
#include "machine/arm/dependencies.hpp"
#include "machine/arm/execution.hpp"
#include "machine/arm/history.hpp"
#include "machine/arm/order.hpp"
#include "machine/arm/relation.hpp"

namespace licit::arm {

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
