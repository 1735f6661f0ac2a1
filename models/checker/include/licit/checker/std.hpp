/// A mirror of std::atomic, std::thread and what belongs to them, for code that `licit check` cannot explore: the
/// smaller door to the exhaustive checker. A program that is written for `concurrent::` instead of `std::` runs over
/// both:
///
///     namespace concurrent = std;                          // as it is shipped
///     namespace concurrent = licit::checker::standard;     // as it is checked
///
///     const auto v = licit::checker::check([] {
///       my_queue<int> q(2);
///       concurrent::thread producer([&] { q.push(1); });
///       ...
///       producer.join();
///     });
///
/// Nothing names an ordering table: an operation is known by its place in the source. models/unmodified/README.md says
/// when to use which door. Data that is not atomic is seen where it is a `licit::checker::plain<T>`.
#ifndef LICIT_CHECKER_STD_HPP
#define LICIT_CHECKER_STD_HPP

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

#include <licit/checker/model.hpp>
#include <licit/checker/options.hpp>
#include <licit/checker/std/atomic.hpp>
#include <licit/checker/std/functions.hpp>
#include <licit/checker/std/mutex.hpp>
#include <licit/checker/std/site.hpp>
#include <licit/checker/std/thread.hpp>
#include <licit/checker/verdict.hpp>

namespace licit::checker {

/// What the executions said of themselves, and how many said so.
using outcomes = std::map<std::string, std::uint64_t>;

/// Explores every execution of the body, or those that the options ask for. The body is thread 0; the others are those
/// that it starts. It is a function of the values that it reads, keeps nothing from one execution to the next, and
/// frees what it allocates. `new` and `delete` are checked: leaks, double frees, atomics that are used after their
/// memory is freed. Throws what `run_program` throws.
verdict check(const std::function<void()>& body, const options& o = {}, outcomes* said = nullptr);

/// Called by the body: how this execution went, as printf writes it. An execution says all that its threads say, by
/// thread.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...);

/// A T whose conflicting accesses are a race unless happens-before orders them. In the program that is shipped it is
/// the T:
///
///     template <class T> using plain = T;
template <class T>
class plain {
  using where = std::source_location;
  using operand = detail::operand<T>;
  using target = detail::target<plain>;

  /// What is assigned, and where. Not another cell: that is a copy.
  struct assigned : operand {
    template <class U>
      requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, plain>)
    assigned(U&& from, where at = where::current())  // NOLINT(google-explicit-constructor)
        : operand(std::forward<U>(from), at) {}
  };

 public:
  plain() = default;
  plain(T value) : cell_{value} {}  // NOLINT(google-explicit-constructor)
  plain(const plain& other, where at = where::current()) : plain(other.read(at)) {}
  ~plain() = default;

  [[nodiscard]] T read(where at = where::current()) const {
    detail::visit_plain(at);
    return cell_.read();
  }
  void write(T value, where at = where::current()) {
    detail::visit_plain(at);
    cell_.write(value);
  }

  /// These two are known by their address, which needs debug information to become a line.
  [[gnu::noinline]] operator T() const {  // NOLINT(google-explicit-constructor)
    detail::visit_plain(__builtin_return_address(0));
    return cell_.read();
  }
  /// Const, so that a value is rather `assigned`.
  [[gnu::noinline]] const plain& operator=(const plain& other) const {  // NOLINT(*-unconventional-assign-operator)
    const void* const from = __builtin_return_address(0);
    detail::visit_plain(from);
    const T value = other.cell_.read();
    detail::visit_plain(from);
    cell_.write(value);
    return *this;
  }

  plain& operator=(assigned o) {
    write(o.value, o.at);
    return *this;
  }
  plain& operator+=(operand o) {
    write(static_cast<T>(read(o.at) + o.value), o.at);
    return *this;
  }
  plain& operator-=(operand o) {
    write(static_cast<T>(read(o.at) - o.value), o.at);
    return *this;
  }
  friend T operator++(target t) { return t.cell.moved(t.at, 1) + 1; }
  friend T operator--(target t) { return t.cell.moved(t.at, -1) - 1; }
  friend T operator++(target t, int) { return t.cell.moved(t.at, 1); }
  friend T operator--(target t, int) { return t.cell.moved(t.at, -1); }

 private:
  /// The value from before.
  T moved(where at, int by) {
    const T before = read(at);
    write(static_cast<T>(before + by), at);
    return before;
  }

  mutable model::plain<T> cell_;
};

}  // namespace licit::checker

#endif
