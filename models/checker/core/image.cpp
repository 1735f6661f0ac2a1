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
  return heap_.is_empty() && std::ranges::all_of(std::span(threads_).first(in_use_),
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
  const auto threads = std::span(threads_).first(in_use_);
  std::size_t done = 0;
  for (const thread_state& t : threads) done += t.cursor;
  to.begin(static_cast<event_id>(done), by);
  to.put(in_use_);
  for (const thread_state& t : threads) {
    to.put(t.now);
    if (t.now != standing::unborn) to.put(static_cast<const thread_place&>(t));
  }
  for (const thread_state& t : threads) {
    if (t.now == standing::unborn) continue;  // nothing has run there
    const bool has_more = !t.guesses.empty() || !t.seen.empty() || !t.calls.empty();
    to.put(has_more);
    if (has_more) {
      to.put(t.guesses);
      to.put(t.seen);
      to.put(t.calls);
    }
    t.stack.keep(to);
  }
  to.put(visited_);
  to.put_bytes({static_cast<const std::byte*>(object_), program_.size});
  memory_.keep(to);
  if (program_.around != nullptr) program_.around->keep(to);
  return to.fits();
}

/// What most threads have nothing of.
void executor::get_more(thread_state& t, image::reader& from) {
  bool has_more = false;
  from.get(has_more);
  if (!has_more) {
    t.guesses.clear();
    t.seen.clear();
    t.calls.clear();
    return;
  }
  from.get(t.guesses);
  from.get(t.seen);
  from.get(t.calls);
}

/// To the latest state that the current graph has in common with an earlier execution. False if there is none.
bool executor::go_back() {
  if (!goes_back()) return false;
  const image* from = search_.latest_image();
  if (from == nullptr) from = &beginning_;
  if (!from->is_made()) return false;
  const graph& g = search_.current();
  const auto threads = std::span(threads_).first(in_use_);
  image::reader state(*from);
  std::array<thread_place, max_threads> places;
  unsigned kept = 0;
  state.get(kept);
  for (unsigned t = 0; t != threads.size(); ++t) {
    places[t].now = standing::unborn;
    if (t < kept) state.get(places[t].now);
    const bool has_begun = places[t].now != standing::unborn;
    if (has_begun) state.get(places[t]);
    // A thread that waits does not look at what the graph has of it.
    if (has_begun && places[t].now != standing::running && places[t].cursor != g.thread(t).size()) return false;
  }
  for (unsigned t = 0; t != threads.size(); ++t) {
    const bool has_run = threads[t].now != standing::unborn;
    static_cast<thread_place&>(threads[t]) = places[t];
    if (places[t].now == standing::unborn) {
      if (has_run) begin_thread(t);
      continue;
    }
    get_more(threads[t], state);
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
  for (unsigned other = 0; other != in_use_; ++other) {
    const thread_state& o = threads_[other];
    if (other != t && o.cursor != 0 && o.now == standing::running && !o.stack.ended()) return false;
  }
  return true;
}

/// Who would be the last to do an event if the program were run from its beginning, and so the one who goes on.
unsigned executor::last_of_replay() const {
  const graph& g = search_.current();
  unsigned last = anyone;
  unsigned latest = 0;
  for (unsigned t = 0, most = g.threads(); t != most; ++t) {
    const auto events = g.thread(t);
    if (events.empty() || g[events.back()].round < latest) continue;
    latest = g[events.back()].round;
    last = t;
  }
  return last;
}

}  // namespace licit::checker::detail
