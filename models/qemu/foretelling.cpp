// Load buffering: loads that read what another thread stores later. The emulator runs each thread in its program's
// order, so such a value must be known before: it is one that was stored there in another execution of the same client.
// Whether the store comes is seen at the end; that Armv8 allows to read it is judged by the axioms over the whole
// execution. An execution that is not allowed does not count.
#include <algorithm>
#include <fmt/format.h>

#include "weak_memory.hpp"

namespace licit::qemu {

namespace {

// Larger ones may be addresses; a wrong one would lead the guest where it does not return from.
constexpr std::uint64_t largest = 4095;
constexpr std::size_t most = 2;  // in an execution

}  // namespace

bool weak_memory::learn() {
  learnt_.clear();
  for (const deed& d : deeds_) {
    const arm::instruction& i = d.at->what;
    if (!d.writes) continue;
    for (unsigned k = 0; k != i.elements; ++k) {
      const std::uint64_t address = d.address + (std::uint64_t{k} * i.size);
      if (d.written[k] <= largest) learnt_[{address, i.size}].insert({d.thread, d.written[k]});
    }
  }
  return !learnt_.empty();
}

void weak_memory::foretell(unsigned thread, const flight& f, deed& d) {
  const auto found = learnt_.find({f.address, f.at->what.size});
  if (found == learnt_.end() || foretold_.size() == most) return;
  std::vector<std::uint64_t> values;
  for (const stored& s : found->second) {
    if (s.thread != thread && s.value != d.read[0]) values.push_back(s.value);
  }
  if (values.empty()) return;
  const std::size_t which = by_.seldom(values.size() + 1);
  if (which == 0) return;
  d.read[0] = values[which - 1];
  d.foretold = true;
  d.stale = false;
  foretold_.push_back({.event = model_.candidate().events.size() - 1, .value = d.read[0]});
  machine_.write(f.address, f.at->what.size, d.read[0]);
}

std::optional<std::string> weak_memory::violated() const {
  if (believes_ && !foretold_.empty()) return std::nullopt;
  arm::candidate c = model_.candidate();
  return violated(c, 0);
}

// Of those foretold, each from the given one on reads from some later store that another thread made, by any choice.
std::optional<std::string> weak_memory::violated(arm::candidate& c, std::size_t from) const {
  if (from == foretold_.size()) return arm::violated(c);
  const foretold& f = foretold_[from];
  std::optional<std::string> why = fmt::format("{} was foretold, and not stored", f.value);
  for (const auto& writes : c.coherence) {
    for (const arm::event_number w : writes) {
      arm::event& load = c.events[f.event];
      const arm::event& store = c.events[w];
      const bool fits = store.address == load.address && store.size == load.size && store.value == f.value;
      if (!fits || w < f.event || store.thread == load.thread) continue;
      load.from = w;
      load.value = f.value;
      why = violated(c, from + 1);
      if (!why) return why;
    }
  }
  return why;
}

}  // namespace licit::qemu
