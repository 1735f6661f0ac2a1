/// The result of a task: a value, an exception, or a cancellation.
#ifndef LICIT_SCHEDULER_TASK_RESULT_HPP
#define LICIT_SCHEDULER_TASK_RESULT_HPP

#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <version>

#if !defined(__cpp_exceptions)
#error "licit: the scheduler passes on what tasks throw: compile it with exceptions. The deques do without."
#endif
#if !defined(__cpp_lib_jthread)
#error "licit: the scheduler needs std::stop_token. libc++ before 20 has it with -fexperimental-library."
#endif

namespace licit::inline v0 {

/// Thrown when a thread or coroutine waits for a cancelled task.
class task_cancelled : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "licit: the task was cancelled"; }
};

namespace detail {

/// How a result is stored: a reference as a pointer, void as an empty class.
template <class T>
struct kept_as {
  using type = std::remove_const_t<T>;
};
template <class T>
  requires std::is_void_v<T>
struct kept_as<T> {
  struct type {};
};
template <class T>
  requires std::is_reference_v<T>
struct kept_as<T> {
  using type = std::remove_reference_t<T>*;
};

}  // namespace detail

/// For one thread at a time. T may be void, a reference, or move-only. Not a std::variant, whose moves cause
/// false warnings by g++ 12 in programs that include this.
template <class T>
class task_result {
  static_assert(std::is_void_v<T> || std::is_reference_v<T> || std::is_move_constructible_v<T>,
                "licit: the result of a task is void, a reference, or something that can be moved");
  using kept = typename detail::kept_as<T>::type;

 public:
  task_result() noexcept {}  // NOLINT(modernize-use-equals-default): the union has members that are not trivial
  task_result(const task_result&) = delete;
  task_result& operator=(const task_result&) = delete;
  ~task_result() { clear(); }

  /// Whether there is nothing to destroy of a value.
  static constexpr bool is_trivial = std::is_trivially_destructible_v<kept>;
  /// Destroys what was set.
  void clear() noexcept {
    const holds before = std::exchange(what_, holds::nothing);
    if (before == holds::value) std::destroy_at(std::addressof(value_));
    if (before == holds::exception) std::destroy_at(&thrown_);
  }

  // Each destroys what was set before: after `co_return v;` a local object's destructor may throw.

  /// Throws what the construction of the value throws; the result is then not set.
  template <class... Value>
  void set_value(Value&&... v) {
    clear();
    if constexpr (std::is_reference_v<T>) {
      std::construct_at(std::addressof(value_), std::addressof(v)...);
    } else {
      std::construct_at(std::addressof(value_), std::forward<Value>(v)...);
    }
    what_ = holds::value;
  }
  void set_exception(std::exception_ptr thrown) noexcept {
    clear();
    std::construct_at(&thrown_, std::move(thrown));
    what_ = holds::exception;
  }
  void set_cancelled() noexcept {
    clear();
    what_ = holds::cancellation;
  }

  /// Once, after the result was set. Returns the value, or throws the exception or task_cancelled.
  T take() {
    if (what_ == holds::cancellation) throw task_cancelled();
    if (what_ == holds::exception) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(*value_);
    } else if constexpr (!std::is_void_v<T>) {
      return std::move(value_);
    }
  }

  /// The exception, if there is one that nobody took.
  std::exception_ptr take_exception() noexcept { return has_exception() ? std::exchange(thrown_, nullptr) : nullptr; }
  [[nodiscard]] bool has_exception() const noexcept { return what_ == holds::exception; }

 private:
  enum class holds : std::uint32_t { nothing, value, exception, cancellation };

  union {
    kept value_;
    std::exception_ptr thrown_;
  };
  holds what_ = holds::nothing;
};

}  // namespace licit::inline v0

#endif
