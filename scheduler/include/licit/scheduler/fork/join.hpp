/// Fork and join: two callables, or more, side by side, and their results.
///
///     auto [left, right] = licit::join([&] { return sum(first, middle); }, [&] { return sum(middle, last); });
///
/// The calling thread runs the first and offers the others to thieves. Nothing is allocated: what a thief needs lies on
/// the caller's stack. While nobody steals, a join costs a few nanoseconds. fork/README.md has guarantees and costs.
#ifndef LICIT_SCHEDULER_JOIN_HPP
#define LICIT_SCHEDULER_JOIN_HPP

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <licit/deque/native.hpp>
#include <licit/scheduler/fork/fork_crew.hpp>
#include <licit/scheduler/fork/fork_job.hpp>
#include <licit/scheduler/fork/fork_side.hpp>
#include <licit/scheduler/fork/span.hpp>
#include <licit/scheduler/fork/stack.hpp>
#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/executor.hpp>
#include <licit/scheduler/task/task_result.hpp>
#include <licit/scheduler/task/when.hpp>

namespace licit::inline v0 {

/// How `join` returns a value: void as std::monostate, an lvalue reference as std::reference_wrapper.
template <class F>
using join_value = when_value<std::invoke_result_t<F>>;

namespace detail {

template <class F>
[[gnu::always_inline]] inline join_value<F> joined_value(F&& callable) {
  if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
    std::invoke(std::forward<F>(callable));
    return {};
  } else {
    return std::invoke(std::forward<F>(callable));
  }
}

/// The offered half of a join. The result exists only after `run`, by the thief or in place of it.
template <class F>
class forked final : public fork_job<native> {
 public:
  explicit forked(F&& callable) noexcept : fork_job(&call), callable_{std::forward<F>(callable)} {}
  forked(const forked&) = delete;
  forked& operator=(const forked&) = delete;
  ~forked() {}  // NOLINT(modernize-use-equals-default): of a union

  /// Once, after `run`. Returns the value or throws.
  join_value<F> take() {
    const destroyed at_end{result_};
    return result_.take();
  }
  void drop() noexcept { std::destroy_at(&result_); }

 private:
  using result = task_result<join_value<F>>;
  struct destroyed {
    result& that;
    ~destroyed() { std::destroy_at(&that); }
  };

  static void call(fork_job& self, fork_side<native>& /*where*/) noexcept {
    auto& mine = static_cast<forked&>(self);
    result& made = *std::construct_at(&mine.result_);
    try {
      made.set_value(joined_value<F>(std::forward<F>(mine.callable_)));
    } catch (...) {
      made.set_exception(std::current_exception());
    }
  }

