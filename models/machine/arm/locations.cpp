// The location of an access; also where accesses of other sizes have bytes of it.
#include <algorithm>
#include <string>
#include <vector>

#include "machine/arm/execution_state.hpp"

namespace licit::arm {

std::size_t execution::state::locate(unsigned thread, std::uint64_t address, unsigned size) {
  if (size != 1 && size != 2 && size != 4 && size != 8) {
    throw refused("an access of " + described(address, size) + ": no larger ones than 8 bytes are modelled");
  }
  if (address % size != 0) throw refused("a misaligned access of " + described(address, size));
  if (const std::size_t l = coherence.find(address, size); l != 0) return l - 1;
  bool others = false;
  coherence.overlapping(address, size, [&](std::size_t /*l*/) { others = true; });
  if (others) return join(thread, address, size);
  return coherence.add_location(address, size, initial(address, size));
}

/// The latest value of bytes that have no location of that size: of each its own location's, or the initial one.
std::uint64_t execution::state::composed(std::uint64_t address, unsigned size) const {
  std::uint64_t value = initial(address, size);
  coherence.overlapping(address, size, [&](std::size_t l) {
    const coherence::place& p = coherence.location(l);
    const std::uint64_t was = coherence.value(l, p.last);
    for (unsigned byte = 0; byte != p.size; ++byte) {
      const std::uint64_t at = p.address + byte - address;  // wraps around below it
      if (at >= size) continue;
      value &= ~(std::uint64_t{0xFF} << (8 * at));
      value |= (was >> (8 * byte) & 0xFF) << (8 * at);
    }
  });
  return value;
}

/// The location of an access that overlaps accesses of another size: allowed when all of them are its thread's own, or
/// before it. A write by nobody, or by the thread if all were its own, takes the place of them.
std::size_t execution::state::join(unsigned thread, std::uint64_t address, unsigned size) {
  const std::vector<event_number> old = overlapped(thread, address, size);
  const std::vector<piece> pieces = cut(address, size);
  for (const piece& p : pieces) coherence.retire(p.address, p.size);
  const bool own = std::ranges::all_of(old, [&](event_number e) { return coherence[e].thread == thread; });
  order.set_aside();
  std::size_t first = 0;
  for (const piece& p : pieces) {
    const std::size_t l = coherence.add_location(p.address, p.size, p.value);
    if (&p == pieces.data()) first = l;
    take_over(own ? thread : nobody, l, p.value, old);
  }
  order.take_back();
  return first;
}

/// The accesses so far of bytes among these. Throws refused if one is another thread's and not before this access.
std::vector<event_number> execution::state::overlapped(unsigned thread, std::uint64_t address, unsigned size) const {
  const auto overlaps = [&](std::uint64_t from, unsigned bytes) {
    return from < address + size && address < from + bytes;
  };
  for (const open_pair& p : pairs) {
    if (p.is_open && overlaps(p.address, p.size)) {
      throw refused("an access of " + described(address, size) + " overlaps an exclusive pair of another size");
    }
  }
  std::vector<std::size_t> places;
  coherence.overlapping(address, size, [&](std::size_t l) { places.push_back(l); });
  std::vector<event_number> all;
  for (event_number e = 0; e != coherence.size(); ++e) {
    if (std::ranges::find(places, coherence[e].location) == places.end()) continue;
    all.push_back(e);
    if (coherence[e].thread == thread || order.is_after(e)) continue;
    const coherence::place& p = coherence.location(coherence[e].location);
    throw refused("an access of " + described(address, size) + " overlaps one of another size, " +
                  described(p.address, p.size) + ", that is not ordered before it");
  }
  return all;
}

/// These bytes, first, and what is left of the locations that they overlap; with their latest values.
std::vector<execution::state::piece> execution::state::cut(std::uint64_t address, unsigned size) const {
  std::vector<piece> all{{address, size, composed(address, size)}};
  const auto rest = [&](std::uint64_t from, std::uint64_t to) {
    while (from < to) {
      unsigned part = 1;
      const auto fits = [&](std::uint64_t bytes) { return from % bytes == 0 && from + bytes <= to; };
      while (part < 8 && fits(std::uint64_t{2} * part)) part *= 2;
      all.push_back({from, part, composed(from, part)});
      from += part;
    }
  };
  coherence.overlapping(address, size, [&](std::size_t l) {
    const coherence::place& p = coherence.location(l);
    rest(p.address, std::min(address, p.address + p.size));
    rest(std::max(address + size, p.address), p.address + p.size);
  });
  return all;
}

/// A write that has the value of all those, and comes behind them.
void execution::state::take_over(unsigned by, std::size_t l, std::uint64_t value,
                                 const std::vector<event_number>& old) {
  order.prepare();
  for (const event_number e : old) order.after(e);
  if (by != nobody) {
    order.after(by, past::before_any);
    order.after(by, past::before_writes);
  }
  instruction plain;
  plain.kind = kind::store;
  const event_number e = write(by, 0, plain, l, initially, value, initially);
  std::ranges::fill(coherence.location(l).seen, e);  // nobody reads what was before
  for (const event_number o : old) history.link_accesses(o, e);
}

}  // namespace licit::arm
