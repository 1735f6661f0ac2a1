#include "machine/arm/exploration.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

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

enum class standing {
  runs,
  waits,
  calls,  ///< membarrier, when no other can go on
  ended
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
  std::unordered_map<std::uint64_t, std::uint8_t> own;  ///< bytes of its stack
};

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
      const std::size_t known = known_writers_;
      one();
      if (known_writers_ != known) {  // more may be waited for: all over again
        decisions_.restart();
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
  /// Reads or overwrites what the decisions say, and may put off a read.
  class by_decision : public chooser {
   public:
    by_decision(explorer& e, bool may_wait) : of_(e), may_wait_(may_wait) {}
    std::size_t choose(std::size_t n) override { return of_.decisions_.take(n); }
    std::size_t pick(std::span<const event_number> writes) override {
      const std::size_t n = writes.size() + (may_wait_ ? 1 : 0);
      const std::size_t chosen = n == 1 ? 0 : of_.decisions_.take(n);
      if (chosen == writes.size()) throw put_off{};
      return chosen;
    }

   private:
    explorer& of_;
    bool may_wait_;
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

  void one();
  bool go_on(unsigned from, unsigned to);
  progress go(unsigned t);
  progress call(unsigned t, const instruction& i);
  unsigned caller(unsigned from, unsigned to);
  progress access(unsigned t, const instruction& i);
  progress shared(unsigned t, const instruction& i, std::uint64_t address);
  void own(unsigned t, const instruction& i, std::uint64_t address);
  void read(unsigned t, const instruction& i, std::uint64_t address, chooser& by);
  bool store_exclusive(unsigned t, const instruction& i, std::uint64_t address);
  void writes(unsigned t, std::uint64_t address);
  void wrote(std::uint64_t address, event_number write);
  [[nodiscard]] bool may_wait(unsigned t, std::uint64_t address) const;
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
  std::size_t known_writers_ = 0;
};

void explorer::one() {
  const auto n = static_cast<unsigned>(program_.threads.size());
  execution_.begin(n);
  threads_.assign(n, {});
  for (unsigned t = 0; t != n; ++t) threads_[t].registers = program_.threads[t].registers;
  const unsigned beside = n - (program_.last_runs_behind ? 1 : 0);
  if (!go_on(0, beside)) return;
  for (unsigned t = 0; t != beside && beside != n; ++t) execution_.synchronise(t, beside);
  if (!go_on(beside, n)) return;
  ++counts_.executions;
  ends_.clear();
  for (const runner& r : threads_) ends_.push_back(r.registers);
  if (!visit_({ends_, execution_})) stopped_ = true;
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
    if (!waits(t)) continue;
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

progress explorer::shared(unsigned t, const instruction& i, std::uint64_t address) {
  runner& r = threads_[t];
  const std::size_t before = execution_.size();
  // Where a thread stands when another calls membarrier matters: before each of its accesses it may wait for that.
  if (!r.reads_now && may_wait(t, some_membarrier) && decisions_.take(2) == 1) {
    r.state = standing::waits;
    r.awaited = some_membarrier;
    return progress::waits;
  }
  if (i.kind != kind::load) {
    for (unsigned k = 0; k != i.elements; ++k) writes(t, address + std::uint64_t{k} * i.size);
  }
  try {
    if (i.kind == kind::store) {
      by_decision by(*this, false);
      execution_.store(t, r.registers.pc, i, address, r.registers.stored(i), by);
      r.registers.store(i, address);
    } else if (i.kind == kind::store_exclusive) {
      if (!store_exclusive(t, i, address)) {
        ++counts_.blocked;
        return progress::given_up;
      }
    } else if (r.reads_now) {
      r.reads_now = false;
      from by(r.source);
      read(t, i, address, by);
    } else {
      by_decision by(*this, i.elements == 1 && may_wait(t, address));
      read(t, i, address, by);
    }
  } catch (const put_off&) {
    r.state = standing::waits;
    r.awaited = address;
    return progress::waits;
  } catch (const not_to_be_had&) {
    ++counts_.blocked;
    return progress::given_up;
  }
  const bool wrote_any =
      i.kind == kind::store || execution_.size() > before + (i.kind == kind::store_exclusive ? 0 : 1);
  if (i.writes_memory() && wrote_any) {
    for (unsigned k = 0; k != i.elements; ++k)
      wrote(address + std::uint64_t{k} * i.size, execution_.size() - i.elements + k);
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
  ++known_writers_;
}

/// Those that wait for this address read the new write, or wait on.
void explorer::wrote(std::uint64_t address, event_number write) {
  for (runner& r : threads_) {
    if (r.state != standing::waits || r.awaited != address) continue;
    if (decisions_.take(2) == 1) continue;
    r.state = standing::runs;
    r.reads_now = true;
    r.source = write;
  }
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
