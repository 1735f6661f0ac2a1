#include "machine/arm/exploration.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace licit::arm {

namespace {

/// Depth first: the same choices again, and the last one changed.
class decisions {
 public:
  std::size_t take(std::size_t count) {
    if (place_ == taken_.size()) taken_.push_back({0, count});
    return taken_[place_++].chosen;
  }
  /// False when there are no more.
  bool next() {
    while (!taken_.empty() && taken_.back().chosen + 1 == taken_.back().count) taken_.pop_back();
    place_ = 0;
    if (taken_.empty()) return false;
    ++taken_.back().chosen;
    return true;
  }
  void restart() {
    taken_.clear();
    place_ = 0;
  }

 private:
  struct decision {
    std::size_t chosen, count;
  };
  std::vector<decision> taken_;
  std::size_t place_ = 0;
};

/// In place of an address, for what waits for a membarrier.
constexpr std::uint64_t some_membarrier = ~std::uint64_t{0};
constexpr std::uint64_t membarrier_call = 283;  ///< its number, in x8
/// In place of an address, for a thread whose own foretold load is to have its write first.
constexpr std::uint64_t own_foretold = some_membarrier - 1;

enum class standing {
  runs,
  waits,
  calls,  ///< membarrier, when no other can go on
  ended
};

/// A load that was foretold what it reads, and whose write has not come.
struct foretold {
  event_number load;
  std::uint64_t address;
  unsigned size;
  bool is_overtaken = false;  ///< by a write of its thread that is not after it
};

/// One thread in one execution.
struct runner {
  machine registers;
  standing state = standing::runs;
  std::uint64_t awaited = 0;  ///< the address whose next write it may read
  bool reads_now = false;     ///< the awaited write has come: `source`
  bool calls_now = false;     ///< membarrier
  event_number source = initially;
  unsigned instructions = 0;
  std::vector<foretold> open;
  std::unordered_map<std::uint64_t, std::uint8_t> own;  ///< bytes of its stack
};

/// A name of each event that is the same in all executions: its thread, and its number in it.
std::vector<std::pair<unsigned, std::size_t>> names_of(const candidate& c) {
  std::map<unsigned, std::size_t> count;
  std::vector<std::pair<unsigned, std::size_t>> names;
  names.reserve(c.events.size());
  for (const event& e : c.events) names.emplace_back(e.thread, count[e.thread]++);
  return names;
}

/// Equal for equal executions: what each read reads from, and the order of writes.
std::string identity(const candidate& c) {
  const auto names = names_of(c);
  const auto text = [&](event_number e) {
    return e == initially ? std::string("i ")
                          : std::to_string(names[e].first) + '.' + std::to_string(names[e].second) + ' ';
  };
  std::vector<std::string> parts;
  for (event_number e = 0; e != c.events.size(); ++e) {
    if (c.events[e].kind == event_kind::read) parts.push_back(text(e) + text(c.events[e].from));
  }
  for (const auto& writes : c.coherence) {
    std::string& all = parts.emplace_back("w ");
    for (const event_number w : writes) all += text(w);
  }
  std::ranges::sort(parts);
  std::string whole;
  for (const std::string& p : parts) whole += p;
  return whole;
}

/// Whether program order and reads-from have a cycle.
bool buffers_loads(const candidate& c) {
  std::map<unsigned, std::vector<event_number>> threads;
  for (event_number e = 0; e != c.events.size(); ++e) threads[c.events[e].thread].push_back(e);
  std::vector<bool> done(c.events.size());
  std::map<unsigned, std::size_t> at;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [t, events] : threads) {
      for (std::size_t& k = at[t]; k != events.size(); ++k) {
        const event_number from = c.events[events[k]].from;
        if (from != initially && !done[from]) break;
        done[events[k]] = more = true;
      }
    }
  }
  return std::ranges::find(done, false) != done.end();
}

enum class progress { goes_on, waits, given_up };

class explorer {
 public:
  explorer(const program& p, const std::function<bool(const outcome&)>& visit, faults seeded,
           const exploration_limits& limits)
      : program_(p),
        visit_(visit),
        limits_(limits),
        execution_([this](std::uint64_t address, unsigned size) { return program_.memory.read(address, size); },
                   seeded) {}

