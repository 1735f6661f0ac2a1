/// What stands in a run for the structures that a deque or a queue works with, and what a push has to have done.
#ifndef LICIT_PROOF_STAND_INS_HPP
#define LICIT_PROOF_STAND_INS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
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

}  // namespace licit::proof

#endif
