/// Volt's idle protocol ("Work-Stealing Scheduler", volt-scheduler; the code is NerdMeNot/volt,
/// src/internal/scheduler/Scheduler.zig, IdleState, ParkState, parkWorker, wakeWorkerIfNeeded).
///
/// Theirs: three atomics (num_searching, num_parked, a bitmap of the parked), every access seq_cst; whoever publishes
/// adds to the queue's length by a release RMW and then *loads* num_searching and num_parked; a worker that parks
/// counts itself parked, and only if it was the last searcher looks at the queue's length (acquire) once more; then it
/// sleeps on a futex for 10 ms. After that, its bit says whether it was woken or timed out.
///
/// Our reading: one publisher with one task, one worker of two. What the worker does after it has parked once is to
/// wait for the queue's length: round after round of parking comes to that. The futex's own load is relaxed. Without
/// its time limit the futex sleeps until it is woken. An exhibit each:
///  - `volt-idle`: the worker is the last searcher; the task is published in the global queue. By RMWs: the common
///    mappings to x86, Armv8 and RISC-V order them, so that the failure is one of the language;
///  - `volt-idle-local`: the task is published in the spawning worker's run queue, by a store-release (Header.zig,
///    WorkStealQueue.push);
///  - `volt-idle-unadmitted`: the worker was not let search, since half of the workers were, which have since left with
///    work, as the protocol lets them;
///  - `volt-idle-counters`: the counters after a time limit;
///  - `volt-idle-repaired`: fences, and a last look by everyone (ours).
#include <chrono>
#include <type_traits>

#include "gallery/client.hpp"
#include "gallery/gallery.hpp"

namespace licit::models::gallery {

namespace {

using enum order;

struct reading {
  bool admitted = true;  ///< the worker is a searcher when it looks for work
  bool fenced = false;   ///< ours: fences, and a last look by everyone
  bool local = false;    ///< the task is published in a worker's run queue, not in the global one
  bool counted = false;  ///< in the end the counters must say that nobody searches or is parked
};

/// ParkState.
template <class Model>
class parker {
 public:
  void park() {
    unsigned expected = unparked;
    if (state_.compare_exchange(expected, parked, acq_rel, acquire, "park.claim")) {
      state_.futex_wait_for(parked, std::chrono::seconds(1), relaxed, "park.sleep");
    }
    state_.store(unparked, release, "park.reset");
  }
  void unpark() {
    if (state_.exchange(notified, acq_rel, "unpark") == parked) state_.futex_wake_one("unpark.wake");
  }

 private:
  static constexpr unsigned unparked = 0;
  static constexpr unsigned parked = 1;
  static constexpr unsigned notified = 2;
  typename Model::template atomic<unsigned> state_;
};

/// The global queue: a mutex, and a length for those who do not want to lock.
template <class Model>
class global_queue {
 public:
  void push() {
    mutex_.lock();
    task_.write(true);
    length_.fetch_add(1, release, "queue.publish");
    mutex_.unlock();
  }
  bool pop() {
    mutex_.lock();
    const bool found = task_.read();
    if (found) {
      task_.write(false);
      length_.fetch_sub(1, release, "queue.remove");
    }
    mutex_.unlock();
    return found;
  }
  [[nodiscard]] bool looks_empty() const { return length_.load(acquire, "queue.look") == 0; }
  void await_task() const {
    length_.await([](int length) { return length != 0; }, acquire, "queue.await");
  }

 private:
  typename Model::mutex mutex_;
  typename Model::template plain<bool> task_{false};
  typename Model::template atomic<int> length_;
};

/// Another worker's run queue, with room for one: published by a store-release of its tail, stolen by a claim.
template <class Model>
class run_queue {
 public:
  void push() {
    task_.write(true);
    tail_.store(1, release, "queue.publish");
  }
  bool pop() {
    int head = head_.load(acquire, "queue.head");
    if (tail_.load(acquire, "queue.tail") == head) return false;
    if (!head_.compare_exchange(head, head + 1, acq_rel, acquire, "queue.claim")) return false;
    return task_.read();
  }
  [[nodiscard]] bool looks_empty() const {
    const int head = head_.load(acquire, "queue.look");
    return tail_.load(acquire, "queue.look") == head;
  }
  void await_task() const {
    tail_.await([](int tail) { return tail != 0; }, acquire, "queue.await");
  }

 private:
  typename Model::template plain<bool> task_{false};
  typename Model::template atomic<int> head_;
  typename Model::template atomic<int> tail_;
};

template <class Model, reading Form>
class idle {
 public:
  static constexpr unsigned threads = 2;

  void thread(unsigned i) { i == 0 ? publish() : work(); }

  void finish() {
    if (!Form.counted) return;
    Model::check(searching_.load(relaxed) == 0, "num_searching counts a worker that does not search");
    Model::check(parked_.load(relaxed) == 0, "num_parked does not say that nobody is parked");
  }

 private:
  void publish() {
    queue_.push();
    if (Form.fenced) Model::fence(seq_cst, "publish.fence");
    wake_if_needed();
  }

  void work() {
    if (Form.admitted) begin_search();
    if (queue_.pop()) return leave_search();
    park();
    queue_.await_task();
    Model::check(queue_.pop(), "nobody else takes the task");
    leave_search();
  }