  counts run() {
    for (bool more = true; more;) {
      const std::size_t known = known_writes_;
      one();
      if (known_writes_ != known) {  // more may be waited for, or foretold: all over again
        decisions_.restart();
        buffered_.clear();
        counts_ = {};
        continue;
      }
      more = decisions_.next();
      if (more && (stopped_ || counts_.executions >= limits_.executions)) {
        counts_.complete = false;
        return counts_;
      }
    }
    return counts_;
  }

 private:
  /// Reads or overwrites what the decisions say, and may put off a read, or read a value that is to come.
  class by_decision : public chooser {
   public:
    by_decision(explorer& e, bool may_wait, std::vector<std::uint64_t> to_come)
        : of_(e), may_wait_(may_wait), to_come_(std::move(to_come)) {}
    std::size_t choose(std::size_t n) override { return of_.decisions_.take(n); }
    std::size_t pick(std::span<const event_number> writes) override {
      const std::size_t n = writes.size() + to_come_.size() + (may_wait_ ? 1 : 0);
      const std::size_t chosen = n == 1 ? 0 : of_.decisions_.take(n);
      if (chosen < writes.size()) return chosen;
      if (chosen - writes.size() < to_come_.size()) throw told{to_come_[chosen - writes.size()]};
      throw put_off{};
    }

   private:
    explorer& of_;
    bool may_wait_;
    std::vector<std::uint64_t> to_come_;
  };
  /// Reads from that write, and no other.
  class from : public chooser {
   public:
    explicit from(event_number source) : source_(source) {}
    std::size_t choose(std::size_t /*candidates*/) override { return 0; }
    std::size_t pick(std::span<const event_number> writes) override {
      const auto place = std::ranges::find(writes, source_);
      if (place == writes.end()) throw not_to_be_had{};
      return static_cast<std::size_t>(place - writes.begin());
    }

   private:
    event_number source_;
  };
  struct put_off {};
  struct not_to_be_had {};
  struct told {
    std::uint64_t value;
  };
  struct written_value {
    unsigned thread;
    unsigned size;
    std::uint64_t value;
    bool operator==(const written_value&) const = default;
  };

  void one();
  bool is_new();
  bool go_on(unsigned from, unsigned to);
  progress go(unsigned t);
  progress call(unsigned t, const instruction& i);
  unsigned caller(unsigned from, unsigned to);
  progress access(unsigned t, const instruction& i);
  progress shared(unsigned t, const instruction& i, std::uint64_t address);
  bool waits_first(unsigned t, const instruction& i, std::uint64_t address);
  bool perform(unsigned t, const instruction& i, std::uint64_t address);
  void own(unsigned t, const instruction& i, std::uint64_t address);
  void read(unsigned t, const instruction& i, std::uint64_t address, chooser& by);
  bool store_exclusive(unsigned t, const instruction& i, std::uint64_t address);
  void writes(unsigned t, std::uint64_t address);
  void wrote(unsigned t, std::uint64_t address, event_number write);
  [[nodiscard]] bool may_wait(unsigned t, std::uint64_t address) const;

  // Loads that are foretold.
  [[nodiscard]] std::vector<std::uint64_t> to_come(unsigned t, const instruction& i, std::uint64_t address) const;
  void foretell(unsigned t, const instruction& i, std::uint64_t address, std::uint64_t value);
  void fulfil(unsigned t, std::uint64_t address, event_number write);
  void note(event_number write);
  [[nodiscard]] bool in_vain(unsigned t) const;
  const instruction& at(std::uint64_t pc);

  std::uint64_t own_read(unsigned t, std::uint64_t address, unsigned size) const;
  void own_write(unsigned t, std::uint64_t address, unsigned size, std::uint64_t value);
  [[nodiscard]] bool on_stack(unsigned t, std::uint64_t address) const {
    return address >= program_.threads[t].stack_from && address < program_.threads[t].stack_to;
  }

