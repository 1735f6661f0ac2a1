/// A group of child tasks that their parent joins: how many there are, which one decided the group's result, and who
/// waits for them.
///
/// The group lies in the parent's frame. A child uses it for the last time in `leave`; after that the parent may
/// destroy it. Therefore the parent believes only `joined`: the last child sets that after its last look at the waker.
#ifndef LICIT_SCHEDULER_CHILD_GROUP_HPP
#define LICIT_SCHEDULER_CHILD_GROUP_HPP

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <utility>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/task/child_group_orders.hpp>
#include <licit/scheduler/task/task_registry.hpp>

namespace licit::inline v0 {

struct child_group_rules {
  bool looks_first = true;   ///< the last child reads the waker before it lets the parent go; or after
  bool spares_first = true;  ///< the child that decides is not itself cancelled
  bool stops_first = true;   ///< `cancel` says that children are missing on purpose before it cancels them; or after
};

/// Task is as task_registry has it; Waker has `wake()`, Error is a value. Each member of the group, which is a child or
/// the parent until it joins, is counted.
template <class Policy, class Task, class Waker, class Error>
class child_group {
  template <fixed_string Name>
  static constexpr auto at = site_of<child_group_orders, Name>;

 public:
  using registry = task_registry<Policy, Task>;
  using slot = typename registry::slot;

  explicit child_group(std::pmr::memory_resource& memory) : children_{memory, 8} {}

  /// A member. Counts the task, which is not yet scheduled, and adds it with one of its references. Returns its slot;
  /// or null if the group is cancelled, and nothing has changed. Throws what the memory resource throws; nothing has
  /// changed then. Lock-free.
  [[nodiscard]] slot* enter(Task& child) {
    struct counted {
      child_group& in;
      slot* place = nullptr;
      explicit counted(child_group& group) : in{group} { in.count_.fetch_add(1, at<"enter.count">); }
      ~counted() {
        if (place == nullptr) in.count_.fetch_sub(1, at<"enter.back">);
      }
    } entry{*this};
    entry.place = children_.add(child);
    return entry.place;
  }

  /// The thread that completes a child, when nothing is left of the child that may use what is its parent's. `place`:
  /// null if `decide` has taken the child out of it. The child's last use of the group. Returns whether the child has
  /// the reference again that `enter` added. Wait-free.
  [[nodiscard]] bool leave(slot* place, Task& child) {
    const bool own = place == nullptr || registry::remove(place, child);
    if (count_.fetch_sub(1, at<"leave.count">) != 1) return own;  // reads join.count, itself
    if constexpr (rules.looks_first) {
      const Waker parent = waker_.read();
      tell();
      parent.wake();
    } else {
      tell();
      waker_.read().wake();
    }
    return own;
  }

  /// A child, before it leaves with the same place. The first caller decides the group's result, and cancels the
  /// others. False: another was first. Wait-free, apart from stop callbacks of the others, which run in this call.
  bool decide(slot*& place, Task& child, Error error) {
    if (decided_.exchange(1, at<"decide.first">) != 0) return false;
    first_.write(&child);
    error_.write(std::move(error));
    if (rules.spares_first && registry::remove(place, child)) place = nullptr;
    cancel();
    return true;
  }

  /// A member, or the parent until `joined`. Cancels all children, and refuses further ones. What they did not do is
  /// then missing on purpose.
  void cancel() {
    const auto stop = [this] { stopped_.store(1, at<"cancel.set">); };
    if constexpr (rules.stops_first) stop();
    children_.cancel_all();
    if constexpr (!rules.stops_first) stop();
  }

  /// A child that was cancelled, before it leaves. Wait-free.
  void lose() {
    if (stopped_.load(at<"lose.look">) == 0) lost_.store(1, at<"lose.set">);
  }

  /// The parent, once, and then it is no member. True: there are no children any more. False: the last one will call
  /// the waker; until `joined`, the group must not be destroyed.
  [[nodiscard]] bool join(Waker parent) {
    waker_.write(std::move(parent));
    return count_.fetch_sub(1, at<"join.count">) == 1;  // read by leave.count; reads leave.count
  }
  /// The parent, after `join` returned false. Whether all children have left.
  [[nodiscard]] bool joined() const { return told_.load(at<"joined.look">) != 0; }  // reads leave.told

  // The parent, when all children have left.

  /// The child that decided, or null; it may be gone.
  [[nodiscard]] const Task* first() const { return first_.read(); }
  [[nodiscard]] Error error() const { return error_.read(); }
  /// Whether one was cancelled by somebody else, such as a shutdown.
  [[nodiscard]] bool lost() const { return lost_.load(at<"lost.look">) != 0; }

 private:
  static constexpr auto rules = rules_of<child_group_rules, Policy>();

  void tell() { told_.store(1, at<"leave.told">); }  // read by joined.look

  registry children_;
  typename Policy::template atomic<std::uint32_t> count_{1};
  typename Policy::template atomic<std::uint32_t> told_;
  typename Policy::template atomic<std::uint32_t> decided_;
  typename Policy::template atomic<std::uint32_t> stopped_;
  typename Policy::template atomic<std::uint32_t> lost_;
  typename Policy::template plain<Waker> waker_;
  typename Policy::template plain<const Task*> first_;
  typename Policy::template plain<Error> error_;
};

}  // namespace licit::inline v0

#endif