  F&& callable_;
  union {
    result result_;
  };
};

/// The first callable threw: waits for the other half, or runs it, and forgets its result.
template <class Policy, class Job>  // NOLINTNEXTLINE(bugprone-exception-escape): a job keeps what it throws
[[gnu::noinline, gnu::cold]] void end_without_result(fork_side<Policy>& here, Job& other) noexcept {
  if (here.take_back(other)) {
    other.run(here);
  } else if (rules_of<fork_rules, Policy>().waits_after_exception) {
    here.wait(other);
  }
  rules_of<fork_rules, Policy>().drops_second_exception ? other.drop() : static_cast<void>(other.take());
}

/// The first callable found no stack left. A second half that no thread has begun is left out: in a recursion it would
/// find none either, and each level would double the number of such calls. Nor does the thread help a thief with its
/// half: what it took there would be as deep once more, and its thief would take from that in turn.
template <class Policy, class Job>
[[gnu::noinline, gnu::cold]] void end_without_running(fork_side<Policy>& here, Job& other) noexcept {
  if (here.take_back(other)) return;
  here.wait_alone(other);
  other.drop();
}

/// The thread has no side, or its deque cannot grow.
template <class F, class G>
[[gnu::noinline, gnu::cold]] std::pair<join_value<F>, join_value<G>> one_after_the_other(F&& first, G&& second) {
  const auto before = [&]() -> join_value<F> {
    try {
      return joined_value<F>(std::forward<F>(first));
    } catch (const stack_exhausted&) {
      throw;  // see end_without_running
    } catch (...) {
      try {
        (void)joined_value<G>(std::forward<G>(second));
      } catch (...) {  // NOLINT(bugprone-empty-catch): the first exception is the one that is rethrown
      }
      throw;
    }
  };
  join_value<F> one = before();
  return {std::move(one), joined_value<G>(std::forward<G>(second))};
}

/// The first half, while the other one is offered.
template <class F, class Job>
[[gnu::always_inline]] inline join_value<F> beside(F& first, fork_side<native>& here, Job& other) {
  try {
    return joined_value<F>(std::forward<F>(first));
  } catch (const stack_exhausted&) {
    end_without_running(here, other);
    throw;
  } catch (...) {
    end_without_result(here, other);
    throw;
  }
}

template <class F, class G>
[[gnu::always_inline]] inline std::pair<join_value<F>, join_value<G>> join_past_gate(fork_side<native>& here, F&& first,
                                                                                     G&& second, forked<G>& other) {
  if (!here.offer(other)) [[unlikely]]
    return one_after_the_other<F, G>(std::forward<F>(first), std::forward<G>(second));
  join_value<F> one = beside<F>(first, here, other);
  if (here.take_back(other)) [[likely]]
    return {std::move(one), joined_value<G>(std::forward<G>(second))};
  here.wait(other);
  return {std::move(one), other.take()};
}

/// The gate is closed: no stack is left, it is a fiber's, or the join is measured. Then its halves carry the fork.
template <class F, class G>
[[gnu::noinline, gnu::cold]] std::pair<join_value<F>, join_value<G>> join_at_gate(fork_side<native>& here, F&& first,
                                                                                  G&& second) {
  require_stack(here.end_of_stack());
  if (here.measured() == nullptr) {
    forked<G> other(std::forward<G>(second));  // NOLINTNEXTLINE(bugprone-use-after-move): it only refers to it
    return join_past_gate<F, G>(here, std::forward<F>(first), std::forward<G>(second), other);
  }
  strand& mine = *here.measured();
  strand_fork both;
  both.open(mine);
  const auto counted_first = [&]() -> std::invoke_result_t<F> {
    const strand_fork::first_half turns{both};
    return std::invoke(std::forward<F>(first));
  };
  const auto counted_second = [&]() -> std::invoke_result_t<G> {
    fork_side<native>& where = *this_context().forks;
    if (where.measured() == &mine) return std::invoke(std::forward<G>(second));
    const strand_fork::stolen as(where, both);
    return std::invoke(std::forward<G>(second));
  };
  forked<decltype((counted_second))> other(counted_second);
  return join_past_gate(here, counted_first, counted_second, other);
}

/// Inlined, so that the halves are: a recursion by joins is then as one function.
template <class F, class G>
[[gnu::always_inline]] inline std::pair<join_value<F>, join_value<G>> join_at(fork_side<native>& here, F&& first,
                                                                              G&& second) {
  forked<G> other(std::forward<G>(second));
  // NOLINTBEGIN(bugprone-use-after-move): `other` only refers to it
  if (is_beyond(frame_of(&other), here.gate())) [[unlikely]]
    return join_at_gate<F, G>(here, std::forward<F>(first), std::forward<G>(second));
  return join_past_gate<F, G>(here, std::forward<F>(first), std::forward<G>(second), other);
  // NOLINTEND(bugprone-use-after-move)
}

/// While it lives, the thread, which has no side, is a guest of the executor's, if there is room.
class fork_guest {
 public:
  explicit fork_guest(executor& at) noexcept : at_{at}, side_{at.enter_forks()} { this_context().forks = side_; }
  ~fork_guest() {
    if (side_ == nullptr) return;
    this_context().forks = nullptr;
    at_.leave_forks(*side_);
  }
  fork_guest(const fork_guest&) = delete;
  fork_guest& operator=(const fork_guest&) = delete;
  [[nodiscard]] fork_side<native>* side() const { return side_; }

