// The engine: one of two, for each kind of local queue.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <licit/deque/native.hpp>
#include <licit/scheduler/census.hpp>
#include <licit/scheduler/clock.hpp>
#include <licit/scheduler/crew.hpp>
#include <licit/scheduler/default_memory.hpp>
#include <licit/scheduler/engine.hpp>
#include <licit/scheduler/fork/fork_crew.hpp>
#include <licit/scheduler/fork/fork_search.hpp>
#include <licit/scheduler/local_queue.hpp>
#include <licit/scheduler/metrics/trace.hpp>
#include <licit/scheduler/metrics/watchdog.hpp>
#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/task_header.hpp>
#include <licit/scheduler/task/task_registry.hpp>
#include <licit/scheduler/threads.hpp>
#include <licit/scheduler/time/manual_clock.hpp>
#include <licit/scheduler/time/timekeeper.hpp>
#include <licit/scheduler/time/worker_times.hpp>
#include <licit/scheduler/visits.hpp>
#include <licit/scheduler/worker.hpp>
#include <licit/scheduler/worker_tools.hpp>

namespace licit::inline v0 {

/// Links tasks in the inject queue when it has no memory.
template <>
struct inject_link<task_header*> {
  static task_header* get(task_header* item) noexcept { return item->next; }
  static void set(task_header* item, task_header* next) noexcept { item->next = next; }
};

}  // namespace licit::inline v0

namespace licit::inline v0::detail {

namespace {

/// The engine whose worker this thread is.
struct membership {
  const engine* of = nullptr;
  std::size_t worker = 0;
  void* member = nullptr;  ///< the engine's own, at hand
};
thread_local membership this_thread;
/// Whose worker's thread this is, to its very end: a hook, and what is local to the thread, come after the loop.
thread_local const void* thread_of = nullptr;
/// The sides that this thread has as a guest, the innermost first.
thread_local const fork_side<native>* guest_sides = nullptr;

template <template <class, class> class Local>
class engine_of final : public engine {
  using crew_type = crew<task_header*, native, Local>;
  using worker_type = worker<crew_type, worker_tools, fork_search<>, worker_times<timekeeper>>;
  using registry_type = task_registry<native, task_header>;

  struct member {
    member(engine_of& all, std::size_t self)
        : tools{self,
                all.workers(),
                all.seed_,
                all.options_.interval,
                {.measure_polls = all.options_.measure_polls,
                 .trace = all.trace_ ? &all.trace_->of(self) : nullptr,
                 .watchdog = all.options_.stall_after.count() != 0 ? &all.woken_ : nullptr},
                all.census_},
          loop{all.crew_,
               self,
               {.in_a_row = all.options_.lifo_in_a_row,
                .inject_batch = all.options_.inject_batch,
                .steal_most = all.options_.steal_at_most,
                .steals = all.options_.stealing,
                .rounds = 1 + all.options_.spins},
               tools,
               fork_search<>(all.forks_, self, all.seed_),
               worker_times<timekeeper>(all.time_, self)},
          registry{all.memory_} {}
    worker_tools tools;
    worker_type loop;
    registry_type registry;                  ///< what its tasks spawned
    const void* half_of_stack = nullptr;     ///< its thread's; null: not known
    const task_header* waits_for = nullptr;  ///< while its thread is blocked; under `blocked_`
    std::uint32_t in_place_left = 0;         ///< how many tasks the current poll may run in place, for now
    std::uint64_t in_place_ns = 0;           ///< when the first few had run; 0: they have not
    std::uint32_t depth = 0;                 ///< how many of these are on the stack
  };

 public:
  explicit engine_of(const scheduler_options& options)
      : options_{options},
        memory_{options.memory != nullptr ? *options.memory : default_memory()},
        crew_{{.workers = options.resolved_workers(),
               .asleep = true,
               .local_capacity = options.local_capacity,
               .memory = options.memory}},
        forks_{crew_.idle(),
               crew_.workers(),
               parkers(),
               {.guests = options.guests,
                .memory = options.memory,
                .stolen = options.stealing,
                .fences = options.resolved_fences() == join_fences::full ? late_fences::full() : late_fences()}},
        time_{crew_.idle(), crew_.workers(), parkers(), options.clock, options.reactor},
        census_{crew_.workers()},
        threads_{options_} {
    if (options_.trace_events != 0) trace_.emplace(crew_.workers(), options_.trace_events);
    for (std::size_t i = 0; i != crew_.workers(); ++i) members_.emplace_back(*this, i);
    if (options_.stall_after.count() != 0) {
      watchdog_.emplace(
          options_, woken_, crew_.workers(), [this](std::size_t i) { return progress(i); },
          [this] { return crew_.idle().parked() == crew_.workers(); }, [this] { return driver(); });
    }
    if (options_.clock != nullptr) follows_.emplace(*this, *options_.clock);
    if (options_.reactor != nullptr) drives_.emplace(*options_.reactor);
    threads_.start(crew_.workers(), [this](std::size_t i) { run(i); }, [this] { crew_.stop(); });
  }