  const program& program_;
  const std::function<bool(const outcome&)>& visit_;
  const exploration_limits limits_;
  execution execution_;
  decisions decisions_;
  counts counts_;
  bool stopped_ = false;
  std::vector<runner> threads_;
  std::vector<machine> ends_;
  std::unordered_map<std::uint64_t, instruction> decoded_;
  /// Which threads write an address, in any execution so far.
  std::unordered_map<std::uint64_t, std::vector<bool>> writers_;
  /// What they write there without what a foretold load reads.
  std::unordered_map<std::uint64_t, std::vector<written_value>> values_;
  std::size_t known_writes_ = 0;              ///< how many entries the last two have
  bool any_foretold_ = false;                 ///< in this execution
  std::unordered_set<std::string> buffered_;  ///< the executions with load buffering that were visited
};

void explorer::one() {
  const auto n = static_cast<unsigned>(program_.threads.size());
  execution_.begin(n);
  threads_.assign(n, {});
  any_foretold_ = false;
  for (unsigned t = 0; t != n; ++t) threads_[t].registers = program_.threads[t].registers;
  const unsigned beside = n - (program_.last_runs_behind ? 1 : 0);
  if (!go_on(0, beside)) return;
  for (unsigned t = 0; t != beside && beside != n; ++t) execution_.synchronise(t, beside);
  if (!go_on(beside, n) || (any_foretold_ && !is_new())) return;
  ++counts_.executions;
  ends_.clear();
  for (const runner& r : threads_) ends_.push_back(r.registers);
  if (!visit_({ends_, execution_})) stopped_ = true;
}

/// Whether an execution with foretold loads has load buffering, and comes for the first time: which of its loads are
/// foretold, and which wait, does not matter.
bool explorer::is_new() {
  const candidate c = execution_.candidate();
  return buffers_loads(c) && buffered_.insert(identity(c)).second;
}

/// Runs those threads to their end; false if the execution is given up.
bool explorer::go_on(unsigned from, unsigned to) {
  const auto waits = [&](unsigned t) { return threads_[t].state == standing::waits; };
  for (;;) {
    unsigned t = from;
    while (t != to && threads_[t].state != standing::runs) ++t;
    if (t == to) t = caller(from, to);
    if (t == to) break;
    if (go(t) == progress::given_up) return false;
  }
  for (unsigned t = from; t != to; ++t) {
    if (!waits(t) && threads_[t].open.empty()) continue;
    ++counts_.blocked;
    return false;
  }
  return true;
}

/// One of the threads that are to call membarrier, which does so next, or `to`. Each other has then come as far as it
/// is to be without.
unsigned explorer::caller(unsigned from, unsigned to) {
  std::vector<unsigned> ready;
  for (unsigned t = from; t != to; ++t) {
    if (threads_[t].state == standing::calls) ready.push_back(t);
  }
  if (ready.empty()) return to;
  const unsigned t = ready[ready.size() == 1 ? 0 : decisions_.take(ready.size())];
  threads_[t].state = standing::runs;
  threads_[t].calls_now = true;
  return t;
}

/// Runs one thread until it has accessed shared memory, waits or ends.
progress explorer::go(unsigned t) {
  runner& r = threads_[t];
  for (;;) {
    if (in_vain(t)) {
      ++counts_.blocked;
      return progress::given_up;
    }
    if (r.registers.pc == program_.finished) {
      r.state = standing::ended;
      return progress::goes_on;
    }
    if (++r.instructions > limits_.instructions) {
      ++counts_.too_long;
      return progress::given_up;
    }
    const instruction& i = at(r.registers.pc);
    if (i.accesses_memory()) {
      const std::size_t before = execution_.size();
      const progress p = access(t, i);
      if (p != progress::goes_on || execution_.size() != before) return p;
      continue;
    }
    if (i.kind == kind::system) return call(t, i);
    execution_.step(t, r.registers.pc, i);
    r.registers.run(i);
  }
}

