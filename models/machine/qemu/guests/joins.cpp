// Joins of the fork-join layer under the plugin: licit::join, sides, crew and worker loop as they are shipped.
//   joins PROGRAM [--executions N] [--first SEED] [--fences full] [--mutant NAME]
// A join's frame lies on its caller's stack, and thieves access it. So threads run on stacks in the region. What an
// execution allocates lies in the region too, exceptions among it. Freed memory and frames that have ended are
// overwritten. Exit status 1 at the first execution that fails.
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <sched.h>
#include <span>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <licit/deque/asymmetric.hpp>
#include <licit/scheduler/fork/fork_crew.hpp>
#include <licit/scheduler/fork/fork_search.hpp>
#include <licit/scheduler/fork/join.hpp>
#include <licit/scheduler/worker.hpp>

#include "../guest.hpp"
#include "checker/walk/random.hpp"
#include "suites/crew/tools.hpp"

namespace {

namespace guest = licit::qemu::guest;

constexpr unsigned most_threads = 3;

// ---- memory: the region, with the heap and the stack of each thread

constexpr std::size_t heap_bytes = std::size_t{64} * 1024;
constexpr std::size_t stack_bytes = std::size_t{32} * 1024;

struct alignas(4096) memory {
  std::array<std::array<std::byte, heap_bytes>, most_threads + 1> heap;  // the last one is the main thread's
  std::array<std::array<std::byte, stack_bytes>, most_threads> stack;
};
memory region;

constexpr unsigned nobody = most_threads + 1;
thread_local unsigned self = nobody;  // whose heap it is
std::array<std::size_t, most_threads + 1> used{};
std::array<long, most_threads + 1> live{};

constexpr std::size_t unit = 128;  // pieces are multiples of it, and aligned
std::array<std::array<std::size_t, heap_bytes / unit>, most_threads + 1> sizes{};

bool is_of_heap(const void* p) {
  const auto* const at = static_cast<const std::byte*>(p);
  return at >= region.heap[0].data() && at < region.stack[0].data();
}

const char* wrong = nullptr;  // of this execution, the first that was

void failed(const char* what) {
  if (wrong == nullptr) wrong = what;
}

/// Poison, where the execution before has left anything.
void clear_region() {
  for (unsigned i = 0; i != used.size(); ++i) {
    if (used[i] != 0) guest::freed(region.heap[i].data(), used[i]);
  }
  for (auto& each : region.stack) guest::freed(each.data(), each.size());
  used = {};
  live = {};
}

void* take(std::size_t alignment, std::size_t bytes) {
  const std::size_t place = (used[self] + alignment - 1) / alignment * alignment;
  used[self] = place + (bytes + unit - 1) / unit * unit;
  if (used[self] > heap_bytes || alignment > alignof(memory)) return nullptr;
  sizes[self][place / unit] = bytes;
  ++live[self];
  return region.heap[self].data() + place;
}

}  // namespace

// All that the guest and its libraries allocate within an execution; the linker puts these in malloc's place.
extern "C" {
void* __real_malloc(std::size_t bytes);
void __real_free(void* p);
void* __wrap_malloc(std::size_t bytes) { return self == nobody ? __real_malloc(bytes) : take(unit, bytes); }
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  if (self == nobody) return __real_aligned_alloc(alignment, bytes);
  return take(std::max(alignment, unit), bytes);
}
/// The unwinder clears its records on the stack by it, and libc's zeroes whole blocks, which the plugin refuses.
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  auto* at = static_cast<unsigned char*>(to);
  const std::uint64_t word = 0x0101010101010101U * static_cast<unsigned char>(value);
  for (; bytes >= sizeof word; bytes -= sizeof word, at += sizeof word) {
    std::memcpy(at, &word, sizeof word);
    asm volatile("" ::: "memory");  // or the compiler makes a call of memset from the loop
  }
  for (; bytes != 0; --bytes, ++at) {
    *at = static_cast<unsigned char>(value);
    asm volatile("" ::: "memory");
  }
  return to;
}
void __wrap_free(void* p) {
  if (!is_of_heap(p)) return __real_free(p);
  const auto at = static_cast<std::size_t>(static_cast<std::byte*>(p) - region.heap[0].data());
  std::size_t& bytes = sizes[at / heap_bytes][at % heap_bytes / unit];
  if (bytes == 0) return failed("memory is freed twice");
  guest::freed(p, std::exchange(bytes, 0));
  --live[self];
}
}

