#include "machine/qemu/session.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <sched.h>
#include <span>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "machine/qemu/api.hpp"
#include "machine/qemu/history.hpp"
#include "machine/qemu/options.hpp"

namespace licit::qemu {

thread_local session::part* session::mine = nullptr;

namespace {

// A thread that has made so many accesses in a row lets others run, if they can.
constexpr std::uint64_t patience = 100;

// A thread may also never end on memory of its own.
constexpr std::uint64_t units_a_step = 200;

// dc zva, xN: zeroes a block, of 64 bytes in the emulator.
constexpr std::uint32_t dc_zva = 0xD50B7420;
constexpr std::uint32_t dc_register = 0x1F;
constexpr std::uint64_t zeroed = 64;

// The executions of the survey, by their numbers: a guest's are smaller.
constexpr std::uint64_t first_survey = std::uint64_t{1} << 63U;

constexpr std::int64_t exit_group = 94;  // the system call that ends a process

// One processor for all threads to come: handing on a turn then wakes no other processor. The one on which this began,
// which the kernel chose because it had the least to do.
void pin_to_one_processor() {
  const int here = sched_getcpu();
  if (here < 0) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(here, &one);
  (void)sched_setaffinity(0, sizeof one, &one);
}

// As the kernel has it (include/uapi/linux/sched/types.h, its first version); libc declares none.
struct scheduling_attributes {
  std::uint32_t size = sizeof(scheduling_attributes);
  std::uint32_t policy = SCHED_OTHER;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};

// Who runs in short slices is let in soon. A turn takes microseconds, and whoever else has the processor keeps it for
// milliseconds, at each turn: beside a compiler an execution took twenty times as long. Linux before 6.12 takes no
// notice.
void run_in_short_slices() {
  scheduling_attributes now;
  if (syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) != 0 || now.policy != SCHED_OTHER) return;
  now.runtime = 100'000;  // nanoseconds, the least that there is
  (void)syscall(SYS_sched_setattr, 0, &now, 0);
}

std::uint64_t mixed(std::uint64_t digest, std::uint64_t value) {
  return (digest ^ value) * 0x9e3779b97f4a7c15 + (digest >> 29U);
}

}  // namespace

session::session(options how) : how_{std::move(how)}, memory_{how_, machine_, decisions_} {
  if (how_.pin) pin_to_one_processor();
  run_in_short_slices();
}

void session::before(const unit& u) {
  if (mine == nullptr) return;
  catch_up();
  if (++units_ > how_.steps * units_a_step) turns_.abandon(ending::endless);
  const arm::instruction& i = u.at.what;
  if (i.accesses_memory()) {
    const emulator::registers& values = machine_.mine();
    const std::uint64_t address = i.effective_address(u.at.pc, [&](unsigned n) { return values[n]; });
    const bool ends_pair = i.kind == arm::kind::store_exclusive && memory_.within_exclusives(mine->thread);
    if (memory_.is_shared_by(mine->thread, address, i.bytes()) && !ends_pair && met(i, address)) turn();
    try {
      memory_.before(mine->thread, u.at, address);
    } catch (const arm::refused& e) {
      refuse(u.at, e);
    }
  } else {
    refuse_unseen(u.at);
    memory_.step(mine->thread, u.at);
  }
  mine->ran = &u;
}

bool session::met(const arm::instruction& i, std::uint64_t address) {
  // Some failures are likelier with turns everywhere, most with fewer: every second execution has them everywhere.
  if (surveyed_ == 0 || (!surveys_ && seed_ % 2 == 0)) return true;
  if (!surveys_) return survey_.meet(address, i.bytes());
  survey_.saw(mine->thread, address, i.bytes(), i.kind != arm::kind::load && i.kind != arm::kind::load_exclusive);
  return true;
}

void session::refuse_unseen(const located& at) {
  if (at.what.kind == arm::kind::unknown) {
    refuse(at,
           arm::refused("an instruction that is not understood: scalable vectors? (qemu-aarch64 -cpu max,sve=off)"));
  }
  if ((at.what.word & ~dc_register) != dc_zva) return;
  const std::uint64_t address = machine_.mine()[at.what.word & dc_register] & ~(zeroed - 1);
  if (memory_.is_shared_by(mine->thread, address, zeroed))
    refuse(at, arm::refused("a block of shared memory is zeroed at once"));
}