/// A system call: membarrier and no other. Those that wait for one go on; they may wait for the next.
progress explorer::call(unsigned t, const instruction& i) {
  runner& r = threads_[t];
  machine& m = r.registers;
  if (i.orders != barrier::isb || m.x[8] != membarrier_call) throw refused("a system call that is no membarrier");
  writes(t, some_membarrier);
  if (!r.calls_now) {
    r.state = standing::calls;
    return progress::waits;
  }
  r.calls_now = false;
  execution_.step(t, m.pc, i);
  execution_.membarrier(t);
  for (runner& other : threads_) {
    if (other.state == standing::waits && other.awaited == some_membarrier) other.state = standing::runs;
  }
  m.x[0] = 0;
  m.pc += 4;
  return progress::goes_on;
}

progress explorer::access(unsigned t, const instruction& i) {
  const runner& r = threads_[t];
  const std::uint64_t address = r.registers.address_of(i);
  if (on_stack(t, address) || program_.memory.is_constant(address)) {
    own(t, i, address);
    return progress::goes_on;
  }
  for (unsigned other = 0; other != threads_.size(); ++other) {
    if (on_stack(other, address)) throw refused("an access of another thread's stack");
  }
  return shared(t, i, address);
}

/// Whether the thread waits before this access for something that is not what it reads.
bool explorer::waits_first(unsigned t, const instruction& i, std::uint64_t address) {
  runner& r = threads_[t];
  const bool again = std::ranges::any_of(
      r.open, [&](const foretold& f) { return f.address < address + i.bytes() && address < f.address + f.size; });
  if (again) {
    r.awaited = own_foretold;
  } else if (!r.reads_now && may_wait(t, some_membarrier) && decisions_.take(2) == 1) {
    r.awaited = some_membarrier;  // where a thread stands when another calls membarrier matters
  } else {
    return false;
  }
  r.state = standing::waits;
  return true;
}

/// False if the execution is given up.
bool explorer::perform(unsigned t, const instruction& i, std::uint64_t address) {
  runner& r = threads_[t];
  if (i.kind == kind::store) {
    by_decision by(*this, false, {});
    execution_.store(t, r.registers.pc, i, address, r.registers.stored(i), by);
    r.registers.store(i, address);
  } else if (i.kind == kind::store_exclusive) {
    return store_exclusive(t, i, address);
  } else if (r.reads_now) {
    r.reads_now = false;
    from by(r.source);
    read(t, i, address, by);
  } else {
    by_decision by(*this, i.elements == 1 && may_wait(t, address), to_come(t, i, address));
    read(t, i, address, by);
  }
  return true;
}

progress explorer::shared(unsigned t, const instruction& i, std::uint64_t address) {
  runner& r = threads_[t];
  const std::size_t before = execution_.size();
  if (waits_first(t, i, address)) return progress::waits;
  if (i.kind != kind::load) {
    for (unsigned k = 0; k != i.elements; ++k) writes(t, address + std::uint64_t{k} * i.size);
  }
  try {
    if (!perform(t, i, address)) {
      ++counts_.blocked;
      return progress::given_up;
    }
  } catch (const put_off&) {
    r.state = standing::waits;
    r.awaited = address;
    return progress::waits;
  } catch (const told& what) {
    foretell(t, i, address, what.value);
    return progress::goes_on;
  } catch (const not_to_be_had&) {
    ++counts_.blocked;
    return progress::given_up;
  }
  const bool wrote_any =
      i.kind == kind::store || execution_.size() > before + (i.kind == kind::store_exclusive ? 0 : 1);
  if (i.writes_memory() && wrote_any) {
    for (unsigned k = 0; k != i.elements; ++k)
      wrote(t, address + std::uint64_t{k} * i.size, execution_.size() - i.elements + k);
  }
  return progress::goes_on;
}

void explorer::read(unsigned t, const instruction& i, std::uint64_t address, chooser& by) {
  machine& m = threads_[t].registers;
  if (i.kind == kind::load || i.kind == kind::load_exclusive) {
    for (unsigned k = 0; i.elements > 1 && k != i.elements; ++k) {
      if (may_wait(t, address + std::uint64_t{k} * i.size)) {
        throw refused("a load of several elements, one of which another thread writes, is not explored");
      }
    }
    m.load(i, address, execution_.load(t, m.pc, i, address, by));
    return;
  }
  const auto written = [&](std::uint64_t value) { return m.updated(i, value); };
  m.load(i, address, {execution_.update(t, m.pc, i, address, written, by)});
}

