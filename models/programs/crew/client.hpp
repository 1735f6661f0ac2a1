/// What the crew's client programs share: workers with their real loop, numbered items, and their account. The run ends
/// when the last item has run, which stops the crew; an item that nobody runs leaves threads asleep for ever, and that
/// is what the checker calls a lost wake-up.
#ifndef LICIT_MODELS_PROGRAMS_CREW_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_CREW_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <licit/scheduler/inject/link.hpp>
#include <licit/scheduler/metrics/metrics.hpp>
#include <licit/scheduler/idle/victims.hpp>
#include <licit/scheduler/worker.hpp>

#include "program.hpp"
#include "programs/account.hpp"
#include "programs/crew/locked_list.hpp"

namespace licit::models::on_crew {

/// An item's number, in a word.
enum class item : std::uint64_t {};

}  // namespace licit::models::on_crew

/// For what is kept without memory: the programs' never runs out.
template <>
struct licit::inject_link<licit::models::on_crew::item> {
  using item = licit::models::on_crew::item;
  static item get(item /*one*/) noexcept { return {}; }
  static void set(item /*one*/, item /*next*/) noexcept {}
};

namespace licit::models::on_crew {

/// What a worker needs and is no memory, without chance and without a clock.
class tools {
 public:
  tools(std::size_t self, std::size_t workers, unsigned interval) : others{self, workers}, interval_{interval} {}

  bool tick() { return ++polls_ % interval_ == 0; }
  static void caught(std::size_t /*items*/) {}
  static void before_search() {}
  static void pause(unsigned /*round*/) {}
  static void going_to_sleep() {}
  static void awake() {}

  [[no_unique_address]] no_metrics metrics;
  struct in_turn {
    static constexpr auto replaced(licit::victims_rules /*usual*/) { return licit::victims_rules{.at_random = false}; }
  };
  victims<in_turn> others;

 private:
  unsigned interval_;
  unsigned polls_ = 0;
};

/// Short segments, so that a pusher and a taker cannot keep each other from a cell for long.
template <class Model>
struct with_short_segments : Model {
  static constexpr std::size_t inject_cells = 2;
  static constexpr unsigned inject_number_bits = 2;
};

/// Threads 0 to Workers − 1 are the workers.
template <class Model, std::size_t Workers, std::size_t Items, template <class, class> class Local = in_order,
          template <class, class> class Inject = locked_list>
class client {
 public:
  using crew_type = crew<item, with_short_segments<Model>, Local, Inject>;
  using worker_type = worker<crew_type, tools>;

  explicit client(bool asleep = false, unsigned interval = 8)
      : crew_{{.workers = Workers, .asleep = asleep, .local_capacity = 2}} {
    for (std::size_t i = 0; i != Workers; ++i) {
      tools_[i].emplace(i, Workers, interval);
      workers_[i].emplace(crew_, i, worker_options{.in_a_row = 3, .inject_batch = 2, .rounds = 1}, *tools_[i]);
    }
  }

  /// Main thread, before the others start: an item is in the worker's slot.
  void put(std::size_t worker, int times = 1) {
    for (; times != 0; --times) workers_[worker]->run_next(open());
  }

  /// Another thread than a worker's.
  void inject() {
    if (!Model::leaves_out("inject")) crew_.inject(open());
  }

  /// Thread i: its loop. `act(item)` is what an item does before it is done.
  template <class Act>
  void work(unsigned i, Act&& act) {
    workers_[i]->run([&](item one) {
      const int number = static_cast<int>(one);
      items_.take(number);
      act(number);
      if (left_.fetch_sub(1, order::relaxed, "left") == 1) crew_.stop();
    });
  }
  void work(unsigned i) {
    work(i, [](int /*item*/) {});
  }

  /// Main thread, at the end.
  void settle() { items_.settle(); }

 protected:
  crew_type& all() { return crew_; }
  worker_type& at(std::size_t i) { return *workers_[i]; }
  /// The spawning thread: the next item.
  item open() { return item{static_cast<std::uint64_t>(items_.open())}; }

 private:
  crew_type crew_;
  std::array<std::optional<tools>, Workers> tools_;
  std::array<std::optional<worker_type>, Workers> workers_;
  account<Model, Items> items_;
  typename Model::template atomic<int> left_{static_cast<int>(Items), "left"};
};

}  // namespace licit::models::on_crew

#endif
