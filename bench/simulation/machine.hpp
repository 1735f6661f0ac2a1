/// A machine of any number of processors with a virtual clock. Each runs a program on a stack of its own; the one that
/// is earliest in virtual time goes on. bench/simulation.md says what is modelled and what is not.
#ifndef LICIT_SIMULATION_MACHINE_HPP
#define LICIT_SIMULATION_MACHINE_HPP

#include <array>
#include <core/fiber.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <istream>
#include <memory>
#include <memory_resource>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace licit_simulation {

using picoseconds = std::uint64_t;

/// What operations take. The names are those of the file (bench/simulation/costs.txt), where they are explained.
struct costs {
  picoseconds hit = 0, store = 0, update = 0, fence = 0;
  picoseconds read_dirty = 0, read_clean = 0, write_dirty = 0, write_shared = 0;
  picoseconds pause = 0, clock = 0;
  picoseconds futex_refused = 0, futex_wake = 0, futex_latency = 0;
  picoseconds membarrier = 0, membarrier_other = 0, interrupted = 0;
  picoseconds steal = 0, task = 0;

  /// Reads lines of a name, nanoseconds and a comment. Throws std::runtime_error: a name that is unknown or missing.
  static costs read(std::istream& from);
};

/// All processors sleep, and some program has not ended.
struct deadlock : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How a machine is made worse, to see that it shows.
struct faults {
  bool loses_wakes = false;  ///< the kernel forgets who is to be woken
  bool together = false;     ///< no fault: a membarrier reaches all processors at once, and takes as long as for one
};

/// What a worker is about, when it is awake; `outside` is every other thread.
enum class activity : std::uint8_t { outside, searching, running, waiting };
/// What its time goes into.
enum class expense : std::uint8_t { computing, cache, lines, queueing, pauses, wakes, barriers };

/// The time of all workers, except when they sleep.
struct account {
  std::array<picoseconds, 4> about{};
  std::array<picoseconds, 7> into{};
  [[nodiscard]] picoseconds operator[](activity a) const { return about[static_cast<std::size_t>(a)]; }
  [[nodiscard]] picoseconds operator[](expense e) const { return into[static_cast<std::size_t>(e)]; }
};

class machine {
 public:
  machine(const costs& prices, std::size_t processors, faults planted = {});
  ~machine();
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  /// The machine that exists; there is one at a time.
  static machine& current() { return *current_; }

  /// Gives a processor its program, which begins at time 0.
  void start(std::size_t processor, std::function<void()> program);
  /// Runs until all programs have ended. Throws deadlock, and what a program throws.
  void run();

  // --- For the programs. Every access comes after all that other processors did earlier in virtual time. Before and
  // after `run` accesses cost nothing and leave lines where they are.

  void load(const void* at);
  void store(const void* at);
  /// A read-modify-write, which waits for the stores before it.
  void update(const void* at);
  void full_fence();
  /// A membarrier: interrupts every other processor that is awake.
  void heavy_fence();
  void spend(picoseconds time, expense into = expense::computing) {
    if (running_ == nullptr) return;
    running_->now += time;
    if (running_->about == activity::outside) return;
    spent_.about[static_cast<std::size_t>(running_->about)] += time;
    spent_.into[static_cast<std::size_t>(into)] += time;
  }
  /// What the processor is about from now on. Returns what it was about before.
  activity turn_to(activity about) { return std::exchange(running_->about, about); }
  /// Sleeps until woken. The caller has compared the word, and nothing came in between.
  void sleep(const void* word);
  void wake_one(const void* word);
  /// Does nothing until that time; costs nothing.
  void wait_until(picoseconds time);

  /// Which processor runs.
  [[nodiscard]] std::size_t self() const { return running_->number; }
  /// The highest address of its stack, of which half may be used before others' work is refused.
  [[nodiscard]] const std::byte* stack() const { return running_->stack.bottom(); }
  static constexpr std::size_t stack_bytes = licit::checker::detail::fiber::stack_size;
  /// The running processor's; 0 outside of `run`.
  [[nodiscard]] picoseconds now() const { return running_ != nullptr ? running_->now : 0; }
  [[nodiscard]] const costs& prices() const { return prices_; }

  [[nodiscard]] const account& spent() const { return spent_; }
  /// How long a processor has been asleep up to a time.
  [[nodiscard]] picoseconds asleep(std::size_t processor, picoseconds until) const;
  /// Calls `futex_wake` found somebody asleep.
  [[nodiscard]] std::uint64_t wakes() const { return wakes_; }
  /// Accesses that missed the processor's own cache, and accesses in all.
  [[nodiscard]] std::uint64_t misses() const { return misses_; }
  [[nodiscard]] std::uint64_t accesses() const { return accesses_; }

  /// Memory at fresh lines, which lasts as long as the machine: no address is used twice, so a line's history is that
  /// of one object.
  std::pmr::memory_resource& memory() { return *memory_; }

 private:
  enum class state : std::uint8_t { none, ready, asleep, ended };
  struct processor {
    licit::checker::detail::fiber stack;
    std::function<void()> program;
    picoseconds now = 0;
    picoseconds drained = 0;  ///< when the last store has its line
    picoseconds owed = 0;     ///< interruptions that it has not yet noticed
    picoseconds slept = 0;
    picoseconds sleeps_since = 0;
    std::uint32_t number = 0;
    state is = state::none;
    activity about = activity::outside;
  };

  /// Where a line of 64 bytes is. Up to `few` processors are listed; more are bits.
  struct line {
    static constexpr std::size_t few = 6;
    static constexpr std::uint16_t nobody = 0xffff;
    picoseconds free = 0;             ///< when it can move on: writers get it one after the other
    std::uint64_t* bits = nullptr;    ///< the processors that have it, if there were more than a few
    std::uint16_t holders[few] = {};  ///< the processors that have it
    std::uint16_t count = 0;
    std::uint16_t owner = nobody;  ///< the only one that has it, and wrote it
  };
  struct place {
    std::uint64_t number = 0;
    std::uint32_t index = 0;
  };

  struct span {
    picoseconds begins, ends;
  };

  static void begin(void* machine);
  void reach();
  void spend_until(picoseconds time, expense into) {
    if (time > running_->now) spend(time - running_->now, into);
  }
  line& line_of(const void* at);
  void grow_places();
  [[nodiscard]] bool has(const line& l, std::uint32_t who) const;
  void add(line& l, std::uint32_t who);
  void take(line& l, std::uint32_t who);
  span turn(line& l);
  void make_ready(processor& p);

  static inline machine* current_ = nullptr;

  const costs prices_;
  const faults planted_;
  std::vector<std::unique_ptr<processor>> processors_;
  processor* running_ = nullptr;
  std::vector<std::uint64_t> ready_;  ///< a heap: time, then number, of those that wait for their turn
  std::vector<line> lines_;
  std::vector<place> places_;  ///< hashed by line number; open addressing
  std::vector<std::unique_ptr<std::uint64_t[]>> bits_;
  std::unordered_map<const void*, std::vector<std::uint32_t>> sleepers_;
  std::unique_ptr<std::pmr::memory_resource> memory_;
  account spent_;
  std::exception_ptr thrown_;
  std::size_t left_ = 0;
  std::uint64_t wakes_ = 0, misses_ = 0, accesses_ = 0;
};

}  // namespace licit_simulation

#endif
