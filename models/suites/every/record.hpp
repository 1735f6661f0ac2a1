/// The calls of one execution as they are made, and the verdict on them: what every client class of generated clients
/// shares.
#ifndef LICIT_SUITES_EVERY_RECORD_HPP
#define LICIT_SUITES_EVERY_RECORD_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <licit/checker/edges.hpp>
#include <licit/checker/engine.hpp>

#include "suites/every/history.hpp"
#include "suites/line.hpp"

namespace licit::suites {

inline constexpr const char* edges_too_many = "edges is 0 or 1";

template <class Model, class Specification>
class call_record {
 public:
  /// `before`: how many calls the main thread makes before the others start. `edges`: the history is judged with an
  /// edge from outside, too.
  explicit call_record(std::size_t before, bool edges = false) : begun_with_{before}, edges_{edges} {
    current = this;
    Model::notes(*this);
  }
  ~call_record() { current = nullptr; }
  call_record(const call_record&) = delete;
  call_record& operator=(const call_record&) = delete;

  /// A call of a thread, or of the main thread before the others start. `make(done_call&)` makes it, and writes down
  /// what it did; it returns whether each of its items is to be a call of its own.
  template <class Make>
  bool perform(unsigned thread, Make&& make, const done_call& asked = {}) {
    done_call made = asked;
    made.thread = static_cast<std::uint8_t>(thread);
    if (made_before_ != begun_with_) {
      const bool in_pieces = make(made);
      in_order(made, in_pieces, [&](done_call one) {
        one.before = history_.all();
        history_.add(one);
      });
      ++made_before_;
      first_ = history_.size();
      return made.how == ending::done;
    }
    const auto begin = Model::happened();
    under_way_[thread] = {true, made, begin};
    const bool in_pieces = make(made);
    under_way_[thread].is = false;
    const auto end = Model::happened();
    // Other threads have made calls meanwhile. What is added now is this thread's.
    in_order(made, in_pieces, [&](const done_call& one) {
      const std::size_t number = history_.add(one);
      begins_[number] = begin;
      ends_[number] = end;
    });
    return made.how == ending::done;
  }
  /// A call of the main thread after all others.
  template <class Make>
  bool perform_last(Make&& make) {
    if (!ordered_) order();
    done_call made{.before = history_.all(), .sees = history_.all()};
    (void)make(made);
    history_.add(made);
    return made.how == ending::done;
  }

  /// On the main thread, at the end: the history must have a linearisation.
  void settle() {
    current = nullptr;
    const std::size_t last = ordered_ ? threads_end_ : history_.size();
    if (!ordered_) order();
    if constexpr (requires { Specification::hears(history_, first_, last); })
      Specification::hears(history_, first_, last);
    if (!is_linearizable<Specification>(history_)) Model::check(false, unexplained + history_.text());
    if (edges_) judge_with_edges(last);
  }

  /// Of an execution in which some calls wait for ever, when it has ended: why they may not, or nothing. What has
  /// returned must have a linearisation, and behind it the specification must let each call wait that has not returned.
  static std::string why_wrong() {
    if (current == nullptr) return {};
    call_record& r = *static_cast<call_record*>(current);
    current = nullptr;
    r.order();
    const auto may_wait = [&](const state_of<Specification>& s) {
      return std::ranges::all_of(r.under_way_,
                                 [&](const call_under_way& c) { return !c.is || waits_in<Specification>(s, c.made); });
    };
    if (judge<Specification>(r.history_).approves(may_wait)) return {};
    std::string waiting;
    for (const call_under_way& c : r.under_way_) {
      if (c.is)
        waiting += (waiting.empty() ? "" : ", ") + std::string(name_of(c.made.what)) + " of thread " +
                   std::to_string(c.made.thread);
    }
    return "for ever: " + waiting + ", which no order of the calls lets wait: " + r.history_.text();
  }

 private:
  struct call_under_way {
    bool is = false;
    done_call made = {};
    checker::detail::past begin = {};
  };
  static constexpr const char* unexplained = "no order of the calls respects happens-before and the specification: ";
  static constexpr bool sees = requires { Specification::sees; };

  /// The call, or a call for each of its items.
  template <class Add>
  static void in_order(const done_call& made, bool in_pieces, Add&& add) {
    if (!in_pieces || made.with.empty()) return add(made);
    for (std::size_t n = 0; n != made.with.size(); ++n) {
      done_call one = made;
      one.with = {};
      one.with.push_back(made.with[n]);
      add(one);
    }
  }

  /// Which calls of the threads have which behind them. The history has each thread's in their order.
  void order() {
    ordered_ = true;
    threads_end_ = history_.size();
    for (std::size_t later = first_; later != history_.size(); ++later) {
      done_call& c = history_[later];
      for (std::size_t i = 0; i != history_.size(); ++i) {
        const unsigned by = history_[i].thread;
        const bool known = i < first_ || (by == c.thread ? i < later : begins_[later][by] >= ends_[i][by]);
        c.before |= (known ? 1U : 0U) << i;
        if (sees) c.sees |= (known || by == c.thread || ends_[later][by] >= begins_[i][by] ? 1U : 0U) << i;
      }
    }
  }

  /// A client may let a call happen before another by means of its own, such as a flag. Then the execution is the same,
  /// unless happens-before now rules it out; and the history must have a linearisation still.
  void judge_with_edges(std::size_t threads_end) {
    for (std::size_t a = first_; a != threads_end; ++a) {
      for (std::size_t b = first_; b != threads_end; ++b) {
        if (history_[a].thread == history_[b].thread || !history_.concurrent(a, b)) continue;
        const checker::place from{history_[a].thread, ends_[a][history_[a].thread]};
        const checker::place to{history_[b].thread, begins_[b][history_[b].thread]};
        if (!checker::could_happen_before(from, to)) continue;
        const call_history with = joined(a, b, threads_end);
        if (is_linearizable<Specification>(with)) continue;
        Model::check(false,
                     "with " + history_.text(a) + " before " + history_.text(b) +
                         ", no order of the calls respects happens-before and the specification: " + with.text());
      }
    }
  }
  /// The history, if the end of call a happens before the beginning of call b.
  call_history joined(std::size_t a, std::size_t b, std::size_t threads_end) const {
    call_history with = history_;
    const unsigned to = history_[b].thread;
    std::uint32_t behind = 0;
    for (std::size_t i = 0; i != threads_end; ++i) {
      const unsigned by = history_[i].thread;
      const bool has_ended = i < first_ || i == a || (by == history_[a].thread ? i < a : ends_[i][by] <= ends_[a][by]);
      behind |= (has_ended ? 1U : 0U) << i;
    }
    for (std::size_t i = first_; i != threads_end; ++i) {
      const bool learns = history_[i].thread == to ? i >= b : begins_[i][to] > begins_[b][to];
      if (learns) with[i].before |= behind;
    }
    return with;
  }

  static inline void* current = nullptr;  // of the execution that runs, until it is judged

  std::size_t begun_with_;
  bool edges_;
  std::size_t made_before_ = 0;  // calls of the main thread before the others start
  std::size_t first_ = 0;        // the first call of another thread
  bool ordered_ = false;
  std::size_t threads_end_ = 0;  // once they are ordered: the main thread's calls at the end begin here
  call_history history_;
  std::array<call_under_way, line::most_threads> under_way_{};
  // Of each call of a thread: what happens before its first event, and before what comes after its last.
  std::array<checker::detail::past, call_history::most> begins_{};
  std::array<checker::detail::past, call_history::most> ends_{};
};

}  // namespace licit::suites

#endif
