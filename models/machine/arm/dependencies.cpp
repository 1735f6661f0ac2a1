#include "machine/arm/dependencies.hpp"

#include <algorithm>
#include <bit>

namespace licit::arm {

namespace {

template <class Function>
void each_register(registers set, Function f) {
  for (; set != 0; set &= set - 1) f(static_cast<unsigned>(std::countr_zero(set)));
}

}  // namespace

void dependencies::begin(unsigned threads) {
  sets_.widen(1);
  sets_.reset(first_thread + threads * rows_of_thread);
  threads_.resize(threads);
  for (owner& t : threads_) {
    t.registers = 0;
    t.flags = false;
    t.memory.clear();
  }
  unused_.clear();
}

bool dependencies::empty(const word* events) const {
  return std::all_of(events, events + sets_.words(), [](word w) { return w == 0; });
}

const word* dependencies::of(unsigned thread, registers read, bool flags) {
  const owner& t = threads_[thread];
  sets_.clear(scratch);
  each_register(read & t.registers, [&](unsigned r) { sets_.merge(scratch, sets_[row(thread, r)]); });
  if (flags && t.flags) sets_.merge(scratch, sets_[row(thread, flags_row)]);
  return sets_[scratch];
}

void dependencies::forget(unsigned thread, registers written) { threads_[thread].registers &= ~written; }

void dependencies::assign(unsigned thread, unsigned reg, const word* events) {
  sets_.copy(row(thread, reg), events);
  threads_[thread].registers |= registers{1} << reg;
}

void dependencies::assign(unsigned thread, unsigned reg, std::size_t event) {
  forget(thread, registers{1} << reg);
  add(thread, reg, event);
}

void dependencies::add(unsigned thread, unsigned reg, std::size_t event) {
  if ((threads_[thread].registers >> reg & 1) == 0) sets_.clear(row(thread, reg));
  sets_.set(row(thread, reg), event);
  threads_[thread].registers |= registers{1} << reg;
}

void dependencies::compute(unsigned thread, const instruction& i) {
  owner& t = threads_[thread];
  if (!any(thread, i.reads, i.reads_flags)) {
    t.registers &= ~i.writes;
    if (i.writes_flags) t.flags = false;
    return;
  }
  const word* const events = of(thread, i.reads, i.reads_flags);
  each_register(i.writes, [&](unsigned r) { assign(thread, r, events); });
  if (!i.writes_flags) return;
  sets_.copy(row(thread, flags_row), events);
  t.flags = true;
}

void dependencies::write_back(unsigned thread, const instruction& i) {
  if (i.status != no_register) forget(thread, registers{1} << i.status);
  if (i.index == no_register || i.addressing != addressing::post_index) return;
  const registers both = registers{1} << i.base | registers{1} << i.index;
  if (any(thread, both)) assign(thread, i.base, of(thread, both));
}

void dependencies::own_access(unsigned thread, const instruction& i, std::uint64_t address, bool writes) {
  const bool each = i.targets == i.elements && !i.interleaved && i.kind != kind::compare_and_swap;
  const unsigned parts = each ? i.elements : 1;
  const unsigned bytes = i.bytes() / parts;
  const registers kept = i.kind == kind::load ? i.data : 0;
  sets_.copy(of_address, of(thread, i.address));  // a load may overwrite its own base
  for (unsigned k = 0; k != parts; ++k) {
    const registers its = i.target[k] == no_register ? 0 : registers{1} << i.target[k];
    const word* const there = stored(thread, address + std::uint64_t{k} * bytes, bytes);
    sets_.merge(of_memory, sets_[of_address]);
    if (writes) {
      of(thread, each && !i.reads_memory() ? its : i.data);
      sets_.merge(scratch, i.reads_memory() ? there : sets_[of_address]);
      store(thread, address + std::uint64_t{k} * bytes, bytes, sets_[scratch]);
    }
    if (!i.reads_memory()) continue;
    const registers filled = each ? its : i.loaded;
    if (kept != 0) sets_.merge(of_memory, of(thread, filled & kept));
    forget(thread, filled);
    if (!empty(there)) each_register(filled, [&](unsigned r) { assign(thread, r, there); });
  }
  write_back(thread, i);
}

const word* dependencies::stored(unsigned thread, std::uint64_t address, unsigned bytes) {
  sets_.clear(of_memory);
  const auto& memory = threads_[thread].memory;
  if (memory.empty()) return sets_[of_memory];
  for (std::uint64_t place = address / 8; place <= (address + bytes - 1) / 8; ++place) {
    if (const auto found = memory.find(place); found != memory.end()) sets_.merge(of_memory, sets_[found->second]);
  }
  return sets_[of_memory];
}

void dependencies::store(unsigned thread, std::uint64_t address, unsigned bytes, const word* events) {
  auto& memory = threads_[thread].memory;
  const bool nothing = empty(events);
  if (nothing && memory.empty()) return;
  sets_.copy(of_one, events);  // rows may move
  for (std::uint64_t place = address / 8; place <= (address + bytes - 1) / 8; ++place) {
    const bool whole = place * 8 >= address && place * 8 + 8 <= address + bytes;
    auto found = memory.find(place);
    if (nothing) {
      if (found == memory.end() || !whole) continue;
      unused_.push_back(found->second);
      memory.erase(found);
      continue;
    }
    if (found == memory.end()) {
      if (unused_.empty()) unused_.push_back(sets_.add(1));
      found = memory.emplace(place, unused_.back()).first;
      sets_.clear(unused_.back());
      unused_.pop_back();
    } else if (whole) {
      sets_.clear(found->second);
    }
    sets_.merge(found->second, sets_[of_one]);
  }
}

}  // namespace licit::arm
