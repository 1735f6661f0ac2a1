#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "checker/litmus/ast.hpp"
#include "checker/litmus/parsers.hpp"
#include "core/clock.hpp"

namespace licit::litmus {

namespace {

class parser {
 public:
  explicit parser(std::string_view source) : lexer_{source}, in_{lexer_} {}

  test parse() {
    const header h = lexer_.read_header();
    made_.name = h.name;
    made_.description = h.description;
    init_block();
    threads();
    initial_registers();
    clauses();
    expectations();
    return std::move(made_);
  }

 private:
  static constexpr std::int64_t most_elements = 64;
  static constexpr std::size_t most_arrays = 64;

  /// A register's initial value, known to be one only when its thread has been read.
  struct preset {
    std::int64_t thread;
    token name;
    value initial;
  };

  void init_block() {
    in_.expect("{");
    while (!in_.accept("}")) {
      if (in_.accept(";")) continue;
      initial_value();
      if (!in_.at("}") && !in_.accept(";")) in_.unexpected("';' or '}'");
    }
  }

  void initial_value() {
    if (in_.peek().kind == word_kind::number) {
      const std::int64_t thread = in_.expect_number("a thread's number");
      in_.expect(":");
      const token name = in_.expect_identifier("a local variable");
      in_.expect("=");
      const auto same = [&](const preset& p) { return p.thread == thread && p.name.text == name.text; };
      if (std::ranges::any_of(presets_, same)) {
        throw syntax_error(name.where, "'" + std::string(name.text) + "' has an initial value already");
      }
      presets_.push_back({thread, name, in_.expect_value()});
      return;
    }
    const bool typed = in_.peek().kind == word_kind::identifier && names_type(in_.peek().text);
    if (typed) parse_type(in_);
    const bool bracketed = !typed && in_.accept("[");
    const token name = in_.expect_identifier("a variable, as in x=1 or atomic_int x=1,");
    if (bracketed) in_.expect("]");
    if (find_shared(made_, name.text)) {
      throw syntax_error(name.where, "'" + std::string(name.text) + "' has an initial value already");
    }
    if (!bracketed && in_.accept("[")) return elements(name);
    location l{std::string(name.text), 0};
    if (!typed || in_.at("=")) {
      in_.expect("=");
      l.initial = in_.expect_value();
    }
    made_.locations.push_back(std::move(l));
  }

  /// `int y[2] = {1, 2}`; those without a value are 0.
  void elements(const token& name) {
    const position where = in_.peek().where;
    const std::int64_t size = in_.expect_number("the number of elements");
    if (size < 1 || size > most_elements) {
      throw syntax_error(where, "an array has 1 to " + std::to_string(most_elements) + " elements");
    }
    if (made_.arrays.size() == most_arrays) {
      throw syntax_error(name.where, "expected at most " + std::to_string(most_arrays) + " arrays");
    }
    in_.expect("]");
    const array made{std::string(name.text), static_cast<unsigned>(made_.locations.size()),
                     static_cast<unsigned>(size)};
    for (unsigned i = 0; i != made.elements; ++i) {
      made_.locations.push_back({made.name + "[" + std::to_string(i) + "]", 0});
    }
    made_.arrays.push_back(made);
    if (!in_.accept("=")) return;
    in_.expect("{");
    for (unsigned i = 0; !in_.accept("}"); ++i) {
      if (i == made.elements) in_.unexpected("'}', as " + outside(made.name, i, made.elements) + ",");
      made_.locations[made.first + i].initial = in_.expect_value();
      if (!in_.at("}")) in_.expect(",");
    }
  }

  void threads() {
    for (;;) {
      const std::size_t n = made_.threads.size();
      const std::string name = "P" + std::to_string(n);
      if (!in_.at(name)) {
        const token& t = in_.peek();
        const bool other = t.kind == word_kind::identifier && t.text.starts_with('P') && in_.at("(", 1);
        if (n == 0 || other) in_.unexpected("'" + name + "'");
        return;
      }
      const position where = in_.take().where;
      if (n == checker::max_threads) {
        throw syntax_error(where, "expected at most " + std::to_string(checker::max_threads) + " threads");
      }
      made_.threads.emplace_back();
      thread_parser(in_, made_, made_.threads.back()).parse();
    }
  }

  void initial_registers() {
    for (const preset& p : presets_) {
      const bool known = p.thread >= 0 && static_cast<std::size_t>(p.thread) < made_.threads.size();
      const auto r =
          known ? find(made_.threads[static_cast<std::size_t>(p.thread)].registers, p.name.text) : std::nullopt;
      if (!r) {
        throw syntax_error(
            p.name.where, "P" + std::to_string(p.thread) + " has no local variable '" + std::string(p.name.text) + "'");
      }
      made_.threads[static_cast<std::size_t>(p.thread)].initial[*r] = p.initial;
    }
  }

