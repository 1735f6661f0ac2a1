/// What the run queue's client programs share: a queue for each thread, numbered items, and their account.
#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_CLIENT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include <licit/deque/run_queue.hpp>

#include "program.hpp"
#include "programs/account.hpp"

namespace licit::models::on_run_queue {

/// Thread i owns queue i. Thread 0 pushes, into its own; the main thread may fill any queue before the threads start.
template <class Model, std::size_t Items, std::size_t Queues = 2, template <class, class> class Queue = run_queue>
class client {
 public:
  explicit client(std::size_t capacity) : queues_{make(capacity, std::make_index_sequence<Queues>{})} {}

  /// Main thread, before the others start.
  void fill(std::size_t queue, int times) {
    for (; times != 0; --times) {
      Model::check(queues_[queue].try_push(items_.open()), "a push before all others found the queue full");
    }
  }

  /// Main thread, before the others start: queues will hold items from several others, in no order of their numbers.
  void mix() { mixed_ = true; }

  /// Thread 0. A full queue gives half to the sink, and the item with it. False if it is left out.
  bool push() {
    if (Model::leaves_out("push")) return false;
    const int item = items_.open();
    full_ = {*this, item};
    Model::within(push_operations + capacity(), [&] { queues_[0].push(item, full_); });
    return true;
  }

  /// Thread 0: whether there was room. A queue that the owner knows to have room is never full.
  bool try_push() {
    if (Model::leaves_out("try_push")) return false;
    const bool room = queues_[0].size() != capacity();
    if (!room) return false;
    const int item = items_.open();
    const bool done = Model::within(push_operations, [&] { return queues_[0].try_push(item); });
    Model::check(done, "a push found no room where the owner saw some");
    return true;
  }

  /// Thread t. FIFO; no item means that all were stolen.
  bool pop(std::size_t t = 0) {
    if (Model::leaves_out("pop")) return false;
    const auto got = Model::within(pop_operations(), [&] { return queues_[t].pop(); });
    if (!got) {
      Model::check(queues_[t].empty(), "pop found nothing, and its owner sees items");
      return false;
    }
    ordered(*got, t, t, "FIFO: a pop brought an older item after a younger one");
    items_.take(*got);
    return true;
  }

  /// Thread t, from the queue of another. Nothing if it is left out.
  std::optional<outcome> steal(std::size_t t, std::size_t victim) {
    if (Model::leaves_out("steal")) return std::nullopt;
    const auto got = Model::within(steal_operations, [&] { return queues_[victim].steal(); });
    if (got) receive(t, victim, *got);
    return got.what();
  }

  /// Thread t, into its own queue.
  std::optional<outcome> steal_half(std::size_t t, std::size_t victim, std::size_t most = 32) {
    if (Model::leaves_out("steal_half")) return std::nullopt;
    const std::size_t room = capacity() - queues_[t].size();  // at least, by the time of the theft
    const auto got = Model::within(half_operations(), [&] { return queues_[victim].steal_half(queues_[t], most); });
    if (!got) return got.what();
    Model::check(got.moved() <= capacity() / 2, "more than half of the items were moved");
    Model::check(got.moved() < std::max<std::size_t>(most, 1), "more items were moved than asked for");
    if (Queues == 2 && !mixed_) Model::check(got.moved() <= room, "more items were moved than there was room for");
    receive(t, victim, *got);
    return outcome::taken;
  }

  /// Main thread, at the end: what is left is taken; then every item pushed has been. A thread that was stopped for
  /// good may have a batch in its hands; its queue it cannot pop.
  void settle() {
    int in_hand = 0;
    for (std::size_t q = 0; q != Queues; ++q) drain(q);
    for (unsigned t = 0; t != Queues; ++t) in_hand += Model::stalled(t) ? static_cast<int>(capacity() / 2) + 1 : 0;
    items_.settle(in_hand);
  }

  [[nodiscard]] std::size_t left(std::size_t queue) const { return queues_[queue].size(); }
  [[nodiscard]] int pushed() const { return items_.opened(); }
  [[nodiscard]] int overflows() const { return overflows_; }

 protected:
  using queue = Queue<int, Model>;

  /// Takes what overflows, on the owner's thread.
  class sink {
   public:
    sink() = default;
    sink(client& all, int pushed) : all_{&all}, pushed_{pushed} {}
    void reserve(std::size_t items) {
      Model::check(items == all_->capacity() / 2 + 1, "an overflow of another number than half and one");
    }
    void take(std::span<const int> batch) noexcept {
      Model::check(batch.size() == all_->capacity() / 2 + 1, "a batch of another number than half and one");
      Model::check(batch.back() == pushed_, "a batch does not end with the item that was pushed");
      for (const int item : batch.first(batch.size() - 1)) {
        all_->ordered(item, 0, 0, "FIFO: an overflow gave an older item after a younger one");
        Model::check(item < pushed_, "a batch has an item that is younger than the pushed one");
        all_->items_.take(item);
      }
      all_->items_.take(pushed_);
      ++all_->overflows_;
    }

   private:
    client* all_ = nullptr;
    int pushed_ = 0;
  };

  queue& at(std::size_t i) { return queues_[i]; }
  account<Model, Items>& items() { return items_; }

 private:
  template <std::size_t... I>
  static std::array<queue, Queues> make(std::size_t capacity, std::index_sequence<I...> /*all*/) {
    return {{((void)I, queue({.capacity = capacity}))...}};
  }

  [[nodiscard]] std::size_t capacity() const { return queues_[0].capacity(); }

  void receive(std::size_t t, std::size_t victim, int item) {
    ordered(item, t, victim, "FIFO: a thief got an older item after a younger one");
    items_.take(item);
  }

  /// Each thread gets the items of each queue in the order in which they came into it.
  void ordered(int item, std::size_t t, std::size_t from, const char* property) {
    Model::check(mixed_ || item > last_[t][from], property);
    last_[t][from] = item;
  }

  void drain(std::size_t q) {
    if (Model::stalled(static_cast<unsigned>(q))) {
      while (const auto one = queues_[q].steal()) items_.take(*one);
    } else {
      while (const auto one = queues_[q].pop()) items_.take(*one);
    }
    Model::check(queues_[q].empty(), "items are left where none was found");
  }

  // What wait-free means here: an operation's own atomic operations, whatever the other threads do.
  static constexpr std::size_t push_operations = 9;  // and half of the capacity, when it overflows
  static constexpr std::size_t steal_operations = 4;
  [[nodiscard]] std::size_t pop_operations() const { return 1 + 2 * (capacity() + 1); }
  [[nodiscard]] std::size_t half_operations() const { return 7 + capacity(); }

  std::array<queue, Queues> queues_;
  account<Model, Items> items_;
  sink full_;
  bool mixed_ = false;
  int overflows_ = 0;                                   // thread 0's
  std::array<std::array<int, Queues>, Queues> last_{};  // each row one thread's
};

}  // namespace licit::models::on_run_queue

#endif
