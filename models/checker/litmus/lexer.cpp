#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include "checker/litmus/parsers.hpp"

namespace licit::litmus {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); }

/// Longer ones before their prefixes.
constexpr std::array<std::string_view, 22> long_symbols{
    "<<=", ">>=", "/\\", "\\/", "&&", "||", "==", "!=", "<=", ">=", "<<",
    ">>",  "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^="};
constexpr std::string_view symbols = "{}()[];:,=*&|^~!<>+-/%";

std::string shown(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte < 0x7f) return std::string("'") + c + "'";
  return std::string("the byte 0x") + digits[byte >> 4U] + digits[byte & 15U];
}

/// A number's digits, without a suffix of C's: `u`, `l`, `ll`, or `u` and one of the others.
std::string_view without_suffix(std::string_view number) {
  std::string_view digits = number;
  const auto drop = [&](std::string_view suffix) {
    const bool has = digits.size() > suffix.size() && digits.ends_with(suffix);
    if (has) digits.remove_suffix(suffix.size());
    return has;
  };
  const auto is_unsigned = [&] { return drop("u") || drop("U"); };
  const auto is_long = [&] { return drop("ll") || drop("LL") || drop("l") || drop("L"); };
  if (is_unsigned()) {
    is_long();
  } else if (is_long()) {
    is_unsigned();
  }
  return digits;
}

}  // namespace

void lexer::advance(std::size_t characters) {
  for (; characters != 0 && at_ < source_.size(); --characters, ++at_) {
    if (source_[at_] == '\n') {
      ++where_.line;
      where_.column = 1;
    } else {
      ++where_.column;
    }
  }
}

bool lexer::opens_comment() const {
  if (!starts("(*")) return false;
  if (!is_name(peek(2)) && peek(2) != '(') return true;
  const std::size_t close = source_.find("*)", at_ + 2);
  return close != std::string_view::npos && close < source_.find_first_of(";{}", at_);
}

void lexer::skip_nested_comment() {
  const position start = where_;
  advance(2);
  const std::size_t from = at_;
  for (unsigned depth = 1; depth != 0;) {
    if (at_ == source_.size()) throw syntax_error(start, "expected '*)' to close this comment");
    if (starts("*)")) {
      --depth;
      advance(2);
    } else if (starts("(*")) {
      ++depth;
      advance(2);
    } else {
      advance(1);
    }
  }
  comments_.push_back({source_.substr(from, at_ - 2 - from), start});
}

void lexer::skip_comment(std::string_view close, bool must_close) {
  const position start = where_;
  advance(2);
  const std::size_t from = at_;
  const std::size_t end = source_.find(close, at_);
  if (end == std::string_view::npos && must_close) {
    throw syntax_error(start, "expected '" + std::string(close) + "' to close this comment");
  }
  const std::size_t size = std::min(end, source_.size()) - from;
  comments_.push_back({source_.substr(from, size), start});
  advance(size + close.size());
}

void lexer::skip_blank() {
  for (;;) {
    if (at_ < source_.size() && is_blank(peek())) {
      advance(1);
    } else if (opens_comment()) {
      skip_nested_comment();
    } else if (starts("/*")) {
      skip_comment("*/", true);
    } else if (starts("//")) {
      skip_comment("\n", false);
    } else {
      return;
    }
  }
}

std::string_view lexer::until_blank() {
  const std::size_t from = at_;
  while (at_ < source_.size() && !is_blank(peek())) advance(1);
  return source_.substr(from, at_ - from);
}

token lexer::string() {
  const position start = where_;
  const std::size_t close = source_.find('"', at_ + 1);
  if (close == std::string_view::npos) throw syntax_error(start, "expected '\"' to close this string");
  const token t{word_kind::string, source_.substr(at_ + 1, close - at_ - 1), start};
  advance(close + 1 - at_);
  return t;
}

