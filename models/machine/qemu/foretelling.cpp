// Load buffering: loads that read what another thread stores later. The emulator runs each thread in its program's
// order, so such a value must be known before. It is found in an execution that has ended: a load, and a later store
// there by another thread. The execution is then run again, by the same decisions, with that load reading that value.
// Whether the store still comes is seen at the end; that Armv8 allows to read it is judged by the axioms over the whole
// execution. An execution that is not allowed does not count.
#include <fmt/format.h>

#include "machine/qemu/weak_memory.hpp"

namespace licit::qemu {

namespace {

// Larger ones may be addresses; a wrong one would lead the guest where it does not return from.
constexpr std::uint64_t largest = 4095;

}  // namespace

std::optional<foretold> weak_memory::foretell(std::uint64_t which, unsigned most_bytes) const {
  std::vector<foretold> all;
  std::array<std::size_t, turns::most_threads> accesses{};
  for (auto load = deeds_.begin(); load != deeds_.end(); ++load) {
    const arm::instruction& i = load->at->what;
    if (!i.accesses_memory()) continue;
    const std::size_t number = accesses[load->thread]++;
    if (i.kind != arm::kind::load || i.elements != 1 || i.size > most_bytes) continue;
    for (auto store = load; store != deeds_.end(); ++store) {
      const bool same = store->address == load->address && store->at->what.size == i.size;
      const std::uint64_t value = store->written[0];
      if (!store->writes || !same || store->thread == load->thread || value == load->read[0]) continue;
      if (value <= largest) all.push_back({.thread = load->thread, .access = number, .value = value});
    }
  }
  if (all.empty()) return std::nullopt;
  return all[which % all.size()];
}

// The access of the thread that has just been told to the model.
void weak_memory::come_true(const flight& f, deed& d) {
  if (!foretold_) return;
  event_ = model_.candidate().events.size() - 1;
  d.read[0] = foretold_->value;
  d.foretold = true;
  d.stale = false;
  machine_.write(f.address, f.at->what.size, d.read[0]);
}

std::optional<std::string> weak_memory::violated() const {
  if (!event_ || !foretold_) return model_.check();
  if (believes_) return std::nullopt;
  arm::candidate c = model_.candidate();
  arm::event& load = c.events[*event_];
  load.value = foretold_->value;
  std::optional<std::string> why = fmt::format("{} was foretold, and not stored", load.value);
  for (const arm::event_number w : c.coherence[load.location]) {
    const arm::event& store = c.events[w];
    if (store.value != load.value || w < *event_ || store.thread == load.thread) continue;
    load.from = w;
    why = arm::violated(c);
    if (!why) return why;
  }
  return why;
}

}  // namespace licit::qemu
