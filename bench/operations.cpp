// Each operation as one function, to be disassembled and counted: instructions.py does both.
//
//     licit_operations <structure> <kind> <n>    runs the operation n times
#include <cstdlib>
#include <string_view>

#include "opaque.hpp"
#include "peers/licit.hpp"
#include "peers/textbook.hpp"

namespace {
using licit_bench::licit_deque;
using licit_bench::licit_owner;
using licit_bench::textbook;

template <class Deque>
void push_and_pop(Deque& deque, void* item, long n) {
  for (long i = 0; i != n; ++i) {
    deque.push(item);
    licit_bench::forget();
    licit_bench::use(deque.pop());
  }
}
}  // namespace

// `flatten`: what an operation calls is counted with it.
#define LICIT_BENCH_OPERATION extern "C" [[gnu::noinline, gnu::flatten, gnu::used]]

LICIT_BENCH_OPERATION void op_textbook_push(textbook* d, void* item) { d->push(item); }
LICIT_BENCH_OPERATION void* op_textbook_pop(textbook* d) { return d->pop(); }
LICIT_BENCH_OPERATION void* op_textbook_steal(textbook* d) { return d->steal(); }
LICIT_BENCH_OPERATION void op_textbook_pairs(textbook* d, void* item, long n) { push_and_pop(*d, item, n); }
LICIT_BENCH_OPERATION void op_licit_push(licit_deque* d, void* item) { d->push(item); }
LICIT_BENCH_OPERATION void* op_licit_pop(licit_deque* d) { return d->pop(); }
LICIT_BENCH_OPERATION void* op_licit_steal(licit_deque* d) { return d->steal(); }
LICIT_BENCH_OPERATION void op_licit_pairs(licit_deque* d, void* item, long n) { push_and_pop(*d, item, n); }
LICIT_BENCH_OPERATION void op_owner_push(licit_owner* d, void* item) { d->push(item); }
LICIT_BENCH_OPERATION void* op_owner_pop(licit_owner* d) { return d->pop(); }
LICIT_BENCH_OPERATION void* op_owner_steal(licit_owner* d) { return d->steal(); }
LICIT_BENCH_OPERATION void op_owner_pairs(licit_owner* d, void* item, long n) { push_and_pop(*d, item, n); }

namespace {

template <class Deque, void (*Push)(Deque*, void*), void* (*Pop)(Deque*), void* (*Steal)(Deque*),
          void (*Pairs)(Deque*, void*, long)>
int run(std::string_view kind, long n) {
  Deque deque(64);
  int item = 0;
  if (kind == "push_pop" || kind == "pairs") deque.push(&item);  // so that the popped item is not the last one
  if (kind == "pairs") {
    Pairs(&deque, &item, n);
    return EXIT_SUCCESS;
  }
  long wrong = 0;
  for (long i = 0; i != n; ++i) {
    if (kind != "pop_empty") Push(&deque, &item);
    void* got = kind == "push_steal" ? Steal(&deque) : Pop(&deque);
    wrong += (got == nullptr) != (kind == "pop_empty") ? 1 : 0;
  }
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string_view structure = argv[1];
  const std::string_view kind = argv[2];
  const long n = std::strtol(argv[3], nullptr, 10);
  if (structure == "textbook") {
    return run<textbook, op_textbook_push, op_textbook_pop, op_textbook_steal, op_textbook_pairs>(kind, n);
  }
  if (structure == "licit")
    return run<licit_deque, op_licit_push, op_licit_pop, op_licit_steal, op_licit_pairs>(kind, n);
  if (structure == "owner")
    return run<licit_owner, op_owner_push, op_owner_pop, op_owner_steal, op_owner_pairs>(kind, n);
  return 2;
}
