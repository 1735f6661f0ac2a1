/// Runs the program under test, once for each execution graph: as recorded as far as the graph goes, then onwards.
#ifndef LICIT_CHECKER_CORE_EXECUTOR_HPP
#define LICIT_CHECKER_CORE_EXECUTOR_HPP

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <licit/checker/engine.hpp>

#include "core/exploration.hpp"
#include "core/fiber.hpp"
#include "core/heap.hpp"
#include "core/memory.hpp"
#include "core/outside.hpp"
#include "core/snapshot.hpp"
#include "core/surroundings.hpp"
#include "show/picture.hpp"
#include "walk/walk.hpp"

namespace licit::checker::detail {

class executor final : public engine {
 public:
  /// Throws std::invalid_argument for too many events, and for a sample out of range; std::bad_alloc if there is no
  /// room for stacks and arenas.
  explicit executor(const options& o);

  /// Throws std::invalid_argument for a program with too many threads or none.
  verdict explore(const program& p);

  // Each of these begins with a heap::scope: the engine's code runs now.
  [[gnu::noinline]] bool may_loop(const operation& op) override;
  [[gnu::noinline]] answer access(operation& op) override;
  void fence(order strength, asymmetry weight, const char* site) override;
  location_id construct_atomic(extent at, word value, look seen) override {
    const heap::scope engine{nullptr};
    return constructed(action::construct, held(memory_.construct(maker(), at, true)), value, seen);
  }
  location_id construct_plain(extent at, word value, look seen) override {
    const heap::scope engine{nullptr};
    return constructed(action::plain_write, held(memory_.construct(maker(), at, false)), value, seen);
  }
  location_id construct_ghost(extent at) override {
    const heap::scope engine{nullptr};
    return constructed(action::ghost_construct, held(memory_.construct(maker(), at, false)), 0, {});
  }
  void name(location_id l, const char* text, std::uint16_t place) override;
  void destroy(location_id l) override;
  void notes(extent bytes) override;
  void plain_access(action what, location_id l, word value) override;

  void overwrite(location_id l) override;
  void guess(location_id l) override;
  void read(location_id l) override;
  void claim(bool success) override;

  void* allocate(std::size_t size, std::size_t alignment) override;
  void release(void* p) override;

  bool sleep(location_id l, bool timed, const char* site) override;
  void notify(location_id l, wake how, order strength, const char* site) override;
  void abandon() override;

  [[nodiscard]] unsigned operations() const override { return threads_[thread_].operations; }
  void check_operations(unsigned begun, unsigned most) override;
  [[nodiscard]] past happened() const override;
  [[nodiscard]] bool stalled(unsigned thread) const override { return threads_[thread].now == standing::stalled; }
  [[nodiscard]] bool has_timeouts() const override { return options_.timeouts; }

  bool leaves_out(const char* name) override;
  bool first_visit(const char* site) override;
  void fail_check(const char* property) override;

  // For programs that start threads themselves (core/spawning.cpp).
  /// The calling thread starts another: its number. It runs the program's `thread`, which begins by `begin`.
  unsigned spawn(const char* site);
  void begin();
  void finish();
  /// Waits until that thread has finished.
  void join(unsigned other, const char* site);
  [[nodiscard]] unsigned thread() const { return thread_; }
  /// How many of the calling thread's events are done, and what has happened before it goes on.
  [[nodiscard]] std::size_t cursor() const { return threads_[thread_].cursor; }
  [[nodiscard]] const clock& now() const;
  /// Where the stack of a thread ends.
  [[nodiscard]] const std::byte* stack_bottom(unsigned t) const { return threads_[t].stack.bottom(); }
  [[nodiscard]] detail::memory& memory() { return memory_; }
  [[nodiscard]] const graph& current() const { return search_.current(); }
  /// memory::permanent
  location_id permanent(extent bytes, look seen) { return held(memory_.permanent(bytes, seen)); }
  /// What a permanent location holds when this execution comes to it first.
  void set_initial(location_id l, word value);
  /// Whether any operation may be a loop's: then what differs from round to round must not stay on the stacks.
  [[nodiscard]] bool suspects_loops() const { return !suspects_.empty(); }
  /// Whether a thread, once spawned, has finished.
  [[nodiscard]] bool has_finished(unsigned t) const { return finish_of(t) != initial; }
  /// The limits and what counts as a violation, from the next exploration on; not the mode, nor what belongs to it.
  [[nodiscard]] options& settings() { return options_; }

