/// Runs the program under test, once for each execution graph: as recorded as far as the graph goes, then onwards.
#ifndef LICIT_MODELS_CHECKER_ENGINE_HPP
#define LICIT_MODELS_CHECKER_ENGINE_HPP

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <licit/checker/fiber.hpp>
#include <licit/checker/memory.hpp>
#include <licit/checker/options.hpp>
#include <licit/checker/search.hpp>

namespace licit::checker {

/// A program, without its type.
struct program {
  unsigned threads;
  std::size_t size;
  std::size_t alignment;
  void (*construct)(void* place);
  void (*thread)(void* object, unsigned i);
  void (*finish)(void* object);
  void (*destroy)(void* object);
};

/// Thrown through a thread that will never go on, so that what it holds is given back. Not an error.
struct unwound {};

class engine {
 public:
  /// Events of one execution that ids and clocks have room for.
  static constexpr unsigned most_events = 60'000;

  /// Throws std::invalid_argument for more events than that, std::bad_alloc if there is no room for stacks and arenas.
  explicit engine(const options& o);

  /// Throws std::invalid_argument for a program with too many threads or none.
  verdict explore(const program& p);

  /// The engine whose program is running. Throws std::logic_error if none is.
  static engine& running();

  outcome access(operation op, const condition& awaited = {});
  void fence(order strength, asymmetry weight, const char* site);
  location_id construct_atomic(const void* at, word value);
  location_id construct_plain(const void* at, word value);
  void destroy(location_id l);
  void plain_access(action what, location_id l, word value);

  /// Ghosts of a location. A guess is committed by the thread's next claim if that succeeds, and else forgotten.
  void overwrite(location_id l);
  void guess(location_id l);
  void read(location_id l);  ///< not a guess
  void claim(bool success);

  void* allocate(std::size_t size, std::size_t alignment);
  void release(void* p);

  /// The calling thread waits for ever, unless the read that it did last is revisited.
  void wait();

  /// The calling thread goes no further: its execution counts as blocked. For loops that are explored up to a bound.
  void abandon();

  /// Whether this execution has not come here before with the same site.
  bool first_visit(const char* site);

  /// Reports what is wrong. Does not return, except while a thread is unwound.
  void fail(violation kind, std::string message);

 private:
  enum class phase : std::uint8_t { idle, setup, threads, finish, unwinding };

  struct thread_state {
    fiber stack;
    std::size_t cursor = 0;  ///< events done as the graph has them
    bool blocked = false;
    bool abandoned = false;              ///< and not because of what it read
    std::vector<event_id> guesses = {};  ///< since the last claim, by their index in the thread
  };

  void execute();
  void run_main(void (*body)(engine&));
  void replay();
  void extend();
  void conclude();
  void unwind();
  void check_waiting();
  void check_leaks();
  void resume(unsigned t);
  void yield() { threads_[thread_].stack.suspend(); }
  static void thread_body(void* self);
  static void main_body(void* self);

  [[nodiscard]] bool sequential() const { return phase_ == phase::setup || phase_ == phase::finish; }
  const event* recorded(operation& op);
  void extended();
  outcome access_directly(const operation& op);

  [[nodiscard]] const clock& behind() const;
  void check_alive(location_id l);
  void check_plain(const operation& op);
  void commit(event_id index);
  void check_overwrite(location_id l);
  void check_commit(const event& read);
  [[nodiscard]] bool committed(const event& read) const;
  void check_end(const location& place, location_id l, const char* what);
  void add(const operation& op, word value = 0);

  options options_;
  memory memory_;
  search search_;
  std::array<thread_state, max_threads + 1> threads_;
  program program_{};
  void* object_ = nullptr;
  void (*main_step_)(engine&) = nullptr;
  std::vector<const char*> visited_;  ///< sites, in this execution
  phase phase_ = phase::idle;
  unsigned thread_ = main_thread;
  std::size_t left_ = 0;  ///< events that the replay has still to do
  verdict verdict_;
};

}  // namespace licit::checker

#endif