namespace {

// ---- stacks

/// What lies below on the stack is dead: it is overwritten. In the caller's frame.
[[gnu::always_inline]] inline void bury(std::size_t bytes) {
  std::byte* dead = nullptr;
#if defined(__aarch64__)
  asm volatile("mov %0, sp" : "=r"(dead));
#endif
  guest::freed(dead - bytes, bytes);
}

constexpr std::size_t frame = 512;         // of a function with a join
constexpr std::size_t all_frames = 2'048;  // of all that a thread did, as far as joins lay there

std::array<const std::byte*, most_threads> dead_below{};

bool is_poison(const std::byte* begin, const std::byte* end) {
  return std::all_of(begin, end, [](std::byte b) { return b == std::byte{licit::qemu::spoilt}; });
}

/// In the frame of a join, where its halves look for it.
class mark {
 public:
  explicit mark(std::uint64_t number) : is_{first + number} {}
  /// By a half.
  void look(std::uint64_t number) const {
    if (is_ != first + number) failed("a half ran without its frame");
  }

 private:
  static constexpr std::uint64_t first = 0x6a6f'696e'0000'0000;
  const volatile std::uint64_t is_;
};

// ---- the scheduler's parts, and what programs need besides

/// A worker's item: there are none.
enum class item : std::uintptr_t {};

}  // namespace

template <>
struct licit::inject_link<item> {
  static item get(item one) noexcept { return one; }
  static void set(item /*one*/, item /*next*/) noexcept {}
};

namespace {

using licit::fork_crew;
using licit::fork_side;
using licit::detail::crew;
using licit::detail::fork_search;
using licit::suites::crew_tools;
using workers_crew = crew<item>;
using worker = licit::detail::worker<workers_crew, crew_tools, fork_search<>>;
using fences = fork_side<>::fences;

/// What a half waits for that only another thread can do. Threads that sleep take no turns.
class flag {
 public:
  void set() {
    value_.store(1, std::memory_order_release);
    licit::futex_wake_all(value_);
  }
  void await() const {
    while (value_.load(std::memory_order_acquire) == 0) licit::futex_wait(value_, 0);
  }

 private:
  std::atomic<std::uint32_t> value_{0};
};

struct world;

/// Threads below `workers` are workers; the others enter as guests.
struct program {
  std::string_view name;
  unsigned threads;
  unsigned workers;
  unsigned guests;
  void (*guest)(world& in, unsigned thread);
};

using number = std::uint64_t;  // results: accesses of one size
constexpr number one = 1;

constexpr unsigned no_node = ~0U;
thread_local unsigned waits_for = no_node;  // the half for which the thread's join may wait

/// A tree of joins; an inner node is a join of its halves. Nobody writes it in an execution, so it lies outside the
/// region.
struct node {
  unsigned left = no_node;
  unsigned right = no_node;
  unsigned parent = no_node;
  bool throws = false;
  [[nodiscard]] bool forks() const { return left != no_node; }
};
constexpr std::size_t most_nodes = 15;
std::array<node, most_nodes> nodes;

struct failure {
  number node;
};

/// What the tree gives if nobody steals: its sum, or the node whose exception arrives.
struct outcome {
  number sum = 0;
  number thrown = no_node;
  friend bool operator==(const outcome&, const outcome&) = default;
};
outcome serial(unsigned n) {
  const node& me = nodes[n];
  outcome all{.sum = n + 1};
  for (const unsigned half : {me.left, me.right}) {
    if (half == no_node) break;
    const outcome of = serial(half);
    if (all.thrown == no_node) all.thrown = of.thrown;
    all.sum += of.sum;
  }
  if (all.thrown == no_node && me.throws) all.thrown = n;
  if (all.thrown != no_node) all.sum = 0;
  return all;
}
bool descends(unsigned n, unsigned from) {
  while (n != no_node && n != from) n = nodes[n].parent;
  return n == from;
}

/// Of one execution, in the region.
struct world {
  world(const program& p, const fences& by, std::uint64_t number)
      : what{p},
        random{number, 0},
        tasks{{.workers = p.workers, .asleep = random.below(2) != 0, .local_capacity = 2}},
        forks{tasks.idle(),
              p.workers,
              [this](std::size_t i) -> licit::parker<>& { return tasks.at_worker(i).sleep; },
              {.guests = p.guests, .capacity = 2, .fences = by}},
        left{p.threads - p.workers} {
    for (unsigned i = 0; i != p.workers; ++i) {
      tools[i].emplace(i, p.workers, 8U);
      workers[i].emplace(tasks, i, licit::detail::worker_options{.inject_batch = 1, .rounds = 1}, *tools[i],
                         fork_search<>(forks, i, 0));
    }
    grow(add(no_node), 0);
  }