bool explorer::store_exclusive(unsigned t, const instruction& i, std::uint64_t address) {
  machine& m = threads_[t].registers;
  if (!execution_.may_succeed(t, i, address)) return false;
  execution_.store_exclusive(t, m.pc, i, address, m.stored(i)[0]);
  m.store(i, address);
  return true;
}

/// Notes that a thread writes there, or would if it read something else.
void explorer::writes(unsigned t, std::uint64_t address) {
  std::vector<bool>& by = writers_[address];
  by.resize(threads_.size());
  if (by[t]) return;
  by[t] = true;
  ++known_writes_;
}

/// Those that wait for this address read the new write, or wait on.
void explorer::wrote(unsigned t, std::uint64_t address, event_number write) {
  for (runner& r : threads_) {
    if (r.state != standing::waits || r.awaited != address) continue;
    if (decisions_.take(2) == 1) continue;
    r.state = standing::runs;
    r.reads_now = true;
    r.source = write;
  }
  if (!limits_.load_buffering) return;
  for (foretold& f : threads_[t].open) f.is_overtaken = f.is_overtaken || !execution_.is_before(f.load, write);
  note(write);
  fulfil(t, address, write);
}

/// Whether another thread that has not ended may write there, as far as any execution has shown.
bool explorer::may_wait(unsigned t, std::uint64_t address) const {
  const auto found = writers_.find(address);
  const bool any = limits_.always_wait && address != some_membarrier;
  if (found == writers_.end() && !any) return false;
  const auto beside = static_cast<unsigned>(threads_.size()) - (program_.last_runs_behind ? 1 : 0);
  for (unsigned other = 0; other != beside; ++other) {
    const bool may_write = any || found->second[other];
    if (other != t && may_write && threads_[other].state != standing::ended) return true;
  }
  return false;
}

// ---- loads that are foretold ----

/// The values that other threads are known to write there, and may still. What an acquire reads is before all that its
/// thread does next, so a write that needs any of that comes in vain.
std::vector<std::uint64_t> explorer::to_come(unsigned t, const instruction& i, std::uint64_t address) const {
  std::vector<std::uint64_t> all;
  const auto found = values_.find(address);
  const bool may = limits_.load_buffering && i.kind == kind::load && i.elements == 1 && !i.acquire && !i.acquire_pc;
  if (!may || found == values_.end() || (program_.last_runs_behind && t + 1 == threads_.size())) return all;
  for (const written_value& w : found->second) {
    const bool is_to_come = w.thread != t && w.size == i.size && threads_[w.thread].state != standing::ended;
    if (is_to_come && std::ranges::find(all, w.value) == all.end()) all.push_back(w.value);
  }
  return all;
}

void explorer::foretell(unsigned t, const instruction& i, std::uint64_t address, std::uint64_t value) {
  runner& r = threads_[t];
  r.open.push_back({execution_.foretell(t, r.registers.pc, i, address, value), address, i.size});
  r.registers.load(i, address, {value});
  any_foretold_ = true;
}

/// Loads of other threads that were foretold this write have it, or wait for another of the same value.
void explorer::fulfil(unsigned t, std::uint64_t address, event_number write) {
  bool any = false;
  for (runner& r : threads_) {
    const auto f = std::ranges::find(r.open, address, &foretold::address);
    if (f == r.open.end() || &r == &threads_[t] || !execution_.may_fulfil(f->load, write)) continue;
    if (decisions_.take(2) == 1) continue;
    execution_.fulfil(f->load, write);
    r.open.erase(f);
    if (r.state == standing::waits && r.awaited == own_foretold) r.state = standing::runs;
    any = true;
  }
  for (event_number e = 0; any && e != execution_.size(); ++e) note(e);
}

