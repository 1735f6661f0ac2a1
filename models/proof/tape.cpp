// What a symbolic run of the wake-up protocol records, and the transition system of all runs.
#include "proof/tape.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>
#include <stdexcept>

namespace licit::proof {

constexpr int rounds = 4;

tape& tape::running() {
  static thread_local tape one;
  return one;
}

void tape::begin(std::vector<bool> decisions) {
  making_ = false;
  decisions_ = std::move(decisions);
  decided_ = 0;
  steps_.assign(1, {.owner = false});
  given_.clear();
  fence_ = {};
  visits_.clear();
  posts_ = 0;
  fault_.clear();
  linked_ = linked::no;
  seen_.clear();
  looking_ = false;
}

void tape::enter(const std::string& name, bool here) {
  if (here) return;
  steps_.back().next = name;
  throw entered{};
}

bool tape::decide(const std::string& condition) {
  if (decided_ == decisions_.size()) decisions_.push_back(true);
  const bool taken = decisions_[decided_++];
  if (!condition.empty()) {
    const std::string now = rendered(condition);
    steps_.back().guards.push_back(taken ? now : "(not " + now + ")");
  }
  return taken;
}
void tape::oblige(const std::string& name, const std::string& condition) {
  if (condition != "true") steps_.back().obligations.emplace_back(name, rendered(condition));
}

std::string tape::literal(std::uint64_t number) const {
  if (making_ && number == workers_) return "workers";
  std::array<char, 32> out{};
  std::snprintf(out.data(), out.size(), "#x%016llx", static_cast<unsigned long long>(number));
  return out.data();
}
std::string tape::worker(std::size_t number) {
  if (number == 0) return "me";
  if (number == 1) return "(select found me)";
  throw std::logic_error("licit: a worker that is neither the running nor the claimed one");
}
std::size_t tape::find(const std::string& term) {
  steps_.back().updates.emplace_back("found", rendered(term));
  return 1;
}

/// A result of this step is `got!`, and of an earlier one `got`.
std::string tape::rendered(const std::string& term) const {
  std::string out = term;
  for (std::size_t at = 0; (at = out.find("got~", at)) != std::string::npos;) {
    const std::size_t end = std::min(out.find_first_of(" )", at), out.size());
    const std::string token = out.substr(at, end - at);
    if (token != given_) throw std::logic_error("licit: a result is used after the next one");
    const std::string name = token == "got~" + std::to_string(steps_.size()) ? "got!" : "got";
    out.replace(at, end - at, name);
    at += name.size();
  }
  return out;
}

void tape::visit(std::string_view site) {
  if (++visits_[std::string(site)] > rounds) throw endless{};
}

step& tape::operation(event e) {
  if (!fence_.name.empty() && e.how != licit::operation::load) {
    event alone;
    std::swap(alone, fence_);
    operation(alone);
  }
  looking_ = false;
  if (steps_.size() != 1 || steps_.back().does) {
    steps_.back().next = e.name;
    steps_.push_back({.owner = false});
  }
  visit(e.name);
  e.term = rendered(e.term);
  e.index = rendered(e.index);
  e.behind = fence_.name;
  e.fenced = fence_.success;
  fence_ = {};
  steps_.back().does = e;
  return steps_.back();
}

std::string tape::load(std::string_view site, const checker::live_row& row) {
  operation({.name = std::string(site), .place = "head", .how = licit::operation::load, .success = row.success});
  return given_ = got();
}
bool tape::compare_exchange(std::string_view site, const checker::live_row& row, std::string& expected,
                            const std::string& desired) {
  const bool won = row.blind || decide("");
  operation({.name = std::string(site),
             .term = desired,
             .place = "head",
             .index = expected,
             .how = licit::operation::compare_exchange,
             .success = won ? row.success : row.failure,
             .won = won,
             .blind = row.blind});
  if (!won) expected = given_ = got();
  return won;
}
std::string tape::update(std::string_view site, const checker::live_row& row, const std::string& term) {
  operation({.name = std::string(site),
             .term = term,
             .place = "head",
             .how = licit::operation::update,
             .success = row.success});
  return given_ = got();
}

std::string tape::owner_of(const void* place) const {
  const auto found = owners_.find(place);
  if (found == owners_.end()) throw std::logic_error("licit: neither a parker's word nor an inbox");
  return found->second;
}
std::uint32_t tape::token(std::string_view site, const checker::live_row& row, const void* word,
                          const std::string& term) {
  step& s = operation({.name = std::string(site),
                       .term = term,
                       .place = "word",
                       .index = owner_of(word),
                       .how = licit::operation::update,
                       .success = row.success});
  for (const std::uint32_t value : {2U, 1U}) {
    const bool is = decide("");
    if (is) s.guards.push_back("(= was " + std::to_string(value) + ")");
    if (is) return value;
  }
  s.guards.emplace_back("(= was 0)");
  return 0;
}
/// Who fails has read another value: any.
bool tape::take_token(std::string_view site, const checker::live_row& row, const void* word, std::uint32_t& expected,
                      std::uint32_t desired) {
  const bool won = row.blind || decide("");
  operation({.name = std::string(site),
             .term = std::to_string(desired),
             .place = "word",
             .index = owner_of(word),
             .how = licit::operation::compare_exchange,
             .success = won ? row.success : row.failure,
             .won = won,
             .blind = row.blind});
  if (won && !row.blind) steps_.back().guards.push_back("(= was " + std::to_string(expected) + ")");
  if (!won) expected = expected != 2 && decide("") ? 2 : expected != 1 && decide("") ? 1 : 0;
  return won;
}
void tape::falls_asleep(std::string_view site, const checker::live_row& row, const void* word, std::uint32_t old) {
  operation({.name = std::string(site),
             .term = std::to_string(old),
             .place = "futex",
             .index = owner_of(word),
             .how = licit::operation::load,
             .success = row.success});
}
void tape::wakes(std::string_view label, const void* word) {
  operation({.name = std::string(label),
             .place = "futex",
             .index = owner_of(word),
             .how = licit::operation::store,
             .success = order::relaxed});
}
bool tape::sees_top() {
  linked_ = linked::no;
  return decide("");
}
bool tape::posts(std::string_view site, const checker::live_row& row, const void* inbox, bool some) {
  if (linked_ != linked_to(some)) refuse("licit: a post is not linked to what is there");
  if (++visits_["lost"] != rounds && !decide("")) return false;
  ++posts_;
  const std::string whose = owner_of(inbox);
  step& s = operation({.name = std::string(site),
                       .place = "inbox",
                       .index = whose,
                       .how = licit::operation::compare_exchange,
                       .success = row.success,
                       .won = true});
  s.guards.push_back("(worker " + whose + ")");
  s.updates.emplace_back("found", whose);
  return true;
}
bool tape::looks_into_inbox(std::string_view site, const checker::live_row& row, const void* inbox) {
  const bool sees = decide("");
  operation({.name = std::string(site),
             .place = "inbox",
             .index = owner_of(inbox),
             .how = licit::operation::load,
             .success = row.success,
             .won = sees});
  return sees;
}

void tape::flag(std::string_view site, const checker::live_row& row, const void* word) {
  if (owners_.contains(word)) refuse("licit: a parker's word is read and not changed");
  operation({.name = std::string(site), .place = "stop", .how = licit::operation::load, .success = row.success});
}

void tape::fence(std::string_view site, const checker::live_row& row) {
  if (row.dropped || row.success == order::relaxed) return;
  fence_ = {.name = std::string(site), .how = licit::operation::fence, .success = row.success};
}

bool tape::empty(const void* place) {
  if (!looking_) {
    operation({.name = "look", .place = "work", .how = licit::operation::load, .success = order::relaxed});
    seen_.clear();
    looking_ = true;
  }
  seen_.insert(place);
  event& look = *steps_.back().does;  // NOLINT(bugprone-unchecked-optional-access): that operation
  const bool sees = decide("");
  look.won = look.won || sees;
  // The inject queue, and of each worker the queue and the slot.
  look.index = !look.won && seen_.size() == 1 + 2 * workers_ ? "all" : "";
  return !sees;
}

namespace {

/// What a call does from a point on, by the texts of the steps.
struct node {
  struct edge {
    step does;
    std::shared_ptr<node> to;  ///< null: the call is over, or another one is entered
  };
  std::string label;
  std::map<std::string, edge> edges;  ///< none: the run was ended here
};

bool alike(const node& a, const node& b) {
  if (a.label != b.label) return false;
  if (a.edges.empty() || b.edges.empty()) return true;
  if (a.edges.size() != b.edges.size()) return false;
  return std::ranges::all_of(a.edges, [&](const auto& e) {
    const auto other = b.edges.find(e.first);
    if (other == b.edges.end() || !e.second.to != !other->second.to) return false;
    return !e.second.to || alike(*e.second.to, *other->second.to);
  });
}

class protocol_maker {
 public:
  explicit protocol_maker(transition_system& to) : to_{to} {}