void session::refuse(const located& at, const arm::refused& why) {
  std::string message = fmt::format("{}, by {:#010x} at", why.what(), at.what.word);
  const source_lines lines(how_.lines, guest().file, std::span(&at.pc, 1));
  fail(fmt::format("{} {} ({})", message, lines.name(at.pc), symbols(guest().file, guest().loaded).name(at.pc)));
}

void session::after(std::uint64_t address, unsigned bytes) {
  if (mine == nullptr) return;
  try {
    memory_.after(mine->thread, address, bytes);
  } catch (const arm::refused& e) {
    refuse(mine->ran->at, e);
  }
}

void session::catch_up() {
  const unit* ran = std::exchange(mine->ran, nullptr);
  if (ran == nullptr) return;
  for (const located& i : ran->then) memory_.step(mine->thread, i);
}

void session::turn() {
  if (++steps_ > how_.steps) turns_.abandon(ending::endless);
  part& p = *mine;
  const bool stays = !std::exchange(p.yields, false) && ++p.accesses % patience != 0;
  turns_.yield(p.thread, stays);
}

void session::before(const system_call& call) {
  if (call.number == request_number) {
    const std::uint64_t reply = call.arguments[1];
    const auto what = static_cast<request>(call.arguments[0]);
    if (what == request::hello) hello(call);
    const std::uint64_t value = answer_to(what, call);
    machine_.write(reply, sizeof value, protocol);
    machine_.write(reply + sizeof value, sizeof value, value);
  } else if (mine != nullptr) {
    catch_up();
    during_execution(call);
  } else if (abandoned_ && call.number == exit_group) {
    end();
    _exit(static_cast<int>(call.arguments[0]));  // the emulator's own way out would wait for threads that stand still
  }
}

std::uint64_t session::answer_to(request what, const system_call& call) {
  const std::uint64_t a = call.arguments[2];
  const std::uint64_t b = call.arguments[3];
  const std::uint64_t c = call.arguments[4];
  const auto text = [this](std::uint64_t address) {
    return std::string(reinterpret_cast<char*>(machine_.at(address)));
  };
  switch (what) {
    case request::hello: return 0;
    case request::region:
      names_.clear();
      memory_.share(a, b);
      if (how_.survey != 0) survey_.begin(a, b);
      surveyed_ = 0;
      return 0;
    case request::name: names_.name(a, b, text(c)); return 0;
    case request::next: return next(static_cast<unsigned>(a));
    case request::execute: return static_cast<std::uint64_t>(execute(static_cast<unsigned>(a), b));
    case request::verdict: return verdict(a != 0, text(b)) ? 1 : 0;
    case request::leave: turns_.dismiss(); return 0;
    case request::freed: freed(a, b); return 0;
    case request::stacks: memory_.add_stacks(a, b); return 0;
  }
  fail(fmt::format("the guest asks for {}, which protocol {} has not", call.arguments[0], protocol));
}

void session::hello(const system_call& call) {
  if (call.arguments[2] != protocol) {
    fail(fmt::format("the guest speaks protocol {}, the plugin {}", call.arguments[2], protocol));
  }
  machine_.find_registers(call.arguments, static_cast<std::uint64_t>(call.number));
}

void session::freed(std::uint64_t address, std::uint64_t bytes) {
  if (!memory_.is_shared(address, bytes)) fail(fmt::format("memory at {:#x} is freed, outside the region", address));
  if (mine == nullptr) {
    std::memset(machine_.at(address), spoilt, bytes);
    return;
  }
  const std::uint64_t pc = mine->ran == nullptr ? 0 : mine->ran->at.pc;
  catch_up();
  turn();
  try {
    for (const arm::execution::location& l : memory_.spoil(mine->thread, pc, address, bytes)) {
      if (surveys_) survey_.saw(mine->thread, l.address, l.size, true);
    }
  } catch (const arm::refused& e) {
    fail(fmt::format("{}, by what overwrites freed memory", e.what()));
  }
}