  void thread(unsigned i) {
    if (i < what.workers) {
      licit::this_context().forks = &forks.at_side(i);
      workers[i]->run([](item /*one*/) {});
    } else {
      fork_side<>* side = nullptr;
      while ((side = forks.enter()) == nullptr) sched_yield();
      licit::this_context().forks = side;
      what.guest(*this, i - what.workers);
      licit::this_context().forks = nullptr;
      forks.leave(*side);
      if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) tasks.stop();
    }
    licit::this_context().forks = nullptr;
  }

  unsigned add(unsigned parent) {
    nodes[size] = {.parent = parent, .throws = exceptions && random.below(6) == 0};
    return size++;
  }
  void grow(unsigned n, unsigned depth) {
    constexpr std::array<unsigned, 4> forks_of_4{4, 3, 1, 0};
    if (random.below(4) >= forks_of_4[depth]) return;
    for (unsigned node::* const half : {&node::left, &node::right}) {
      const unsigned made = add(n);
      nodes[n].*half = made;
      grow(made, depth + 1);
    }
  }

  const program& what;
  licit::checker::detail::random_numbers random;
  workers_crew tasks;
  fork_crew<> forks;
  std::array<std::optional<crew_tools>, most_threads> tools;
  std::array<std::optional<worker>, most_threads> workers;
  std::atomic<unsigned> left;  // guests
  std::array<flag, 3> flags;
  std::array<number, 3> done{};  // plain
  const bool exceptions = random.below(2) != 0;
  std::array<number, most_nodes> runs{};  // plain: ordered by the joins alone
  unsigned size = 0;
};

// ---- programs

/// The second half of a join that is not in a tree: tells the first, which waits for that, that it has begun.
number begun(world& in, number which, const mark& here, number of) {
  here.look(of);
  in.flags[which].set();
  return which + 1;
}

/// A half that only another thread can run, while the first waits for it. Whoever could run it has to be woken.
[[gnu::noinline]] void stolen(world& in, number which) {
  const mark here(which);
  const auto [first, second] = licit::join([&] { return in.flags[which].await(), which; },
                                           [&] {
                                             const number result = begun(in, which, here, which);
                                             in.done[which] = 1;
                                             return result;
                                           });
  if (first != which || second != which + 1) failed("a join returns with the results");
  if (in.done[which] != 1) failed("a join returns before its half has ended");
}

[[gnu::noinline]] void nothing_stolen() {
  const auto [first, second] = licit::join([] { return one; }, [] { return one + 1; });
  if (first != 1 || second != 2) failed("a join returns with the results");
}

/// A worker that sleeps, or is about to, learns of a fork: its side's first, or a later one.
void worker_runs(world& in, unsigned thread) {
  if (in.random.below(2) != 0) nothing_stolen();
  stolen(in, thread);
}