 private:
  executor& at_;
  fork_side<native>* side_;
};

/// A call of what forks: makes the thread take part in its scheduler, if there is room.
class fork_entry {
 public:
  /// Throws std::logic_error, which names the call, if the thread is in no scheduler, and stack_exhausted.
  explicit fork_entry(const char* call) {
    const fork_side<native>* const here = this_context().forks;
    if (here != nullptr) {
      require_stack(here->end_of_stack());
      return;
    }
    executor* const scheduler = current_executor();
    if (scheduler == nullptr) {
      throw std::logic_error(std::string("licit: ") + call +
                             " on a thread that is in no scheduler (call it in scheduler.enter)");
    }
    guest_.emplace(*scheduler);
    if (guest_->side() == nullptr) require_stack();
  }

 private:
  std::optional<fork_guest> guest_;
};

/// In `block_on`, outside of joins.
template <class F, class G>
[[gnu::noinline, gnu::cold]] std::pair<join_value<F>, join_value<G>> join_as_guest(F&& first, G&& second) {
  executor* const here = current_executor();
  if (here == nullptr) {
    throw std::logic_error("licit: join on a thread that is in no scheduler (call scheduler.join, or scheduler.enter)");
  }
  const fork_guest guest(*here);
  if (guest.side() == nullptr) {
    require_stack();
    return one_after_the_other<F, G>(std::forward<F>(first), std::forward<G>(second));
  }
  return join_at<F, G>(*guest.side(), std::forward<F>(first), std::forward<G>(second));
}

}  // namespace detail

/// Calls both callables, side by side if another thread is free, and returns both values when both have ended. In a
/// task, in `block_on`, in `scheduler::enter`, or within another join, to any depth; elsewhere it throws
/// std::logic_error, and nothing has run.
///
/// The calling thread calls `first`; `second` runs in whatever thread of the scheduler takes it, or afterwards in this
/// one. So they must not wait for each other, and must not count on a thread: locks and thread-local variables are
/// those of the thread that runs them. If one throws, the other still runs to its end; then the first exception, by the
/// order of arguments, is rethrown. While the thread waits for `second`, it runs only joins that `second` itself has
/// begun, so it may hold a lock. Throws stack_exhausted too.
///
/// Costs, if `second` is not stolen: some nanoseconds, no allocation; within another join no read-modify-write, else
/// one; and full fences if the scheduler has them (scheduler_options::join_fences). Wait-free then, apart from the
/// calls; otherwise it blocks.
template <std::invocable F, std::invocable G>
[[gnu::always_inline]] inline std::pair<join_value<F>, join_value<G>> join(F&& first, G&& second) {
  fork_side<native>* const here = detail::forks_here();
  if (here == nullptr) [[unlikely]]
    return detail::join_as_guest<F, G>(std::forward<F>(first), std::forward<G>(second));
  return detail::join_at<F, G>(*here, std::forward<F>(first), std::forward<G>(second));
}

/// The same for more. The values in a tuple.
template <std::invocable F, std::invocable... More>
  requires(sizeof...(More) > 1)
std::tuple<join_value<F>, join_value<More>...> join(F&& first, More&&... more) {
  auto both = join(std::forward<F>(first), [&] { return licit::join(std::forward<More>(more)...); });
  return std::apply(
      [&](auto&&... other) {
        return std::tuple<join_value<F>, join_value<More>...>(std::move(both.first), std::move(other)...);
      },
      std::tuple_cat(std::move(both.second)));
}

/// Any thread. Calls `body` on the calling thread, which takes part in the executor meanwhile: what `body` joins is
/// stolen by its workers, and what it spawns goes to it. Returns what `body` returns, or throws what it throws. At most
/// `scheduler_options::guests` threads at a time do so; the joins of others run on their own thread. In a task or a
/// join of the executor itself it is a plain call.
template <std::invocable F>
decltype(auto) enter(executor& to, F&& body) {
  if (current_executor() == &to) return std::invoke(std::forward<F>(body));
  if (executor* const own = executor_that_waits()) own->about_to_block();  // a worker of another scheduler
  const entry_scope there(to, nullptr);
  const detail::fork_guest guest(to);
  return std::invoke(std::forward<F>(body));
}

}  // namespace licit::inline v0

#endif
