#include "core/image.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/executor.hpp"

namespace licit::checker::detail {

/// Whether the program can be put back to where it was. Where a loop is likely it is run from its beginning, for the
/// states that it has been in.
bool executor::goes_back() const {
  const surroundings* const around = program_.around;
  return program_.self_contained && options_.how == mode::exhaustive && snapshots_work() &&
         (around == nullptr || around->can_be_kept()) && std::ranges::none_of(suspects_, &suspect::likely);
}

/// Whether all of the program's state is what an image has.
bool executor::is_within_reach() const {
  return heap_.is_empty() && std::ranges::all_of(std::span(threads_).first(program_.threads),
                                                 [](const auto& t) { return t.own.empty() && t.stack.can_be_kept(); });
}

/// Of the program before its threads run.
void executor::keep_beginning() {
  if (beginning_.is_made() || !goes_back() || !is_within_reach()) return;
  if (!keep_in(beginning_, anyone)) beginning_.drop();
}

/// Of the program before the access that a thread added last.
void executor::keep_image(unsigned by) {
  image* const to = is_within_reach() ? search_.place_for_image() : nullptr;
  if (to != nullptr && !keep_in(*to, by)) search_.drop_image();
}

/// False if that is too much.
bool executor::keep_in(image& to, unsigned by) const {
  const auto threads = std::span(threads_).first(program_.threads);
  std::size_t done = 0;
  for (const thread_state& t : threads) done += t.cursor;
  to.begin(static_cast<event_id>(done), by);
  for (const thread_state& t : threads) to.put(static_cast<const thread_place&>(t));
  for (const thread_state& t : threads) {
    if (t.now == standing::unborn) continue;  // nothing has run there
    to.put(t.guesses);
    to.put(t.seen);
    to.put(t.calls);
    t.stack.keep(to);
  }
  to.put(visited_);
  to.put_bytes({static_cast<const std::byte*>(object_), program_.size});
  memory_.keep(to);
  if (program_.around != nullptr) program_.around->keep(to);
  return to.fits();
}

/// To the latest state that the current graph has in common with an earlier execution. False if there is none.
bool executor::go_back() {
  if (!goes_back()) return false;
  const image* from = search_.latest_image();
  if (from == nullptr) from = &beginning_;
  if (!from->is_made()) return false;
  const graph& g = search_.current();
  const auto threads = std::span(threads_).first(program_.threads);
  image::reader state(*from);
  std::array<thread_place, max_threads> places;
  for (unsigned t = 0; t != threads.size(); ++t) {
    state.get(places[t]);
    // A thread that waits does not look at what the graph has of it.
    const bool has_begun = places[t].now != standing::unborn;
    if (has_begun && places[t].now != standing::running && places[t].cursor != g.thread(t).size()) return false;
  }
  for (unsigned t = 0; t != threads.size(); ++t) {
    static_cast<thread_place&>(threads[t]) = places[t];
    if (places[t].now == standing::unborn) {
      begin_thread(t);
      continue;
    }
    state.get(threads[t].guesses);
    state.get(threads[t].seen);
    state.get(threads[t].calls);
    threads[t].stack.go_back(state);
  }
  state.get(visited_);
  state.get_bytes({static_cast<std::byte*>(object_), program_.size});
  memory_.go_back(state);
  if (program_.around != nullptr) program_.around->go_back(state);
  phase_ = phase::threads;
  is_kept_ = false;
  left_ = g.size() - std::size_t{from->events()};
  goes_on_ = is_alone(from->thread(), left_) ? from->thread() : last_of_replay();
  return true;
}

/// Whether what is left of the replay is that thread's, and no other could go on.
bool executor::is_alone(unsigned t, std::size_t left) const {
  if (t == anyone || threads_[t].cursor + left != search_.current().thread(t).size()) return false;
  for (unsigned other = 0; other != program_.threads; ++other) {
    const thread_state& o = threads_[other];
    if (other != t && o.cursor != 0 && o.now == standing::running && !o.stack.ended()) return false;
  }
  return true;
}

/// How many events a thread could do, given what has been done.
unsigned executor::reached(unsigned t, const clock& done) const {
  const graph& g = search_.current();
  const auto events = g.thread(t);
  if (search_.is_symmetric()) {  // prefixes have more than what is waited for
    const auto waits = [&](event_id id) {
      return g[id].has_source() && g[g[id].source].thread() != t && !g[g[id].source].within(done);
    };
    const auto first = std::ranges::find_if(events.subspan(done.count(t)), waits);
    return static_cast<unsigned>(first - events.begin());
  }
  clock all = done;
  all.set(t, static_cast<unsigned>(events.size()));
  const auto can_be_done = [&](event_id id) { return g[id].prefix.within(all); };
  const unsigned first = done.count(t);
  if (first == events.size() || !can_be_done(events[first])) return first;
  if (can_be_done(events.back())) return static_cast<unsigned>(events.size());
  const auto left = events.subspan(first);
  return first + static_cast<unsigned>(std::ranges::partition_point(left, can_be_done) - left.begin());
}

/// Who would be the last to do an event if the program were run from its beginning, and so the one who goes on.
unsigned executor::last_of_replay() const {
  clock done;
  unsigned last = anyone;
  for (std::size_t left = search_.current().size(); left != 0;) {
    for (unsigned t = 0; t != program_.threads; ++t) {
      const unsigned next = reached(t, done);
      if (next == done.count(t)) continue;
      left -= next - done.count(t);
      done.set(t, next);
      last = t;
    }
  }
  return last;
}

}  // namespace licit::checker::detail
