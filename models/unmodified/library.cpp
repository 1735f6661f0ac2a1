/// Functions of libc that convert, print, sort and tell the time.
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <sys/types.h>
#include <sys/uio.h>

#include "library_call.hpp"

namespace licit::unmodified {

namespace {

/// One conversion, which begins behind its percent sign.
void note_conversion(const library_call& by, const char*& at, std::va_list& arguments) {
  std::size_t most = all;  // the precision
  bool is_long = false;
  bool is_long_double = false;
  for (; std::string_view("-+ #'Ih0123456789.*ljztqL$").find(*at) != std::string_view::npos; ++at) {
    if (*at == '$') {
      const inside in;
      refuse("prints numbered arguments");
    }
    if (*at == '.') most = 0;
    if (*at >= '0' && *at <= '9' && most != all) most = 10 * most + static_cast<std::size_t>(*at - '0');
    if (*at == '*') {
      const int given = va_arg(arguments, int);
      if (most != all) most = given < 0 ? all : static_cast<std::size_t>(given);
    }
    is_long = is_long || std::string_view("ljztq").find(*at) != std::string_view::npos;
    is_long_double = is_long_double || *at == 'L';
  }
  const char kind = *at;
  if (kind == 0) return;
  ++at;
  if (kind == '%' || kind == 'm') return;
  if (kind == 'S' || (kind == 's' && is_long)) return by.reads_text(va_arg(arguments, const wchar_t*), most);
  if (kind == 's') return by.reads_text(va_arg(arguments, const char*), most);
  if (kind == 'n' && is_long) return by.writes(va_arg(arguments, long*));
  if (kind == 'n') return by.writes(va_arg(arguments, int*));
  if (std::string_view("aAeEfFgG").find(kind) != std::string_view::npos) {
    // NOLINTNEXTLINE(bugprone-branch-clone): of two types
    is_long_double ? static_cast<void>(va_arg(arguments, long double)) : static_cast<void>(va_arg(arguments, double));
  } else {
    // NOLINTNEXTLINE(bugprone-branch-clone): of two types
    is_long || kind == 'p' ? static_cast<void>(va_arg(arguments, long)) : static_cast<void>(va_arg(arguments, int));
  }
}

/// The arguments that a format names; texts are read.
void note_printed(const library_call& by, const char* format, std::va_list given) {
  if (!by.is_noted()) return;
  by.reads_text(format);
  std::va_list arguments;
  va_copy(arguments, given);
  for (const char* at = format; *at != 0;) {
    if (*at++ == '%') note_conversion(by, at, arguments);
  }
  va_end(arguments);
}

}  // namespace

}  // namespace licit::unmodified

using namespace licit::unmodified;  // NOLINT(google-build-using-namespace): what follows is its interface

// NOLINTBEGIN(cppcoreguidelines-macro-usage): functions that differ in their names only
/// A number that a text begins with; the text's end is told.
#define LICIT_NUMBER(RESULT, NAME, C)                               \
  LICIT_LIBRARY(RESULT, NAME, (const C* text, C** end, int base)) { \
    LICIT_CALL(NAME);                                               \
    by.reads_text(text);                                            \
    by.writes(end);                                                 \
    return system(text, end, base);                                 \
  }
#define LICIT_FRACTION(RESULT, NAME, C)                   \
  LICIT_LIBRARY(RESULT, NAME, (const C* text, C** end)) { \
    LICIT_CALL(NAME);                                     \
    by.reads_text(text);                                  \
    by.writes(end);                                       \
    return system(text, end);                             \
  }
#define LICIT_WHOLE_NUMBER(RESULT, NAME)            \
  LICIT_LIBRARY(RESULT, NAME, (const char* text)) { \
    LICIT_CALL(NAME);                               \
    by.reads_text(text);                            \
    return system(text);                            \
  }
// NOLINTEND(cppcoreguidelines-macro-usage)
LICIT_NUMBER(long, strtol, char)
LICIT_NUMBER(unsigned long, strtoul, char)
LICIT_NUMBER(long long, strtoll, char)
LICIT_NUMBER(unsigned long long, strtoull, char)
LICIT_NUMBER(long, __isoc23_strtol, char)
LICIT_NUMBER(unsigned long, __isoc23_strtoul, char)
LICIT_NUMBER(long long, __isoc23_strtoll, char)
LICIT_NUMBER(unsigned long long, __isoc23_strtoull, char)
LICIT_NUMBER(long, wcstol, wchar_t)
LICIT_NUMBER(unsigned long, wcstoul, wchar_t)
LICIT_NUMBER(long long, wcstoll, wchar_t)
LICIT_NUMBER(unsigned long long, wcstoull, wchar_t)
LICIT_FRACTION(float, wcstof, wchar_t)
LICIT_FRACTION(double, wcstod, wchar_t)
LICIT_FRACTION(long double, wcstold, wchar_t)
LICIT_FRACTION(float, strtof, char)
LICIT_FRACTION(double, strtod, char)
LICIT_FRACTION(long double, strtold, char)
LICIT_WHOLE_NUMBER(int, atoi)
LICIT_WHOLE_NUMBER(long, atol)
LICIT_WHOLE_NUMBER(long long, atoll)
LICIT_WHOLE_NUMBER(double, atof)