  // --- for tasks

  // No queue throws: each push has made room, or goes to a queue that has room.
  void schedule(task_header& task, placement where) noexcept override {  // NOLINT(bugprone-exception-escape)
    if (task.bound_to != task_header::anywhere) return deliver(task);
    if (!is_worker()) {
      // Before `inject` returns the task may have run, and a thread that waited for it may have ended the scheduler.
      (void)census_.come();
      crew_.inject(&task);
      census_.go();
      return;
    }
    worker_type& here = mine().loop;
    where == placement::next ? here.run_next(&task) : here.run_later(&task);
  }

  // NOLINTNEXTLINE(bugprone-exception-escape): as for schedule
  void schedule_all(std::span<task_header* const> tasks) noexcept override {
    if (tasks.empty()) return;
    if (tasks.front()->bound_to != task_header::anywhere) {  // then all are
      for (task_header* const each : tasks) deliver(*each);
    } else if (is_worker()) {
      mine().loop.run_all(tasks);
    } else {
      (void)census_.come();  // as in `schedule`
      crew_.inject_all(tasks);
      census_.go();
    }
  }

  bool admit(task_header& task) override {
    bind(task);
    if (task.must_be_registered() && !task.enter(registry_here())) return false;
    if (!is_worker()) return visiting_run::is_in(*this) ? census_.enter_inside() : census_.enter();
    if (!census_.enter(this_thread.worker)) return false;
    mine().tools.metrics.spawned();
    return true;
  }

  /// One call and one look at the thread for what most tasks are: spawned by a task, and free to run anywhere.
  bool start(task_header& task) override {
    if (!is_worker() || task.bound_to != task_header::anywhere || !options_.stealing || task.must_be_registered())
        [[unlikely]] {
      return start_otherwise(task);
    }
    if (!census_.enter(this_thread.worker)) return false;
    member& here = mine();
    here.tools.metrics.spawned();
    here.loop.run_next(&task);
    return true;
  }

  engine* keep() noexcept override {
    census_.hold();
    return this;
  }
  void let_go() noexcept override {
    if (census_.let_go()) delete this;
  }

  void unobserved(std::exception_ptr thrown) noexcept override {
    if (census_.come()) {  // a handle may outlive the scheduler, the hook does not
      unobserved_.fetch_add(1);
      if (options_.on_unobserved) {
        const hook_call here(*this);
        options_.on_unobserved(std::move(thrown));
      }
    }
    census_.go();
  }

  [[nodiscard]] bool counts_visitors() const noexcept override { return true; }
  void visit_begins() noexcept override { is_worker() ? census_.come(this_thread.worker) : (void)census_.come(); }
  void visit_ends() noexcept override { is_worker() ? census_.go(this_thread.worker) : census_.go(); }

  void blocking(task_header& waited, wait_limit limit) override {
    if (limit == wait_limit::none && waiting_below::has(waited)) {
      would_deadlock("that task waits for this one, on the same stack");
    }
    if (!is_worker()) {  // a thread in block_on or enter
      if (limit == wait_limit::none) (void)try_to_run([&] { return run_as_visitor(waited); });
      return;
    }
    if (limit == wait_limit::none) {
      if (ran_here(waited)) return;
      const std::lock_guard lock(blocked_);
      if (waits_for_itself(waited)) would_deadlock("the task can run on this worker only");
      mine().waits_for = &waited;
      if (std::ranges::all_of(members_, [this](const member& m) { return waits_for_own(m); })) {
        mine().waits_for = nullptr;
        would_deadlock("all workers would be blocked so");
      }
    }
    mine().loop.hand_over();
  }
  void unblocked() noexcept override {
    if (!is_worker() || mine().waits_for == nullptr) return;
    const std::lock_guard lock(blocked_);
    mine().waits_for = nullptr;
  }

