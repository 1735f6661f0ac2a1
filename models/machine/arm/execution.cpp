#include "machine/arm/execution.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "machine/arm/execution_state.hpp"

namespace licit::arm {

namespace {

/// One element of a store: of a pair, the data of its own register only.
instruction element(const instruction& i, unsigned k) {
  instruction one = i;
  if (i.targets == 0 || i.interleaved) return one;
  const std::uint8_t from = i.target[k * i.targets / i.elements];
  one.data = from == no_register ? 0 : registers{1} << from;
  return one;
}

}  // namespace

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

event_number execution::foretell(unsigned thread, std::uint64_t pc, const instruction& i, std::uint64_t address,
                                 std::uint64_t value) {
  state& s = *state_;
  if (i.kind != kind::load || i.elements != 1 || i.acquire || i.acquire_pc) {
    throw refused("a load is foretold that acquires, or of several elements");
  }
  s.prepare(thread, i, true, false);
  const std::size_t l = s.locate(thread, address, i.size);
  const event_number e = s.order.add({});
  s.coherence.add_foretold(thread, l, value);
  s.dependencies.widen(e + 1);
  s.history.access(event_kind::read, thread, pc, i, s.dependencies);
  s.remember(thread, i, e, true);
  s.address_is_past(thread, i);
  s.loaded(thread, i, std::span(&e, 1));
  return e;
}

bool execution::may_fulfil(event_number load, event_number store) const {
  const state& s = *state_;
  const coherence::access& r = s.coherence[load];
  const coherence::access& w = s.coherence[store];
  if (!w.is_write || w.location != r.location || w.value != r.value || w.thread == r.thread) return false;
  if (s.order.is_before(load, store)) return false;
  if (w.next != initially && s.order.is_before(w.next, load)) return false;
  return s.coherence.is_at_or_behind(store, s.coherence.location(r.location).seen[r.thread]);
}

void execution::fulfil(event_number load, event_number store) {
  state& s = *state_;
  if (!may_fulfil(load, store)) throw refused("a foretold load cannot read that store");
  s.coherence.fulfil(load, store);
  if (s.seeded.per_location_views) return;
  s.order.put_before(store, load);
  if (const event_number next = s.coherence[store].next; next != initially) s.order.put_before(load, next);
}

bool execution::is_before(event_number first, event_number second) const {
  return state_->order.is_before(first, second);
}

bool execution::is_before_writes(unsigned thread, event_number load) const {
  return state_->order.is_in(thread, past::before_any, load) || state_->order.is_in(thread, past::before_writes, load);
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
  const state::open_pair& p = s.pairs[thread];
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
    const state::open_pair p = s.pairs[thread];
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
  const std::size_t sent = s.history.mark(event_kind::sends, from);
  s.history.link(sent, s.history.mark(event_kind::receives, to));
}

void execution::membarrier(unsigned caller) {
  state& s = *state_;
  const auto threads = static_cast<unsigned>(s.pairs.size());
  std::vector<std::size_t> sent;
  for (unsigned t = 0; t != threads; ++t) {
    sent.push_back(s.history.mark(event_kind::sends, t));
    s.fence(t, 0, barrier::dmb_full);
  }
  for (unsigned t = 0; t != threads; ++t) {
    if (t == caller) continue;
    s.order.remember_of(t, past::before_any, caller, past::all);
    s.history.link(sent[caller], s.history.mark(event_kind::receives, t));
  }
  for (unsigned t = 0; t != threads; ++t) {
    if (t == caller) continue;
    // What t has done, and not what it has just received, which is the caller's own.
    s.pass(t, caller);
    s.history.link(sent[t], s.history.mark(event_kind::receives, caller));
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

std::vector<execution::location> execution::accessed(std::uint64_t address, std::uint64_t bytes) const {
  std::vector<location> all;
  const arm::coherence& c = state_->coherence;
  for (std::uint64_t at = address / 8 * 8; at < address + bytes; at += 8) {
    c.overlapping(at, 8, [&](std::size_t l) { all.push_back({c.location(l).address, c.location(l).size}); });
  }
  std::erase_if(all, [&](const location& l) { return l.address + l.size <= address || l.address >= address + bytes; });
  std::ranges::sort(all, {}, &location::address);
  return all;
}

execution::shared_access execution::access(event_number e) const {
  const coherence::access& a = state_->coherence[e];
  const coherence::place& p = state_->coherence.location(a.location);
  return {a.thread, {p.address, p.size}, a.value, a.is_write};
}

std::size_t execution::size() const { return state_->coherence.size(); }

arm::candidate execution::candidate() const { return state_->history.as_candidate(state_->coherence); }

}  // namespace licit::arm
