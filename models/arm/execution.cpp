#include "arm/execution.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "arm/coherence.hpp"
#include "arm/dependencies.hpp"
#include "arm/order.hpp"

namespace licit::arm {

namespace {

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

/// An exclusive load whose store has not come.
struct open_pair {
  bool is_open = false;
  std::uint64_t address = 0;
  unsigned size = 0;
  event_number read = initially;
  event_number from = initially;
};

/// One entry of the history: a shared access, or what else orders.
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
  std::size_t rows = 0;  ///< of an access: the first of what it depends on, by address, data and control
};

}  // namespace

struct execution::state {
  state(memory m, faults f) : initial(std::move(m)), seeded(f) {}

  memory initial;
  faults seeded;
  arm::order order;
  arm::dependencies dependencies;
  arm::coherence coherence;
  bit_matrix recorded;  ///< three rows of each access in `history`
  std::vector<entry> history;
  std::vector<std::size_t> entry_of;                       ///< of a shared access, its place in `history`
  std::vector<std::pair<std::size_t, std::size_t>> links;  ///< places in `history`
  std::vector<open_pair> pairs;                            ///< of each thread
  std::vector<event_number> found;                         ///< candidates

  void begin(unsigned threads);

  // Before an access.
  std::size_t locate(unsigned thread, std::uint64_t address, unsigned size);
  struct piece {
    std::uint64_t address;
    unsigned size;
    std::uint64_t value;
  };
  std::size_t join(unsigned thread, std::uint64_t address, unsigned size);
  [[nodiscard]] std::vector<event_number> overlapped(unsigned thread, std::uint64_t address, unsigned size) const;
  [[nodiscard]] std::vector<piece> cut(std::uint64_t address, unsigned size) const;
  void take_over(unsigned by, std::size_t l, std::uint64_t value, const std::vector<event_number>& old);
  [[nodiscard]] std::uint64_t composed(std::uint64_t address, unsigned size) const;
  void prepare(unsigned thread, const instruction& i, bool reads, bool writes);
  void prepare_dependent(const word* events) {
    if (!seeded.no_dependencies) order.after_each(events);
  }

  // Candidates: behind which write a new one may come, or which one may be read; the latest first.
  template <class Allowed>
  void gather(unsigned thread, std::size_t l, Allowed allowed);
  event_number chosen(chooser& by);

  // An access.
  entry& record(event_kind k, unsigned thread, std::uint64_t pc, const instruction& i);
  event_number read(unsigned thread, std::uint64_t pc, const instruction& i, std::size_t l, event_number from);
  event_number write(unsigned thread, std::uint64_t pc, const instruction& i, std::size_t l, event_number behind,
                     std::uint64_t value, event_number rmw_read);
  void orders_read(unsigned thread, event_number from, bool acquires);
  void orders_write(std::size_t l, event_number behind);
  std::uint64_t update(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                       const std::function<std::optional<std::uint64_t>(std::uint64_t)>& written, chooser& by,
                       bool only_latest);
  void remember(unsigned thread, const instruction& i, event_number e, bool is_read);

  // After all elements of an instruction.
  void address_is_past(unsigned thread, const instruction& i);
  void loaded(unsigned thread, const instruction& i, std::span<const event_number> elements);
  void own(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address, bool reads, bool writes);

  void fence(unsigned thread, std::uint64_t pc, barrier b);
  void pass(unsigned from, unsigned to);
  std::size_t mark(event_kind k, unsigned thread);
  [[nodiscard]] std::vector<event_number> listed(const word* row) const;
  [[nodiscard]] event as_event(const entry& h, std::optional<event_number> access) const;
};

void execution::state::begin(unsigned threads) {
  order.begin(threads);
  dependencies.begin(threads);
  coherence.begin(threads);
  recorded.widen(1);
  recorded.reset(0);
  history.clear();
  entry_of.clear();
  links.clear();
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
      while (part < 8 && from % (2 * part) == 0 && from + 2 * part <= to) part *= 2;
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
  for (const event_number o : old) links.emplace_back(entry_of[o], entry_of[e]);
}

// ---- candidates ----

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

