/// Terms of the wake-up protocol's system on numbers: of many sorts, bit-vectors and arrays of arrays among them.
/// Quantifiers range over a small universe.
#ifndef LICIT_TESTS_PROOF_TYPED_HPP
#define LICIT_TESTS_PROOF_TYPED_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "proof/prove.hpp"

namespace licit::proof::typed {

using cell = std::uint64_t;
using cells = std::vector<cell>;

struct sort {
  std::string of_index;  ///< for each dimension of an array: I by numbers, T by threads
  unsigned width = 0;    ///< of a bit-vector
  char base = 'I';       ///< Int, Bool, Thread or V, a bit-vector
};
inline sort sort_of(const sexpr& e) {
  if (e.starts("Array")) {
    sort inner = sort_of(e.list.at(2));
    inner.of_index.insert(0, e.list.at(1).is("Thread") ? "T" : "I");
    return inner;
  }
  if (e.starts("_")) return {"", static_cast<unsigned>(std::stoul(e.list.at(2).atom)), 'V'};
  return {"", 0, e.atom.at(0)};
}

struct frame {
  const cells* before;
  const cells* after;
  const cells* learnt;
  std::array<cell, 10> bound;
};
/// An array is a function of its indices.
struct term {
  sort of;
  std::function<cell(frame&, const cell*)> at;
};

/// The state in memory. Numbers range from 0 to `most`; the first threads are workers.
class universe {
 public:
  universe(const state& variables, unsigned workers, unsigned threads, cell most)
      : workers_{workers}, threads_{threads}, most_{most} {
    for (const auto& [name, text] : variables.sorts) {
      variable v{sort_of(parse(text).at(0)), size_};
      size_ += cells_of(v.of);
      all_[name] = v;
    }
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] cell most() const { return most_; }
  [[nodiscard]] unsigned threads() const { return threads_; }
  [[nodiscard]] std::size_t at(const std::string& name, cell i = 0) const { return all_.at(name).at + i; }
  [[nodiscard]] const sort& sort_of_variable(const std::string& name) const { return all_.at(name).of; }

  /// Writes the value of the term into the variable, element by element.
  void assign(const std::string& name, const term& value, frame& f, cells& to) const {
    const variable& v = all_.at(name);
    std::array<cell, 3> i{};
    cells made(cells_of(v.of));
    for (std::size_t n = 0; n != made.size(); ++n) {
      std::size_t rest = n;
      for (std::size_t d = v.of.of_index.size(); d-- != 0;) {
        i[d] = rest % extent(v.of.of_index[d]);
        rest /= extent(v.of.of_index[d]);
      }
      made[n] = value.at(f, i.data());
    }
    std::ranges::copy(made, to.begin() + static_cast<std::ptrdiff_t>(v.at));
  }

  using scope = std::map<std::string, std::pair<std::size_t, sort>>;
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the text
  [[nodiscard]] term compiled(const sexpr& e, const scope& bound) const {
    if (!e.atom.empty()) return atom(e.atom, bound);
    const sexpr& head = e.list.at(0);
    if (head.is("!")) return compiled(e.list.at(1), bound);
    if (head.is("forall")) return forall(e, bound);
    std::vector<term> args;
    for (std::size_t i = 1; i != e.list.size(); ++i) args.push_back(compiled(e.list[i], bound));
    if (head.starts("_")) {  // extract
      const unsigned high = number(head.list.at(2)), low = number(head.list.at(3));
      return {{"", high - low + 1, 'V'}, [a = args[0].at, low, width = high - low + 1](frame& f, const cell* i) {
                return cut(a(f, i) >> low, width);
              }};
    }
    if (head.is("select")) return selected(args);
    if (head.is("store")) {
      return {args[0].of, [a = args[0].at, i = args[1].at, v = args[2].at](frame& f, const cell* at) {
                return i(f, nullptr) == at[0] ? v(f, at + 1) : a(f, at);
              }};
    }
    if (head.is("ite")) {
      return {args[1].of, [c = args[0].at, a = args[1].at, b = args[2].at](frame& f, const cell* i) {
                return c(f, nullptr) != 0 ? a(f, i) : b(f, i);
              }};
    }
    return applied(head.atom, args);
  }

 private:
  struct variable {
    sort of;
    std::size_t at = 0;
  };
  static unsigned number(const sexpr& e) { return static_cast<unsigned>(std::stoul(e.atom)); }
  static cell cut(cell x, unsigned width) { return width >= 64 ? x : x & ((cell{1} << width) - 1); }
  [[nodiscard]] std::size_t extent(char index) const { return index == 'T' ? threads_ : most_ + 1; }
  [[nodiscard]] std::size_t cells_of(const sort& s) const {
    std::size_t n = 1;
    for (const char d : s.of_index) n *= extent(d);
    return n;
  }

