#include "proof/steps.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>

namespace licit::proof {

namespace {

/// What a call does from a point on, by the texts of the steps.
struct node {
  struct edge {
    step does;
    std::shared_ptr<node> to;  ///< null: the operation is over
    std::string result;        ///< then: the item, or empty
  };
  std::string label;  ///< the site of the operation to come, or the call's name
  std::map<std::string, edge> edges;
};

/// Whether the same follows, as far as it was run.
bool alike(const node& a, const node& b) {
  if (a.edges.empty() || b.edges.empty()) return true;
  if (a.edges.size() != b.edges.size()) return false;
  return std::ranges::all_of(a.edges, [&](const auto& e) {
    const auto other = b.edges.find(e.first);
    if (other == b.edges.end() || !e.second.to != !other->second.to) return false;
    return !e.second.to || alike(*e.second.to, *other->second.to);
  });
}

/// One path of a call, as steps. Terms are rendered: tokens `name~EVENT.STEP` become `name!` or `name`.
class path {
 public:
  path(const call& c, const std::vector<event>& events) : call_{c} {
    steps_.push_back({.owner = c.owner});
    for (std::size_t i = 0; i != events.size(); ++i) add(events[i], std::to_string(i));
  }

  /// Of a run that was ended in a loop nothing is known of the last step.
  std::vector<step> steps(const call::answer* answer, bool in_a_loop) {
    if (answer == nullptr && in_a_loop) steps_.pop_back();
    if (answer != nullptr) {
      steps_.back().next = "idle";
      steps_.back().returns = answer->item.empty() ? answer->text : "item " + rendered(answer->item);
    }
    return std::move(steps_);
  }

 private:
  [[nodiscard]] bool blank(const step& s) const { return s.reads.empty() && s.guards.empty() && !s.does; }

  /// The next step begins with the operation, unless nothing was done in this one.
  void operate(const event& e, const std::string& number) {
    const event rendered_event = rendered_in_next(e);
    if (steps_.size() != 1 || !blank(steps_.back())) {
      steps_.back().next = e.name;
      steps_.push_back({.owner = call_.owner});
    }
    ++now_;
    steps_.back().does = rendered_event;
    if (!e.takes.empty()) steps_.back().takes = rendered(e.takes);
    if (e.how == operation::load || (e.how == operation::compare_exchange && !e.won)) given_[e.name] = number;
  }
  void add(const event& e, const std::string& number) {
    switch (e.kind) {
      case event::what::operation: operate(e, number); break;
      case event::what::again:
        ++now_;
        steps_.back().next = call_.name;
        steps_.push_back({.owner = call_.owner});
        break;
      case event::what::own_read: {
        const std::string ring = rendered(e.ring);
        const std::string index = rendered(e.index);
        given_[e.name] = number;
        steps_.back().reads.push_back({e.name, e.place, ring, index});
        break;
      }
      case event::what::copy:
        steps_.back().copies = {rendered(e.place), rendered(e.ring), rendered(e.index), rendered(e.term)};
        break;
      case event::what::ended:
        steps_.back().next = e.name;
        steps_.push_back({.owner = call_.owner});
        break;
      case event::what::given:
        given_[e.name] = number;
        steps_.back().reads.push_back({e.name, e.place, "", ""});
        break;
      case event::what::named:
        steps_.back().reads.push_back({e.name, "", "", rendered(e.term)});
        given_[e.name] = number;
        break;
      case event::what::batch: steps_.back().begins_batch = true; break;
      case event::what::hand: steps_.back().hands = {rendered(e.index), rendered(e.term)}; break;
      case event::what::reclaim: throw std::logic_error("licit: " + call_.name + " frees memory");
      case event::what::write:
        steps_.back().updates.emplace_back(e.name, rendered(e.term));
        written_.emplace_back(e.name, now_);
        break;
      case event::what::decision: steps_.back().guards.push_back(rendered(e.term)); break;
      case event::what::obligation: steps_.back().obligations.emplace_back(e.name, rendered(e.term)); break;
    }
  }

