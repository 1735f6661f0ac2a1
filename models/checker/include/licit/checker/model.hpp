/// The memory policy of the exhaustive checker: the algorithm's own source runs on it.
#ifndef LICIT_MODELS_CHECKER_MODEL_HPP
#define LICIT_MODELS_CHECKER_MODEL_HPP

#include <bit>
#include <chrono>
#include <cstring>
#include <memory_resource>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <licit/checker/ghosts.hpp>
#include <licit/checker/live_orders.hpp>
#include <licit/checker/places.hpp>
#include <licit/deque/order.hpp>

#include "core/engine.hpp"

namespace licit::checker {

static_assert(std::endian::native == std::endian::little, "a value lies in the low bytes of its word");

template <class T>
word to_word(const T& value) {
  word w = 0;
  std::memcpy(&w, &value, sizeof(T));
  return w;
}

template <class T>
T from_word(word w) {
  T value;
  std::memcpy(&value, &w, sizeof(T));
  return value;
}

/// What a value of the type looks like in a trace.
template <class T>
constexpr look look_of(const char* name = nullptr) {
  look seen{.values = shape::bytes, .size = 0, .name = name};
  if constexpr (!std::is_trivially_copyable_v<T> || sizeof(T) > sizeof(word)) {
    seen.values = shape::hidden;
  } else {
    seen.size = sizeof(T);
    if constexpr (std::is_pointer_v<T>) seen.values = shape::pointer;
    if constexpr (std::is_floating_point_v<T>) seen.values = shape::real;
    if constexpr (std::is_integral_v<T>) seen.values = std::is_signed_v<T> ? shape::integer : shape::natural;
    if constexpr (std::is_enum_v<T>) return look_of<std::underlying_type_t<T>>(name);
  }
  return seen;
}

/// An operation's place in an ordering table.
template <class Site>
concept ordering_site = requires { Site::index; };

/// Memory for the program under test: tracked, never reused within an execution.
class tracked_memory : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    return engine::running().allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t /*bytes*/, std::size_t /*alignment*/) override {
    engine::running().release(p);
  }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

/// Only the program under test may use it, from its construction to its destruction.
struct model {
  /// Any trivially copyable type of up to eight bytes; compare-exchange compares bytes.
  template <class T>
  class atomic {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(word),
                  "licit: the checker's atomics hold trivially copyable types of up to eight bytes");

