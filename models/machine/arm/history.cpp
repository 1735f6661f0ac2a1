#include "machine/arm/execution_state.hpp"

namespace licit::arm {

void history::begin() {
  entries_.clear();
  place_of_.clear();
  links_.clear();
  depends_.widen(1);
  depends_.reset(0);
}

history::entry& history::add(event_kind k, unsigned thread, std::uint64_t pc) {
  entry& h = entries_.emplace_back();
  h.kind = k;
  h.thread = thread;
  h.pc = pc;
  return h;
}

history::entry& history::record(event_kind k, unsigned thread, std::uint64_t pc, const instruction& i,
                                dependencies& known) {
  entry& h = add(k, thread, pc);
  h.rows = depends_.add(3);
  if (thread == nobody) return h;
  const bool writes = k == event_kind::write || k == event_kind::own_write;
  if (known.any(thread, i.address)) depends_.copy(h.rows, known.of(thread, i.address));
  if (writes && known.any(thread, i.data)) depends_.copy(h.rows + 1, known.of(thread, i.data));
  depends_.copy(h.rows + 2, known.control(thread));
  h.acquire_pc = i.acquire_pc && !writes;
  h.release = i.release && writes;
  h.no_result = i.no_result && !writes;
  h.one_instruction = i.kind == kind::update || i.kind == kind::compare_and_swap;
  h.acquire = i.acquire && (!writes || h.one_instruction);
  return h;
}

void history::access(event_kind k, unsigned thread, std::uint64_t pc, const instruction& i, dependencies& known) {
  place_of_.push_back(entries_.size());
  depends_.widen(place_of_.size());
  record(k, thread, pc, i, known);
}

void history::own_read(unsigned thread, std::uint64_t pc, const instruction& i, dependencies& known,
                       const word* there) {
  depends_.merge(record(event_kind::own_read, thread, pc, i, known).rows + 1, there);
}

void history::own_write(unsigned thread, std::uint64_t pc, const instruction& i, dependencies& known) {
  record(event_kind::own_write, thread, pc, i, known);
}

void history::fence(unsigned thread, std::uint64_t pc, barrier b, const dependencies& known) {
  entry& h = add(event_kind::barrier, thread, pc);
  h.orders = b;
  h.rows = depends_.add(3);
  depends_.copy(h.rows + 2, known.control(thread));
}

std::size_t history::mark(event_kind k, unsigned thread) {
  add(k, thread, 0);
  return entries_.size() - 1;
}

std::vector<event_number> history::listed(const word* row) const {
  std::vector<event_number> all;
  depends_.each(row, [&](std::size_t e) { all.push_back(place_of_[e]); });
  return all;
}

candidate history::as_candidate(const coherence& accesses) const {
  candidate c;
  std::size_t access = 0;
  for (std::size_t place = 0; place != entries_.size(); ++place) {
    const bool shared = access != place_of_.size() && place_of_[access] == place;
    c.events.push_back(as_event(entries_[place], accesses, shared ? std::optional(access++) : std::nullopt));
  }
  for (std::size_t l = 0; l != accesses.locations(); ++l) {
    c.coherence.emplace_back();
    for (event_number w = accesses.location(l).first; w != initially; w = accesses[w].next) {
      c.coherence.back().push_back(place_of_[w]);
    }
  }
  c.links = links_;
  return c;
}

event history::as_event(const entry& h, const coherence& accesses, std::optional<event_number> access) const {
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
    e.address_of = listed(depends_[h.rows]);
    e.data_of = listed(depends_[h.rows + 1]);
    e.control_of = listed(depends_[h.rows + 2]);
  }
  if (!access) return e;
  const coherence::access& a = accesses[*access];
  const coherence::place& p = accesses.location(a.location);
  e.address = p.address;
  e.size = p.size;
  e.location = a.location;
  e.value = a.value;
  e.from = a.is_write || a.from == initially ? initially : place_of_[a.from];
  e.rmw_read = a.rmw_read == initially ? initially : place_of_[a.rmw_read];
  return e;
}

}  // namespace licit::arm
