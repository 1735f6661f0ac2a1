#include "checker/litmus/tokens.hpp"

#include <charconv>

namespace licit::litmus {

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
  std::string_view digits = t.text;
  while (digits.size() > 1 && std::string_view("uUlL").find(digits.back()) != std::string_view::npos) {
    digits.remove_suffix(1);
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
