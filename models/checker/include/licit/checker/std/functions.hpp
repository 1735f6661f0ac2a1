/// std::atomic_flag, the fences and the free functions of <atomic> over the checker. Internal: a program includes
/// std.hpp.
#ifndef LICIT_CHECKER_STD_FUNCTIONS_HPP
#define LICIT_CHECKER_STD_FUNCTIONS_HPP

#include <licit/checker/std/atomic.hpp>

namespace licit::checker::standard {

/// Clear at first, and by ATOMIC_FLAG_INIT.
class atomic_flag {
  using where = std::source_location;
  static constexpr memory_order strongest = memory_order_seq_cst;

 public:
  atomic_flag() = default;
  atomic_flag(bool set) : set_{set} {}  // NOLINT(google-explicit-constructor): of ATOMIC_FLAG_INIT
  atomic_flag(const atomic_flag&) = delete;
  atomic_flag& operator=(const atomic_flag&) = delete;
  ~atomic_flag() = default;

  bool test(memory_order o = strongest, where at = where::current()) const { return set_.load(o, at); }
  bool test_and_set(memory_order o = strongest, where at = where::current()) { return set_.exchange(true, o, at); }
  void clear(memory_order o = strongest, where at = where::current()) { set_.store(false, o, at); }
  void wait(bool old, memory_order o = strongest, where at = where::current()) const { set_.wait(old, o, at); }
  void notify_one(where at = where::current()) { set_.notify_one(at); }
  void notify_all(where at = where::current()) { set_.notify_all(at); }

 private:
  atomic<bool> set_;
};

inline void atomic_thread_fence(memory_order o, std::source_location at = std::source_location::current()) {
  const auto s = checker::detail::at_site(at, licit::operation::fence, o);
  model::fence(s.success, s.label);
}
/// One of seq_cst is the light fence of the pair of which membarrier is the heavy one.
inline void atomic_signal_fence(memory_order o, std::source_location at = std::source_location::current()) {
  if (o == memory_order_seq_cst) model::light_fence(checker::detail::label_at(at));
}

// The functions whose names begin with atomic_ call the members, with the caller's place.
using place = std::source_location;
template <class T>
using plain_of = std::type_identity_t<T>;
template <class T>
using by_of = std::type_identity_t<checker::detail::difference_of<T>>;

template <class T>
bool atomic_is_lock_free(const atomic<T>* a) {
  return a->is_lock_free();
}
template <class T>
T atomic_load(const atomic<T>* a, place at = place::current()) {
  return a->load(memory_order_seq_cst, at);
}
template <class T>
T atomic_load_explicit(const atomic<T>* a, memory_order o, place at = place::current()) {
  return a->load(o, at);
}
template <class T>
void atomic_store(atomic<T>* a, plain_of<T> value, place at = place::current()) {
  a->store(value, memory_order_seq_cst, at);
}
template <class T>
void atomic_store_explicit(atomic<T>* a, plain_of<T> value, memory_order o, place at = place::current()) {
  a->store(value, o, at);
}
template <class T>
T atomic_exchange(atomic<T>* a, plain_of<T> value, place at = place::current()) {
  return a->exchange(value, memory_order_seq_cst, at);
}
template <class T>
T atomic_exchange_explicit(atomic<T>* a, plain_of<T> value, memory_order o, place at = place::current()) {
  return a->exchange(value, o, at);
}
template <class T>
bool atomic_compare_exchange_strong(atomic<T>* a, plain_of<T>* expected, plain_of<T> desired,
                                    place at = place::current()) {
  return a->compare_exchange_strong(*expected, desired, memory_order_seq_cst, at);
}
template <class T>
bool atomic_compare_exchange_strong_explicit(atomic<T>* a, plain_of<T>* expected, plain_of<T> desired,
                                             memory_order success, memory_order failure, place at = place::current()) {
  return a->compare_exchange_strong(*expected, desired, success, failure, at);
}
template <class T>
bool atomic_compare_exchange_weak(atomic<T>* a, plain_of<T>* expected, plain_of<T> desired,
                                  place at = place::current()) {
  return a->compare_exchange_weak(*expected, desired, memory_order_seq_cst, at);
}
template <class T>
bool atomic_compare_exchange_weak_explicit(atomic<T>* a, plain_of<T>* expected, plain_of<T> desired,
                                           memory_order success, memory_order failure, place at = place::current()) {
  return a->compare_exchange_weak(*expected, desired, success, failure, at);
}

// NOLINTBEGIN(cppcoreguidelines-macro-usage): functions that differ in their names only
#define LICIT_STD_UPDATE(NAME, AMOUNT)                                                               \
  template <class T>                                                                                 \
  T atomic_##NAME(atomic<T>* a, AMOUNT by, place at = place::current()) {                            \
    return a->NAME(by, memory_order_seq_cst, at);                                                    \
  }                                                                                                  \
  template <class T>                                                                                 \
  T atomic_##NAME##_explicit(atomic<T>* a, AMOUNT by, memory_order o, place at = place::current()) { \
    return a->NAME(by, o, at);                                                                       \
  }
LICIT_STD_UPDATE(fetch_add, by_of<T>)
LICIT_STD_UPDATE(fetch_sub, by_of<T>)
LICIT_STD_UPDATE(fetch_or, plain_of<T>)
LICIT_STD_UPDATE(fetch_and, plain_of<T>)
LICIT_STD_UPDATE(fetch_xor, plain_of<T>)
#undef LICIT_STD_UPDATE
// NOLINTEND(cppcoreguidelines-macro-usage)

template <class T>
void atomic_wait(const atomic<T>* a, plain_of<T> old, place at = place::current()) {
  a->wait(old, memory_order_seq_cst, at);
}
template <class T>
void atomic_wait_explicit(const atomic<T>* a, plain_of<T> old, memory_order o, place at = place::current()) {
  a->wait(old, o, at);
}
template <class T>
void atomic_notify_one(atomic<T>* a, place at = place::current()) {
  a->notify_one(at);
}
template <class T>
void atomic_notify_all(atomic<T>* a, place at = place::current()) {
  a->notify_all(at);
}

inline bool atomic_flag_test(const atomic_flag* f, place at = place::current()) {
  return f->test(memory_order_seq_cst, at);
}
inline bool atomic_flag_test_explicit(const atomic_flag* f, memory_order o, place at = place::current()) {
  return f->test(o, at);
}
inline bool atomic_flag_test_and_set(atomic_flag* f, place at = place::current()) {
  return f->test_and_set(memory_order_seq_cst, at);
}
inline bool atomic_flag_test_and_set_explicit(atomic_flag* f, memory_order o, place at = place::current()) {
  return f->test_and_set(o, at);
}
inline void atomic_flag_clear(atomic_flag* f, place at = place::current()) { f->clear(memory_order_seq_cst, at); }
inline void atomic_flag_clear_explicit(atomic_flag* f, memory_order o, place at = place::current()) { f->clear(o, at); }

}  // namespace licit::checker::standard

#endif
