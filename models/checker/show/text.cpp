#include <algorithm>
#include <string_view>

#include <licit/checker/execution.hpp>

namespace licit::checker {

namespace {

std::string short_action(const execution::step& s) {
  if (s.action == "read") return "R";
  if (s.action == "write") return "W";
  if (s.action == "update") return "U";
  if (s.action == "fence") return "F";
  return s.action;
}

std::string short_strength(const std::string& strength) {
  if (strength == "relaxed") return "";
  if (strength == "acquire") return "acq";
  if (strength == "release") return "rel";
  if (strength == "seq_cst") return "sc";
  return strength;
}

void append(std::string& text, const std::string& word) {
  if (!word.empty()) text.append(text.empty() ? "" : " ").append(word);
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

/// Whether a write that is newer than what the step reads was told before it.
bool is_old(const execution& e, std::size_t step) {
  return std::ranges::any_of(e.edges, [&](const execution::edge& a) {
    return a.what == execution::relation::fr && a.from == step && a.to < step;
  });
}

std::string source_text(const execution& e, std::size_t step) {
  const std::size_t source = e.steps[step].source;
  if (source == execution::nothing) return "";
  std::string text = "<- " + reference(e, source);
  const auto ordered = [&](const execution::edge& a) {
    return a.what == execution::relation::rf && a.to == step && a.ordered;
  };
  const bool own = source != execution::beginning && e.steps[source].thread == e.steps[step].thread;
  if (!own && std::ranges::any_of(e.edges, ordered)) text += " hb";
  if (is_old(e, step)) text += " old";
  return text;
}

/// Whether a step before it in its thread has the same number.
bool is_no_event(const execution& e, std::size_t step) {
  const execution::step& s = e.steps[step];
  while (step-- != 0) {
    if (e.steps[step].thread == s.thread) return e.steps[step].number == s.number;
  }
  return false;
}

std::string line(const execution& e, std::size_t step, std::size_t site_width) {
  const execution::step& s = e.steps[step];
  std::string text = (s.offends ? "!" : " ") + padded(reference(e, step), 4);
  if (site_width != 0) append(text, padded(s.site, site_width));
  append(text, deed(s));
  append(text, source_text(e, step));
  return text;
}

std::vector<std::size_t> site_widths(const execution& e) {
  std::vector<std::size_t> widths(e.threads);
  for (const execution::step& s : e.steps) widths[s.thread] = std::max(widths[s.thread], s.site.size());
  return widths;
}

/// What a step does, whatever the values.
std::string shape_of(const execution::step& s) {
  return std::to_string(s.thread) + (s.offends ? "! " : " ") + s.site + " " + s.action + " " + s.location + " " +
         s.strength + " " + s.remark;
}

/// Steps that do the same again and again, whatever the values: a loop's.
struct rounds {
  std::size_t length;
  std::size_t count;
};

/// Those that begin at a step, where leaving out all but the first and the last makes the text much shorter.
rounds rounds_at(const std::vector<std::string>& shapes, std::size_t begin) {
  constexpr std::size_t longest = 100;
  constexpr std::size_t worth_it = 8;
  for (std::size_t length = 1; length <= longest && begin + 2 * length <= shapes.size(); ++length) {
    std::size_t end = begin + length;
    while (end != shapes.size() && shapes[end] == shapes[end - length]) ++end;
    const std::size_t count = (end - begin) / length;
    if (count > 2 && (count - 2) * length >= worth_it) return {length, count};
  }
  return {1, 1};
}

/// For each step, how many rounds of how many steps are left out before it; the steps of those have none.
std::vector<rounds> left_out_of(const execution& e) {
  std::vector<std::string> shapes;
  shapes.reserve(e.steps.size());
  for (const execution::step& s : e.steps) shapes.push_back(shape_of(s));
  std::vector<rounds> out(shapes.size(), rounds{0, 0});
  for (std::size_t s = 0; s != shapes.size();) {
    const rounds r = rounds_at(shapes, s);
    if (r.count > 2) out[s + r.length] = {r.length, r.count - 2};
    s += r.length * r.count;
  }
  return out;
}

}  // namespace

std::string reference(const execution& e, std::size_t step) {
  if (step == execution::beginning) return "init";
  const execution::step& s = e.steps[step];
  return std::to_string(s.thread) + "." + std::to_string(s.number) + (is_no_event(e, step) ? "+" : "");
}

std::string deed(const execution::step& s) {
  std::string text = short_action(s);
  append(text, s.location);
  append(text, s.read);
  if (!s.read.empty() && !s.written.empty()) text += " to";
  append(text, s.written);
  append(text, short_strength(s.strength));
  append(text, s.remark);
  return text;
}

std::string cycle_text(const execution& e) {
  if (e.cycle.empty()) return "";
  std::string text = reference(e, e.edges[e.cycle.front()].from);
  for (std::size_t i = 0; i != e.cycle.size(); ++i) {
    const execution::edge& a = e.edges[e.cycle[i]];
    const bool goes_on = a.what == execution::relation::po && i + 1 != e.cycle.size() &&
                         e.edges[e.cycle[i + 1]].what == execution::relation::po;
    if (!goes_on) text.append(" ").append(name(a.what)).append(" ").append(reference(e, a.to));
  }
  return text;
}

std::string omissions(const execution& e) {
  std::string text;
  if (e.later != 0) text = std::to_string(e.later) + " on which it does not depend";
  if (e.inner != 0) {
    text += (text.empty() ? "" : ", ") + std::to_string(e.inner) + " guesses and uses of one thread's own plain cells";
  }
  return text.empty() ? "" : "not shown: " + text;
}

std::string text(const execution& e) {
  const std::vector<std::size_t> site_width = site_widths(e);
  std::vector<std::string> lines;
  std::vector<std::size_t> width(e.threads);
  for (std::size_t s = 0; s != e.steps.size(); ++s) {
    lines.push_back(line(e, s, site_width[e.steps[s].thread]));
    width[e.steps[s].thread] = std::max(width[e.steps[s].thread], lines.back().size() + 2);
  }
  std::string all;
  for (std::size_t t = 0; t != width.size(); ++t) {
    if (width[t] == 0) continue;
    const std::string title = " thread " + std::to_string(t);
    width[t] = std::max(width[t], title.size() + 2);
    all += padded(title, width[t]);
  }
  all.erase(all.find_last_not_of(' ') + 1);
  if (!all.empty()) all += "\n";
  const std::vector<rounds> left_out = left_out_of(e);
  for (std::size_t s = 0; s != e.steps.size(); ++s) {
    if (const auto [length, count] = left_out[s]; count != 0) {
      all += " … " + std::to_string(count) + " more rounds of " + std::to_string(length) +
             (length == 1 ? " step" : " steps") + " like this …\n";
      s += count * length;
    }
    std::size_t indent = 0;
    for (std::size_t t = 0; t != e.steps[s].thread; ++t) indent += width[t];
    all.append(indent, ' ').append(lines[s]).append("\n");
  }
  if (const std::string way = cycle_text(e); !way.empty()) all += " in no interleaving: " + way + "\n";
  if (const std::string left = omissions(e); !left.empty()) all += " " + left + "\n";
  return all;
}

}  // namespace licit::checker