  void about_to_block() noexcept override {
    if (is_worker()) mine().loop.hand_over();
  }

  bool run_in_place(task_header& awaited) noexcept override {
    if (!is_worker()) return run_as_visitor(awaited);
    if (census_.cancels() || !may_run_here(awaited)) return false;
    member& here = mine();
    if (here.in_place_left == 0 && !goes_on_in_place(here)) return false;
    if (here.depth == deepest_in_place || stack_is_used(here)) return false;
    --here.in_place_left;
    ++here.depth;
    const bool ran = run_within(here, awaited);
    --here.depth;
    return ran;
  }

  [[nodiscard]] bool is_visited() const noexcept override { return !is_worker(); }

  acquaintance about_to_suspend(task_header& task) noexcept override {
    try {
      return task.enter(registry_here()) ? acquaintance::known : acquaintance::cancelled;
    } catch (...) {  // no memory
      return acquaintance::unknown;
    }
  }

  fork_side<native>* enter_forks() noexcept override {
    if (census_.closes()) return nullptr;  // else guests that come and go could hold up the shutdown for ever
    fork_side<native>* const here = census_.come() ? forks_.enter() : nullptr;
    if (here == nullptr) {
      census_.go();
      return nullptr;
    }
    const stack_marks& stack = this_stack();
    here->set_stack(stack.half, stack.end);
    here->set_before_sleep({[](void* own) noexcept {
                              if (own != nullptr) static_cast<executor*>(own)->about_to_block();
                            },
                            this_context().worker_of});
    here->set_outer(std::exchange(guest_sides, here));
    return here;
  }
  void leave_forks(fork_side<native>& entered) noexcept override {
    guest_sides = entered.outer();
    forks_.leave(entered);
    census_.go();
  }

  timer_access timers_here() noexcept override {
    return {&time_, is_worker() ? this_thread.worker : time_.timers().for_others()};
  }

  std::pmr::memory_resource& memory() noexcept override { return memory_; }

  // --- for the scheduler's owner

  shutdown_report shutdown(shutdown_kind kind, time_limit until) override {
    if (thread_of == this)
      throw std::logic_error("licit: shutdown on a worker's thread, in a task or a hook, would wait for itself");
    if (visiting_run::is_in(*this)) throw std::logic_error("licit: shutdown in a task would wait for itself");
    if (is_guest()) throw std::logic_error("licit: shutdown in a join would wait for itself");
    if (hook_call::is_in(*this)) throw std::logic_error("licit: shutdown in on_unobserved would wait for itself");
    if (executor* const here = executor_that_waits()) here->about_to_block();  // a worker of another scheduler
    // Before the lock: a cancellation ends the draining that another call waits for.
    census_.close(kind == shutdown_kind::drain ? doors::inside : doors::closed);
    if (kind == shutdown_kind::cancel) cancel_all();
    std::unique_lock one_at_a_time(shutdown_, std::defer_lock);
    if (watchdog_ && watchdog_->is_here()) {
      if (!one_at_a_time.try_lock()) return report();  // by a thread that joins this one
    } else {
      one_at_a_time.lock();
    }
    bool none = false;
    shutdown_report all;
    for (;;) {
      none = census_.wait_for_none(until);
      all = report();
      if (!none && all.left != 0) break;
      if (!none) continue;  // the last has run, and is about to be counted out
      // A half of a guest's join, which is no task, may run on a worker, and spawn.
      all.left = 0;
      all.visitors = guests_at(until);
      if (all.visitors != 0) return all;
      if (census_.alive() == 0) break;
    }
    if (none) {
      all = report();
      crew_.stop();
      threads_.join();
      if (watchdog_) watchdog_->stop();
      time_.timers().close();
      drain();
      all.left = 0;
      all.visitors = visitors_at(until);
    }
    return all;
  }

  // A scheduler that is destroyed in a task or a join of its own ends the program.
  void end() noexcept override {  // NOLINT(bugprone-exception-escape)
    (void)shutdown(shutdown_kind::cancel, {});
    follows_.reset();
    drives_.reset();
    census_.end_visits();
    // A task that threw may keep the engine; what the hooks hold ends with the scheduler.
    options_.on_thread_start = nullptr;
    options_.on_thread_stop = nullptr;
    options_.on_unobserved = nullptr;
    options_.on_stall = nullptr;
  }