/// Notes a value that a thread writes without having been told what is yet to come.
void explorer::note(event_number write) {
  const execution::shared_access a = execution_.access(write);
  if (!a.is_write || a.thread >= threads_.size()) return;
  for (const runner& r : threads_) {
    for (const foretold& f : r.open) {
      if (execution_.is_before(f.load, write)) return;
    }
  }
  std::vector<written_value>& known = values_[a.at.address];
  const written_value one{a.thread, a.at.size, a.value};
  if (std::ranges::find(known, one) != known.end()) return;
  known.push_back(one);
  ++known_writes_;
}

/// Whether the thread can write nothing any more that a foretold load of its own could come to read: all that it writes
/// is after the load, or it has ended.
bool explorer::in_vain(unsigned t) const {
  const runner& r = threads_[t];
  return std::ranges::any_of(r.open, [&](const foretold& f) {
    return !f.is_overtaken && (r.registers.pc == program_.finished || execution_.is_before_writes(t, f.load));
  });
}

const instruction& explorer::at(std::uint64_t pc) {
  const auto found = decoded_.find(pc);
  if (found != decoded_.end()) return found->second;
  return decoded_.emplace(pc, decode(static_cast<std::uint32_t>(program_.memory.read(pc, 4)))).first->second;
}

// ---- the thread's own memory ----

std::uint64_t explorer::own_read(unsigned t, std::uint64_t address, unsigned size) const {
  const auto& own = threads_[t].own;
  std::uint64_t value = program_.memory.read(address, size);
  for (unsigned k = 0; k != size; ++k) {
    const auto found = own.find(address + k);
    if (found == own.end()) continue;
    value = (value & ~(std::uint64_t{0xFF} << (8 * k))) | std::uint64_t{found->second} << (8 * k);
  }
  return value;
}

void explorer::own_write(unsigned t, std::uint64_t address, unsigned size, std::uint64_t value) {
  if (!on_stack(t, address)) throw refused("a store to constant memory");
  for (unsigned k = 0; k != size; ++k) threads_[t].own[address + k] = static_cast<std::uint8_t>(value >> (8 * k));
}

void explorer::own(unsigned t, const instruction& i, std::uint64_t address) {
  machine& m = threads_[t].registers;
  execution_.private_access(t, m.pc, i, address);
  values elements{};
  if (i.reads_memory()) {
    for (unsigned k = 0; k != i.elements; ++k)
      elements.at(k) = own_read(t, address + std::uint64_t{k} * i.size, i.size);
  }
  if (i.kind == kind::update || i.kind == kind::compare_and_swap) {
    if (const auto becomes = m.updated(i, elements[0])) own_write(t, address, i.size, *becomes);
  } else if (i.writes_memory()) {
    const values written = m.stored(i);
    for (unsigned k = 0; k != i.elements; ++k) own_write(t, address + std::uint64_t{k} * i.size, i.size, written.at(k));
    m.store(i, address);
    return;
  }
  m.load(i, address, elements);
}

}  // namespace

counts explore(const program& p, const std::function<bool(const outcome&)>& visit, faults seeded,
               const exploration_limits& limits) {
  return explorer(p, visit, seeded, limits).run();
}

void run_alone(memory& on, thread_start& thread, std::uint64_t finished, std::uint64_t limit) {
  machine& m = thread.registers;
  for (; m.pc != finished; --limit) {
    if (limit == 0) throw refused("a thread that runs alone takes too many instructions");
    const instruction i = decode(static_cast<std::uint32_t>(on.read(m.pc, 4)));
    if (!i.accesses_memory()) {
      m.run(i);
      continue;
    }
    const std::uint64_t address = m.address_of(i);
    values elements{};
    for (unsigned k = 0; k != i.elements; ++k) elements.at(k) = on.read(address + std::uint64_t{k} * i.size, i.size);
    if (i.kind == kind::update || i.kind == kind::compare_and_swap) {
      if (const auto becomes = m.updated(i, elements[0])) on.write(address, i.size, *becomes);
      m.load(i, address, elements);
    } else if (i.reads_memory()) {
      m.load(i, address, elements);
    } else {
      const values written = m.stored(i);
      for (unsigned k = 0; k != i.elements; ++k) on.write(address + std::uint64_t{k} * i.size, i.size, written.at(k));
      m.store(i, address);
    }
  }
}

}  // namespace licit::arm