/// The joiner, which sleeps or is about to, runs what its thief forks. It waits until its half is stolen: by the half,
/// which has begun then, or by a look at the deque, which orders nothing.
void joiner_runs(world& in, unsigned /*thread*/) {
  if (in.random.below(2) != 0) nothing_stolen();
  const bool looks = in.random.below(2) != 0;
  const mark here(0);
  const auto until_stolen = [&] {
    if (!looks) in.flags[0].await();
    while (looks && licit::detail::forks_here()->seems_to_offer()) sched_yield();
    return one;
  };
  const auto [first, second] = licit::join(until_stolen, [&] {
    const number result = begun(in, 0, here, 0);
    stolen(in, 1);
    here.look(0);
    return result;
  });
  if (first != 1 || second != 1) failed("a join returns with the results");
}

/// Two forks, the first of which needs the second: two workers run them, though one was woken for both.
void workers_run_both(world& in, unsigned /*thread*/) {
  const mark here(0);
  const auto both = [&] {
    return licit::join([&] { return in.flags[0].await(), one; }, [&] { return begun(in, 1, here, 0); }).second;
  };
  const auto [second, first] = licit::join(both, [&] {
    in.flags[1].await();
    return begun(in, 0, here, 0);
  });
  if (first != 1 || second != 2) failed("a join returns with the results");
}

/// The same of what the thief's thief forks: the thief itself does not join meanwhile.
void joiner_runs_onward(world& in, unsigned /*thread*/) {
  const mark here(0);
  const auto thiefs_thief = [&] {
    const number result = begun(in, 1, here, 0);
    stolen(in, 2);
    return result;
  };
  const auto thief = [&] {
    const number result = begun(in, 0, here, 0);
    const auto [first, second] = licit::join([&] { return in.flags[2].await(), one; }, thiefs_thief);
    if (first != 1 || second != 2) failed("a join returns with the results");
    here.look(0);
    return result;
  };
  const auto [first, second] = licit::join([&] { return in.flags[0].await(), one; }, thief);
  if (first != 1 || second != 1) failed("a join returns with the results");
}

/// The first half throws while another thread runs the second, which may throw too.
void fails(world& in, unsigned /*thread*/) {
  const bool both = in.exceptions;
  const mark here(0);
  number caught = 0;
  try {
    (void)licit::join(
        [&]() -> number {
          in.flags[0].await();
          throw failure{1};
        },
        [&] {
          const number result = begun(in, 0, here, 0);
          here.look(0);
          in.done[0] = 1;
          if (both) throw failure{2};
          return result;
        });
  } catch (const failure& f) {
    caught = f.node;
  }
  if (caught != 1) failed("a join throws its first exception");
  if (in.done[0] != 1) failed("a join throws before its half has ended");
}

/// Of a stolen half alone.
void fails_stolen(world& in, unsigned /*thread*/) {
  number caught = 0;
  try {
    (void)licit::join([&] { return in.flags[0].await(), one; },
                      [&]() -> number {
                        in.flags[0].set();
                        throw failure{2};
                      });
  } catch (const failure& f) {
    caught = f.node;
  }
  if (caught != 2) failed("a join throws its stolen half's exception");
}

number run(world& in, unsigned n);

/// While it lives, what the thread runs is none of the joins around it.
struct waits_for_nothing {
  unsigned outer = std::exchange(waits_for, no_node);
  ~waits_for_nothing() { waits_for = outer; }
};
struct waits_afterwards {
  unsigned half;
  ~waits_afterwards() { waits_for = half; }
};
struct buried {
  [[gnu::always_inline]] ~buried() { bury(frame); }
};

/// Its frame is dead afterwards.
[[gnu::noinline]] number run_and_bury(world& in, unsigned n) {
  const buried at_end;
  return run(in, n);
}

[[gnu::noinline]] number join_halves(world& in, unsigned n) {
  const mark here(n);
  const node& me = nodes[n];
  const waits_for_nothing until_here;
  const auto [left, right] = licit::join(
      [&] {
        const waits_afterwards then{me.right};
        return run_and_bury(in, me.left);
      },
      [&, n] {
        here.look(n);
        if (waits_for != no_node && !descends(nodes[n].right, waits_for)) {
          failed("a thread that waits for a half runs only what descends from it");
        }
        const waits_for_nothing meanwhile;
        const number result = run_and_bury(in, nodes[n].right);
        here.look(n);
        return result;
      });
  return left + right;
}

