/// What the threads of an execution of a crew's client did, as the wake-up protocol's transition system calls it.
#ifndef LICIT_TESTS_PROOF_CREW_ACTS_HPP
#define LICIT_TESTS_PROOF_CREW_ACTS_HPP

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crew_system.hpp"
#include "graphs.hpp"
#include "suites/crew.hpp"

namespace licit::proof::of_crew {

using checker::change;
using checker::detail::event;
using checker::detail::event_id;
using checker::detail::graph;
using checker::detail::location_id;

/// What one thread does in one step.
struct act {
  unsigned thread = 0;
  std::string site;
  event_id when = 0;        ///< the event at which the step is made
  cell value = 0;           ///< that was read; of a post, the worker that it is for
  std::size_t version = 0;  ///< of the head, by its place in modification order
  bool won = false;
  std::string to = {};  ///< the point where it ends, if that has to be said
};

/// The acts of an execution, up to where somebody stops the crew.
class acts_of {
 public:
  acts_of(const graph& g, unsigned workers) : g_{g}, workers_{workers} {
    for (event_id e = 0; e != g.size(); ++e) {
      if (site_of(g[e]) == "stop.set") stop_ = &g[e];
    }
    name_inboxes();
    for (unsigned t = 0; t != checker::max_threads; ++t) {
      read_thread(t);
      look_.reset();  // one that was not over
    }
  }
  [[nodiscard]] const std::vector<act>& all() const { return all_; }
  [[nodiscard]] bool has(const event& e) const { return stop_ == nullptr || !stop_->within(e.prefix); }

 private:
  void read_thread(unsigned t) {
    const auto events = g_.thread(t);
    std::string_view before;
    bool parked = false;  // it has just read that it is
    for (std::size_t i = 0; i != events.size(); ++i) {
      const event& e = g_[events[i]];
      if (!has(e)) return;
      const std::string_view site = site_of(e);
      const bool wrote = e.half == checker::detail::part::read && i + 1 != events.size() &&
                         g_[events[i + 1]].half == checker::detail::part::write && has(g_[events[i + 1]]);
      const event_id when = wrote ? events[i + 1] : events[i];
      if (!reads_look(e, events[i], site)) end_look(site);
      if (site == "look.fence") look_ = act{.thread = t, .site = "look", .when = events[i]};
      if (site != "pop.kept" || parked) add(t, e, site, before, when, wrote);
      parked = site == "parked.look" && (e.value >> t & 1) != 0;
      before = site;
      if (wrote) ++i;
    }
  }
  /// A load of the look that is under way.
  bool reads_look(const event& e, event_id at, std::string_view site) {
    if (!look_ || !e.reads() || !is_one_of(site, {"inject.size", "size.head", "size.tail", "empty.look"})) return false;
    look_->when = at;
    return true;
  }
  void end_look(std::string_view site) {
    if (!look_ || site.empty()) return;
    all_.push_back(*look_);
    look_.reset();
  }
  void add(unsigned t, const event& e, std::string_view site, std::string_view before, event_id when, bool wrote) {
    act a{t, std::string(site), when, e.value, g_.rank(e), wrote, ""};
    if (is_one_of(site,
                  {"park.count", "end.count", "begin.look", "begin.count", "claim.look", "claim.take", "parked.look",
                   "retract.look", "retract.take", "park.begin", "park.take", "unpark.swap", "drain.take"})) {
      all_.push_back(a);
    } else if (site == "pop.kept") {
      a.won = e.value != 0;
      all_.push_back(a);
    } else if (site == "keep.push" && wrote) {
      a.value = owner_of(e);
      all_.push_back(a);
    } else if (site == "inject.length") {
      a.site = t < workers_ ? "take" : "publish";
      all_.push_back(a);
    } else if ((site == "park.sleep" || site == "unpark.wake") && before != site) {
      all_.push_back(a);
    } else if (site == "stop.seen" && is_one_of(before, {"park.begin", "park.take"})) {
      all_.push_back(a);
    }
  }

