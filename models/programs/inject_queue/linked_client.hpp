/// Programs whose items have a link: what is pushed for certain.
#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_LINKED_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_LINKED_CLIENT_HPP

#include <array>
#include <cstddef>
#include <span>

#include <licit/scheduler/inject/inject_queue.hpp>

#include "program.hpp"
#include "programs/inject_queue/failing_memory.hpp"
#include "programs/inject_queue/short_segments.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct linked_item {
  typename Model::template plain<linked_item*> next;
  typename Model::template plain<int> payload;
};

/// One segment of so many cells, and no memory for another. Thread t pushes items from t · 2 on.
template <class Model, std::size_t Cells>
class linked_client {
 public:
  using item = linked_item<Model>*;

  void push_certain(std::size_t n) {
    items_[n].payload.write(static_cast<int>(n) + 100);
    queue_.push_certain(&items_[n]);
  }
  template <std::size_t Most>
  std::size_t pop() {
    std::array<item, Most> into{};
    const std::size_t got = queue_.pop(into);
    for (const item i : std::span(into).first(got)) {
      Model::check(i->payload.read() == static_cast<int>(i - items_.data()) + 100, "exactly once: taken twice");
      i->payload.write(taken);
    }
    return got;
  }
  /// Main thread, at the end.
  void settle(std::size_t pushed) {
    while (pop<2>() != 0) {
    }
    if (Model::stalled(0) || Model::stalled(1)) return;
    for (std::size_t n = 0; n != pushed; ++n) {
      Model::check(items_[n].payload.read() == taken, "nothing lost: an item was pushed and never taken");
    }
    Model::check(queue_.empty(), "items are left where none was found");
  }

 protected:
  using queue = inject_queue<item, short_segments<Model, Cells>>;
  queue& shared() { return queue_; }

 private:
  static constexpr int taken = 1;

  std::array<linked_item<Model>, 4> items_;
  failing_memory<Model> memory_{1};
  queue queue_{{.memory = &memory_}};
};

}  // namespace licit::models::on_inject_queue

namespace licit::inline v0 {

template <class Model>
struct inject_link<models::on_inject_queue::linked_item<Model>*> {
  using item = models::on_inject_queue::linked_item<Model>*;
  static item get(item i) noexcept { return i->next.read(); }
  static void set(item i, item next) noexcept { i->next.write(next); }
};

}  // namespace licit::inline v0

#endif
