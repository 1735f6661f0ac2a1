/// How a coroutine waits for an operation of Asio's.
///
/// The operation completes in the driver, which answers the waiter in the coroutine's frame and then wakes the task. A
/// task that is cancelled meanwhile sends a second handler to the driver, which emits the operation's cancellation
/// signal there. Asio requires that a signal is not emitted while a step of the operation runs; the driver is one
/// thread at a time. The frame is destroyed when both have answered.
#ifndef LICIT_ASIO_OPERATION_AWAITER_HPP
#define LICIT_ASIO_OPERATION_AWAITER_HPP

#include <atomic>
#include <concepts>
#include <coroutine>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <licit/asio/asio_executor.hpp>
#include <licit/asio/library.hpp>
#include <licit/scheduler/sync/waiter_list.hpp>
#include <licit/scheduler/task/await_chain.hpp>
#include <licit/scheduler/task/coroutine_header.hpp>

namespace licit::inline v0::detail {

/// The io_context of an object with this executor; null: not known to be one.
template <class Executor>
net::io_context* find_io_context(const Executor& of) noexcept {
  auto& context = net::query(of, net::execution::context);
  if constexpr (std::convertible_to<decltype(context), net::io_context&>) {
    return &static_cast<net::io_context&>(context);
  } else if constexpr (std::same_as<decltype(context), net::execution_context&>) {
    if constexpr (std::derived_from<Executor, net::any_io_executor>) {
      const std::type_info& target = of.target_type();
      if (target == typeid(asio_executor) || target == typeid(net::io_context::executor_type)) {
        return &static_cast<net::io_context&>(context);
      }
    }
    return net::has_service<asio_mark>(context) ? &static_cast<net::io_context&>(context) : nullptr;
  } else {
    static_assert(!std::same_as<Executor, Executor>, "licit: use_task: the operation's object is on no io_context");
    return nullptr;
  }
}

template <class Executor>
net::io_context& io_context_of(const Executor& of) noexcept {
  net::io_context* const found = find_io_context(of);
  if (found == nullptr) {
    (void)std::fputs("licit: use_task: the operation's object is on no io_context\n", stderr);
    std::terminate();
  }
  return *found;
}

template <class T>
concept completion_error = std::same_as<T, asio_error> || std::same_as<T, std::exception_ptr>;

/// What the await of an operation returns that completes with these.
template <bool Throws, class... Args>
struct operation_value {
  using type = std::tuple<Args...>;
};
template <bool Throws>
struct operation_value<Throws> {
  using type = void;
};
template <bool Throws, class T>
struct operation_value<Throws, T> {
  using type = T;
};
template <completion_error E, class... Args>
struct operation_value<true, E, Args...> : operation_value<false, Args...> {};
template <completion_error E>
struct operation_value<true, E> {
  using type = void;
};

inline void throw_if(const asio_error& error) {
  if (error) throw asio_system_error(error);
}
inline void throw_if(const std::exception_ptr& error) {
  if (error) std::rethrow_exception(error);
}

/// The value in a completion.
template <class Value, class First, class... Rest>
Value value_of(std::tuple<First, Rest...>&& all) {
  if constexpr (std::is_void_v<Value>) {
    return;
  } else if constexpr (std::same_as<Value, std::tuple<First, Rest...>>) {
    return std::move(all);
  } else {
    return std::get<0>(std::move(all));
  }
}
template <class Value>
Value value_of(std::tuple<>&& /*none*/) {}

template <class Awaiter>
class operation_handler;

/// Lies in the frame of the coroutine.
template <bool Throws, class Initiation, class With, class... Args>
class operation_awaiter {
  using value = typename operation_value<Throws, Args...>::type;

 public:
  /// A coroutine of Asio's (`co_spawn`): its steps run on workers, and no signal may be emitted beside them.
  static constexpr bool steps_elsewhere = [] {
    if constexpr (sizeof...(Args) == 0) {
      return false;
    } else {
      return std::same_as<std::tuple_element_t<0, std::tuple<Args...>>, std::exception_ptr>;
    }
  }();

  operation_awaiter(Initiation&& initiation, With&& with)
      : initiation_{std::move(initiation)}, with_{std::move(with)} {}
  operation_awaiter(const operation_awaiter&) = delete;
  operation_awaiter& operator=(const operation_awaiter&) = delete;
  /// Precondition: the operation has not begun, or has completed.
  ~operation_awaiter() = default;

  [[nodiscard]] bool await_ready() const noexcept { return false; }

  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> here) {
    coroutine_header& mine = awaiting_task(here, "co_await of an operation of Asio's");
    if constexpr (requires { initiation_.get_executor(); }) {
      steps_ = find_io_context(initiation_.get_executor());
      if (steps_ == nullptr) throw std::logic_error("licit: use_task: the operation's object is on no io_context");
    }
    task_ = &mine;
    completed_.belongs_to(mine);
    mine.suspend_at({.frame = here, .ready = &ready, .asked = this, .stop = &stop});
    try {
      operation_handler<operation_awaiter> handler(*this);  // first: it answers if the arguments throw
      std::apply([&](auto&&... with) { std::move(initiation_)(std::move(handler), std::move(with)...); },
                 std::move(with_));
    } catch (...) {
      refused_ = std::current_exception();  // the handler is gone, which has answered
    }
  }

