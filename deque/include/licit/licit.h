/* licit's work-stealing deque for C and for anything that calls C. Items are `void *`; a null pointer is a valid item.
 *
 * A deque has one owner and any number of stealers. They are separate types, so a thief that pushes does not compile.
 * Destroying the last handle frees the deque. The library does not touch the items left in it; they are the caller's.
 */
#ifndef LICIT_LICIT_H
#define LICIT_LICIT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(modernize-use-using): this is C. */
typedef struct licit_owner licit_owner;
typedef struct licit_stealer licit_stealer;

typedef enum licit_status {
  LICIT_OK = 0,        /* done; for pop and steal: *item is the item */
  LICIT_EMPTY = 1,     /* nothing to take */
  LICIT_LOST = 2,      /* a theft only, of one or of half: another thread was faster; try again */
  LICIT_NO_MEMORY = 3, /* an allocation failed; nothing has changed */
  LICIT_FULL = 4,      /* push only: the deque holds maximum_capacity items; nothing has changed */
  LICIT_INVALID = 5    /* a capacity is out of range: see licit_options */
} licit_status;

/* Capacities count items and are powers of two, 1 <= initial_capacity <= maximum_capacity <= 2^40.
 * Zero means the default: 256, and 2^40. */
typedef struct licit_options {
  size_t initial_capacity;
  size_t maximum_capacity;
} licit_options;
/* NOLINTEND(modernize-use-using) */

/* Makes a deque. `options` may be null: all defaults. On LICIT_OK *owner is the handle, to be destroyed by
 * licit_owner_destroy; otherwise (LICIT_NO_MEMORY, LICIT_INVALID) *owner is null. O(initial_capacity). */
licit_status licit_owner_create(const licit_options* options, licit_owner** owner);

/* Owner thread. Stealers can still take what is left. Null is allowed. */
void licit_owner_destroy(licit_owner* owner);

/* Owner thread. Wait-free unless full, then grows: amortised O(1). LICIT_OK, LICIT_FULL or LICIT_NO_MEMORY. */
licit_status licit_push(licit_owner* owner, void* item);

/* Owner thread. Takes the youngest item. Wait-free, O(1). LICIT_OK or LICIT_EMPTY (*item is then unchanged). */
licit_status licit_pop(licit_owner* owner, void** item);

/* Owner thread. The number of items; never too low, since thieves can only have taken some. Wait-free, O(1). */
size_t licit_owner_size(const licit_owner* owner);

/* Owner thread. Makes a handle for thieves, to be destroyed by licit_stealer_destroy. LICIT_OK or LICIT_NO_MEMORY. */
licit_status licit_stealer_create(const licit_owner* owner, licit_stealer** stealer);

/* Any thread, once no thread uses the handle. Null is allowed. */
void licit_stealer_destroy(licit_stealer* stealer);

/* Any thread; several threads may use one handle. Takes the oldest item. Lock-free, O(1). LICIT_OK, LICIT_EMPTY or
 * LICIT_LOST (*item is then unchanged). What happened before the push of an item happens before the return of the steal
 * that takes it. */
licit_status licit_steal(licit_stealer* stealer, void** item);

/* The most items that a theft of half takes in C++ unless the call says otherwise. */
#define LICIT_MOST_AT_ONCE 32

/* The thread that owns `own`, which must be another deque. Takes half of the items that it sees, rounded up, at most
 * `most` (LICIT_MOST_AT_ONCE is a good number; zero takes nothing: LICIT_EMPTY). *item is the oldest; the others are
 * then in `own`, and *moved is their number. The call stops early when another thread takes an item meanwhile, and when
 * `own` is full and cannot grow; no item is lost. Wait-free apart from growth, O(most). LICIT_OK, LICIT_EMPTY or
 * LICIT_LOST (*item and *moved are then unchanged). `moved` may be null. */
licit_status licit_steal_half(licit_stealer* stealer, licit_owner* own, size_t most, void** item, size_t* moved);

/* Any thread. An estimate of the number of items. Wait-free, O(1). */
size_t licit_stealer_size(const licit_stealer* stealer);

/* The archive's version, for instance "0.1.0". */
const char* licit_version(void);

/* A digest of the algorithms, policies and ordering tables that the archive was built from: 32 hexadecimal digits. */
const char* licit_digest(void);

#ifdef __cplusplus
}
#endif

#endif
