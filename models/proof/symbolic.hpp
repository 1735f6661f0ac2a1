/// The symbolic policy: the algorithm's own source, run over terms in place of numbers.
///
/// A run of an operation leaves a path: its operations on memory with their sites, and between them what it decided,
/// wrote to variables of its own and asserted. The recorder is told beforehand how the first decisions come out, so
/// that all paths are enumerated by running the operation again (steps.hpp). Terms are SMT-LIB's.
#ifndef LICIT_PROOF_SYMBOLIC_HPP
#define LICIT_PROOF_SYMBOLIC_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <licit/checker/live_orders.hpp>
#include <licit/deque/order.hpp>

namespace licit::proof {

/// One thing that a run did.
struct event {
  enum class what : std::uint8_t {
    operation,   ///< on memory that other threads access: the next step begins here
    own_read,    ///< of a location that only this thread writes: `name` becomes its latest value
    write,       ///< of a variable of the structure that only this thread accesses
    decision,    ///< `term` held, or its negation
    obligation,  ///< `term` must hold: `name` says which invariant of the README it is
    again,       ///< the operation begins anew
  };
  what kind = what::operation;
  std::string name = {};   ///< of an operation, its site
  std::string term = {};   ///< of an operation, the value that is stored
  std::string place = {};  ///< the location
  std::string index = {};  ///< of a slot
  licit::operation how = licit::operation::load;
  order success = order::relaxed;
  bool won = false;  ///< a compare-exchange that succeeds
  bool blind = false;
};

/// What a run leaves. A term names a result or a variable as `name~EVENT.STEP`, EVENT the number of the event that gave
/// it, so that steps.cpp sees a use of a value that is no longer there.
class recorder {
 public:
  static recorder& running();

  /// Threads: the owner's reads of what only it writes are its own.
  void begin(bool owner, std::vector<bool> decisions);
  /// The locations and private variables of a structure, in the order in which it makes them.
  void name_cells(std::vector<std::string> atomics, std::vector<std::string> plains);
  std::string next_atomic();
  std::string next_plain();

  bool decide(const std::string& condition);
  void oblige(const std::string& name, const std::string& condition);
  /// The result's name.
  std::string load(std::string_view site, const checker::live_row& row, const std::string& place,
                   const std::string& index);
  void store(std::string_view site, const checker::live_row& row, const std::string& place, const std::string& index,
             const std::string& value);
  /// Whether it succeeds; then nothing is read but `expected`. Else `expected` becomes what was read.
  bool compare_exchange(std::string_view site, const checker::live_row& row, const std::string& place,
                        std::string& expected, const std::string& desired);
  void fence(std::string_view site, const checker::live_row& row, operation kind);
  void write(const std::string& variable, const std::string& value);
  std::string read(const std::string& variable);

  [[nodiscard]] const std::vector<event>& events() const { return events_; }
  [[nodiscard]] const std::vector<bool>& decisions() const { return decisions_; }
  /// What was written to each private variable last.
  [[nodiscard]] const std::map<std::string, std::string>& written() const { return written_; }

 private:
  std::string result(const std::string& site) const;
  void visit(std::string_view site);

  bool owner_ = true;
  bool making_ = false;  ///< the constructor runs: no other thread has the structure
  std::vector<bool> decisions_;
  std::size_t decided_ = 0;
  std::vector<event> events_;
  std::size_t step_ = 0;
  std::string entry_;
  int entries_ = 0;
  std::map<std::string, std::string> written_;  ///< in this step
  std::vector<std::string> atomics_, plains_;
  std::size_t next_atomic_ = 0, next_plain_ = 0;
};

/// Thrown into a run that begins its operation for the third time.
struct endless {};

/// A term of sort Bool. Asked for its truth, it is a decision of the run.
struct condition {
  std::string text;
  explicit operator bool() const { return recorder::running().decide(text); }
  friend condition operator&&(const condition& a, const condition& b) {
    return {"(and " + a.text + " " + b.text + ")"};
  }
  friend condition operator!(const condition& a) { return {"(not " + a.text + ")"}; }
};

/// A term of sort Int: an index, in place of a number of 64 bits.
class index {
 public:
  index() : text_{"0"} {}
  index(std::int64_t number) : text_{std::to_string(number)} {}  // NOLINT(google-explicit-constructor): as a number's
  explicit index(std::string text) : text_{std::move(text)} {}
  [[nodiscard]] const std::string& text() const { return text_; }

  friend index operator+(const index& a, const index& b) { return by("+", a, b); }
  friend index operator-(const index& a, const index& b) { return by("-", a, b); }
  index& operator++() { return *this = *this + 1; }
  friend condition operator!=(const index& a, const index& b) { return !(a == b); }
  friend condition operator<(const index& a, const index& b) { return {by("<", a, b).text_}; }
  friend condition operator<=(const index& a, const index& b) { return {by("<=", a, b).text_}; }
  friend condition operator>=(const index& a, const index& b) { return {by(">=", a, b).text_}; }
  friend condition operator>(const index& a, const index& b) { return {by(">", a, b).text_}; }
  friend condition operator==(const index& a, const index& b) { return {by("=", a, b).text_}; }
  friend index max(const index& a, const index& b) {
    return index("(ite (>= " + a.text_ + " " + b.text_ + ") " + a.text_ + " " + b.text_ + ")");
  }
  friend index min(const index& a, const index& b) {
    return index("(ite (<= " + a.text_ + " " + b.text_ + ") " + a.text_ + " " + b.text_ + ")");
  }

