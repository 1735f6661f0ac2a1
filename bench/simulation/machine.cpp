#include "machine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <sstream>
#include <string>
#include <utility>

namespace licit_simulation {

namespace {

constexpr std::size_t line_bytes = 64;
constexpr unsigned number_bits = 12;

/// Whole lines, from large blocks; nothing is freed before the end.
class fresh_lines : public std::pmr::memory_resource {
 private:
  static constexpr std::size_t block = std::size_t{1} << 20;
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (alignment > 4096) throw std::bad_alloc();
    alignment = std::max(alignment, line_bytes);
    bytes = (bytes + line_bytes - 1) / line_bytes * line_bytes;
    used_ = (used_ + alignment - 1) / alignment * alignment;
    if (used_ + bytes > size_) {
      size_ = std::max(block, bytes);
      blocks_.emplace_back(static_cast<std::byte*>(::operator new(size_, std::align_val_t{4096})));
      used_ = 0;
    }
    return blocks_.back().get() + std::exchange(used_, used_ + bytes);
  }
  void do_deallocate(void* /*p*/, std::size_t /*bytes*/, std::size_t /*alignment*/) override {}
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
  struct unaligned {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{4096}); }
  };
  std::vector<std::unique_ptr<std::byte, unaligned>> blocks_;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
};

}  // namespace

costs costs::read(std::istream& from) {
  costs all;
  const std::array<std::pair<const char*, picoseconds*>, 18> known{{{"hit", &all.hit},
                                                                    {"store", &all.store},
                                                                    {"update", &all.update},
                                                                    {"fence", &all.fence},
                                                                    {"read_dirty", &all.read_dirty},
                                                                    {"read_clean", &all.read_clean},
                                                                    {"write_dirty", &all.write_dirty},
                                                                    {"write_shared", &all.write_shared},
                                                                    {"pause", &all.pause},
                                                                    {"clock", &all.clock},
                                                                    {"futex_refused", &all.futex_refused},
                                                                    {"futex_wake", &all.futex_wake},
                                                                    {"futex_latency", &all.futex_latency},
                                                                    {"membarrier", &all.membarrier},
                                                                    {"membarrier_other", &all.membarrier_other},
                                                                    {"interrupted", &all.interrupted},
                                                                    {"steal", &all.steal},
                                                                    {"task", &all.task}}};
  std::size_t found = 0;
  for (std::string text; std::getline(from, text);) {
    if (text.empty() || text[0] == '#') continue;
    std::istringstream words(text);
    std::string name;
    double nanoseconds = -1;
    words >> name >> nanoseconds;
    const auto* one = std::find_if(known.begin(), known.end(), [&](const auto& each) { return each.first == name; });
    if (one == known.end() || !(nanoseconds >= 0)) throw std::runtime_error("costs: not a cost: " + text);
    *one->second = static_cast<picoseconds>(std::llround(nanoseconds * 1000));
    ++found;
  }
  if (found != known.size()) throw std::runtime_error("costs: some are missing, or stand twice");
  return all;
}

machine::machine(const costs& prices, std::size_t processors, faults planted)
    : prices_{prices}, planted_{planted}, places_(std::size_t{1} << 12), memory_{std::make_unique<fresh_lines>()} {
  if (processors >= (std::size_t{1} << number_bits)) throw std::runtime_error("too many processors");
  for (std::size_t i = 0; i != processors; ++i) {
    processors_.push_back(std::make_unique<processor>());
    processors_.back()->number = static_cast<std::uint32_t>(i);
  }
  current_ = this;
}

machine::~machine() { current_ = nullptr; }

void machine::start(std::size_t number, std::function<void()> program) {
  processor& p = *processors_.at(number);
  p.program = std::move(program);
  p.stack.start(&begin, this);
  make_ready(p);
  ++left_;
}

void machine::begin(void* of) {
  machine& all = *static_cast<machine*>(of);
  processor& self = *all.running_;
  try {
    self.program();
  } catch (...) {
    if (!all.thrown_) all.thrown_ = std::current_exception();
  }
  self.is = state::ended;
  --all.left_;
}

void machine::make_ready(processor& p) {
  p.is = state::ready;
  ready_.push_back(p.now << number_bits | p.number);
  std::push_heap(ready_.begin(), ready_.end(), std::greater<>());
}

void machine::run() {
  while (!ready_.empty() && !thrown_) {
    std::pop_heap(ready_.begin(), ready_.end(), std::greater<>());
    running_ = processors_[ready_.back() & ((1U << number_bits) - 1)].get();
    ready_.pop_back();
    running_->stack.resume();
  }
  const picoseconds end = now();
  running_ = nullptr;
  if (thrown_) std::rethrow_exception(thrown_);
  if (left_ == 0) return;
  throw deadlock("all processors sleep after " + std::to_string(end / 1000) + " ns, and " + std::to_string(left_) +
                 " programs have not ended");
}

/// Waits until no other processor is earlier.
void machine::reach() {
  processor& self = *running_;
  spend(std::exchange(self.owed, 0), expense::barriers);
  while (!ready_.empty() && ready_.front() < (self.now << number_bits | self.number)) {
    make_ready(self);
    self.stack.suspend();
    spend(std::exchange(self.owed, 0), expense::barriers);
  }
}

void machine::grow_places() {
  std::vector<place> old(places_.size() * 2);
  old.swap(places_);
  for (const place& each : old) {
    if (each.number == 0) continue;
    std::size_t i = each.number * 0x9E3779B97F4A7C15U >> 20;
    while (places_[i & (places_.size() - 1)].number != 0) ++i;
    places_[i & (places_.size() - 1)] = each;
  }
}

