/// What stands in a run for the structures that a deque or a queue works with, what a push has to have done, and the
/// run queue's symbolic policy.
#ifndef LICIT_PROOF_STAND_INS_HPP
#define LICIT_PROOF_STAND_INS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "proof/steps.hpp"
#include "proof/symbolic.hpp"

namespace licit::proof {

/// For an operation that says that it has pushed.
inline call::answer pushed() {
  recorder& r = recorder::running();
  if (!r.has_pushed()) r.oblige("pushed", "false");
  return {"", "nothing"};
}

/// What a structure remembers besides its cells must not change: a run begins with a fresh one. By its bytes, unless
/// the ring was replaced.
template <class Structure>
class memory_of {
 public:
  explicit memory_of(const Structure& of) : of_{of}, before_{bytes()} {}
  void expect_same() const {
    if (recorder::running().grew() || bytes() == before_) return;
    throw std::logic_error("licit: an operation remembers what the system does not have");
  }

 private:
  [[nodiscard]] std::string bytes() const { return {reinterpret_cast<const char*>(&of_), sizeof(Structure)}; }
  const Structure& of_;
  std::string before_;
};

/// A thief that does not admit the item has claimed nothing. Throws std::logic_error if it has.
template <class Make>
void expect_no_claim_unless_admitted(Make&& made) {
  recorder& r = recorder::running();
  std::vector<bool> decisions;
  do {
    const auto deque = made();
    r.begin(false, decisions);
    bool asked = false;
    const auto got = deque->steal_if([&](const item& one) { return asked = true, one.text != r.loaded_item(); });
    r.end();
    const bool claims =
        std::ranges::any_of(r.events(), [](const event& e) { return e.how == operation::compare_exchange; });
    if (asked && (claims || !got.is_empty())) throw std::logic_error("licit: an item is claimed that was not admitted");
    decisions = r.decisions();
  } while (next_path(decisions));
}

/// What a pop that returns a word, or nothing, says.
template <class Structure>
call::answer popped_word(Structure& from) {
  const item got = from.pop_or(item{"none"});
  return got.text == "none" ? call::answer{"", "none"} : call::answer{got.text, ""};
}

/// The thief's own deque in a theft of half, which is another system's: whether it has room is a decision of the run.
struct symbolic_home {
  std::size_t got = 0;
  bool has_room = false;
  bool make_room_for_one() { return has_room = recorder::running().decide(""); }
  void push(const item& one) {
    recorder& r = recorder::running();
    if (one.text != r.claimed().at(++got)) throw std::logic_error("licit: another item is kept");
    if (!has_room) r.oblige("room", "false");
    has_room = false;
  }
};

struct refused {};  ///< thrown by a sink that has no room
/// What an overflow goes to: whether it has room is a decision of the run.
struct symbolic_sink {
  std::string room;
  std::vector<item> batch;
  void reserve(const index& items) {
    if (!recorder::running().decide("")) throw refused{};
    room = items.text();
  }
  void reserve(std::size_t items) { reserve(index(static_cast<std::int64_t>(items))); }
  void take(std::span<const item> all) noexcept { batch.insert(batch.end(), all.begin(), all.end()); }
  /// To be called after the push. The batch has what the loop has read, which is one entry in a run, and the item.
  void hand_over() const {
    if (batch.empty()) return;
    if (batch.size() != 2) throw std::logic_error("licit: an overflow hands over other items than it has read");
    recorder::running().hands_over(batch[0].text, batch[1].text, room);
  }
};

/// The symbolic policy of the run queue. Of a queue whose ring never grows: that is ring 0. A queue of another capacity
/// than the smallest is another queue.
struct symbolic_queue : symbolic {
  static constexpr std::size_t own_mask = 1;

  template <class T>
  struct places {
    using position = proof::index;
    using count = proof::index;
    using slot_type = atomic<T>;
    using origin = symbolic::origin;
    static position after(const position& p, const count& n) { return p + n; }
    static index items(const position& h, const position& t) { return t - h; }
    static count capacity(std::size_t mask) { return index(std::string(mask == own_mask ? "(cap 0)" : "away.cap")); }
    static count asked(std::size_t most) {
      if (most != recorder::most) throw std::logic_error("licit: a theft of half asks for another number of items");
      return index(recorder::running().argument());
    }
    static count claims(const count& n) { return index(recorder::running().named(n.text())); }
    static std::size_t moved(const count& n) { return recorder::running().moved(n.text()); }
    static slot_ref slot(slot_type* /*slots*/, const position& p, std::size_t mask) {
      return {mask == own_mask ? "0" : std::string(away), p.text()};
    }
    static count left(const position& p, std::size_t mask) { return lap(p) + capacity(mask) - p; }
    static origin origin_of(slot_type* /*slots*/, const position& p, std::size_t /*mask*/) { return {lap(p), 0}; }
    static proof::symbolic::address address(const origin& o, const position& p) {
      return {o.first.text(), o.ring.text(), p.text()};
    }
    static slot_ref near(const proof::symbolic::address& found) { return {found.ring, found.i}; }
    template <class Do>
    static void each(const count& first, const count& last, Do&& what) {
      recorder& r = recorder::running();
      const auto with = [&](const std::string& i) { what(index(i)); };
      switch (r.how_loops_run()) {
        case loops::once: return r.each(first.text(), last.text(), [&] { with("i"); });
        case loops::watched: return r.watch(first.text(), last.text(), with);
        case loops::counted: return r.count(first.text(), last.text(), with);
        case loops::claims: throw std::logic_error("licit: this loop has no claims");
      }
    }

   private:
    static index lap(const position& p) { return index("(lap-of 0 " + p.text() + ")"); }
  };

  using symbolic::invariant;
  /// A path on which it does not hold is none.
  static void invariant(int number, bool holds) {
    if (!holds) invariant(number, condition{"false"});
  }
};

}  // namespace licit::proof

#endif
