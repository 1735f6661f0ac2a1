/* Every status that licit.h promises to a C program, each by the call that must give it. */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include <licit/licit.h>

#include "check.h"

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

int main(int argc, char** argv) {
  CHECK(argc == 2 && strcmp(licit_version(), argv[1]) == 0);
  refuses(3, 0, LICIT_INVALID);
  refuses(4, 2, LICIT_INVALID);
  refuses(0, (size_t)1 << 41, LICIT_INVALID);
  full_and_empty();
  no_memory();
  licit_owner_destroy(NULL);
  licit_stealer_destroy(NULL);
  return 0;
}
