/// S-expressions: the form of SMT-LIB and of the files of invariants.
#ifndef LICIT_PROOF_SEXPR_HPP
#define LICIT_PROOF_SEXPR_HPP

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace licit::proof {

struct sexpr {
  std::string atom = {};  ///< with its quotes, if it has some; empty: a list
  std::vector<sexpr> list = {};
  std::size_t line = 0;  ///< of the text where it begins; 0: it was made

  [[nodiscard]] bool is(std::string_view word) const { return atom == word; }
  /// Of a list whose first element is that word.
  [[nodiscard]] bool starts(std::string_view word) const { return !list.empty() && list[0].atom == word; }
};

inline std::string text(const sexpr& e) {
  if (!e.atom.empty()) return e.atom;
  std::string out = "(";
  for (const sexpr& each : e.list) {
    if (out.size() > 1) out += ' ';
    out += text(each);
  }
  return out + ")";
}

/// All of the text, comments left out. Throws std::runtime_error where parentheses or quotes do not match.
inline std::vector<sexpr> parse(std::string_view text) {
  std::vector<sexpr> open(1);
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      ++i;
    } else if (c == ';') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (c == '(') {
      open.push_back({.line = line});
      ++i;
    } else if (c == ')') {
      if (open.size() == 1) throw std::runtime_error("licit: a parenthesis too many");
      sexpr done = std::move(open.back());
      open.pop_back();
      open.back().list.push_back(std::move(done));
      ++i;
    } else if (c == '"') {
      const std::size_t end = text.find('"', i + 1);
      if (end == std::string_view::npos) throw std::runtime_error("licit: a quote without its partner");
      open.back().list.push_back({.atom = std::string(text.substr(i, end + 1 - i)), .line = line});
      line += static_cast<std::size_t>(std::ranges::count(text.substr(i, end - i), '\n'));
      i = end + 1;
    } else if (c == ' ' || c == '\t') {
      ++i;
    } else {
      const std::size_t end = std::min(text.find_first_of(" \n\t()\";", i), text.size());
      open.back().list.push_back({.atom = std::string(text.substr(i, end - i)), .line = line});
      i = end;
    }
  }
  if (open.size() != 1) throw std::runtime_error("licit: a parenthesis is not closed");
  return std::move(open[0].list);
}

/// Every atom by `by`.
inline sexpr mapped(const sexpr& e, const std::function<sexpr(const std::string&)>& by) {
  if (!e.atom.empty()) {
    sexpr made = by(e.atom);
    if (made.line == 0) made.line = e.line;
    return made;
  }
  sexpr out{.line = e.line};
  for (const sexpr& each : e.list) out.list.push_back(mapped(each, by));
  return out;
}

inline void atoms(const sexpr& e, std::set<std::string>& to) {
  if (!e.atom.empty()) to.insert(e.atom);
  for (const sexpr& each : e.list) atoms(each, to);
}

}  // namespace licit::proof

#endif
