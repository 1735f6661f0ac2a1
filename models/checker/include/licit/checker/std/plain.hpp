/// Data that is not atomic, so that the checker sees its races. Internal: a program includes std.hpp.
#ifndef LICIT_CHECKER_STD_PLAIN_HPP
#define LICIT_CHECKER_STD_PLAIN_HPP

#include <concepts>
#include <source_location>
#include <type_traits>
#include <utility>

#include <licit/checker/model.hpp>
#include <licit/checker/std/site.hpp>

namespace licit::checker {

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
