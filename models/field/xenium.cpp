/// Clients of xenium.
#include <array>
#include <memory>
#include <xenium/chase_work_stealing_deque.hpp>
#include <xenium/left_right.hpp>
#include <xenium/michael_scott_queue.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>
#include <xenium/seqlock.hpp>
#include <xenium/vyukov_bounded_queue.hpp>

#include "client.hpp"

namespace {

using field::taken;
using field::together;

void vyukov_bounded() {
  xenium::vyukov_bounded_queue<int> q(2);
  int last = 0;
  together(
      [&] {
        for (int i = 0; i != 2; ++i) {
          int item = 0;
          if (!q.try_pop_weak(item)) continue;
          assert(item > last);
          last = item;
        }
      },
      [&] {
        for (int item = 1; item <= 3; ++item) q.try_push_weak(item);
      });
}

void vyukov_bounded_two_producers() {
  xenium::vyukov_bounded_queue<int> q(2);
  together([&] { q.try_push(1); }, [&] { q.try_push(2); });
  taken<2> all;
  int item = 0;
  while (q.try_pop(item)) all(item);
  field::check_taken({all}, 2);
}

struct task {
  int number;
};

template <class... Policies>
using deque = xenium::chase_work_stealing_deque<task, Policies...>;
using xenium::policy::capacity;
using fixed = xenium::policy::container<xenium::detail::fixed_size_circular_array<task, 4>>;

/// The owner pushes `Pushes` and pops `Pops` while each thief steals once.
template <class Deque, int Pushes, int Pops, int Thieves>
void deque_line() {
  Deque q;
  task tasks[] = {{1}, {2}, {3}, {4}};
  taken<4> by_owner;
  taken<4> by_thief[2];
  const auto steal = [&](taken<4>& mine) {
    task* t = nullptr;
    if (q.try_steal(t)) mine(t->number);
  };
  const auto own = [&] {
    for (int i = 0; i != Pushes; ++i) q.try_push(&tasks[i]);
    for (int i = 0; i != Pops; ++i) {
      task* t = nullptr;
      if (q.try_pop(t)) by_owner(t->number);
    }
  };
  if constexpr (Thieves == 1) {
    together(own, [&] { steal(by_thief[0]); });
  } else {
    together(own, [&] { steal(by_thief[0]); }, [&] { steal(by_thief[1]); });
  }
  task* t = nullptr;
  while (q.try_pop(t)) by_owner(t->number);
  field::check_taken({by_owner, by_thief[0], by_thief[1]}, Pushes);
}

template <class Reclaimer>
void michael_scott() {
  xenium::michael_scott_queue<int, xenium::policy::reclaimer<Reclaimer>> q;
  int last = 0;
  together(
      [&] {
        int item = 0;
        if (q.try_pop(item)) last = item;
        assert(last == 0 || last == 1);
      },
      [&] { q.push(1); });
}

void left_right() {
  xenium::left_right<int> both(0);
  together([&] { both.read([](const int& v) { assert(v == 0 || v == 1); }); },
           [&] { both.update([](int& v) { v = 1; }); });
}

struct pair {
  long a;
  long b;
};

void seqlock() {
  xenium::seqlock<pair> both(pair{0, 0});
  together(
      [&] {
        const pair seen = both.load();
        assert(seen.a == seen.b);
      },
      [&] { both.store(pair{1, 1}); });
}

}  // namespace

int main(int argc, char** argv) {
  return field::run(argc, argv,
                    {{"vyukov_bounded", &vyukov_bounded},
                     {"vyukov_bounded_two_producers", &vyukov_bounded_two_producers},
                     {"deque_last", &deque_line<deque<capacity<4>, fixed>, 1, 1, 1>},
                     {"deque_two", &deque_line<deque<capacity<4>, fixed>, 2, 1, 1>},
                     {"deque_two_thieves", &deque_line<deque<capacity<4>, fixed>, 2, 1, 2>},
                     {"deque_grows", &deque_line<deque<capacity<2>>, 3, 1, 1>},
                     {"michael_scott_epochs", &michael_scott<xenium::reclamation::epoch_based<>>},
                     {"left_right", &left_right},
                     {"seqlock", &seqlock}});
}
