/// The idle set with workers that sleep: no work that is published waits while they all do.
#ifndef LICIT_SUITES_IDLE_SET_SLEEPERS_HPP
#define LICIT_SUITES_IDLE_SET_SLEEPERS_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <licit/scheduler/idle/idle_set.hpp>
#include <licit/scheduler/idle/parker.hpp>

#include "suites/account.hpp"
#include "suites/idle_set/deeds.hpp"
#include "suites/line.hpp"
#include "suites/program.hpp"

namespace licit::suites {

/// Workers with a parker each, and one piece of work. The fences are those of the set's callers. `s` says whether the
/// worker was counted as searching before.
///
///     publish   the work is there; a worker is woken if none searches
///     wait(s)   the worker falls asleep, which has no other reason to wake up, and finds the work
///     work(s)   the worker looks for the work until it finds it, which stops the other worker, or is stopped; between
///               its looks it sleeps
///     sleep     the worker sleeps; succeeds when it was claimed, and fails when it was stopped
///
/// A setting of 0 leaves a rule of the protocol out: the publisher's fence (`publisher-fence`), the worker's
/// (`worker-fence`), its look at the work after it parked (`again`), or that a worker which could not retract sleeps
/// until its claim is there (`patient`). `asymmetric=1`: the publisher's fence is light, the worker's heavy.
template <class Model>
class sleepers_client {
 public:
  enum : std::uint8_t { park_word, begin_word, publish_word, wait_word, work_word, sleep_word };
  static constexpr std::array words{"park", "begin", "publish", "wait", "work", "sleep"};
  enum : std::uint8_t { workers, publisher_fence, worker_fence, again, patient, asymmetric };
  static constexpr std::array settings{"workers", "publisher-fence", "worker-fence", "again", "patient", "asymmetric"};

  explicit sleepers_client(const line& l) : line_{l}, all_{l.setting(workers, 1)}, parkers_{all_.workers()} {}

  bool perform(unsigned thread, const call& c) {
    const std::size_t self = thread;
    switch (c.word) {
      case park_word: return all_.park(c.at(0, self), false);
      case begin_word: return all_.begin_search(c.at(0, self));
      case publish_word: publish(thread); return true;
      case wait_word: wait(self, c.at(0, 0) != 0); return true;
      case work_word: work(self, c.at(0, 0) != 0); return true;
      default: return sleep(self);
    }
  }

  void settle() {
    if (line_.count(work_word) == 0) return;
    Model::check(work_.load(order::relaxed, "finish.work") == 0, "the work was not found");
  }
  void leave() {}

 private:
  [[nodiscard]] bool is(std::size_t setting) const { return line_.setting(setting, 1) != 0; }

  void publish(unsigned thread) {
    work_.store(1, order::relaxed, "publish.work");
    if (is(publisher_fence)) fence(true);
    if (const auto worker = all_.claim(thread)) parkers_[*worker].unpark();
  }
  void fence(bool publisher) {
    if (line_.setting(asymmetric, 0) == 0) return Model::fence(order::seq_cst, "fence");
    publisher ? Model::light_fence("light fence") : Model::heavy_fence("heavy fence");
  }

  /// Parks; whether there is work that the last searcher must look for.
  bool parked_beside_work(std::size_t self, bool searching) {
    const bool last = all_.park(self, searching);
    if (is(worker_fence)) fence(false);
    return last && is(again) && work_.load(order::relaxed, "worker.again") != 0;
  }
  void wait(std::size_t self, bool searching) {
    if (parked_beside_work(self, searching)) all_.retract(self);
    while (all_.is_parked(self)) parkers_[self].park();
    Model::check(work_.load(order::relaxed, "worker.look") == 1, "a worker was woken, and does not see the work");
  }

  void work(std::size_t self, bool searching) {
    while (!taken()) {
      const bool goes_on = parked_beside_work(self, searching) && (all_.retract(self) || !is(patient));
      if (!goes_on && !sleep(self)) return;
      searching = true;
    }
    stop_.store(1, order::relaxed, "worker.stop");
    parkers_[1 - self].unpark();
  }
  bool taken() {
    return work_.load(order::relaxed, "worker.look") != 0 && work_.exchange(0, order::relaxed, "worker.take") != 0;
  }
  bool sleep(std::size_t self) {
    while (all_.is_parked(self)) {
      if (stop_.load(order::relaxed, "worker.stopped") != 0) return false;
      parkers_[self].park();
    }
    return true;
  }

  const line& line_;
  idle_set_deeds<Model, idle_set> all_;
  cells<parker<Model>, 2> parkers_;
  typename Model::template atomic<int> work_;
  typename Model::template atomic<int> stop_;
};

inline constexpr std::array sleepers_lines{
    client_line{.name = "published",
                .text = "begin: wait(1) | publish",
                .property = "work that is published while its worker parks is found",
                .waits = true},
    client_line{.name = "published_asymmetric",
                .text = "begin asymmetric=1: wait(1) | publish",
                .property = "published, with a light and a heavy fence",
                .waits = true},
    client_line{.name = "published_unadmitted",
                .text = "wait | publish",
                .property = "published, with a worker that was not let search",
                .waits = true},
    client_line{.name = "found_by_one",
                .text = "workers=2 begin(0): work(1) | work | publish",
                .property = "work that is published while two workers park is found",
                .waits = true},
};
inline constexpr std::array wide_sleepers_lines{
    client_line{.name = "wide_published",
                .text = "begin: wait(1) | publish",
                .property = "published, each worker's bit in a word of its own",
                .waits = true},
};
inline constexpr std::array shared_word_sleepers_lines{
    client_line{.name = "wide_found_by_one",
                .text = "workers=2 begin(0) park(1): work(1) | sleep work(1)? | publish",
                .property = "found_by_one, with one worker asleep, and the workers' bits in a word that two share",
                .waits = true},
};

inline constexpr std::array broken_sleepers_lines{
    client_line{.name = "published_unfenced",
                .text = "begin publisher-fence=0: wait(1) | publish",
                .property = "the publisher looks at the set without a fence",
                .waits = true},
    client_line{.name = "parked_unfenced",
                .text = "begin worker-fence=0: wait(1) | publish",
                .property = "the worker looks at the work again without a fence",
                .waits = true},
    client_line{.name = "parked_without_a_look",
                .text = "begin again=0: wait(1) | publish",
                .property = "the last searcher does not look again",
                .waits = true},
};
inline constexpr std::array broken_shared_word_sleepers_lines{
    client_line{.name = "parked_beside_a_claim",
                .text = "workers=2 begin(0) patient=0: work(1) | work | publish",
                .property = "a worker whose claim is on its way parks again before the claim is there",
                .waits = true},
};

}  // namespace licit::suites

#endif