  scheduler_snapshot metrics() const override {
    scheduler_snapshot all;
    all.name = options_.thread_name;
    all.elapsed_ns = steady_nanoseconds::now() - begun_ns_;
    for (std::size_t i = 0; i != members_.size(); ++i) {
      worker_snapshot one = members_[i].tools.metrics.read();
      const auto& queues = crew_.at_worker(i);
      one.local_depth += queues.queue.size() + (queues.slot.empty() ? 0 : 1);
      all.workers.push_back(one);
    }
    if (watchdog_) {
      for (const stall& each : watchdog_->stalls()) {
        all.workers[each.worker].stalled_ns = static_cast<std::uint64_t>(each.lasted.count());
        all.workers[each.worker].stalled_task = each.task;
      }
    }
    all.inject_depth = crew_.injected().size();
    all.searching = crew_.idle().searching();
    all.parked = crew_.idle().parked();
    all.driver = driver();
    all.outside = outside_.read();
    all.spawned_outside = census_.from_outside();
    all.unobserved_exceptions = unobserved_.load();
    return all;
  }

  void write_trace(std::ostream& to) const override {
    if (!trace_) throw std::logic_error("licit: write_trace: no trace is kept (scheduler_options::trace_events is 0)");
    trace_->write_chrome_trace(to, steady_nanoseconds::now(), options_.thread_name);
  }

  std::size_t workers() const noexcept override { return crew_.workers(); }

 private:
  /// The worker that holds the driver.
  [[nodiscard]] std::optional<std::size_t> driver() const {
    const std::size_t holder = time_.timers().holder();
    return holder != licit::driver<>::nobody ? std::optional(holder) : std::nullopt;
  }

  /// For the watchdog. A worker that holds the driver, is awake and in no task, is in the reactor's handlers: it gives
  /// the driver away before it runs a task, and a wake-up interrupts its wait.
  [[nodiscard]] poll_progress progress(std::size_t worker) const {
    const worker_metrics<>& counted = members_[worker].tools.metrics;
    const poll_progress now = counted.progress();
    if (now.task != nullptr || options_.reactor == nullptr || driver() != worker) return now;
    if (crew_.idle().is_parked(worker)) return now;
    const worker_counts<std::uint64_t> counts = counted.read().counts;
    return {.polls = ~(counts.polls + counts.parks), .task = ""};  // no task's poll has that number
  }

  /// After the workers have ended: drops what runs in place left behind, and cancels what a handler of the reactor has
  /// spawned after the last task had ended.
  void drain() {
    const auto drop = [this](task_header* task) {
      task->cancel();
      account(0, members_[0].tools.metrics, task, task->run());
    };
    for (member& each : members_) {
      while (task_header* const task = each.loop.bound().pop_any()) drop(task);
    }
    crew_.drain(drop);
  }

  /// Throws std::out_of_range.
  void bind(task_header& task) {
    if (task.bound_to == task_header::anywhere) {
      if (options_.stealing) return task.set_worker(nullptr);
      const std::size_t worker = is_worker() ? this_thread.worker : turn_.fetch_add(1) % crew_.workers();
      task.bound_to = static_cast<std::uint32_t>(worker);
    } else if (task.bound_to >= crew_.workers()) {
      throw std::out_of_range("licit: spawn on worker " + std::to_string(task.bound_to) + " of " +
                              std::to_string(crew_.workers()) + ", which count from 0");
    }
    task.set_worker(&members_[task.bound_to]);
  }
  /// To the worker to which the task is bound.
  void deliver(task_header& task) noexcept {
    const std::size_t to = task.bound_to;
    if (is_worker() && this_thread.worker == to) return mine().loop.bound().push(&task);
    if (is_worker()) mine().tools.metrics.sent(to);
    (void)census_.come();  // as in `schedule`
    crew_.post(to, &task);
    census_.go();
  }

  [[gnu::noinline]] bool start_otherwise(task_header& task) { return executor::start(task); }

  // Of runs in place. A worker looks for other work after so many, and its stack is bounded. The clock is read after
  // the first few, and after as many again: these may be long.
  static constexpr std::uint32_t in_place_at_first = 4;
  static constexpr std::uint32_t in_place_at_once = 64;
  static constexpr std::uint64_t most_in_place_ns = 100'000;
  static constexpr std::uint32_t deepest_in_place = 64;
  /// Each run by a visitor leaves a stale entry in the inject queue, which keeps the task's memory until a worker comes
  /// by. With so many entries there, visitors sleep.
  static constexpr std::size_t most_left_outside = 1024;

