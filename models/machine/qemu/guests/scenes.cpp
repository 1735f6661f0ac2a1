// Small scenes under the plugin, each by its name: what it does with futexes, loops, and uses that it must refuse.
//   scenes NAME [--executions N]
// Prints what came of it; tests/qemu says what that must be.
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <linux/futex.h>
#include <string_view>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

#include <licit/deque/membarrier.hpp>

#include <climits>

#include "../guest.hpp"

namespace {

namespace guest = licit::qemu::guest;

struct alignas(64) memory {
  std::atomic<std::uint32_t> flag{0};
  alignas(64) std::atomic<std::uint32_t> data{0};
  alignas(64) std::array<std::atomic<std::uint64_t>, 2> pair{};
  alignas(64) std::array<std::byte, 4096> stack{};
};
alignas(128) memory shared;
std::array<std::uint32_t, 2> seen;

std::uint32_t* words() { return reinterpret_cast<std::uint32_t*>(&shared.pair); }
void wait_for_flag() { (void)syscall(SYS_futex, &shared.flag, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0); }
void wake_all() { (void)syscall(SYS_futex, &shared.flag, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0); }

// Eight bytes, four beyond an address that is aligned to them.
void misaligned_store() { asm volatile("str %0, [%1]" : : "r"(0x1'00000001L), "r"(words() + 1) : "memory"); }
void store_half_outside() { asm volatile("str xzr, [%0, #-4]" : : "r"(&shared + 1) : "memory"); }

void vector_length() { asm volatile(".inst 0x04bf5020" : : : "x0"); }  // rdvl x0, #1: the assembler need not know it
void zero_block() { asm volatile("dc zva, %0" : : "r"(&shared) : "memory"); }

// A word on a stack in the region, whose address the other thread gets in that order.
template <std::memory_order Order>
void word_on_stack(void* /*with*/) noexcept {
  std::atomic<std::uint32_t> word{0};
  word.store(1, std::memory_order_relaxed);
  shared.pair[0].store(reinterpret_cast<std::uint64_t>(&word), Order);
  while (shared.flag.load(std::memory_order_acquire) == 0) continue;
}
void many_accesses(void* /*with*/) noexcept {
  volatile int last = 0;
  for (int n = 0; n != 1000; ++n) last = n;
  seen[0] = static_cast<std::uint32_t>(last);
}
void on_stack(void (*body)(void*) noexcept) {
  guest::on_stack(shared.stack.data() + shared.stack.size(), body, nullptr);
}
void read_word() {
  std::uint64_t place = 0;
  while (place == 0) place = shared.pair[0].load(std::memory_order_acquire);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): of the other thread's variable
  seen[0] = reinterpret_cast<std::atomic<std::uint32_t>*>(place)->load(std::memory_order_relaxed);
  shared.flag.store(1, std::memory_order_release);
}

struct scene {
  std::string_view name;
  std::array<void (*)(), 2> threads;
  bool (*found)();  // what is counted
};

constexpr auto relaxed = std::memory_order_relaxed;
bool never() { return false; }

constexpr std::uint32_t spoilt = 0x01010101U * licit::qemu::spoilt;

// The sleeper looks again after each return, as one must.
void sleeper() {
  while (shared.flag.load(relaxed) == 0) wait_for_flag();
  seen[0] = shared.data.load(relaxed);
}

const scene scenes[] = {
    // The flag may be read before the data: no futex orders these, unless the sleeper slept.
    {"wake-up",
     {sleeper,
      [] {
        shared.data.store(1, relaxed);
        shared.flag.store(1, relaxed);
        wake_all();
      }},
     [] { return seen[0] == 0; }},
    // Who sleeps, and is woken, sees what the waker did.
    {"woken",
     {[] {
        wait_for_flag();
        seen[0] = shared.data.load(relaxed);
        shared.pair[0].store(1, relaxed);
      },
      [] {
        shared.data.store(1, relaxed);
        while (shared.pair[0].load(relaxed) == 0) wake_all();
      }},
     [] { return seen[0] == 0; }},
    {"lost wake-up", {sleeper, [] { shared.flag.store(1, relaxed); }}, never},
    {"endless",
     {[] {
        while (shared.flag.load(relaxed) == 0) continue;
      },
      [] {}},
     never},
    // Fair schedules, and old values do not stay for ever.
    {"spinning",
     {[] {
        while (shared.flag.load(relaxed) == 0) continue;
      },
      [] { shared.flag.store(1, relaxed); }},
     never},
    {"yielding",
     {[] {
        while (shared.flag.load(relaxed) == 0) std::this_thread::yield();
      },
      [] {
        for (int i = 0; i != 100; ++i) std::this_thread::yield();
        shared.flag.store(1, relaxed);
      }},
     never},
    // Store buffering, with membarrier on one side and nothing but the compiler's fence on the other.
    {"membarrier",
     {[] {
        shared.flag.store(1, relaxed);
        licit::membarrier();
        seen[0] = shared.data.load(relaxed);
      },
      [] {
        shared.data.store(1, relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        seen[1] = shared.flag.load(relaxed);
      }},
     [] { return seen[0] == 0 && seen[1] == 0; }},
    {"no membarrier",
     {[] {
        shared.flag.store(1, relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        seen[0] = shared.data.load(relaxed);
      },
      [] {
        shared.data.store(1, relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        seen[1] = shared.flag.load(relaxed);
      }},
     [] { return seen[0] == 0 && seen[1] == 0; }},
    // Two words by one store that is not aligned to them: they may come one by one.
    {"torn",
     {misaligned_store,
      [] {
        seen[0] = std::atomic_ref(words()[1]).load(relaxed);
        seen[1] = std::atomic_ref(words()[2]).load(relaxed);
      }},
     [] { return seen[0] != seen[1]; }},
    // What is freed is overwritten, for who still reads it: here it may read what was there, or that.
    {"freed",
     {[] {
        shared.data.store(1, relaxed);
        guest::freed(&shared.data, sizeof shared.data);
      },
      [] { seen[0] = shared.data.load(relaxed); }},
     [] { return seen[0] == spoilt; }},
    // Who has read it before it is freed has read what was there.
    {"freed later",
     {[] {
        while (shared.flag.load(std::memory_order_acquire) == 0) continue;
        guest::freed(&shared.data, sizeof shared.data);
      },
      [] {
        seen[0] = shared.data.load(relaxed);
        shared.flag.store(1, std::memory_order_release);
      }},
     [] { return seen[0] == spoilt; }},
    // The overwriting is a store like others: without a barrier it may be seen after a later one.
    {"freed unordered",
     {[] {
        shared.data.store(1, std::memory_order_seq_cst);
        guest::freed(&shared.data, sizeof shared.data);
        shared.flag.store(1, relaxed);
      },
      [] {
        seen[1] = shared.flag.load(std::memory_order_acquire);
        seen[0] = shared.data.load(relaxed);
      }},
     [] { return seen[1] == 1 && seen[0] == 1; }},
    // What nobody has accessed stays.
    {"freed unseen",
     {[] {
        guest::freed(&shared.data, sizeof shared.data);
        shared.flag.store(1, std::memory_order_release);
      },
      [] {
        while (shared.flag.load(std::memory_order_acquire) == 0) continue;
        seen[0] = shared.data.load(relaxed);
      }},
     [] { return seen[0] == spoilt; }},
    // What two threads access of a stack is memory like the rest of the region.
    {"stack", {[] { on_stack(word_on_stack<relaxed>); }, read_word}, [] { return seen[0] != 1; }},
    {"stack published",
     {[] { on_stack(word_on_stack<std::memory_order_release>); }, read_word},
     [] { return seen[0] != 1; }},
    // The rest of it is none, so its accesses are no steps.
    {"stack alone", {[] { on_stack(many_accesses); }, [] {}}, never},
    // What the plugin must refuse.
    {"stacks outside", {[] { guest::stacks(&seen, &seen + 1); }, [] {}}, never},
    {"freed outside", {[] { guest::freed(&shared + 1, 1); }, [] {}}, never},
    {"clone", {[] { std::jthread([] {}); }, [] {}}, never},
    {"mixed sizes",
     {[] { shared.pair[0].store(1, relaxed); }, [] { std::atomic_ref(words()[0]).store(2, relaxed); }},
     never},
    {"half outside", {store_half_outside, [] {}}, never},
    {"scalable", {vector_length, [] {}}, never},
    {"zeroed", {zero_block, [] {}}, never},
    {"end", {[] { (void)syscall(SYS_exit, 0); }, [] {}}, never},
};

int run(const scene& s, unsigned long executions) {
  guest::region(&shared, &shared + 1);
  guest::stacks(shared.stack.data(), shared.stack.data() + shared.stack.size());
  guest::name(&shared.flag, sizeof shared.flag, "flag");
  guest::name(&shared.data, sizeof shared.data, "data");
  const guest::workers some(2, [&](unsigned i) { s.threads[i](); });
  unsigned long found = 0;
  for (unsigned long seed = 0; seed != executions; ++seed) {
    shared.flag.store(0, relaxed);
    shared.data.store(0, relaxed);
    for (auto& half : shared.pair) half.store(0, relaxed);
    guest::freed(shared.stack.data(), shared.stack.size());
    seen = {};
    const licit::qemu::ending how = guest::execute(2, seed);
    if (how != licit::qemu::ending::finished) {
      std::printf("%s: execution %lu is %s\n", s.name.data(), seed,
                  how == licit::qemu::ending::blocked ? "blocked" : "endless");
      std::exit(1);
    }
    if (s.found()) ++found;
  }
  std::printf("%s: found %s\n", s.name.data(), found == 0 ? "never" : "sometimes");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool counted = argc == 4 && std::string_view(argv[2]) == "--executions";
  if (argc != 2 && !counted) {
    std::fprintf(stderr, "scenes NAME [--executions N]\n");
    return 2;
  }
  if (!guest::present()) {
    std::fprintf(stderr, "scenes: no plugin is there; run by qemu-aarch64 -plugin\n");
    return 2;
  }
  (void)licit::asymmetric_fences();  // registers the process for membarrier
  for (const scene& s : scenes) {
    if (s.name == argv[1]) return run(s, counted ? std::strtoul(argv[3], nullptr, 10) : 1000);
  }
  std::fprintf(stderr, "scenes: there is no %s\n", argv[1]);
  return 2;
}
