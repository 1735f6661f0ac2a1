/// Functions of libc on bytes and texts.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cwchar>
#include <sys/types.h>

#include "library_call.hpp"

using namespace licit::unmodified;  // NOLINT(google-build-using-namespace): what follows is its interface

// Bytes. ld.so calls the first three before libc's own are found.

namespace {

using move_function = void* (*)(void*, const void*, std::size_t);
using set_function = void* (*)(void*, int, std::size_t);
move_function system_memmove = nullptr;
set_function system_memset = nullptr;

__attribute__((constructor)) void find_memory_functions() {
  system_memset = real<set_function>("memset");
  system_memmove = real<move_function>("memmove");
}

[[gnu::noinline, gnu::cold]] void* move_by_loop(void* to, const void* from, std::size_t n) {
  auto* const t = static_cast<char*>(to);
  const auto* const f = static_cast<const char*>(from);
  if (t <= f || t >= f + n) {
    for (std::size_t i = 0; i != n; ++i) t[i] = f[i];
  } else {
    while (n-- != 0) t[n] = f[n];
  }
  return to;
}
void* move(void* to, const void* from, std::size_t n) {
  return system_memmove != nullptr ? system_memmove(to, from, n) : move_by_loop(to, from, n);
}
[[gnu::noinline]] void* note_and_move(void* to, const void* from, std::size_t n, const void* caller) {
  const library_call by(caller);
  by.reads(from, n);
  by.writes(to, n);
  return move(to, from, n);
}
/// The engine calls these too, for all that it copies: then there is nothing to note.
void* move_by(const void* caller, void* to, const void* from, std::size_t n) {
  return is_explored() ? note_and_move(to, from, n, caller) : move(to, from, n);
}
void* set_by(const void* caller, void* to, int value, std::size_t n) {
  library_call(caller).writes(to, n);
  if (system_memset != nullptr) return system_memset(to, value, n);
  for (std::size_t i = 0; i != n; ++i) static_cast<char*>(to)[i] = static_cast<char>(value);
  return to;
}
}  // namespace

// clang calls the first three; g++ calls the functions themselves, compiled with -fno-builtin.
LICIT_INTERPOSED void* __tsan_memcpy(void* to, const void* from, std::size_t n) {
  return move_by(LICIT_CALLER, to, from, n);
}
LICIT_INTERPOSED void* __tsan_memmove(void* to, const void* from, std::size_t n) {
  return move_by(LICIT_CALLER, to, from, n);
}
LICIT_INTERPOSED void* __tsan_memset(void* to, int value, std::size_t n) { return set_by(LICIT_CALLER, to, value, n); }
LICIT_LIBRARY(void*, memcpy, (void* to, const void* from, std::size_t n)) { return move_by(LICIT_CALLER, to, from, n); }
LICIT_LIBRARY(void*, memmove, (void* to, const void* from, std::size_t n)) {
  return move_by(LICIT_CALLER, to, from, n);
}
LICIT_LIBRARY(void*, memset, (void* to, int value, std::size_t n)) { return set_by(LICIT_CALLER, to, value, n); }
LICIT_LIBRARY(void*, __memcpy_chk, (void* to, const void* from, std::size_t n, std::size_t room)) {
  if (n > room) abort();
  return move_by(LICIT_CALLER, to, from, n);
}
LICIT_LIBRARY(void*, __memmove_chk, (void* to, const void* from, std::size_t n, std::size_t room)) {
  if (n > room) abort();
  return move_by(LICIT_CALLER, to, from, n);
}
LICIT_LIBRARY(void*, __memset_chk, (void* to, int value, std::size_t n, std::size_t room)) {
  if (n > room) abort();
  return set_by(LICIT_CALLER, to, value, n);
}
LICIT_LIBRARY(void*, mempcpy, (void* to, const void* from, std::size_t n)) {
  return static_cast<char*>(move_by(LICIT_CALLER, to, from, n)) + n;
}
LICIT_LIBRARY(void*, __mempcpy_chk, (void* to, const void* from, std::size_t n, std::size_t room)) {
  if (n > room) abort();
  return static_cast<char*>(move_by(LICIT_CALLER, to, from, n)) + n;
}
LICIT_LIBRARY(void, bcopy, (const void* from, void* to, std::size_t n)) { move_by(LICIT_CALLER, to, from, n); }
LICIT_LIBRARY(void, bzero, (void* to, std::size_t n)) { set_by(LICIT_CALLER, to, 0, n); }
LICIT_LIBRARY(void, explicit_bzero, (void* to, std::size_t n)) { set_by(LICIT_CALLER, to, 0, n); }
LICIT_LIBRARY(void*, memccpy, (void* to, const void* from, int last, std::size_t n)) {
  LICIT_CALL(memccpy);
  std::size_t i = 0;
  // NOLINTNEXTLINE(bugprone-inc-dec-in-conditions): i is read before that, and not again
  while (i != n && static_cast<const unsigned char*>(from)[i++] != static_cast<unsigned char>(last)) {
  }
  by.reads(from, i);
  by.writes(to, i);
  return system(to, from, last, n);
}
LICIT_LIBRARY(int, memcmp, (const void* a, const void* b, std::size_t n)) {
  LICIT_CALL(memcmp);
  by.reads(a, n);
  by.reads(b, n);
  return system(a, b, n);
}
LICIT_LIBRARY(int, bcmp, (const void* a, const void* b, std::size_t n)) {
  LICIT_CALL(bcmp);
  by.reads(a, n);
  by.reads(b, n);
  return system(a, b, n);
}
LICIT_LIBRARY(void*, memchr, (const void* in, int value, std::size_t n)) {
  LICIT_CALL(memchr);
  void* const found = system(in, value, n);
  by.reads(in, found == nullptr
                   ? n
                   : static_cast<std::size_t>(static_cast<char*>(found) - static_cast<const char*>(in)) + 1);
  return found;
}
LICIT_LIBRARY(void*, memrchr, (const void* in, int value, std::size_t n)) {
  LICIT_CALL(memrchr);
  by.reads(in, n);
  return system(in, value, n);
}
LICIT_LIBRARY(void*, rawmemchr, (const void* in, int value)) {
  LICIT_CALL(rawmemchr);
  void* const found = system(in, value);
  by.searches(static_cast<const char*>(in), static_cast<const char*>(found));
  return found;
}
LICIT_LIBRARY(void*, memmem, (const void* in, std::size_t n, const void* what, std::size_t size)) {
  LICIT_CALL(memmem);
  by.reads(in, n);
  by.reads(what, size);
  return system(in, n, what, size);
}