std::uint64_t session::next(unsigned thread) {
  if (thread >= turns::most_threads) fail(fmt::format("worker {}: there can be {}", thread, turns::most_threads));
  if (mine != nullptr) {
    catch_up();
    mine = nullptr;
    turns_.finish(thread);
  }
  if (!turns_.wait_for_work(thread)) return 0;
  parts_[thread] = {};
  parts_[thread].thread = thread;
  mine = &parts_[thread];
  return 1;
}

ending session::execute(unsigned threads, std::uint64_t seed) {
  if (threads == 0 || threads > turns::most_threads) {
    fail(fmt::format("an execution of {} threads: 1 to {} can be", threads, turns::most_threads));
  }
  auto script = std::exchange(script_, std::nullopt);
  const bool repeats = script.has_value();
  if (repeats) {
    decisions_.begin(std::move(*script));
  } else {
    surveys_ = surveyed_ < how_.survey;
    seed_ = surveys_ ? first_survey + surveyed_++ : seed;
    decisions_.begin(strategy(how_.schedule, how_.seed, seed, threads));
  }
  steps_ = 0;
  units_ = 0;
  memory_.begin(threads, repeats, foretold_);
  const ending how = turns_.run(threads, decisions_);
  count();
  if (how != ending::finished) {
    if (foretold_) fail("what was foretold leads where no thread returns from: this guest needs foretell=off");
    abandoned_ = true;
    found(how == ending::blocked ? "all threads that have not finished wait for a futex that nobody wakes"
                                 : fmt::format("not ended after {} accesses", how_.steps));
    if (how_.history) show("it is not made smaller");
  }
  return how;
}

void session::count() {
  ++counts_.executions;
  counts_.accesses += memory_.deeds().size();
  for (const deed& d : memory_.deeds()) {
    counts_.digest = mixed(counts_.digest, (d.address - memory_.region()) * turns::most_threads + d.thread);
    counts_.digest = mixed(counts_.digest, d.reads ? d.read[0] : 0);
    counts_.digest = mixed(counts_.digest, d.writes ? d.written[0] : 0);
  }
}

// A failure counts only if the axioms, from scratch and by other code, allow what led to it.
void session::prove() const {
  if (const auto wrong = memory_.violated()) {
    fail("an execution that Armv8 forbids, so the plugin is wrong: " + *wrong, forbidden);
  }
}

void session::found(const std::string& what) {
  prove();
  ++counts_.failures;
  message_ = what;
}

bool session::verdict(bool failed, const std::string& message) {
  if (abandoned_) return false;  // counted when it ended, and not to be repeated
  const bool impossible = failed && foretold_ && memory_.violated();
  failed = failed && !impossible;
  if (surveys_ && !failed && !last_ && !smaller_) return true;  // the guest's own execution is still to come
  bool again = false;
  if (last_ || smaller_) {
    again = made_smaller(failed);
  } else {
    again = failed ? failed_first(message) : once_more(impossible);
  }
  if (!again) foretold_.reset();
  return again;
}

bool session::failed_first(const std::string& message) {
  found(message);
  if (!how_.history) return false;
  if (!how_.shrink) {
    show("not made smaller");
    how_.history = false;
    return false;
  }
  smaller_.emplace(decisions_.taken());
  return try_smaller();
}

bool session::made_smaller(bool failed) {
  if (smaller_) {
    smaller_->judge(failed, decisions_.taken());
    return try_smaller();
  }
  last_ = false;
  if (!failed) fail("an execution that failed does not when its decisions are repeated: the guest depends on more");
  prove();
  show(fmt::format("{} decisions that are not the plain ones", shrink::size(decisions_.taken())));
  how_.history = false;
  return false;
}

// After an execution that did not fail: one like it that foretells. If that fails and is none of Armv8's, the first
// again, because the guest goes on with what came of its last one.
bool session::once_more(bool impossible) {
  if (std::exchange(repeated_, false)) return false;
  if (foretold_) {
    if (!impossible) return false;
    foretold_.reset();
    script_ = plain_;
    repeated_ = true;
    return true;
  }
  if (how_.foretell != foretelling::none) {
    foretold_ = memory_.foretell(seed_, how_.foretell == foretelling::all ? sizeof(std::uint64_t) : 4);
  }
  if (!foretold_) return false;
  plain_ = decisions_.taken();
  script_ = plain_;
  return true;
}

