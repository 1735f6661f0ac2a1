#include "machine/qemu/weak_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "machine/qemu/options.hpp"

namespace licit::qemu {

namespace {

// A thread that spins reads the latest value after so many accesses of all threads: old ones do not stay for ever.
constexpr std::size_t patience = 1000;

constexpr unsigned link_register = 30;

std::uint64_t masked(std::uint64_t value, unsigned bytes) {
  return bytes >= 8 ? value : value & ((std::uint64_t{1} << (bytes * 8)) - 1);
}

// The store that a request stands for: its address comes of what the guest asked with (guest.hpp: x2, x3).
located store_of_request(unsigned size, std::uint64_t pc) {
  located l;
  l.pc = pc;
  l.what.kind = arm::kind::store;
  l.what.size = static_cast<std::uint8_t>(size);
  l.what.elements = 1;
  l.what.address = l.what.reads = arm::registers{1} << 2U | arm::registers{1} << 3U;
  return l;
}

std::int64_t with_sign(std::uint64_t value, unsigned bytes) {
  const unsigned unused = 64 - (bytes * 8);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

std::uint64_t result_of(arm::operation operation, unsigned bytes, std::uint64_t old, std::uint64_t operand) {
  const bool less = with_sign(old, bytes) < with_sign(operand, bytes);
  switch (operation) {
    case arm::operation::swap: return operand;
    case arm::operation::add: return masked(old + operand, bytes);
    case arm::operation::clear: return old & ~operand;
    case arm::operation::exclusive_or: return old ^ operand;
    case arm::operation::set: return old | operand;
    case arm::operation::smax: return less ? operand : old;
    case arm::operation::smin: return less ? old : operand;
    case arm::operation::umax: return std::max(old, operand);
    case arm::operation::umin: return std::min(old, operand);
  }
  fail("an atomic operation that the plugin does not know");
}

}  // namespace

weak_memory::weak_memory(const options& how, const emulator& machine, decisions& by)
    : machine_{machine},
      by_{by},
      weak_{how.weak},
      believes_{how.fault == seeded::foretelling},
      model_{[this](std::uint64_t address, unsigned size) { return initial(address, size); },
             {.no_dependencies = how.fault == seeded::dependencies, .per_location_views = how.fault == seeded::views}} {
}

void stack_places::add(std::uint64_t begin, std::uint64_t end) {
  if (begin % size != 0 || end % size != 0 || begin > end) {
    fail(fmt::format("stacks from {:#x} to {:#x}: both are to be multiples of {}, in this order", begin, end, size));
  }
  begin_ = begin;
  end_ = end;
  places_.assign((end - begin) / size, {});
}

void stack_places::begin(bool adopts) {
  for (place& p : places_) {
    p.owner = nobody;
    if (adopts) p.shared = p.met;
  }
}

stack_places::use stack_places::look(unsigned thread, std::uint64_t address, std::uint64_t bytes) const {
  bool shared = address < begin_ || address + bytes > end_;
  bool own = false;
  bool others = false;
  not_shared(address, bytes, [&](std::uint64_t at, std::uint64_t /*bytes*/) {
    const place& p = places_[place_of(at)];
    own = true;
    others = others || p.met || (p.owner != nobody && p.owner != thread);
  });
  if (!own) return use::shared;
  for (std::uint64_t at = std::max(address, begin_); at < std::min(address + bytes, end_); ++at) {
    shared = shared || places_[place_of(at)].shared;
  }
  return shared || others ? use::surprise : use::own;
}

stack_places::use stack_places::access(unsigned thread, std::uint64_t address, std::uint64_t bytes) {
  const use is = look(thread, address, bytes);
  if (is == use::shared) return is;
  not_shared(address, bytes, [&](std::uint64_t at, std::uint64_t /*bytes*/) {
    place& p = places_[place_of(at)];
    p.owner = static_cast<std::uint8_t>(thread);
    p.met = p.met || is == use::surprise;
  });
  return is;
}

void weak_memory::share(std::uint64_t begin, std::uint64_t end) {
  begin_ = begin;
  end_ = end;
  stacks_.add(0, 0);
}

void weak_memory::add_stacks(std::uint64_t begin, std::uint64_t end) {
  if (begin < begin_ || end > end_) fail(fmt::format("stacks from {:#x} to {:#x}, outside the region", begin, end));
  stacks_.add(begin, end);
}

bool weak_memory::is_shared_by(unsigned thread, std::uint64_t address, std::uint64_t bytes) const {
  return is_shared(address, bytes) && stacks_.look(thread, address, bytes) != stack_places::use::own;
}

// From a surprise on, memory is what the emulator makes of it: it holds the latest values.
stack_places::use weak_memory::use_of(unsigned thread, std::uint64_t address, std::uint64_t bytes) {
  const stack_places::use is = stacks_.access(thread, address, bytes);
  if (is == stack_places::use::surprise && !surprised_) {
    surprised_ = true;
    monitors_.fill(std::nullopt);
  }
  return is;
}

bool weak_memory::is_shared(std::uint64_t address, std::uint64_t bytes) const {
  const bool touches = address < end_ && address + bytes > begin_;
  if (touches && (address < begin_ || address + bytes > end_)) {
    fail(fmt::format("an access of {} bytes at {:#x} is partly in the shared region", bytes, address));
  }
  return touches;
}

void weak_memory::begin(unsigned threads, bool repeats, const std::optional<foretold>& what) {
  foretold_ = what;
  stacks_.begin(!repeats);
  surprised_ = false;
  event_.reset();
  accesses_.fill(0);
  flights_.fill(std::nullopt);
  monitors_.fill(std::nullopt);
  deeds_.clear();
  model_.begin(threads);
}

std::size_t weak_memory::choose(std::size_t candidates) {
  if (!weak_ || model_.size() > patience) return 0;
  const std::size_t which = by_.value(candidates);
  not_the_first_ = not_the_first_ || which != 0;
  return which;
}

std::uint64_t weak_memory::initial(std::uint64_t address, unsigned size) const {
  std::uint64_t value = machine_.read(address, size);
  if (storing_ == nullptr) return value;
  std::array<std::byte, 8> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  for (unsigned k = 0; k != size; ++k) {
    const std::uint64_t at = address + k - storing_->address;
    if (at < storing_->bytes) bytes[k] = storing_->image[at];
  }
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

const located* weak_memory::in_pieces(const located* at, std::uint64_t address) {
  const arm::instruction& i = at->what;
  const bool plain = i.kind == arm::kind::load || i.kind == arm::kind::store;
  if (address % i.size == 0 || !plain || i.acquire || i.acquire_pc || i.release) return at;
  const unsigned size = 1U << static_cast<unsigned>(std::countr_zero(address));
  const unsigned pieces = i.bytes() / size;
  const unsigned most = arm::values{}.size();
  located& split = pieces_.try_emplace({at, size}, *at).first->second;
  split.what.size = static_cast<std::uint8_t>(size);
  split.what.elements = static_cast<std::uint8_t>(std::min(pieces, most));
  return &split;
}

void weak_memory::before(unsigned thread, const located& whole, std::uint64_t address) {
  if (const auto& open = flights_[thread])
    fail(fmt::format("the emulator did not report the access at {:#x}", open->at->pc));
  const unsigned bytes = whole.what.bytes();
  const bool shared = is_shared(address, bytes) && use_of(thread, address, bytes) != stack_places::use::own;
  if (surprised_) return;
  const located& at = shared ? *in_pieces(&whole, address) : whole;
  flight f{.at = &at, .address = address, .bytes = bytes, .shared = shared, .left = {}};
  if (!f.shared) {
    own(thread, f);
  } else {
    if (bytes > f.image.size()) fail(fmt::format("an access of {} bytes to shared memory at pc {:#x}", bytes, at.pc));
    std::memcpy(f.image.data(), machine_.at(address), bytes);
    ++accesses_[thread];
    deed& d = deeds_.emplace_back(
        deed{.thread = thread, .at = &at, .address = address, .caller = machine_.mine()[link_register]});
    const bool atomic = at.what.kind == arm::kind::update || at.what.kind == arm::kind::compare_and_swap;
    not_the_first_ = false;
    if (at.what.kind == arm::kind::store_exclusive) return store_exclusive(thread, f, d);
    if (atomic)
      update(thread, f, d);
    else if (at.what.reads_memory())
      load(thread, f, d);
  }
  flights_[thread] = f;
}

void weak_memory::load(unsigned thread, flight& f, deed& d) {
  const arm::instruction& i = f.at->what;
  d.reads = true;
  for (unsigned done = 0; done != f.bytes; done += i.bytes()) {
    const arm::values read = model_.load(thread, f.at->pc, i, f.address + done, *this);
    if (done == 0) d.read = read;
    for (unsigned k = 0; k != i.elements; ++k)
      machine_.write(f.address + done + (std::uint64_t{k} * i.size), i.size, read[k]);
    // Of many pieces: an instruction that is not understood, which depends on all, keeps what the next would forget.
    if (i.bytes() != f.bytes) model_.step(thread, f.at->pc, arm::instruction{});
  }
  d.stale = not_the_first_;
  if (is_foretold(thread, i)) come_true(f, d);
  if (i.kind == arm::kind::load_exclusive) monitors_[thread] = monitor{f.address, d.read[0]};
}

bool weak_memory::is_foretold(unsigned thread, const arm::instruction& i) {
  const bool this_one = foretold_ && foretold_->thread == thread && accesses_[thread] == foretold_->access + 1;
  return this_one && i.kind == arm::kind::load && i.elements == 1;
}

std::uint64_t weak_memory::operand(std::uint8_t number, unsigned bytes) const {
  return number == arm::no_register ? 0 : masked(machine_.mine()[number], bytes);
}

std::optional<std::uint64_t> weak_memory::written_by(const arm::instruction& i, std::uint64_t old) const {
  const std::uint64_t value = operand(i.operand, i.size);
  if (i.kind == arm::kind::update) return result_of(i.operation, i.size, old, value);
  if (old != value) return std::nullopt;
  return operand(i.target[0], i.size);
}

void weak_memory::update(unsigned thread, flight& f, deed& d) {
  const arm::instruction& i = f.at->what;
  const auto written = [&](std::uint64_t old) { return written_by(i, old); };
  const std::uint64_t old = model_.update(thread, f.at->pc, i, f.address, written, *this);
  const std::optional<std::uint64_t> value = written(old);
  machine_.write(f.address, i.size, old);
  f.left = value.value_or(old);
  d.reads = true;
  d.read[0] = old;
  d.writes = value.has_value();
  d.written[0] = *f.left;
  d.stale = not_the_first_;
}

void weak_memory::store_exclusive(unsigned thread, flight& f, deed& d) {
  const arm::instruction& i = f.at->what;
  const std::optional<monitor> open = std::exchange(monitors_[thread], std::nullopt);
  const bool paired = open && open->address == f.address;
  const bool succeeds = paired && model_.may_succeed(thread, i, f.address);
  std::optional<std::uint64_t> written;
  if (succeeds) written = operand(i.target[0], i.size);
  model_.store_exclusive(thread, f.at->pc, i, f.address, written);
  d.writes = succeeds;
  d.written[0] = written.value_or(0);
  if (!paired) return;  // the emulator fails it without an access
  const std::uint64_t there = succeeds ? open->value : masked(~open->value, i.size);
  machine_.write(f.address, i.size, there);
  f.left = written.value_or(there);
  flights_[thread] = f;
}

void weak_memory::own(unsigned thread, const flight& f) {
  const arm::instruction& i = f.at->what;
  bool stored = true;
  if (i.kind == arm::kind::compare_and_swap && i.size <= 8) {
    stored = written_by(i, machine_.read(f.address, i.size)).has_value();
  }
  model_.private_access(thread, f.at->pc, i, f.address, stored);
}

void weak_memory::after(unsigned thread, std::uint64_t address, unsigned bytes) {
  if (surprised_) return;
  std::optional<flight>& f = flights_[thread];
  if (!f) {
    if (!is_shared(address, bytes)) return;  // an instruction that is not understood, on memory of its own
    fail(fmt::format("an access to shared memory at {:#x} that the decoder did not announce", address));
  }
  if (address < f->address || address + bytes > f->address + f->bytes) {
    fail(fmt::format("the emulator accessed {} bytes at {:#x}, computed were {} at {:#x}, by {:#010x} at pc {:#x}",
                     bytes, address, f->bytes, f->address, f->at->what.word, f->at->pc));
  }
  f->done += bytes;
  if (f->done < f->bytes) return;
  if (f->shared) complete(thread, *f);
  f.reset();
}

void weak_memory::complete(unsigned thread, flight& f) {
  const arm::instruction& i = f.at->what;
  if (f.left && machine_.read(f.address, i.size) != *f.left) {
    fail(fmt::format("{:#010x} at pc {:#x} left {:#x} in memory, computed was {:#x}", i.word, f.at->pc,
                     machine_.read(f.address, i.size), *f.left));
  }
  if (i.kind == arm::kind::store) store(thread, f);
  restore(f);
}

void weak_memory::store(unsigned thread, const flight& f) {
  const arm::instruction& i = f.at->what;
  deed& d = deeds_.back();
  d.writes = true;
  storing_ = &f;
  // Once, but for a misaligned store of many pieces.
  for (unsigned done = 0; done != f.bytes; done += i.bytes()) {
    arm::values written{};
    for (unsigned k = 0; k != i.elements; ++k) {
      written[k] = machine_.read(f.address + done + (std::uint64_t{k} * i.size), i.size);
    }
    if (done == 0) d.written = written;
    model_.store(thread, f.at->pc, i, f.address + done, written, *this);
  }
  storing_ = nullptr;
  d.earlier = not_the_first_;
}

void weak_memory::restore(const flight& f) const {
  const unsigned size = f.at->what.size;
  for (unsigned done = 0; done != f.bytes; done += size) {
    machine_.write(f.address + done, size, model_.latest_value(f.address + done, size));
  }
}

std::vector<arm::execution::location> weak_memory::spoil(unsigned thread, std::uint64_t pc, std::uint64_t address,
                                                         std::uint64_t bytes) {
  const auto overwrite = [&](std::uint64_t at, std::uint64_t n) { std::memset(machine_.at(at), spoilt, n); };
  if (surprised_) return overwrite(address, bytes), std::vector<arm::execution::location>();
  stacks_.not_shared(address, bytes, overwrite);
  auto all = model_.accessed(address, bytes);
  // What the allocator has beside it is not freed.
  std::erase_if(all, [&](const auto& l) { return l.address < address || l.address + l.size > address + bytes; });
  for (const auto& [at, size] : all) {
    const located& by = spoils_.try_emplace({pc, size}, store_of_request(size, pc)).first->second;
    deed& d = deeds_.emplace_back(deed{.thread = thread, .at = &by, .address = at});
    d.writes = true;
    d.written[0] = masked(0x0101010101010101U * spoilt, size);
    ++accesses_[thread];
    not_the_first_ = false;
    model_.store(thread, pc, by.what, at, d.written, *this);
    d.earlier = not_the_first_;
    machine_.write(at, size, model_.latest_value(at, size));
  }
  return all;
}

void weak_memory::step(unsigned thread, const located& at) {
  if (surprised_) return;
  if (at.what.kind == arm::kind::clear_exclusive) monitors_[thread].reset();
  if (at.what.kind == arm::kind::barrier) deeds_.push_back({.thread = thread, .at = &at});
  model_.step(thread, at.pc, at.what);
}

}  // namespace licit::qemu