  /// The operation's own terms are from before it.
  event rendered_in_next(event e) {
    ++now_;
    e.term = rendered(e.term);
    e.index = rendered(e.index);
    e.ring = rendered(e.ring);
    --now_;
    return e;
  }

  std::string rendered(const std::string& term) const {
    std::string out;
    for (std::size_t i = 0; i < term.size();) {
      const std::size_t end = std::min(term.find_first_of(" ()", i), term.size());
      if (end == i) {
        out += term[i++];
        continue;
      }
      out += name_of(term.substr(i, end - i));
      i = end;
    }
    return out;
  }
  std::string name_of(const std::string& token) const {
    const std::size_t mark = token.find('~');
    if (mark == std::string::npos) return token;
    std::string name = token.substr(0, mark);
    const std::size_t dot = token.find('.', mark);
    const std::string given = token.substr(mark + 1, dot - mark - 1);
    const bool now = token.substr(dot + 1) == std::to_string(now_);
    if (given == "p") {
      if (changed(name, std::stoul(token.substr(dot + 1)))) {
        throw std::logic_error("licit: " + name + " is used in a step after the one that changed it");
      }
      return name;
    }
    const auto latest = given_.find(name);
    if (latest == given_.end() || latest->second != given) {
      throw std::logic_error("licit: a result of " + name + " is used after the site gave another one");
    }
    return now ? name + "!" : name;
  }

  /// Whether a variable has another value than before the step in which it was read.
  [[nodiscard]] bool changed(const std::string& name, std::size_t read) const {
    return std::ranges::any_of(written_,
                               [&](const auto& w) { return w.first == name && read <= w.second && w.second < now_; });
  }

  const call& call_;
  std::vector<step> steps_;
  std::vector<std::pair<std::string, std::size_t>> written_;  ///< variables, and in which step
  std::map<std::string, std::string> given_;
  std::size_t now_ = 0;
};

std::string item_in(const step& s) { return s.returns.starts_with("item ") ? s.returns.substr(5) : ""; }
std::string without_mark(std::string name) {
  if (name.ends_with('!')) name.pop_back();
  return name;
}

class system_maker {
 public:
  explicit system_maker(transition_system& to) : to_{to} {}

  void add(const call& c) {
    const auto root = tree(c);
    roots_.push_back(root);
    loops_ = recorder::running().rounds() != 0;
    root->label = c.name;
    if (std::vector<const node*> anew; begun_again(*root, c.name, anew)) {
      for (const node* second : anew) {
        if (serial(*root, c.name) != serial(*second, c.name)) {
          throw std::logic_error("licit: " + c.name + " begins anew and then continues otherwise");
        }
      }
      points_of_[c.name].push_back({"", root.get()});
      to_.points.push_back(c.name);
      emit(*root, {"idle", c.name}, c.name);
    } else {
      emit(*root, {"idle"}, c.name);
    }
  }

 private:
  static std::shared_ptr<node> tree(const call& c) {
    auto root = std::make_shared<node>();
    std::vector<bool> decisions;
    do {
      const recorder& r = recorder::running();
      std::optional<call::answer> answer;
      try {
        answer = c.run(decisions);
      } catch (const endless&) {  // NOLINT(bugprone-empty-catch): without an answer
      }
      if (r.leaves_memory()) throw std::logic_error("licit: " + c.name + " leaves memory behind");
      insert(*root, path(c, r.events()).steps(answer ? &*answer : nullptr, r.rounds() != 0), c.name);
      decisions = r.decisions();
    } while (next_path(decisions));
    return root;
  }

