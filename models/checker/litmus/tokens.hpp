/// The words of a litmus file as a parser wants them: looked ahead at, accepted, expected.
#ifndef LICIT_MODELS_LITMUS_TOKENS_HPP
#define LICIT_MODELS_LITMUS_TOKENS_HPP

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "checker/litmus/lexer.hpp"

namespace licit::litmus {

class tokens {
 public:
  explicit tokens(lexer& source) : source_{source} {}

  const token& peek(std::size_t ahead = 0);
  token take();

  bool at(std::string_view text, std::size_t ahead = 0);
  bool accept(std::string_view text);
  /// Throws syntax_error "expected … but found …", as the others do.
  token expect(std::string_view text);
  token expect_identifier(const std::string& role);
  std::int64_t expect_number(const std::string& role);
  /// With an optional sign.
  std::int64_t expect_value();
  [[noreturn]] void unexpected(const std::string& expected);

 private:
  lexer& source_;
  std::deque<token> ahead_;
};

/// Counts how deep a parser has recursed: the stacks are finite.
class nesting {
 public:
  static constexpr unsigned limit = 64;

  /// Throws syntax_error.
  nesting(unsigned& depth, position where) : depth_{depth} {
    if (depth == limit) throw syntax_error(where, "nested more than " + std::to_string(limit) + " deep");
    ++depth;
  }
  ~nesting() { --depth_; }
  nesting(const nesting&) = delete;
  nesting& operator=(const nesting&) = delete;

 private:
  unsigned& depth_;
};

}  // namespace licit::litmus

#endif
