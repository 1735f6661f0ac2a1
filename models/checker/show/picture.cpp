#include "show/picture.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "show/words.hpp"

namespace licit::checker::detail {

namespace {

bool is_sleep(const event& e) { return e.op.what == action::modify && e.op.how == change::sleep; }

std::vector<plain_access> plain_accesses;  ///< for the next picture

/// Behind a step of its thread, whose number it has; the edges know the steps by their new places.
void insert(execution& e, std::size_t place, execution::step s) {
  const auto moved = [&](std::size_t& step) { step += step < e.steps.size() && step >= place ? 1 : 0; };
  for (execution::step& other : e.steps) moved(other.source);
  for (execution::edge& a : e.edges) {
    moved(a.from);
    moved(a.to);
  }
  e.steps.insert(e.steps.begin() + static_cast<std::ptrdiff_t>(place), std::move(s));
}

/// Between a step and the one that follows it in program order.
void insert_behind(execution& e, std::size_t step, execution::step s) {
  insert(e, step + 1, std::move(s));
  for (execution::edge& a : e.edges) {
    if (a.what == execution::relation::po && a.from == step) a.from = step + 1;
  }
  e.edges.push_back({execution::relation::po, step, step + 1, true, false});
}

/// Makes the picture, event by event.
class painter {
 public:
  painter(const exploration& s, const memory& m, unsigned threads, const offence& by)
      : search_{s}, memory_{m}, graph_{s.current()}, offending_{by.events}, plain_{std::exchange(plain_accesses, {})} {
    if (by.next != nullptr) {
      append_next(graph_, *by.next);
      pending_ = static_cast<event_id>(graph_.size() - 1);
      graph_[pending_].value = by.next->operand;
      offending_.push_back(pending_);
    }
    for (event_id& id : offending_) id = first_half(id);
    add_what_was_missed();
    made_.threads = threads;
  }

  execution paint() {
    find_prefix();
    find_shared();
    std::vector<event_id> shown;
    for (unsigned t = 0; t != made_.threads; ++t) {
      for (const event_id id : graph_.thread(t)) {
        if (!graph_[id].within(prefix_)) {
          made_.later += graph_[id].half == part::write ? 0U : 1U;
        } else if (is_shown(id)) {
          shown.push_back(id);
        } else if (graph_[id].half != part::write) {
          ++made_.inner;
        }
      }
    }
    relate(graph_, pending_, shown, steps_of(shown), offending_, made_);
    for (const plain_access& a : plain_) place(a);
    return std::move(made_);
  }

 private:
  [[nodiscard]] event_id first_half(event_id id) const {
    return graph_[id].half == part::write ? graph_.at(graph_[id].thread(), graph_[id].index - 1U) : id;
  }

  /// The last access of a thread to each location before it went to sleep, since it woke up last, if that is a load.
  [[nodiscard]] std::vector<event_id> looked_at(const event& sleep) const {
    std::vector<event_id> loads;
    std::vector<location_id> known;
    for (unsigned i = sleep.index; i-- != 0;) {
      const event_id id = graph_.at(sleep.thread(), i);
      const event& e = graph_[id];
      if (e.op.what == action::awake && e.op.location == sleep.op.location) break;
      if ((!e.reads() && !e.writes()) || e.of_queue() || std::ranges::find(known, e.op.location) != known.end())
        continue;
      known.push_back(e.op.location);
      if (e.op.what == action::load) loads.push_back(id);
    }
    return loads;
  }

  /// Of each thread that sleeps: what it read before, and the newest value, if that is another.
  void add_what_was_missed() {
    const std::vector<event_id> given = offending_;
    for (const event_id id : given) {
      if (!is_sleep(graph_[id])) continue;
      for (const event_id load : looked_at(graph_[id])) {
        const event_id newest = graph_.last_write(graph_[load].op.location);
        if (newest == initial || newest == graph_[load].source || graph_[newest].value == graph_[load].value) continue;
        if (graph_[newest].thread() == graph_[id].thread()) continue;
        missed_.push_back(first_half(newest));
        for (const event_id one : {load, missed_.back()}) {
          if (!offends(one)) offending_.push_back(one);
        }
      }
    }
  }