// Printing. What is printed is dropped, but read.

LICIT_LIBRARY(int, vfprintf, (std::FILE * to, const char* format, std::va_list arguments)) {
  LICIT_CALL(vfprintf);
  note_printed(by, format, arguments);
  return system(to, format, arguments);
}
LICIT_LIBRARY(int, vprintf, (const char* format, std::va_list arguments)) {
  LICIT_CALL(vprintf);
  note_printed(by, format, arguments);
  return system(format, arguments);
}
LICIT_LIBRARY(int, vdprintf, (int to, const char* format, std::va_list arguments)) {
  LICIT_CALL(vdprintf);
  note_printed(by, format, arguments);
  return system(to, format, arguments);
}

namespace {

using print_function = int (*)(char*, std::size_t, const char*, std::va_list);

int print_by(const library_call& by, char* to, std::size_t size, const char* format, std::va_list arguments) {
  static const auto system = real<print_function>("vsnprintf");
  note_printed(by, format, arguments);
  if (by.is_noted()) {
    std::va_list same;
    va_copy(same, arguments);
    const int n = system(nullptr, 0, format, same);
    va_end(same);
    if (n >= 0 && size != 0) by.writes(to, std::min(size, static_cast<std::size_t>(n) + 1));
  }
  return system(to, size, format, arguments);
}

}  // namespace

LICIT_LIBRARY(int, vsnprintf, (char* to, std::size_t size, const char* format, std::va_list arguments)) {
  return print_by(library_call(LICIT_CALLER), to, size, format, arguments);
}
LICIT_LIBRARY(int, __vsnprintf_chk,
              (char* to, std::size_t size, int /*flag*/, std::size_t /*room*/, const char* format,
               std::va_list arguments)) {
  return print_by(library_call(LICIT_CALLER), to, size, format, arguments);
}
LICIT_LIBRARY(int, vsprintf, (char* to, const char* format, std::va_list arguments)) {
  return print_by(library_call(LICIT_CALLER), to, INT_MAX, format, arguments);
}
LICIT_LIBRARY(int, __vsprintf_chk,
              (char* to, int /*flag*/, std::size_t room, const char* format, std::va_list arguments)) {
  return print_by(library_call(LICIT_CALLER), to, std::min(room, std::size_t{INT_MAX}), format, arguments);
}

// NOLINTBEGIN(cppcoreguidelines-macro-usage,cert-dcl50-cpp): functions that differ in their names only
#define LICIT_PRINTS(NAME, PARAMETERS, DO)                        \
  LICIT_INTERPOSED int licit_of_##NAME PARAMETERS __asm__(#NAME); \
  LICIT_INTERPOSED int licit_of_##NAME PARAMETERS {               \
    const library_call by(LICIT_CALLER);                          \
    std::va_list arguments;                                       \
    va_start(arguments, format);                                  \
    const int n = DO;                                             \
    va_end(arguments);                                            \
    return n;                                                     \
  }
// NOLINTEND(cppcoreguidelines-macro-usage,cert-dcl50-cpp)

namespace {

/// Into memory that is the program's, as malloc gives it.
int print_new(const library_call& by, char** to, const char* format, std::va_list arguments, const void* caller) {
  static const auto system = real<print_function>("vsnprintf");
  std::va_list same;
  va_copy(same, arguments);
  const int n = system(nullptr, 0, format, same);
  va_end(same);
  if (n < 0) return n;
  by.writes(to);
  *to = static_cast<char*>(allocate_for(static_cast<std::size_t>(n) + 1, caller));
  return *to == nullptr ? -1 : print_by(by, *to, static_cast<std::size_t>(n) + 1, format, arguments);
}

int print_to(const library_call& by, std::FILE* to, const char* format, std::va_list arguments) {
  static const auto system = real<int (*)(std::FILE*, const char*, std::va_list)>("vfprintf");
  note_printed(by, format, arguments);
  return system(to, format, arguments);
}
int print_to(const library_call& by, int to, const char* format, std::va_list arguments) {
  static const auto system = real<int (*)(int, const char*, std::va_list)>("vdprintf");
  note_printed(by, format, arguments);
  return system(to, format, arguments);
}

}  // namespace

