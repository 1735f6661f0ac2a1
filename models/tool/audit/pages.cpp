#include <fmt/format.h>
#include <stdexcept>
#include <string_view>

#include "audit/findings.hpp"

namespace licit::tool {

namespace {

std::string orders(const json& row) {
  return orders_text(row["success"].get<std::string>(), row["failure"].get<std::string>());
}

/// A fence that is relaxed is none.
std::string weaker_orders(const json& row, const json& weaker) {
  return row["operation"] == "fence" && weaker["success"] == "relaxed" ? "none" : orders(weaker);
}

std::string what_breaks(const json& w) {
  if (w["verdict"] == "ok") return fmt::format("nothing, in {} executions", w["executions"].get<std::uint64_t>());
  if (w["verdict"] == "limit") return fmt::format("not known: {} came to its limit", w["program"].get<std::string>());
  return fmt::format("{} in {}{}", w["kind"].get<std::string>(), w["program"].get<std::string>(),
                     w.contains("ghost_only") ? " (by load buffering: a ghost's)" : "");
}

std::string joined(const json& list) {
  std::string text;
  for (const auto& item : list) text += (text.empty() ? "" : ", ") + item.get<std::string>();
  return text;
}

std::string summary(const json& rule) {
  const std::size_t needed = count(rule, "needed");
  const std::size_t spare = count(rule, "not needed by these programs");
  const std::size_t unknown = count(rule, "not known");
  return fmt::format(
      "{} programs, {} executions, {}; of {} rows {} are relaxed, {} needed, {} not needed by these programs{}",
      rule["programs"].size(), rule["executions"].get<std::uint64_t>(),
      rule["verdict"] == "ok" ? "all right" : rule["verdict"].get<std::string>(), rule["rows"].size(),
      count(rule, "relaxed"), needed, spare, unknown == 0 ? "" : fmt::format(", {} not known", unknown));
}

std::string table_text(const json& table) {
  std::string text;
  for (const auto& [site, order] : table["orders"].items()) {
    text += (text.empty() ? "" : ", ") + site + " " + order.get<std::string>();
  }
  return text;
}

std::string not_searched(const json& minima) {
  return fmt::format(
      "Whether there are other weakest tables was not searched: one look at a table takes {} executions, and "
      "{} of its rows are not relaxed.",
      minima["each"].get<std::uint64_t>(), minima["ordered"].get<std::size_t>());
}

}  // namespace

std::string terminal_text(const json& findings) {
  std::string out;
  for (const json& s : findings["structures"]) {
    for (const json& rule : s["rules"]) {
      out += fmt::format("\n{}, release sequences of {}\n  {}\n", s["structure"].get<std::string>(),
                         rule["release_sequences"].get<std::string>(), summary(rule));
      if (rule.contains("message")) out += "  " + rule["message"].get<std::string>() + "\n";
      for (const json& row : rule["rows"]) {
        if (row["weaker"].empty()) continue;
        out += fmt::format("  {:<14} {:<17} {}\n", row["site"].get<std::string>(), orders(row),
                           row["need"].get<std::string>());
        for (const json& w : row["weaker"]) {
          out += fmt::format("    {:<12} {:<17} {}\n", "", weaker_orders(row, w), what_breaks(w));
        }
      }
    }
    if (!s.contains("minima")) continue;
    const json& minima = s["minima"];
    if (!minima["searched"]) {
      out += "\n  " + not_searched(minima) + "\n";
      continue;
    }
    out += fmt::format("\n  {} weakest tables, {} (c++20; {} tables examined):\n", minima["tables"].size(),
                       minima["all"] ? "and no others" : "perhaps not all", minima["examined"].get<std::uint64_t>());
    for (const json& table : minima["tables"]) {
      out += fmt::format("  {} {}\n", table["shipped"] ? "*" : " ", table_text(table));
    }
  }
  return out;
}

namespace {

/// Each break with the weaker orders that come to it: "acq_rel, none: data race in two_items".
std::string breaks(const json& row) {
  std::string text;
  for (std::size_t i = 0; i != row["weaker"].size();) {
    const std::string what = what_breaks(row["weaker"][i]);
    text += text.empty() ? "" : "; ";
    for (const std::size_t first = i; i != row["weaker"].size() && what_breaks(row["weaker"][i]) == what; ++i) {
      text += (i == first ? "" : ", ") + weaker_orders(row, row["weaker"][i]);
    }
    text += ": " + what;
  }
  return text;
}

/// What a table has other than the one in use.
std::string differences(const json& table, const json& rows) {
  std::string text;
  for (const json& row : rows) {
    const std::string site = row["site"].get<std::string>();
    const std::string then = table["orders"].contains(site) ? table["orders"][site].get<std::string>() : "relaxed";
    if (then == orders(row)) continue;
    text += fmt::format("{}`{}` {}", text.empty() ? "" : ", ", site,
                        row["operation"] == "fence" && then == "relaxed" ? "none" : then);
  }
  return text.empty() ? "the table in use" : text;
}

std::string minima_markdown(const json& minima, const json& rows) {
  if (!minima["searched"]) return "\n" + not_searched(minima) + "\n";
  if (minima["tables"].size() == 1 && minima["all"]) return "\nNo other weakest table passes these programs.\n";
  std::string out =
      fmt::format("\nThe weakest tables that pass these programs ({}), by what differs from the table in use:\n\n",
                  minima["all"] ? "all of them" : "some of them");
  for (const json& table : minima["tables"]) out += fmt::format("1. {}\n", differences(table, rows));
  return out;
}

}  // namespace

std::string markdown(const json& findings) {
  std::string out =
      "# The audit\n\nIs every ordering strong enough, and is each one needed? `make audit` writes this page and its "
      "record,\n"
      "`models/audit/record.txt`. The audit explores every program with every weaker order of every row. A row is "
      "needed\n"
      "if each weaker order breaks a program. The last column names the breaks under C++20's release sequences. To "
      "see an\n"
      "execution that breaks, run `licit audit --structure chase-lev --site pop.fence --html pop.html`.\n";
  for (const json& s : findings["structures"]) {
    const json& rule = s["rules"][0];
    out += fmt::format(
        "\n## {}\n\n{}. Audited on {} by {}; digest `{}`.\n\n"
        "| site | operation | order | pairs with | weaker orders break |\n|---|---|---|---|---|\n",
        s["structure"].get<std::string>(), summary(rule), s["date"].get<std::string>(),
        s["compiler"].get<std::string>(), s["digest"].get<std::string>());
    for (const json& row : rule["rows"]) {
      if (row["weaker"].empty()) continue;
      out += fmt::format("| `{}` | {} | {} | {} | {} |\n", row["site"].get<std::string>(),
                         row["operation"].get<std::string>(), orders(row), joined(row["pairs"]), breaks(row));
    }
    if (s.contains("minima")) out += minima_markdown(s["minima"], rule["rows"]);
  }
  return out;
}

namespace {

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

std::string shown(const json& text) { return escaped(text.get<std::string>()); }

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fff; --line: #d5d9de; --soft: #f3f5f7; --good: #1a7f37;
        --bad: #b42318; --link: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #15181b; --line: #353b41; --soft: #1e2327;
        --good: #58c472; --bad: #ff8a7a; --link: #8ab4f8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; color: var(--ink); background: var(--paper);
       font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0.5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; background: var(--soft); border: 1px solid var(--line); padding: 0.6rem; }
details { border-top: 1px solid var(--line); } details:last-of-type { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; padding: 0.45rem 0; display: grid; gap: 0 0.8rem; list-style-position: inside;
          grid-template-columns: 1rem 8.5rem 10rem 8rem 1fr; align-items: baseline; }
summary::before { content: '\25B8'; } details[open] > summary::before { content: '\25BE'; }
summary::-webkit-details-marker { display: none; } summary code { font-weight: 600; }
.open { padding: 0 0 0.8rem 1rem; } .open p { margin: 0.3rem 0; }
.needed { color: var(--good); } .wrong { color: var(--bad); } .dim { opacity: 0.7; }
.picture { overflow-x: auto; background: #fff; border: 1px solid var(--line); padding: 0.4rem; }
.picture svg { max-width: 100%; height: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0.5rem 0; }
dt { opacity: 0.7; } dd { margin: 0; overflow-wrap: anywhere; }
li { margin: 0.25rem 0; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 14px; }
td, th { border: 1px solid var(--line); padding: 0.2rem 0.5rem; text-align: left; white-space: nowrap; }
@media (max-width: 40rem) { summary { grid-template-columns: 1rem 1fr 1fr; } summary span:nth-of-type(2) { grid-column: 2; } }
@media print { body { max-width: none; font-size: 11px; } details { break-inside: avoid-page; }
               pre { white-space: pre-wrap; } }
)";

std::string weaker_html(const json& row, const json& w) {
  std::string out = fmt::format("<h3>{}: <span class=\"{}\">{}</span></h3>\n", escaped(weaker_orders(row, w)),
                                w["verdict"] == "violation" ? "needed" : "wrong", escaped(what_breaks(w)));
  if (w.contains("message")) {
    out += fmt::format("<p>{}; found after {} executions.</p>\n", shown(w["message"]),
                       w["executions"].get<std::uint64_t>());
  }
  if (w.contains("client")) out += fmt::format("<p>The smallest client: {}.</p>\n", shown(w["client"]));
  if (w.contains("drawing")) out += fmt::format("<div class=\"picture\">{}</div>\n", w["drawing"].get<std::string>());
  if (w.contains("trace")) out += fmt::format("<pre>{}</pre>\n", shown(w["trace"]));
  return out;
}

std::string row_html(const json& row) {
  const std::string verdict = row["need"];
  const std::string said = verdict == "relaxed" ? "nothing to weaken" : verdict;
  const std::string_view kind = verdict == "needed" ? "needed" : verdict == "relaxed" ? "dim" : "wrong";
  std::string out = fmt::format(
      "<details><summary><code>{}</code> <span>{}</span> <span>{}</span> <span class=\"{}\">{}</span></summary>\n"
      "<div class=\"open\"><p>{}.</p>\n",
      shown(row["site"]), shown(row["operation"]), escaped(orders(row)), kind, escaped(said), shown(row["reason"]));
  if (!row["pairs"].empty()) out += fmt::format("<p>Pairs with <code>{}</code>.</p>\n", escaped(joined(row["pairs"])));
  for (const json& w : row["weaker"]) out += weaker_html(row, w);
  return out + "</div></details>\n";
}

std::string programs_html(const json& rule) {
  std::string out =
      "<details><summary><span>Programs</span></summary><div class=\"open\"><table><tr><th>program</th>"
      "<th>executions, each once</th></tr>\n";
  for (const auto& [program, executions] : rule["programs"].items()) {
    out += fmt::format("<tr><td><code>{}</code></td><td>{}</td></tr>\n", escaped(program),
                       executions.get<std::uint64_t>());
  }
  return out + "</table></div></details>\n";
}

std::string minima_html(const json& minima) {
  if (!minima["searched"]) return "<h2>The weakest tables</h2>\n<p>" + not_searched(minima) + "</p>\n";
  std::string out = fmt::format(
      "<h2>The weakest tables</h2>\n<p>{} tables pass all programs and cannot be weaker in any row{} ({} tables were "
      "examined). The one in use is marked.</p>\n<ol>\n",
      minima["tables"].size(), minima["all"] ? "; there are no others" : "; there may be others",
      minima["examined"].get<std::uint64_t>());
  for (const json& table : minima["tables"]) {
    out +=
        fmt::format("<li>{}{}</li>\n", table["shipped"] ? "<strong>In use:</strong> " : "", escaped(table_text(table)));
  }
  return out + "</ol>\n";
}

}  // namespace

std::string html(const json& findings) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>licit: audit of memory "
      "orderings</title>\n<style>{}</style></head>\n<body>\n<h1>Audit of memory orderings</h1>\n"
      "<p>Every row of every ordering table: is it enough, and is it needed? Each program is explored exhaustively "
      "under "
      "RC11; a row is <em>needed</em> when every weaker order breaks a program, and opens to the execution that shows "
      "it.</p>\n<p>licit {}.</p>\n",
      style, shown(findings["version"]));
  for (const json& s : findings["structures"]) {
    for (const json& rule : s["rules"]) {
      out += fmt::format(
          "<h2>{}, release sequences of {}</h2>\n<p>{}.</p>\n<p>Audited on {} by {}; digest <code>{}</code>.</p>\n",
          shown(s["structure"]), shown(rule["release_sequences"]), escaped(summary(rule)), shown(s["date"]),
          shown(s["compiler"]), shown(s["digest"]));
      for (const json& row : rule["rows"]) out += row_html(row);
      out += programs_html(rule);
    }
    if (s.contains("minima")) out += minima_html(s["minima"]);
  }
  return out +
         "<script>addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(d => d.open = "
         "true));</script>\n</body></html>\n";
}

}  // namespace licit::tool
