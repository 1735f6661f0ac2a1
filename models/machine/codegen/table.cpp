#include <algorithm>
#include <fmt/core.h>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "machine/codegen/listing.hpp"
#include "machine/codegen/process.hpp"

namespace licit::codegen {

namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : std::string(between)) + part;
  return all;
}

std::string cell(const site_code& site) {
  std::vector<std::string> places;
  for (const sequence& s : site.places) {
    std::vector<std::string> quoted;
    for (const std::string& instruction : s) quoted.push_back("`" + instruction + "`");
    // An access without them is an ordinary load or store; a fence without them is nothing.
    if (s.empty()) quoted.emplace_back(site.order.starts_with("fence") ? "none" : "plain");
    places.push_back(joined(quoted, " "));
  }
  return joined(places, " or ");
}

std::string cell(const listing& l, const std::string& operation) {
  std::vector<std::string> parts;
  for (const auto& [instruction, times] : l.operations.at(operation)) {
    const std::size_t marked = l.marked.at(operation).at(instruction);
    parts.push_back(fmt::format("{} `{}`", times, instruction));
    if (marked != times) parts.back() += fmt::format(" ({} where marked)", marked);
  }
  return parts.empty() ? "none" : joined(parts, ", ");
}

std::vector<std::string> heading(std::vector<std::string> first, const std::vector<listing>& listings) {
  for (const listing& l : listings) first.push_back(l.target + ", " + l.by.called);
  return first;
}

std::vector<std::string> cells(std::string_view row, std::size_t line) {
  std::vector<std::string> all;
  row.remove_prefix(1);
  while (!row.empty()) {
    const std::size_t end = row.find('|');
    if (end == std::string_view::npos || end < 2) throw std::runtime_error(fmt::format("line {}: no cell", line));
    all.emplace_back(row.substr(1, end - 2));
    row.remove_prefix(end + 1);
  }
  return all;
}

constexpr const char* page_heading =
    "# Expected instructions\n\nWritten by `licit codegen --write`. The README explains the words.\n";

struct place {
  std::size_t begin;
  std::size_t size;
};

/// Where the page has the structure's section, with the empty line before it; else its end.
place place_of(std::string_view page, std::string_view structure) {
  const std::size_t begin = page.find(fmt::format("\n## {}\n", structure));
  if (begin == std::string_view::npos) return {page.size(), 0};
  return {begin, std::min(page.find("\n## ", begin + 1), page.size()) - begin};
}

/// The row of this name, or the end.
auto row_of(const table& t, const std::string& name) {
  return std::ranges::find_if(t, [&](const auto& row) { return row.front() == name; });
}

std::size_t column(const table& t, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(t.front(), name) - t.front().begin());
}

/// What differs in one of a row's cells.
std::string difference(const table& expected, const std::vector<std::string>& row, std::size_t from, std::size_t in) {
  const auto same = row_of(expected, row.front());
  if (same == expected.end()) return fmt::format("{}: not expected, found {}", row.front(), row[in]);
  if ((*same)[from] == row[in]) return {};
  return fmt::format("{}: expected {}, found {}", row.front(), (*same)[from], row[in]);
}

std::vector<std::string> differences(const table& expected, const table& found) {
  std::vector<std::string> all;
  for (std::size_t c = 1; c != found.front().size(); ++c) {
    const std::size_t from = column(expected, found.front()[c]);
    if (from == expected.front().size()) {
      throw missing(fmt::format("the expected table has no column {} (it has {})", found.front()[c],
                                joined({expected.front().begin() + 1, expected.front().end()}, ", ")));
    }
    for (const auto& row : found) {
      if (std::string d = difference(expected, row, from, c); !d.empty()) all.push_back(std::move(d));
    }
  }
  for (const auto& row : expected) {
    if (row_of(found, row.front()) == found.end()) all.push_back(row.front() + ": expected, not found");
  }
  return all;
}

}  // namespace

table table_of_sites(const std::vector<listing>& listings) {
  table t{heading({"site", "operation"}, listings)};
  for (std::size_t i = 0; i != listings.front().sites.size(); ++i) {
    const site_code& first = listings.front().sites[i];
    t.push_back({first.site, first.order});
    for (const listing& l : listings) t.back().push_back(cell(l.sites[i]));
  }
  return t;
}

table table_of_operations(const std::vector<listing>& listings) {
  table t{heading({"operation"}, listings)};
  for (const auto& [name, unused] : listings.front().operations) {
    t.push_back({name});
    for (const listing& l : listings) t.back().push_back(cell(l, name));
  }
  return t;
}

std::vector<std::string> shortcomings(const listing& l) {
  std::vector<std::string> all;
  for (const site_code& s : l.sites) {
    if (!s.carried) all.push_back(fmt::format("{}: {} is not {}", s.site, cell(s), s.order));
  }
  return all;
}

std::string as_text(const table& t) {
  std::vector<std::size_t> widths(t.front().size());
  for (const auto& row : t) {
    for (std::size_t i = 0; i != row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string all;
  for (const auto& row : t) {
    std::string line;
    for (std::size_t i = 0; i != row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    all += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return all;
}

std::string as_markdown(const table& t) {
  std::string all;
  for (const auto& row : t) {
    all += "| " + joined(row, " | ") + " |\n";
    if (&row != &t.front()) continue;
    for (std::size_t i = 0; i != row.size(); ++i) all += "|---";
    all += "|\n";
  }
  return all;
}

std::string as_section(const std::vector<listing>& listings) {
  return fmt::format("## {}\n\n{}\n{}", listings.front().structure, as_markdown(table_of_sites(listings)),
                     as_markdown(table_of_operations(listings)));
}

std::string with_section(std::string page, const std::vector<listing>& listings) {
  if (page.empty()) page = page_heading;
  const place there = place_of(page, listings.front().structure);
  return page.replace(there.begin, there.size, '\n' + as_section(listings));
}

std::string_view section_of(std::string_view page, std::string_view structure) {
  const place there = place_of(page, structure);
  if (there.size == 0) throw std::runtime_error(fmt::format("no expected tables of {}", structure));
  return page.substr(there.begin + 1, there.size - 1);
}

std::vector<table> read_section(std::string_view text) {
  std::vector<table> all;
  bool inside = false;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.starts_with("|---")) continue;
    if (!std::exchange(inside, row.starts_with('|')) && inside) all.emplace_back();
    if (!inside) continue;
    all.back().push_back(cells(row, line));
    if (all.back().back().size() != all.back().front().size()) {
      throw std::runtime_error(fmt::format("line {}: not as many cells as its table has columns", line));
    }
  }
  return all;
}

std::vector<std::string> differences(const std::vector<table>& expected, const std::vector<table>& found) {
  if (expected.size() != found.size()) {
    throw std::runtime_error(fmt::format("{} tables where {} are expected", expected.size(), found.size()));
  }
  std::vector<std::string> all;
  for (std::size_t i = 0; i != found.size(); ++i) {
    std::ranges::move(differences(expected[i], found[i]), std::back_inserter(all));
  }
  return all;
}

}  // namespace licit::codegen
