/// All clients of a size, as the parts of a line: the calls of each thread, the owner's first.
#ifndef LICIT_SUITES_EVERY_CLIENTS_HPP
#define LICIT_SUITES_EVERY_CLIENTS_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>

namespace licit::suites {

/// The words that clients may call.
struct alphabet {
  std::span<const char* const> owner;
  std::span<const char* const> thief;
};

/// What the main thread may have called before: " push push pop", or nothing.
using beginnings = std::span<const char* const>;

/// An owner, who may make no call, and up to so many thieves, who make at least one each. Where the thieves are alike,
/// two clients are the same if they differ only in which thief is which.
struct client_size {
  std::span<const char* const> owner;  ///< the words that it may call; none: all threads are thieves
  std::span<const char* const> thief;
  unsigned thieves = 2;  ///< at most 3
  unsigned calls = 0;    ///< of all together
  bool alike = true;
};

namespace detail {

constexpr std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t value = 1;
  for (; exponent != 0; --exponent) value *= base;
  return value;
}

/// Multisets of so many thieves with so many calls together, by Burnside's lemma: from those whose thieves have places,
/// from those that are the same when two thieves change places, and when three do in turn.
constexpr std::uint64_t multisets(std::uint64_t words, unsigned thieves, std::uint64_t calls) {
  const auto placed = [&](std::uint64_t ways) { return ways * power(words, calls); };
  if (thieves == 0) return calls == 0 ? 1 : 0;
  if (calls < thieves) return 0;
  if (thieves == 1) return placed(1);
  if (thieves == 2) return (placed(calls - 1) + (calls % 2 == 0 ? power(words, calls / 2) : 0)) / 2;
  std::uint64_t two_alike = 0;
  for (std::uint64_t each = 1; 2 * each < calls; ++each) two_alike += power(words, calls - each);
  const std::uint64_t three_alike = calls % 3 == 0 ? power(words, calls / 3) : 0;
  return (placed((calls - 1) * (calls - 2) / 2) + 3 * two_alike + 2 * three_alike) / 6;
}

/// Sequences of so many thieves with so many calls together: what each calls, and where the calls of one end.
constexpr std::uint64_t sequences(std::uint64_t words, unsigned thieves, std::uint64_t calls) {
  if (thieves == 0) return calls == 0 ? 1 : 0;
  std::uint64_t ends = 1;  // calls - 1 over thieves - 1
  for (unsigned i = 1; i != thieves; ++i) ends = ends * (calls < i ? 0 : calls - i) / i;
  return calls < thieves ? 0 : ends * power(words, calls);
}

/// Calls of one thread: `length` digits of the number `code`, to the base of its words.
struct script {
  unsigned length = 0;
  std::uint64_t code = 0;
};

inline std::string text_of(const script& s, std::span<const char* const> words) {
  std::string text;
  std::uint64_t code = s.code;
  for (unsigned i = 0; i != s.length; ++i, code /= words.size()) text += std::string(" ") + words[code % words.size()];
  return text;
}

}  // namespace detail

/// How many clients of the size there are.
constexpr std::uint64_t count_of(const client_size& size) {
  std::uint64_t all = 0;
  for (unsigned own = 0; own <= size.calls; ++own) {
    for (unsigned thieves = 0; thieves <= size.thieves; ++thieves) {
      const std::uint64_t left = size.calls - own;
      all += detail::power(size.owner.size(), own) * (size.alike ? detail::multisets(size.thief.size(), thieves, left)
                                                                 : detail::sequences(size.thief.size(), thieves, left));
    }
  }
  return all;
}

/// Each of them once: " push pop | steal".
class client_generator {
 public:
  /// Calls `each` with every client, until it returns false.
  client_generator(const client_size& size, std::function<bool(const std::string&)> each)
      : size_{size}, each_{std::move(each)} {}

  void run() {
    for (unsigned own = 0; own <= size_.calls && going_; ++own) {
      const std::uint64_t last = detail::power(size_.owner.size(), own);
      for (std::uint64_t code = 0; code != last && going_; ++code) {
        thieves(detail::text_of({own, code}, size_.owner), size_.thieves, size_.calls - own, {1, 0});
      }
    }
  }

 private:
  /// Where thieves are alike, each one's calls are not before those of the thief before it, by length and then by code.
  void thieves(const std::string& text, unsigned more, unsigned calls, detail::script least) {
    if (calls == 0) {
      going_ = each_(text);
      return;
    }
    if (more == 0) return;
    for (unsigned length = least.length; length <= calls && going_; ++length) {
      const std::uint64_t last = detail::power(size_.thief.size(), length);
      for (std::uint64_t code = length == least.length ? least.code : 0; code != last && going_; ++code) {
        const detail::script next{length, code};
        thieves(text + " |" + detail::text_of(next, size_.thief), more - 1, calls - length,
                size_.alike ? next : detail::script{1, 0});
      }
    }
  }

  client_size size_;
  std::function<bool(const std::string&)> each_;
  bool going_ = true;
};

}  // namespace licit::suites

#endif
