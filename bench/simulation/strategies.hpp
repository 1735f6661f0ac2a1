/// The scheduler's own crew and loop, and what it is compared with: programs on P workers.
#ifndef LICIT_SIMULATION_STRATEGIES_HPP
#define LICIT_SIMULATION_STRATEGIES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <licit/scheduler/crew.hpp>
#include <licit/scheduler/fork/fork_crew.hpp>
#include <licit/scheduler/fork/fork_job.hpp>
#include <licit/scheduler/fork/fork_search.hpp>
#include <licit/scheduler/random.hpp>
#include <licit/scheduler/worker.hpp>

#include "execution.hpp"

namespace licit_simulation {

/// The scheduler's crew and loop.
template <template <class, class> class Local, class Policy = simulated>
class loop_run {
  using crew_type = licit::detail::crew<task*, Policy, Local>;
  using forks_type = licit::fork_crew<Policy>;
  using search_type = licit::detail::fork_search<Policy>;
  using worker_type = licit::detail::worker<crew_type, simulated_tools, search_type>;
  static constexpr unsigned rounds = 17;  ///< as scheduler_options has them

 public:
  loop_run(const program& of, const setting& s, way how, const arrivals& service = {})
      : setting_{s},
        how_{how},
        service_{service},
        machine_{s.prices, s.workers + service.threads, s.planted},
        run_{of, setting_},
        crew_{std::make_unique<crew_type>(licit::detail::crew_options{.workers = s.workers, .asleep = true})},
        forks_{crew_->idle(), s.workers, [this](std::size_t i) -> auto& { return crew_->at_worker(i).sleep; }, {}},
        lengths_(s.workers) {
    const bool steals = how != way::split && how != way::shares;
    for (std::size_t i = 0; i != s.workers; ++i) {
      members_.push_back(std::make_unique<member>(
          *crew_, forks_, i, s,
          licit::detail::worker_options{
              .steal_most = how == way::steals_one ? 1 : licit::most_at_once, .steals = steals, .rounds = rounds}));
    }
  }

  outcome run() {
    for (std::size_t i = 0; i != setting_.workers; ++i) machine_.start(i, [this, i] { work(i); });
    for (std::size_t i = 0; i != service_.threads; ++i) {
      machine_.start(setting_.workers + i, [this, i] {
        if (service_.requests == 0) return begin();
        arrive(run_, setting_, service_, i, [this](task* one, std::size_t to) { submit(one, to); });
      });
    }
    machine_.run();
    return result_;
  }

 private:
  struct member {
    member(crew_type& crew, forks_type& forks, std::size_t i, const setting& s,
           const licit::detail::worker_options& options)
        : tools{i, s.workers, s.seed},
          loop{crew, i, options, tools, search_type(forks, i, s.seed)},
          random{s.seed * s.workers + i} {}
    bool began = false;
    simulated_tools tools;
    worker_type loop;
    licit::detail::random random;
  };
  struct alignas(64) length {
    simulated::atomic<std::uint32_t> tasks;
  };

  [[nodiscard]] std::size_t expected() const { return std::max<std::size_t>(service_.requests, 1); }

  void begin() {
    task* root = run_.make(run_.of().root, nullptr);
    root->last = static_cast<std::uint16_t>(setting_.workers);
    submit(root, 0);
  }

  void submit(task* one, std::size_t to) {
    if (how_ != way::split && how_ != way::shares) return crew_->inject(one);
    if (how_ == way::shares) lengths_[to].tasks.fetch_add(1, own_site{});
    crew_->post(to, one);
  }

  void work(std::size_t self) {
    member& here = *members_[self];
    const std::byte* const stack = machine_.stack();
    forks_.at_side(self).set_stack(stack - machine::stack_bytes / 2, stack - machine::stack_bytes);
    machine_.turn_to(activity::searching);
    here.loop.run([&](task* t) {
      const picoseconds begun = machine_.now();
      const std::size_t before = run_.roots_ended.size();
      ++here.tools.metrics.polls;
      const activity before_poll = begin_part(here);
      if (how_ == way::shares) lengths_[self].tasks.fetch_sub(1, own_site{});
      if (how_ == way::joins) {
        machine_.spend(setting_.own_cost);
        join_all(t->what);
        run_.root_ended(t);
      } else if (how_ == way::split && t->last - t->first == 1) {
        run_.poll_whole(t);
      } else {
        run_.poll(t, [&](task* parent, const step& s) { fork(self, parent, s); });
      }
      machine_.turn_to(before_poll);
      here.tools.metrics.busy += machine_.now() - begun;
      if (run_.roots_ended.size() == before) return;
      note(*run_.roots_ended.back());
      if (run_.roots_ended.size() == expected()) finish();
    });
  }

