/// What an execution has done, in the order in which it came: all that the axioms are asked of.
#ifndef LICIT_MODELS_ARM_HISTORY_HPP
#define LICIT_MODELS_ARM_HISTORY_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "machine/arm/candidate.hpp"
#include "machine/arm/coherence.hpp"
#include "machine/arm/dependencies.hpp"
#include "machine/arm/instruction.hpp"
#include "machine/arm/relation.hpp"

namespace licit::arm {

/// Of one execution. Shared accesses are numbered as in `coherence`; a place counts all entries, barriers and the rest
/// among them. `known` is what registers depend on as the entry comes.
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

}  // namespace licit::arm

#endif