   public:
    atomic() : location_{engine::running().construct_atomic(this, 0, look_of<T>())} {}
    /// A name is a string literal: what traces call it.
    explicit atomic(T value, const char* name = nullptr)
        : location_{engine::running().construct_atomic(this, to_word(value), look_of<T>(name))} {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    ~atomic() { engine::running().destroy(location_); }

    template <ordering_site Site>
    T load(Site) const {
      call_by<Site>();
      const T value = load(live<Site>().success, label<Site>());
      if constexpr (role_of<Site>() == ghost_role::guess) engine::running().guess(location_);
      if constexpr (role_of<Site>() == ghost_role::certain) engine::running().read(location_);
      return value;
    }
    template <ordering_site Site>
    void store(T value, Site) {
      if (left_out<Site>()) return;
      call_by<Site>();
      if constexpr (role_of<Site>() == ghost_role::overwrite) engine::running().overwrite(location_);
      store(value, live<Site>().success, label<Site>());
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
      return modify_at<Site>(change::exchange, value);
    }
    template <ordering_site Site>
    T fetch_add(T value, Site) {
      return modify_at<Site>(change::add, value);
    }
    template <ordering_site Site>
    T fetch_sub(T value, Site) {
      return modify_at<Site>(change::subtract, value);
    }
    template <ordering_site Site>
    T fetch_or(T value, Site) {
      return modify_at<Site>(change::bit_or, value);
    }
    template <ordering_site Site>
    T fetch_and(T value, Site) {
      return modify_at<Site>(change::bit_and, value);
    }
    template <ordering_site Site>
    T fetch_xor(T value, Site) {
      return modify_at<Site>(change::bit_xor, value);
    }

    /// With the order said where it is used. A label is a string literal.
    T load(order o, const char* label = nullptr) const {
      return from_word<T>(perform({.what = action::load, .success = o, .site = label}).value);
    }
    void store(T value, order o, const char* label = nullptr) {
      perform({.what = action::store, .success = o, .operand = to_word(value), .site = label});
    }
    bool compare_exchange(T& expected, T desired, order success, order failure, const char* label = nullptr) {
      return exchange_if(expected, desired, success, failure, false, label);
    }
    /// May fail though the value is the expected one: both are explored.
    bool compare_exchange_weak(T& expected, T desired, order success, order failure, const char* label = nullptr) {
      return exchange_if(expected, desired, success, failure, true, label);
    }
    T exchange(T value, order o, const char* label = nullptr) { return modify(change::exchange, value, o, label); }
    T fetch_add(T value, order o, const char* label = nullptr) { return modify(change::add, value, o, label); }
    T fetch_sub(T value, order o, const char* label = nullptr) { return modify(change::subtract, value, o, label); }
    T fetch_or(T value, order o, const char* label = nullptr) { return modify(change::bit_or, value, o, label); }
    T fetch_and(T value, order o, const char* label = nullptr) { return modify(change::bit_and, value, o, label); }
    T fetch_xor(T value, order o, const char* label = nullptr) { return modify(change::bit_xor, value, o, label); }

    /// Reads until `holds` says yes: one read, or, if it can never be satisfied, a thread that waits for ever. The
    /// predicate captures nothing: it is asked of values that other threads write.
    template <class Predicate>
    T await(Predicate /*holds*/, order o, const char* label = nullptr) const {
      static_assert(std::is_empty_v<Predicate>, "licit: what is awaited depends on the value alone: no captures");
      return read_until({.what = action::load, .success = o, .until = &says_yes<Predicate>, .site = label});
    }
    /// Reads until the value is `wanted`.
    void await_value(T wanted, order o, const char* label = nullptr) const {
      read_until({.what = action::load, .success = o, .expected = to_word(wanted), .until = &equals, .site = label});
    }
    /// Reads until the value is not `old`.
    T await_change(T old, order o, const char* label = nullptr) const {
      return read_until(
          {.what = action::load, .success = o, .expected = to_word(old), .until = &differs, .site = label});
    }

    /// Waits for the value `expected`, and exchanges it for `desired` in the same moment.
    void exchange_when(T expected, T desired, order o, const char* label = nullptr) {
      perform({.what = action::modify,
               .success = o,
               .how = change::compare_exchange,
               .operand = to_word(desired),
               .expected = to_word(expected),
               .until = &equals,
               .site = label});
    }

    /// As std::atomic's ([atomics.wait]): returns when the value is not `old`, asleep until it is notified of that.
    void wait(T old, order o, const char* label = nullptr) const {
      while (compare(old, o, false, label)) {
        if (!engine::running().sleep(location_, false, label)) return;
      }
    }
    /// The same with a time limit, which may pass at any moment: whether the value is another.
    bool wait_for(T old, order o, const char* label = nullptr) const {
      const bool timed = engine::running().settings().timeouts;
      for (;;) {
        const outcome seen = observe(old, o, timed, label);
        if (seen.value != to_word(old)) return true;
        if (!seen.success || !engine::running().sleep(location_, timed, label)) return false;
      }
    }
    void notify_one(const char* label = nullptr) {
      engine::running().notify(location_, engine::kind::notify_one, order::release, label);
    }
    void notify_all(const char* label = nullptr) {
      engine::running().notify(location_, engine::kind::notify_all, order::release, label);
    }

    /// A futex: sleeps if the value is `old`, until it is woken, or spuriously not even that. Says nothing of the
    /// value.
    void futex_wait(T old, order o, const char* label = nullptr) const {
      if (compare(old, o, true, label)) engine::running().sleep(location_, false, label);
    }
    /// The same with a time limit.
    void futex_wait_for(T old, order o, const char* label = nullptr) const {
      if (compare(old, o, true, label))
        engine::running().sleep(location_, engine::running().settings().timeouts, label);
    }
    template <ordering_site Site>
    void futex_wait(T old, Site) const {
      call_by<Site>();
      futex_wait(old, live<Site>().success, label<Site>());
    }
    template <ordering_site Site>
    void futex_wait_for(T old, std::chrono::nanoseconds /*most*/, Site) const {
      call_by<Site>();
      futex_wait_for(old, live<Site>().success, label<Site>());
    }
    void futex_wake_one(const char* label = nullptr) {
      engine::running().notify(location_, engine::kind::futex_wake_one, order::release, label);
    }
    void futex_wake_all(const char* label = nullptr) {
      engine::running().notify(location_, engine::kind::futex_wake_all, order::release, label);
    }

   private:
    friend struct model;
    static constexpr word mask = ~word{0} >> (8 * (sizeof(word) - sizeof(T)));

    /// Where the sites of an algorithm say what it is that they access.
    template <class Site>
    void call_by() const {
      if constexpr (place_of<Site>() != nullptr) engine::running().name(location_, place_of<Site>());
    }
    outcome perform(operation op) const {
      op.location = location_;
      op.mask = mask;
      return engine::running().access(op);
    }
    template <class Predicate>
    static bool says_yes(word value, word /*expected*/) {
      return static_cast<bool>(Predicate{}(from_word<T>(value)));
    }
    static bool equals(word value, word expected) { return value == expected; }
    static bool differs(word value, word old) { return value != old; }
    T read_until(operation op) const { return from_word<T>(perform(op).value); }
    /// The compare of a wait: whether its thread is to sleep.
    outcome observe(T old, order o, bool may_end, const char* label) const {
      return perform({.what = action::load,
                      .success = o,
                      .how = change::compare_exchange,
                      .weak = may_end,
                      .expected = to_word(old),
                      .site = label});
    }
    bool compare(T old, order o, bool may_end, const char* label) const {
      const outcome seen = observe(old, o, may_end, label);
      return seen.value == to_word(old) && seen.success;
    }
    T modify(change how, T value, order o, const char* label) {
      return from_word<T>(
          perform({.what = action::modify, .success = o, .how = how, .operand = to_word(value), .site = label}).value);
    }
    template <class Site>
    bool claim_at(T& expected, T desired, bool weak) {
      call_by<Site>();
      bool success = live<Site>().blind;
      if (success) {
        store(desired, order::relaxed, label<Site>());
      } else {
        success = exchange_if(expected, desired, live<Site>().success, live<Site>().failure, weak, label<Site>());
      }
      if constexpr (role_of<Site>() == ghost_role::claim) engine::running().claim(success);
      return success;
    }
    template <class Site>
    T modify_at(change how, T value) {
      call_by<Site>();
      const T before = modify(how, value, live<Site>().success, label<Site>());
      if constexpr (role_of<Site>() == ghost_role::claim) engine::running().claim(true);
      return before;
    }
    bool exchange_if(T& expected, T desired, order success, order failure, bool weak, const char* label) {
      const outcome result = perform({.what = action::modify,
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

    location_id location_;
  };

  /// Not atomic: conflicting accesses that happens-before does not order are a race.
  template <class T>
  class plain {
   public:
    plain() : plain(T{}) {}
    explicit plain(T value, const char* name = nullptr)
        : value_{value}, location_{engine::running().construct_plain(this, shown(value), look_of<T>(name))} {}
    plain(const plain&) = delete;
    plain& operator=(const plain&) = delete;
    ~plain() { engine::running().destroy(location_); }

    [[nodiscard]] T read() const {
      engine::running().plain_access(action::plain_read, location_, 0);
      return value_;
    }
    void write(T value) {
      engine::running().plain_access(action::plain_write, location_, shown(value));
      value_ = value;
    }

   private:
    friend struct model;
    static word shown(const T& value) {
      if constexpr (std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(word)) {
        return to_word(value);
      } else {
        return 0;
      }
    }

    T value_;
    location_id location_;
  };

  /// Stands for data that is read before it is known that it may be; holds nothing. A guess is committed by the claim
  /// that its thread makes next, if that succeeds.
  class ghost {
   public:
    ghost() : location_{engine::running().construct_plain(this, 0)} {}
    ghost(const ghost&) = delete;
    ghost& operator=(const ghost&) = delete;
    ~ghost() { engine::running().destroy(location_); }

    void write() { engine::running().overwrite(location_); }  // NOLINT(readability-make-member-function-const)
    void read() const { engine::running().read(location_); }
    void guess() const { engine::running().guess(location_); }
    static void claim(bool success) { engine::running().claim(success); }

   private:
    location_id location_;
  };

  /// What traces call an atomic or a plain cell, or, each with its index, those of an array.
  template <class Cell>
  static void name(const Cell& cell, const char* text) {
    if constexpr (requires { cell.location_; }) {
      engine::running().name(cell.location_, text);
    } else {
      std::uint16_t place = 0;
      for (const auto& each : cell) engine::running().name(each.location_, text, place++);
    }
  }

  template <ordering_site Site>
  static void fence(Site) {
    if (left_out<Site>() || live<Site>().success == order::relaxed) return;
    if constexpr (Site::entry.kind == licit::operation::light_fence) {
      if (!live<Site>().symmetric) light_fence(label<Site>());
    } else if constexpr (Site::entry.kind == licit::operation::heavy_fence) {
      live<Site>().symmetric ? fence(order::seq_cst, label<Site>()) : heavy_fence(label<Site>());
    } else {
      fence(live<Site>().success, label<Site>());
    }
  }
  static void fence(order o, const char* label = nullptr) {
    if (o != order::relaxed) engine::running().fence(o, asymmetry::none, label);
  }
  /// The asymmetric pair (P1202): a compiler barrier in one thread, membarrier or the like in another.
  static void light_fence(const char* label = nullptr) {
    engine::running().fence(order::relaxed, asymmetry::light, label);
  }
  static void heavy_fence(const char* label = nullptr) {
    engine::running().fence(order::seq_cst, asymmetry::heavy, label);
  }

  static constexpr bool calls_compare_exchange = false;

  static constexpr bool asymmetric = false;
  struct fences {
    template <class Site>
    void operator()(Site s) const {
      fence(s);
    }
  };

  static std::pmr::memory_resource* memory() {
    static tracked_memory resource;
    return &resource;
  }

  /// Mutual exclusion. Locking waits for ever if nobody unlocks; one thread locks it once.
  class mutex {
   public:
    void lock(const char* label = "lock") { state_.exchange_when(0, 1, order::acquire, label); }
    bool try_lock(const char* label = "try_lock") {
      int expected = 0;
      return state_.compare_exchange_weak(expected, 1, order::acquire, order::relaxed, label);
    }
    void unlock(const char* label = "unlock") { state_.store(0, order::release, label); }

   private:
    atomic<int> state_;
  };

  /// Whether the thread is stopped for good in this execution (`options::stalled`).
  static bool stalled(unsigned thread) { return engine::running().stalled(thread); }

  /// Calls it; in no execution may the calling thread do more atomic operations in it than that.
  template <class Operation>
  static decltype(auto) within(std::size_t most, Operation&& operation) {
    struct meter {
      unsigned most;
      unsigned begun = engine::running().operations();
      ~meter() { engine::running().check_operations(begun, most); }
    } const measured{static_cast<unsigned>(most)};
    return std::forward<Operation>(operation)();
  }

  /// Called by a client at the beginning of an operation that it can do without: whether it is to.
  static bool leaves_out(const char* operation) { return engine::running().leaves_out(operation); }

  static void invariant(int number, bool holds) {
    if (!holds) fail("invariant I" + std::to_string(number) + " of deque/README.md does not hold");
  }

  static void check(bool holds, std::string_view property) {
    if (!holds) fail(std::string(property));
  }

 private:
  template <class Site>
  static const models::live_row& live() {
    return models::live_orders<Site::in>::row(Site::index);
  }
  template <class Site>
  static const char* label() {
    return Site::entry.site.data();  // a string literal
  }
  template <class Site>
  static bool left_out() {
    const models::live_row& row = live<Site>();
    return row.dropped || (row.dropped_first && engine::running().first_visit(label<Site>()));
  }
  static void fail(std::string property) { engine::running().fail(violation::assertion, std::move(property)); }
};

}  // namespace licit::checker

#endif