  activity begin_part(member& here) {
    if (!std::exchange(here.began, true) && ++began_ == (members_.size() + 1) / 2) result_.half_began = machine_.now();
    return machine_.turn_to(activity::running);
  }

  /// A forked part, on the stack of who forks.
  struct forked : licit::fork_job<Policy> {
    forked(loop_run& all, const step& s, std::size_t i)
        : licit::fork_job<Policy>(&call), of{all}, from{s}, first{i}, maker{all.machine_.self()} {}
    static void call(licit::fork_job<Policy>& self, licit::fork_side<Policy>& /*where*/) noexcept {
      forked& mine = static_cast<forked&>(self);
      const std::size_t here = mine.of.machine_.self();
      if (here != mine.maker) ++mine.of.members_[here]->tools.metrics.steals;
      const activity before = mine.of.begin_part(*mine.of.members_[here]);
      mine.of.join_from(mine.from, mine.first);
      mine.of.machine_.turn_to(before);
    }
    loop_run& of;
    const step& from;
    const std::size_t first, maker;
  };
  void join_all(part what) {
    for (;;) {
      const step s = run_.of().plan(what);
      machine_.spend(s.before);
      if (s.forks != 0) join_from(s, 0);
      machine_.spend(s.after);
      if (!s.goes_on) return;
      what = s.then;
    }
  }
  /// The parts of a step from the ith on, as `licit::join` does it (fork/join.hpp).
  void join_from(const step& s, std::size_t i) {
    if (i + 1 == s.forks) return join_all(s.parts[i]);
    auto& side = forks_.at_side(machine_.self());
    forked rest(*this, s, i + 1);
    const bool offered = side.offer(rest);
    join_all(s.parts[i]);
    if (!offered || side.take_back(rest)) return rest.run(side);
    machine_.turn_to(activity::waiting);
    side.wait(rest);
    machine_.turn_to(activity::running);
  }

  void fork(std::size_t self, task* parent, const step& s) {
    member& here = *members_[self];
    for (std::size_t i = 0; i != s.forks; ++i) {
      task* one = run_.make(s.parts[i], parent);
      switch (how_) {
        case way::split: send(here, self, one, *parent, i, s.forks); break;
        case way::shares: share(here, self, one); break;
        default: here.loop.run_next(one); break;
      }
    }
  }

  void send(member& here, std::size_t self, task* one, const task& parent, std::size_t i, std::size_t of) {
    const std::size_t workers = parent.last - parent.first;
    const auto bound = [&](std::size_t n) { return static_cast<std::uint16_t>(parent.first + workers * n / of); };
    one->first = std::min(bound(i), static_cast<std::uint16_t>(parent.last - 1));
    one->last = std::max(bound(i + 1), static_cast<std::uint16_t>(one->first + 1));
    one->first == self ? here.loop.bound().push(one) : crew_->post(one->first, one);
  }

  void share(member& here, std::size_t self, task* one) {
    const std::size_t other = here.random.below(static_cast<std::uint32_t>(setting_.workers));
    const bool fewer = lengths_[other].tasks.load(own_site{}) < lengths_[self].tasks.load(own_site{});
    const std::size_t to = fewer ? other : self;
    lengths_[to].tasks.fetch_add(1, own_site{});
    to == self ? here.loop.bound().push(one) : crew_->post(to, one);
  }

  void note(const task& root) {
    if (service_.requests != 0) result_.latencies.push_back(run_.at.back() - root.arrived);
  }

  void finish() {
    result_.time = run_.at.back();
    result_.wakes = machine_.wakes();
    result_.misses = machine_.misses();
    result_.accesses = machine_.accesses();
    result_.spent = machine_.spent();
    for (std::size_t i = 0; i != members_.size(); ++i) {
      result_.all.add(members_[i]->tools.metrics);
      result_.asleep += machine_.asleep(i, result_.time);
    }
    crew_->stop();
  }

  const setting setting_;
  const way how_;
  const arrivals service_;
  machine machine_;
  execution run_;
  std::unique_ptr<crew_type> crew_;
  forks_type forks_;
  std::vector<length> lengths_;
  std::vector<std::unique_ptr<member>> members_;
  std::size_t began_ = 0;
  outcome result_;
};

}  // namespace licit_simulation

#endif