  void begin_search() {
    searching_.fetch_add(1, seq_cst, "search.begin");
    is_searching_ = true;
  }
  void leave_search() {
    if (!is_searching_) return;
    is_searching_ = false;
    if (searching_.fetch_sub(1, seq_cst, "search.leave") == 1) wake_if_needed();
  }

  void park() {
    if (!Form.local && !queue_.looks_empty()) return;  // others' run queues are not looked at here
    bitmap_.fetch_or(1, seq_cst, "park.bit");
    parked_.fetch_add(1, seq_cst, "park.count");
    const bool last = is_searching_ && searching_.fetch_sub(1, seq_cst, "park.stop") == 1;
    is_searching_ = false;
    if (Form.fenced) Model::fence(seq_cst, "park.fence");
    if ((last || Form.fenced) && !queue_.looks_empty()) wake_if_needed();
    parker_.park();
    if (bitmap_.load(seq_cst, "woken.bit") == 0) {
      is_searching_ = true;
      return;
    }
    bitmap_.fetch_and(0, seq_cst, "timeout.bit");
    parked_.fetch_sub(1, seq_cst, "timeout.count");
  }

  void wake_if_needed() {
    if (searching_.load(seq_cst, "wake.searching") != 0) return;
    if (parked_.load(seq_cst, "wake.parked") == 0) return;
    if (bitmap_.load(seq_cst, "wake.bitmap") == 0) return;
    if (bitmap_.fetch_and(0, seq_cst, "wake.claim") == 0) return;
    parked_.fetch_sub(1, seq_cst, "wake.uncount");
    searching_.fetch_add(1, seq_cst, "wake.count");
    parker_.unpark();
  }

  std::conditional_t<Form.local, run_queue<Model>, global_queue<Model>> queue_;
  parker<Model> parker_;
  typename Model::template atomic<int> searching_;
  typename Model::template atomic<int> parked_;
  typename Model::template atomic<unsigned> bitmap_;
  bool is_searching_ = false;  // the worker's
};

enum class sleep { ten_ms, until_woken };

template <reading Form>
showing show_idle(sleep how, std::string_view size, const expectation& both) {
  return {"publish | work", size, both, both, &checker::run_program<idle<checker::model, Form>>, how == sleep::ten_ms};
}

constexpr reading searcher{};
constexpr reading local{.local = true};
constexpr reading unadmitted{.admitted = false};
constexpr reading counted{.counted = true};
constexpr reading fenced{.fenced = true};
constexpr reading fenced_unadmitted{.admitted = false, .fenced = true};
constexpr reading fenced_local{.fenced = true, .local = true};

using enum checker::violation;

}  // namespace

std::vector<exhibit> three_counters() {
  return {
      {.name = "volt-idle",
       .file = "three_counters.cpp",
       .source = "volt-scheduler, a worker that was the last searcher",
       .claim = "the last searcher's final check prevents lost wake-ups (the article)",
       .lesson = "a release RMW, then a seq_cst load: the language lets publisher and parker miss each other; a "
                 "timeout of 10 ms hides it",
       .showings = {show_idle<searcher>(sleep::ten_ms, "with the time limit", right(50)),
                    show_idle<searcher>(sleep::until_woken, "without a time limit",
                                        wrong(deadlock, "nobody will wake it"))}},
      {.name = "volt-idle-local",
       .file = "three_counters.cpp",
       .source = "volt-scheduler, a task published in a worker's run queue",
       .claim = "the last searcher's final check prevents lost wake-ups (the article)",
       .lesson = "a store-release, then a load: a seq_cst load does not wait for an earlier store, not even on x86",
       .showings = {show_idle<local>(sleep::ten_ms, "with the time limit", right(96)),
                    show_idle<local>(sleep::until_woken, "without a time limit",
                                     wrong(deadlock, "nobody will wake it"))}},
      {.name = "volt-idle-unadmitted",
       .file = "three_counters.cpp",
       .source = "volt-scheduler, a worker that was not let search",
       .claim = "every queued task is found (the article)",
       .lesson = "a worker that parks without having searched does not look again: the wake-up is lost on any machine, "
                 "and a timeout of 10 ms hides it",
       .showings = {show_idle<unadmitted>(sleep::ten_ms, "with the time limit", right(17)),
                    show_idle<unadmitted>(sleep::until_woken, "without a time limit",
                                          wrong(deadlock, "nobody will wake it"))}},
      {.name = "volt-idle-counters",
       .file = "three_counters.cpp",
       .source = "volt-scheduler, its counters after a time limit",
       .claim = "num_searching counts the searchers",
       .lesson = "three atomics drift apart: a wake-up that meets a timeout leaves a searcher counted forever",
       .showings = {show_idle<counted>(sleep::ten_ms, "with the time limit",
                                       wrong(assertion, "num_searching counts a worker that does not search"))}},
      {.name = "volt-idle-repaired",
       .file = "three_counters.cpp",
       .source = "volt-scheduler, fences and a last look by everyone (ours)",
       .claim = "a repair",
       .lesson = "publish, fence, look for sleepers; count, fence, look for work: this needs no time limit",
       .showings = {show_idle<fenced>(sleep::until_woken, "without a time limit", right(49)),
                    show_idle<fenced_unadmitted>(sleep::until_woken, "without a time limit", right(46)),
                    show_idle<fenced_local>(sleep::until_woken, "without a time limit, local", right(80))}}};
}

}  // namespace licit::models::gallery