  /// The last step of its thread that has the number; where there is none, of the thread.
  [[nodiscard]] std::size_t last_step(unsigned thread, std::optional<unsigned> number) const {
    std::size_t s = made_.steps.size();
    while (s-- != 0) {
      if (made_.steps[s].thread == thread && (!number || made_.steps[s].number == *number)) break;
    }
    return s;
  }

  /// The event before it is in the prefix.
  void place(const plain_access& a) {
    const auto events = graph_.thread(a.thread).first(a.before);
    const auto before = std::ranges::count_if(events, [this](event_id id) { return is_shown(id); });
    const auto number = static_cast<unsigned>(before - 1);
    const std::size_t behind = last_step(a.thread, number);
    if (behind == execution::nothing) return;
    insert_behind(made_, behind,
                  {.thread = a.thread,
                   .number = number,
                   .site = a.site,
                   .action = a.action,
                   .location = a.location,
                   .strength = a.action == "free" ? "" : "plain",
                   .remark = a.remark,
                   .offends = true});
    if (!a.races || pending_ == initial) return;
    const std::size_t other = last_step(graph_[pending_].thread(), {});
    made_.edges.push_back({execution::relation::race, behind + 1, other, false, true});
  }

  [[nodiscard]] bool offends(event_id id) const { return std::ranges::find(offending_, id) != offending_.end(); }

  void find_prefix() {
    for (const plain_access& a : plain_) prefix_.join(graph_[graph_.at(a.thread, a.before - 1)].prefix);
    for (const event_id id : offending_) {
      const event& e = graph_[id];
      prefix_.join(e.prefix);
      if (e.half == part::read) prefix_.set(e.thread(), std::max(prefix_.count(e.thread()), e.index + 2U));
    }
    if (!offending_.empty()) return;
    for (unsigned t = 0; t != made_.threads; ++t) {
      prefix_.set(t, static_cast<unsigned>(graph_.thread(t).size()));
    }
  }

  /// Which plain cells one thread writes and another accesses.
  void find_shared() {
    shared_.assign(graph_.locations(), false);
    for (std::size_t l = 0; l != graph_.locations(); ++l) {
      unsigned users = 0;
      bool written = false;
      for (event_id id = graph_.last_access(static_cast<location_id>(l)); id != initial; id = graph_[id].chained) {
        const event& e = graph_[id];
        if (!e.within(prefix_) || e.is_ghost()) continue;
        users |= 1U << e.thread();
        written = written || e.op.what == action::plain_write || e.writes();
      }
      shared_[l] = written && (users & (users - 1)) != 0;
    }
  }

  /// Not the second half of what is shown as one; of cells that are not atomic, of lives and of guesses, only what
  /// concerns more than one thread, or offends.
  [[nodiscard]] bool is_shown(event_id id) const {
    const event& e = graph_[id];
    if (e.half == part::write) return false;
    if (offends(id)) return true;
    switch (e.op.what) {
      case action::plain_read:
      case action::plain_write:
      case action::construct:
      case action::destroy: return e.op.location < shared_.size() && shared_[e.op.location];
      case action::ghost_construct:
      case action::ghost_write:
      case action::ghost_read:
      case action::ghost_commit: return false;
      default: return true;
    }
  }

  /// The plain write that a plain read reads: the last that happens before it. If it races, nobody can say.
  [[nodiscard]] event_id plain_source(const event& read) const {
    for (event_id id = graph_.last_access(read.op.location); id != initial; id = graph_[id].chained) {
      const event& e = graph_[id];
      if (e.op.what == action::plain_write && e.within(read.happened)) return id;
    }
    return initial;
  }

