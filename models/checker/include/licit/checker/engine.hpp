/// What checker::model asks of the engine that runs the program. Internal: a program uses model.hpp.
///
/// This is all that the user's translation units see of the engine. The search, the execution graphs and the threads'
/// stacks are compiled once, in the library.
#ifndef LICIT_CHECKER_ENGINE_HPP
#define LICIT_CHECKER_ENGINE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <licit/checker/options.hpp>
#include <licit/checker/threads.hpp>
#include <licit/checker/verdict.hpp>
#include <licit/deque/order.hpp>

namespace licit::checker::detail {

using word = std::uint64_t;
using location_id = std::uint16_t;

inline constexpr location_id nowhere = 0xffff;

/// For each thread, how many of its first events.
using past = std::array<std::uint16_t, max_threads>;

/// What a thread asks for.
enum class action : std::uint32_t {
  load,
  store,
  modify,  ///< a read-modify-write, a compare-exchange among them
  fence,
  plain_read,   ///< not atomic
  plain_write,  ///< not atomic; a plain cell made by a thread begins with one
  construct,    ///< the not atomic write that an atomic made by a thread begins with
  destroy,      ///< the end of a location's life
  allocate,
  release,          ///< of a block of memory
  spawn,            ///< starts the thread that is the operand
  begin,            ///< of such a thread; follows the spawn
  finish,           ///< of a thread
  join,             ///< waits for the thread that is the operand; follows its finish
  awake,            ///< a sleeping thread goes on; follows the notify that it reads
  ghost_construct,  ///< of a ghost made by a thread
  ghost_write,      ///< overwrites what guesses read
  ghost_read,       ///< a guess: it counts only if it is committed
  ghost_commit,     ///< commits the ghost read whose index in the thread is the operand
};

/// What a read-modify-write makes of the value that it read.
enum class change : std::uint32_t {
  add,
  subtract,
  bit_or,
  bit_and,
  bit_xor,
  exchange,
  compare_exchange,
  sleep,     ///< on a wait queue: the operand, a thread's bit, joins it
  wake_one,  ///< on a wait queue: one thread that may be woken leaves it, if there is one
  wake_all,  ///< on a wait queue: all threads that may be woken leave it
  add_real,  ///< of floating-point numbers; the mask tells a float from a double
  subtract_real,
};

/// Whether an awaiting thread goes on with a value; null where nothing is awaited.
using awaited = bool (*)(word value, word expected);

/// The asymmetric fences of P1202: a heavy fence is a seq_cst fence; a light one is a fence towards heavy ones only.
enum class asymmetry : std::uint32_t { none, light, heavy };

/// One operation as the program asked for it. The search makes events of it, again for each alternative.
struct operation {
  action what;
  std::uint8_t thread = 0;
  order success = order::relaxed;  ///< the order, unless the operation is a compare-exchange that fails
  order failure = order::relaxed;
  asymmetry weight = asymmetry::none;  ///< of a fence
  change how = change::exchange;
  bool weak = false;   ///< a compare-exchange that may fail spuriously, a wait that may end so; a wake-up of a futex
  bool plain = false;  ///< a load or store that is not atomic, yet explored as one: it races, the search goes on
  location_id location = nowhere;           ///< of `allocate` and `release`: the block
  std::array<std::uint8_t, 6> unused = {};  ///< no padding: it lies on the program's stack, which is compared
  word operand = 0;                         ///< stored, added, exchanged for
  word expected = 0;
  word mask = ~word{0};        ///< the bits that the location's type has
  awaited until = nullptr;     ///< of a read: its thread goes on with such a value only
  const char* site = nullptr;  ///< its name; the same pointer each time that the same operation runs

  [[nodiscard]] bool wakes() const { return how == change::wake_one || how == change::wake_all; }
  [[nodiscard]] bool succeeds(word read) const { return how != change::compare_exchange || read == expected; }
};

/// How an operation went.
enum class progress : std::uint32_t {
  done,
  stuck,       ///< nothing there that is awaited
  impossible,  ///< nowhere for it in this graph: the other alternatives have it
  later,       ///< nothing there that is awaited, and nothing was added: to be asked for again
};

/// What an operation returns to the thread that asked for it.
struct answer {
  word value;
  bool success;
  progress made = progress::done;
};

/// How the values of a location are written down.
enum class shape : std::uint32_t { natural, integer, pointer, real, bytes, hidden };

/// What a location looks like to the readers of a trace.
struct look {
  static constexpr std::uint16_t alone = 0xffff;

  shape values = shape::integer;
  std::uint8_t size = sizeof(word);  ///< of a value
  std::uint16_t place = alone;       ///< in the array that the name is of, from 0
  const char* name = nullptr;        ///< a string literal
};

/// The bytes that a cell occupies. None: it is nowhere, and overlaps nothing.
struct extent {
  const void* begin = nullptr;
  std::size_t size = 0;

