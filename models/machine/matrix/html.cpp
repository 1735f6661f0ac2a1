// The kill matrix as a page that needs nothing else.
#include <fmt/core.h>

#include "machine/matrix/results.hpp"

namespace licit::matrix {

namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fff; --line: #d5d9de; --soft: #f3f5f7;
        --caught: #c9ecd2; --missed: #fff0c2; --blind: #e4e6ea; --alarm: #ffc9c2; --clean: #dcebfb; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #15181b; --line: #353b41; --soft: #1e2327;
        --caught: #1d4a2b; --missed: #55430f; --blind: #2c3136; --alarm: #7a241b; --clean: #1d3a57; } }
body { margin: 0 auto; padding: 1rem; color: var(--ink); background: var(--paper); font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; }
td, th { border: 1px solid var(--line); padding: 0.2rem 0.45rem; text-align: left; white-space: nowrap; }
thead th { position: sticky; top: 0; background: var(--soft); } tbody th { font-weight: 500; }
.how { white-space: normal; min-width: 24rem; } .change { opacity: 0.75; }
.caught { background: var(--caught); } .missed { background: var(--missed); } .blind { background: var(--blind); }
.alarm { background: var(--alarm); font-weight: 600; } .clean { background: var(--clean); } .none { opacity: 0.5; }
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string_view colour(const cell* c, bool control) {
  if (c == nullptr) return "none";
  switch (c->found) {
    case finding::caught: return control ? "alarm" : "caught";
    case finding::not_caught: return control ? "clean" : "missed";
    case finding::cannot_see: return "blind";
    case finding::not_run: return "none";
  }
  return "none";
}

std::string totals(const results& r) {
  std::string out =
      "<div class=\"scroll\"><table><thead><tr><th>column</th><th>caught</th><th>not caught</th><th>cannot see</th>"
      "<th>not run</th><th>controls clean</th><th>false alarms</th><th>how</th></tr></thead><tbody>\n";
  for (const heading& h : r.columns) {
    const total t = total_of(r, h.name);
    out += fmt::format(
        "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"how\">{}</td>"
        "</tr>\n",
        escaped(h.title), t.caught, t.not_caught, t.cannot_see, t.not_run, t.clean, t.false_alarms,
        escaped(h.in_full()));
  }
  return out + "</tbody></table></div>\n";
}

std::string items(const std::vector<std::string>& names) {
  std::string out = "<ul>\n";
  for (const std::string& each : names) out += fmt::format("<li>{}</li>\n", escaped(each));
  return out + "</ul>\n";
}

std::string lists(const results& r) {
  std::string out;
  for (const name_list& l : name_lists(r)) {
    out += fmt::format("<h2>{}</h2>\n{}", l.heading, l.names.empty() ? "<p>None.</p>\n" : items(l.names));
  }
  return out;
}

/// Each column's, one by one.
std::string misses(const results& r) {
  std::string out;
  for (const heading& h : r.columns) {
    const auto names = missed(r, h.name);
    if (names.empty()) continue;
    out += fmt::format("<details><summary>Not caught by {}: {}</summary>{}</details>\n", escaped(h.title), names.size(),
                       items(names));
  }
  return out;
}

std::string line(const results& r, const judged_row& each) {
  const bool control = each.of.is_control();
  std::string out = fmt::format(R"(<tr><th title="{}">{}</th><td class="change">{}</td>)", name(each.of.what),
                                escaped(each.of.name), escaped(each.of.says));
  for (const heading& h : r.columns) {
    const cell* c = each.find(h.name);
    out += fmt::format(R"(<td class="{}" title="{}: {}">{}</td>)", colour(c, control), escaped(h.title),
                       escaped(in_full(c, control)), escaped(brief(c, control)));
  }
  return out + "</tr>\n";
}

std::string head(const results& r) {
  std::string out = "<div class=\"scroll\"><table><thead><tr><th>row</th><th>change</th>";
  for (const heading& h : r.columns)
    out += fmt::format("<th title=\"{}\">{}</th>", escaped(h.in_full()), escaped(h.title));
  return out + "</tr></thead><tbody>\n";
}

}  // namespace

std::string html(const results& r) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>licit: kill matrix</title>\n"
      "<style>{}</style></head>\n<body>\n<h1>Kill matrix</h1>\n"
      "<p>What is made wrong, and which means of testing notices. A number: caught after so many executions, of "
      "several "
      "seeds the median; a cell says the rest when it is pointed at.</p>\n"
      "<p>licit {}, {} rows, budget {}.</p>\n",
      style, escaped(r.version), r.rows.size(), escaped(r.budget));
  out += totals(r) + lists(r) + misses(r);
  std::string last;
  for (const judged_row& each : r.rows) {
    if (each.of.structure != last) {
      if (!last.empty()) out += "</tbody></table></div>\n";
      last = each.of.structure;
      out += fmt::format("<h2>{}</h2>\n{}", escaped(last), head(r));
    }
    out += line(r, each);
  }
  if (!last.empty()) out += "</tbody></table></div>\n";
  return out + "</body></html>\n";
}

}  // namespace licit::matrix