bool session::try_smaller() {
  if (!smaller_) return false;
  script_ = smaller_->propose();
  if (!script_) {
    script_ = smaller_->smallest();
    smaller_.reset();
    last_ = true;
  }
  return true;
}

executable session::guest() const {
  const std::unique_ptr<char, decltype(&std::free)> path{const_cast<char*>(qemu_plugin_path_to_binary()), &std::free};
  return {path == nullptr ? "" : path.get(), qemu_plugin_start_code(), how_.lines};
}

void session::show(const std::string& what) const {
  fmt::print(stderr, "licit: execution {} of seed {} fails: {} ({})\n{}", seed_, how_.seed, message_, what,
             to_text(memory_.deeds(), guest(), names_, memory_.region()));
  if (memory_.surprised()) {
    fmt::print(stderr, "The rest was sequentially consistent: a place of a stack turned out to be shared.\n");
  }
}

void session::end() {
  if (how_.report.empty() || memory_.region() == 0) return;  // or a guest's other process, which has no part in it
  std::ofstream out(how_.report);
  out << fmt::format(R"({{"executions": {}, "accesses": {}, "failures": {}, "digest": "{:016x}"}})", counts_.executions,
                     counts_.accesses, counts_.failures, counts_.digest)
      << '\n';
  if (!out) fail("cannot write the report " + how_.report);
}

namespace {

// Linux' numbers on arm64 (include/uapi/asm-generic/unistd.h).
enum : std::int64_t {
  exit_thread = 93,
  futex_call = 98,
  nanosleep = 101,
  clock_nanosleep = 115,
  sched_yield = 124,
  clone = 220,
  membarrier = 283,
  clone3 = 435,
};

// include/uapi/linux/futex.h, membarrier.h
constexpr std::uint64_t futex_command = 0x7f;
enum : std::uint64_t { futex_wait = 0, futex_wake = 1, futex_wait_bitset = 9, futex_wake_bitset = 10 };
constexpr std::uint64_t private_expedited = 8;

}  // namespace

void session::during_execution(const system_call& call) {
  const auto& a = call.arguments;
  switch (call.number) {
    case futex_call: return futex(a[0], a[1], static_cast<std::uint32_t>(a[2]), a[3] != 0);
    case membarrier:
      if (a[0] != private_expedited) return;  // a query, or registration
      turn();
      return memory_.model().membarrier(mine->thread);
    case nanosleep:
    case clock_nanosleep:
    case sched_yield: mine->yields = true; return turn();
    case exit_thread: fail("a worker ends in an execution: it may between two");
    case clone:
    case clone3: fail("a thread or process is made in an execution: it may be before the first");
    default: return;
  }
}

void session::futex(std::uint64_t word, std::uint64_t operation, std::uint32_t value, bool timed) {
  switch (operation & futex_command) {
    case futex_wait:
    case futex_wait_bitset: return wait_on(word, value, timed);
    case futex_wake:
    case futex_wake_bitset: return wake(word, value);
    default: fail(fmt::format("futex operation {} in an execution is not modelled", operation & futex_command));
  }
}

// The kernel looks at the word and sleeps under one lock; that it reads the latest value is a choice among those it may
// have. After the wake-up the kernel is shown another value, so that it returns at once.
void session::wait_on(std::uint64_t word, std::uint32_t value, bool timed) {
  turn();
  if (machine_.read(word, sizeof value) != value) return;
  turns_.sleep(mine->thread, word, timed);
  mine->patched = word;
  mine->value = machine_.read(word, sizeof value);
  machine_.write(word, sizeof value, ~value);
}

// Who is woken sees what the waker did: the kernel's lock of the futex is between them.
void session::wake(std::uint64_t word, std::uint64_t most) {
  turn();
  for (const unsigned sleeper : turns_.wake(word, most)) memory_.model().synchronise(mine->thread, sleeper);
}

void session::after(const system_call& call) {
  if (mine == nullptr || call.number != futex_call) return;
  if (const auto word = std::exchange(mine->patched, std::nullopt)) {
    machine_.write(*word, sizeof(std::uint32_t), mine->value);
  }
}

}  // namespace licit::qemu
