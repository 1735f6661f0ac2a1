#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/core.h>
#include <stdexcept>
#include <utility>

#include "machine/matrix/results.hpp"

namespace licit::matrix {

namespace {

constexpr std::string_view first_words = "licit kill matrix, record";
constexpr std::string_view between = " | ";

constexpr char letter(kind k) { return name(k).front(); }

constexpr char sign(finding f) {
  switch (f) {
    case finding::caught: return '+';
    case finding::not_caught: return '-';
    case finding::cannot_see: return '!';
    case finding::not_run: return '?';
  }
  return '?';
}

constexpr std::array<std::string_view, 4> kinds_of_remark{"reason", "note", "only", "excuse"};

std::string& of_kind(cell& c, std::string_view what) {
  if (what == "note") return c.note;
  if (what == "only") return c.only;
  return what == "excuse" ? c.excuse : c.reason;
}
/// A note beside `only` says the same at more length.
std::string of_kind(const cell& c, std::string_view what) {
  if (what == "note" && !c.only.empty()) return {};
  cell copy = c;
  return of_kind(copy, what);
}

void add(std::vector<remark>& all, std::string_view what, std::string_view text) {
  const auto known = [&](const remark& r) { return r.what == what && r.text == text; };
  if (text.empty() || std::ranges::any_of(all, known)) return;
  if (all.size() == 26) throw std::runtime_error("licit: the kill matrix' cells have more than 26 remarks");
  all.push_back({static_cast<char>('a' + all.size()), what, std::string(text)});
}

/// Most cells of a column have as many.
unsigned usual_seeds(const results& r, const std::string& column) {
  std::map<unsigned, std::size_t> counts;
  for (const judged_row& each : r.rows) {
    if (const cell* c = each.find(column)) ++counts[c->seeds];
  }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& n) { return n.second; });
  return most == counts.end() ? 0 : most->first;
}

/// "+773 @half_overwrite", "+13406 1/3", "-60000 b", "-262420 all".
std::string text_of(const cell* c, unsigned seeds, const std::vector<remark>& known) {
  if (c == nullptr) return ".";
  std::string text = sign(c->found) + std::to_string(c->executions);
  if (c->seeds != seeds || (c->caught() && c->caught_by != seeds))
    text += fmt::format(" {}/{}", c->caught_by, c->seeds);
  if (c->complete) text += " all";
  if (c->caught() && c->seeds == 0 && !c->program.empty()) text += " @" + c->program;
  const std::string letters = codes_of(*c, known);
  return letters.empty() ? text : text + " " + letters;
}

std::vector<std::string> split(const std::string& text, std::string_view by) {
  std::vector<std::string> all;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(by, from), text.size());
    all.push_back(text.substr(from, end - from));
    from = end + by.size();
  }
  return all;
}

template <class Number>
Number number(std::string_view text) {
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::runtime_error(fmt::format("'{}' is no number", text));
  }
  return n;
}

class reader {
 public:
  results read(const std::string& text, const std::string& where) {
    std::size_t line = 0;
    for (const std::string& each : split(text, "\n")) {
      ++line;
      try {
        take(each, line == 1);
      } catch (const std::runtime_error& e) {
        throw std::runtime_error(fmt::format("{}, line {}: {}", where, line, e.what()));
      }
    }
    return std::move(results_);
  }