  [[nodiscard]] bool overlaps(const extent& other) const {
    const auto a = reinterpret_cast<std::uintptr_t>(begin);
    const auto b = reinterpret_cast<std::uintptr_t>(other.begin);
    return a < b + other.size && b < a + size;
  }
};

/// How a cell knows its location. In bytes that are all zero no cell was constructed.
class location_handle {
 public:
  explicit location_handle(location_id l) : stored_{static_cast<location_id>(l + 1)} {}
  operator location_id() const { return static_cast<location_id>(stored_ - 1); }  // NOLINT(google-explicit-constructor)

 private:
  location_id stored_;
};

/// Which threads are woken, and how.
enum class wake : std::uint32_t { notify_one, notify_all, futex_one, futex_all };

/// Clears the stack below the caller: what is called next finds nothing of an earlier call in its frame.
[[gnu::noinline]] void clear_stack_below();

/// The engine whose program is running.
class engine {
 public:
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// Throws std::logic_error if none is.
  static engine& running();

  /// Whether the operation may be the beginning of another round of a loop: then, before `access`, the stack is cleared
  /// below the caller's frame. So no snapshot finds there what an earlier call left.
  virtual bool may_loop(const operation& op) = 0;
  virtual answer access(operation& op) = 0;
  virtual void fence(order strength, asymmetry weight, const char* site) = 0;
  /// A cell's life begins, in bytes where others may have lived: they happen before it, or it is a race.
  virtual location_id construct_atomic(extent at, word value, look seen) = 0;
  virtual location_id construct_plain(extent at, word value, look seen) = 0;
  virtual location_id construct_ghost(extent at) = 0;
  /// What a location is called from now on, in this execution.
  virtual void name(location_id l, const char* text, std::uint16_t place) = 0;
  virtual void destroy(location_id l) = 0;
  /// Bytes of the program's object in which it notes what its threads have done, and on which no thread's way depends:
  /// they may change while a thread goes round in a loop.
  virtual void notes(extent bytes) = 0;
  virtual void plain_access(action what, location_id l, word value) = 0;

  /// Ghosts of a location. A guess is committed by the thread's next claim if that succeeds, and else forgotten.
  virtual void overwrite(location_id l) = 0;
  virtual void guess(location_id l) = 0;
  virtual void read(location_id l) = 0;  ///< not a guess
  virtual void claim(bool success) = 0;

  virtual void* allocate(std::size_t size, std::size_t alignment) = 0;
  virtual void release(void* p) = 0;

  /// The calling thread, which has just read what it does not want, sleeps until a notify wakes it: true. A wait with a
  /// time limit need not be woken: another execution has its end.
  virtual bool sleep(location_id l, bool timed, const char* site) = 0;
  virtual void notify(location_id l, wake how, order strength, const char* site) = 0;

  /// The calling thread goes no further: its execution counts as blocked. For loops that are explored up to a bound.
  virtual void abandon() = 0;

  /// How many atomic operations (fences and wake-ups among them) the calling thread has begun; and a check that since
  /// then it is no more than so many. The main thread's are not counted.
  [[nodiscard]] virtual unsigned operations() const = 0;
  virtual void check_operations(unsigned begun, unsigned most) = 0;
  /// What happens before the calling thread's next operation, its own last one included. Not on the main thread.
  [[nodiscard]] virtual past happened() const = 0;

  /// Whether the thread is stopped for good in this execution.
  [[nodiscard]] virtual bool stalled(unsigned thread) const = 0;
  /// Whether a wait with a time limit may end without being woken.
  [[nodiscard]] virtual bool has_timeouts() const = 0;

  /// Whether the client is run without the operation that the calling thread is about to begin.
  virtual bool leaves_out(const char* name) = 0;
  /// Whether this execution has not come here before with the same site.
  virtual bool first_visit(const char* site) = 0;

  /// The program says that it is wrong. Does not return.
  virtual void fail_check(const char* property) = 0;

 protected:
  engine() = default;
  ~engine() = default;
};

/// An access by the calling thread.
inline answer perform(operation op) {
  engine& e = engine::running();
  if (e.may_loop(op)) clear_stack_below();
  return e.access(op);
}

class surroundings;

/// A program, without its type. Where it has surroundings (core/surroundings.hpp) it starts its threads itself: then
/// `threads` is how many it may have, thread 0 the one that it begins with, and nothing is constructed or destroyed.
struct program {
  unsigned threads;
  std::size_t size;
  std::size_t alignment;
  void (*construct)(void* place, const void* with);
  void (*thread)(void* object, unsigned i);
  void (*finish)(void* object);
  void (*destroy)(void* object);
  const void* with = nullptr;      ///< handed to `construct`: what the object is made of
  surroundings* around = nullptr;  ///< of a program that starts its threads itself
  bool self_contained = false;     ///< no state of it is outside of the object and of Model::memory()
};

/// Explores the program. Throws std::invalid_argument for a program with too many threads or none, more than
/// `most_events` events, and a sample out of range; std::bad_alloc if there is no room for stacks and arenas.
verdict explore(const program& p, const options& o);

}  // namespace licit::checker::detail

#endif