  [[nodiscard]] bool is_worker() const noexcept { return this_thread.of == this; }
  /// Whether the thread is within a join here, or has entered.
  [[nodiscard]] bool is_guest() const noexcept {
    const fork_side<native>* one = guest_sides;
    while (one != nullptr && !forks_.has(one)) one = one->outer();
    return one != nullptr;
  }
  member& mine() noexcept { return *static_cast<member*>(this_thread.member); }
  registry_type& registry_here() noexcept { return is_worker() ? mine().registry : registry_; }
  /// Whether the worker is blocked until a task of its own scheduler is complete. A handle keeps that task meanwhile.
  bool waits_for_own(const member& m) const {
    return m.waits_for != nullptr && &m.waits_for->home() == this && !m.waits_for->done();
  }

  /// Whether half of the thread's stack is in use. Never, where that is not known.
  static bool stack_is_used(const member& here) noexcept {
    return std::less<>()(__builtin_frame_address(0), here.half_of_stack);
  }

  /// Whether the task may run on this worker.
  static bool may_run_here(const task_header& task) noexcept {
    const void* const only = task.worker();
    return only == nullptr || only == this_thread.member;
  }

  /// Whether the current poll, which has run as many tasks in place as it might, may run more.
  [[gnu::noinline]] static bool goes_on_in_place(member& here) noexcept {
    const std::uint64_t now = steady_nanoseconds::now();
    const bool first = here.in_place_ns == 0;
    if (first) here.in_place_ns = now;
    if (now - here.in_place_ns >= most_in_place_ns) return false;
    here.in_place_left = first ? in_place_at_first : in_place_at_once;
    return true;
  }

  /// Within a run: another, if the task has not begun. Whether it ran.
  [[gnu::always_inline]] bool run_within(member& here, task_header& awaited) noexcept {
    const bool own = here.loop.take_back(&awaited);
    if (!own && !awaited.may_be_claimed()) return false;
    const waiting_below waits;
    const task_outcome how = own ? run_alone(here, awaited) : run_claimed(here, awaited);
    account(this_thread.worker, here.tools.metrics, &awaited, how);
    if (how == task_outcome::stale) return false;
    if (!own) here.loop.left_stale([](task_header* one) noexcept { return one->discard_if_stale(); });
    return true;
  }

  [[gnu::always_inline]] static task_outcome run_alone(member& here, task_header& awaited) noexcept {
    const worker_metrics<>::within another(here.tools.metrics, &awaited, awaited.name);
    return awaited.run_held();
  }
  [[gnu::noinline]] static task_outcome run_claimed(member& here, task_header& awaited) noexcept {
    const worker_metrics<>::within another(here.tools.metrics, &awaited, awaited.name);
    return awaited.run_in_place();
  }

  /// A worker that is about to block until `waited` is complete: runs it, if it is this scheduler's and has not begun.
  /// The alternative is to block, so only the stack is a limit. Whether it is complete.
  bool ran_here(task_header& waited) noexcept {
    member& here = mine();
    if (&waited.home() != this || here.half_of_stack == nullptr || stack_is_used(here)) return false;
    if (census_.cancels()) waited.cancel();                                 // as from a queue
    const entry_scope at_home(*this, &forks_.at_side(this_thread.worker));  // the task may have entered another
    if (may_run_here(waited)) (void)try_to_run([&] { return run_within(here, waited); });
    return waited.done();
  }
  /// A claim fails too if the task's word changes at the same time.
  template <class Run>
  static bool try_to_run(Run run) {
    constexpr int tries = 4;
    for (int i = 0; i != tries; ++i) {
      if (run()) return true;
    }
    return false;
  }

  /// Not on a fiber's stack, of which nothing is known.
  [[gnu::always_inline]] static bool is_in_upper_half(const stack_marks& stack) noexcept {
    const auto number = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at); };
    const std::uintptr_t half = number(stack.half);
    const std::uintptr_t frame = number(__builtin_frame_address(0));
    return stack.half != nullptr && frame >= half && frame - half <= half - number(stack.lowest);
  }