  std::vector<event_id> steps_of(const std::vector<event_id>& shown) {
    std::vector<event_id> sources;
    std::array<unsigned, max_threads> numbers{};
    for (const event_id id : shown) {
      const event& e = graph_[id];
      execution::step s{.thread = e.thread(),
                        .number = numbers[e.thread()]++,
                        .site = e.op.site != nullptr ? e.op.site : "",
                        .action = action_of(e.op),
                        .offends = offends(id)};
      s.location = place_of(e);
      if (e.half == part::read && !is_sleep(e) && !e.op.wakes()) s.action = "update";
      if (!e.op.wakes() && e.op.what != action::awake) s.strength = strength_of(e);
      sources.push_back(values_of(id, s));
      if (std::ranges::find(missed_, id) != missed_.end()) s.remark = "too late";
      made_.steps.push_back(std::move(s));
    }
    return sources;
  }

  [[nodiscard]] std::string place_of(const event& e) const {
    if (e.op.what == action::allocate || e.op.what == action::release) return block_name(memory_.at(e.op.location));
    if (e.op.what == action::spawn || e.op.what == action::join) {
      return thread_name(static_cast<unsigned>(e.op.operand));
    }
    if (!memory_.known(e.op.location)) return "";
    const location& l = memory_.location_at(e.op.location);
    return short_name(memory_, l.waited_on != nowhere ? l.waited_on : e.op.location);
  }

  static std::string strength_of(const event& e) {
    if (e.is_light()) return "light";
    if (e.op.weight == asymmetry::heavy) return "heavy";
    if (e.is_plain() || e.op.plain) return "plain";
    if (e.is_fence() || e.reads() || e.writes()) return std::string(licit::detail::name(e.strength));
    return "";
  }

  [[nodiscard]] word plain_value(const event& e, event_id source) const {
    return source != initial ? graph_[source].value : search_.initial_value(e.op.location);
  }

  /// Puts in the step what was read and written; the write that was read from.
  event_id values_of(event_id id, execution::step& s) {
    const event& e = graph_[id];
    const auto shown = [&](word value) { return value_text(memory_, memory_.location_at(e.op.location).seen, value); };
    if (e.op.what == action::plain_read) {
      if (id == pending_ || (s.offends && offending_.size() > 1)) return initial;
      const event_id source = plain_source(e);
      s.read = shown(plain_value(e, source));
      if (source == initial) s.source = execution::beginning;
      return source;
    }
    if (e.op.what == action::plain_write) s.written = shown(e.value);
    if (e.op.what == action::construct) s.written = shown(e.value);
    if (e.follows()) return e.source;
    if (id == pending_) {
      if (e.op.what == action::store) s.written = shown(e.value);
      return initial;
    }
    if (is_sleep(e)) return initial;
    if (e.op.wakes()) {
      for (unsigned t = 0; t != max_threads; ++t) {
        if ((e.woken >> t & 1U) != 0) s.written += (s.written.empty() ? "" : ", ") + thread_name(t);
      }
      if (e.woken == 0) s.written = "nobody";
      return initial;
    }
    if (e.op.what == action::store) s.written = shown(e.value);
    if (!e.reads()) return initial;
    s.read = shown(e.value);
    if (e.half == part::read) {
      s.written = shown(applied(e.op, e.value, e.woken));
    } else if (e.op.what == action::modify) {
      s.remark = e.spurious() ? "fails spuriously" : "fails";
    }
    if (e.stuck) s.remark = "waits";
    if (e.source == initial) s.source = execution::beginning;
    return e.source;
  }

  const exploration& search_;
  const memory& memory_;
  graph graph_;
  std::vector<event_id> offending_;
  std::vector<event_id> missed_;  ///< of these, what a thread that sleeps has not seen
  std::vector<plain_access> plain_;
  event_id pending_ = initial;
  clock prefix_;
  std::vector<bool> shared_;
  execution made_;
};

}  // namespace

void show_also(plain_access a) { plain_accesses.push_back(std::move(a)); }

execution picture(const exploration& s, const memory& m, unsigned threads, const offence& by) {
  return painter(s, m, threads, by).paint();
}

}  // namespace licit::checker::detail
