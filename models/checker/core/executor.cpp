#include "core/executor.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/estimator.hpp"
#include "core/search.hpp"
#include "show/words.hpp"
#include "walk/record.hpp"

namespace licit::checker::detail {

namespace {

executor* running_engine = nullptr;

using time = std::chrono::steady_clock;

/// Makes an engine the running one, for as long as it lives.
class running_scope {
 public:
  explicit running_scope(executor* e) : outer_{std::exchange(running_engine, e)} {}
  ~running_scope() { running_engine = outer_; }
  running_scope(const running_scope&) = delete;
  running_scope& operator=(const running_scope&) = delete;

 private:
  executor* outer_;
};

std::unique_ptr<exploration> make_exploration(const options& o, chooser* c) {
  if (o.how == mode::estimate) return std::make_unique<estimator>(o.sequences, symmetry(o), o.sample);
  if (c == nullptr) return std::make_unique<search>(o.sequences, symmetry(o), o.where);
  const bool many = o.how == mode::random || o.how == mode::pct;
  return std::make_unique<walk>(o.sequences, *c, many ? o.sample.executions : 1, o.max_events / 2);
}

/// The options without what lives no longer than the exploration.
options replayable(options o) {
  o.observe = o.observe_blocked = {};
  o.where = {};
  o.equal = {};
  o.sample.bytes = {};
  o.sample.steps = nullptr;
  return o;
}

double seconds_since(time::time_point start) { return std::chrono::duration<double>(time::now() - start).count(); }

/// What leaves a body, in words; nothing when it returns. The catch block ends here: a failed thread never goes on, and
/// would keep the exception that it is handling.
template <class Body>
std::optional<std::string> thrown_by(const Body& body) {
  try {
    body();
    return std::nullopt;
  } catch (const std::exception& error) {
    return std::string(": ") + error.what();
  } catch (...) {
    return " that is no std::exception";
  }
}

}  // namespace

executor::executor(const options& o)
    : options_{o},
      chooser_{make_chooser(o)},
      exploration_{make_exploration(o, chooser_.get())},
      search_{*exploration_},
      walk_{dynamic_cast<walk*>(exploration_.get())} {
  if (o.max_events > most_events) {
    throw std::invalid_argument("licit: max_events is at most " + std::to_string(most_events) + ", not " +
                                std::to_string(o.max_events));
  }
}

engine& engine::running() {
  if (running_engine == nullptr) throw std::logic_error("licit: checker::model is used outside of checker::run");
  return *running_engine;
}

verdict explore(const program& p, const options& o) { return executor(o).explore(p); }

namespace {

void expect_valid(const options& o, const program& p) {
  if (p.threads == 0 || p.threads > max_threads) {
    throw std::invalid_argument("licit: a program has 1 to " + std::to_string(max_threads) + " threads, not " +
                                std::to_string(p.threads));
  }
  if (p.around != nullptr && !o.equal.empty()) {
    throw std::invalid_argument("licit: threads that a program starts itself cannot be said to be equal");
  }
  symmetry::expect_valid(o, p.threads);
  if (o.stalled.thread != stall::nobody && o.stalled.thread >= max_threads) {
    throw std::invalid_argument("licit: there is no thread " + std::to_string(o.stalled.thread) + " to be stopped");
  }
}

}  // namespace

verdict executor::explore(const program& p) {
  expect_valid(options_, p);
  const auto free = [&](void* place) { ::operator delete(place, std::align_val_t{p.alignment}); };
  const std::unique_ptr<void, decltype(free)> place{::operator new(p.size, std::align_val_t{p.alignment}), free};
  program_ = p;
  object_ = place.get();
  verdict_ = {};
  search_.begin();
  const running_scope scope{this};
  const guard looking{&object_to, options_.max_step_seconds};
  const auto start = time::now();
  suspects_.clear();
  // What a program as it is does between two events costs more than what an algorithm over the policy does.
  search_.replay_at_most(p.around == nullptr ? 8 : 4);
  in_use_ = p.around == nullptr ? p.threads : 1;
  beginning_.drop();
  for (bool more = true; more && verdict_.outcome == outcome::ok;) {
    const bool late = std::isfinite(options_.max_seconds) && seconds_since(start) > options_.max_seconds;
    if (verdict_.executions >= options_.max_executions || late) {
      verdict_.outcome = outcome::limit;
      break;
    }
    again_ = impossible_ = false;
    search_.ended(false);
    execute();
    if (again_) {
      search_.repeat();
      continue;
    }
    if (walk_ != nullptr) confirm();
    more = verdict_.outcome == outcome::ok && search_.next();
  }
  phase_ = phase::idle;
  verdict_.seconds = seconds_since(start);
  verdict_.rejected = search_.rejected();
  verdict_.rules_differ = options_.sequences == release_sequences::cxx11 || search_.rules_differ();
  verdict_.depth = search_.deepest();
  verdict_.symmetric = search_.is_symmetric();
  verdict_.sampled = options_.how != mode::exhaustive;
  verdict_.exhaustive = !verdict_.sampled;
  verdict_.size = search_.result();
  verdict_.share.pieces = search_.pieces();
  verdict_.share.explored = search_.taken();
  return std::move(verdict_);
}

/// One execution of the program, on the search's current graph and then beyond it.
void executor::execute() {
  if (!go_back() && !begin_execution()) return;
  replay();
  walk_ == nullptr ? extend() : wander();
  if (verdict_.outcome != outcome::ok) return;
  if (again_ || impossible_) return abandon_execution();
  conclude();
}

/// The program as it is before its threads run. False if that fails.
bool executor::begin_execution() {
  memory_.reset();
  visited_.clear();
  if (program_.around != nullptr) {
    program_.around->reset();
  } else if (!construct_program()) {
    return false;
  }
  phase_ = phase::threads;
  for (unsigned t = 0; t != program_.threads; ++t) {
    threads_[t].cursor = 0;
    threads_[t].steps = threads_[t].operations = 0;
    threads_[t].now = t == 0 || program_.around == nullptr ? standing::running : standing::unborn;
    begin_thread(t);
  }
  goes_on_ = anyone;
  left_ = search_.current().size();
  keep_beginning();
  return true;
}

/// Its next step is its first.
void executor::begin_thread(unsigned t) {
  thread_state& state = threads_[t];
  state.guesses.clear();
  state.passed.clear();
  state.seen.clear();
  state.calls.clear();
  state.own.clear();
  state.stack.start(&thread_body, this);
}

bool executor::construct_program() {
  phase_ = phase::setup;
  threads_[main_thread].own.clear();
  notes_.clear();
  std::memset(object_, 0, program_.size);  // no cell of another execution is there
  run_main([](executor& e) { e.program_.construct(e.object_, e.program_.with); });
  if (verdict_.outcome != outcome::ok) return false;
  for (std::size_t l = 0; l != memory_.locations(); ++l) {
    const auto id = static_cast<location_id>(l);
    search_.set_initial(id, memory_.location_at(id).value);
  }
  return true;
}

/// On a stack of its own, so that a failure can leave it where it stands.
void executor::run_main(void (*body)(executor&)) {
  main_step_ = body;
  threads_[main_thread].stack.start(&main_body, this);
  resume(main_thread);
}

void executor::main_body(void* self) {
  auto& e = *static_cast<executor*>(self);
  std::optional<std::string> thrown = thrown_by([&] {
    const heap::scope client{&e.heap_};
    e.main_step_(e);
  });
  if (thrown) e.fail(violation::exception, std::move(thrown->insert(0, "an exception left the main thread")));
}

void executor::thread_body(void* self) {
  auto& e = *static_cast<executor*>(self);
  std::optional<std::string> thrown = thrown_by([&] {
    const heap::scope client{&e.heap_};
    e.program_.thread(e.object_, e.thread_);
  });
  if (thrown) e.fail(violation::exception, std::move(thrown->insert(0, "an exception left a thread")));
}

void executor::resume(unsigned t) {
  surroundings* const around = program_.around;
  do {
    thread_ = t;
    guard::begin_step();
    around != nullptr ? around->enter(t) : thread_locals_.enter(threads_[t].own);
    threads_[t].stack.resume();
    around != nullptr ? around->leave(t) : thread_locals_.leave(threads_[t].own);
    thread_ = main_thread;
    is_kept_ = std::exchange(keeping_, false);
    if (is_kept_) keep_image(t);
  } while (is_kept_);
}

/// Each thread runs as far as the graph has its events; one that comes to a read whose write is not yet there lets the
/// others go first. (po ∪ rf) has no cycle, so one of them always can.
void executor::replay() {
  const graph& g = search_.current();
  const unsigned most = g.threads();
  while (left_ != 0 && !interrupted()) {
    const std::size_t before = left_;
    for (unsigned t = 0; t != most && !interrupted(); ++t) {
      if (threads_[t].cursor < g.thread(t).size()) {
        if (threads_[t].stack.ended()) break;
        resume(t);
      }
    }
    if (left_ == before && !interrupted()) {
      fail(violation::nondeterministic,
           "a thread ended, or waits, before it did what it did on the same values before");
    }
  }
  const unsigned next = std::exchange(goes_on_, anyone);
  if (next == anyone || interrupted()) return;
  if (threads_[next].now == standing::running && !threads_[next].stack.ended()) resume(next);
}

/// Always the first thread that can go on: what comes next is a function of the graph.
void executor::extend() {
  for (unsigned t = 0; t != in_use_ && !interrupted();) {
    if (runnable(t)) {
      resume(t);
      t = 0;
    } else {
      ++t;
    }
  }
}

/// The end of an execution that went well so far.
void executor::conclude() {
  const auto threads = std::span(threads_).first(in_use_);
  const bool stopped = std::ranges::any_of(threads, [](const thread_state& t) { return t.now == standing::stalled; });
  if (stopped) {
    verdict_.stalled = true;
    if (program_.around == nullptr) check_retries();  // what a suite promises of its algorithms
  }
  if (std::ranges::any_of(threads, [this](const thread_state& t) { return waits(t.now) && !joins_stopped(t); })) {
    if (verdict_.outcome == outcome::ok) check_waiting();
    if (verdict_.outcome != outcome::ok) return;
    if (options_.observe_blocked) options_.observe_blocked(search_.current());
    return abandon_execution();
  }
  const graph& g = search_.current();
  for (std::size_t l = 0; l != g.locations(); ++l) {
    const event_id last = g.last_write(static_cast<location_id>(l));
    if (last != initial) memory_.location_at(static_cast<location_id>(l)).value = g[last].value;
  }
  phase_ = phase::finish;
  if (program_.around != nullptr) {
    if (!stopped) program_.around->ended(search_.counts() && !confirming_);
  } else {
    run_main([](executor& e) {
      e.program_.finish(e.object_);
      e.program_.destroy(e.object_);
    });
    if (verdict_.outcome == outcome::ok && !verdict_.stalled) check_leaks();
  }
  if (verdict_.outcome != outcome::ok) return;
  heap_.end_well();
  const std::uint64_t represented = search_.stands_for();
  if (search_.unequal()) return object_to_equality();
  if (represented == 0) return;
  search_.ended(true);
  if (!search_.counts()) return;
  ++verdict_.executions;
  verdict_.represented += represented;
  if (options_.observe) options_.observe(g);
}

/// Nobody goes on, nor does any destructor run: the values that it would read are no execution's.
void executor::abandon_execution() { heap_.abandon(); }

/// The calling thread is never resumed.
void executor::drop_thread() {
  yield();
  std::abort();
}

void executor::check_leaks() {
  const block_id b = memory_.leaked();
  if (!options_.leaks || b == no_block) return;
  const block& lost = memory_.at(b);
  offence by;
  const graph& g = search_.current();
  for (event_id id = 0; id != g.size(); ++id) {
    if (g[id].op.what == action::allocate && g[id].op.location == b) by.events.push_back(id);
  }
  fail(violation::leak,
       std::to_string(lost.size) + " bytes, allocation " + std::to_string(lost.number) + " of " +
           thread_name(lost.maker) + ", are never freed",
       by);
}

bool executor::first_visit(const char* site) {
  const heap::scope engine{nullptr};
  if (std::ranges::find(visited_, site) != visited_.end()) return false;
  visited_.push_back(site);
  return true;
}

bool executor::leaves_out(const char* name) {
  const heap::scope engine{nullptr};
  if (phase_ != phase::threads) return false;
  std::vector<const char*>& calls = threads_[thread_].calls;
  const bool out = options_.without.has(thread_, static_cast<unsigned>(calls.size()));
  calls.push_back(out ? nullptr : name);
  return out;
}

std::vector<call> executor::calls() const {
  std::vector<call> begun;
  for (unsigned t = 0; t != program_.threads; ++t) {
    const std::vector<const char*>& names = threads_[t].calls;
    for (unsigned n = 0; n != names.size(); ++n) {
      if (names[n] != nullptr) begun.push_back({t, n, names[n]});
    }
  }
  return begun;
}

void executor::name(location_id l, const char* text, std::uint16_t place) {
  const heap::scope engine{nullptr};
  if (!memory_.known(l)) return;
  look& seen = memory_.location_at(l).seen;
  seen.name = text;
  seen.place = place;
}

/// The running thread's last event, guesses apart; none if that is the main thread.
offence executor::last_event() const {
  if (phase_ != phase::threads) return {};
  const graph& g = search_.current();
  const auto events = g.thread(thread_);
  std::size_t done = std::min(threads_[thread_].cursor, events.size());
  while (done > 1 && g[events[done - 1]].is_ghost()) --done;
  return done == 0 ? offence{} : offence{{events[done - 1]}};
}

/// What the program does that is no operation of the model.
void executor::object_to(violation kind, const std::string& what) {
  const heap::scope engine{nullptr};
  executor& e = *running_engine;
  e.fail(kind, thread_name(e.thread_) + " " + what);
}

void executor::object_to_equality() {
  fail(violation::unsupported, "threads that were said to be equal do different things after the same reads");
}

void executor::fail_check(const char* property) {
  const heap::scope engine{nullptr};
  fail(violation::assertion, property);
}

void executor::fail(violation kind, std::string message, const offence& by) {
  if (verdict_.outcome == outcome::ok) {
    if (program_.around != nullptr) program_.around->describe();
    verdict_.outcome = outcome::violation;
    verdict_.kind = kind;
    verdict_.message = std::move(message);
    verdict_.steps = record_of(search_.current(), memory_, thread_);
    offence whose = by;
    if (whose.events.empty() && whose.next == nullptr) whose = last_event();
    verdict_.calls = calls();
    verdict_.options = replayable(options_);
    verdict_.picture = picture(search_, memory_, program_.threads, whose);
    verdict_.picture.kind = licit::checker::name(kind);
    verdict_.picture.message = verdict_.message;
    verdict_.trace = text(verdict_.picture);
  }
  if (!threads_[thread_].stack.ended()) yield();  // and is never resumed
}

}  // namespace licit::checker::detail