machine::line& machine::line_of(const void* at) {
  const std::uint64_t number = reinterpret_cast<std::uintptr_t>(at) / line_bytes;
  std::size_t i = number * 0x9E3779B97F4A7C15U >> 20;
  for (;; ++i) {
    place& here = places_[i & (places_.size() - 1)];
    if (here.number == number) return lines_[here.index];
    if (here.number == 0) break;
  }
  if (2 * (lines_.size() + 1) > places_.size()) {
    grow_places();
    return line_of(at);
  }
  places_[i & (places_.size() - 1)] = {number, static_cast<std::uint32_t>(lines_.size())};
  lines_.emplace_back();
  // Memory that nobody has touched is in the cache of who first does: allocators give a thread what it had before.
  take(lines_.back(), running_->number);
  return lines_.back();
}

bool machine::has(const line& l, std::uint32_t who) const {
  if (l.bits != nullptr) return (l.bits[who / 64] >> (who % 64) & 1) != 0;
  return std::find(l.holders, l.holders + l.count, who) != l.holders + l.count;
}

void machine::add(line& l, std::uint32_t who) {
  if (l.bits == nullptr && l.count == line::few) {
    bits_.push_back(std::make_unique<std::uint64_t[]>(processors_.size() / 64 + 1));
    l.bits = bits_.back().get();
    for (const std::uint16_t each : l.holders) l.bits[each / 64] |= std::uint64_t{1} << (each % 64);
  }
  if (l.bits != nullptr) {
    l.bits[who / 64] |= std::uint64_t{1} << (who % 64);
  } else {
    l.holders[l.count++] = static_cast<std::uint16_t>(who);
  }
}

void machine::take(line& l, std::uint32_t who) {
  if (l.bits != nullptr) std::fill_n(l.bits, processors_.size() / 64 + 1, 0);
  l.count = 0;
  add(l, who);
  l.owner = static_cast<std::uint16_t>(who);
}

void machine::load(const void* at) {
  if (running_ == nullptr) return;
  reach();
  ++accesses_;
  processor& self = *running_;
  if (has(line_of(at), self.number)) return spend(prices_.hit, expense::cache);
  ++misses_;
  spend_until(line_of(at).free, expense::queueing);
  reach();
  line& l = line_of(at);
  const bool dirty = l.owner != line::nobody;
  spend(dirty ? prices_.read_dirty : prices_.read_clean, expense::lines);
  if (dirty) l.free = self.now;  // those who come meanwhile get it afterwards, all at once
  l.owner = line::nobody;
  if (!has(l, self.number)) add(l, self.number);
}

/// When the processor gets the line for writing: after those who asked before. It then keeps the line for a moment, in
/// which it may use it again: the retry of a compare-exchange that failed follows at once.
machine::span machine::turn(line& l) {
  ++misses_;
  const picoseconds begins = std::max(running_->now, l.free);
  const picoseconds ends = begins + (l.owner != line::nobody ? prices_.write_dirty : prices_.write_shared);
  l.free = ends + 2 * prices_.update + prices_.hit;
  return {begins, ends};
}

/// The processor goes on; the store waits for its line in the store buffer.
void machine::store(const void* at) {
  if (running_ == nullptr) return;
  reach();
  ++accesses_;
  processor& self = *running_;
  if (line& l = line_of(at); l.owner != self.number) {
    self.drained = std::max(self.drained, turn(l).ends);
    take(l, self.number);
  }
  spend(prices_.store, expense::cache);
}

void machine::update(const void* at) {
  if (running_ == nullptr) return;
  processor& self = *running_;
  spend_until(self.drained, expense::lines);
  reach();
  ++accesses_;
  if (line& l = line_of(at); l.owner != self.number) {
    const auto [begins, ends] = turn(l);
    spend_until(begins, expense::queueing);
    reach();
    take(line_of(at), self.number);
    spend_until(ends, expense::lines);
  }
  spend(prices_.update, expense::cache);
}

void machine::full_fence() {
  if (running_ == nullptr) return;
  spend_until(running_->drained, expense::lines);
  spend(prices_.fence, expense::cache);
  reach();
}

void machine::heavy_fence() {
  if (running_ == nullptr) return;
  processor& self = *running_;
  spend_until(self.drained, expense::lines);
  reach();
  std::size_t interrupted = 0;
  for (const auto& each : processors_) {
    if (each.get() == &self || each->is != state::ready) continue;
    each->owed += prices_.interrupted;
    ++interrupted;
  }
  if (planted_.together) interrupted = std::min<std::size_t>(interrupted, 1);
  spend(prices_.membarrier + interrupted * prices_.membarrier_other, expense::barriers);
}

void machine::sleep(const void* word) {
  processor& self = *running_;
  sleepers_[word].push_back(self.number);
  self.is = state::asleep;
  self.sleeps_since = self.now;
  self.stack.suspend();
}

void machine::wake_one(const void* word) {
  if (running_ == nullptr) return;
  reach();
  const auto at = sleepers_.find(word);
  if (at == sleepers_.end() || at->second.empty() || planted_.loses_wakes)
    return spend(prices_.futex_refused, expense::wakes);
  processor& woken = *processors_[at->second.front()];
  at->second.erase(at->second.begin());
  ++wakes_;
  woken.now = running_->now + prices_.futex_latency;
  woken.slept += woken.now - woken.sleeps_since;
  make_ready(woken);
  spend(prices_.futex_wake, expense::wakes);
}

void machine::wait_until(picoseconds time) {
  running_->now = std::max(running_->now, time);
  reach();
}

picoseconds machine::asleep(std::size_t number, picoseconds until) const {
  const processor& p = *processors_[number];
  return p.slept + (p.is == state::asleep && until > p.sleeps_since ? until - p.sleeps_since : 0);
}

}  // namespace licit_simulation
