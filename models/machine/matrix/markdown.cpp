// The kill matrix as it stands in a document.
#include <algorithm>
#include <fmt/core.h>
#include <stdexcept>

#include "machine/matrix/pages.hpp"

namespace licit::matrix {

namespace {

/// A bar would end the table's cell.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string totals(const results& r) {
  std::string out =
      "| column | caught | not caught | cannot see | not run | controls clean | false alarms | how |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const heading& h : r.columns) {
    const total t = total_of(r, h.name);
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", h.title, t.caught, t.not_caught, t.cannot_see,
                       t.not_run, t.clean, t.false_alarms, escaped(h.in_full()));
  }
  return out;
}

std::string items(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& each : names) out += fmt::format("- {}\n", each);
  return out;
}

std::string lists(const results& r) {
  std::string out;
  for (const name_list& l : name_lists(r)) {
    out += fmt::format("\n{}:{}", l.heading, l.names.empty() ? " none.\n" : "\n\n" + items(l.names));
  }
  return out;
}

/// Each column's, one by one.
std::string misses(const results& r, const heading& h) {
  const auto names = missed(r, h.name);
  if (names.empty()) return "";
  return fmt::format("\n<details><summary>not caught by {}: {}</summary>\n\n{}\n</details>\n", h.title, names.size(),
                     items(names));
}

/// Columns in which nothing of this structure was run are left out of its table.
std::vector<const heading*> columns_of(const results& r, const std::string& structure) {
  std::vector<const heading*> all;
  for (const heading& h : r.columns) {
    const bool run = std::ranges::any_of(r.rows, [&](const judged_row& each) {
      const cell* c = each.find(h.name);
      return each.of.structure == structure && c != nullptr && c->found != finding::not_run;
    });
    if (run) all.push_back(&h);
  }
  return all;
}

std::string table(const results& r, const std::string& structure) {
  const auto columns = columns_of(r, structure);
  std::string out = fmt::format("\n<details><summary>{}</summary>\n\n| row | change |", structure);
  std::string line = "|---|---|";
  for (const heading* h : columns) {
    out += fmt::format(" {} |", h->title);
    line += "---|";
  }
  out += "\n" + line + "\n";
  for (const judged_row& each : r.rows) {
    if (each.of.structure != structure) continue;
    out += fmt::format("| {} | {} |", escaped(each.of.name), escaped(each.of.says));
    for (const heading* h : columns) out += fmt::format(" {} |", brief(each.find(h->name), each.of.is_control()));
    out += "\n";
  }
  return out + "\n</details>\n";
}

}  // namespace

std::string markdown(const results& r) {
  std::string out = fmt::format(
      "{} rows, budget {}. A number: caught after so many executions, of several seeds the median, (2/3) by two of "
      "three; – not caught within so many; ok: a control in which nothing was found.\n\n{}{}",
      r.rows.size(), r.budget, totals(r), lists(r));
  for (const heading& h : r.columns) out += misses(r, h);
  std::string last;
  for (const judged_row& each : r.rows) {
    if (each.of.structure == last) continue;
    last = each.of.structure;
    out += table(r, last);
  }
  return out;
}

std::string with_matrix(const std::string& document, const std::string& table, const std::string& name) {
  constexpr std::string_view begin = "<!-- matrix -->\n";
  constexpr std::string_view end = "<!-- end of matrix -->\n";
  const std::size_t from = document.find(begin);
  const std::size_t to = document.find(end);
  if (from == std::string::npos || to == std::string::npos || to < from) {
    throw std::runtime_error(name + " has no line '<!-- matrix -->' before a line '<!-- end of matrix -->'");
  }
  return document.substr(0, from + begin.size()) + "\n" + table + "\n" + document.substr(to);
}

}  // namespace licit::matrix
