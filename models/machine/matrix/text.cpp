// What is said of cells and of the whole, in words.
#include <algorithm>
#include <fmt/core.h>

#include "machine/matrix/results.hpp"

namespace licit::matrix {

namespace {

std::string by_seeds(const cell& c) {
  return c.caught_by == c.seeds ? "" : fmt::format(" ({}/{})", c.caught_by, c.seeds);
}

std::string plural(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

/// Executions are not known of everything that takes time: a hang has seconds only.
std::string how_long(const cell& c) {
  if (c.executions == 0) return fmt::format("{:.1f} s", c.seconds);
  return fmt::format("{}, {:.1f} s", plural(c.executions, "execution"), c.seconds);
}

std::string caught_in_full(const cell& c, bool control) {
  std::string text = control ? "FALSE ALARM after " : "caught after ";
  text += how_long(c);
  if (c.seeds > 1) text += fmt::format(" (the median of {} of {} seeds)", c.caught_by, c.seeds);
  if (!c.program.empty()) text += " in " + c.program;
  if (!c.what.empty()) text += ": " + c.what;
  return text;
}

}  // namespace

std::string counted(std::uint64_t n) {
  if (n < 1000) return std::to_string(n);
  if (n < 1'000'000) return fmt::format("{:.1f} k", static_cast<double>(n) / 1e3);
  return fmt::format("{:.1f} M", static_cast<double>(n) / 1e6);
}

std::string brief(const cell* c, bool control) {
  if (c == nullptr) return "";
  switch (c->found) {
    case finding::caught: {
      const std::string count = c->executions == 0 ? fmt::format("{:.0f} s", c->seconds) : counted(c->executions);
      return (control ? "ALARM " : "") + count + by_seeds(*c);
    }
    case finding::not_caught: return (control ? "ok " : "– ") + counted(c->executions) + (c->complete ? " (all)" : "");
    case finding::cannot_see: return "blind";
    case finding::not_run: return "not run";
  }
  return "";
}

std::string in_full(const cell* c, bool control) {
  if (c == nullptr) return "not judged";
  std::string text;
  switch (c->found) {
    case finding::caught: text = caught_in_full(*c, control); break;
    case finding::not_caught:
      text = fmt::format("{} in {}", control ? "no alarm" : "not caught", how_long(*c));
      if (c->complete) text += ", which are all";
      if (c->seeds > 1) text += fmt::format(" ({} seeds)", c->seeds);
      if (!c->reason.empty()) text += ": " + c->reason;
      break;
    case finding::cannot_see: text = "cannot see it: " + c->reason; break;
    case finding::not_run: text = "not run: " + c->reason; break;
  }
  if (!c->only.empty()) text += "; it takes " + c->only;
  if (!c->excuse.empty()) text += "; a known fault: " + c->excuse;
  return c->note.empty() ? text : text + " (" + c->note + ")";
}

std::string summary_text(const results& r) {
  std::string out = fmt::format("{:<18} {:>7} {:>11} {:>11} {:>8}   {:>14} {:>12}\n", "column", "caught", "not caught",
                                "cannot see", "not run", "controls clean", "false alarms");
  for (const heading& h : r.columns) {
    const total t = total_of(r, h.name);
    out += fmt::format("{:<18} {:>7} {:>11} {:>11} {:>8}   {:>14} {:>12}\n", h.name, t.caught, t.not_caught,
                       t.cannot_see, t.not_run, t.clean, t.false_alarms);
  }
  for (const name_list& l : name_lists(r)) {
    out += fmt::format("\n{}: {}\n", l.heading, l.names.empty() ? "none" : std::to_string(l.names.size()));
    for (const std::string& each : l.names) out += "  " + each + "\n";
  }
  return out;
}

namespace {

/// A bar would end the table's cell.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string totals(const results& r) {
  std::string out =
      "| column | caught | not caught | cannot see | not run | controls clean | false alarms | what it is |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const heading& h : r.columns) {
    const total t = total_of(r, h.name);
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", h.title, t.caught, t.not_caught, t.cannot_see,
                       t.not_run, t.clean, t.false_alarms, escaped(h.in_full()));
  }
  return out;
}

std::string lists(const results& r) {
  std::string out;
  for (const name_list& l : name_lists(r)) {
    out += fmt::format("\n{}:{}", l.heading, l.names.empty() ? " none.\n" : "\n\n");
    for (const std::string& each : l.names) out += fmt::format("- {}\n", each);
  }
  return out;
}

std::string legend(const std::vector<remark>& known) {
  std::string out;
  for (const remark& each : known) {
    const std::string_view how = each.what == "only" ? "caught only by " : each.what == "excuse" ? "known fault: " : "";
    out += fmt::format("- {}: {}{}\n", each.code, how, each.text);
  }
  return out;
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

std::string cell_in_table(const cell* c, bool control, const std::vector<remark>& known) {
  if (c == nullptr || c->found == finding::not_run) return "";
  const std::string codes = codes_of(*c, known);
  return brief(c, control) + (codes.empty() ? "" : " " + codes);
}

std::string table(const results& r, const std::string& structure, const std::vector<remark>& known) {
  const auto columns = columns_of(r, structure);
  std::string out = fmt::format("\n## {}\n\n| row | change |", structure);
  std::string line = "|---|---|";
  for (const heading* h : columns) {
    out += fmt::format(" {} |", h->title);
    line += "---|";
  }
  out += "\n" + line + "\n";
  for (const judged_row& each : r.rows) {
    if (each.of.structure != structure) continue;
    out += fmt::format("| {} | {} |", escaped(each.of.name), escaped(each.of.says));
    for (const heading* h : columns) {
      out += fmt::format(" {} |", cell_in_table(each.find(h->name), each.of.is_control(), known));
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::string markdown(const results& r) {
  const std::vector<remark> known = remarks_of(r);
  std::string out = fmt::format(
      "# The kill matrix\n\n`make matrix` writes this page from `record.txt`; README.md explains rows, columns and "
      "cells. "
      "{} rows, budget {}.\n\n"
      "A number says after how many executions the column caught the mutant: the median over the seeds, with (2/3) if "
      "only two of three seeds caught it. \"–\" means that it was not caught within that many executions, \"blind\" "
      "that the column cannot see the mutant, and \"ok\" that a control raised no alarm. "
      "`licit matrix --row STRUCTURE/NAME` runs a row again and prints every detail.\n\n{}{}\n## Letters in the "
      "tables\n\n{}",
      r.rows.size(), r.budget, totals(r), lists(r), legend(known));
  std::string last;
  for (const judged_row& each : r.rows) {
    if (each.of.structure == last) continue;
    last = each.of.structure;
    out += table(r, last, known);
  }
  return out;
}

}  // namespace licit::matrix