event_number execution::state::chosen(chooser& by) {
  const std::size_t n = by.pick(found);
  if (n >= found.size()) {
    throw refused("candidate " + std::to_string(n) + " was chosen of " + std::to_string(found.size()));
  }
  return found[n];
}

// ---- an access ----

entry& execution::state::record(event_kind k, unsigned thread, std::uint64_t pc, const instruction& i) {
  entry& h = history.emplace_back();
  h.kind = k;
  h.thread = thread;
  h.pc = pc;
  h.rows = recorded.add(3);
  if (thread == nobody) return h;
  const bool writes = k == event_kind::write || k == event_kind::own_write;
  if (dependencies.any(thread, i.address)) recorded.copy(h.rows, dependencies.of(thread, i.address));
  if (writes && dependencies.any(thread, i.data)) recorded.copy(h.rows + 1, dependencies.of(thread, i.data));
  recorded.copy(h.rows + 2, dependencies.control(thread));
  h.acquire_pc = i.acquire_pc && !writes;
  h.release = i.release && writes;
  h.no_result = i.no_result && !writes;
  h.one_instruction = i.kind == kind::update || i.kind == kind::compare_and_swap;
  h.acquire = i.acquire && (!writes || h.one_instruction);
  return h;
}

/// What reading from that write puts before the read.
void execution::state::orders_read(unsigned thread, event_number from, bool acquires) {
  if (from == initially) return;
  if (coherence[from].thread != thread) {
    if (!seeded.per_location_views) order.after(from);
    return;
  }
  // The thread's own: only what the write depends on, and the read of its read-modify-write.
  const std::size_t rows = history[entry_of[from]].rows;
  prepare_dependent(recorded[rows]);
  prepare_dependent(recorded[rows + 1]);
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
  recorded.widen(e + 1);
  entry_of.push_back(history.size());
  record(event_kind::read, thread, pc, i);
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
  recorded.widen(e + 1);
  entry_of.push_back(history.size());
  record(event_kind::write, thread, pc, i);
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

/// One element of a store: of a pair, the data of its own register only.
instruction element(const instruction& i, unsigned k) {
  instruction one = i;
  if (i.targets == 0 || i.interleaved) return one;
  const std::uint8_t from = i.target[k * i.targets / i.elements];
  one.data = from == no_register ? 0 : registers{1} << from;
  return one;
}

// ---- what else orders ----

void execution::state::fence(unsigned thread, std::uint64_t pc, barrier b) {
  entry& h = history.emplace_back();
  h.kind = event_kind::barrier;
  h.thread = thread;
  h.pc = pc;
  h.orders = b;
  h.rows = recorded.add(3);
  recorded.copy(h.rows + 2, dependencies.control(thread));
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

/// An end of a link, in the history. Gives its place there.
std::size_t execution::state::mark(event_kind k, unsigned thread) {
  entry& h = history.emplace_back();
  h.kind = k;
  h.thread = thread;
  return history.size() - 1;
}

/// All that `from` has done is before all that `to` will do.
void execution::state::pass(unsigned from, unsigned to) {
  order.remember_of(to, past::before_any, from, past::all);
  order.remember_of(to, past::all, from, past::all);
}

std::vector<event_number> execution::state::listed(const word* row) const {
  std::vector<event_number> all;
  recorded.each(row, [&](std::size_t e) { all.push_back(entry_of[e]); });
  return all;
}

// ---- the interface ----

execution::execution(memory initial, faults seeded) : state_(std::make_unique<state>(std::move(initial), seeded)) {}
execution::~execution() = default;
execution::execution(execution&&) noexcept = default;
execution& execution::operator=(execution&&) noexcept = default;

void execution::begin(unsigned threads) { state_->begin(threads); }

values execution::load(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address, chooser& by) {
  state& s = *state_;
  if (!i.reads_memory() || i.writes_memory()) throw refused("a load by an instruction that is none");
  values all{};
  std::array<event_number, 8> events{};
  for (unsigned k = 0; k != i.elements; ++k) {
    s.prepare(thread, i, true, false);
    const std::size_t l = s.locate(thread, address + std::uint64_t{k} * i.size, i.size);
    s.gather(thread, l, [](event_number /*write*/) { return true; });
    const event_number from = s.chosen(by);
    events.at(k) = s.read(thread, pc, i, l, from);
    all.at(k) = s.coherence.value(l, from);
    if (i.kind == kind::load_exclusive) s.pairs[thread] = {true, address, i.size, events[k], from};
  }
  s.address_is_past(thread, i);
  s.loaded(thread, i, std::span(events).first(i.elements));
  return all;
}

void execution::store(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                      const values& written, chooser& by) {
  state& s = *state_;
  if (i.kind != kind::store) throw refused("a store by an instruction that is none");
  for (unsigned k = 0; k != i.elements; ++k) {
    const instruction part = element(i, k);
    s.prepare(thread, part, false, true);
    const std::size_t l = s.locate(thread, address + std::uint64_t{k} * i.size, i.size);
    s.gather(thread, l, [&](event_number behind) { return !s.coherence.continued(l, behind); });
    const event_number behind = s.chosen(by);
    s.write(thread, pc, part, l, behind, written.at(k), initially);
  }
  s.address_is_past(thread, i);
  s.dependencies.write_back(thread, i);
}

bool execution::may_succeed(unsigned thread, const instruction& i, std::uint64_t address) {
  state& s = *state_;
  const open_pair& p = s.pairs[thread];
  if (!p.is_open || p.address != address || p.size != i.size) return false;
  const std::size_t l = s.coherence.find(address, i.size) - 1;
  if (s.coherence.continued(l, p.from) || s.coherence.location(l).seen[thread] != p.from) return false;
  const event_number next = s.coherence.after(l, p.from);
  s.prepare(thread, i, false, true);
  s.order.after(p.read);
  return next == initially || !s.order.is_after(next);
}

void execution::store_exclusive(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                                std::optional<std::uint64_t> written) {
  state& s = *state_;
  if (i.kind != kind::store_exclusive) throw refused("an exclusive store by an instruction that is none");
  if (written) {
    if (!may_succeed(thread, i, address)) {
      throw refused("an exclusive store of " + described(address, i.size) + " succeeded that cannot");
    }
    const open_pair p = s.pairs[thread];
    s.prepare(thread, i, false, true);
    s.order.after(p.read);
    s.write(thread, pc, i, s.coherence.find(address, i.size) - 1, p.from, *written, p.read);
  }
  s.pairs[thread].is_open = false;
  s.address_is_past(thread, i);
  s.dependencies.write_back(thread, i);
}

void execution::update(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                       std::uint64_t read, std::optional<std::uint64_t> written) {
  latest newest;
  const auto same = [&](std::uint64_t value) {
    if (value == read) return written;
    throw refused("an atomic update of " + described(address, i.size) + " read " + hexadecimal(read) +
                  ", and the latest value is " + hexadecimal(value));
  };
  state_->update(thread, pc, i, address, same, newest, true);
}

std::uint64_t execution::update(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                                const std::function<std::optional<std::uint64_t>(std::uint64_t)>& written,
                                chooser& by) {
  return state_->update(thread, pc, i, address, written, by, false);
}

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

void execution::private_access(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                               bool stored) {
  state& s = *state_;
  const bool reads = i.reads_memory();
  const bool writes = i.writes_memory() && stored;
  const bool ordered = i.acquire || i.acquire_pc || i.release;
  if (ordered || s.dependencies.any(thread, i.address | (writes ? i.data : 0))) {
    s.own(thread, pc, i, address, reads, writes);
    s.address_is_past(thread, i);
  }
  s.dependencies.own_access(thread, i, address, writes);
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
    recorded.merge(record(event_kind::own_read, thread, pc, i).rows + 1, there);
  }
  if (!writes) return;
  prepare(thread, i, reads, true);
  order.remember_prepared(thread, past::all);
  order.remember_prepared(thread, past::writes);
  if (i.release) order.remember_prepared(thread, past::releases);
  const bool atomic = i.kind == kind::update || i.kind == kind::compare_and_swap;
  if (atomic && i.acquire && i.release) order.remember_prepared(thread, past::before_any);
  record(event_kind::own_write, thread, pc, i);
}

void execution::step(unsigned thread, std::uint64_t pc, const instruction& i) {
  state& s = *state_;
  if (i.orders != barrier::none) s.fence(thread, pc, i.orders);
  if (i.kind == kind::clear_exclusive) s.pairs[thread].is_open = false;
  const bool branches = i.kind == kind::conditional || i.kind == kind::indirect || i.kind == kind::unknown;
  if (branches && s.dependencies.any(thread, i.reads, i.reads_flags)) {
    const word* events = s.dependencies.of(thread, i.reads, i.reads_flags);
    s.dependencies.branch(thread, events);
    if (!s.seeded.no_dependencies) {
      s.order.remember_each(thread, past::before_writes, events);
      s.order.remember_each(thread, past::waiting, events);
    }
  }
  if (i.writes != 0 || i.writes_flags) s.dependencies.compute(thread, i);
}

void execution::synchronise(unsigned from, unsigned to) {
  state& s = *state_;
  s.pass(from, to);
  const std::size_t sent = s.mark(event_kind::sends, from);
  s.links.emplace_back(sent, s.mark(event_kind::receives, to));
}

void execution::membarrier(unsigned caller) {
  state& s = *state_;
  const auto threads = static_cast<unsigned>(s.pairs.size());
  std::vector<std::size_t> sent;
  for (unsigned t = 0; t != threads; ++t) {
    sent.push_back(s.mark(event_kind::sends, t));
    s.fence(t, 0, barrier::dmb_full);
  }
  for (unsigned t = 0; t != threads; ++t) {
    if (t == caller) continue;
    s.order.remember_of(t, past::before_any, caller, past::all);
    s.links.emplace_back(sent[caller], s.mark(event_kind::receives, t));
  }
  for (unsigned t = 0; t != threads; ++t) {
    if (t == caller) continue;
    // What t has done, and not what it has just received, which is the caller's own.
    s.pass(t, caller);
    s.links.emplace_back(sent[t], s.mark(event_kind::receives, caller));
  }
  for (unsigned t = 0; t != threads; ++t) {
    if (t != caller) s.order.remember(t, past::all, past::before_any);
  }
}

std::uint64_t execution::latest_value(std::uint64_t address, unsigned size) const {
  const arm::coherence& c = state_->coherence;
  if (const std::size_t l = c.find(address, size); l != 0) return c.value(l - 1, c.location(l - 1).last);
  return state_->composed(address, size);
}

std::size_t execution::size() const { return state_->coherence.size(); }

arm::candidate execution::candidate() const {
  const state& s = *state_;
  arm::candidate c;
  std::size_t access = 0;
  for (std::size_t k = 0; k != s.history.size(); ++k) {
    const bool shared = access != s.entry_of.size() && s.entry_of[access] == k;
    c.events.push_back(s.as_event(s.history[k], shared ? std::optional(access++) : std::nullopt));
  }
  for (std::size_t l = 0; l != s.coherence.locations(); ++l) {
    c.coherence.emplace_back();
    for (event_number w = s.coherence.location(l).first; w != initially; w = s.coherence[w].next) {
      c.coherence.back().push_back(s.entry_of[w]);
    }
  }
  c.links = s.links;
  return c;
}

event execution::state::as_event(const entry& h, std::optional<event_number> access) const {
  event e;
  e.kind = h.kind;
  e.thread = h.thread;
  e.pc = h.pc;
  e.acquire = h.acquire;
  e.acquire_pc = h.acquire_pc;
  e.release = h.release;
  e.no_result = h.no_result;
  e.one_instruction = h.one_instruction;
  e.orders = h.orders;
  if (h.kind != event_kind::sends && h.kind != event_kind::receives) {
    e.address_of = listed(recorded[h.rows]);
    e.data_of = listed(recorded[h.rows + 1]);
    e.control_of = listed(recorded[h.rows + 2]);
  }
  if (!access) return e;
  const coherence::access& a = coherence[*access];
  const coherence::place& p = coherence.location(a.location);
  e.address = p.address;
  e.size = p.size;
  e.location = a.location;
  e.value = a.value;
  e.from = a.is_write || a.from == initially ? initially : entry_of[a.from];
  e.rmw_read = a.rmw_read == initially ? initially : entry_of[a.rmw_read];
  return e;
}

}  // namespace licit::arm
