/// The words of a litmus file.
#ifndef LICIT_MODELS_LITMUS_LEXER_HPP
#define LICIT_MODELS_LITMUS_LEXER_HPP

#include <string>
#include <string_view>
#include <vector>

#include "checker/litmus/error.hpp"

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

}  // namespace licit::litmus

#endif
