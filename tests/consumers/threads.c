/* A C owner and two C thieves: every item is taken exactly once, with what was written before its push. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include <licit/licit.h>

#include "check.h"

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

int main(void) {
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
  return 0;
}