// Texts that are read.

// NOLINTBEGIN(cppcoreguidelines-macro-usage): functions that differ in their names only
#define LICIT_LENGTH(NAME, C)                         \
  LICIT_LIBRARY(std::size_t, NAME, (const C* text)) { \
    LICIT_CALL(NAME);                                 \
    by.reads_text(text);                              \
    return system(text);                              \
  }
#define LICIT_LENGTH_AT_MOST(NAME, C)                                   \
  LICIT_LIBRARY(std::size_t, NAME, (const C* text, std::size_t most)) { \
    LICIT_CALL(NAME);                                                   \
    by.reads_text(text, most);                                          \
    return system(text, most);                                          \
  }
#define LICIT_COMPARISON(NAME, C, AS)                  \
  LICIT_LIBRARY(int, NAME, (const C* a, const C* b)) { \
    LICIT_CALL(NAME);                                  \
    const std::size_t n = compared(a, b, all, AS);     \
    by.reads(a, n);                                    \
    by.reads(b, n);                                    \
    return system(a, b);                               \
  }
#define LICIT_COMPARISON_AT_MOST(NAME, C, AS)                            \
  LICIT_LIBRARY(int, NAME, (const C* a, const C* b, std::size_t most)) { \
    LICIT_CALL(NAME);                                                    \
    const std::size_t n = compared(a, b, most, AS);                      \
    by.reads(a, n);                                                      \
    by.reads(b, n);                                                      \
    return system(a, b, most);                                           \
  }
/// The first of them, or the zero at the end.
#define LICIT_SEARCH(RESULT, NAME, C, VALUE)                  \
  LICIT_LIBRARY(RESULT, NAME, (const C* text, VALUE value)) { \
    LICIT_CALL(NAME);                                         \
    RESULT const found = system(text, value);                 \
    by.searches(text, static_cast<const C*>(found));          \
    return found;                                             \
  }
/// It may be anywhere in the text.
#define LICIT_SEARCH_ALL(RESULT, NAME, C, VALUE)              \
  LICIT_LIBRARY(RESULT, NAME, (const C* text, VALUE value)) { \
    LICIT_CALL(NAME);                                         \
    by.reads_text(text);                                      \
    return system(text, value);                               \
  }
