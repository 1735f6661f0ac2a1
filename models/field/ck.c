/* Clients of ConcurrencyKit, in C, as its headers are. They run over one of its ports to a processor: that of x86-64,
   which is inline assembly; that of its macro CK_USE_CC_BUILTINS, in which shared words are volatile; or, with
   FIELD_PORT, a port of the client's, in which they are relaxed atomics of C11, and pointers are consume: CK relies on
   address dependencies. CK_MD_RMO is its macro for processors that reorder all. */
#include "client.h"

#ifdef FIELD_PORT
#define CK_USE_CC_BUILTINS 1
#define CK_PR_DISABLE_DOUBLE
#define CK_F_PR /* a port is there */
#ifndef FIELD_POINTERS
#define FIELD_POINTERS __ATOMIC_CONSUME
#endif
#define FIELD_WORD(S, M, T, READ)                                                                              \
  static inline T ck_pr_md_load_##S(const M* at) { return (T)__atomic_load_n((T const*)at, READ); }            \
  static inline void ck_pr_md_store_##S(M* at, T value) { __atomic_store_n((T*)at, value, __ATOMIC_RELAXED); } \
  static inline bool ck_pr_cas_##S##_value(M* at, T expected, T value, M* seen) {                              \
    const bool same = __atomic_compare_exchange_n((T*)at, &expected, value, false, READ, READ);                \
    *(T*)seen = expected;                                                                                      \
    return same;                                                                                               \
  }                                                                                                            \
  static inline bool ck_pr_cas_##S(M* at, T expected, T value) {                                               \
    return __atomic_compare_exchange_n((T*)at, &expected, value, false, READ, READ);                           \
  }                                                                                                            \
  static inline T ck_pr_fas_##S(M* at, T value) { return __atomic_exchange_n((T*)at, value, READ); }
#define CK_F_PR_CAS_PTR
#define CK_F_PR_CAS_PTR_VALUE
#define CK_F_PR_FAS_PTR
#define CK_F_PR_LOAD_PTR
#define CK_F_PR_STORE_PTR
FIELD_WORD(ptr, void, void*, FIELD_POINTERS)
#define CK_F_PR_CAS_UINT
#define CK_F_PR_CAS_UINT_VALUE
#define CK_F_PR_FAS_UINT
#define CK_F_PR_LOAD_UINT
#define CK_F_PR_STORE_UINT
FIELD_WORD(uint, unsigned int, unsigned int, __ATOMIC_RELAXED)
#define CK_F_PR_FAA_UINT
static inline unsigned int ck_pr_faa_uint(unsigned int* at, unsigned int by) {
  return __atomic_fetch_add(at, by, __ATOMIC_RELAXED);
}
static inline void ck_pr_stall(void) {}
#define FIELD_FENCE(NAME, ORDER) \
  static inline void ck_pr_fence_strict_##NAME(void) { __atomic_thread_fence(ORDER); }
FIELD_FENCE(load, __ATOMIC_ACQUIRE)
FIELD_FENCE(load_store, __ATOMIC_ACQUIRE)
FIELD_FENCE(load_atomic, __ATOMIC_ACQUIRE)
FIELD_FENCE(acquire, __ATOMIC_ACQUIRE)
FIELD_FENCE(lock, __ATOMIC_ACQUIRE)
FIELD_FENCE(store, __ATOMIC_RELEASE)
FIELD_FENCE(store_atomic, __ATOMIC_RELEASE)
FIELD_FENCE(release, __ATOMIC_RELEASE)
FIELD_FENCE(unlock, __ATOMIC_RELEASE)
FIELD_FENCE(atomic, __ATOMIC_ACQ_REL)
FIELD_FENCE(atomic_store, __ATOMIC_ACQ_REL)
FIELD_FENCE(acqrel, __ATOMIC_ACQ_REL)
FIELD_FENCE(atomic_load, __ATOMIC_SEQ_CST)
FIELD_FENCE(store_load, __ATOMIC_SEQ_CST)
FIELD_FENCE(memory, __ATOMIC_SEQ_CST)
#endif

#include <ck_epoch.h>
#include <ck_fifo.h>
#include <ck_ring.h>
#include <ck_sequence.h>
#include <ck_spinlock.h>
#include <ck_stack.h>

static int items[3] = {0, 1, 2};

/* --- ck_ring */

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];

static void push_two(void) {
  ck_ring_enqueue_spsc(&ring, buffer, &items[1]);
  ck_ring_enqueue_spsc(&ring, buffer, &items[2]);
}
static void pop_in_order(void) {
  int last = 0;
  for (int i = 0; i != 3; ++i) {
    void* item = NULL;
    if (!ck_ring_dequeue_spsc(&ring, buffer, &item)) continue;
    assert(*(int*)item > last);
    last = *(int*)item;
  }
}
static void ring_one_each(void) {
  ck_ring_init(&ring, 2); /* has room for one */
  together(&pop_in_order, &push_two);
}

static void push_first(void) { ck_ring_enqueue_mpmc(&ring, buffer, &items[1]); }
static void push_second(void) { ck_ring_enqueue_mpmc(&ring, buffer, &items[2]); }
static void ring_two_producers(void) {
  ck_ring_init(&ring, 4);
  together(&push_first, &push_second);
  int sum = 0;
  for (void* item = NULL; ck_ring_dequeue_mpmc(&ring, buffer, &item);) sum += *(int*)item;
  assert(sum == 3);
}

