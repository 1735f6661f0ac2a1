/// Cells that live in the same bytes, one after the other: their lives are ordered, or they race.
#include <array>
#include <cstddef>
#include <new>
#include <optional>
#include <string>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

namespace licit::checker_test {
namespace {

using checker::model;
using checker::outcome;
using checker::run_program;
using checker::verdict;
using checker::violation;
using enum order;

/// Storage for one cell: in the program, and in memory that it has allocated.
template <class Cell>
struct storage {
  alignas(Cell) std::array<std::byte, sizeof(Cell)> bytes{};

  Cell* place() { return reinterpret_cast<Cell*>(bytes.data()); }
  Cell* make() { return ::new (static_cast<void*>(bytes.data())) Cell; }
};
template <class Cell>
struct storage_on_the_heap {
  std::byte* bytes = static_cast<std::byte*>(::operator new(sizeof(Cell)));
  storage_on_the_heap() = default;
  storage_on_the_heap(const storage_on_the_heap&) = delete;
  storage_on_the_heap& operator=(const storage_on_the_heap&) = delete;
  ~storage_on_the_heap() { ::operator delete(bytes); }
  Cell* place() { return reinterpret_cast<Cell*>(bytes); }
  Cell* make() { return ::new (static_cast<void*>(bytes)) Cell; }
};

/// Two threads construct a cell in the same bytes, with nothing between.
template <template <class> class Storage, class Cell>
struct constructed_twice {
  static constexpr unsigned threads = 2;
  Storage<Cell> in;
  void thread(unsigned) { in.make(); }
  void finish() {}
};
TEST(lifetimes, that_begin_in_two_threads_race) {
  const verdict v = run_program<constructed_twice<storage, model::plain<int>>>();
  EXPECT_EQ(v.kind, violation::race);
  EXPECT_NE(v.message.find("unordered with its construction by thread"), std::string::npos) << v.message;
  EXPECT_EQ((run_program<constructed_twice<storage, model::atomic<int>>>().kind), violation::race);
  EXPECT_EQ((run_program<constructed_twice<storage_on_the_heap, model::plain<int>>>().kind), violation::race);
}

/// One ends a cell's life and says so; the other begins another's in the same bytes.
template <template <class> class Storage, order Say, order Hear, bool Destroy = true, bool ReadLast = false>
struct handed_on {
  using cell = model::plain<int>;
  static constexpr unsigned threads = 2;
  Storage<cell> in;
  model::atomic<int> free;
  handed_on() { in.make(); }
  void thread(unsigned i) {
    if (i == 0) {
      in.place()->write(1);
      if (Destroy) in.place()->~cell();
      free.store(1, Say);
      if (ReadLast) (void)in.place()->read();
    } else if (free.load(Hear) == 1) {
      in.make()->write(2);
    }
  }
  void finish() {
    if (free.load(relaxed) == 0) in.place()->~cell();
  }
};
TEST(lifetimes, that_are_ordered_are_right) {
  const verdict v = run_program<handed_on<storage, release, acquire>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << "\n" << v.trace;
  EXPECT_EQ(v.executions, 2U);
  EXPECT_EQ((run_program<handed_on<storage_on_the_heap, release, acquire>>().outcome), outcome::ok);
}
TEST(lifetimes, that_are_not_ordered_race) {
  const verdict v = run_program<handed_on<storage, relaxed, acquire>>();
  EXPECT_EQ(v.kind, violation::race);
  EXPECT_NE(
      v.message.find("thread 1 constructs plain cell 0 of thread 1 in the bytes of plain cell 1 of the main thread, "
                     "unordered with its end by thread 0"),
      std::string::npos)
      << v.message;
  EXPECT_EQ((run_program<handed_on<storage, release, relaxed>>().kind), violation::race);
  EXPECT_EQ((run_program<handed_on<storage_on_the_heap, relaxed, acquire>>().kind), violation::race);
}
TEST(lifetimes, end_where_another_begins) {
  EXPECT_EQ((run_program<handed_on<storage, release, acquire, false>>().outcome), outcome::ok);
  const verdict v = run_program<handed_on<storage, relaxed, relaxed, false>>();
  EXPECT_NE(v.message.find("unordered with an access by thread 0"), std::string::npos) << v.message;
  EXPECT_EQ((run_program<handed_on<storage, release, acquire, false, true>>().kind), violation::race);
}

/// The bytes of a cell are another's, of another size, though nobody has ended its life.
struct used_after {
  static constexpr unsigned threads = 1;
  storage<model::plain<long>> in;
  void thread(unsigned) {
    model::plain<long>* const former = in.make();
    ::new (static_cast<void*>(in.bytes.data())) model::plain<char>;
    former->write(1);
  }
  void finish() {}
};
/// Nobody has constructed what is read.
template <bool Allocated>
struct never_made {
  static constexpr unsigned threads = 1;
  using cell = model::atomic<int>;
  storage<cell> in;
  void* block = model::memory()->allocate(sizeof(cell), alignof(cell));
  void thread(unsigned) { (void)(Allocated ? static_cast<cell*>(block) : in.place())->load(relaxed); }
  void finish() { model::memory()->deallocate(block, sizeof(cell), alignof(cell)); }
};
/// What is written was constructed in the execution before this one, at the same address.
struct made_in_another_execution {
  static constexpr unsigned threads = 2;
  using cell = model::plain<int>;
  storage<cell> elsewhere;
  model::atomic<int> flag;
  void* block = model::memory()->allocate(sizeof(cell), alignof(cell));
  void thread(unsigned i) {
    if (i == 1) return flag.store(1, relaxed);
    flag.load(relaxed) == 0 ? ::new (block) cell : elsewhere.make();
    static_cast<cell*>(block)->write(1);
  }
  void finish() { model::memory()->deallocate(block, sizeof(cell), alignof(cell)); }
};
TEST(lifetimes, end_with_their_execution) {
  const verdict v = run_program<made_in_another_execution>();
  EXPECT_EQ(v.kind, violation::use_after_free) << v.executions;
  EXPECT_EQ(v.executions, 1U);
}
TEST(lifetimes, are_needed_for_an_access) {
  EXPECT_EQ(run_program<used_after>().kind, violation::use_after_free);
  EXPECT_EQ((run_program<never_made<false>>().kind), violation::use_after_free);
  EXPECT_EQ((run_program<never_made<true>>().kind), violation::use_after_free);
}

/// One makes it and says so, the other makes it anew: std::optional.
template <order Say>
struct optional_cell {
  static constexpr unsigned threads = 2;
  std::optional<model::plain<int>> held{std::in_place, 1};
  model::atomic<int> empty;
  void thread(unsigned i) {
    if (i == 0) {
      held.reset();
      empty.store(1, Say);
    } else if (empty.load(acquire) == 1) {
      held.emplace(2);
    }
  }
  void finish() {}
};
TEST(lifetimes, of_an_optional) {
  EXPECT_EQ(run_program<optional_cell<relaxed>>().kind, violation::race);
  EXPECT_EQ(run_program<optional_cell<release>>().outcome, outcome::ok);
}

/// A ring whose slots are constructed by the producer and destroyed by the consumer, as queues do that hold objects.
template <order Publish, order Free>
struct ring_of_objects {
  static constexpr unsigned threads = 2;
  static constexpr unsigned items = 3;
  static constexpr unsigned capacity = 2;
  using cell = model::plain<unsigned>;
  std::array<storage<cell>, capacity> slots;
  model::atomic<unsigned> head, tail;
  void thread(unsigned i) {
    for (unsigned n = 0; n != items; ++n) {
      cell* const slot = slots[n % capacity].place();
      if (i == 0) {
        if (n - head.load(acquire) == capacity) return;
        (::new (static_cast<void*>(slot)) cell)->write(n);
        tail.store(n + 1, Publish);
      } else {
        if (tail.load(acquire) == n) return;
        model::check(slot->read() == n, "the items come in order");
        slot->~cell();
        head.store(n + 1, Free);
      }
    }
  }
  void finish() {}
};
TEST(lifetimes, in_a_ring) {
  const verdict v = run_program<ring_of_objects<release, release>>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << "\n" << v.trace;
  EXPECT_EQ((run_program<ring_of_objects<release, relaxed>>().kind), violation::race);
  EXPECT_NE((run_program<ring_of_objects<relaxed, release>>().outcome), outcome::ok);
}

/// Threads that use the heap each for themselves: what one gives back, the other may get.
struct own_heap {
  static constexpr unsigned threads = 2;
  void thread(unsigned i) {
    auto* const mine = new model::plain<unsigned>(i);
    model::check(mine->read() == i, "it is mine");
    delete mine;
  }
  void finish() {}
};
TEST(lifetimes, on_the_heap_are_ordered_by_it) {
  const verdict v = run_program<own_heap>();
  EXPECT_EQ(v.outcome, outcome::ok) << v.message;
}

}  // namespace
}  // namespace licit::checker_test
