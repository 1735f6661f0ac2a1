#include "walk/record.hpp"

#include <algorithm>
#include <array>

#include "show/words.hpp"

namespace licit::checker {

namespace detail {

namespace {

/// By who constructed it: what it is called otherwise may change while the execution goes on.
std::string location_number(const location& l) {
  return std::string(l.atomic ? "atomic " : "plain cell ") + std::to_string(l.number) + " of " + thread_name(l.maker);
}

std::string place_name(const operation& op, const memory& m) {
  if (op.what == action::fence) return {};
  if (op.what == action::join) return thread_name(static_cast<unsigned>(op.operand));
  if (op.what == action::spawn || op.what == action::begin || op.what == action::finish) return {};
  if (op.what == action::allocate || op.what == action::release) {
    const block& b = m.at(op.location);
    return "allocation " + std::to_string(b.number) + " of " + thread_name(b.maker);
  }
  const location& l = m.location_at(op.location);
  if (l.waited_on != nowhere) return "the queue of " + location_number(m.location_at(l.waited_on));
  return location_number(l);
}

std::string action_name(const operation& op) {
  constexpr std::array<std::string_view, 19> actions{
      "load",    "store",           "update",      "fence",      "plain read",  "plain write", "construct",
      "destroy", "allocate",        "free",        "spawn",      "begin",       "finish",      "join",
      "awake",   "ghost construct", "ghost write", "ghost read", "ghost commit"};
  constexpr std::array<std::string_view, 10> changes{"add",      "subtract",         "or",    "and",      "xor",
                                                     "exchange", "compare-exchange", "sleep", "wake one", "wake all"};
  if (op.what == action::modify) return std::string(changes[static_cast<std::size_t>(op.how)]);
  if (op.weight != asymmetry::none) return op.weight == asymmetry::light ? "light fence" : "heavy fence";
  return std::string(actions[static_cast<std::size_t>(op.what)]);
}

/// A value by a name that it has in every run. What is too large for a number may be an address that differs.
std::string value_name(word value, const memory& m) {
  const auto as_signed = static_cast<std::int64_t>(value);
  constexpr std::int64_t largest = std::int64_t{1} << 32;
  if (as_signed > -largest && as_signed < largest) return std::to_string(as_signed);
  for (unsigned t = 0; t <= max_threads; ++t) {
    const auto arena = m.allocated(t);
    const word start = reinterpret_cast<std::uintptr_t>(arena.data());
    if (value < start || value - start > arena.size()) continue;
    return "byte " + std::to_string(value - start) + " of what " + thread_name(t) + " allocated";
  }
  return "large";
}

std::string value_name(const operation& op, const memory& m) {
  const bool writes = op.what == action::store || op.what == action::modify || op.what == action::plain_write ||
                      op.what == action::construct;
  if (!writes && op.until == nullptr && !op.weak) return {};
  std::string text = writes ? value_name(op.operand, m) : std::string{};
  if (op.how == change::compare_exchange) text += " for " + value_name(op.expected, m);
  return text;
}

std::optional<event_name> name_of(const graph& g, event_id id) {
  if (id == initial) return {};
  return event_name{static_cast<std::uint8_t>(g[id].thread()), g[id].index};
}

/// One after the other, each after what it has behind it in program order and reads-from; of those that may come next,
/// the one inserted first. The write of an update comes with its read.
class sequence {
 public:
  explicit sequence(const graph& g) : graph_{g} {}

  /// `initial` when there is none left.
  event_id next() {
    event_id least = initial;
    for (unsigned t = 0; t != max_threads; ++t) {
      const auto events = graph_.thread(t);
      if (done_[t] < events.size() && events[done_[t]] < least && ready(events[done_[t]])) least = events[done_[t]];
    }
    if (least != initial) done_[graph_[least].thread()] += graph_[least].half == part::read ? 2 : 1;
    return least;
  }

  /// The nearest write before this one in modification order that came earlier.
  [[nodiscard]] event_id predecessor(event_id write) const {
    event_id w = graph_[write].before;
    while (w != initial && !came(graph_[w])) w = graph_[w].before;
    return w;
  }

 private:
  [[nodiscard]] bool came(const event& e) const { return done_[e.thread()] > e.index; }

  [[nodiscard]] bool ready(event_id id) const {
    const event& e = graph_[id];
    return !e.has_source() || came(graph_[e.source]);
  }

  const graph& graph_;
  std::array<std::size_t, max_threads> done_{};
};

step step_of(const graph& g, event_id id, const sequence& order, const memory& m) {
  const event& e = g[id];
  step s = identity(e.op, e.index, m);
  if (e.reads()) s.other = name_of(g, e.source);
  if (e.op.what == action::store) s.other = name_of(g, order.predecessor(id));
  s.choice = e.choice;
  s.waits = e.stuck;
  return s;
}

}  // namespace

step identity(const operation& op, unsigned index, const memory& m) {
  return {.at = {op.thread, static_cast<std::uint16_t>(index)},
          .action = action_name(op),
          .site = op.site != nullptr ? op.site : "",
          .location = place_name(op, m),
          .order = std::string(licit::detail::name(op.success)),
          .value = value_name(op, m)};
}

record record_of(const graph& g, const memory& m, unsigned ended_in) {
  record r{{}, ended_in};
  std::vector<step> waits;
  sequence all(g);
  for (event_id id = all.next(); id != initial; id = all.next()) {
    if (!g[id].stuck) {
      r.steps.push_back(step_of(g, id, all, m));
    } else if (g.last_write(g[id].op.location) == g[id].source) {
      waits.push_back(step_of(g, id, all, m));  // at the end: nothing comes after it that it could read
    }
  }
  std::ranges::move(waits, std::back_inserter(r.steps));
  return r;
}

}  // namespace detail

std::string text(const event_name& e) { return std::to_string(e.thread) + "." + std::to_string(e.index); }

std::string text(const step& s) {
  std::string all = text(s.at) + " " + s.action;
  if (!s.site.empty()) all += " at " + s.site;
  if (!s.location.empty()) all += " [" + s.location + "]";
  all += " (" + s.order + ")";
  if (!s.value.empty()) all += " of " + s.value;
  return all;
}

}  // namespace licit::checker
