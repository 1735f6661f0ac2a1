#include "machine/arm/execution_state.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace licit::arm {

std::string hexadecimal(std::uint64_t n) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  do text.insert(text.begin(), digits[n % 16]);
  while ((n /= 16) != 0);
  return "0x" + text;
}

std::string described(std::uint64_t address, unsigned size) {
  return std::to_string(size) + " bytes at " + hexadecimal(address);
}

void execution::state::begin(unsigned threads) {
  order.begin(threads);
  dependencies.begin(threads);
  coherence.begin(threads);
  history.begin();
  pairs.assign(threads, {});
}

// ---- before an access ----

/// Gathers what is before an access whatever it reads or overwrites.
void execution::state::prepare(unsigned thread, const instruction& i, bool reads, bool writes) {
  order.prepare();
  order.after(thread, past::before_any);
  if (reads) order.after(thread, past::before_reads);
  if (reads && i.acquire) order.after(thread, past::releases);
  if (dependencies.any(thread, i.address)) prepare_dependent(dependencies.of(thread, i.address));
  if (!writes) return;
  order.after(thread, past::before_writes);
  if (dependencies.any(thread, i.data)) prepare_dependent(dependencies.of(thread, i.data));
  if (i.release) order.after(thread, past::all);
}

event_number execution::state::chosen(chooser& by) {
  const std::size_t n = by.pick(found);
  if (n >= found.size()) {
    throw refused("candidate " + std::to_string(n) + " was chosen of " + std::to_string(found.size()));
  }
  return found[n];
}

// ---- an access ----

/// What reading from that write puts before the read.
void execution::state::orders_read(unsigned thread, event_number from, bool acquires) {
  if (from == initially) return;
  if (coherence[from].thread != thread) {
    if (!seeded.per_location_views) order.after(from);
    return;
  }
  // The thread's own: only what the write depends on, and the read of its read-modify-write.
  prepare_dependent(history.address_of(from));
  prepare_dependent(history.data_of(from));
  if (acquires && coherence[from].rmw_read != initially) order.after(coherence[from].rmw_read);
}

event_number execution::state::read(unsigned thread, std::uint64_t pc, const instruction& i, std::size_t l,
                                    event_number from) {
  orders_read(thread, from, i.acquire || i.acquire_pc);
  const event_number next = coherence.after(l, from);
  const bool linked = next != initially && !seeded.per_location_views;
  const event_number e = order.add(linked ? std::optional(next) : std::nullopt);
  coherence.add_read(thread, l, from);
  dependencies.widen(e + 1);
  history.access(event_kind::read, thread, pc, i, dependencies);
  remember(thread, i, e, true);
  return e;
}

/// What taking that place puts before a write.
void execution::state::orders_write(std::size_t l, event_number behind) {
  if (seeded.per_location_views) return;
  if (behind != initially) order.after(behind);
  coherence.readers(l, behind, [&](event_number r) { order.after(r); });
}

event_number execution::state::write(unsigned thread, std::uint64_t pc, const instruction& i, std::size_t l,
                                     event_number behind, std::uint64_t value, event_number rmw_read) {
  orders_write(l, behind);
  const event_number next = coherence.after(l, behind);
  const bool linked = next != initially && !seeded.per_location_views;
  const event_number e = order.add(linked ? std::optional(next) : std::nullopt);
  coherence.add_write(thread, l, behind, value, rmw_read);
  dependencies.widen(e + 1);
  history.access(event_kind::write, thread, pc, i, dependencies);
  if (thread != nobody) remember(thread, i, e, false);
  return e;
}

void execution::state::remember(unsigned thread, const instruction& i, event_number e, bool is_read) {
  order.remember(thread, past::all, e);
  if (is_read) {
    if (!i.no_result) order.remember(thread, past::reads, e);
    if (i.acquire || i.acquire_pc) order.remember(thread, past::before_any, e);
    return;
  }
  order.remember(thread, past::writes, e);
  if (i.release) order.remember(thread, past::releases, e);
  const bool atomic = i.kind == kind::update || i.kind == kind::compare_and_swap;
  if (atomic && i.acquire && i.release) order.remember(thread, past::before_any, e);
}

// ---- after all elements ----

/// An address that depends on a read: the read is before all writes that come, and behind an isb also before reads.
void execution::state::address_is_past(unsigned thread, const instruction& i) {
  if (seeded.no_dependencies || !dependencies.any(thread, i.address)) return;
  const word* events = dependencies.of(thread, i.address);
  order.remember_each(thread, past::before_writes, events);
  order.remember_each(thread, past::waiting, events);
}

/// The registers that a load fills, and a write-back.
void execution::state::loaded(unsigned thread, const instruction& i, std::span<const event_number> elements) {
  dependencies.write_back(thread, i);
  dependencies.forget(thread, i.kind == kind::load ? i.loaded & ~i.data : i.loaded);
  const bool all = i.interleaved || i.targets == 0 || i.kind == kind::compare_and_swap || i.elements < i.targets;
  for (registers rest = i.loaded; rest != 0; rest &= rest - 1) {
    const auto r = static_cast<unsigned>(std::countr_zero(rest));
    for (unsigned k = 0; k != elements.size(); ++k) {
      if (all || i.target[k * i.targets / i.elements] == r) dependencies.add(thread, r, elements[k]);
    }
  }
}

// ---- whole instructions that read and write ----