  /// Reports what is wrong, by whose fault: else it is the running thread's last event's. Does not return to the
  /// program.
  void fail(violation kind, std::string message, const offence& by = {});

 private:
  enum class phase : std::uint8_t { idle, setup, threads, finish };

  /// Why a thread does not run.
  enum class standing : std::uint8_t {
    running,
    waiting,    ///< its last read found nothing it awaits
    looking,    ///< in a walk: the read that it asks for finds nothing it awaits as yet
    spinning,   ///< the last round of a loop changed nothing
    abandoned,  ///< it was said not to go on
    asleep,     ///< until it is notified
    unborn,     ///< until it is spawned
    joining,    ///< another thread
    stalled,    ///< by the options
  };

  static bool waits(standing s) { return s != standing::running && s != standing::stalled && s != standing::unborn; }

  struct thread_place {
    std::size_t cursor = 0;   ///< events done as the graph has them
    unsigned steps = 0;       ///< begun, ghosts apart
    unsigned operations = 0;  ///< those of them that are atomic operations, fences and wake-ups
    standing now = standing::running;
    bool timed = false;           ///< its sleep
    location_id queue = nowhere;  ///< where it sleeps
    unsigned joined = 0;          ///< whom it waits for
  };
  struct thread_state : thread_place {
    fiber stack = {};
    std::vector<std::byte> own = {};      ///< its thread_local variables
    const operation* put_off = nullptr;   ///< while it is looking: the read
    std::size_t round = 0;                ///< of a spinning thread: the index of its last round's first event
    std::vector<event_id> guesses = {};   ///< since the last claim, by their index in the thread
    std::vector<snapshot> passed = {};    ///< its states before reads that are likely a loop's
    std::vector<fingerprint> seen = {};   ///< its stacks before reads that may be one's
    std::vector<const char*> calls = {};  ///< the client's operations that it came to; null for one left out
  };

  /// Where a loop was suspected: a thread, and the operation that it repeats. Likely: with the same stack above it.
  struct suspect {
    unsigned thread;
    location_id location;
    const char* site;
    bool likely = false;
  };

  void execute();
  bool begin_execution();
  void begin_thread(unsigned t);
  [[nodiscard]] bool goes_back() const;
  [[nodiscard]] bool is_within_reach() const;
  void keep_beginning();
  void keep_image(unsigned by);
  [[nodiscard]] bool keep_in(image& to, unsigned by) const;
  [[nodiscard]] bool is_alone(unsigned t, std::size_t left) const;
  static void get_more(thread_state& t, image::reader& from);
  bool go_back();
  [[nodiscard]] unsigned last_of_replay() const;
  bool construct_program();
  void run_main(void (*body)(executor&));
  void replay();
  void extend();
  void wander();
  bool give_up();
  void pause(const operation& op);
  void check_record();
  answer attempt(const operation& op);
  void go_round();
  void confirm();
  void conclude();
  void abandon_execution();
  [[nodiscard]] bool runnable(unsigned t) const;
  /// Whether all that the thread waits for is the end of a thread that the options stop.
  [[nodiscard]] bool joins_stopped(const thread_state& t) const;
  void check_waiting();
  [[nodiscard]] bool waits_for_ever(unsigned t) const;
  [[nodiscard]] bool would_repeat(unsigned t) const;
  [[nodiscard]] bool has_changed(unsigned t) const;
  [[nodiscard]] word newest_value(location_id l) const;
  void report_waiting();
  [[nodiscard]] std::string why_waiting(unsigned t) const;
  void check_retries();
  void check_leaks();
  void resume(unsigned t);
  void object_to_equality();
  static void object_to(violation kind, const std::string& what);
  void yield() { threads_[thread_].stack.suspend(); }
  [[noreturn]] void drop_thread();
  static void thread_body(void* self);
  static void main_body(void* self);