  void clauses() {
    bool listed = false;
    for (;;) {
      condition_parser conditions{in_, made_};
      if (in_.accept("locations")) {
        listed = true;
        in_.expect("[");
        while (!in_.accept("]")) {
          observe(conditions.any_variable());
          if (!in_.at("]") && !in_.accept(";")) in_.unexpected("';' or ']'");
        }
      } else if (in_.accept("filter")) {
        made_.filter = conditions.parse();
      } else {
        break;
      }
    }
    if (listed && in_.peek().kind == word_kind::end) {
      made_.quantified = quantifier::forall;  // of `true`: the states are what is asked for
      return;
    }
    quantified();
    if (in_.peek().kind != word_kind::end) in_.unexpected("the end of the file");
  }

  void quantified() {
    if (in_.accept("exists")) {
      made_.quantified = quantifier::exists;
    } else if (in_.at("~") && in_.at("exists", 1)) {
      in_.take();
      in_.take();
      made_.quantified = quantifier::not_exists;
    } else if (in_.accept("forall")) {
      made_.quantified = quantifier::forall;
    } else {
      in_.unexpected("'exists', '~exists' or 'forall'");
    }
    made_.final = condition_parser(in_, made_).parse();
    observe_all(made_.final);
  }

  void observe(const variable& v) {
    if (std::ranges::find(made_.observed, v) == made_.observed.end()) made_.observed.push_back(v);
  }
  void observe_all(const condition& c) {
    if (c.what == condition::kind::equal) observe(c.of);
    for (const condition& o : c.operands) observe_all(o);
  }

  void expectations() {
    for (const comment& c : lexer_.comments()) {
      const std::size_t start = c.text.find_first_not_of(" \t\n");
      if (start == std::string_view::npos || !c.text.substr(start).starts_with("expect:")) continue;
      if (made_.expected) throw syntax_error(c.where, "a second 'expect:' in the test " + made_.name);
      try {
        expectation_in(c.text.substr(start + 7));
      } catch (const syntax_error& e) {
        throw syntax_error(c.where, std::string("in this comment: ") + e.what());
      }
    }
  }

  void expectation_in(std::string_view text) {
    lexer words{text};
    tokens in{words};
    expectation e;
    e.allowed = in.accept("allowed");
    if (!e.allowed && !in.accept("forbidden")) in.unexpected("'allowed' or 'forbidden'");
    e.executions = static_cast<std::uint64_t>(in.expect_number("the number of executions"));
    if (in.accept("blocked")) e.blocked = static_cast<std::uint64_t>(in.expect_number("a number"));
    e.race = in.accept("race");
    if (in.peek().kind != word_kind::end) in.unexpected("'blocked', 'race' or the end of the comment");
    made_.expected = e;
  }

  lexer lexer_;
  tokens in_;
  test made_;
  std::vector<preset> presets_;
};

}  // namespace

test parse(std::string_view source) { return parser(source).parse(); }

std::string name(const test& t, const variable& v) {
  if (v.thread == variable::shared) return t.locations[v.index].name;
  return std::to_string(v.thread) + ":" + t.threads[static_cast<std::size_t>(v.thread)].registers[v.index];
}

std::string array_name(const test& t, unsigned location) {
  const auto found = std::ranges::find(t.arrays, location, &array::first);
  return found == t.arrays.end() ? t.locations[location].name : found->name;
}

std::vector<test> parse_all(std::string_view source) {
  // Where each test but the first begins.
  std::vector<std::size_t> begins{0};
  for (std::size_t at = source.find("C "); at != std::string_view::npos; at = source.find("\nC ", at + 1)) {
    const std::size_t line = at + (source[at] == '\n' ? 1 : 0);
    const bool first = source.substr(0, line).find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (!first && source[at] == '\n') begins.push_back(line);
  }
  std::vector<test> all;
  for (std::size_t i = 0; i != begins.size(); ++i) {
    const std::size_t end = i + 1 == begins.size() ? source.size() : begins[i + 1];
    // Lines before the test stand for themselves, so that an error names the file's line.
    std::string text(static_cast<std::size_t>(std::ranges::count(source.substr(0, begins[i]), '\n')), '\n');
    text += source.substr(begins[i], end - begins[i]);
    all.push_back(parse(text));
  }
  return all;
}

}  // namespace licit::litmus
