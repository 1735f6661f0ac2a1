/// The atomics of checker::model. Internal: a program includes run.hpp.
#ifndef LICIT_CHECKER_ATOMIC_HPP
#define LICIT_CHECKER_ATOMIC_HPP

#include <chrono>
#include <type_traits>

#include <licit/checker/engine.hpp>
#include <licit/checker/site_rules.hpp>
#include <licit/checker/standard_names.hpp>
#include <licit/checker/value.hpp>
#include <licit/deque/order.hpp>

namespace licit::checker {

struct model;

namespace detail {

/// Any trivially copyable type of up to eight bytes; compare-exchange compares bytes.
template <class T>
class model_atomic : public standard_names<model_atomic<T>, T> {
  using names = standard_names<model_atomic, T>;
  using difference = difference_of<T>;

  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(word),
                "licit: the checker's atomics hold trivially copyable types of up to eight bytes");

 public:
  using names::compare_exchange, names::compare_exchange_weak, names::operator=;

  model_atomic() : location_{engine::running().construct_atomic({this, sizeof *this}, 0, look_of<T>())} {}
  /// A name is a string literal: what traces call it.
  model_atomic(T value, const char* name = nullptr)  // NOLINT(google-explicit-constructor): as the standard's
      : location_{engine::running().construct_atomic({this, sizeof *this}, to_word(value), look_of<T>(name))} {}
  model_atomic(const model_atomic&) = delete;
  model_atomic& operator=(const model_atomic&) = delete;
  ~model_atomic() { engine::running().destroy(location_); }

  template <ordering_site Site>
  T load(Site) const {
    call_by<Site>();
    const T value = load(live_row_of<Site>().success, label_of<Site>());
    if (role_of<Site>() == ghost_role::guess) engine::running().guess(location_);
    if (role_of<Site>() == ghost_role::certain) engine::running().read(location_);
    return value;
  }
  template <ordering_site Site>
  void store(T value, Site) {
    if (is_left_out<Site>()) return;
    call_by<Site>();
    if (role_of<Site>() == ghost_role::overwrite) engine::running().overwrite(location_);
    store(value, live_row_of<Site>().success, label_of<Site>());
  }
  template <ordering_site Site>
  bool compare_exchange(T& expected, T desired, Site) {
    return claim_at<Site>(expected, desired, false);
  }
  template <ordering_site Site>
  bool compare_exchange_weak(T& expected, T desired, Site) {
    return claim_at<Site>(expected, desired, true);
  }
  template <ordering_site Site>
  T exchange(T value, Site) {
    return modify_at<Site>(change::exchange, to_word(value));
  }
  template <ordering_site Site>
  T fetch_add(difference by, Site)
    requires summable<T>
  {
    return modify_at<Site>(plus, amount<T>(by));
  }
  template <ordering_site Site>
  T fetch_sub(difference by, Site)
    requires summable<T>
  {
    return modify_at<Site>(minus, amount<T>(by));
  }
  template <ordering_site Site>
  T fetch_or(T bits, Site)
    requires bitwise<T>
  {
    return modify_at<Site>(change::bit_or, to_word(bits));
  }
  template <ordering_site Site>
  T fetch_and(T bits, Site)
    requires bitwise<T>
  {
    return modify_at<Site>(change::bit_and, to_word(bits));
  }
  template <ordering_site Site>
  T fetch_xor(T bits, Site)
    requires bitwise<T>
  {
    return modify_at<Site>(change::bit_xor, to_word(bits));
  }

