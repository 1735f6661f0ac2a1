/// The words of a litmus file, and the parsers of C's expressions, as far as litmus tests have them, of threads and of
/// final conditions.
#ifndef LICIT_MODELS_LITMUS_PARSERS_HPP
#define LICIT_MODELS_LITMUS_PARSERS_HPP

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
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

/// The index of what has this name.
template <class Named>
std::optional<unsigned> find(const std::vector<Named>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& n) {
    if constexpr (requires { n.name; }) {
      return n.name == name;
    } else {
      return n == name;
    }
  });
  if (found == all.end()) return std::nullopt;
  return static_cast<unsigned>(found - all.begin());
}

/// What a name of shared memory stands for: a variable is an array of one element.
inline std::optional<array> find_shared(const test& whole, std::string_view name) {
  if (const auto a = find(whole.arrays, name)) return whole.arrays[*a];
  if (const auto l = find(whole.locations, name)) return array{std::string(name), *l, 1};
  return std::nullopt;
}

/// What the names in a thread's body mean.
class scope {
 public:
  scope(test& whole, thread& own) : whole_{whole}, own_{own} {}

  /// A parameter: the location is the file's of that name, made here if the init block does not name it.
  void add_parameter(std::string_view name) {
    if (!find_shared(whole_, name)) whole_.locations.push_back({std::string(name), 0});
    parameters_.emplace_back(name);
  }
  /// A register, known until the block ends. One name is one register, though it be declared in two blocks, one after
  /// the other: so it must not be known already.
  unsigned add_register(std::string_view name) {
    known_.emplace_back(name);
    if (const auto known = find(own_.registers, name)) return *known;
    own_.registers.emplace_back(name);
    own_.initial.push_back(0);
    return static_cast<unsigned>(own_.registers.size() - 1);
  }

  [[nodiscard]] std::optional<array> shared(std::string_view name) const {
    return find(parameters_, name) ? find_shared(whole_, name) : std::nullopt;
  }
  [[nodiscard]] std::string name_at(unsigned location) const { return array_name(whole_, location); }
  [[nodiscard]] std::optional<unsigned> register_of(std::string_view name) const {
    return find(known_, name) ? find(own_.registers, name) : std::nullopt;
  }
  /// What is declared while this is there is known as long as this is there.
  class block {
   public:
    explicit block(scope& of) : of_{of}, outside_{of.known_.size()} {}
    ~block() { of_.known_.resize(outside_); }
    block(const block&) = delete;
    block& operator=(const block&) = delete;

   private:
    scope& of_;
    std::size_t outside_;
  };

 private:
  test& whole_;
  thread& own_;
  std::vector<std::string> parameters_;
  std::vector<std::string> known_;  ///< registers
};

/// Whether the word begins a type's name.
bool names_type(std::string_view word);
/// Throws syntax_error for a word that C keeps for itself.
void check_name(const token& name);

/// Of one expression.
class expression_parser {
 public:
  expression_parser(tokens& in, const scope& names) : in_{in}, names_{names} {}

  /// Throws syntax_error.
  expression parse();
  /// The same, of what has a value: a store and a fence have none.
  expression parse_value();

 private:
  expression assignment();
  static constexpr unsigned additive = 9;  ///< the precedence of + and -
  expression binary(unsigned lowest);
  static void check_operators(unsigned in_a_row, position where);
  expression unary();
  expression primary();
  static expression assigned_to(const expression& to, expression to_value);
  expression subscript(const token& name, const array& of);
  void check_index(const expression& access, position where) const;
  static expression stepped(unsigned target, operation how, bool after);

  // In calls.cpp.
  expression call(const token& name);
  expression address();
  expression address_term();
  void expected_value(expression& e);
  order ordering(operation of, bool failure);

  tokens& in_;
  const scope& names_;
  unsigned depth_ = 0;
};

/// What a litmus file asks of the final states: exists (0:r0=1 /\ ~(x=2))
class condition_parser {
 public:
  condition_parser(tokens& in, const test& whole) : in_{in}, whole_{whole} {}

  /// Throws syntax_error, as the others do.
  condition parse() { return disjunction(); }
  /// 0:r0, x or [x].
  variable any_variable();

 private:
  condition disjunction();
  condition conjunction();
  condition atom();

  tokens& in_;
  const test& whole_;
  unsigned depth_ = 0;
};

/// Words of a type and its stars. Returns how many stars. Throws syntax_error.
unsigned parse_type(tokens& in);

/// The threads of a litmus test: P0 (atomic_int* x, int* y) { … }
class thread_parser {
 public:
  thread_parser(tokens& in, test& whole, thread& made) : in_{in}, names_{whole, made}, made_{made} {}

  /// From the opening parenthesis to the closing brace. Throws syntax_error.
  void parse();

 private:
  void parameters();
  statement block();
  statement any_statement();
  statement body();
  statement declaration();
  statement branch();
  statement while_loop();
  statement do_loop();
  statement for_loop();
  statement evaluated(expression e);
  expression any_expression() { return expression_parser(in_, names_).parse(); }
  expression any_value() { return expression_parser(in_, names_).parse_value(); }
  expression parenthesised();

  tokens& in_;
  scope names_;
  thread& made_;
  unsigned depth_ = 0;
};

}  // namespace licit::litmus

#endif
