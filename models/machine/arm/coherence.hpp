/// Locations, the coherence order of each, and who has read what.
#ifndef LICIT_MODELS_ARM_COHERENCE_HPP
#define LICIT_MODELS_ARM_COHERENCE_HPP

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "machine/arm/candidate.hpp"

namespace licit::arm {

/// The reads and writes of one execution, by number. `initially` stands for the first value of a location, which is
/// before all its writes.
class coherence {
 public:
  struct place {
    std::uint64_t address = 0;
    unsigned size = 0;
    std::uint64_t initial = 0;
    event_number first = initially;
    event_number last = initially;
    event_number first_reader = initially;  ///< of the initial value
    std::size_t next = 0;                   ///< in the same 8 bytes: its number and 1, or 0
    std::vector<event_number> seen;         ///< of each thread: the last write that it has read or made
  };
  struct access {
    unsigned thread = 0;
    std::size_t location = 0;
    std::uint64_t value = 0;
    bool is_write = false;
    event_number from = initially;      ///< of a read
    event_number rmw_read = initially;  ///< of a write of a read-modify-write
    event_number previous = initially;  ///< of a write, in coherence
    event_number next = initially;
    event_number first_reader = initially;  ///< of a write
    event_number next_reader = initially;   ///< of a read: another of the same write
  };

  void begin(unsigned threads);

  /// The location's number and 1, or 0 if it has not been accessed.
  [[nodiscard]] std::size_t find(std::uint64_t address, unsigned size) const;
  /// f(number) of each location that has bytes among these.
  template <class Function>
  void overlapping(std::uint64_t address, unsigned size, Function f) const {
    const auto found = by_place_.find(address / 8);
    for (std::size_t l = found == by_place_.end() ? 0 : found->second; l != 0; l = places_[l - 1].next) {
      const place& p = places_[l - 1];
      if (p.address < address + size && address < p.address + p.size) f(l - 1);
    }
  }
  std::size_t add_location(std::uint64_t address, unsigned size, std::uint64_t initial);
  /// Those that have bytes among these are found no more.
  void retire(std::uint64_t address, unsigned size);

  event_number add_read(unsigned thread, std::size_t location, event_number from);
  /// A read of that value, from a write that is to come; and that write has come.
  event_number add_foretold(unsigned thread, std::size_t location, std::uint64_t value);
  void fulfil(event_number read, event_number write);
  /// A write right behind `behind`.
  event_number add_write(unsigned thread, std::size_t location, event_number behind, std::uint64_t value,
                         event_number rmw_read);

  [[nodiscard]] const place& location(std::size_t l) const { return places_[l]; }
  place& location(std::size_t l) { return places_[l]; }
  [[nodiscard]] std::size_t locations() const { return places_.size(); }
  [[nodiscard]] const access& operator[](event_number e) const { return accesses_[e]; }
  [[nodiscard]] std::size_t size() const { return accesses_.size(); }

  [[nodiscard]] event_number after(std::size_t l, event_number write) const {
    return write == initially ? places_[l].first : accesses_[write].next;
  }
  [[nodiscard]] std::uint64_t value(std::size_t l, event_number write) const {
    return write == initially ? places_[l].initial : accesses_[write].value;
  }
  /// Whether a read-modify-write reads that write: its own comes right behind, and no other in between.
  [[nodiscard]] bool continued(std::size_t l, event_number write) const {
    const event_number next = after(l, write);
    return next != initially && accesses_[next].rmw_read != initially;
  }
  /// Whether the write is this one, or comes behind it.
  [[nodiscard]] bool is_at_or_behind(event_number write, event_number first) const {
    while (write != first && write != initially) write = accesses_[write].previous;
    return write == first;
  }
  template <class Function>
  void readers(std::size_t l, event_number write, Function f) const {
    event_number r = write == initially ? places_[l].first_reader : accesses_[write].first_reader;
    for (; r != initially; r = accesses_[r].next_reader) f(r);
  }

 private:
  unsigned threads_ = 0;
  std::vector<place> places_;
  std::vector<access> accesses_;
  std::unordered_map<std::uint64_t, std::size_t> by_place_;  ///< an address divided by 8; its first location and 1
};

}  // namespace licit::arm

#endif
