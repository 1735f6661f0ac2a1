/// The notation of client programs: what each thread calls, as a line of text.
///
///     capacity=2 maximum=2: push push pop | steal steal
///
/// Before the colon: settings (`name=number`) and the calls that the main thread makes before the others start. After
/// it: the calls of each thread, the owner's (thread 0) first. A call is a word, with numbers in parentheses where it
/// takes some: `half(0,1)`. `push*3` is three calls, `(push pop)*2` four. A word with `!` must succeed (bring an
/// item, say), or the program is wrong; a word with `?` is called only if the call before it in its thread succeeded.
/// Three words belong to every structure:
///
///     tell    release: what this thread did so far is done, if its last call succeeded
///     told    acquire: the thread goes on only if another has told; `told(2)` only if `tell(2)` came last
///     leave   before the colon: at the end the items are left to the destructor
///
/// The other words and the settings are the structure's. Nothing is allocated, and a line may be a constant.
#ifndef LICIT_SUITES_LINE_HPP
#define LICIT_SUITES_LINE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace licit::suites {

/// What a structure's lines may say.
struct vocabulary {
  std::span<const char* const> words;
  std::span<const char* const> settings;
  std::span<const char* const> before = {};  ///< words that stand before the colon only; numbered after `words`
};

/// Text that is no line: what is wrong, and at which column (from 1).
class line_error : public std::invalid_argument {
 public:
  line_error(std::string_view text, std::size_t column, std::string_view what)
      : std::invalid_argument("client \"" + std::string(text) + "\", column " + std::to_string(column) + ": " +
                              std::string(what)),
        column_{column} {}

  [[nodiscard]] std::size_t column() const { return column_; }

 private:
  std::size_t column_;
};

struct call {
  enum class kind : std::uint8_t { word, tell, told };

  kind what = kind::word;
  std::uint8_t word = 0;     ///< its place in the vocabulary
  std::uint8_t numbers = 0;  ///< how many it has
  bool must = false;         ///< succeed
  bool on_success = false;   ///< of the call before it; else it is not made
  std::array<std::uint8_t, 2> number{};
  std::size_t column = 0;  ///< in the text, from 1

  /// The n-th number, or what it is where the line has none.
  [[nodiscard]] constexpr std::size_t at(std::size_t n, std::size_t otherwise) const {
    return n < numbers ? number[n] : otherwise;
  }
};

/// Calls one after another.
class calls {
 public:
  static constexpr std::size_t most = 24;

  [[nodiscard]] constexpr const call* begin() const { return all_.data(); }
  [[nodiscard]] constexpr const call* end() const { return all_.data() + size_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }

  /// How often the word is called.
  [[nodiscard]] constexpr std::size_t count(std::size_t word) const {
    std::size_t n = 0;
    for (const call& c : *this) n += c.what == call::kind::word && c.word == word ? 1U : 0U;
    return n;
  }
  [[nodiscard]] constexpr bool has(call::kind what) const {
    return std::ranges::any_of(*this, [=](const call& c) { return c.what == what; });
  }

  /// False: there is no room.
  constexpr bool add(const call& c) {
    if (size_ == most) return false;
    all_[size_++] = c;
    return true;
  }
  /// Adds what was added since `first` so many times more.
  constexpr bool repeat(std::size_t first, std::size_t times) {
    const std::size_t last = size_;
    for (; times != 0; --times) {
      for (std::size_t i = first; i != last; ++i) {
        if (!add(all_[i])) return false;
      }
    }
    return true;
  }

 private:
  std::array<call, most> all_{};
  std::size_t size_ = 0;
};

struct line {
  static constexpr unsigned most_threads = 4;
  static constexpr std::size_t most_settings = 8;
  static constexpr std::size_t unset = std::numeric_limits<std::size_t>::max();

  calls before;  ///< by the main thread
  std::array<calls, most_threads> thread;
  unsigned threads = 0;
  bool tells = false;  ///< some thread does
  bool leaves = false;
  std::array<std::size_t, most_settings> values{};  ///< of the settings; those that the line lacks are `unset`

  /// The setting, by its place in the vocabulary.
  [[nodiscard]] constexpr std::size_t setting(std::size_t place, std::size_t otherwise) const {
    return values[place] == unset ? otherwise : values[place];
  }
  [[nodiscard]] constexpr bool threads_have(call::kind what) const {
    return std::ranges::any_of(thread, [=](const calls& all) { return all.has(what); });
  }
  /// How often the word is called, by all threads and before them.
  [[nodiscard]] constexpr std::size_t count(std::size_t word) const {
    std::size_t n = before.count(word);
    for (const calls& all : thread) n += all.count(word);
    return n;
  }
};

/// Whether two threads make the same calls, one after the other.
constexpr bool same_calls(const line& l, unsigned a, unsigned b) {
  return std::ranges::equal(l.thread[a], l.thread[b], [](const call& x, const call& y) {
    return x.what == y.what && x.word == y.word && x.numbers == y.numbers && x.number == y.number && x.must == y.must &&
           x.on_success == y.on_success;
  });
}
/// Whether any two of its threads do that have calls.
constexpr bool have_same_calls(const line& l) {
  for (unsigned b = 1; b < l.threads; ++b) {
    for (unsigned a = 0; a != b; ++a) {
      if (l.thread[a].size() != 0 && same_calls(l, a, b)) return true;
    }
  }
  return false;
}

namespace detail {

class line_parser {
 public:
  constexpr line_parser(std::string_view text, const vocabulary& known) : text_{text}, known_{known} {
    line_.values.fill(line::unset);
  }

