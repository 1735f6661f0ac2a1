/// A group of child tasks: client programs, mutants.
#ifndef LICIT_SUITES_CHILD_GROUP_HPP
#define LICIT_SUITES_CHILD_GROUP_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <licit/scheduler/task/child_group.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/program.hpp"
#include "suites/task_registry.hpp"

namespace licit::suites {

inline const site_rules_for<child_group_orders> child_group_site_rules{
    {"enter.count", "count"}, {"enter.back", "count"},     {"join.count", "count"}, {"leave.count", "count"},
    {"leave.told", "told"},   {"decide.first", "decided"}, {"joined.look", "told"}, {"cancel.set", "stopped"},
    {"lose.look", "stopped"}, {"lose.set", "lost"},        {"lost.look", "lost"},
};

/// What wakes the parent. It outlives the group, as a waker's task does.
template <class Model>
struct parent_waker {
  typename Model::template atomic<int>* woken = nullptr;
  void wake() const { woken->store(1, order::release, "wake"); }
};

/// A child learns from its own state that it was cancelled, as a task does.
template <class Model>
class group_child : public registered_task<Model> {
 public:
  using slot = typename Model::template atomic<group_child*>;

  void request_stop() {
    registered_task<Model>::request_stop();
    cancelled_.store(1, order::release, "child.cancel");
  }
  [[nodiscard]] bool cancelled() const { return cancelled_.load(order::acquire, "child.begin") != 0; }

 private:
  typename Model::template atomic<int> cancelled_;
};

/// A parent, which is thread 0, with a group in its frame; and children, each with a reference of its own, one for the
/// group, and a cell of the parent's frame that it uses to its end. The parent destroys group and frame once it has
/// joined.
///
///     spawn      a member adds a child; those of the main thread come first, then those of each thread
///     end(n)     child n ends: it uses the frame, and leaves
///     fail(n)    the same, but it decides the group's result with an error
///     kill(n)    the same, but it was cancelled by somebody who is not of the group
///     heed(n)    the same as `end`, or, if the group has cancelled the child, without having done its part
///     cancel     the parent cancels the children
///     join       the parent waits for the children, and destroys the group
///     hurry      the same, but it looks once without having been woken
template <class Model>
class child_group_client {
  using child_type = group_child<Model>;
  using group_type = child_group<Model, child_type, parent_waker<Model>, int>;

 public:
  enum : std::uint8_t { spawn_word, end_word, fail_word, kill_word, heed_word, cancel_word, join_word, hurry_word };
  static constexpr std::array words{"spawn", "end", "fail", "kill", "heed", "cancel", "join", "hurry"};
  static constexpr std::array<const char*, 0> settings{};

  explicit child_group_client(const line& l)
      : children_{l.count(spawn_word)},
        frame_{l.count(spawn_word)},
        may_lose_{l.count(kill_word) != 0},
        alone_{l.count(cancel_word) == 0 && l.count(fail_word) == 1},
        must_lose_{may_lose_ && l.count(cancel_word) + l.count(fail_word) == 0} {
    Model::name(frame_, "frame");
    group_.emplace(*Model::memory());
    std::size_t first = l.before.count(spawn_word);
    for (unsigned t = 0; t != l.threads; ++t) {
      next_[t] = t == 0 ? 0 : first;
      first += l.thread[t].count(spawn_word);
    }
  }
  static const char* refuses(const line& l, unsigned thread, const call& c) {
    if (c.word >= cancel_word) return thread == 0 ? nullptr : "only the parent, thread 0, may call this";
    if (c.word == spawn_word) return nullptr;
    return c.at(0, 0) < l.count(spawn_word) ? nullptr : "there is no such child";
  }

  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case spawn_word: return spawn(next_[thread]++);
      case end_word:
      case fail_word:
      case kill_word:
      case heed_word: return end(c.at(0, 0), c.word);
      case cancel_word: group_->cancel(); return true;
      default: return join(c.word == hurry_word);
    }
  }

  /// Children that were not ended are, and then each has gone once.
  void settle() {
    for (unsigned t = 0; t != line::most_threads; ++t) {
      if (Model::stalled(t)) return;
    }
    for (std::size_t i = 0; i != children_.size(); ++i) {
      if (slots_[i] != nullptr) (void)end(i, end_word);
    }
    for (std::size_t i = 0; i != children_.size(); ++i) {
      if (!spawned_[i]) continue;
      Model::check(children_[i].destroyed(), "a child is never destroyed");
      Model::check(children_[i].stops() <= 1, "a child is cancelled twice");
    }
  }
  void leave() {}

 private:
  bool spawn(std::size_t i) {
    children_[i].begin();
    spawned_[i] = true;
    slots_[i] = group_->enter(children_[i]);
    if (slots_[i] == nullptr) children_[i].complete(true);
    return slots_[i] != nullptr;
  }

  bool end(std::size_t i, std::uint8_t how) {
    if (slots_[i] == nullptr) return false;
    frame_[i].write(1);
    if (how == fail_word && group_->decide(slots_[i], children_[i], error_of(i)) && alone_)
      Model::check(!children_[i].cancelled(), "the child that decides is cancelled itself");
    if (how == kill_word || (how == heed_word && children_[i].cancelled())) group_->lose();
    const bool own = group_->leave(std::exchange(slots_[i], nullptr), children_[i]);
    children_[i].complete(own);
    return true;
  }

  bool join(bool hurries) {
    const bool early = group_->join({&woken_});
    if (!early && !(hurries && group_->joined())) {
      woken_.await_value(1, order::acquire);
      Model::check(group_->joined(), "the parent is woken before its children have left");
    }
    for (auto i = frame_.size(); i != 0; --i) frame_[i - 1].write(0);  // nobody uses it any more
    if (const auto* const first = group_->first(); first != nullptr) {
      std::size_t i = 0;
      while (&children_[i] != first) ++i;
      Model::check(group_->error() == error_of(i), "the error is that of the child that was first");
    }
    Model::check(may_lose_ || !group_->lost(), "a child that the group cancelled counts as lost");
    Model::check(!must_lose_ || group_->lost(), "a child that somebody else cancelled does not count as lost");
    group_.reset();
    return true;
  }

  static int error_of(std::size_t child) { return static_cast<int>(child) + 1; }

  cells<child_type, most_items> children_;
  cells<typename Model::template plain<int>, most_items> frame_;
  typename Model::template atomic<int> woken_;
  std::array<typename group_type::slot*, most_items> slots_{};  // each the thread's that adds or ends the child
  std::array<bool, most_items> spawned_{};
  std::array<std::size_t, line::most_threads> next_{};  // each entry its thread's: the next child that it adds
  const bool may_lose_;
  const bool alone_;  ///< one child cancels the others, and nobody else does
  const bool must_lose_;
  made_later<group_type> group_;
};

