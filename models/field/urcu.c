/* Clients of liburcu's queues and stacks, whose code is in its headers, and of its flavour urcu-mb, whose code is in
   its library. They run over its code for x86-64, which is inline assembly; with FIELD_BUILTINS, over its code for
   processors that have nothing of their own, where shared words are volatile; or, with FIELD_PORT, over that code with
   shared words that are atomics. There loads are consume, as cmm_smp_read_barrier_depends has it, and an update is
   between two full fences, as uatomic_xchg and uatomic_cmpxchg promise it. */
#define _LGPL_SOURCE /* the code is inlined */
#include "client.h"
#if defined(FIELD_BUILTINS) || defined(FIELD_PORT)
#define _URCU_ARCH_H
#define _URCU_UATOMIC_H
#include <urcu/arch/gcc.h>
#ifdef FIELD_PORT
#define uatomic_xchg(addr, v)                                                                 \
  __extension__({                                                                             \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                  \
    const __typeof__(*(addr)) field_old = __atomic_exchange_n((addr), (v), __ATOMIC_RELAXED); \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                  \
    field_old;                                                                                \
  })
#define uatomic_cmpxchg(addr, old, v)                                                                \
  __extension__({                                                                                    \
    __typeof__(*(addr)) field_old = (old);                                                           \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                         \
    __atomic_compare_exchange_n((addr), &field_old, (v), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                                         \
    field_old;                                                                                       \
  })
#endif
#include <urcu/uatomic/gcc.h>
#endif
#ifdef FIELD_PORT
#undef _CMM_LOAD_SHARED
#undef _CMM_STORE_SHARED
#define _CMM_LOAD_SHARED(p) __atomic_load_n(&(p), __ATOMIC_CONSUME)
#define _CMM_STORE_SHARED(x, v)                            \
  __extension__({                                          \
    const __typeof__(x) field_value = (v);                 \
    __atomic_store_n(&(x), field_value, __ATOMIC_RELAXED); \
    field_value;                                           \
  })
#endif
#include <errno.h>
#include <stdlib.h>
#include <urcu/lfstack.h>
#include <urcu/rculfqueue.h>
#include <urcu/urcu-mb.h>
#include <urcu/wfcqueue.h>
#include <urcu/wfstack.h>

/* What the first and the second thread have taken, and what is left; each item once. */
static int mine[2];
static int theirs;
static int left[3];
static void check_taken(int expected) {
  int times[3] = {0};
  for (int i = 0; i != 2; ++i) ++times[mine[i]];
  for (int i = 0; i != 3; ++i) ++times[left[i]];
  ++times[theirs];
  assert(times[1] <= 1 && times[2] <= 1 && times[1] + times[2] == expected);
}

/* --- the queue whose enqueue is wait-free */

static struct cds_wfcq_head queue_head;
static struct cds_wfcq_tail queue_tail;
static struct queued {
  struct cds_wfcq_node node;
  int item;
} queued[2];
static void queue_push(int i) {
  queued[i].item = i + 1;
  cds_wfcq_node_init(&queued[i].node);
  cds_wfcq_enqueue(&queue_head, &queue_tail, &queued[i].node);
}
/* 0: it is empty, or a push is going on. */
static int queue_pop(void) {
  struct cds_wfcq_node* const got = __cds_wfcq_dequeue_nonblocking(&queue_head, &queue_tail);
  return got == NULL || got == CDS_WFCQ_WOULDBLOCK ? 0 : ((struct queued*)got)->item;
}
static void queue_push_1(void) { queue_push(0); }
static void queue_push_2(void) { queue_push(1); }
static void queue_two_producers(void) {
  cds_wfcq_init(&queue_head, &queue_tail);
  together(&queue_push_1, &queue_push_2);
  for (int i = 0; i != 3; ++i) left[i] = queue_pop();
  check_taken(2);
}
static void queue_push_both(void) {
  queue_push(0);
  queue_push(1);
}
static void queue_pop_in_order(void) {
  int last = 0;
  for (int i = 0; i != 3; ++i) {
    const int item = queue_pop();
    assert(item == 0 || item > last);
    if (item != 0) last = item;
  }
}
static void queue_one_each(void) {
  cds_wfcq_init(&queue_head, &queue_tail);
  together(&queue_pop_in_order, &queue_push_both);
}

/* --- the stack whose push is wait-free */

static struct cds_wfs_stack wait_free;
static struct waiting {
  struct cds_wfs_node node;
  int item;
} waiting[2];
static void wait_free_push(int i) {
  waiting[i].item = i + 1;
  cds_wfs_node_init(&waiting[i].node);
  cds_wfs_push(&wait_free, &waiting[i].node);
}
static int wait_free_pop(void) {
  struct cds_wfs_node* const got = __cds_wfs_pop_nonblocking(&wait_free);
  return got == NULL || got == CDS_WFS_WOULDBLOCK ? 0 : ((struct waiting*)got)->item;
}
static void wait_free_push_2(void) { wait_free_push(1); }
static void wait_free_push_and_pop(void) {
  wait_free_push(0);
  mine[0] = wait_free_pop();
}
static void wait_free_stack(void) {
  cds_wfs_init(&wait_free);
  together(&wait_free_push_and_pop, &wait_free_push_2);
  for (int i = 0; i != 3; ++i) left[i] = wait_free_pop();
  check_taken(2);
}

/* --- the stack whose push is lock-free; one thread at a time pops */

static struct cds_lfs_stack lock_free;
static struct stacked {
  struct cds_lfs_node node;
  int item;
} stacked[2];
static void lock_free_push(int i) {
  stacked[i].item = i + 1;
  cds_lfs_node_init(&stacked[i].node);
  cds_lfs_push(&lock_free, &stacked[i].node);
}
static int lock_free_pop(void) {
  struct cds_lfs_node* const got = __cds_lfs_pop(&lock_free);
  return got == NULL ? 0 : ((struct stacked*)got)->item;
}
static void lock_free_push_2(void) { lock_free_push(1); }
static void lock_free_push_and_pop(void) {
  lock_free_push(0);
  mine[0] = lock_free_pop();
}
static void lock_free_stack(void) {
  cds_lfs_init(&lock_free);
  together(&lock_free_push_and_pop, &lock_free_push_2);
  for (int i = 0; i != 3; ++i) left[i] = lock_free_pop();
  check_taken(2);
}

/* --- the queue that needs RCU: here a grace period ends when both threads have */

static struct cds_lfq_queue_rcu rcu;
static struct owned {
  struct cds_lfq_node_rcu node;
  int item;
} owned[2];
static struct {
  struct rcu_head* head;
  void (*release)(struct rcu_head*);
} garbage[4];
static int garbage_count;
static void call_after_both(struct rcu_head* head, void (*release)(struct rcu_head*)) {
  const int i = __atomic_fetch_add(&garbage_count, 1, __ATOMIC_RELAXED);
  garbage[i].head = head;
  garbage[i].release = release;
}
static void rcu_push(int i) {
  owned[i].item = i + 1;
  cds_lfq_node_init_rcu(&owned[i].node);
  cds_lfq_enqueue_rcu(&rcu, &owned[i].node);
}
static int rcu_pop(void) {
  struct cds_lfq_node_rcu* const got = cds_lfq_dequeue_rcu(&rcu);
  return got == NULL ? 0 : ((struct owned*)got)->item;
}
static void rcu_push_2(void) { rcu_push(1); }
static void rcu_pop_mine(void) { mine[0] = rcu_pop(); }
static void rcu_queue(void) {
  cds_lfq_init_rcu(&rcu, &call_after_both);
  rcu_push(0);
  together(&rcu_pop_mine, &rcu_push_2);
  for (int i = 0; i != 3; ++i) left[i] = rcu_pop();
  check_taken(2);
  for (int i = 0; i != garbage_count; ++i) garbage[i].release(garbage[i].head);
  cds_lfq_destroy_rcu(&rcu);
}

/* --- RCU */

static void read_in_section(void) {
  urcu_mb_register_thread();
  urcu_mb_read_lock();
  urcu_mb_read_unlock();
  urcu_mb_unregister_thread();
}
static void read_section(void) { together(&read_in_section, &read_in_section); }

int main(int argc, char** argv) {
  static const struct client clients[] = {{"queue_two_producers", &queue_two_producers},
                                          {"queue_one_each", &queue_one_each},
                                          {"wait_free_stack", &wait_free_stack},
                                          {"lock_free_stack", &lock_free_stack},
                                          {"rcu_queue", &rcu_queue},
                                          {"read_section", &read_section}};
  return run_client(argc, argv, clients, sizeof clients / sizeof *clients);
}
