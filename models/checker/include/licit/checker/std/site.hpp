/// Where an operation is in the source, and in which order it is done there. Internal: a program includes std.hpp.
#ifndef LICIT_CHECKER_STD_SITE_HPP
#define LICIT_CHECKER_STD_SITE_HPP

#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <licit/checker/engine.hpp>
#include <licit/checker/standard_names.hpp>
#include <licit/deque/order.hpp>

namespace licit::checker::detail {

/// An atomic operation or a fence of the program, by its place in the source.
struct source_site {
  std::string file;  ///< without its folders
  unsigned line = 0;
  unsigned column = 0;  ///< 0: not known
  std::string function;
  licit::operation kind = {};
  bool audited = true;                 ///< its order is the program's choice
  std::uint8_t orders = 0;             ///< those that it was called with, a bit each
  std::uint8_t failures = 0;           ///< of a compare-exchange that fails
  std::optional<order> weakened = {};  ///< what it is to have instead
  std::optional<order> weakened_failure = {};
  std::array<char, 96> label = {};  ///< "queue.hpp:12"; the same pointer always
};

/// How an operation is done. In registers: no padding comes to lie on the program's stack, which is compared.
struct sited {
  const char* label;
  order success;
  order failure;
  bool clear;  ///< the stack below the caller is to be cleared
  std::array<std::uint8_t, 5> unused = {};
};

/// The operation that is about to be done, with the orders that the program asks for.
[[gnu::noinline]] sited visit(std::source_location at, licit::operation kind, order success, order failure);
/// The same of one without an order of its own, and of one that is known by where it returns to.
[[gnu::noinline]] sited visit(std::source_location at);
[[gnu::noinline]] sited visit(const void* returns_to, licit::operation kind, order success);
/// A plain access is about to be made there.
[[gnu::noinline]] void visit_plain(std::source_location at);
[[gnu::noinline]] void visit_plain(const void* returns_to);

inline sited cleared(const sited& s) {
  if (s.clear) clear_stack_below();
  return s;
}
inline sited at_site(std::source_location at, licit::operation kind, ordering success,
                     ordering failure = order::relaxed) {
  return cleared(visit(at, kind, success, failure));
}
inline const char* label_at(std::source_location at) { return cleared(visit(at)).label; }

/// All that were met, by file, line, column and kind.
std::vector<source_site*> all_source_sites();
/// None was met, and none is weakened.
void forget_source_sites();

/// The right side of an operator, and where the operator is.
template <class T>
struct operand {
  T value;
  std::source_location at;

  template <class U>
    requires std::convertible_to<U, T>
  operand(U&& from, std::source_location where = std::source_location::current())  // NOLINT(*-explicit-*)
      : value(static_cast<T>(std::forward<U>(from))), at{where} {}
};

/// The object that an operator without a right side changes.
template <class Cell>
struct target {
  Cell& cell;
  std::source_location at;

  target(Cell& of, std::source_location where = std::source_location::current())  // NOLINT(*-explicit-*)
      : cell{of}, at{where} {}
};

}  // namespace licit::checker::detail

#endif