  [[nodiscard]] bool sequential() const { return phase_ == phase::setup || phase_ == phase::finish; }
  [[nodiscard]] bool interrupted() const { return verdict_.outcome != outcome::ok || impossible_ || again_; }
  const event* recorded(operation& op);
  const event* next_recorded(operation& op);
  void object_to_difference(operation op, const event& before);
  bool keep_before_access();
  [[noreturn]] void stop(standing why);
  answer perform(operation& op);
  bool suspects(const operation& op, const std::byte* frame);
  bool is_likely(suspect& s, const std::byte* frame);
  void begin_again();
  [[gnu::noinline]] void watch();
  void gather();
  [[nodiscard]] bool harmless(std::size_t from) const;
  [[nodiscard]] bool changed_nothing(const event& e) const;
  void extended();
  answer access_directly(const operation& op);

  [[nodiscard]] event_id spawn_of(unsigned t) const { return search_.current().spawn_of(t); }
  [[nodiscard]] event_id finish_of(unsigned t) const;
  [[nodiscard]] const clock& behind() const;
  [[nodiscard]] unsigned maker() const { return phase_ == phase::threads ? thread_ : main_thread; }
  /// A program that has more locations than there are numbers for is refused.
  location_id held(location_id l);
  location_id constructed(action what, location_id l, word value, look seen);
  void check_alive(location_id l, const operation* next = nullptr);
  [[nodiscard]] bool is_there(const location& l) const;
  void check_former(const operation& op, location_id former);
  void end_former(location_id l);
  [[nodiscard]] std::vector<call> calls() const;
  [[nodiscard]] offence last_event() const;
  [[nodiscard]] offence freed_before(block_id b, const operation& next) const;
  [[nodiscard]] offence ended_before(location_id l, const operation* next) const;
  void check_plain(const operation& op);
  void commit(event_id index);
  void check_overwrite(const operation& op);
  void check_commit(const event& read);
  [[nodiscard]] bool committed(const event& read) const;
  void check_end(const operation& op, const location& place, location_id l, const char* what);
  void add(const operation& op, word value = 0);

  options options_;
  thread_locals thread_locals_;
  detail::memory memory_;
  heap heap_{[this](extent freed) { memory_.forget(freed); }, thread_};
  std::unique_ptr<chooser> chooser_;  ///< of a walk; else null
  std::unique_ptr<exploration> exploration_;
  exploration& search_;
  walk* walk_;  ///< the same, if it is one
  std::array<thread_state, max_threads + 1> threads_;
  program program_{};
  unsigned in_use_ = 0;  ///< only threads with lower numbers have begun, in any execution
  void* object_ = nullptr;
  void (*main_step_)(executor&) = nullptr;
  std::vector<const char*> visited_;  ///< sites, in this execution
  std::vector<suspect> suspects_;     ///< in all executions
  std::vector<std::byte> snapshot_;   ///< the one being taken
  std::vector<extent> notes_;         ///< parts of the object that snapshots leave out
  bool impossible_ = false;           ///< this execution cannot go on as it is
  bool confirming_ = false;           ///< it is a sample's that was told before
  bool again_ = false;                ///< it is to be begun again, watching a new suspect
  bool watching_ = false;             ///< the operation that comes next may begin another round of a loop
  phase phase_ = phase::idle;
  std::vector<std::span<const std::byte>> watched_;  ///< in `watch`
  unsigned thread_ = main_thread;
  image beginning_;  ///< of all executions
  static constexpr unsigned anyone = max_threads;
  std::size_t left_ = 0;       ///< events that the replay has still to do
  unsigned goes_on_ = anyone;  ///< who does what comes after the replay
  bool was_recorded_ = false;  ///< the access that was asked for last was in the graph before
  bool keeping_ = false;       ///< the calling thread wants an image of what was before its access
  bool is_kept_ = false;       ///< it goes on in the same execution
  verdict verdict_;
};

}  // namespace licit::checker::detail

#endif
