/// The memory policy of the exhaustive checker: the algorithm's own source runs on it.
#ifndef LICIT_CHECKER_MODEL_HPP
#define LICIT_CHECKER_MODEL_HPP

#include <memory_resource>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <licit/checker/atomic.hpp>
#include <licit/checker/engine.hpp>
#include <licit/deque/order.hpp>

namespace licit::checker {

namespace detail {

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

}  // namespace detail

/// Only the program under test may use it, from its construction to its destruction.
struct model {
 private:
  using action = detail::action;
  using asymmetry = detail::asymmetry;
  using location_id = detail::location_id;
  using look = detail::look;
  using word = detail::word;

  static detail::engine& running() { return detail::engine::running(); }

 public:
  /// Any trivially copyable type of up to eight bytes; its operations are in atomic.hpp.
  template <class T>
  class atomic : public detail::model_atomic<T> {
   public:
    using detail::model_atomic<T>::model_atomic, detail::model_atomic<T>::operator=;
  };

  /// Not atomic: conflicting accesses that happens-before does not order are a race.
  template <class T>
  class plain {
   public:
    plain() : plain(T{}) {}
    explicit plain(T value, const char* name = nullptr)
        : value_{value},
          location_{running().construct_plain({this, sizeof *this}, shown(value), detail::look_of<T>(name))} {}
    plain(const plain&) = delete;
    plain& operator=(const plain&) = delete;
    ~plain() { running().destroy(location_); }

    [[nodiscard]] T read() const {
      running().plain_access(action::plain_read, location_, 0);
      return value_;
    }
    void write(T value) {
      running().plain_access(action::plain_write, location_, shown(value));
      value_ = value;
    }

   private:
    friend struct model;
    static word shown(const T& value) {
      if constexpr (std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(word)) {
        return detail::to_word(value);
      } else {
        return 0;
      }
    }

    T value_;
    detail::location_handle location_;
  };

  /// Stands for data that is read before it is known that it may be; holds nothing. A guess is committed by the claim
  /// that its thread makes next, if that succeeds.
  class ghost {
   public:
    ghost() : location_{running().construct_ghost({this, sizeof *this})} {}
    ghost(const ghost&) = delete;
    ghost& operator=(const ghost&) = delete;
    ~ghost() { running().destroy(location_); }

    void write() { running().overwrite(location_); }  // NOLINT(readability-make-member-function-const)
    void read() const { running().read(location_); }
    void guess() const { running().guess(location_); }
    static void claim(bool success) { running().claim(success); }

   private:
    detail::location_handle location_;
  };

  /// A part of the program's object in which it notes what its threads have done. No thread's way depends on it, so it
  /// may change while a thread goes round in a loop. In the constructor only.
  template <class Part>
  static void notes(const Part& part) {
    running().notes({&part, sizeof part});
  }

  /// What traces call an atomic or a plain cell, or, each with its index, those of an array.
  template <class Cell>
  static void name(const Cell& cell, const char* text) {
    if constexpr (requires { cell.location_; }) {
      running().name(cell.location_, text, look::alone);
    } else {
      std::uint16_t place = 0;
      for (const auto& each : cell) running().name(each.location_, text, place++);
    }
  }

  template <detail::ordering_site Site>
  static void fence(Site) {
    if (detail::is_left_out<Site>() || detail::live_row_of<Site>().success == order::relaxed) return;
    if constexpr (Site::entry.kind == licit::operation::light_fence) {
      if (!detail::live_row_of<Site>().symmetric) light_fence(detail::label_of<Site>());
    } else if constexpr (Site::entry.kind == licit::operation::heavy_fence) {
      detail::live_row_of<Site>().symmetric ? fence(order::seq_cst, detail::label_of<Site>())
                                            : heavy_fence(detail::label_of<Site>());
    } else {
      fence(detail::live_row_of<Site>().success, detail::label_of<Site>());
    }
  }
  static void fence(detail::ordering o = order::seq_cst, const char* label = nullptr) {
    if (o != order::relaxed) running().fence(o, asymmetry::none, label);
  }
  /// The asymmetric pair (P1202): a compiler barrier in one thread, membarrier or the like in another.
  static void light_fence(const char* label = nullptr) { running().fence(order::relaxed, asymmetry::light, label); }
  static void heavy_fence(const char* label = nullptr) { running().fence(order::seq_cst, asymmetry::heavy, label); }

  static constexpr bool calls_compare_exchange = false;

  static constexpr bool asymmetric = false;
  struct fences {
    template <class Site>
    void operator()(Site s) const {
      fence(s);
    }
  };

  static std::pmr::memory_resource* memory() {
    static detail::tracked_memory resource;
    return &resource;
  }

  /// Mutual exclusion. Locking waits forever if nobody unlocks; a thread must not lock it twice.
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
  static bool stalled(unsigned thread) { return running().stalled(thread); }

  /// Calls it; in no execution may the calling thread do more atomic operations in it than that.
  template <class Operation>
  static decltype(auto) within(std::size_t most, Operation&& operation) {
    struct meter {
      unsigned most;
      unsigned begun = running().operations();
      ~meter() { running().check_operations(begun, most); }
    } const measured{static_cast<unsigned>(most)};
    return std::forward<Operation>(operation)();
  }

  /// What happens before the calling thread's next operation, its own last one included: of each thread, how many of
  /// its first events. Event n of thread t happens before it if entry t is above n. Not for the main thread.
  static detail::past happened() { return running().happened(); }

  /// Called by a client at the beginning of an operation that it can do without: whether it is to.
  static bool leaves_out(const char* operation) { return running().leaves_out(operation); }

  static void invariant(int number, bool holds) {
    if (!holds) fail("invariant I" + std::to_string(number) + " does not hold");
  }

  static void check(bool holds, std::string_view property) {
    if (!holds) fail(std::string(property));
  }

 private:
  static void fail(const std::string& property) { running().fail_check(property.c_str()); }
};

}  // namespace licit::checker

#endif