/// By a second text.
#define LICIT_SEARCH_TEXT(RESULT, NAME, C)                      \
  LICIT_LIBRARY(RESULT, NAME, (const C* text, const C* what)) { \
    LICIT_CALL(NAME);                                           \
    by.reads_text(text);                                        \
    by.reads_text(what);                                        \
    return system(text, what);                                  \
  }
// NOLINTEND(cppcoreguidelines-macro-usage)
LICIT_LENGTH(strlen, char)
LICIT_LENGTH(wcslen, wchar_t)
LICIT_LENGTH_AT_MOST(strnlen, char)
LICIT_LENGTH_AT_MOST(wcsnlen, wchar_t)
LICIT_COMPARISON(strcmp, char, nullptr)
LICIT_COMPARISON(strcasecmp, char, std::tolower)
LICIT_COMPARISON(wcscmp, wchar_t, nullptr)
LICIT_COMPARISON_AT_MOST(strncmp, char, nullptr)
LICIT_COMPARISON_AT_MOST(strncasecmp, char, std::tolower)
LICIT_COMPARISON_AT_MOST(wcsncmp, wchar_t, nullptr)
LICIT_SEARCH(char*, strchr, char, int)
LICIT_SEARCH(char*, strchrnul, char, int)
LICIT_SEARCH(char*, index, char, int)
LICIT_SEARCH(wchar_t*, wcschr, wchar_t, wchar_t)
LICIT_SEARCH_ALL(char*, strrchr, char, int)
LICIT_SEARCH_ALL(char*, rindex, char, int)
LICIT_SEARCH_ALL(wchar_t*, wcsrchr, wchar_t, wchar_t)
LICIT_SEARCH_TEXT(char*, strstr, char)
LICIT_SEARCH_TEXT(char*, strcasestr, char)
LICIT_SEARCH_TEXT(char*, strpbrk, char)
LICIT_SEARCH_TEXT(std::size_t, strspn, char)
LICIT_SEARCH_TEXT(std::size_t, strcspn, char)
LICIT_SEARCH_TEXT(int, strcoll, char)
LICIT_SEARCH_TEXT(int, strverscmp, char)
LICIT_SEARCH_TEXT(wchar_t*, wcsstr, wchar_t)
LICIT_SEARCH_TEXT(wchar_t*, wcspbrk, wchar_t)
LICIT_SEARCH_TEXT(std::size_t, wcsspn, wchar_t)
LICIT_SEARCH_TEXT(std::size_t, wcscspn, wchar_t)
LICIT_SEARCH_TEXT(int, wcscoll, wchar_t)

// Texts that are written.

// NOLINTBEGIN(cppcoreguidelines-macro-usage): functions that differ in their names only
#define LICIT_COPY(NAME, C)                          \
  LICIT_LIBRARY(C*, NAME, (C * to, const C* from)) { \
    LICIT_CALL(NAME);                                \
    by.reads_text(from);                             \
    by.writes(to, whole(from));                      \
    return system(to, from);                         \
  }
#define LICIT_COPY_CHECKED(NAME)                                               \
  LICIT_LIBRARY(char*, NAME, (char* to, const char* from, std::size_t room)) { \
    LICIT_CALL(NAME);                                                          \
    by.reads_text(from);                                                       \
    by.writes(to, whole(from));                                                \
    return system(to, from, room);                                             \
  }
#define LICIT_COPY_PADDED(NAME, C)                                     \
  LICIT_LIBRARY(C*, NAME, (C * to, const C* from, std::size_t size)) { \
    LICIT_CALL(NAME);                                                  \
    by.reads_text(from, size);                                         \
    by.writes(to, size);                                               \
    return system(to, from, size);                                     \
  }
#define LICIT_COPY_PADDED_CHECKED(NAME)                                                          \
  LICIT_LIBRARY(char*, NAME, (char* to, const char* from, std::size_t size, std::size_t room)) { \
    LICIT_CALL(NAME);                                                                            \
    by.reads_text(from, size);                                                                   \
    by.writes(to, size);                                                                         \
    return system(to, from, size, room);                                                         \
  }
