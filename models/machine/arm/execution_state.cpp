#include "machine/arm/execution_state.hpp"

#include <bit>

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

}  // namespace licit::arm