  void add(const protocol_call& c) {
    node root;
    std::vector<bool> decisions;
    do {
      const tape& t = tape::running();
      bool whole = true;
      std::string end;
      try {
        end = c.run(decisions);
      } catch (const entered&) {
        end = t.steps().back().next;
      } catch (const endless&) {
        whole = false;
      }
      if (!t.fault().empty()) throw std::logic_error(t.fault());
      insert(root, t.steps(), whole ? end : "");
      decisions = t.decisions();
    } while (next_path(decisions));
    emit(root, c);
  }

 private:
  /// Of a run that was ended the last step is not known.
  static void insert(node& root, const std::vector<step>& steps, const std::string& end) {
    node* at = &root;
    for (std::size_t i = 0; i + 1 != steps.size(); ++i) {
      auto& edge = at->edges[text(steps[i])];
      if (!edge.to) {
        edge = {steps[i], std::make_shared<node>()};
        edge.to->label = steps[i].next;
      }
      at = edge.to.get();
    }
    if (end.empty()) return;
    step last = steps.back();
    last.next = end;
    std::string key = text(last);
    at->edges.try_emplace(std::move(key), std::move(last));
  }

  /// The points nearest to the beginning first: of them most is known.
  void emit(const node& root, const protocol_call& c) {
    std::deque<std::pair<const node*, std::vector<std::string>>> open{{&root, c.from}};
    for (; !open.empty(); open.pop_front()) {
      const auto [at, from] = open.front();
      if (at->edges.empty()) throw std::logic_error("licit: too few rounds to see what follows " + from.at(0));
      for (const auto& [key, edge] : at->edges) {
        step s = edge.does;
        s.from = from;
        if (c.worker) s.guards.insert(s.guards.begin(), "(worker me)");
        const bool fresh = edge.to && !known(*edge.to, s.next);
        if (fresh) s.next = added(*edge.to);
        const bool won = s.does && s.does->how == operation::compare_exchange && s.does->won;
        const std::string what = (s.does ? s.does->name : c.name) + (won ? " won" : "");
        s.name = unique((at == &root && what != c.name ? from.at(0) + ": " : "") + what + " > " + s.next);
        to_.steps.push_back(s);
        if (fresh) open.push_back({edge.to.get(), {s.next}});
      }
    }
  }
  bool known(const node& at, std::string& name) const {
    const auto same = points_.find(at.label);
    if (same == points_.end()) return false;
    std::size_t found = 0;
    for (const auto& [other, called] : same->second) {
      if (!alike(at, *other)) continue;
      name = called;
      ++found;
    }
    if (found > 1) throw std::logic_error("licit: too few rounds to tell points of " + at.label + " apart");
    return found == 1;
  }
  std::string added(const node& at) {
    auto& same = points_[at.label];
    const std::string called = same.empty() ? at.label : at.label + "#" + std::to_string(same.size() + 1);
    kept_.push_back(std::make_shared<node>(at));
    same.emplace_back(kept_.back().get(), called);
    to_.points.push_back(called);
    return called;
  }
  std::string unique(const std::string& name) {
    const int before = names_[name]++;
    return before == 0 ? name : name + " (" + std::to_string(before + 1) + ")";
  }

  transition_system& to_;
  std::map<std::string, std::vector<std::pair<const node*, std::string>>> points_;
  std::vector<std::shared_ptr<node>> kept_;
  std::map<std::string, int> names_;
};

/// Whether some way leads from the point to one between the calls.
bool leads_out(const transition_system& system, const std::string& point, const std::vector<std::string>& between) {
  std::set<std::string> reached{point};
  for (bool more = true; more;) {
    more = false;
    for (const step& s : system.steps) {
      const bool from = std::ranges::any_of(s.from, [&](const std::string& f) { return reached.contains(f); });
      if (from && reached.insert(s.next).second) more = true;
    }
  }
  return std::ranges::any_of(between, [&](const std::string& p) { return reached.contains(p); });
}

}  // namespace

transition_system protocol_of(std::string structure, const std::vector<std::string>& between,
                              const std::vector<protocol_call>& calls) {
  transition_system made{.structure = std::move(structure), .points = between};
  made.wake_up = true;
  protocol_maker maker(made);
  for (const protocol_call& c : calls) maker.add(c);
  for (const std::string& point : made.points) {
    if (!leads_out(made, point, between)) throw std::logic_error("licit: nothing leads out of a loop at " + point);
  }
  return made;
}

}  // namespace licit::proof