  /// With the order said where it is used. A label is a string literal.
  T load(ordering o = order::seq_cst, const char* label = nullptr) const {
    return from_word<T>(perform({.what = action::load, .success = o, .site = label}).value);
  }
  void store(T value, ordering o = order::seq_cst, const char* label = nullptr) {
    perform({.what = action::store, .success = o, .operand = to_word(value), .site = label});
  }
  bool compare_exchange(T& expected, T desired, ordering success, ordering failure, const char* label = nullptr) {
    return exchange_if(expected, desired, success, failure, false, label);
  }
  /// May fail though the value is the expected one: both are explored.
  bool compare_exchange_weak(T& expected, T desired, ordering success, ordering failure, const char* label = nullptr) {
    return exchange_if(expected, desired, success, failure, true, label);
  }
  T exchange(T value, ordering o = order::seq_cst, const char* label = nullptr) {
    return modify(change::exchange, to_word(value), o, label);
  }
  /// Of a pointer, by elements.
  T fetch_add(difference by, ordering o = order::seq_cst, const char* label = nullptr)
    requires summable<T>
  {
    return modify(plus, amount<T>(by), o, label);
  }
  T fetch_sub(difference by, ordering o = order::seq_cst, const char* label = nullptr)
    requires summable<T>
  {
    return modify(minus, amount<T>(by), o, label);
  }
  T fetch_or(T bits, ordering o = order::seq_cst, const char* label = nullptr)
    requires bitwise<T>
  {
    return modify(change::bit_or, to_word(bits), o, label);
  }
  T fetch_and(T bits, ordering o = order::seq_cst, const char* label = nullptr)
    requires bitwise<T>
  {
    return modify(change::bit_and, to_word(bits), o, label);
  }
  T fetch_xor(T bits, ordering o = order::seq_cst, const char* label = nullptr)
    requires bitwise<T>
  {
    return modify(change::bit_xor, to_word(bits), o, label);
  }

  /// Reads until `holds` says yes: one read, or, if it can never be satisfied, a thread that waits for ever. The
  /// predicate captures nothing: it is asked of values that other threads write.
  template <class Predicate>
  T await(Predicate /*holds*/, ordering o = order::seq_cst, const char* label = nullptr) const {
    static_assert(std::is_empty_v<Predicate>, "licit: what is awaited depends on the value alone: no captures");
    return value_read({.what = action::load, .success = o, .until = &says_yes<Predicate>, .site = label});
  }
  /// Reads until the value is `wanted`.
  void await_value(T wanted, ordering o = order::seq_cst, const char* label = nullptr) const {
    value_read({.what = action::load, .success = o, .expected = to_word(wanted), .until = &equals, .site = label});
  }
  /// Reads until the value is not `old`.
  T await_change(T old, ordering o = order::seq_cst, const char* label = nullptr) const {
    return value_read({.what = action::load, .success = o, .expected = to_word(old), .until = &differs, .site = label});
  }

  /// Waits for the value `expected`, and exchanges it for `desired` in the same moment.
  void exchange_when(T expected, T desired, ordering o = order::seq_cst, const char* label = nullptr) {
    perform({.what = action::modify,
             .success = o,
             .how = change::compare_exchange,
             .operand = to_word(desired),
             .expected = to_word(expected),
             .until = &equals,
             .site = label});
  }

  /// As std::atomic's ([atomics.wait]): returns when the value is not `old`, asleep until it is notified of that.
  void wait(T old, ordering o = order::seq_cst, const char* label = nullptr) const {
    while (compare(old, o, false, label) && engine::running().sleep(location_, false, label)) {
    }
  }
  /// The same with a time limit, which may pass at any moment: whether the value is another.
  bool wait_for(T old, std::chrono::nanoseconds /*most*/, ordering o = order::seq_cst,
                const char* label = nullptr) const {
    const bool timed = engine::running().has_timeouts();
    for (;;) {
      const answer seen = observe(old, o, timed, label);
      if (seen.value != to_word(old)) return true;
      if (!seen.success || !engine::running().sleep(location_, timed, label)) return false;
    }
  }
  void notify_one(const char* label = nullptr) {
    engine::running().notify(location_, wake::notify_one, order::release, label);
  }
  void notify_all(const char* label = nullptr) {
    engine::running().notify(location_, wake::notify_all, order::release, label);
  }