  /// A thread that is no worker here, and waits for `awaited`: runs it, if it is this scheduler's, has not begun, and
  /// may run on any thread. The scheduler does not end meanwhile. Whether it ran.
  bool run_as_visitor(task_header& awaited) noexcept {
    if (&awaited.home() != this || !options_.waiters_run || !options_.stealing || options_.clock != nullptr)
      return false;
    if (awaited.worker() != nullptr || !awaited.may_be_claimed()) return false;
    if (!is_in_upper_half(this_stack()) || crew_.injected().size() >= most_left_outside) return false;
    const bool ran = census_.come() && !census_.cancels() && run_claimed_as_visitor(awaited);
    census_.go();
    return ran;
  }
  bool run_claimed_as_visitor(task_header& awaited) noexcept {
    const visiting_run here(*this);
    const waiting_below waits;
    run_context& context = this_context();
    const entry_scope at_home(*this, forks_.has(context.forks) ? context.forks : nullptr);
    const std::uint32_t whole = std::exchange(context.whole, options_.budget);
    const task_outcome how = awaited.run_in_place();
    context.whole = whole;
    if (outside_.add(how)) census_.leave();
    return how != task_outcome::stale;
  }

  /// Whether the tasks of this worker, which nobody else may run, can be what it would wait for.
  bool waits_for_itself(const task_header& waited) const {
    if (waited.done() || &waited.home() != this) return false;
    return !options_.stealing || waited.worker() == this_thread.member;
  }
  [[noreturn]] static void would_deadlock(const char* why) {
    throw std::system_error(std::make_error_code(std::errc::resource_deadlock_would_occur),
                            "licit: get or wait in a task, and " + std::string(why) + " (co_await the handle)");
  }

  /// The body of a worker's thread.
  void run(std::size_t self) {
    member& here = members_[self];
    this_thread = {.of = this, .worker = self, .member = &here};
    thread_of = this;
    const stack_marks& stack = this_stack();
    here.half_of_stack = stack.half;
    fork_side<>& forks = forks_.at_side(self);
    forks.set_stack(stack.half, stack.end);
    forks.set_metrics(here.tools.metrics);
    forks.set_before_sleep({[](void* with) noexcept { static_cast<member*>(with)->loop.hand_over(); }, &here});
    const context_scope ours(*this, options_.budget);
    this_context().forks = &forks;
    this_context().worker_of = this;
    here.loop.run([this, self, &here](task_header* task) { run(self, here, *task); });
    if (time_.timers().holder() == self) {  // or the watchdog would see it in a handler
      time_.timers().give();
      here.tools.metrics.driver_changes(false);
    }
    this_thread = {};
  }

  void run(std::size_t self, member& here, task_header& task) {
    if (census_.cancels()) [[unlikely]]
      task.cancel();
    here.in_place_left = in_place_at_first;
    here.in_place_ns = 0;
    here.tools.metrics.poll_begins(&task, task.name);
    const task_outcome how = task.run();
    here.tools.metrics.poll_ends();
    account(self, here.tools.metrics, &task, how);
  }

  /// After a run. The task may be gone; its address names it.
  [[gnu::always_inline]] void account(std::size_t self, worker_metrics<>& counts, const task_header* task,
                                      task_outcome how) {
    switch (how) {
      case task_outcome::stale:
      case task_outcome::suspended: return;
      case task_outcome::yielded:
        if (std::exchange(context_at_hand().forced, false)) counts.forced_yield(task);
        return;
      case task_outcome::finished: counts.finished(); break;
      case task_outcome::threw: counts.threw(); break;
      case task_outcome::cancelled: counts.cancelled(); break;
      case task_outcome::moved: counts.moved(); break;
    }
    census_.leave(self);
  }

  /// Counts each task once, also while some are ending: reads the ends first, then the admissions.
  [[nodiscard]] shutdown_report report() const {
    shutdown_report all;
    std::uint64_t moved = 0;
    for (const member& m : members_) {
      const worker_counts<std::uint64_t> one = m.tools.metrics.read().counts;
      all.finished += one.finished + one.threw;
      all.cancelled += one.cancelled;
      moved += one.moved;
    }
    const outside_counts<std::uint64_t> others = outside_.read();
    all.finished += others.finished + others.threw;
    all.cancelled += others.cancelled;
    moved += others.moved;
    const std::uint64_t entered = census_.entered();
    const std::uint64_t ended = all.finished + all.cancelled + moved;
    all.left = entered > ended ? entered - ended : 0;
    return all;
  }

