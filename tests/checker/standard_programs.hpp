/// The same clients by three doors: over the model with an ordering table, over std.hpp as a program with `thread(i)`,
/// and over std.hpp as a body that starts its threads. The orders come from one table, so that a weak one is weak in
/// all.
#ifndef LICIT_TESTS_CHECKER_STANDARD_PROGRAMS_HPP
#define LICIT_TESTS_CHECKER_STANDARD_PROGRAMS_HPP

#include <array>
#include <memory_resource>
#include <new>

#include <licit/checker/live_orders.hpp>
#include <licit/checker/run.hpp>
#include <licit/checker/std.hpp>
#include <licit/deque/native.hpp>

namespace licit::checker_test {

inline constexpr licit::table client_orders{
    "clients",
    {rows::store("message.raise", order::release, {"message.see"}, "the data is written"),
     rows::load("message.see", order::acquire, {"message.raise"}, "the data is written"),
     rows::store("buffer.store", order::seq_cst, {"buffer.load"}, "before the load, for all"),
     rows::load("buffer.load", order::seq_cst, {"buffer.store"}, "after the store, for all"),
     rows::store("peterson.enter", order::seq_cst, {"peterson.look"}, "before it looks"),
     rows::store("peterson.yield", order::seq_cst, {"peterson.turn"}, "before it looks"),
     rows::load("peterson.look", order::seq_cst, {"peterson.enter", "peterson.leave"}, "after it entered"),
     rows::load("peterson.turn", order::seq_cst, {"peterson.yield"}, "after it yielded"),
     rows::store("peterson.leave", order::release, {"peterson.look"}, "the data is written"),
     rows::load("stack.own", order::relaxed, {}, "the exchange checks it"),
     rows::load("stack.top", order::acquire, {"stack.push"}, "the node is written"),
     rows::compare_exchange("stack.push", order::release, order::relaxed, {"stack.top", "stack.pop"}, "it is written"),
     rows::compare_exchange("stack.pop", order::relaxed, order::acquire, {"stack.push"}, "the next one is written"),
     rows::load("ring.tail", order::relaxed, {}, "the producer's own"),
     rows::load("ring.room", order::acquire, {"ring.free"}, "the consumer has read the cell"),
     rows::store("ring.publish", order::release, {"ring.look"}, "the cell is written"),
     rows::load("ring.head", order::relaxed, {}, "the consumer's own"),
     rows::load("ring.look", order::acquire, {"ring.publish"}, "the cell is written"),
     rows::store("ring.free", order::release, {"ring.room"}, "the cell is read")}};
static_assert(client_orders.consistent());

template <fixed_string Name>
const checker::live_row& row_now() {
  return checker::live_orders<client_orders>::row(client_orders.find(Name.view()));
}

/// The model, by sites of the table.
struct by_table {
  template <class T>
  using atomic = checker::model::atomic<T>;
  template <class T>
  using plain = checker::model::plain<T>;
  template <fixed_string Name>
  static constexpr auto at() {
    return site_of<client_orders, Name>;
  }
  template <fixed_string Name, class T>
  static bool compare_exchange(atomic<T>& a, T& expected, T desired) {
    return a.compare_exchange(expected, desired, at<Name>());
  }
  template <class T>
  static T* make() {
    return ::new (checker::model::memory()->allocate(sizeof(T), alignof(T))) T;
  }
  template <class T>
  static void destroy(T* p) {
    p->~T();
    checker::model::memory()->deallocate(p, sizeof(T), alignof(T));
  }
};

/// std.hpp: nothing is known of a table.
struct by_source : by_table {
  template <class T>
  using atomic = checker::standard::atomic<T>;
  template <class T>
  using plain = checker::plain<T>;
  template <fixed_string Name>
  static std::memory_order at() {
    return licit::detail::to_std(row_now<Name>().success);
  }
  template <fixed_string Name, class T>
  static bool compare_exchange(atomic<T>& a, T& expected, T desired,
                               std::source_location where = std::source_location::current()) {
    return a.compare_exchange_strong(expected, desired, at<Name>(), licit::detail::to_std(row_now<Name>().failure),
                                     where);
  }
};

/// The same with new and delete.
struct by_body : by_source {
  template <class T>
  static T* make() {
    return new T;
  }
  template <class T>
  static void destroy(T* p) {
    delete p;
  }
};

template <class Door>
struct message_passing {
  static constexpr unsigned threads = 2;
  typename Door::template plain<int> data{0};
  typename Door::template atomic<int> flag{0};
  void thread(unsigned i) {
    if (i == 0) {
      data.write(42);
      flag.store(1, Door::template at<"message.raise">());
    } else if (flag.load(Door::template at<"message.see">()) == 1) {
      checker::model::check(data.read() == 42, "the data has arrived");
    }
  }
  void finish() {}
};

template <class Door>
struct store_buffering {
  static constexpr unsigned threads = 2;
  std::array<typename Door::template atomic<int>, 2> cells{};
  std::array<int, 2> seen{};
  void thread(unsigned i) {
    cells[i].store(1, Door::template at<"buffer.store">());
    seen[i] = cells[1 - i].load(Door::template at<"buffer.load">());
  }
  void finish() { checker::model::check(seen[0] + seen[1] != 0, "somebody sees the other's store"); }
};

template <class Door>
struct peterson {
  static constexpr unsigned threads = 2;
  static constexpr bool waits = true;
  std::array<typename Door::template atomic<int>, 2> inside{};
  typename Door::template atomic<unsigned> turn{0};
  typename Door::template plain<int> data{0};
  void thread(unsigned i) {
    inside[i].store(1, Door::template at<"peterson.enter">());
    turn.store(1 - i, Door::template at<"peterson.yield">());
    while (inside[1 - i].load(Door::template at<"peterson.look">()) == 1 &&
           turn.load(Door::template at<"peterson.turn">()) == 1 - i) {
    }
    data.write(data.read() + 1);
    inside[i].store(0, Door::template at<"peterson.leave">());
  }
  void finish() { checker::model::check(data.read() == 2, "each counts once"); }
};

/// Of two threads that push and pop; nodes are freed at the end.
template <class Door>
struct stack {
  struct node {
    typename Door::template plain<int> value{0};
    typename Door::template plain<node*> next{nullptr};
  };
  static constexpr unsigned threads = 2;
  typename Door::template atomic<node*> top{nullptr};
  std::array<node*, 2> popped{};