header lexer::read_header() {
  header h;
  skip_blank();
  const position start = where_;
  h.language = until_blank();
  if (h.language != "C") {
    const std::string found = h.language.empty() ? "the end of the file" : "'" + std::string(h.language) + "'";
    throw syntax_error(start, "expected 'C' and the name of the test but found " + found);
  }
  while (peek() == ' ' || peek() == '\t') advance(1);
  h.where = where_;
  if (peek() != '{') h.name = until_blank();
  if (h.name.empty()) throw syntax_error(h.where, "expected the name of the test");
  for (;;) {
    skip_blank();
    if (peek() == '{') return h;
    const position line = where_;
    if (peek() == '"') {
      const token t = string();
      if (h.description.empty()) h.description = t.text;
      continue;
    }
    const std::size_t end = std::min(source_.find('\n', at_), source_.size());
    if (source_.substr(at_, end - at_).find('=') == std::string_view::npos) {
      throw syntax_error(line, "expected '{' and the init block");
    }
    advance(end - at_);
  }
}

token lexer::next() {
  skip_blank();
  if (at_ == source_.size()) return {word_kind::end, {}, where_};
  if (peek() == '"') return string();
  const position start = where_;
  const auto take = [&](word_kind kind, std::size_t size) {
    const token t{kind, source_.substr(at_, size), start};
    advance(size);
    return t;
  };
  if (is_name(peek())) {
    std::size_t size = 1;
    while (is_name(peek(size))) ++size;
    return take(is_digit(peek()) ? word_kind::number : word_kind::identifier, size);
  }
  for (const std::string_view s : long_symbols) {
    if (starts(s)) return take(word_kind::symbol, s.size());
  }
  if (symbols.find(peek()) == std::string_view::npos) {
    throw syntax_error(start, shown(peek()) + " means nothing here");
  }
  return take(word_kind::symbol, 1);
}

const token& tokens::peek(std::size_t ahead) {
  while (ahead_.size() <= ahead) ahead_.push_back(source_.next());
  return ahead_[ahead];
}

token tokens::take() {
  const token t = peek();
  ahead_.pop_front();
  return t;
}

bool tokens::at(std::string_view text, std::size_t ahead) {
  const token& t = peek(ahead);
  return t.text == text && (t.kind == word_kind::symbol || t.kind == word_kind::identifier);
}

bool tokens::accept(std::string_view text) {
  if (!at(text)) return false;
  take();
  return true;
}

void tokens::unexpected(const std::string& expected) {
  const token& t = peek();
  const std::string found = t.kind == word_kind::end ? "the end of the file" : "'" + std::string(t.text) + "'";
  throw syntax_error(t.where, "expected " + expected + " but found " + found);
}

token tokens::expect(std::string_view text) {
  if (!at(text)) unexpected("'" + std::string(text) + "'");
  return take();
}

token tokens::expect_identifier(const std::string& role) {
  if (peek().kind != word_kind::identifier) unexpected(role);
  return take();
}

std::int64_t tokens::expect_number(const std::string& role) {
  if (peek().kind != word_kind::number) unexpected(role);
  const token t = take();
  std::string_view digits = without_suffix(t.text);
  if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) {
    throw syntax_error(t.where, "expected " + role + " but found '" + std::string(t.text) +
                                    "', which C reads as octal and herd does not: leave out the leading zeros");
  }
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) digits.remove_prefix(2);
  std::int64_t number = 0;
  const char* const end = digits.data() + digits.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): the end is given
  const auto read = std::from_chars(digits.data(), end, number, hexadecimal ? 16 : 10);
  if (read.ec == std::errc::result_out_of_range) {
    throw syntax_error(t.where, "expected a number of at most 63 bits but found '" + std::string(t.text) + "'");
  }
  if (read.ec != std::errc{} || read.ptr != end) {
    throw syntax_error(t.where, "expected " + role + " but found '" + std::string(t.text) + "'");
  }
  return number;
}

std::int64_t tokens::expect_value() {
  if (accept("-")) return -expect_number("a number");
  accept("+");
  return expect_number("a number");
}

}  // namespace licit::litmus