 private:
  static index by(const char* how, const index& a, const index& b) {
    return index("(" + std::string(how) + " " + a.text_ + " " + b.text_ + ")");
  }
  std::string text_;
};

/// An item: the number of its push.
struct item {
  std::string text;
};

struct symbolic {
  template <class Site>
  static const checker::live_row& live() {
    return checker::live_orders<Site::in>::row(Site::index);
  }

  /// Of an index: a location. Of a pointer: the one value that it has, since nothing is replaced. Of an item: a slot,
  /// which is accessed by `slot_ref` only.
  template <class T>
  class atomic {
   public:
    atomic() {
      if constexpr (std::is_pointer_v<T>) name_ = recorder::running().next_atomic();
    }
    explicit atomic(T first) : value_{std::move(first)} {
      if constexpr (!std::is_same_v<T, item>) name_ = recorder::running().next_atomic();
    }
    template <class Site>
    T load(Site) const {
      const std::string got = recorder::running().load(Site::entry.site, live<Site>(), name_, "");
      if constexpr (std::is_pointer_v<T>) {
        return value_;
      } else {
        return T{got};
      }
    }
    template <class Site>
    void store(const T& value, Site) {
      if constexpr (std::is_pointer_v<T>) {
        value_ = value;
        recorder::running().store(Site::entry.site, live<Site>(), name_, "", "");
      } else {
        recorder::running().store(Site::entry.site, live<Site>(), name_, "", value.text());
      }
    }
    template <class Site>
    bool compare_exchange(T& expected, const T& desired, Site) {
      std::string seen = expected.text();
      const bool won =
          recorder::running().compare_exchange(Site::entry.site, live<Site>(), name_, seen, desired.text());
      if (!won) expected = T{seen};
      return won;
    }

   private:
    T value_{};
    std::string name_;
  };

  /// Of an index: a variable of the transition system. Of anything else: itself.
  template <class T>
  class plain {
   public:
    plain()
      requires(!std::is_same_v<T, index>)
    = default;
    plain()
      requires(std::is_same_v<T, index>)
        : name_{recorder::running().next_plain()} {
      recorder::running().write(name_, "0");
    }
    explicit plain(T value) : value_{std::move(value)} {}
    [[nodiscard]] T read() const {
      if constexpr (std::is_same_v<T, index>)
        return index(recorder::running().read(name_));
      else
        return value_;
    }
    void write(T value) {
      if constexpr (std::is_same_v<T, index>)
        recorder::running().write(name_, value.text());
      else
        value_ = std::move(value);
    }

   private:
    T value_{};
    std::string name_;
  };

  /// Where the slot of index i lies, counted from the lap that starts at `first`; empty: by the whole ring.
  struct address {
    std::string first, i;
    /// An address by the lap is the ring's if the lap has the index.
    friend condition operator==(const address& near, const address& ring) {
      return {"(and (<= " + near.first + " " + ring.i + ") (< " + ring.i + " (+ " + near.first + " C)))"};
    }
  };
  struct slot_ref {
    std::string i;
    address operator&() const { return {"", i}; }  // NOLINT(google-runtime-operator): as an object's
    template <class Site>
    item load(Site) const {
      return {recorder::running().load(Site::entry.site, live<Site>(), "slot", i)};
    }
    template <class Site>
    void store(const item& value, Site) const {
      recorder::running().store(Site::entry.site, live<Site>(), "slot", i, value.text);
    }
  };
  /// The capacity is C, the lap of i starts at (lap-of i), and indices of one slot differ by C at least.
  template <class T>
  struct addressing {
    using index = proof::index;
    using slot_type = atomic<T>;
    using origin = proof::index;
    static index capacity(std::size_t /*mask*/) { return index(std::string("C")); }
    static slot_ref slot(slot_type* /*slots*/, const index& i, std::size_t /*mask*/) { return {i.text()}; }
    static index lap(const index& i, std::size_t /*mask*/) { return index("(lap-of " + i.text() + ")"); }
    static origin origin_of(slot_type* /*slots*/, index first) { return first; }
    static proof::symbolic::address address(const origin& o, const index& i) { return {o.text(), i.text()}; }
    static slot_ref near(const proof::symbolic::address& found) { return {found.i}; }
  };

  template <class Site>
  static void fence(Site) {
    recorder::running().fence(Site::entry.site, live<Site>(), Site::entry.kind);
  }
  struct fences {
    template <class Site>
    void operator()(Site s) const {
      fence(s);
    }
  };

  static constexpr bool asymmetric = false;
  static constexpr bool calls_compare_exchange = false;
  static std::pmr::memory_resource* memory() { return std::pmr::new_delete_resource(); }

  static void invariant(int number, const condition& holds) {
    recorder::running().oblige("I" + std::to_string(number), holds.text);
  }
};

/// With the table that has light and heavy fences.
struct symbolic_asymmetric : symbolic {
  static constexpr bool asymmetric = true;
};

}  // namespace licit::proof

#endif
