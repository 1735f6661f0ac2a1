#include "checker/trace.hpp"

#include <array>
#include <string_view>

namespace licit::checker {

namespace {

std::string event_name(const event& e) { return std::to_string(e.thread()) + "." + std::to_string(e.index); }

std::string value_text(word value) {
  const auto as_signed = static_cast<std::int64_t>(value);
  const bool small = as_signed > -1'000'000 && as_signed < 1'000'000'000;
  return small ? std::to_string(as_signed) : std::string("#").append(std::to_string(value % 1'000'000));
}

std::string line(const graph& g, const event& e, const memory& m) {
  std::string text(2 + 4 * std::size_t{e.thread()}, ' ');
  text.append(event_name(e)).append("  ").append(describe(e.op, m));
  if (e.is_light()) text += " (light)";
  if (e.op.weight == asymmetry::heavy) text += " (heavy)";
  if (e.strength != order::relaxed) text.append(" (").append(licit::name(e.strength)).append(")");
  if (e.stuck) {
    text += " waits,";
  }
  if (e.reads()) {
    text.append(" reads ").append(value_text(e.value)).append(" of ");
    text.append(e.source == initial ? "the beginning" : event_name(g[e.source]));
    if (g.last_write(e.op.location) != e.source) text += ", not the newest";
    if (e.op.what == action::modify && e.half == part::whole) text += e.spurious() ? ", fails spuriously" : ", fails";
  } else if (e.writes() || e.op.what == action::plain_write) {  // what a plain read got is not recorded
    text.append(" writes ").append(value_text(e.value));
  }
  return text + "\n";
}

}  // namespace

std::string_view name(action a) {
  constexpr std::array<std::string_view, 14> names{
      "load",    "store",    "update", "fence", "plain read",  "plain write", "construct",
      "destroy", "allocate", "free",   "awake", "ghost write", "ghost read",  "ghost commit"};
  return names[static_cast<std::size_t>(a)];
}

std::string thread_name(unsigned thread) {
  return thread == main_thread ? "the main thread" : std::string("thread ").append(std::to_string(thread));
}

std::string location_name(const location& l) {
  return std::string(l.atomic ? "atomic " : "plain cell ") + std::to_string(l.number) + " of " + thread_name(l.maker);
}

std::string describe(const operation& op, const memory& m) {
  std::string text = op.site != nullptr ? std::string(op.site) : std::string(name(op.what));
  if (op.what == action::allocate || op.what == action::release) return text + " block " + std::to_string(op.location);
  if (m.known(op.location)) text.append(" [").append(location_name(m.location_at(op.location))).append("]");
  return text;
}

std::string trace(const graph& g, const memory& m) {
  std::string text;
  std::array<unsigned, max_threads> done{};
  const auto ready = [&](const event& e) {
    if (!e.reads() || e.source == initial) return true;
    const event& write = g[e.source];
    return done[write.thread()] > write.index;
  };
  for (bool progress = true; progress;) {
    progress = false;
    for (unsigned t = 0; t != max_threads; ++t) {
      while (done[t] < g.thread(t).size() && ready(g[g.at(t, done[t])])) {
        text += line(g, g[g.at(t, done[t]++)], m);
        progress = true;
      }
    }
  }
  return text;
}

}  // namespace licit::checker