  /// A futex, also with a time limit: sleeps if the value is `old`, until it is woken or for no reason. Says nothing of
  /// the value. The compare is relaxed, and a fence of the order follows, as over `native`.
  void futex_wait(T old, ordering o = order::seq_cst, const char* label = nullptr) const {
    wait_on_futex(old, false, o, label);
  }
  void futex_wait_for(T old, std::chrono::nanoseconds /*most*/, ordering o = order::seq_cst,
                      const char* label = nullptr) const {
    wait_on_futex(old, engine::running().has_timeouts(), o, label);
  }
  template <ordering_site Site>
  void futex_wait(T old, Site) const {
    call_by<Site>();
    futex_wait(old, live_row_of<Site>().success, label_of<Site>());
  }
  template <ordering_site Site>
  void futex_wait_for(T old, std::chrono::nanoseconds most, Site) const {
    call_by<Site>();
    futex_wait_for(old, most, live_row_of<Site>().success, label_of<Site>());
  }
  void futex_wake_one(const char* label = nullptr) {
    engine::running().notify(location_, wake::futex_one, order::release, label);
  }
  void futex_wake_all(const char* label = nullptr) {
    engine::running().notify(location_, wake::futex_all, order::release, label);
  }

 private:
  friend struct checker::model;
  static constexpr bool real = std::is_floating_point_v<T>;
  static constexpr change plus = real ? change::add_real : change::add;
  static constexpr change minus = real ? change::subtract_real : change::subtract;
  static constexpr word mask = ~word{0} >> (8 * (sizeof(word) - sizeof(T)));

  /// Where the sites of an algorithm say what it is that they access.
  template <class Site>
  void call_by() const {
    if (const char* place = site_rules<Site::in>::at(Site::index).place) {
      engine::running().name(location_, place, look::alone);
    }
  }
  answer perform(operation op) const {
    op.location = location_;
    op.mask = mask;
    return detail::perform(op);
  }
  template <class Predicate>
  static bool says_yes(word value, word /*expected*/) {
    return static_cast<bool>(Predicate{}(from_word<T>(value)));
  }
  T value_read(operation op) const { return from_word<T>(perform(op).value); }
  /// The compare of a wait: whether its thread is to sleep.
  answer observe(T old, order o, bool may_end, const char* label) const {
    return perform({.what = action::load,
                    .success = o,
                    .how = change::compare_exchange,
                    .weak = may_end,
                    .expected = to_word(old),
                    .site = label});
  }
  bool compare(T old, order o, bool may_end, const char* label) const {
    const answer seen = observe(old, o, may_end, label);
    return seen.value == to_word(old) && seen.success;
  }
  void wait_on_futex(T old, bool timed, order o, const char* label) const {
    if (compare(old, order::relaxed, true, label)) engine::running().sleep(location_, timed, label);
    if (o != order::relaxed) engine::running().fence(o, asymmetry::none, label);
  }
  T modify(change how, word operand, order o, const char* label) {
    return value_read({.what = action::modify, .success = o, .how = how, .operand = operand, .site = label});
  }
  template <class Site>
  bool claim_at(T& expected, T desired, bool weak) {
    call_by<Site>();
    bool success = live_row_of<Site>().blind;
    if (success) {
      store(desired, order::relaxed, label_of<Site>());
    } else {
      success = exchange_if(expected, desired, live_row_of<Site>().success, live_row_of<Site>().failure, weak,
                            label_of<Site>());
    }
    if (role_of<Site>() == ghost_role::claim) engine::running().claim(success);
    return success;
  }
  template <class Site>
  T modify_at(change how, word operand) {
    call_by<Site>();
    const T before = modify(how, operand, live_row_of<Site>().success, label_of<Site>());
    if (role_of<Site>() == ghost_role::claim) engine::running().claim(true);
    return before;
  }
  bool exchange_if(T& expected, T desired, order success, order failure, bool weak, const char* label) {
    const answer result = perform({.what = action::modify,
                                   .success = success,
                                   .failure = failure,
                                   .how = change::compare_exchange,
                                   .weak = weak,
                                   .operand = to_word(desired),
                                   .expected = to_word(expected),
                                   .site = label});
    if (!result.success) expected = from_word<T>(result.value);
    return result.success;
  }

  location_handle location_;
};

}  // namespace detail
}  // namespace licit::checker

#endif
