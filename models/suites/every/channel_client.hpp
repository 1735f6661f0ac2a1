/// The client class of generated clients of a channel.
#ifndef LICIT_SUITES_EVERY_CHANNEL_CLIENT_HPP
#define LICIT_SUITES_EVERY_CHANNEL_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <licit/scheduler/sync/line_of_items.hpp>

#include "suites/account.hpp"
#include "suites/every/history.hpp"
#include "suites/every/record.hpp"
#include "suites/every/waiting.hpp"
#include "suites/every/waiting_client.hpp"
#include "suites/line.hpp"
#include "suites/waiters/channel.hpp"

namespace licit::suites {

/// A channel. Each item has a plain payload, which its sender writes and its receiver overwrites. A call that the
/// thread may not make where it stands is left out.
///
///     send receive   sends an item; takes one; or joins the line
///     offer take     the same, and does not join
///     sleep          receives, and a thread that joins sleeps until it is told
///     reserve        as if it had waited for an item and been told; or not
///     wait quit      waits until it is told, and has its item; takes the wait back
///     last           offers an item and closes, one after the other, as the sender of a oneshot does
///     close drop     closes the channel; also takes what is inside
///     look           whether it has ended. At the end the main thread also asks whether it is closed, and for its size
template <class Model, class LineModel, class Task, class Specification>
class specified_channel_client {
  using line_type = line_of_items<ring_of_cells<Model>, LineModel, Task>;

 public:
  enum : std::uint8_t {
    send_word,
    receive_word,
    sleep_word,
    reserve_word,
    wait_word,
    quit_word,
    offer_word,
    take_word,
    last_word,
    close_word,
    drop_word,
    look_word
  };
  static constexpr std::array words{"send",  "receive", "sleep", "reserve", "wait", "quit",
                                    "offer", "take",    "last",  "close",   "drop", "look"};
  enum : std::uint8_t { capacity, edges };
  static constexpr std::array settings{"capacity", "edges"};
  using promise = Specification;

  explicit specified_channel_client(const line& l)
      : room_{static_cast<std::uint8_t>(l.setting(capacity, 1))},
        payload_{most_items},
        waits_{l, wait_word},
        items_{l.setting(capacity, 1)},
        record_{l.before.size(), l.setting(edges, 0) != 0} {
    Model::name(payload_, "payload");
    std::uint8_t first = sends(l.before);
    for (unsigned t = 0; t != l.threads; ++t) {
      next_[t] = t == 0 ? 0 : first;
      first = static_cast<std::uint8_t>(first + sends(l.thread[t]));
    }
  }

  static const char* refuses(const line& l) {
    for (const call& c : l.before) {
      if (c.word < offer_word) return "the main thread does not wait";
    }
    if (l.setting(capacity, 1) - 1 > 1) return "a channel has room for 1 or 2 items";
    if (l.count(send_word) + l.count(offer_word) + l.count(last_word) > most_items) return too_many_items;
    return l.setting(edges, 0) > 1 ? edges_too_many : nullptr;
  }
  static const char* refuses(const line& /*l*/, unsigned /*thread*/, const call& c) {
    return c.numbers != 0 ? no_numbers : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    if (!waits_.may(thread, c.word)) return false;
    if (c.word == wait_word) return wait(thread);
    if (c.word == last_word) return make(thread, offer_word), make(thread, close_word);
    const bool done = make(thread, c.word);
    return c.word == sleep_word && waits_.is_waiting(thread) ? wait(thread) : done;
  }
  /// The waits that are left are taken back, and the items that are left are taken.
  void settle() {
    waits_.take_back([&](unsigned t) {
      (void)record_.perform_last([&](done_call& made) {
        made.thread = static_cast<std::uint8_t>(t);
        return quit(made, t), false;
      });
    });
    for (const std::uint8_t what : {channel_record::if_closed, channel_record::if_ended, channel_record::how_many}) {
      (void)record_.perform_last([&](done_call& made) { return look(made, what), false; });
    }
    while (record_.perform_last([&](done_call& made) { return take(made), false; })) {
    }
    record_.settle();
  }
  void leave() { settle(); }

  static std::string why_wrong() { return call_record<Model, Specification>::why_wrong(); }

 private:
  static constexpr int written = 1;
  static constexpr int taken = 2;

  static std::uint8_t sends(const calls& all) {
    return static_cast<std::uint8_t>(all.count(send_word) + all.count(offer_word) + all.count(last_word));
  }

