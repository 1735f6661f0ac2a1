/// The words of a litmus file.
#ifndef LICIT_MODELS_LITMUS_LEXER_HPP
#define LICIT_MODELS_LITMUS_LEXER_HPP

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "checker/litmus/ast.hpp"

namespace licit::litmus {

enum class word_kind { identifier, number, string, symbol, end };

struct token {
  word_kind kind = word_kind::end;
  std::string_view text;  ///< of the source; of a string, without its quotes
  position where;
};

struct comment {
  std::string_view text;  ///< without its delimiters
  position where;
};

/// What stands before the init block. Herd's own files have lines such as `Cycle=...` there, which say nothing to us.
struct header {
  std::string_view language;
  std::string_view name;
  std::string_view description;
  position where;
};

/// The source must outlive what comes of it. Throws syntax_error.
///
/// `(*` opens an OCaml comment, which nest; but C's `(*x == 1)` is a parenthesis: so it is taken when a name follows
/// at once and no `*)` comes before the next `;`, `{` or `}`.
class lexer {
 public:
  explicit lexer(std::string_view source) : source_{source} {}

  /// First of all: everything up to the init block's brace.
  header read_header();
  token next();
  [[nodiscard]] const std::vector<comment>& comments() const { return comments_; }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool starts(std::string_view text) const { return source_.substr(at_).starts_with(text); }
  [[nodiscard]] bool opens_comment() const;
  void advance(std::size_t characters);
  void skip_blank();
  void skip_nested_comment();
  void skip_comment(std::string_view close, bool must_close);
  std::string_view until_blank();
  token string();

  std::string_view source_;
  std::size_t at_ = 0;
  position where_;
  std::vector<comment> comments_;
};

/// The words as a parser wants them: looked ahead at, accepted, expected.
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