  static void insert(node& root, const std::vector<step>& steps, const std::string& name) {
    node* at = &root;
    for (const step& s : steps) {
      if (at != &root) at->label = s.does ? s.does->name : name;
      auto& edge = at->edges[text(s)];
      edge.does = s;
      if (s.next == "idle" || s.next.empty()) break;
      if (!edge.to) edge.to = std::make_shared<node>();
      at = edge.to.get();
      at->label = s.next;
    }
  }

  /// The nodes where the call begins for the second time.
  static bool begun_again(const node& at, const std::string& name, std::vector<const node*>& found) {
    for (const auto& [key, edge] : at.edges) {
      if (!edge.to) continue;
      edge.does.next == name ? found.push_back(edge.to.get()) : static_cast<void>(begun_again(*edge.to, name, found));
    }
    return !found.empty();
  }
  /// All that follows, up to where the call begins anew.
  static std::string serial(const node& at, const std::string& name) {
    std::string out = "{";
    for (const auto& [key, edge] : at.edges) {
      out += key;
      if (edge.to && edge.does.next != name) out += serial(*edge.to, name);
    }
    return out + "}";
  }

  /// The item that every path from here returns, or empty.
  static std::string certain(const node& at, const std::string& name) {
    std::set<std::string> all;
    for (const auto& [key, edge] : at.edges) {
      if (edge.does.next == name) return "";
      all.insert(edge.to ? certain(*edge.to, name) : without_mark(item_in(edge.does)));
    }
    return all.size() == 1 ? *all.begin() : "";
  }

  void emit(const node& at, const std::vector<std::string>& from, const std::string& name) {
    if (at.edges.empty()) throw std::logic_error("licit: too few rounds to see what follows " + from.at(0));
    const std::string known = certain(at, name);
    for (const auto& [key, edge] : at.edges) {
      step s = edge.does;
      s.from = from;
      const bool again = s.next == name;
      const std::string then = again ? "" : edge.to ? certain(*edge.to, name) : without_mark(item_in(s));
      if (known.empty() && !then.empty()) s.takes = given_in(s, then) ? then + "!" : then;
      const node* fresh = nullptr;
      if (edge.to && !again) s.next = point(*edge.to, name, fresh);
      const char* won = s.does && !s.does->takes.empty() ? " won" : "";
      s.name =
          unique((s.does ? s.does->name : name) + won + " > " + (s.next == "idle" ? without_mark(s.returns) : s.next));
      to_.steps.push_back(s);
      if (fresh != nullptr) emit(*fresh, {to_.steps.back().next}, name);
    }
  }
  static bool given_in(const step& s, const std::string& name) {
    if (s.does && s.does->name == name) return true;
    return std::ranges::any_of(s.reads, [&](const step::own_read& r) { return r.result == name; });
  }

  /// The name of the point; `fresh` if it was not there yet.
  std::string point(const node& at, const std::string& name, const node*& fresh) {
    auto& same = points_of_[at.label];
    const std::string all = loops_ ? "" : serial(at, name);
    const auto is_it = [&](const known_point& p) { return loops_ ? alike(at, *p.at) : p.all == all; };
    if (std::ranges::count_if(same, is_it) > 1) {
      throw std::logic_error("licit: too few rounds to tell points of " + at.label + " apart");
    }
    auto found = std::ranges::find_if(same, is_it);
    const auto which = static_cast<std::size_t>(found - same.begin());
    const std::string called = which == 0 ? at.label : at.label + "#" + std::to_string(which + 1);
    if (found == same.end()) {
      same.push_back({all, &at});
      to_.points.push_back(called);
      fresh = &at;
    }
    return called;
  }
  std::string unique(const std::string& name) {
    const int before = names_[name]++;
    return before == 0 ? name : name + " (" + std::to_string(before + 1) + ")";
  }

