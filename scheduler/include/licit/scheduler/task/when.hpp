/// Several coroutines at once: all of them, or the first.
#ifndef LICIT_SCHEDULER_WHEN_HPP
#define LICIT_SCHEDULER_WHEN_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <licit/scheduler/task/scope.hpp>

namespace licit::inline v0 {

/// How `when_all` and `when_any` return a value: void as std::monostate, an lvalue reference as std::reference_wrapper,
/// an rvalue reference as the value that is moved from it.
template <class T>
using when_value =
    std::conditional_t<std::is_void_v<T>, std::monostate,
                       std::conditional_t<std::is_lvalue_reference_v<T>,
                                          std::reference_wrapper<std::remove_reference_t<T>>, std::remove_cvref_t<T>>>;

namespace detail {

template <class T>
when_value<T> when_value_of(join_handle<T>& child) {
  if constexpr (std::is_void_v<T>) {
    child_result::take(child);
    return {};
  } else {
    return child_result::take(child);
  }
}

/// Starts children of a coroutine, and remembers what refused one; the others are cancelled then.
class starter {
 public:
  explicit starter(task_group& group) noexcept : group_{&group} {}
  template <class T>
  void operator()(child_handle<T>& handle, task<T>& child) {
    if (refused_) return;
    try {
      handle.set(make_coroutine_task(group_->on, std::move(child)));
      start(*group_, handle, false);
    } catch (...) {
      refused_ = std::current_exception();
      group_->cancel();
    }
  }
  /// After all have ended: throws what refused a child, or what the first child threw.
  void rethrow() {
    if (refused_) std::rethrow_exception(refused_);
    if (const std::exception_ptr first = group_->take_error()) std::rethrow_exception(first);
    if (group_->how == task_group::decides::end && group_->first() == nullptr) throw task_cancelled();
  }

 private:
  task_group* group_;
  std::exception_ptr refused_;
};

/// The children with a task, in their order. Only the last of many: the caller's queue gives few back, and whatever
/// else it ran would leave a stale entry there.
class last_children {
 public:
  template <class... T>
  explicit last_children(const std::tuple<child_handle<T>...>& all) noexcept {
    std::apply([this](const auto&... each) { (this->add(each), ...); }, all);
  }
  template <class T>
  explicit last_children(const std::vector<child_handle<T>>& all) noexcept {
    for (const child_handle<T>& each : all) add(each);
  }
  /// The caller, instead of waiting: runs those that nobody has begun, the last first, as an await of a handle does.
  void run_here(const task_group& group) const noexcept {
    coroutine_header& caller = *coroutine_header::running();
    const value_scope<const task_group*> runs_its_children(context_at_hand().group, &group);
    for (std::size_t i = 0; i != std::min(number_, tasks_.size()); ++i) {
      if (!run_child(caller, *tasks_[(number_ - 1 - i) % tasks_.size()])) return;
    }
  }

 private:
  template <class T>
  void add(const child_handle<T>& child) noexcept {
    if (child.joinable()) tasks_[number_++ % tasks_.size()] = &child.header();
  }

  std::array<task_header*, 16> tasks_{};
  std::size_t number_ = 0;
};

/// The same in a thread that is not the executor's own, of all children: it has nothing else to run.
template <class T>
void run_all_here(const std::vector<child_handle<T>>& all, const task_group& group) noexcept {
  coroutine_header& caller = *coroutine_header::running();
  if (!is_visited_here(group.on)) return last_children(all).run_here(group);
  const value_scope<const task_group*> runs_its_children(context_at_hand().group, &group);
  for (std::size_t i = all.size(); i-- != 0;) {
    if (all[i].joinable()) (void)run_child(caller, all[i].header());
  }
}

template <class Variant, std::size_t... I, class... T>
Variant first_value(const task_header& first, std::index_sequence<I...> /*all*/, std::tuple<child_handle<T>...>& from) {
  std::optional<Variant> value;
  (void)((&std::get<I>(from).header() == &first &&
          (value.emplace(std::in_place_index<I>, when_value_of(std::get<I>(from))), true)) ||
         ...);
  return *std::move(value);
}

}  // namespace detail

/// To be awaited in a coroutine that was spawned or runs in `block_on`; throws std::logic_error elsewhere. Runs the
/// coroutines side by side, as children, and returns the values of all. The caller's worker runs in place those that
/// nobody has begun, the last first, of many the last 16. The first exception cancels the others, and is rethrown when
/// all have ended; later ones go to `executor::unobserved`. If the caller's task is cancelled, so are they, and its
/// frames are destroyed when all have ended.
template <class... T>
task<std::tuple<when_value<T>...>> when_all(task<T>... children) {
  task_group group(detail::executor_of_group("when_all"), task_group::decides::failure);
  std::tuple<detail::child_handle<T>...> handles;
  detail::starter begin(group);  // NOLINT(misc-const-correctness): begin() changes it
  std::apply([&](auto&... handle) { (begin(handle, children), ...); }, handles);
  detail::last_children(handles).run_here(group);
  co_await detail::group_awaiter(group);
  begin.rethrow();
  co_return std::apply([](auto&... handle) { return std::tuple<when_value<T>...>{detail::when_value_of(handle)...}; },
                       handles);
}
template <class T>
task<std::vector<when_value<T>>> when_all(std::vector<task<T>> children) {
  task_group group(detail::executor_of_group("when_all"), task_group::decides::failure);
  std::vector<detail::child_handle<T>> handles(children.size());
  detail::starter begin(group);  // NOLINT(misc-const-correctness): begin() changes it
  for (std::size_t i = 0; i != children.size(); ++i) begin(handles[i], children[i]);
  detail::run_all_here(handles, group);
  co_await detail::group_awaiter(group);
  begin.rethrow();
  std::vector<when_value<T>> values;
  values.reserve(handles.size());
  for (auto& handle : handles) values.push_back(detail::when_value_of(handle));
  co_return values;
}

/// The same, but the first that ends decides: its value is returned or its exception rethrown, and the others are
/// cancelled. Returns when all have ended. The variant's index is the place of the coroutine.
template <class... T>
  requires(sizeof...(T) != 0)
task<std::variant<when_value<T>...>> when_any(task<T>... children) {
  task_group group(detail::executor_of_group("when_any"), task_group::decides::end);
  std::tuple<detail::child_handle<T>...> handles;
  detail::starter begin(group);  // NOLINT(misc-const-correctness): begin() changes it
  std::apply([&](auto&... handle) { (begin(handle, children), ...); }, handles);
  co_await detail::group_awaiter(group);
  begin.rethrow();
  co_return detail::first_value<std::variant<when_value<T>...>>(*group.first(), std::index_sequence_for<T...>(),
                                                                handles);
}
/// The place and the value. Throws std::invalid_argument if there is no coroutine.
template <class T>
task<std::pair<std::size_t, when_value<T>>> when_any(std::vector<task<T>> children) {
  if (children.empty()) throw std::invalid_argument("licit: when_any of no coroutine");
  task_group group(detail::executor_of_group("when_any"), task_group::decides::end);
  std::vector<detail::child_handle<T>> handles(children.size());
  detail::starter begin(group);  // NOLINT(misc-const-correctness): begin() changes it
  for (std::size_t i = 0; i != children.size(); ++i) begin(handles[i], children[i]);
  co_await detail::group_awaiter(group);
  begin.rethrow();
  std::size_t first = 0;
  while (&handles[first].header() != group.first()) ++first;
  co_return std::pair<std::size_t, when_value<T>>(first, detail::when_value_of(handles[first]));
}

}  // namespace licit::inline v0

#endif
