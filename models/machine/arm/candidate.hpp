/// A finished execution as data, and the axioms of Armv8's memory model over it, as relation algebra.
///
/// This shares no code with execution.hpp, which keeps the same axioms while an execution grows: each is a check of
/// the other.
#ifndef LICIT_MODELS_ARM_CANDIDATE_HPP
#define LICIT_MODELS_ARM_CANDIDATE_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/arm/instruction.hpp"

namespace licit::arm {

enum class event_kind : std::uint8_t {
  read,
  write,
  barrier,    ///< dmb, dsb, isb: `orders`
  own_read,   ///< of a thread's own memory: it has no location, and is only there for its order
  own_write,  ///< the same
  sends,      ///< what its thread has done is before it: of execution::synchronise and membarrier
  receives,   ///< it is before what its thread will do
};

using event_number = std::size_t;
inline constexpr event_number initially = std::numeric_limits<event_number>::max();
inline constexpr unsigned nobody = std::numeric_limits<unsigned>::max();  ///< a write that joins smaller or larger ones

struct event {
  event_kind kind = event_kind::read;
  unsigned thread = 0;
  std::uint64_t pc = 0;
  std::uint64_t address = 0;
  unsigned size = 0;
  std::size_t location = 0;  ///< of reads and writes: which of `coherence`
  std::uint64_t value = 0;
  bool acquire = false;          ///< A; of a write of `one_instruction`, that its read is
  bool acquire_pc = false;       ///< Q
  bool release = false;          ///< L
  bool no_result = false;        ///< NoRet
  bool one_instruction = false;  ///< of a read-modify-write that is one instruction: amo, where it is rmw
  barrier orders = barrier::none;
  event_number from = initially;      ///< a read: the write that it reads from
  event_number rmw_read = initially;  ///< a write of a read-modify-write: its read

  // Reads that it depends on, through registers and the thread's own memory.
  std::vector<event_number> address_of;
  std::vector<event_number> data_of;
  std::vector<event_number> control_of;  ///< also of an isb
};

struct candidate {
  std::vector<event> events;                                 ///< each thread's in program order
  std::vector<std::vector<event_number>> coherence;          ///< of each location its writes, the initial one left out
  std::vector<std::pair<event_number, event_number>> links;  ///< before each other whatever the model says
};

/// Nothing when the execution is one of Armv8's; else which axiom does not hold and the events of a cycle. Cubic in the
/// events, a word of bits at a time.
std::optional<std::string> violated(const candidate& c);

/// One line: thread, kind, address, value.
std::string to_text(const event& e);

}  // namespace licit::arm

#endif