// NOLINTEND(cppcoreguidelines-macro-usage)
LICIT_COPY(strcpy, char)
LICIT_COPY(stpcpy, char)
LICIT_COPY(wcscpy, wchar_t)
LICIT_COPY(wcpcpy, wchar_t)
LICIT_COPY_CHECKED(__strcpy_chk)
LICIT_COPY_CHECKED(__stpcpy_chk)
LICIT_COPY_PADDED(strncpy, char)
LICIT_COPY_PADDED(stpncpy, char)
LICIT_COPY_PADDED(wcsncpy, wchar_t)
LICIT_COPY_PADDED(wcpncpy, wchar_t)
LICIT_COPY_PADDED_CHECKED(__strncpy_chk)
LICIT_COPY_PADDED_CHECKED(__stpncpy_chk)

namespace {

template <class C>
void append_by(const library_call& by, C* to, const C* from, std::size_t most = all) {
  by.reads_text(to);
  by.reads_text(from, most);
  by.writes(to + length(to), length(from, most) + 1);
}

}  // namespace

LICIT_LIBRARY(char*, strcat, (char* to, const char* from)) {
  LICIT_CALL(strcat);
  append_by(by, to, from);
  return system(to, from);
}
LICIT_LIBRARY(char*, __strcat_chk, (char* to, const char* from, std::size_t room)) {
  LICIT_CALL(__strcat_chk);
  append_by(by, to, from);
  return system(to, from, room);
}
LICIT_LIBRARY(char*, strncat, (char* to, const char* from, std::size_t most)) {
  LICIT_CALL(strncat);
  append_by(by, to, from, most);
  return system(to, from, most);
}
LICIT_LIBRARY(char*, __strncat_chk, (char* to, const char* from, std::size_t most, std::size_t room)) {
  LICIT_CALL(__strncat_chk);
  append_by(by, to, from, most);
  return system(to, from, most, room);
}
LICIT_LIBRARY(wchar_t*, wcscat, (wchar_t * to, const wchar_t* from)) {
  LICIT_CALL(wcscat);
  append_by(by, to, from);
  return system(to, from);
}
LICIT_LIBRARY(std::size_t, strxfrm, (char* to, const char* from, std::size_t size)) {
  LICIT_CALL(strxfrm);
  by.reads_text(from);
  by.writes(to, std::min(size, system(nullptr, from, 0) + 1));
  return system(to, from, size);
}
namespace {

template <class C>
C* copy_by(const library_call& by, const C* text, std::size_t most, const void* caller) {
  by.reads_text(text, most);
  const std::size_t n = length(text, most);
  auto* const copy = static_cast<C*>(allocate_for((n + 1) * sizeof(C), caller));
  if (copy == nullptr) return nullptr;
  by.writes(copy, n + 1);
  for (std::size_t i = 0; i != n; ++i) copy[i] = text[i];
  copy[n] = C{};
  return copy;
}

}  // namespace

LICIT_LIBRARY(char*, strdup, (const char* text)) {
  return copy_by(library_call(LICIT_CALLER), text, all, LICIT_CALLER);
}
LICIT_LIBRARY(char*, __strdup, (const char* text)) {
  return copy_by(library_call(LICIT_CALLER), text, all, LICIT_CALLER);
}
LICIT_LIBRARY(char*, strndup, (const char* text, std::size_t most)) {
  return copy_by(library_call(LICIT_CALLER), text, most, LICIT_CALLER);
}
LICIT_LIBRARY(char*, __strndup, (const char* text, std::size_t most)) {
  return copy_by(library_call(LICIT_CALLER), text, most, LICIT_CALLER);
}
LICIT_LIBRARY(wchar_t*, wcsdup, (const wchar_t* text)) {
  return copy_by(library_call(LICIT_CALLER), text, all, LICIT_CALLER);
}
LICIT_LIBRARY(wchar_t*, wcsncat, (wchar_t * to, const wchar_t* from, std::size_t most)) {
  LICIT_CALL(wcsncat);
  append_by(by, to, from, most);
  return system(to, from, most);
}
LICIT_LIBRARY(char*, strerror_r, (int error, char* to, std::size_t size)) {
  LICIT_CALL(strerror_r);
  char* const text = system(error, to, size);
  if (text == to) by.writes(to, whole(to, size));
  return text;
}
LICIT_LIBRARY(int, __xpg_strerror_r, (int error, char* to, std::size_t size)) {
  LICIT_CALL(__xpg_strerror_r);
  const int result = system(error, to, size);
  by.writes(to, whole(to, size));
  return result;
}
LICIT_LIBRARY(void, swab, (const void* from, void* to, ssize_t n)) {
  LICIT_CALL(swab);
  if (n > 1) {
    by.reads(from, static_cast<std::size_t>(n & ~1));
    by.writes(to, static_cast<std::size_t>(n & ~1));
  }
  system(from, to, n);
}

