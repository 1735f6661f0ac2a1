// Each operation as one function, to be disassembled and counted: instructions.py does both.
//
//     licit_operations <structure> <kind> <n>    runs the operation n times
#include <cstdlib>
#include <string_view>

#include <licit/scheduler.hpp>

#include "opaque.hpp"
#include "peers/licit.hpp"
#include "peers/textbook.hpp"

namespace {
template <class Deque>
void push_and_pop(Deque& deque, void* item, long n) {
  for (long i = 0; i != n; ++i) {
    deque.push(item);
    licit_bench::forget();
    licit_bench::use(deque.pop());
  }
}
}  // namespace

// `flatten`: what an operation calls is counted with it, unless it is kept out of line.
#define LICIT_BENCH_OPERATION extern "C" [[gnu::noinline, gnu::flatten, gnu::used]]
#define LICIT_BENCH_OPERATIONS(name, type)                                                         \
  LICIT_BENCH_OPERATION void op_##name##_push(licit_bench::type* d, void* item) { d->push(item); } \
  LICIT_BENCH_OPERATION void* op_##name##_pop(licit_bench::type* d) { return d->pop(); }           \
  LICIT_BENCH_OPERATION void* op_##name##_steal(licit_bench::type* d) { return d->steal(); }       \
  LICIT_BENCH_OPERATION void op_##name##_pairs(licit_bench::type* d, void* item, long n) { push_and_pop(*d, item, n); }

LICIT_BENCH_OPERATIONS(textbook, textbook)
LICIT_BENCH_OPERATIONS(licit, licit_deque)
LICIT_BENCH_OPERATIONS(owner, licit_owner)
LICIT_BENCH_OPERATIONS(asymmetric, licit_asymmetric)
LICIT_BENCH_OPERATIONS(tagged, licit_tagged)
LICIT_BENCH_OPERATIONS(tagged_asymmetric, licit_tagged_asymmetric)
LICIT_BENCH_OPERATIONS(run_queue, licit_run_queue)
LICIT_BENCH_OPERATIONS(split, licit_split)

/// Not flattened: what a join calls is counted, too.
extern "C" [[gnu::noinline, gnu::used]] long op_join_join(long a, long b) {
  const auto [x, y] = licit::join([a] { return a + 1; }, [b] { return b + 2; });
  return x + y;
}

namespace {

template <class Deque, void (*Push)(Deque*, void*), void* (*Pop)(Deque*), void* (*Steal)(Deque*),
          void (*Pairs)(Deque*, void*, long)>
int run(std::string_view kind, long n) {
  Deque deque(64);
  int item = 0;
  // So that the popped item is not the last one, nor one near the top, which a tagged deque's owner must claim.
  for (int i = 0; (kind == "push_pop" || kind == "pairs") && i != 4; ++i) deque.push(&item);
  if (kind == "pairs") {
    Pairs(&deque, &item, n);
    return EXIT_SUCCESS;
  }
  long wrong = 0;
  for (long i = 0; i != n; ++i) {
    if (kind != "pop_empty") Push(&deque, &item);
    void* got = kind == "push_steal" ? Steal(&deque) : Pop(&deque);
    if (requires { Deque::waits_for_owner; } && kind == "push_steal")
      continue;  // nothing, until its owner has answered
    wrong += (got == nullptr) != (kind == "pop_empty") ? 1 : 0;
  }
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/// On one worker, so that nobody steals: within another join, or by itself (`join_outermost`).
int run_joins(std::string_view kind, long n) {
  licit::scheduler one({.workers = 1});
  return one
      .spawn([=] {
        long wrong = 0;
        const auto all = [&] {
          for (long i = 0; i != n; ++i) wrong += op_join_join(i, i) != 2 * i + 3 ? 1 : 0;
        };
        (void)licit::join([] {}, [] {});  // a thread's first one says with a fence that it forks from now on
        kind == "join_outermost" ? all() : static_cast<void>(licit::join(all, [] {}));
        return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
      })
      .get();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string_view structure = argv[1];
  const std::string_view kind = argv[2];
  const long n = std::strtol(argv[3], nullptr, 10);
#define LICIT_BENCH_RUN(name, type)                                                                                  \
  if (structure == #name) {                                                                                          \
    return run<licit_bench::type, op_##name##_push, op_##name##_pop, op_##name##_steal, op_##name##_pairs>(kind, n); \
  }
  LICIT_BENCH_RUN(textbook, textbook)
  LICIT_BENCH_RUN(licit, licit_deque)
  LICIT_BENCH_RUN(owner, licit_owner)
  LICIT_BENCH_RUN(asymmetric, licit_asymmetric)
  LICIT_BENCH_RUN(tagged, licit_tagged)
  LICIT_BENCH_RUN(tagged_asymmetric, licit_tagged_asymmetric)
  LICIT_BENCH_RUN(run_queue, licit_run_queue)
  LICIT_BENCH_RUN(split, licit_split)
  if (structure == "join") return run_joins(kind, n);
  return 2;
}
