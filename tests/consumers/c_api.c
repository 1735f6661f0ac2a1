/* C programs: every status that licit.h promises, each by the call that must give it; then an owner and two thieves, by
 * whom every item is taken exactly once, with what was written before its push. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <licit/licit.h>

/* One way to fail, whatever NDEBUG says. */
#define CHECK(holds)                                                      \
  do {                                                                    \
    if (!(holds)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #holds); \
      exit(1);                                                            \
    }                                                                     \
  } while (0)

static void* number(uintptr_t n) { return (void*)n; }

static licit_owner* make(size_t initial, size_t maximum) {
  const licit_options options = {initial, maximum};
  licit_owner* owner = NULL;
  CHECK(licit_owner_create(&options, &owner) == LICIT_OK && owner != NULL);
  return owner;
}

static void refuses(size_t initial, size_t maximum, licit_status why) {
  const licit_options options = {initial, maximum};
  int anything;
  licit_owner* owner = (licit_owner*)&anything;
  CHECK(licit_owner_create(&options, &owner) == why && owner == NULL);
}

static void full_and_empty(void) {
  licit_owner* owner = make(1, 2);
  licit_stealer* stealer = NULL;
  void* item = number(77);
  CHECK(licit_stealer_create(owner, &stealer) == LICIT_OK && stealer != NULL);
  CHECK(licit_pop(owner, &item) == LICIT_EMPTY && item == number(77));
  CHECK(licit_steal(stealer, &item) == LICIT_EMPTY && item == number(77));

  CHECK(licit_push(owner, NULL) == LICIT_OK);
  CHECK(licit_push(owner, number(2)) == LICIT_OK);
  CHECK(licit_push(owner, number(3)) == LICIT_FULL);
  CHECK(licit_owner_size(owner) == 2 && licit_stealer_size(stealer) == 2);
  CHECK(licit_steal(stealer, &item) == LICIT_OK && item == NULL);
  CHECK(licit_push(owner, number(3)) == LICIT_OK);
  CHECK(licit_pop(owner, &item) == LICIT_OK && item == number(3));

  licit_owner_destroy(owner); /* the item left can still be stolen */
  CHECK(licit_steal(stealer, &item) == LICIT_OK && item == number(2));
  CHECK(licit_steal(stealer, &item) == LICIT_EMPTY);
  licit_stealer_destroy(stealer);
}

/* The address space is limited, so that growth and creation fail soon and nothing is really used up. */
static void no_memory(void) {
  licit_owner* owner = make(0, 0);
  struct rlimit before;
  CHECK(getrlimit(RLIMIT_AS, &before) == 0);
  const struct rlimit small = {(rlim_t)256 << 20, before.rlim_max};
  CHECK(setrlimit(RLIMIT_AS, &small) == 0);

  refuses((size_t)1 << 36, 0, LICIT_NO_MEMORY);
  uintptr_t pushed = 0;
  licit_status status;
  while ((status = licit_push(owner, number(pushed))) == LICIT_OK) ++pushed;
  CHECK(status == LICIT_NO_MEMORY && pushed > 256 && licit_owner_size(owner) == pushed);

  CHECK(setrlimit(RLIMIT_AS, &before) == 0);
  CHECK(licit_push(owner, number(pushed++)) == LICIT_OK);
  void* item;
  while (licit_pop(owner, &item) == LICIT_OK) CHECK(item == number(--pushed));
  CHECK(pushed == 0);
  licit_owner_destroy(owner);
}

enum { items = 400000, thieves = 2 };

typedef struct cell {
  int payload; /* not atomic: the deque's hand-over must order it */
  atomic_int taken;
} cell;

typedef struct counts {
  long taken, empty, lost;
} counts;

static cell cells[items];
static atomic_int finished;

static void take(void* item, counts* seen) {
  cell* mine = item;
  CHECK(mine->payload == (int)(mine - cells) + 1);
  CHECK(atomic_fetch_add(&mine->taken, 1) == 0);
  ++seen->taken;
}

typedef struct thief {
  pthread_t thread;
  licit_stealer* stealer;
  counts seen;
} thief;

static void* steal_all(void* argument) {
  thief* self = argument;
  while (!atomic_load(&finished)) {
    void* item;
    switch (licit_steal(self->stealer, &item)) {
      case LICIT_OK: take(item, &self->seen); break;
      case LICIT_EMPTY: ++self->seen.empty; break;
      case LICIT_LOST: ++self->seen.lost; break;
      default: CHECK(!"a status that steal may give");
    }
  }
  return NULL;
}

static void each_once(void) {
  licit_owner* owner;
  void* item;
  thief others[thieves] = {0};
  counts own = {0};
  CHECK(licit_owner_create(NULL, &owner) == LICIT_OK);
  for (int i = 0; i != thieves; ++i) {
    CHECK(licit_stealer_create(owner, &others[i].stealer) == LICIT_OK);
    CHECK(pthread_create(&others[i].thread, NULL, steal_all, &others[i]) == 0);
  }

  for (int i = 0; i != items; ++i) {
    cells[i].payload = i + 1;
    CHECK(licit_push(owner, &cells[i]) == LICIT_OK);
    if (i % 4 == 3 && licit_pop(owner, &item) == LICIT_OK) take(item, &own);
  }
  while (licit_pop(owner, &item) == LICIT_OK) take(item, &own);
  atomic_store(&finished, 1); /* nothing is left to steal */

  long taken = own.taken;
  for (int i = 0; i != thieves; ++i) {
    CHECK(pthread_join(others[i].thread, NULL) == 0);
    printf("thief %d: %ld taken, %ld empty, %ld lost\n", i, others[i].seen.taken, others[i].seen.empty,
           others[i].seen.lost);
    taken += others[i].seen.taken;
    licit_stealer_destroy(others[i].stealer);
  }
  printf("owner: %ld taken\n", own.taken);
  licit_owner_destroy(owner);
  CHECK(taken == items);
  for (int i = 0; i != items; ++i) CHECK(atomic_load(&cells[i].taken) == 1);
}

int main(int argc, char** argv) {
  CHECK(argc == 2 && strcmp(licit_version(), argv[1]) == 0);
  refuses(3, 0, LICIT_INVALID);
  refuses(4, 2, LICIT_INVALID);
  refuses(0, (size_t)1 << 41, LICIT_INVALID);
  full_and_empty();
  no_memory();
  licit_owner_destroy(NULL);
  licit_stealer_destroy(NULL);
  each_once();
  return 0;
}
