/// What the parts of the runtime know of each other. It takes the place of the thread sanitizer's library, so that the
/// exhaustive checker explores programs that were not written for it.
///
/// Everything here runs on one thread of the system. The program's threads are fibers of the engine; each has the
/// thread-local storage of a parked thread.
#ifndef LICIT_MODELS_UNMODIFIED_RUNTIME_HPP
#define LICIT_MODELS_UNMODIFIED_RUNTIME_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <dlfcn.h>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <licit/checker/explore.hpp>

#include "core/executor.hpp"
#include "show/exit_status.hpp"

/// A function that the program's own calls come to.
#define LICIT_INTERPOSED extern "C" __attribute__((visibility("default")))
/// Where the calling function was called.
#define LICIT_CALLER __builtin_return_address(0)

namespace licit::unmodified {

using checker::violation;
using checker::detail::action;
using checker::detail::answer;
using checker::detail::change;
using checker::detail::event_id;
using checker::detail::executor;
using checker::detail::heap;
using checker::detail::image;
using checker::detail::initial;
using checker::detail::location_id;
using checker::detail::offence;
using checker::detail::operation;
using checker::detail::wake;
using checker::detail::word;
using licit::order;
using address = std::uintptr_t;

/// The one engine; null before main.
executor& engine();
bool has_engine();

/// Whether the program's own code runs, in an execution. Else what is interposed does what it does elsewhere.
inline bool is_explored() { return heap::in_use() != nullptr; }

/// The function of libc, or of another library, that one of this name takes the place of.
template <class F>
F real(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

/// While it lives, the runtime's code runs.
class inside : heap::scope {
 public:
  inside() : heap::scope{nullptr} {}
};

/// Reports a violation of the running thread: "thread 1" and what it does. Does not return to the program.
void object(violation kind, const std::string& what, const offence& by = {});
void refuse(const std::string& what);  ///< the same for what the runtime does not support

// --- sites.cpp

enum class deed : std::uint8_t { load, store, update, compare_exchange, fence, other };

/// Where an operation is in the program: by its address and two callers', for those that inline nothing.
struct site {
  std::array<address, 3> calls = {};  ///< the innermost first; 0: none
  deed what = deed::other;
  std::uint8_t orders = 0;    ///< those that it was called with, a bit each
  std::uint8_t failures = 0;  ///< of a compare-exchange that fails
  int weakened = -1;          ///< the order that it is to have instead; -1: its own
  int weakened_failure = -1;
  bool named = false;
  bool users = false;  ///< an operation of std::atomic in the user's own code
  std::uint32_t number = 0;
  std::string function = {};
  std::array<char, 96> text = {};  ///< file and line; the same pointer always
};

/// The site of a call that comes back to `caller`.
[[gnu::noinline]] site& site_of(const void* caller, deed what = deed::other);
/// The site of what has no place in the program: its text says what it is.
site& site_named(const char* text);
/// "queue.hpp:12 in pop()"
std::string where(const site& s);
void prepare_sites();
/// Finds files and lines of all sites, by addr2line.
void name_sites();
std::vector<site*> all_sites();
/// By its number, which is less than this.
constexpr std::uint32_t most_sites = std::uint32_t{1} << 24;
const site& site_at(std::uint32_t number);
/// One that is known by its name before the program comes to it; calls as in a file.
void make_site(site s);
/// The innermost place of the program on the running thread's stack, which is unwound; null: none is there.
const site* site_of_running();
/// Where the threads' stacks are. A thread that runs elsewhere is refused.
void know_stacks();
[[gnu::noinline, gnu::cold]] void leave_stack(const void* top);
/// Whether an address is just below the running thread's stack, where its next frames would be; and what is said then.
bool is_below_stack(address at);
void refuse_stack(const site& s);
/// The shadow stacks are empty again; or as they were.
void forget_calls();
void keep_calls(image& in);
void put_back_calls(image::reader& to);

// --- shadow.cpp

enum class touch : std::uint8_t { read, write, atomic_read, atomic_write, free };

/// The running thread does this to memory, or did `ago` events before. Races and uses after free are violations.
[[gnu::noinline]] void note(address at, std::size_t size, touch how, const site& s, std::size_t ago = 0);
/// The same, of an access that is not atomic, if the program is explored.
void note_plain(const void* at, std::size_t size, touch how, const void* caller);
/// The part of memory that begins there, which is the running thread's, ends: what was used of it is freed.
void note_end(address begin, const site& end);
/// Memory that is looked at: at most these; nothing else is shared by the threads.
void watch_memory(std::span<const std::byte> part, std::string name);
/// Nothing is watched any more.
void forget_memory();
/// The same in every run: which part an address is in, and where in it. The part is -1 where there is none.
struct place {
  int part = -1;
  address offset = 0;
};
place place_of(address a);
address address_of(place p);
/// "counter", "B1.0+8", "q+4 (in main, queue.cpp:26)", in short "q+4"; "thread 2's stack-24".
std::string place_name(address a, bool in_short = false);
/// In a new execution nothing has been done; or what had been by then.
void forget_touches();
void keep_touches(image& in);
void put_back_touches(image::reader& to);
bool is_instrumented();
/// A library that is compiled with the instrumentation; empty: there is none.
std::string instrumented_library();

// --- atomics.cpp

/// An atomic operation on `size` bytes at an address.
[[gnu::noinline]] answer perform_atomic(address at, unsigned size, operation&& op, site& s);
/// The location of what is there, for the engine.
location_id locate(address at, unsigned size);
/// What is not atomic was written there: a new life.
void begin_new_life(address at, std::size_t size);
/// What is there now, by the newest write.
word newest_at(address at, unsigned size);
void name_locations();
/// In a new execution none has been; or those that had been by then.
void forget_atomics();
void keep_atomics(image& in);
void put_back_atomics(image::reader& to);  ///< when the memory has been put back
/// All atomics that have been, in the order of their locations.
struct known_atomic {
  location_id location;
  address at;
  unsigned size;
  std::size_t life;
};
std::vector<known_atomic> known_atomics();
/// Makes the location of this life, before anything happens.
void make_atomic(address at, unsigned size, std::size_t life);
/// A new engine knows no location.
void forget_locations();

// --- heap.cpp

/// What malloc does, for a function of libc that allocates for its caller.
void* allocate_for(std::size_t size, const void* caller);
std::span<const std::byte> early_memory();  ///< what the program allocated before main
/// Whether there are blocks that were not freed; says which of them nobody can find any more, if there is one.
bool may_leak();
void check_leaks(std::span<const std::span<const std::byte>> roots);
void use_early_memory(bool use);  ///< for what is allocated while nothing is explored
bool is_before_main();
/// Whether libc has given the program memory of its own, as strdup does: nobody knows what is in it.
bool libc_has_allocated();
/// Who made the engine's blocks.
void keep_makers(image& in);
void put_back_makers(image::reader& to);

// --- threads.cpp

/// Parks the threads whose thread-local storage the program's threads use; has them as they were; all of thread t's.
void park_threads();
void watch_thread_locals();
void reset_threads();
unsigned threads_in_use();  ///< those that this execution has have lower numbers
void keep_threads(image& in);
void put_back_threads(image::reader& to);
void enter_thread(unsigned t);
void leave_thread(unsigned t);
void return_register();  ///< to the engine, when it is done
std::span<const std::byte> thread_locals_of(unsigned t);
std::span<const std::byte> values_of(unsigned t);  ///< of its keys of pthread
std::uint32_t& registrations();                    ///< the process's for membarrier: an atomic word of the model
std::string word_name(address a);                  ///< of a key's word, or of that; empty: it is another
void come_to(const site& s);                       ///< the running thread does, and may have to wait there
const site* last_place_of(unsigned t);             ///< null: none
/// Where it threw an exception last; null: it has not.
const site* last_throw_of(unsigned t);
void remember_throw(const void* caller);
bool& has_woken_for_nothing();  ///< the running thread, from a wait on a condition variable
/// The running thread has locked what is there; it unlocks it. False: it had not.
void hold(address lock);
bool let_go(address lock);
/// The body of a thread of the program.
void run_thread(void* program, unsigned t);
/// At the end of an execution: that no detached thread may outlive main.
void check_detached();
/// The running thread's clock, in nanoseconds. It goes on to `span` after `from`, or to the last time that there is.
std::int64_t virtual_time();
void pass_time(std::int64_t from, std::int64_t span);
std::int64_t nanoseconds(const timespec& t);  ///< 0 or more, at most what there is a number for
bool is_time(const timespec& t);              ///< its nanoseconds are less than a second

// --- image.cpp

/// The program's writable memory, and its code.
std::span<std::byte> globals();
void add_library_globals(std::vector<std::span<const std::byte>>& to);  ///< of the C++ library
std::size_t thread_local_size();
std::size_t thread_local_alignment();
bool is_of_program(address code);
bool is_of_libc(address code);
bool is_of_runtime(address code);
address in_file(address code);  ///< as addr2line counts, and back
address in_memory(address in_file);
void find_image();
void keep_image();
void restore_image();
/// As it is in an execution: the program's, and the libraries'.
bool memory_can_be_kept();
/// While the engine explores, faults are told with their place, and, if so wanted, writes to the C++ library's memory.
void lock_libraries(bool writes_are_seen);
void unlock_libraries();
void keep_memory(image& in);
void put_back_memory(image::reader& to);
/// Where the libraries' thread_local variables lie, beside a thread's pointer.
struct thread_part {
  std::ptrdiff_t offset;
  std::size_t size;
};
std::span<const thread_part> library_thread_parts();
bool has_other_libraries();  ///< of whose variables nothing is known
/// The variable that has the address, with its offset; empty if none is known.
std::string variable_at(address a);

// --- request.cpp

struct request {
  checker::settings how = {};
  bool audit = false;
  bool distinct = false;           ///< it is said how many executions differ by more than rounds of loops that wait
  bool spurious = false;           ///< waits end, and attempts at locks fail, for no reason too
  std::string trace = {};          ///< the file for a violation; empty: none
  std::string replay = {};         ///< the file that is run again; empty: none
  std::string dot = {};            ///< the file for a violation's graph, for Graphviz; empty: none
  std::optional<bool> progress{};  ///< whether a line says how far the search is; none: on a terminal
  std::vector<std::string> accepted = {};  ///< functions and files of code that need not be instrumented
};
/// Throws std::invalid_argument.
request requested(std::string_view words);

// --- audit.cpp

using status = checker::exit_status;
using enum checker::exit_status;
status audit();

// --- main.cpp

int run_main();       ///< the user's main, on thread 0
bool has_spurious();  ///< `request::spurious`
/// The program, and its arguments.
std::vector<std::string> command_line();
/// Says what is found, where the program itself prints nothing. What cannot be written makes the status `bad_usage`.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...);
/// The same exploration again, after the orders of sites have changed.
checker::verdict explored_again();

}  // namespace licit::unmodified

#endif
