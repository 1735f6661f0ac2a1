/// The client class of generated clients of the idle set.
#ifndef LICIT_SUITES_EVERY_IDLE_CLIENT_HPP
#define LICIT_SUITES_EVERY_IDLE_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "suites/account.hpp"
#include "suites/every/history.hpp"
#include "suites/every/record.hpp"
#include "suites/line.hpp"

namespace licit::suites {

/// An idle set of three workers, each the thread of its number. A call that the worker may not make where it stands is
/// left out.
template <class Model, class Set, class Specification>
class specified_idle_client {
 public:
  enum : std::uint8_t { park_word, retract_word, begin_word, end_word, awake_word, claim_word, any_word };
  static constexpr std::array words{"park", "retract", "begin", "end", "awake", "claim", "claim-any"};
  enum : std::uint8_t { edges };
  static constexpr std::array settings{"edges"};
  using promise = Specification;

  explicit specified_idle_client(const line& l) : record_{l.before.size(), l.setting(edges, 0) != 0} {}

  static const char* refuses(const line& l) { return l.setting(edges, 0) > 1 ? edges_too_many : nullptr; }
  static const char* refuses(const line& /*l*/, unsigned thread, const call& c) {
    if (c.word >= claim_word) return c.numbers != 0 ? no_numbers : nullptr;
    return c.at(0, thread) - 1 < workers ? nullptr : "a worker from 1 to 3 was expected";
  }

  /// The main thread names the worker that it stands for.
  bool perform(unsigned thread, const call& c) {
    const std::size_t worker = c.at(0, thread);
    if (!may(c.word, standing_[worker])) return false;
    before_.add(thread);
    return record_.perform(thread, [&](done_call& made) {
      apply(made, c.word, static_cast<std::uint8_t>(worker - 1), standing_[worker]);
      return false;
    });
  }
  void settle() { record_.settle(); }
  void leave() { settle(); }

 private:
  static constexpr unsigned workers = 3;
  enum class standing : std::uint8_t { awake, searches, parked };

  static bool may(unsigned word, standing s) {
    switch (word) {
      case park_word: return s != standing::parked;
      case begin_word: return s == standing::awake;
      case end_word: return s == standing::searches;
      case retract_word:
      case awake_word: return s == standing::parked;
      default: return true;
    }
  }

  void apply(done_call& made, unsigned word, std::uint8_t w, standing& s) {
    if (word < claim_word) made.with.push_back(w);
    switch (word) {
      case park_word: return park(made, w, s);
      case retract_word: return leaves(made, deed::retract, set_.retract(w), s);
      case awake_word: return look(made, w, s);
      case begin_word:
        made.what = deed::begin;
        set_.begin_search() ? void(s = standing::searches) : void(made.how = ending::refused);
        return;
      case end_word:
        made.what = deed::end;
        s = standing::awake;
        return last(made, set_.end_search());
      default: claim(made, word == any_word);
    }
  }
  /// The last one passes a fence, as the set asks for.
  void last(done_call& made, bool is) {
    made.count = is ? 1 : 0;
    if (is) Model::fence(order::acquire, "fence");
  }
  void park(done_call& made, std::uint8_t w, standing& s) {
    made.what = deed::enter;
    made.room = s == standing::searches ? 1 : 0;
    const bool searched = s == standing::searches;
    s = standing::parked;
    last(made, set_.park(w, searched));
  }
  static void leaves(done_call& made, deed what, bool done, standing& s) {
    made.what = what;
    if (!done) made.how = ending::lost;  // to a claim
    s = standing::searches;
  }
  void look(done_call& made, std::uint8_t w, standing& s) {
    made.what = deed::look;
    if (set_.is_parked(w)) return;
    made.how = ending::lost;
    s = standing::searches;
  }
  void claim(done_call& made, bool any) {
    made.what = any ? deed::claim_any : deed::claim;
    const auto got = any ? set_.claim_any() : set_.claim();
    if (!got) {
      made.how = ending::empty;
      return;
    }
    Model::check(*got < workers, "a claim brought a worker that there is not");
    made.with.push_back(static_cast<std::uint8_t>(*got));
  }

  Set set_{workers};
  std::array<standing, workers + 1> standing_{};  // each its thread's
  deeds_before<Model> before_;
  call_record<Model, Specification> record_;
};

}  // namespace licit::suites

#endif