  /// Until the time is over. Yields first, then sleeps beside a thread's join or a hook.
  class pauses {
   public:
    explicit pauses(time_limit until) : until_{until} {}
    bool operator()() {
      if (until_ && std::chrono::steady_clock::now() >= *until_) return false;
      ++number_ < yields ? std::this_thread::yield() : std::this_thread::sleep_for(std::chrono::microseconds(50));
      return true;
    }

   private:
    static constexpr int yields = 1000;
    const time_limit until_;
    int number_ = 0;
  };
  /// How many visitors are left at the end of the time limit, while the workers run.
  [[nodiscard]] std::uint32_t guests_at(time_limit until) const {
    pauses pause(until);
    std::uint32_t left = census_.visitors();
    while (left != 0 && pause()) left = census_.visitors();
    return left;
  }
  /// The same, after they have ended.
  [[nodiscard]] std::uint32_t visitors_at(time_limit until) const {
    return census_.wait_for_visitors(pauses(until)) ? 0 : census_.visitors();
  }

  auto parkers() {
    return [this](std::size_t i) -> parker<>& { return crew_.at_worker(i).sleep; };
  }

  /// What a manual clock calls.
  class follower final : public manual_clock::follower {
   public:
    follower(engine_of& of, manual_clock& clock) : of_{of}, clock_{clock} { clock_.add(*this); }
    follower(const follower&) = delete;
    follower& operator=(const follower&) = delete;
    ~follower() { clock_.remove(*this); }

   private:
    [[nodiscard]] std::optional<manual_clock::time_point> next() const override {
      const timer_tick earliest = of_.time_.timers().earliest();
      if (earliest == licit::driver<>::never) return std::nullopt;
      return of_.time_.time_of(earliest);
    }
    void fire() override { (void)of_.time_.fire(of_.time_.timers().for_others()); }
    [[nodiscard]] bool rests() const override { return of_.crew_.stopped() || of_.all_sleep(); }
    [[nodiscard]] std::uint64_t wakes() const override {
      return of_.sum_of([](const auto& counts) { return counts.wakes; });
    }

    engine_of& of_;
    manual_clock& clock_;
  };

  template <class Count>
  [[nodiscard]] std::uint64_t sum_of(Count&& count) const {
    std::uint64_t sum = 0;
    for (const member& each : members_) sum += count(each.tools.metrics.read().counts);
    return sum;
  }
  /// Whether all workers are asleep with nothing to do. None of them was awake in the time of this call.
  [[nodiscard]] bool all_sleep() {
    const auto parks = [this] { return sum_of([](const auto& counts) { return counts.parks; }); };
    const auto all_parked = [this] { return crew_.idle().parked() == crew_.workers(); };
    const std::uint64_t before = parks();
    // A worker enters the set before its last look, and may leave it again by itself.
    if (!all_parked() || crew_.sees_work()) return false;
    for (std::size_t i = 0; i != crew_.workers(); ++i) {
      if (crew_.at_worker(i).inbox.any()) return false;
    }
    return all_parked() && parks() == before;
  }

  /// Queued tasks that are not registered are cancelled by the worker that takes them out.
  void cancel_all() {
    registry_.cancel_all();
    for (member& m : members_) m.registry.cancel_all();
  }

  scheduler_options options_;  ///< never written before the end
  std::pmr::memory_resource& memory_;
  const std::uint64_t begun_ns_ = steady_nanoseconds::now();
  const std::uint64_t seed_ = options_.resolved_seed();
  crew_type crew_;
  fork_crew<> forks_;
  timekeeper time_;
  census<> census_;
  std::optional<trace> trace_;
  registry_type registry_{memory_};  ///< what was spawned from outside
  outside_runs outside_;
  parker<> woken_;  ///< the watchdog's
  std::deque<member> members_;
  std::optional<watchdog> watchdog_;
  std::optional<follower> follows_;
  std::optional<reactor::drive> drives_;
  std::atomic<std::size_t> turn_ = 0;  ///< of the worker that gets the next task from outside, if nobody steals
  std::mutex blocked_;
  std::atomic<std::uint64_t> unobserved_ = 0;
  std::mutex shutdown_;
  threads threads_;
};

}  // namespace

engine* engine::make(const scheduler_options& options) {
  scheduler_options fixed = options;
  fixed.workers = options.resolved_workers();  // once: a quota may change meanwhile
  fixed.validate();
  if (fixed.order == local_order::fifo) return new engine_of<in_order>(fixed);
  return new engine_of<youngest_first>(fixed);
}

}  // namespace licit::inline v0::detail
