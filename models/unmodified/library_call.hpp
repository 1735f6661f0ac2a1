/// A call of a function of libc, which is not compiled with the instrumentation: what it reads and writes is noted
/// here. A text is read up to its end, or up to where a search or a comparison is decided.
#ifndef LICIT_MODELS_UNMODIFIED_LIBRARY_CALL_HPP
#define LICIT_MODELS_UNMODIFIED_LIBRARY_CALL_HPP

#include <cstddef>
#include <cstdint>

#include "runtime.hpp"

namespace licit::unmodified {

inline constexpr std::size_t all = SIZE_MAX;

// Loops, which the compiler does not make calls of: what they would call is below.

template <class C>
std::size_t length(const C* text, std::size_t most = all) {
  std::size_t n = 0;
  while (n != most && text[n] != C{}) ++n;
  return n;
}
/// With the zero at its end, if that is not too far away.
template <class C>
std::size_t whole(const C* text, std::size_t most = all) {
  const std::size_t n = length(text, most);
  return n == most ? n : n + 1;
}
/// How many characters of two texts a comparison looks at.
template <class C>
std::size_t compared(const C* a, const C* b, std::size_t most = all, int (*as)(int) = nullptr) {
  for (std::size_t i = 0; i != most; ++i) {
    const bool same = as == nullptr ? a[i] == b[i] : as(static_cast<int>(a[i])) == as(static_cast<int>(b[i]));
    if (!same || a[i] == C{}) return i + 1;
  }
  return most;
}

/// A call of the program's: what it reads and writes.
class library_call {
 public:
  explicit library_call(const void* caller) : caller_{is_explored() ? caller : nullptr} {}

  template <class T>
  void reads(const T* at, std::size_t n = 1) const {
    if (caller_ != nullptr && at != nullptr) note_plain(at, n * sizeof(T), touch::read, caller_);
  }
  template <class T>
  void writes(const T* at, std::size_t n = 1) const {
    if (caller_ != nullptr && at != nullptr) note_plain(at, n * sizeof(T), touch::write, caller_);
  }
  void reads(const void* at, std::size_t n) const { reads(static_cast<const char*>(at), n); }
  void writes(const void* at, std::size_t n) const { writes(static_cast<const char*>(at), n); }
  template <class C>
  void reads_text(const C* at, std::size_t most = all) const {
    if (caller_ != nullptr && at != nullptr) reads(at, whole(at, most));
  }
  /// Up to what was found, or all of it.
  template <class C>
  void searches(const C* at, const C* found) const {
    found == nullptr ? reads_text(at) : reads(at, static_cast<std::size_t>(found - at) + 1);
  }
  [[nodiscard]] bool is_noted() const { return caller_ != nullptr; }

 private:
  const void* caller_;
};

}  // namespace licit::unmodified

// By their names as the linker has them: C++'s declarations differ in types, and one is two.
// NOLINTBEGIN(cppcoreguidelines-macro-usage): functions that differ in their names only
#define LICIT_LIBRARY(RESULT, NAME, PARAMETERS)                      \
  LICIT_INTERPOSED RESULT licit_of_##NAME PARAMETERS __asm__(#NAME); \
  LICIT_INTERPOSED RESULT licit_of_##NAME PARAMETERS
/// At the beginning of its body: libc's own, and the call.
#define LICIT_CALL(NAME)                                              \
  static const auto system = real<decltype(&licit_of_##NAME)>(#NAME); \
  const library_call by { LICIT_CALLER }
// NOLINTEND(cppcoreguidelines-macro-usage)

#endif
