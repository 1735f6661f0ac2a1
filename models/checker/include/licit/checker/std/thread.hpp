/// std::thread, std::jthread and stop tokens over the checker. Internal: a program includes std.hpp.
#ifndef LICIT_CHECKER_STD_THREAD_HPP
#define LICIT_CHECKER_STD_THREAD_HPP

#include <chrono>
#include <compare>
#include <concepts>
#include <functional>
#include <memory>
#include <source_location>
#include <stop_token>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

#include <licit/checker/model.hpp>
#include <licit/checker/std/site.hpp>

namespace licit::checker::detail {

/// What a thread runs.
class started {
 public:
  started() = default;
  started(const started&) = delete;
  started& operator=(const started&) = delete;
  virtual ~started() = default;
  virtual void run() = 0;
};

template <class... Parts>
class started_call final : public started {
 public:
  template <class... From>
  explicit started_call(From&&... from) : parts_(std::forward<From>(from)...) {}
  void run() override {
    std::apply([](auto&... part) { std::invoke(std::move(part)...); }, parts_);
  }

 private:
  std::tuple<Parts...> parts_;
};

template <class... From>
std::unique_ptr<started> make_call(From&&... from) {
  return std::make_unique<started_call<std::decay_t<From>...>>(std::forward<From>(from)...);
}

/// Starts a thread: its number. Everything of the caller's caller lies above `frame` on its stack.
unsigned start_thread(std::unique_ptr<started> call, const char* label, const void* frame);
void join_thread(unsigned number, const char* label);
/// Of the calling thread.
unsigned this_thread_number();

}  // namespace licit::checker::detail

namespace licit::checker::standard {

/// Is joined before it is destroyed. There is no `detach`: what outlives the program's body is not explored.
class thread {
  using where = std::source_location;
  static constexpr unsigned nobody = ~0U;

 public:
  class id {
   public:
    id() = default;
    explicit id(unsigned number) : number_{number} {}
    friend auto operator<=>(const id&, const id&) = default;

   private:
    unsigned number_ = nobody;
  };

  thread() = default;
  template <class F>
    requires std::invocable<std::decay_t<F>>
  [[gnu::noinline]] explicit thread(F&& f, where at = where::current())
      : number_{checker::detail::start_thread(checker::detail::make_call(std::forward<F>(f)),
                                              checker::detail::label_at(at), __builtin_frame_address(0))} {}
  template <class F, class First, class... More>
    requires(!std::same_as<std::remove_cvref_t<First>, where>)
  [[gnu::noinline]] explicit thread(F&& f, First&& first, More&&... more)
      : number_{checker::detail::start_thread(
            checker::detail::make_call(std::forward<F>(f), std::forward<First>(first), std::forward<More>(more)...),
            nullptr, __builtin_frame_address(0))} {}
  thread(thread&& other) noexcept : number_{std::exchange(other.number_, nobody)} {}
  thread& operator=(thread&& other) noexcept {
    model::check(!joinable(), "a thread is assigned to only after it was joined");
    number_ = std::exchange(other.number_, nobody);
    return *this;
  }
  ~thread() { model::check(!joinable(), "a thread is joined before it is destroyed"); }

  void join(where at = where::current()) {
    model::check(joinable(), "a thread that is joined is joinable");
    checker::detail::join_thread(std::exchange(number_, nobody), checker::detail::label_at(at));
  }
  [[nodiscard]] bool joinable() const { return number_ != nobody; }
  [[nodiscard]] id get_id() const { return id{number_}; }
  void swap(thread& other) noexcept { std::swap(number_, other.number_); }
  static unsigned hardware_concurrency() { return 2; }

 private:
  friend class jthread;
  explicit thread(unsigned number) : number_{number} {}

  unsigned number_ = nobody;
};

using std::nostopstate;
using std::nostopstate_t;

/// Whether somebody asked for a stop. It lives as long as the execution.
class stop_token {
  using where = std::source_location;

