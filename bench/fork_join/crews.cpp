// Fork and join over other deques of jobs: the real crew, search and worker loop, with one deque in place of another.
// The join around them is the shortest there is, without values, exceptions and a look at the stack: the same for all.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <licit/deque/split.hpp>
#include <licit/deque/tagged.hpp>
#include <licit/scheduler/fork/fork_search.hpp>
#include <licit/scheduler/idle/patience.hpp>
#include <licit/scheduler/worker.hpp>

#include "fork_join/measured.hpp"

namespace licit_bench {

namespace {

/// A deque that has no `steal_if` and no `pop_or`, as fork and join uses it. It asks `admit` before it looks at the
/// item, of which the answer here does not depend.
template <template <class, class> class Deque, class T, class Policy>
class jobs_in {
 public:
  jobs_in(const licit::deque_options& options, const licit::late_fences& /*its own*/) : deque_{options} {}
  void push(T one) { deque_.push(one); }
  T pop_or(T none) { return deque_.pop().value_or(none); }
  template <class Admit>
  licit::stolen<T> steal_if(Admit&& admit) {
    if (deque_.size() == 0 || !admit(T{})) return licit::stolen<T>::empty();
    return deque_.steal();
  }
  [[nodiscard]] std::size_t size() const { return deque_.size(); }

 private:
  Deque<T, Policy> deque_;
};

struct over_chase_lev : licit::native {};
struct over_tagged : licit::native {};
struct over_split : licit::native {};

/// What the crew's queues could have in them, and never do.
struct no_item {
  no_item* next;
};

}  // namespace

}  // namespace licit_bench

template <>
struct licit::fork_deque<licit_bench::over_tagged> {
  using policy = licit_bench::over_tagged;
  using type = licit_bench::jobs_in<tagged_deque, fork_job<policy>*, asymmetric_policy<policy>>;
};
template <>
struct licit::fork_deque<licit_bench::over_split> {
  using policy = licit_bench::over_split;
  using type = licit_bench::jobs_in<split_deque, fork_job<policy>*, policy>;
};

template <>
struct licit::inject_link<licit_bench::no_item*> {
  using item = licit_bench::no_item*;
  static item get(item one) noexcept { return one->next; }
  static void set(item one, item next) noexcept { one->next = next; }
};

namespace licit_bench {

namespace {

class crew_tools {
 public:
  crew_tools(std::size_t self, std::size_t workers) : others{self, workers} {}
  static bool tick() { return false; }
  static void look_soon(std::size_t /*polls*/) {}
  static void caught(std::size_t /*items*/) {}
  static void before_search() {}
  static void pause(unsigned round) { licit::detail::relax(1U << std::min(round, 6U)); }
  static void going_to_sleep() {}
  static void awake() {}
  [[no_unique_address]] licit::no_metrics metrics;
  licit::detail::victims<> others;
};

/// The calling thread is one of the workers, as a guest.
template <class Policy>
class crew_runtime {
  using side = licit::fork_side<Policy>;
  using job = licit::fork_job<Policy>;
  using crew_type = licit::detail::crew<no_item*, Policy>;
  using search_type = licit::detail::fork_search<Policy>;
  using worker_type = licit::detail::worker<crew_type, crew_tools, search_type>;

 public:
  explicit crew_runtime(int workers)
      : crew_{{.workers = std::max<std::size_t>(static_cast<std::size_t>(workers) - 1, 1)}},
        forks_{crew_.idle(),
               crew_.workers(),
               [this](std::size_t i) -> auto& { return crew_.at_worker(i).sleep; },
               {.guests = 1}} {
    for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(workers); ++i) {
      threads_.emplace_back([this, i] { work(i); });
    }
  }
  ~crew_runtime() {
    crew_.stop();
    for (std::thread& each : threads_) each.join();
  }
  crew_runtime(const crew_runtime&) = delete;
  crew_runtime& operator=(const crew_runtime&) = delete;

  template <class F>
  void inside(F f) {
    here_ = forks_.enter();
    f();
    forks_.leave(*std::exchange(here_, nullptr));
  }
  template <class F, class G>
  [[gnu::always_inline]] void fork(F f, G g) {
    side& mine = *here_;
    half<G> other(g);
    const bool offered = mine.offer(other);
    f();
    if (!offered || mine.take_back(other)) {
      g();
    } else {
      mine.wait(other);
    }
  }

 private:
  static constexpr unsigned rounds = 17;  // as scheduler_options has them

  template <class G>
  class half : public job {
   public:
    explicit half(G& what) : job(&call), what_{what} {}

   private:
    static void call(job& self, side& /*where*/) noexcept { static_cast<half&>(self).what_(); }
    G& what_;
  };

  void work(std::size_t self) {
    here_ = &forks_.at_side(self);
    crew_tools tools(self, crew_.workers());
    worker_type loop(crew_, self, {.rounds = rounds}, tools, search_type(forks_, self, 1));
    loop.run([](no_item* /*none*/) {});
  }

  static inline thread_local side* here_ = nullptr;
  crew_type crew_;
  licit::fork_crew<Policy> forks_;
  std::vector<std::thread> threads_;
};

template <class Policy>
void add_crew(const char* name) {
  add_programs<crew_runtime<Policy>, fib, nqueens, uts, matrix, mergesort, sum>(name, {1, 2});
}

}  // namespace

void add_crews() {
  add_crew<over_chase_lev>("crew-chase-lev");
  add_crew<over_tagged>("crew-tagged");
  add_crew<over_split>("crew-split");
}

}  // namespace licit_bench