 private:
  void take(const std::string& line, bool first) {
    if (first) {
      if (line != fmt::format("{} {}", first_words, record_version)) {
        throw std::runtime_error(fmt::format("is no '{} {}'", first_words, record_version));
      }
      return;
    }
    if (line.empty() || line.front() == '#') return;
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string word = line.substr(0, space);
    const std::string rest = line.substr(std::min(space + 1, line.size()));
    if (word == "licit") {
      results_.version = rest;
    } else if (word == "budget") {
      results_.budget = rest;
    } else if (word == "column") {
      add_column(split(rest, between));
    } else if (word == "structure") {
      add_structure(split(rest, between));
    } else if (word.size() == 1) {
      add_row(word.front(), split(rest, between));
    } else {
      add_remark(word, rest);
    }
  }
  void add_column(const std::vector<std::string>& parts) {
    if (parts.size() != 5) throw std::runtime_error("a column has name, title, seeds, machine and what it is");
    results_.columns.push_back({parts[0], parts[1], parts[4], parts[3] == "here" ? "" : parts[3]});
    seeds_.push_back(number<unsigned>(parts[2]));
  }
  void add_structure(const std::vector<std::string>& parts) {
    if (parts.size() != 4) throw std::runtime_error("a structure has name, two digests and when it was run");
    structure_ = parts[0];
    results_.judged[structure_] = {.code = parts[1], .clients = parts[2], .made = parts[3]};
  }
  void add_remark(const std::string& word, const std::string& rest) {
    const auto* const kind = std::ranges::find(kinds_of_remark, word);
    if (kind == kinds_of_remark.end() || rest.size() < 3) {
      throw std::runtime_error(fmt::format("'{}' is unknown", word));
    }
    remarks_.push_back({rest.front(), *kind, rest.substr(2)});
  }
  void add_row(char what, const std::vector<std::string>& parts) {
    constexpr std::array all{kind::ordering, kind::logic, kind::broken, kind::control};
    const auto* const known = std::ranges::find(all, what, letter);
    if (known == all.end()) throw std::runtime_error(fmt::format("there is no kind '{}' of rows", what));
    if (parts.size() != 2 + results_.columns.size()) throw std::runtime_error("not a cell for each column");
    judged_row r{.of = {.structure = structure_, .name = parts[0], .what = *known, .says = parts[1]}};
    for (std::size_t i = 0; i != results_.columns.size(); ++i) {
      if (parts[i + 2] != ".") r.cells[results_.columns[i].name] = cell_of(parts[i + 2], seeds_[i]);
    }
    results_.rows.push_back(std::move(r));
  }
  [[nodiscard]] cell cell_of(const std::string& text, unsigned seeds) const {
    constexpr std::array all{finding::caught, finding::not_caught, finding::cannot_see, finding::not_run};
    const std::vector<std::string> words = split(text, " ");
    const auto* const found = words[0].empty() ? all.end() : std::ranges::find(all, words[0].front(), sign);
    if (found == all.end()) throw std::runtime_error(fmt::format("'{}' is no cell", text));
    cell c{.found = *found, .executions = number<std::uint64_t>(std::string_view(words[0]).substr(1)), .seeds = seeds};
    if (c.caught()) c.caught_by = seeds;
    for (std::size_t i = 1; i != words.size(); ++i) add_to(c, words[i]);
    return c;
  }
  void add_to(cell& c, const std::string& word) const {
    if (word == "all") {
      c.complete = true;
    } else if (word.starts_with('@')) {
      c.program = word.substr(1);
    } else if (const std::size_t slash = word.find('/'); slash != std::string::npos) {
      c.caught_by = number<unsigned>(std::string_view(word).substr(0, slash));
      c.seeds = number<unsigned>(std::string_view(word).substr(slash + 1));
    } else {
      for (const char which : word) {
        const auto known = std::ranges::find(remarks_, which, &remark::code);
        if (known == remarks_.end()) throw std::runtime_error(fmt::format("there is no remark '{}'", which));
        of_kind(c, known->what) = known->text;
      }
    }
  }

  results results_;
  std::vector<remark> remarks_;
  std::vector<unsigned> seeds_;
  std::string structure_;
};

}  // namespace

std::string_view in_short(std::string_view remark) { return remark.substr(0, remark.find(": ")); }

std::vector<remark> remarks_of(const results& r) {
  std::vector<remark> all;
  for (const judged_row& each : r.rows) {
    for (const auto& [column, c] : each.cells) {
      for (const std::string_view what : kinds_of_remark) {
        const std::string text = of_kind(c, what);
        add(all, what, in_short(text));
      }
    }
  }
  return all;
}

std::string codes_of(const cell& c, const std::vector<remark>& known) {
  std::string made;
  for (const remark& r : known) {
    if (in_short(of_kind(c, r.what)) == r.text) made += r.code;
  }
  return made;
}

std::string to_record(const results& r) {
  const std::vector<remark> known = remarks_of(r);
  std::string out = fmt::format("{} {}\n# Written by `licit matrix --record`; README.md says how to read it.\n",
                                first_words, record_version);
  out += fmt::format("licit {}\nbudget {}\n", r.version, r.budget);
  std::vector<unsigned> seeds;
  for (const heading& h : r.columns) {
    seeds.push_back(usual_seeds(r, h.name));
    out += fmt::format("column {} | {} | {} | {} | {}\n", h.name, h.title, seeds.back(),
                       h.machine.empty() ? "here" : h.machine, h.how);
  }
  for (const remark& each : known) out += fmt::format("{} {} {}\n", each.what, each.code, each.text);
  std::string last;
  for (const judged_row& each : r.rows) {
    if (each.of.structure != last) {
      last = each.of.structure;
      const auto judged = r.judged.find(last);
      const sources on = judged == r.judged.end() ? sources{} : judged->second;
      out += fmt::format("\nstructure {} | {} | {} | {}\n", last, on.code, on.clients, on.made);
    }
    out += fmt::format("{} {} | {}", letter(each.of.what), each.of.name, each.of.says);
    for (std::size_t i = 0; i != r.columns.size(); ++i) {
      out += std::string(between) + text_of(each.find(r.columns[i].name), seeds[i], known);
    }
    out += "\n";
  }
  return out;
}

results read_record(const std::string& text, const std::string& where) { return reader().read(text, where); }

}  // namespace licit::matrix