  [[nodiscard]] term atom(const std::string& name, const scope& bound) const {
    if (const auto found = bound.find(name); found != bound.end()) {
      return {found->second.second, [n = found->second.first](frame& f, const cell*) { return f.bound[n]; }};
    }
    const auto constant = [](cell c, sort s) { return term{std::move(s), [c](frame&, const cell*) { return c; }}; };
    if (name == "true" || name == "false") return constant(name == "true", {"", 0, 'B'});
    if (name[0] >= '0' && name[0] <= '9') return constant(std::stoull(name), {});
    if (name.starts_with("#x")) {
      return constant(std::stoull(name.substr(2), nullptr, 16), {"", 4 * static_cast<unsigned>(name.size() - 2), 'V'});
    }
    if (name == "workers") return constant(workers_, {"", 64, 'V'});
    if (name == "everyone") return constant((cell{1} << workers_) - 1, {"", 32, 'V'});
    if (name == "somebody") return constant(0, {"", 0, 'T'});
    if (name == "learnt") {
      return {{"I", 0, 'B'}, [](frame& f, const cell* i) { return i[0] < f.learnt->size() ? (*f.learnt)[i[0]] : 0; }};
    }
    const bool after = name.ends_with('!');
    const variable& v = all_.at(after ? name.substr(0, name.size() - 1) : name);
    return {v.of, [this, v, after](frame& f, const cell* i) -> cell {
              std::size_t at = 0;
              for (std::size_t d = 0; d != v.of.of_index.size(); ++d) {
                const std::size_t all = extent(v.of.of_index[d]);
                if (i[d] >= all) return 0;  // beyond the universe: nothing was there
                at = at * all + i[d];
              }
              return (after ? *f.after : *f.before)[v.at + at];
            }};
  }

  [[nodiscard]] static term selected(const std::vector<term>& args) {
    sort inner = args[0].of;
    inner.of_index.erase(0, 1);
    return {inner, [a = args[0].at, i = args[1].at, more = inner.of_index.size()](frame& f, const cell* at) {
              std::array<cell, 3> all{i(f, nullptr)};
              for (std::size_t d = 0; d != more; ++d) all[d + 1] = at[d];
              return a(f, all.data());
            }};
  }
  [[nodiscard]] term forall(const sexpr& e, scope bound) const {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (const sexpr& v : e.list.at(1).list) {
      const sort s = sort_of(v.list.at(1));
      const std::size_t n = bound.size();
      bound[v.list.at(0).atom] = {n, s};
      all.emplace_back(n, extent(s.base));
    }
    return {{"", 0, 'B'}, [all, body = compiled(e.list.at(2), bound).at](frame& f, const cell*) {
              return cell{every(f, all, 0, body)};
            }};
  }
  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are variables
  static bool every(frame& f, const std::vector<std::pair<std::size_t, std::size_t>>& all, std::size_t n,
                    const std::function<cell(frame&, const cell*)>& body) {
    if (n == all.size()) return body(f, nullptr) != 0;
    for (cell i = 0; i != all[n].second; ++i) {
      f.bound[all[n].first] = i;
      if (!every(f, all, n + 1, body)) return false;
    }
    return true;
  }