// Texts of bytes and of wide characters, one made of the other.

LICIT_LIBRARY(std::size_t, mbstowcs, (wchar_t * to, const char* from, std::size_t size)) {
  LICIT_CALL(mbstowcs);
  by.reads_text(from);
  const std::size_t n = system(to, from, size);
  if (n != all) by.writes(to, std::min(size, n + 1));
  return n;
}
LICIT_LIBRARY(std::size_t, wcstombs, (char* to, const wchar_t* from, std::size_t size)) {
  LICIT_CALL(wcstombs);
  by.reads_text(from);
  const std::size_t n = system(to, from, size);
  if (n != all) by.writes(to, std::min(size, n + 1));
  return n;
}
LICIT_LIBRARY(std::size_t, mbrtowc, (wchar_t * to, const char* from, std::size_t size, mbstate_t* state)) {
  LICIT_CALL(mbrtowc);
  const std::size_t n = system(to, from, size, state);
  if (size != 0) by.reads(from, n <= size ? std::max<std::size_t>(n, 1) : size);
  if (n <= size) by.writes(to);
  by.writes(state);
  return n;
}
LICIT_LIBRARY(int, mbtowc, (wchar_t * to, const char* from, std::size_t size)) {
  LICIT_CALL(mbtowc);
  const int n = system(to, from, size);
  if (size != 0) by.reads(from, n > 0 ? static_cast<std::size_t>(n) : 1);
  if (n > 0) by.writes(to);
  return n;
}
LICIT_LIBRARY(int, mblen, (const char* from, std::size_t size)) {
  LICIT_CALL(mblen);
  const int n = system(from, size);
  if (size != 0) by.reads(from, n > 0 ? static_cast<std::size_t>(n) : 1);
  return n;
}
/// The text up to its next token's end, where a zero is written.
LICIT_LIBRARY(char*, strtok_r, (char* text, const char* ends, char** rest)) {
  LICIT_CALL(strtok_r);
  by.reads(rest);
  by.reads_text(ends);
  if (text != nullptr || rest != nullptr) by.reads_text(text != nullptr ? text : *rest);
  char* const token = system(text, ends, rest);
  by.writes(rest);
  if (token != nullptr) by.writes(token + length(token));
  return token;
}
LICIT_LIBRARY(char*, strsep, (char** rest, const char* ends)) {
  LICIT_CALL(strsep);
  by.reads(rest);
  by.reads_text(ends);
  by.reads_text(*rest);
  char* const token = system(rest, ends);
  by.writes(rest);
  if (token != nullptr) by.writes(token + length(token));
  return token;
}
LICIT_LIBRARY(wchar_t*, wmemcpy, (wchar_t * to, const wchar_t* from, std::size_t n)) {
  move_by(LICIT_CALLER, to, from, n * sizeof(wchar_t));
  return to;
}
LICIT_LIBRARY(wchar_t*, wmemmove, (wchar_t * to, const wchar_t* from, std::size_t n)) {
  move_by(LICIT_CALLER, to, from, n * sizeof(wchar_t));
  return to;
}
LICIT_LIBRARY(wchar_t*, wmempcpy, (wchar_t * to, const wchar_t* from, std::size_t n)) {
  move_by(LICIT_CALLER, to, from, n * sizeof(wchar_t));
  return to + n;
}
LICIT_LIBRARY(wchar_t*, wmemset, (wchar_t * to, wchar_t value, std::size_t n)) {
  LICIT_CALL(wmemset);
  by.writes(to, n);
  return system(to, value, n);
}
LICIT_LIBRARY(int, wmemcmp, (const wchar_t* a, const wchar_t* b, std::size_t n)) {
  LICIT_CALL(wmemcmp);
  by.reads(a, n);
  by.reads(b, n);
  return system(a, b, n);
}
LICIT_LIBRARY(wchar_t*, wmemchr, (const wchar_t* in, wchar_t value, std::size_t n)) {
  LICIT_CALL(wmemchr);
  wchar_t* const found = system(in, value, n);
  by.reads(in, found == nullptr ? n : static_cast<std::size_t>(found - in) + 1);
  return found;
}