  /// Whose inbox is where, as far as events say it: its worker looks into it, or is woken for what comes there.
  void name_inboxes() {
    std::map<location_id, unsigned> words;
    for (unsigned t = 0; t != workers_; ++t) {
      for (const event_id id : g_.thread(t)) {
        if (is_one_of(site_of(g_[id]), {"pop.kept", "drain.take"})) inboxes_[g_[id].op.location] = t;
        if (site_of(g_[id]) == "park.begin") words[g_[id].op.location] = t;
      }
    }
    for (unsigned t = 0; t != checker::max_threads; ++t) {
      const event* push = nullptr;
      for (const event_id id : g_.thread(t)) {
        if (site_of(g_[id]) == "keep.push") push = &g_[id];
        if (site_of(g_[id]) != "unpark.swap" || push == nullptr) continue;
        if (const auto found = words.find(g_[id].op.location); found != words.end()) {
          inboxes_.try_emplace(push->op.location, found->second);
        }
        push = nullptr;
      }
    }
  }
  /// Of an inbox about which no event says anything: it is that of a worker which has done nothing with its own.
  cell owner_of(const event& push) {
    if (const auto found = inboxes_.find(push.op.location); found != inboxes_.end()) return found->second;
    unsigned w = 0;
    const auto has_one = [&](const auto& inbox) { return inbox.second == w; };
    while (w + 1 != workers_ && (w == push.thread() || std::ranges::any_of(inboxes_, has_one))) ++w;
    inboxes_[push.op.location] = w;
    return w;
  }

  const graph& g_;
  unsigned workers_;
  const event* stop_ = nullptr;
  std::map<location_id, unsigned> inboxes_;
  std::optional<act> look_;
  std::vector<act> all_;
};

/// What is done before the threads of a line begin: workers fall asleep, and then the main thread publishes work and
/// wakes.
class beginning {
 public:
  /// `main`: a thread that does it.
  beginning(const suites::line& l, unsigned workers, unsigned main) : main_{main}, words_(workers, 1) {
    using client = suites::crew_client<checker::model>;
    for (unsigned i = 0; l.setting(client::asleep, 0) != 0 && i != workers; ++i) {
      add({.thread = i, .site = "park.count"});
      all_.push_back({.thread = i, .site = "look", .to = "wait"});
      ++version_;
      head_ += parked(i);
    }
    for (const suites::call& c : l.before) {
      if (c.word == client::inject_word) {
        all_.push_back({.thread = main_, .site = "publish", .value = ++length_});
        announce();
      }
      if (c.word == client::announce_word) announce();
      if (c.word == client::post_word) {
        all_.push_back({.thread = main_, .site = "keep.push", .value = c.at(0, 0), .won = true});
        unpark(c.at(0, 0));
      }
    }
  }
  [[nodiscard]] const std::vector<act>& acts() const { return all_; }
  [[nodiscard]] cell length() const { return length_; }

 private:
  static constexpr cell searching = cell{1} << 48;
  static cell parked(unsigned worker) { return (cell{1} << 32) + (cell{1} << worker); }
  void add(act a) {
    a.value = head_;
    a.version = version_;
    all_.push_back(a);
  }
  /// Wakes the first worker, unless somebody searches or nobody is parked.
  void announce() {
    add({.thread = main_, .site = "claim.look"});
    if (head_ >= searching || head_ == 0) return;
    add({.thread = main_, .site = "claim.take", .won = true});
    unpark(0);
    ++version_;
    head_ += searching - parked(0);
  }
  /// It is not asleep as yet.
  void unpark(cell worker) {
    all_.push_back({.thread = main_, .site = "unpark.swap", .value = words_[worker], .won = true});
    words_[worker] = 2;
  }

  unsigned main_;
  std::vector<act> all_;
  std::vector<cell> words_;
  cell head_ = 0, length_ = 0;
  std::size_t version_ = 0;
};

}  // namespace licit::proof::of_crew

#endif