std::uint64_t execution::state::update(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                                       const std::function<std::optional<std::uint64_t>(std::uint64_t)>& written,
                                       chooser& by, bool only_latest) {
  if (i.kind != kind::update && i.kind != kind::compare_and_swap)
    throw refused("an update by an instruction that is none");
  prepare(thread, i, true, false);
  const std::size_t l = locate(thread, address, i.size);
  gather(thread, l, [](event_number /*write*/) { return true; });
  if (only_latest) found.resize(1);
  // Its write is right behind what it reads, so nothing that is behind that may be before it.
  prepare(thread, i, true, true);
  std::erase_if(found, [&](event_number from) {
    const event_number next = coherence.after(l, from);
    if (!written(coherence.value(l, from))) return false;
    return coherence.continued(l, from) || (next != initially && order.is_after(next));
  });
  const event_number from = chosen(by);
  const std::uint64_t value = coherence.value(l, from);
  const std::optional<std::uint64_t> becomes = written(value);
  prepare(thread, i, true, false);
  const event_number r = read(thread, pc, i, l, from);
  if (becomes) {
    prepare(thread, i, false, true);
    order.after(r);
    write(thread, pc, i, l, from, *becomes, r);
  }
  address_is_past(thread, i);
  loaded(thread, i, std::span(&r, 1));
  return value;
}

/// An access of a thread's own memory is an event that no other thread sees: only what is before it counts.
void execution::state::own(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address, bool reads,
                           bool writes) {
  if (reads) {
    const word* there = dependencies.stored(thread, address, i.bytes());
    prepare(thread, i, true, false);
    prepare_dependent(there);
    order.remember_prepared(thread, past::all);
    if (!i.no_result) order.remember_prepared(thread, past::reads);
    if (i.acquire || i.acquire_pc) order.remember_prepared(thread, past::before_any);
    history.own_read(thread, pc, i, dependencies, there);
  }
  if (!writes) return;
  prepare(thread, i, reads, true);
  order.remember_prepared(thread, past::all);
  order.remember_prepared(thread, past::writes);
  if (i.release) order.remember_prepared(thread, past::releases);
  const bool atomic = i.kind == kind::update || i.kind == kind::compare_and_swap;
  if (atomic && i.acquire && i.release) order.remember_prepared(thread, past::before_any);
  history.own_write(thread, pc, i, dependencies);
}

// ---- what else orders ----

void execution::state::fence(unsigned thread, std::uint64_t pc, barrier b) {
  history.fence(thread, pc, b, dependencies);
  switch (b) {
    case barrier::none: break;
    case barrier::dmb_full:
    case barrier::dsb_full: order.remember(thread, past::before_any, past::all); break;
    case barrier::dmb_loads:
    case barrier::dsb_loads: order.remember(thread, past::before_any, past::reads); break;
    case barrier::dmb_stores: order.remember(thread, past::before_writes, past::writes); break;
    case barrier::dsb_stores: order.remember(thread, past::before_any, past::writes); break;
    case barrier::isb: order.remember(thread, past::before_reads, past::waiting); break;
  }
}

/// All that `from` has done is before all that `to` will do.
void execution::state::pass(unsigned from, unsigned to) {
  order.remember_of(to, past::before_any, from, past::all);
  order.remember_of(to, past::all, from, past::all);
}

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
/// before it. A write by nobody, or by the thread if all were its own, takes the place of them. An exclusive pair
/// there, as a compare-exchange that fails leaves it, is not to be completed: a processor may drop it at any time.
std::size_t execution::state::join(unsigned thread, std::uint64_t address, unsigned size) {
  const std::vector<event_number> old = overlapped(thread, address, size);
  for (open_pair& p : pairs) p.is_open = p.is_open && (p.address >= address + size || address >= p.address + p.size);
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

/// Whether what is before that access is the thread's own, or before its access to come. A write by nobody stands for
/// what was joined, so for it that is enough: no instruction has to come after it.
bool execution::state::all_before(unsigned thread, event_number e) const {
  for (event_number before = 0; before != e; ++before) {
    const bool counts = order.is_before(before, e) && coherence[before].thread != nobody;
    if (counts && coherence[before].thread != thread && !order.is_after(before)) return false;
  }
  return true;
}

/// The accesses so far of bytes among these. Throws refused if one is another thread's and not before this access.
std::vector<event_number> execution::state::overlapped(unsigned thread, std::uint64_t address, unsigned size) const {
  std::vector<std::size_t> places;
  coherence.overlapping(address, size, [&](std::size_t l) { places.push_back(l); });
  std::vector<event_number> all;
  for (event_number e = 0; e != coherence.size(); ++e) {
    if (std::ranges::find(places, coherence[e].location) == places.end()) continue;
    all.push_back(e);
    if (coherence[e].thread == thread || order.is_after(e)) continue;
    if (coherence[e].thread == nobody && all_before(thread, e)) continue;
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

void order::begin(unsigned threads) {
  first_event_ = first_thread + threads * pasts;
  events_ = 0;
  closed_.widen(1);
  closed_.reset(first_event_);
}

std::size_t order::add(std::optional<std::size_t> next) {
  const std::size_t e = events_++;
  closed_.widen(events_);
  closed_.add(1);
  closed_.copy(event_row(e), closed_[pending]);
  if (!next) return e;
  closed_.set(pending, e);
  spread_before(*next);
  return e;
}

void order::put_before(std::size_t first, std::size_t second) {
  closed_.copy(pending, closed_[event_row(first)]);
  closed_.set(pending, first);
  spread_before(second);
}

void order::spread_before(std::size_t event) {
  const word* before = closed_[pending];
  closed_.merge(event_row(event), before);
  for (std::size_t r = first_thread; r != event_row(events_); ++r) {
    if (closed_.test(r, event)) closed_.merge(r, before);
  }
}

}  // namespace licit::arm