  bool make(unsigned thread, unsigned word) {
    return record_.perform(thread, [&](done_call& made) { return apply(made, thread, word), false; });
  }
  void apply(done_call& made, unsigned thread, unsigned word) {
    switch (word) {
      case send_word:
      case offer_word: return send(made, thread, word == send_word);
      case receive_word:
      case sleep_word: return receive(made, thread, word == sleep_word);
      case reserve_word: return reserve(made, thread);
      case quit_word: return quit(made, thread);
      case take_word: return take(made);
      case drop_word: return drop(made);
      case look_word: return look(made, channel_record::if_ended);
      default: made.what = deed::close;
    }
    if (!items_.close()) made.how = ending::lost;
  }
  void look(done_call& made, std::uint8_t what) {
    made.what = deed::look;
    made.room = what;
    made.count = static_cast<std::uint8_t>(what == channel_record::how_many    ? items_.size()
                                           : what == channel_record::if_closed ? items_.is_closed()
                                                                               : items_.is_ended());
  }
  void send(done_call& made, unsigned thread, bool joins) {
    made.what = deed::push;
    made.room = room_;
    made.count = joins ? 1 : 0;
    int item = ++next_[thread];
    made.with.push_back(static_cast<std::uint8_t>(item));
    payload_[static_cast<std::size_t>(item - 1)].write(written);
    if (!joins) return ends(made, items_.try_send(item));
    item_[thread] = item;
    role_[thread] = channel_record::a_sender;
    ends(made, items_.send_or_wait(item_[thread], waits_.begins(thread, false)));
    made.how == ending::refused ? waits_.joins(thread) : waits_.ends(thread);
  }
  static void ends(done_call& made, sent how) {
    if (how != sent::yes) made.how = how == sent::closed ? ending::lost : ending::refused;
  }
  void receive(done_call& made, unsigned thread, bool asleep) {
    made.what = deed::pop;
    made.count = 1;
    auto got = items_.take_or_wait(waits_.begins(thread, asleep));
    got.waits ? waits_.joins(thread) : waits_.ends(thread);
    role_[thread] = channel_record::a_receiver;
    if (got.what) return has(made, *got.what);
    made.how = got.waits ? ending::refused : ending::empty;
  }
  void take(done_call& made) {
    made.what = deed::pop;
    if (const auto got = items_.try_take()) return has(made, *got);
    made.how = ending::refused;
  }
  /// The thread waits, and has its answer.
  void reserve(done_call& made, unsigned thread) {
    made.what = deed::hold;
    if (!items_.reserve()) return void(made.how = ending::refused);
    (void)waits_.begins(thread, true);
    waits_.joins(thread);
    role_[thread] = channel_record::a_receiver;
    reserved_[thread] = true;
  }
  void drop(done_call& made) {
    made.what = deed::close;
    made.count = channel_record::drops_all;
    std::size_t number = 0;
    auto all = items_.close_and_drop(ring_of_cells<Model>(0), [&](std::size_t inside) { number = inside; });
    Model::check(number == all.size(), "another number of items is dropped than is said");
    while (all.size() != 0) has(made, all.pop());
  }
  bool wait(unsigned thread) {
    const auto make = [&](done_call& made) {
      const answer how = std::exchange(reserved_[thread], false) ? answer::given : waits_.rests(thread);
      waits_.ends(thread);
      if (how == answer::closed) return made.how = ending::empty, false;
      if (made.count == channel_record::a_sender) return false;
      const auto item = items_.take_reserved();
      if (!item) return made.how = ending::lost, false;
      return has(made, *item), false;
    };
    return record_.perform(thread, make, {.what = deed::wait, .count = role_[thread]});
  }
  void quit(done_call& made, unsigned thread) {
    made.what = deed::cancel;
    made.count = role_[thread];
    auto& who = waits_.of(thread);
    if (std::exchange(reserved_[thread], false)) {
      items_.give_back_reservation();
      made.how = ending::lost;
    } else if (!(role_[thread] == channel_record::a_sender ? items_.cancel_send(who) : items_.cancel_take(who))) {
      made.how = who.answered() == answer::given ? ending::lost : ending::empty;
    }
    waits_.ends(thread);
  }
  void has(done_call& made, int item) {
    auto& payload = payload_[static_cast<std::size_t>(item - 1)];
    Model::check(payload.read() == written, "exactly once: an item was taken twice, or before its payload was visible");
    payload.write(taken);
    made.with.push_back(static_cast<std::uint8_t>(item));
  }

  std::uint8_t room_;
  cells<typename Model::template plain<int>, most_items> payload_;
  waits_of_threads<Model, typename line_type::waiter_type, Task> waits_;
  line_type items_;
  // Each entry its thread's.
  std::array<std::uint8_t, line::most_threads> next_{};
  std::array<std::uint8_t, line::most_threads> role_{};
  std::array<int, line::most_threads> item_{};
  std::array<bool, line::most_threads> reserved_{};
  call_record<Model, Specification> record_;
};

}  // namespace licit::suites

#endif