  constexpr line parse() {
    const bool prelude = text_.find(':') != std::string_view::npos;
    if (prelude) {
      part(line_.before, true);
      expect(':');
    }
    do {
      if (line_.threads == line::most_threads) fail("more than 4 threads");
      part(line_.thread[line_.threads++], false);
    } while (accept('|'));
    if (at_ != text_.size()) fail("a word, a number of times or | was expected");
    if (line_.threads_have(call::kind::told) && !line_.threads_have(call::kind::tell))
      at_ = text_.find("told"), fail("nobody tells");
    return line_;
  }

 private:
  static constexpr unsigned deepest = 8;  // parentheses within parentheses

  [[noreturn]] void fail_unknown(const char* what, std::initializer_list<std::span<const char* const>> known) const {
    std::string text = std::string(what) + "; there are:";
    for (const auto& words : known) {
      for (const char* word : words) text += std::string(" ") + word;
    }
    fail(text);
  }
  [[noreturn]] void fail(std::string_view what) const { throw line_error(text_, at_ + 1, what); }

  constexpr void part(calls& to, bool prelude) {
    for (skip(); at_ != text_.size() && text_[at_] != '|' && text_[at_] != ':' && text_[at_] != ')'; skip()) {
      const std::size_t first = to.size();
      if (accept('(')) {
        if (++depth_ > deepest) fail("more than 8 parentheses within each other");
        part(to, prelude);
        expect(')');
        --depth_;
      } else if (!item(to, prelude)) {
        continue;
      }
      if (accept('*')) {
        const std::size_t times = number();
        if (times == 0) fail("0 times");
        if (!to.repeat(first, times - 1)) fail("more than 24 calls in a part");
      }
    }
  }
  /// A call; false for a setting.
  constexpr bool item(calls& to, bool prelude) {
    const std::size_t start = at_;
    const std::string_view name = word();
    if (prelude && accept('=')) {
      const std::size_t place = find(known_.settings, name);
      if (place == known_.settings.size()) at_ = start, fail_unknown("no such setting", {known_.settings});
      if (line_.values[place] != line::unset) at_ = start, fail("a setting twice");
      line_.values[place] = number();
      return false;
    }
    if (prelude && name == "leave") {
      line_.leaves = true;
      return false;
    }
    call c;
    c.column = start + 1;
    if (!prelude && (name == "tell" || name == "told")) {
      c.what = name == "tell" ? call::kind::tell : call::kind::told;
      line_.tells = true;
      numbers(c);
      if (c.numbers > 1 || c.at(0, 1) == 0) at_ = start, fail("one number above 0 was expected");
    } else {
      std::size_t place = find(known_.words, name);
      if (place == known_.words.size() && prelude) place += find(known_.before, name);
      if (place == known_.words.size() + (prelude ? known_.before.size() : 0)) {
        at_ = start;
        fail_unknown("no such word here", {known_.words, prelude ? known_.before : std::span(said)});
      }
      c.word = static_cast<std::uint8_t>(place);
      numbers(c);
      c.on_success = !prelude && accept('?');
      c.must = accept('!');
    }
    if (!to.add(c)) fail("more than 24 calls in a part");
    return true;
  }
  constexpr void numbers(call& c) {
    if (at_ == text_.size() || text_[at_] != '(') return;
    ++at_;
    do {
      if (c.numbers == c.number.size()) fail("more than two numbers");
      c.number[c.numbers++] = static_cast<std::uint8_t>(number());
    } while (accept(','));
    expect(')');
  }
  constexpr std::string_view word() {
    const std::size_t start = at_;
    while (at_ != text_.size() &&
           (is_letter(text_[at_]) || (at_ != start && (text_[at_] == '-' || is_digit(text_[at_])))))
      ++at_;
    if (start == at_) fail("a word was expected");
    return text_.substr(start, at_ - start);
  }
  constexpr std::size_t number() {
    if (at_ == text_.size() || !is_digit(text_[at_])) fail("a number was expected");
    const std::size_t start = at_;
    std::size_t n = 0;
    for (; at_ != text_.size() && is_digit(text_[at_]); ++at_) {
      n = n * 10 + static_cast<std::size_t>(text_[at_] - '0');
      if (n > 255) at_ = start, fail("a number above 255");
    }
    return n;
  }
  constexpr bool accept(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  constexpr void expect(char c) {
    if (!accept(c)) fail(c == ')' ? ") was expected" : ": was expected");
  }
  constexpr void skip() {
    while (at_ != text_.size() && text_[at_] == ' ') ++at_;
  }
  static constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }
  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static constexpr std::size_t find(std::span<const char* const> in, std::string_view name) {
    std::size_t place = 0;
    while (place != in.size() && in[place] != name) ++place;
    return place;
  }

  static constexpr std::array<const char*, 2> said{"tell", "told"};

  std::string_view text_;
  const vocabulary& known_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  line line_;
};

}  // namespace detail

/// Throws line_error. In a constant expression, text that is no line does not compile.
constexpr line parse(std::string_view text, const vocabulary& known) {
  return detail::line_parser(text, known).parse();
}

/// The vocabulary of a client: `words`, `settings` and, if it has it, `before` of its class.
template <class Client>
constexpr vocabulary vocabulary_of() {
  if constexpr (requires { Client::before; }) {
    return {Client::words, Client::settings, Client::before};
  } else {
    return {Client::words, Client::settings};
  }
}

}  // namespace licit::suites

#endif