number run(world& in, unsigned n) {
  const node& me = nodes[n];
  ++in.runs[n];
  const number halves = me.forks() ? join_halves(in, n) : 0;
  if (me.throws) throw failure{n};
  return halves + n + 1;
}

/// A random tree. Each node runs once, and the result is that of a serial run.
void tree(world& in, unsigned /*thread*/) {
  outcome got;
  try {
    got.sum = run_and_bury(in, 0);
  } catch (const failure& f) {
    got.thrown = f.node;
  }
  if (got != serial(0)) failed("the result is that of a serial run");
  for (unsigned n = 0; n != in.size; ++n) {
    if (in.runs[n] != 1) failed("a half runs exactly once");
  }
}

constexpr std::array programs{
    program{"tree", 3, 2, 1, &tree},
    program{"worker", 2, 1, 1, &worker_runs},
    program{"joiner", 2, 1, 1, &joiner_runs},
    program{"onward", 3, 2, 1, &joiner_runs_onward},
    program{"two", 3, 2, 1, &workers_run_both},
    program{"fails", 2, 1, 1, &fails},
    program{"fails-stolen", 2, 1, 1, &fails_stolen},
    program{"guests", 3, 1, 1, &worker_runs},
};

// ---- executions

world* now = nullptr;

struct on_its_stack {
  unsigned thread;
  static void run(void* self) noexcept {
    const unsigned i = static_cast<on_its_stack*>(self)->thread;
    now->thread(i);
#if defined(__aarch64__)
    asm volatile("mov %0, sp" : "=r"(dead_below[i]));
#endif
    bury(all_frames);
  }
};

void work(unsigned i) {
  self = i;
  on_its_stack here{i};
  guest::on_stack(region.stack[i].data() + stack_bytes, &on_its_stack::run, &here);
  self = nobody;
}

struct arguments {
  const program* what = nullptr;
  std::string_view mutant;
  fences by;
  unsigned long executions = 1'000;
  unsigned long first = 0;
};

/// The frames of this execution's joins are dead, and nobody has written there since.
void check_frames() {
  for (unsigned i = 0; i != now->what.threads; ++i) {
    if (!is_poison(dead_below[i] - all_frames, dead_below[i])) failed("a frame is written to after its end");
  }
}

void execute(const arguments& all, unsigned long number) {
  wrong = nullptr;
  clear_region();
  self = most_threads;
  now = new world(*all.what, all.by, number);
  const licit::qemu::ending end = guest::execute(all.what->threads, number);
  if (end == licit::qemu::ending::finished) {
    check_frames();
    if (wrong == nullptr) delete now;
    long left = 0;
    for (const long each : live) left += each;
    if (left != 0) failed("memory is not freed at the end");
    self = nobody;
    return;
  }
  self = nobody;
  if (wrong == nullptr) {
    wrong = end == licit::qemu::ending::blocked ? "all threads sleep that have not ended" : "a loop that nobody ends";
  }
  (void)guest::verdict(true, wrong);
  std::printf("execution %lu: %s\n", number, wrong);
  std::fflush(stdout);
  _exit(1);
}

/// Shared with the parent.
struct progress {
  std::atomic<unsigned long> number;
};

int run(const arguments& all, progress& to) {
  try {  // the first exception of a process sorts the unwinder's tables
    throw failure{0};
  } catch (const failure&) {  // NOLINT(bugprone-empty-catch): that it is caught is all
  }
  guest::region(&region, &region + 1);
  guest::stacks(region.stack.data(), region.stack.data() + region.stack.size());
  const guest::workers some(all.what->threads, &work);
  for (unsigned long n = all.first; n != all.first + all.executions; ++n) {
    to.number = n;
    do execute(all, n);
    while (guest::verdict(wrong != nullptr, wrong == nullptr ? "" : wrong));
    if (wrong == nullptr) continue;
    std::printf("execution %lu: %s\n", n, wrong);
    return 1;
  }
  std::printf("%lu executions of %s, none wrong\n", all.executions, all.what->name.data());
  return 0;
}