  void thread(unsigned i) {
    if (i == 0) push(1);
    if (i == 1) push(2);
    popped[i] = pop();
    if (popped[i] != nullptr) checker::model::check(popped[i]->value.read() != 0, "it was pushed");
  }
  void finish() {
    checker::model::check(popped[0] != popped[1] && popped[0] != nullptr && popped[1] != nullptr, "each pops one");
    for (node* const n : popped) Door::destroy(n);
  }
  void push(int value) {
    node* const n = Door::template make<node>();
    n->value.write(value);
    node* old = top.load(Door::template at<"stack.own">());
    do {
      n->next.write(old);
    } while (!Door::template compare_exchange<"stack.push">(top, old, n));
  }
  node* pop() {
    node* old = top.load(Door::template at<"stack.top">());
    while (old != nullptr && !Door::template compare_exchange<"stack.pop">(top, old, old->next.read())) {
    }
    return old;
  }
};

template <class Door>
struct ring {
  static constexpr unsigned threads = 2;
  std::array<typename Door::template plain<int>, 2> cells{};
  typename Door::template atomic<unsigned> head{0}, tail{0};
  int last = 0;

  void thread(unsigned i) {
    for (int n = 1; n <= 3; ++n) i == 0 ? push(n) : pop();
  }
  void finish() {}
  void push(int item) {
    const unsigned at = tail.load(Door::template at<"ring.tail">());
    if (at - head.load(Door::template at<"ring.room">()) == cells.size()) return;
    cells[at % cells.size()].write(item);
    tail.store(at + 1, Door::template at<"ring.publish">());
  }
  void pop() {
    const unsigned at = head.load(Door::template at<"ring.head">());
    if (at == tail.load(Door::template at<"ring.look">())) return;
    const int item = cells[at % cells.size()].read();
    checker::model::check(item > last, "items arrive in order");
    last = item;
    head.store(at + 1, Door::template at<"ring.free">());
  }
};

/// As a body that starts its threads.
template <class Program>
void start_and_join() {
  Program p;
  std::array<checker::standard::thread, Program::threads> threads;
  for (unsigned i = 0; i != Program::threads; ++i) threads[i] = checker::standard::thread([&p, i] { p.thread(i); });
  for (auto& t : threads) t.join();
  p.finish();
}

}  // namespace licit::checker_test

#endif