  [[nodiscard]] term applied(const std::string& head, const std::vector<term>& args) const {
    const auto truth = [](auto what) { return term{{"", 0, 'B'}, std::move(what)}; };
    if (head == "and") {
      return truth([args](frame& f, const cell*) {
        return cell{std::ranges::all_of(args, [&](const term& t) { return t.at(f, nullptr) != 0; })};
      });
    }
    if (head == "or") {
      return truth([args](frame& f, const cell*) {
        return cell{std::ranges::any_of(args, [&](const term& t) { return t.at(f, nullptr) != 0; })};
      });
    }
    if (head == "=>") {
      return truth(
          [args](frame& f, const cell*) { return cell{args[0].at(f, nullptr) == 0 || args[1].at(f, nullptr) != 0}; });
    }
    if (head == "not") return truth([a = args[0].at](frame& f, const cell*) { return cell{a(f, nullptr) == 0}; });
    static const std::map<std::string, bool (*)(std::int64_t, std::int64_t)> comparisons{
        {"=", [](std::int64_t a, std::int64_t b) { return a == b; }},
        {"<", [](std::int64_t a, std::int64_t b) { return a < b; }},
        {"<=", [](std::int64_t a, std::int64_t b) { return a <= b; }},
        {">", [](std::int64_t a, std::int64_t b) { return a > b; }},
        {">=", [](std::int64_t a, std::int64_t b) { return a >= b; }},
        {"bvuge", [](std::int64_t a, std::int64_t b) { return static_cast<cell>(a) >= static_cast<cell>(b); }},
        {"bvule", [](std::int64_t a, std::int64_t b) { return static_cast<cell>(a) <= static_cast<cell>(b); }}};
    if (const auto found = comparisons.find(head); found != comparisons.end()) {
      return truth([args, compare = found->second](frame& f, const cell*) {
        for (std::size_t i = 1; i != args.size(); ++i) {
          if (!compare(static_cast<std::int64_t>(args[i - 1].at(f, nullptr)),
                       static_cast<std::int64_t>(args[i].at(f, nullptr)))) {
            return cell{0};
          }
        }
        return cell{1};
      });
    }
    return head.starts_with("bv") || head == "+" || head == "-" || head == "concat" ? arithmetic(head, args)
                                                                                    : about_bits(head, args);
  }

  [[nodiscard]] static term arithmetic(const std::string& head, const std::vector<term>& args) {
    const unsigned width = args[0].of.width;
    if (head == "concat") {
      return {{"", width + args[1].of.width, 'V'},
              [a = args[0].at, b = args[1].at, low = args[1].of.width](frame& f, const cell*) {
                return a(f, nullptr) << low | b(f, nullptr);
              }};
    }
    if (args.size() == 1) {
      return {args[0].of, [a = args[0].at, width, negates = head != "bvnot"](frame& f, const cell*) {
                const cell x = ~a(f, nullptr) + (negates ? 1 : 0);
                return width == 0 ? x : cut(x, width);
              }};
    }
    static const std::map<std::string, cell (*)(cell, cell)> operations{
        {"+", [](cell a, cell b) { return a + b; }},
        {"-", [](cell a, cell b) { return a - b; }},
        {"bvadd", [](cell a, cell b) { return a + b; }},
        {"bvsub", [](cell a, cell b) { return a - b; }},
        {"bvmul", [](cell a, cell b) { return a * b; }},
        {"bvudiv", [](cell a, cell b) { return b == 0 ? ~cell{0} : a / b; }},
        {"bvand", [](cell a, cell b) { return a & b; }},
        {"bvor", [](cell a, cell b) { return a | b; }},
        {"bvlshr", [](cell a, cell b) { return b >= 64 ? 0 : a >> b; }},
        {"bvshl", [](cell a, cell b) { return b >= 64 ? 0 : a << b; }}};
    return {args[0].of, [a = args[0].at, b = args[1].at, width, make = operations.at(head)](frame& f, const cell*) {
              const cell x = make(a(f, nullptr), b(f, nullptr));
              return width == 0 ? x : cut(x, width);
            }};
  }

  /// What crew_prelude() says of threads and bits.
  [[nodiscard]] term about_bits(const std::string& head, const std::vector<term>& args) const {
    const auto a = args.at(0).at;
    if (head == "worker") {
      return {{"", 0, 'B'}, [a, n = workers_](frame& f, const cell*) { return cell{a(f, nullptr) < n}; }};
    }
    if (head == "bit32" || head == "bit") {
      return {{"", head == "bit" ? 64U : 32U, 'V'},
              [a](frame& f, const cell*) { return cell{1} << std::min<cell>(a(f, nullptr), 31); }};
    }
    if (head == "who") {
      return {{"", 0, 'T'}, [a, n = threads_](frame& f, const cell*) {
                return std::min<cell>(static_cast<cell>(std::countr_zero(a(f, nullptr))), n - 1);
              }};
    }
    if (head == "bits-in") {
      return {{"", 16, 'V'}, [a](frame& f, const cell*) { return static_cast<cell>(std::popcount(a(f, nullptr))); }};
    }
    if (head != "with" && head != "without") throw std::logic_error("licit: no function " + head);
    return {{"", 32, 'V'}, [a, b = args.at(1).at, adds = head == "with"](frame& f, const cell*) {
              const cell bit = cell{1} << b(f, nullptr);
              return adds ? a(f, nullptr) | bit : a(f, nullptr) & ~bit;
            }};
  }

  unsigned workers_, threads_;
  cell most_;
  std::size_t size_ = 0;
  std::map<std::string, variable> all_;
};

}  // namespace licit::proof::typed

#endif