  value await_resume() {
    if (refused_) std::rethrow_exception(refused_);
    if (!result_) return aborted();
    if constexpr (sizeof...(Args) != 0 && Throws) {
      if constexpr (completion_error<std::tuple_element_t<0, std::tuple<Args...>>>) {
        throw_if(std::get<0>(*result_));
        return std::apply(
            [](auto& /*error*/, auto&... rest) {
              return value_of<value>(std::tuple<std::remove_reference_t<decltype(rest)>...>(std::move(rest)...));
            },
            *result_);
      } else {
        return value_of<value>(*std::move(result_));
      }
    } else {
      return value_of<value>(*std::move(result_));
    }
  }

 private:
  friend class operation_handler<operation_awaiter>;

  /// Of an operation that the context dropped.
  static value aborted() {
    if constexpr (!Throws && (std::default_initializable<Args> && ...)) {
      std::tuple<Args...> none;
      if (report(none)) return value_of<value>(std::move(none));
    }
    throw asio_system_error(net::error::operation_aborted);
  }
  /// Whether there is something that can say so.
  template <class First, class... Rest>
  static bool report(std::tuple<First, Rest...>& in) {
    constexpr net::error::basic_errors why = net::error::operation_aborted;
    if constexpr (std::same_as<First, asio_error>) std::get<0>(in) = why;
    if constexpr (std::same_as<First, std::exception_ptr>)
      std::get<0>(in) = std::make_exception_ptr(asio_system_error(why));
    return completion_error<First>;
  }
  static bool report(std::tuple<>& /*in*/) { return false; }

  // Who completes the operation, or drops it: once. The frame may be gone afterwards.
  template <class... Given>
  void complete(Given&&... given) noexcept {
    try {
      result_.emplace(std::forward<Given>(given)...);
    } catch (...) {
      refused_ = std::current_exception();  // what moving the result throws
    }
    answer_to(completed_, answer::given);
  }
  void drop() noexcept { answer_to(completed_, answer::closed); }

  static void answer_to(waiter<>& who, answer what) noexcept {
    waiter_list<> alone;
    alone.link(who);
    alone.give(who, what)();
  }

  // The runner.
  static bool ready(const void* self) noexcept {
    return static_cast<const operation_awaiter*>(self)->completed_.answered() != answer::none;
  }
  static bool stop(const void* self) noexcept {
    auto& mine = *static_cast<operation_awaiter*>(const_cast<void*>(self));  // as `await_suspend` had it
    const bool completed = ready(self);
    if (mine.stops_) return completed && mine.stopped_.answered() != answer::none;
    if (!completed) mine.begin_to_stop();
    return completed;
  }
  void begin_to_stop() noexcept {
    net::io_context* const steps = steps_;
    if (!asio_cancels || steps == nullptr) return;
    stopped_.belongs_to(*task_);
    try {
      stops_ = true;
      net::post(*steps, [this] {
        if (completed_.answered() == answer::none) signal_.emit();
        answer_to(stopped_, answer::given);
      });
    } catch (...) {  // no memory: it completes by itself
      stops_ = false;
    }
  }

  Initiation initiation_;
  With with_;
  std::optional<std::tuple<Args...>> result_;
  std::exception_ptr refused_;
  coroutine_header* task_ = nullptr;
  std::atomic<net::io_context*> steps_ = nullptr;
  bool stops_ = false;  ///< the runner's: `stopped_` waits
  waiter<> completed_;
  waiter<> stopped_;
  cancellation_signal signal_;
};

/// What Asio calls when the operation has completed, or destroys. Move-only.
template <class Awaiter>
class operation_handler {
 public:
  using cancellation_slot_type = cancellation_slot;

  explicit operation_handler(Awaiter& to) noexcept : to_{&to} {}
  operation_handler(operation_handler&& o) noexcept : to_{std::exchange(o.to_, nullptr)} {}
  operation_handler& operator=(operation_handler&&) = delete;
  ~operation_handler() {
    if (to_ != nullptr) to_->drop();
  }

  template <class... Given>
  void operator()(Given&&... given) {
    std::exchange(to_, nullptr)->complete(std::forward<Given>(given)...);
  }

  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept {
    if constexpr (Awaiter::steps_elsewhere) {
      return {};
    } else {
      return to_->signal_.slot();
    }
  }

  /// For `associated_executor`: the steps of the operation run in the driver of this context.
  [[nodiscard]] net::io_context::executor_type steps_at(net::io_context& context) const noexcept {
    if (to_->steps_ == nullptr) to_->steps_ = &context;
    return context.get_executor();
  }

 private:
  Awaiter* to_;
};

}  // namespace licit::inline v0::detail

#endif