  struct known_point {
    std::string all;  ///< what follows, if there are no loops
    const node* at;
  };
  transition_system& to_;
  std::vector<std::shared_ptr<node>> roots_;
  bool loops_ = false;
  std::map<std::string, std::vector<known_point>> points_of_;
  std::map<std::string, int> names_;
};

void line(std::string& out, const std::string& what) { out += "  " + what + "\n"; }

std::string text_of(const event& e) {
  std::string out = std::string(licit::detail::name(e.how)) + " " + e.place;
  if (e.place == "slot") out += "[" + e.ring + ": " + e.index + "]";
  if (e.place == "word" || e.place == "futex" || e.place == "inbox") out += "[" + e.index + "]";
  if (e.place == "work") out += e.won ? ": there is some" : ": none, of " + (e.index.empty() ? "a part" : e.index);
  if (e.place == "inbox") {
    out += e.how == operation::compare_exchange ? ": one more" : e.won ? ": there is some" : ": none";
  } else if (e.how == operation::compare_exchange && e.place == "word") {
    out += (e.blind ? " blindly := " : " to ") + e.term + (e.won ? ": won" : ": lost");
  } else if (e.how == operation::compare_exchange) {
    out += e.blind ? " blindly := " + e.term : " from " + e.index + " to " + e.term + (e.won ? ": won" : ": lost");
  } else if (!e.term.empty()) {
    out += " := " + e.term;
  }
  if (licit::detail::is_fence(e.how)) out.pop_back();
  if (e.batch && e.how == operation::store) out += " with the copies from " + e.index + " up to " + e.ring;
  out += ", " + std::string(licit::detail::name(e.success));
  return e.behind.empty() ? out : out + ", behind " + e.behind + ", " + std::string(licit::detail::name(e.fenced));
}

}  // namespace

bool next_path(std::vector<bool>& decisions) {
  while (!decisions.empty() && !decisions.back()) decisions.pop_back();
  if (decisions.empty()) return false;
  decisions.back() = false;
  return true;
}

transition_system system_of(std::string structure, std::vector<std::pair<std::string, std::string>> initial,
                            const std::vector<call>& calls) {
  transition_system made{.structure = std::move(structure), .initial = std::move(initial), .points = {"idle"}};
  system_maker maker(made);
  for (const call& c : calls) maker.add(c);
  return made;
}

std::string text(const step& s) {
  std::string out;
  if (s.does) line(out, s.does->name + ": " + text_of(*s.does));
  for (const auto& r : s.reads) {
    if (r.place.empty()) {
      line(out, r.result + "! := " + r.index);
      continue;
    }
    if (r.place == away) {
      line(out, r.result + "! := any number");
      continue;
    }
    line(out, r.result + "! := latest " + r.place + (r.place == "slot" ? "[" + r.ring + ": " + r.index + "]" : ""));
  }
  for (const auto& g : s.guards) line(out, "if " + g);
  for (const auto& [name, term] : s.obligations) line(out, "must " + name + ": " + term);
  if (s.copies) {
    line(out, "slots[" + s.copies->to + ": " + s.copies->first + " up to " + s.copies->last + "] := slots[" +
                  s.copies->from + ": the same]");
  }
  if (s.begins_batch) line(out, "a batch of copies begins");
  if (s.hands) line(out, "hands over " + s.hands->first + " up to " + s.hands->last);
  for (const auto& [name, term] : s.updates) line(out, name + " := " + term);
  if (!s.takes.empty()) line(out, "takes " + s.takes);
  if (s.next != "idle") line(out, "then " + s.next);
  if (s.next == "idle" || !s.returns.empty()) line(out, "returns " + s.returns);
  return out;
}

std::string text(const transition_system& system) {
  std::string out = system.structure + ": " + std::to_string(system.steps.size()) + " steps, " +
                    std::to_string(system.points.size()) + " points\n";
  for (const step& s : system.steps) {
    out += "\n" + s.name + "\n";
    std::string from;
    for (const auto& f : s.from) from += (from.empty() ? "" : " or ") + f;
    line(out, (system.wake_up ? "thread at " : s.owner ? "owner at " : "thief at ") + from);
    out += text(s);
  }
  return out;
}

}  // namespace licit::proof
