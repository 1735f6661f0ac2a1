/// C's expressions, as far as litmus tests have them.
#ifndef LICIT_MODELS_LITMUS_EXPRESSION_PARSER_HPP
#define LICIT_MODELS_LITMUS_EXPRESSION_PARSER_HPP

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/litmus/ast.hpp"
#include "checker/litmus/lexer.hpp"

namespace licit::litmus {

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

/// What the names in a thread's body mean.
class scope {
 public:
  scope(test& whole, thread& own) : whole_{whole}, own_{own} {}

  /// A parameter: the location is the file's of that name, made here if the init block does not name it.
  void add_parameter(std::string_view name) {
    if (!find(whole_.locations, name)) whole_.locations.push_back({std::string(name), 0});
    parameters_.emplace_back(name);
  }
  /// A register; one name is one register, though it be declared in two blocks.
  unsigned add_register(std::string_view name) {
    if (const auto known = find(own_.registers, name)) return *known;
    own_.registers.emplace_back(name);
    own_.initial.push_back(0);
    return static_cast<unsigned>(own_.registers.size() - 1);
  }

  [[nodiscard]] std::optional<unsigned> location_of(std::string_view name) const {
    return find(parameters_, name) ? find(whole_.locations, name) : std::nullopt;
  }
  [[nodiscard]] std::optional<unsigned> register_of(std::string_view name) const { return find(own_.registers, name); }

 private:
  test& whole_;
  thread& own_;
  std::vector<std::string> parameters_;
};

/// Whether the word begins a type's name.
bool names_type(std::string_view word);

class expression_parser {
 public:
  expression_parser(tokens& in, const scope& names) : in_{in}, names_{names} {}

  /// Throws syntax_error.
  expression parse() { return assignment(); }

 private:
  expression assignment();
  expression binary(unsigned lowest);
  expression unary();
  expression primary();
  static expression assigned_to(const expression& to, expression to_value);
  static expression stepped(unsigned target, operation how, bool after);

  // In calls.cpp.
  expression call(const token& name);
  unsigned pointer();
  void expected_value(expression& e);
  order ordering(operation of, bool failure);

  tokens& in_;
  const scope& names_;
  unsigned depth_ = 0;
};

}  // namespace licit::litmus

#endif