LICIT_PRINTS(printf, (const char* format, ...), print_to(by, stdout, format, arguments))
LICIT_PRINTS(fprintf, (std::FILE * to, const char* format, ...), print_to(by, to, format, arguments))
LICIT_PRINTS(dprintf, (int to, const char* format, ...), print_to(by, to, format, arguments))
LICIT_PRINTS(sprintf, (char* to, const char* format, ...), print_by(by, to, INT_MAX, format, arguments))
LICIT_PRINTS(snprintf, (char* to, std::size_t size, const char* format, ...), print_by(by, to, size, format, arguments))
LICIT_PRINTS(__printf_chk, (int /*flag*/, const char* format, ...), print_to(by, stdout, format, arguments))
LICIT_PRINTS(__fprintf_chk, (std::FILE * to, int /*flag*/, const char* format, ...),
             print_to(by, to, format, arguments))
LICIT_PRINTS(__sprintf_chk, (char* to, int /*flag*/, std::size_t room, const char* format, ...),
             print_by(by, to, std::min(room, std::size_t{INT_MAX}), format, arguments))
LICIT_PRINTS(__snprintf_chk, (char* to, std::size_t size, int /*flag*/, std::size_t /*room*/, const char* format, ...),
             print_by(by, to, size, format, arguments))

LICIT_PRINTS(asprintf, (char** to, const char* format, ...), print_new(by, to, format, arguments, LICIT_CALLER))
LICIT_PRINTS(__asprintf_chk, (char** to, int /*flag*/, const char* format, ...),
             print_new(by, to, format, arguments, LICIT_CALLER))
LICIT_PRINTS(__dprintf_chk, (int to, int /*flag*/, const char* format, ...), print_to(by, to, format, arguments))
LICIT_LIBRARY(int, vasprintf, (char** to, const char* format, std::va_list arguments)) {
  return print_new(library_call(LICIT_CALLER), to, format, arguments, LICIT_CALLER);
}
LICIT_LIBRARY(int, __vasprintf_chk, (char** to, int /*flag*/, const char* format, std::va_list arguments)) {
  return print_new(library_call(LICIT_CALLER), to, format, arguments, LICIT_CALLER);
}
LICIT_LIBRARY(int, __vprintf_chk, (int /*flag*/, const char* format, std::va_list arguments)) {
  return print_to(library_call(LICIT_CALLER), stdout, format, arguments);
}
LICIT_LIBRARY(int, __vfprintf_chk, (std::FILE * to, int /*flag*/, const char* format, std::va_list arguments)) {
  return print_to(library_call(LICIT_CALLER), to, format, arguments);
}

LICIT_LIBRARY(int, puts, (const char* text)) {
  LICIT_CALL(puts);
  by.reads_text(text);
  return system(text);
}
LICIT_LIBRARY(int, fputs, (const char* text, std::FILE* to)) {
  LICIT_CALL(fputs);
  by.reads_text(text);
  return system(text, to);
}
LICIT_LIBRARY(int, fputs_unlocked, (const char* text, std::FILE* to)) {
  LICIT_CALL(fputs_unlocked);
  by.reads_text(text);
  return system(text, to);
}
LICIT_LIBRARY(int, fputws, (const wchar_t* text, std::FILE* to)) {
  LICIT_CALL(fputws);
  by.reads_text(text);
  return system(text, to);
}
LICIT_LIBRARY(std::size_t, fwrite_unlocked, (const void* from, std::size_t size, std::size_t n, std::FILE* to)) {
  LICIT_CALL(fwrite_unlocked);
  by.reads(from, size * n);
  return system(from, size, n, to);
}
LICIT_LIBRARY(std::size_t, fwrite, (const void* from, std::size_t size, std::size_t n, std::FILE* to)) {
  LICIT_CALL(fwrite);
  by.reads(from, size * n);
  return system(from, size, n, to);
}
LICIT_LIBRARY(ssize_t, write, (int to, const void* from, std::size_t n)) {
  LICIT_CALL(write);
  by.reads(from, n);
  return system(to, from, n);
}
LICIT_LIBRARY(ssize_t, writev, (int to, const iovec* parts, int n)) {
  LICIT_CALL(writev);
  by.reads(parts, static_cast<std::size_t>(n));
  for (int i = 0; by.is_noted() && i < n; ++i) by.reads(parts[i].iov_base, parts[i].iov_len);
  return system(to, parts, n);
}
LICIT_LIBRARY(char*, getcwd, (char* to, std::size_t size)) {
  LICIT_CALL(getcwd);
  const char* const given = to;
  char* const text = system(to, size);
  if (text != nullptr && given != nullptr) by.writes(text, whole(text));
  return text;
}
LICIT_LIBRARY(void, perror, (const char* text)) {
  LICIT_CALL(perror);
  by.reads_text(text);
  system(text);
}