 public:
  stop_token() = default;
  [[nodiscard]] bool stop_requested(where at = where::current()) const {
    return asked_ != checker::detail::nowhere && read(checker::detail::label_at(at)) != 0;
  }
  [[nodiscard]] bool stop_possible() const { return asked_ != checker::detail::nowhere; }

 protected:
  explicit stop_token(checker::detail::location_id asked) : asked_{asked} {}
  [[nodiscard]] checker::detail::word read(const char* label) const {
    return checker::detail::perform(
               {.what = checker::detail::action::load, .success = order::acquire, .location = asked_, .site = label})
        .value;
  }
  checker::detail::location_id asked_ = checker::detail::nowhere;
};

class stop_source : private stop_token {
  using where = std::source_location;

 public:
  explicit stop_source(nostopstate_t /*none*/) {}
  stop_source() : stop_token(checker::detail::engine::running().construct_atomic({}, 0, {.name = "stop"})) {}
  using stop_token::stop_possible;
  using stop_token::stop_requested;
  [[nodiscard]] stop_token get_token() const { return *this; }
  /// Whether nobody had asked before.
  bool request_stop(where at = where::current()) {
    if (!stop_possible()) return false;
    return checker::detail::perform({.what = checker::detail::action::modify,
                                     .success = order::acq_rel,
                                     .how = checker::detail::change::exchange,
                                     .location = asked_,
                                     .operand = 1,
                                     .site = checker::detail::label_at(at)})
               .value == 0;
  }
};

/// Asks its thread to stop and joins it when it is destroyed.
class jthread {
  using where = std::source_location;

 public:
  using id = thread::id;

  jthread() = default;
  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, jthread>)
  [[gnu::noinline]] explicit jthread(F&& f, where at = where::current())
      : stop_{stop_source()},
        thread_{checker::detail::start_thread(make(stop_, std::forward<F>(f)), checker::detail::label_at(at),
                                              __builtin_frame_address(0))} {}
  template <class F, class First, class... More>
    requires(!std::same_as<std::remove_cvref_t<First>, where>)
  [[gnu::noinline]] explicit jthread(F&& f, First&& first, More&&... more)
      : stop_{stop_source()},
        thread_{checker::detail::start_thread(
            make(stop_, std::forward<F>(f), std::forward<First>(first), std::forward<More>(more)...), nullptr,
            __builtin_frame_address(0))} {}
  jthread(jthread&&) noexcept = default;
  jthread& operator=(jthread&& other) noexcept {
    end();
    stop_ = other.stop_;
    thread_ = std::move(other.thread_);
    return *this;
  }
  ~jthread() { end(); }

  void join(where at = where::current()) { thread_.join(at); }
  [[nodiscard]] bool joinable() const { return thread_.joinable(); }
  [[nodiscard]] id get_id() const { return thread_.get_id(); }
  bool request_stop(where at = where::current()) { return stop_.request_stop(at); }
  [[nodiscard]] stop_source get_stop_source() const { return stop_; }
  [[nodiscard]] stop_token get_stop_token() const { return stop_.get_token(); }

 private:
  template <class F, class... Arguments>
  static auto make(const stop_source& stop, F&& f, Arguments&&... arguments) {
    if constexpr (std::is_invocable_v<std::decay_t<F>, stop_token, std::decay_t<Arguments>...>) {
      return checker::detail::make_call(std::forward<F>(f), stop.get_token(), std::forward<Arguments>(arguments)...);
    } else {
      return checker::detail::make_call(std::forward<F>(f), std::forward<Arguments>(arguments)...);
    }
  }
  void end() {
    if (!joinable()) return;
    request_stop();
    join();
  }

  stop_source stop_{nostopstate};
  thread thread_;
};

namespace this_thread {

inline thread::id get_id() { return thread::id{checker::detail::this_thread_number()}; }
/// Time is not modelled, and the checker's scheduler is fair.
inline void yield() {}
template <class Rep, class Period>
void sleep_for(const std::chrono::duration<Rep, Period>& /*time*/) {}
template <class Clock, class Duration>
void sleep_until(const std::chrono::time_point<Clock, Duration>& /*time*/) {}

}  // namespace this_thread

}  // namespace licit::checker::standard

#endif