/// In a child, which a mutant may end by a signal.
int watched(const arguments& all) {
  void* const shared = mmap(nullptr, sizeof(progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return std::perror("joins"), 2;
  auto* const made = ::new (shared) progress{};
  const pid_t child = fork();
  if (child < 0) return std::perror("joins"), 2;
  if (child == 0) {
    const int status = run(all, *made);
    std::fflush(stdout);
    _exit(status);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) return std::perror("joins"), 2;
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  std::printf("execution %lu: ended by signal %d\n", made->number.load(), WTERMSIG(status));
  return 1;
}

// ---- arguments

#if defined(LICIT_MUTANTS)
struct broken_rule {
  std::string_view name;
  bool licit::fork_rules::* rule;
};
constexpr std::array broken_rules{
    broken_rule{"idle_not_told", &licit::fork_rules::wakes_idle},
    broken_rule{"joiner_not_told", &licit::fork_rules::wakes_joiners},
    broken_rule{"runs_unrelated", &licit::fork_rules::only_descendants},
    broken_rule{"sleeps_without_a_look", &licit::fork_rules::looks_again},
    broken_rule{"leaves_by_exception", &licit::fork_rules::waits_after_exception},
    broken_rule{"throws_the_second", &licit::fork_rules::drops_second_exception},
    broken_rule{"request_not_passed_on", &licit::fork_rules::passes_on},
    broken_rule{"begins_in_silence", &licit::fork_rules::wakes_at_begin},
};

bool choose(std::string_view mutant) {
  for (std::size_t i = 0; i != guest::rows_of_joins::rows.size(); ++i) {
    if (guest::rows_of_joins::rows[i].name == mutant) return guest::weakened = i, true;
  }
  for (const broken_rule& each : broken_rules) {
    if (each.name == mutant) return licit::suites::chosen<licit::fork_rules>.*each.rule = false, true;
  }
  if (mutant == "announces_torn") return guest::announces_torn = true;
  if (mutant == "found_in_silence") {
    return licit::suites::chosen<licit::detail::worker_rules>.passes_on = false, true;
  }
  return false;
}
#else
bool choose(std::string_view /*mutant*/) { return false; }
#endif

[[noreturn]] void refuse(const char* what) {
  std::fprintf(stderr, "joins: what is %s? PROGRAM [--executions N] [--first SEED] [--fences full] [--mutant NAME]\n",
               what);
  for (const program& p : programs) std::fprintf(stderr, "  %s\n", p.name.data());
  std::exit(2);
}

arguments parse(std::span<char*> all) {
  arguments result;
  if (all.size() < 2 || all.size() % 2 != 0) refuse("the program");
  for (const program& p : programs) {
    if (p.name == all[1]) result.what = &p;
  }
  if (result.what == nullptr) refuse(all[1]);
  for (std::size_t i = 2; i != all.size(); i += 2) {
    const std::string_view option = all[i];
    if (option == "--executions")
      result.executions = std::strtoul(all[i + 1], nullptr, 10);
    else if (option == "--first")
      result.first = std::strtoul(all[i + 1], nullptr, 10);
    else if (option == "--fences" && std::string_view(all[i + 1]) == "full")
      result.by = fences(licit::late_fences::full());
    else if (option != "--mutant" || !choose(all[i + 1]))
      refuse(all[i + 1]);
  }
  return result;
}

}  // namespace

int main(int count, char** arguments_given) {
  const arguments all = parse(std::span(arguments_given, static_cast<std::size_t>(count)));
  if (!guest::present()) return std::fputs("joins: the plugin is not there\n", stderr), 2;
  if (!licit::asymmetric_fences().asymmetric) return std::fputs("joins: there is no membarrier\n", stderr), 2;
  return watched(all);
}
