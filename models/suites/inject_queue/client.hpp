/// What the lines of the inject queue say, and the clients that perform them.
#ifndef LICIT_SUITES_INJECT_QUEUE_CLIENT_HPP
#define LICIT_SUITES_INJECT_QUEUE_CLIENT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <span>

#include <licit/scheduler/inject/inject_queue.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/program.hpp"

namespace licit::suites {

/// Segments hold few items, and their numbers do not tell a segment's lives apart: nothing rests on that.
template <class Model, std::size_t Cells>
consteval inject_queue_rules shortened() {
  inject_queue_rules r = rules_of<inject_queue_rules, Model>();
  r.cells = Cells;
  r.alignment = 64;
  r.number_bits = 0;
  return r;
}
template <class Model, std::size_t Cells>
using short_segments = with_rules<Model, shortened<Model, Cells>()>;

/// The model's memory, until it is exhausted. That is the main thread's to say, before the others start.
template <class Model>
class failing_memory : public std::pmr::memory_resource {
 public:
  void exhaust() { exhausted_ = true; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (exhausted_) throw std::bad_alloc();
    return Model::memory()->allocate(bytes, alignment);
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    Model::memory()->deallocate(place, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  bool exhausted_ = false;
};

/// One queue. Any thread pushes and takes; the main thread does it as thread 0. An item says whose it is and which.
///
///     push    batch(n)    pop(n)    any: the queue is not empty
///
/// Setting: with `starved=1` no segment can be allocated after the colon.
template <class Model, std::size_t Cells>
class inject_client {
 public:
  enum : std::uint8_t { push_word, batch_word, pop_word, any_word };
  static constexpr std::array words{"push", "batch", "pop", "any"};
  enum : std::uint8_t { starved };
  static constexpr std::array settings{"starved"};

  explicit inject_client(const line& l) : prelude_{l.before.size()}, starved_{l.setting(starved, 0) != 0} {
    for (unsigned t = 0; t != l.threads; ++t) {
      accounts_[t].emplace(items(l.thread[t]) + (t == 0 ? items(l.before) : 0));
    }
    if (prelude_ == 0) begin();
  }

  static const char* refuses(const line& l) {
    for (unsigned t = 0; t != l.threads; ++t) {
      if (items(l.thread[t]) + (t == 0 ? items(l.before) : 0) > most_items) return "more than 16 items of a thread";
    }
    return l.setting(starved, 0) > 1 ? "starved is 0 or 1" : nullptr;
  }
  static const char* refuses(const line& /*l*/, unsigned /*thread*/, const call& c) {
    if (c.word == push_word || c.word == any_word) return c.numbers == 0 ? nullptr : no_numbers;
    const std::size_t n = c.at(0, 1);
    return n == 0 || n > most_at_once ? "1 to 3 items at once" : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    const bool done = call_queue(thread, c);
    if (prelude_ == 0) return done;
    if (--prelude_ == 0) begin();
    return done;
  }

  /// What is left is taken; then every item pushed has been, but for those that a stopped thread may have in its hands.
  void settle() {
    while (pop(0, 1, false)) {
    }
    // NOLINTNEXTLINE(readability-container-size-empty): two operations of the queue, and both are to say so
    Model::check(queue_.empty() && queue_.size() == 0, "items are left where none was found");
    bool somebody_stopped = false;
    for (unsigned t = 0; t != line::most_threads; ++t) somebody_stopped |= Model::stalled(t);
    for (auto& each : accounts_) {
      if (each) each->settle(somebody_stopped ? most_at_once : 0);
    }
  }
  void leave() {
    std::size_t pushed = 0;
    for (const auto& each : accounts_) pushed += each ? each->most() : 0;
    Model::check(queue_.size() <= pushed, "more items are left than were pushed");
  }

 protected:
  inject_queue<std::uint64_t, short_segments<Model, Cells>>& queue() { return queue_; }

 private:
  using item = std::uint64_t;
  static constexpr int most_at_once = 3;
  static constexpr item items_of_a_thread = 32;

  static std::size_t items(const calls& of) {
    std::size_t sum = of.count(push_word);
    for (const call& c : of) sum += c.what == call::kind::word && c.word == batch_word ? c.at(0, 1) : 0;
    return sum;
  }
  void begin() {
    if (starved_) memory_.exhaust();
  }
  bool call_queue(unsigned thread, const call& c) {
    const std::size_t n = std::min<std::size_t>(c.at(0, 1), most_at_once);
    switch (c.word) {
      case push_word:
      case batch_word: return push(thread, c.word == batch_word ? n : 0);
      case pop_word: return pop(thread, n, true);
      default: return !queue_.empty();
    }
  }

  /// One item, or a batch of n. False: there was no memory, and nothing was pushed.
  bool push(unsigned thread, std::size_t n) {
    account<Model>& mine = *accounts_[thread];
    std::array<int, most_at_once> opened{};
    std::array<item, most_at_once> some{};
    const std::size_t number = std::max<std::size_t>(n, 1);
    for (std::size_t i = 0; i != number; ++i) {
      opened[i] = mine.open();
      some[i] = thread * items_of_a_thread + static_cast<item>(opened[i]);
    }
    try {
      if (n == 0) return queue_.push(some[0]);
      return queue_.push(std::span<const item>(some).first(n));
    } catch (const std::bad_alloc&) {
      for (std::size_t i = 0; i != number; ++i) mine.take(opened[i]);
      return false;
    }
  }
  /// At most n items. A thread gets the items of each pusher in the order of their pushes.
  bool pop(unsigned thread, std::size_t n, bool in_order) {
    std::array<item, most_at_once> into{};
    const std::size_t got = queue_.pop(std::span(into).first(n));
    Model::check(got <= n, "more items than there was room for");
    for (const item i : std::span(into).first(got)) {
      const auto from = static_cast<std::size_t>(i / items_of_a_thread);
      Model::check(from < line::most_threads && accounts_[from], "nothing invented: an item of no thread");
      Model::check(!in_order || i > last_[thread][from],
                   "FIFO: a thread got an older item after a younger one of the same pusher");
      last_[thread][from] = i;
      accounts_[from]->take(static_cast<int>(i % items_of_a_thread));
    }
    return got != 0;
  }

  std::size_t prelude_;  // the main thread's calls that are still to come
  const bool starved_;
  failing_memory<Model> memory_;
  inject_queue<item, short_segments<Model, Cells>> queue_{{.memory = &memory_}};
  std::array<made_later<account<Model>>, line::most_threads> accounts_;          // each its pusher's
  std::array<std::array<item, line::most_threads>, line::most_threads> last_{};  // each row one thread's
};

template <class Model>
using one_cell_client = inject_client<Model, 1>;
template <class Model>
using two_cells_client = inject_client<Model, 2>;
template <class Model>
using three_cells_client = inject_client<Model, 3>;

/// An item with a link: it can be pushed for certain.
template <class Model>
struct linked_item {
  typename Model::template plain<linked_item*> next;
  typename Model::template plain<int> payload;
};

/// One segment of one cell, and no memory for another. Each push has an item of its own.
template <class Model>
class linked_client {
 public:
  enum : std::uint8_t { push_word, pop_word };
  static constexpr std::array words{"push_certain", "pop"};  // pop(n)
  static constexpr std::array<const char*, 0> settings{};

  explicit linked_client(const line& l) : items_{l.count(push_word)} {
    memory_.exhaust();
    std::size_t first = l.before.count(push_word);  // thread 0's first are the main thread's
    for (unsigned t = 0; t != l.threads; ++t) {
      next_[t] = t == 0 ? 0 : first;
      first += l.thread[t].count(push_word);
    }
  }

  static const char* refuses(const line& l) { return l.count(push_word) > most_items ? too_many_items : nullptr; }
  static const char* refuses(const line& /*l*/, unsigned /*thread*/, const call& c) {
    if (c.word == push_word) return c.numbers == 0 ? nullptr : no_numbers;
    const std::size_t n = c.at(0, 1);
    return n == 0 || n > most_at_once ? "1 or 2 items at once" : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    if (c.word == pop_word) return pop(std::min(c.at(0, 1), most_at_once));
    const std::size_t n = next_[thread]++;
    items_[n].payload.write(sealed);
    pushed_[n] = true;
    queue_.push_certain(&items_[n]);
    return true;
  }

  void settle() {
    while (pop(most_at_once)) {
    }
    for (unsigned t = 0; t != line::most_threads; ++t) {
      if (Model::stalled(t)) return;
    }
    for (std::size_t n = 0; n != items_.size(); ++n) {
      Model::check(!pushed_[n] || items_[n].payload.read() == taken,
                   "nothing lost: an item was pushed and never taken");
    }
    Model::check(queue_.empty(), "items are left where none was found");
  }
  void leave() {}

 private:
  static constexpr std::size_t most_at_once = 2;
  static constexpr int taken = 1;
  static constexpr int sealed = 2;
  using item = linked_item<Model>*;

  bool pop(std::size_t n) {
    std::array<item, most_at_once> into{};
    const std::size_t got = queue_.pop(std::span(into).first(n));
    for (auto* const i : std::span(into).first(got)) {
      Model::check(i->payload.read() == sealed, "exactly once: an item was taken twice");
      i->payload.write(taken);
    }
    return got != 0;
  }

  cells<linked_item<Model>, most_items> items_;
  std::array<bool, most_items> pushed_{};               // each its pusher's
  std::array<std::size_t, line::most_threads> next_{};  // each its thread's: the next item that it pushes
  failing_memory<Model> memory_;
  inject_queue<item, short_segments<Model, 1>> queue_{{.memory = &memory_}};
};

}  // namespace licit::suites

template <class Model>
struct licit::inject_link<licit::suites::linked_item<Model>*> {
  using item = licit::suites::linked_item<Model>*;
  static item get(item i) noexcept { return i->next.read(); }
  static void set(item i, item next) noexcept { i->next.write(next); }
};

#endif
