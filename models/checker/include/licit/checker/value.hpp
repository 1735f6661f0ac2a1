/// The program's values as the checker's words, and what they look like in a trace. Internal.
#ifndef LICIT_CHECKER_VALUE_HPP
#define LICIT_CHECKER_VALUE_HPP

#include <bit>
#include <cstring>
#include <type_traits>

#include <licit/checker/engine.hpp>
#include <licit/checker/standard_names.hpp>

namespace licit::checker::detail {

static_assert(std::endian::native == std::endian::little, "a value lies in the low bytes of its word");

template <class T>
word to_word(const T& value) {
  word w = 0;
  std::memcpy(&w, &value, sizeof(T));
  return w;
}

template <class T>
T from_word(word w) {
  T value;
  std::memcpy(&value, &w, sizeof(T));
  return value;
}

/// What fetch_add adds to the word of a T.
template <class T>
word amount(difference_of<T> by) {
  if constexpr (std::is_pointer_v<T>) {
    return static_cast<word>(by) * sizeof(std::remove_pointer_t<T>);
  } else {
    return to_word(by);
  }
}

// Conditions of an await (`awaited`).
inline bool equals(word value, word expected) { return value == expected; }
inline bool differs(word value, word old) { return value != old; }

/// What a value of the type looks like in a trace.
template <class T>
constexpr look look_of(const char* name = nullptr) {
  look seen{.values = shape::bytes, .size = 0, .name = name};
  if constexpr (!std::is_trivially_copyable_v<T> || sizeof(T) > sizeof(word)) {
    seen.values = shape::hidden;
  } else {
    seen.size = sizeof(T);
    if constexpr (std::is_pointer_v<T>) seen.values = shape::pointer;
    if constexpr (std::is_floating_point_v<T>) seen.values = shape::real;
    if constexpr (std::is_integral_v<T>) seen.values = std::is_signed_v<T> ? shape::integer : shape::natural;
    if constexpr (std::is_enum_v<T>) return look_of<std::underlying_type_t<T>>(name);
  }
  return seen;
}

}  // namespace licit::checker::detail

#endif
