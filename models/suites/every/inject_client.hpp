/// The client class of generated clients of the inject queue, or of another queue that any thread pushes into.
#ifndef LICIT_SUITES_EVERY_INJECT_CLIENT_HPP
#define LICIT_SUITES_EVERY_INJECT_CLIENT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "suites/account.hpp"
#include "suites/every/history.hpp"
#include "suites/every/record.hpp"
#include "suites/line.hpp"

namespace licit::suites {

/// A queue into which any thread pushes, and from which any takes. An item has its thread's number, and its own.
template <class Model, class Queue, class Specification>
class specified_inject_client {
 public:
  enum : std::uint8_t { push_word, batch_word, take_word, empty_word, close_word };
  static constexpr std::array words{"push", "batch", "take", "empty", "close"};
  enum : std::uint8_t { edges };
  static constexpr std::array settings{"edges"};
  using promise = Specification;
  using item = std::uint64_t;

  explicit specified_inject_client(const line& l)
      : each_{most_pushes(l)}, payload_{l.threads * each_}, record_{l.before.size(), l.setting(edges, 0) != 0} {
    Model::name(payload_, "payload");
  }

  static const char* refuses(const line& l) {
    if (most_pushes(l) > most) return "more than 8 items of a thread";
    return l.setting(edges, 0) > 1 ? edges_too_many : nullptr;
  }
  static const char* refuses(const line& /*l*/, unsigned /*thread*/, const call& c) {
    if (c.word == batch_word || c.word == take_word) return c.at(0, 1) - 1 < 2 ? nullptr : "1 or 2 items at once";
    return c.numbers != 0 ? no_numbers : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    return record_.perform(thread, [&](done_call& made) {
      switch (c.word) {
        case push_word: push(made, 0); break;
        case batch_word: push(made, c.at(0, 1)); break;
        case take_word: take(made, c.at(0, 1)); break;
        default: ask(made, c.word == close_word);
      }
      return c.word != take_word;
    });
  }

  /// What is left is taken.
  void settle() {
    while (record_.perform_last([&](done_call& made) { return take(made, 1), false; })) {
    }
    for (unsigned t = 0; t != line::most_threads; ++t) {
      for (std::uint8_t n = 0; n != next_[t]; ++n) {
        Model::check(payload_[t * each_ + n].read() == taken, "nothing lost: an item was pushed and never taken");
      }
    }
    record_.settle();
  }
  void leave() { settle(); }

 private:
  static constexpr std::size_t most = 8;
  static constexpr int sealed = 1;
  static constexpr int taken = 2;

  static std::size_t pushes(const calls& of) {
    std::size_t sum = of.count(push_word);
    for (const call& c : of) sum += c.what == call::kind::word && c.word == batch_word ? c.at(0, 1) : 0;
    return sum;
  }
  static std::size_t most_pushes(const line& l) {
    std::size_t n = 0;
    for (unsigned t = 0; t != l.threads; ++t) n = std::max(n, pushes(l.thread[t]) + (t == 0 ? pushes(l.before) : 0));
    return n;
  }

  /// One item, or a batch of n.
  void push(done_call& made, std::size_t n) {
    std::array<item, 2> some{};
    std::uint8_t& next = next_[made.thread];
    for (std::size_t i = 0; i != (n == 0 ? 1 : n); ++i) {
      const std::size_t place = made.thread * each_ + next++;
      payload_[place].write(sealed);
      some[i] = place + 1;
      made.with.push_back(static_cast<std::uint8_t>(some[i]));
    }
    bool in = true;
    if constexpr (requires(Queue& q) { q.push(std::span<const item>(some)); }) {
      in = n == 0 ? queue_.push(some[0]) : queue_.push(std::span<const item>(some).first(n));
    } else {
      queue_.push(some[0]);
    }
    if (in) return;
    next = static_cast<std::uint8_t>(next - made.with.size());
    made.with = {};
    made.how = ending::refused;
  }
  void take(done_call& made, std::size_t n) {
    made.what = deed::take;
    std::array<item, 2> into{};
    const std::size_t got = queue_.pop(std::span(into).first(n));
    Model::check(got <= n, "more items than there was room for");
    for (const item i : std::span(into).first(got)) {
      Model::check(i != 0 && i <= payload_.size(), "nothing invented: an item that was never pushed");
      auto& payload = payload_[i - 1];
      Model::check(payload.read() == sealed,
                   "exactly once: an item was taken twice, or before its payload was visible");
      payload.write(taken);
      made.with.push_back(static_cast<std::uint8_t>(i));
    }
    if (got == 0) made.how = ending::empty;
  }
  void ask(done_call& made, bool closes) {
    made.what = closes ? deed::close : deed::look;
    if constexpr (requires(Queue& q) { q.close(); }) {
      if (closes && !queue_.close()) made.how = ending::lost;
    }
    if constexpr (requires(Queue& q) { q.empty(); }) {
      if (!closes && queue_.empty()) made.how = ending::empty;
    }
  }

  Queue queue_;
  std::size_t each_;  // thread's items, at most
  cells<typename Model::template plain<int>, line::most_threads * most> payload_;
  std::array<std::uint8_t, line::most_threads> next_{};  // each its thread's
  call_record<Model, Specification> record_;
};

}  // namespace licit::suites

#endif