inline constexpr std::array child_group_lines{
    client_line{.name = "last_child",
                .text = "spawn: join | end",
                .property = "a parent waits for its child, and has its frame alone afterwards",
                .waits = true},
    client_line{.name = "last_child_hurried",
                .text = "spawn: hurry | end",
                .property = "the same, where the parent looks without having been woken",
                .waits = true},
    client_line{.name = "two_children",
                .text = "spawn spawn: hurry | end(0) | end(1)",
                .property = "a parent waits for the last of two children",
                .waits = true},
    client_line{.name = "grandchild",
                .text = "spawn: join | spawn end(1) end(0)",
                .property = "a parent waits for what its child added to the group",
                .waits = true},
    client_line{.name = "cancel_against_end",
                .text = "spawn: cancel hurry | end",
                .property = "a parent cancels a child that ends meanwhile",
                .waits = true},
    client_line{.name = "cancel_against_spawn",
                .text = "spawn: cancel join | spawn end(1) end(0)",
                .property = "a child that is added while the group is cancelled is refused or cancelled",
                .waits = true},
    client_line{.name = "error",
                .text = "spawn spawn: join | fail(0) | end(1)",
                .property = "the first error is the group's, and cancels the other child",
                .waits = true},
    client_line{.name = "errors",
                .text = "spawn spawn: join | fail(0) | fail(1)",
                .property = "of two errors the first is the group's",
                .waits = true},
    client_line{.name = "heeds_cancel",
                .text = "spawn: cancel join | heed",
                .property = "a child that ends because the group cancels it is not lost",
                .waits = true},
    client_line{.name = "heeds_error",
                .text = "spawn spawn: join | fail(0) | heed(1)",
                .property = "a child that ends because another one failed is not lost",
                .waits = true},
    client_line{.name = "killed",
                .text = "spawn spawn: join | kill(0) | end(1)",
                .property = "a child that somebody else cancels is lost",
                .waits = true},
    client_line{.name = "error_against_cancel",
                .text = "spawn: cancel join | fail",
                .property = "a child fails while its parent cancels it",
                .waits = true},
};

inline constexpr std::array child_group_mutants{
    mutant{"join.count acquire", {"join.count", change::weaken, order::acquire}},
    mutant{"join.count release", {"join.count", change::weaken, order::release}},
    mutant{"leave.count acquire", {"leave.count", change::weaken, order::acquire}},
    mutant{"leave.count release", {"leave.count", change::weaken, order::release}},
    mutant{"leave.told relaxed", {"leave.told", change::weaken}},
    mutant{"leave.told removed", {"leave.told", change::drop}},
    mutant{"joined.look relaxed", {"joined.look", change::weaken}},
};

/// The last child lets the parent go and then reads the waker.
template <class Model>
using looks_late = with_rules<Model, child_group_rules{.looks_first = false}>;
template <class Model>
using looks_late_client = child_group_client<looks_late<Model>>;
/// The group says that it was cancelled after it has cancelled its children.
template <class Model>
using stops_late_client = child_group_client<with_rules<Model, child_group_rules{.stops_first = false}>>;
/// The child that decides the group's result is told to stop, too.
template <class Model>
using stops_itself_client = child_group_client<with_rules<Model, child_group_rules{.spares_first = false}>>;
template <class Model>
using decides_torn_client = child_group_client<torn<Model, "decide.first">>;

inline constexpr std::array looks_late_lines{client_line{.name = "looks_late",
                                                         .text = "spawn: hurry | end",
                                                         .property = "a child uses a group that its parent destroys",
                                                         .waits = true}};
inline constexpr std::array stops_late_lines{
    client_line{.name = "stops_late",
                .text = "spawn: cancel join | heed",
                .property = "a child that ends because the group cancels it is not lost",
                .waits = true}};
inline constexpr std::array stops_itself_lines{
    client_line{.name = "stops_itself",
                .text = "spawn spawn: join | fail(0) | end(1)",
                .property = "the child that decides the group's result is cancelled itself",
                .waits = true}};
inline constexpr std::array decides_torn_lines{client_line{.name = "decides_torn",
                                                           .text = "spawn spawn: join | fail(0) | fail(1)",
                                                           .property = "two children decide the group's result",
                                                           .waits = true}};

struct child_group_suite {
  static constexpr const auto& orders = child_group_orders;
  static constexpr const auto& mutants = child_group_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<child_group_client>(child_group_lines);
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<looks_late_client>(looks_late_lines);
    to.template lines<stops_late_client>(stops_late_lines);
    to.template lines<stops_itself_client>(stops_itself_lines);
    to.template lines<decides_torn_client>(decides_torn_lines);
  }
};

}  // namespace licit::suites

#endif