// Sorting: the elements are moved, and compared by the program.

LICIT_LIBRARY(void, qsort, (void* at, std::size_t n, std::size_t size, int (*compare)(const void*, const void*))) {
  LICIT_CALL(qsort);
  by.writes(at, n * size);
  system(at, n, size, compare);
}
LICIT_LIBRARY(void, qsort_r,
              (void* at, std::size_t n, std::size_t size, int (*compare)(const void*, const void*, void*),
               void* with)) {
  LICIT_CALL(qsort_r);
  by.writes(at, n * size);
  system(at, n, size, compare, with);
}

// Numbers in parts. libm's own functions write the second part.

// NOLINTBEGIN(cppcoreguidelines-macro-usage): functions that differ in their names only
#define LICIT_PARTS(T, NAME, SECOND)                   \
  LICIT_LIBRARY(T, NAME, (T value, SECOND * second)) { \
    LICIT_CALL(NAME);                                  \
    by.writes(second);                                 \
    return system(value, second);                      \
  }
LICIT_PARTS(float, modff, float)
LICIT_PARTS(double, modf, double)
LICIT_PARTS(long double, modfl, long double)
LICIT_PARTS(float, frexpf, int)
LICIT_PARTS(double, frexp, int)
LICIT_PARTS(long double, frexpl, int)
LICIT_PARTS(float, lgammaf_r, int)
LICIT_PARTS(double, lgamma_r, int)
LICIT_PARTS(long double, lgammal_r, int)
#define LICIT_QUOTIENT(T, NAME)                               \
  LICIT_LIBRARY(T, NAME, (T value, T by_what, int* second)) { \
    LICIT_CALL(NAME);                                         \
    by.writes(second);                                        \
    return system(value, by_what, second);                    \
  }
#define LICIT_SINE_AND_COSINE(T, NAME)                         \
  LICIT_LIBRARY(void, NAME, (T value, T * sine, T * cosine)) { \
    LICIT_CALL(NAME);                                          \
    by.writes(sine);                                           \
    by.writes(cosine);                                         \
    system(value, sine, cosine);                               \
  }
// NOLINTEND(cppcoreguidelines-macro-usage)
LICIT_QUOTIENT(float, remquof)
LICIT_QUOTIENT(double, remquo)
LICIT_QUOTIENT(long double, remquol)
LICIT_SINE_AND_COSINE(float, sincosf)
LICIT_SINE_AND_COSINE(double, sincos)
LICIT_SINE_AND_COSINE(long double, sincosl)

// Time as a date.

LICIT_LIBRARY(std::tm*, gmtime_r, (const std::time_t* time, std::tm* to)) {
  LICIT_CALL(gmtime_r);
  by.reads(time);
  by.writes(to);
  return system(time, to);
}
LICIT_LIBRARY(std::tm*, localtime_r, (const std::time_t* time, std::tm* to)) {
  LICIT_CALL(localtime_r);
  by.reads(time);
  by.writes(to);
  return system(time, to);
}
LICIT_LIBRARY(std::time_t, mktime, (std::tm * date)) {
  LICIT_CALL(mktime);
  by.writes(date);
  return system(date);
}
LICIT_LIBRARY(std::time_t, timegm, (std::tm * date)) {
  LICIT_CALL(timegm);
  by.writes(date);
  return system(date);
}
LICIT_LIBRARY(char*, ctime_r, (const std::time_t* time, char* to)) {
  LICIT_CALL(ctime_r);
  by.reads(time);
  char* const text = system(time, to);
  if (text != nullptr) by.writes(to, whole(to));
  return text;
}
LICIT_LIBRARY(char*, asctime_r, (const std::tm* date, char* to)) {
  LICIT_CALL(asctime_r);
  by.reads(date);
  char* const text = system(date, to);
  if (text != nullptr) by.writes(to, whole(to));
  return text;
}
LICIT_LIBRARY(std::size_t, strftime, (char* to, std::size_t size, const char* format, const std::tm* date)) {
  LICIT_CALL(strftime);
  by.reads(date);
  by.reads_text(format);
  const std::size_t n = system(to, size, format, date);
  by.writes(to, n == 0 ? size : n + 1);
  return n;
}