static int sums[2];
static void pop_first(void) {
  void* item = NULL;
  if (ck_ring_dequeue_mpmc(&ring, buffer, &item)) sums[0] = *(int*)item;
}
static void pop_second(void) {
  void* item = NULL;
  if (ck_ring_dequeue_mpmc(&ring, buffer, &item)) sums[1] = *(int*)item;
}
static void ring_two_consumers(void) {
  ck_ring_init(&ring, 4);
  push_first();
  push_second();
  together(&pop_first, &pop_second);
  assert(sums[0] + sums[1] == 3);
}

/* --- ck_stack */

struct node {
  ck_stack_entry_t entry;
  int item;
};
static ck_stack_t stack;
static struct node nodes[2];

static void push_node(struct node* n, int item) {
  n->item = item;
  ck_stack_push_upmc(&stack, &n->entry);
}
static void push_node_1(void) { push_node(&nodes[0], 1); }
static void push_node_2(void) { push_node(&nodes[1], 2); }
static int sum_of(const ck_stack_entry_t* first) {
  int sum = 0;
  for (; first != NULL; first = first->next) sum += ((const struct node*)first)->item;
  return sum;
}
static void stack_two_push(void) {
  ck_stack_init(&stack);
  together(&push_node_1, &push_node_2);
  assert(sum_of(ck_stack_batch_pop_upmc(&stack)) == 3);
}
static void pop_node(void) {
  const ck_stack_entry_t* const got = ck_stack_pop_upmc(&stack);
  assert(got == NULL || ((const struct node*)got)->item != 0);
}
static void stack_push_and_pop(void) {
  ck_stack_init(&stack);
  push_node_2();
  together(&pop_node, &push_node_1);
}

/* --- ck_fifo */

static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t entries[3];

static void fifo_push(void) {
  ck_fifo_spsc_enqueue(&fifo, &entries[1], &items[1]);
  ck_fifo_spsc_enqueue(&fifo, &entries[2], &items[2]);
}
static void fifo_pop(void) {
  int last = 0;
  for (int i = 0; i != 3; ++i) {
    int* item = NULL;
    if (!ck_fifo_spsc_dequeue(&fifo, &item)) continue;
    assert(*item > last);
    last = *item;
  }
}
static void fifo_one_each(void) {
  ck_fifo_spsc_init(&fifo, &entries[0]);
  together(&fifo_pop, &fifo_push);
}

/* --- locks */

static int count;
static ck_spinlock_fas_t fas;
static void count_by_fas(void) {
  ck_spinlock_fas_lock(&fas);
  ++count;
  ck_spinlock_fas_unlock(&fas);
}
static void spinlock_fas(void) {
  ck_spinlock_fas_init(&fas);
  together(&count_by_fas, &count_by_fas);
  assert(count == 2);
}
#ifdef CK_F_SPINLOCK_TICKET
static ck_spinlock_ticket_t ticket;
static void count_by_ticket(void) {
  ck_spinlock_ticket_lock(&ticket);
  ++count;
  ck_spinlock_ticket_unlock(&ticket);
}
static void spinlock_ticket(void) {
  ck_spinlock_ticket_init(&ticket);
  together(&count_by_ticket, &count_by_ticket);
  assert(count == 2);
}
#endif
static ck_spinlock_mcs_t mcs;
static struct ck_spinlock_mcs places[2];
static void count_at(struct ck_spinlock_mcs* own) {
  ck_spinlock_mcs_lock(&mcs, own);
  ++count;
  ck_spinlock_mcs_unlock(&mcs, own);
}
static void count_at_first(void) { count_at(&places[0]); }
static void count_at_second(void) { count_at(&places[1]); }
static void spinlock_mcs(void) {
  ck_spinlock_mcs_init(&mcs);
  together(&count_at_first, &count_at_second);
  assert(count == 2);
}

static ck_sequence_t sequence;
static unsigned int halves[2];
static void write_halves(void) {
  ck_sequence_write_begin(&sequence);
  ck_pr_store_uint(&halves[0], 1);
  ck_pr_store_uint(&halves[1], 1);
  ck_sequence_write_end(&sequence);
}
static void read_halves(void) {
  const unsigned int version = ck_sequence_read_begin(&sequence);
  const unsigned int first = ck_pr_load_uint(&halves[0]);
  const unsigned int second = ck_pr_load_uint(&halves[1]);
  if (!ck_sequence_read_retry(&sequence, version)) assert(first == second);
}
static void sequence_lock(void) {
  ck_sequence_init(&sequence);
  together(&read_halves, &write_halves);
}

/* --- ck_epoch, of which the library has a part */

static ck_epoch_t epoch;
static void read_in_epoch(void) {
  ck_epoch_record_t record;
  ck_epoch_register(&epoch, &record, NULL);
  ck_epoch_begin(&record, NULL);
  ck_epoch_end(&record, NULL);
}
static void epoch_sections(void) {
  ck_epoch_init(&epoch);
  together(&read_in_epoch, &read_in_epoch);
}

int main(int argc, char** argv) {
  static const struct client clients[] = {{"ring_one_each", &ring_one_each},
                                          {"ring_two_producers", &ring_two_producers},
                                          {"ring_two_consumers", &ring_two_consumers},
                                          {"stack_two_push", &stack_two_push},
                                          {"stack_push_and_pop", &stack_push_and_pop},
                                          {"fifo_one_each", &fifo_one_each},
                                          {"spinlock_fas", &spinlock_fas},
                                          {"spinlock_ticket", &spinlock_ticket},
                                          {"spinlock_mcs", &spinlock_mcs},
                                          {"sequence_lock", &sequence_lock},
                                          {"epoch_sections", &epoch_sections}};
  return run_client(argc, argv, clients, sizeof clients / sizeof *clients);
}
