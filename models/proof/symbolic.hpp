/// The symbolic policy: the algorithm's own source, run over terms in place of numbers.
///
/// A run of an operation leaves a path: its operations on memory with their sites, and between them what it decided,
/// wrote to variables of its own and asserted. The recorder is told beforehand how the first decisions come out, so
/// that all paths are enumerated by running the operation again (steps.hpp). Terms are SMT-LIB's.
#ifndef LICIT_PROOF_SYMBOLIC_HPP
#define LICIT_PROOF_SYMBOLIC_HPP

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "proof/recorder.hpp"

namespace licit::proof {

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
  /// A number that the operation returns: what an algorithm computes with is a term.
  explicit operator std::size_t() const { return recorder::running().answered(text_); }

  friend index operator+(const index& a, const index& b) { return by("+", a, b); }
  friend index operator-(const index& a, const index& b) { return by("-", a, b); }
  friend index operator/(const index& a, const index& b) { return by("div", a, b); }
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

/// An item: the number of its push. Whether two are the same is a decision of the run.
struct item {
  std::string text;
  friend bool operator==(const item& a, const item& b) {
    return recorder::running().decide("(= " + a.text + " " + b.text + ")");
  }
};

struct symbolic {
  template <class Site>
  static const checker::live_row& live() {
    return checker::live_orders<Site::in>::row(Site::index);
  }

  /// Of an index: a location. Of a pointer: a location that has the numbers of rings. Of an item: a slot, which is
  /// accessed by `slot_ref` only.
  template <class T>
  class atomic {
   public:
    atomic() {
      if constexpr (std::is_pointer_v<T>) name_ = recorder::running().next_atomic();
    }
    explicit atomic(T first) : value_{std::move(first)} {
      if constexpr (!std::is_same_v<T, item>) name_ = recorder::running().next_atomic();
      if constexpr (std::is_same_v<T, index>) recorder::expect_first(value_.text());
    }
    template <class Site>
    T load(Site) const {
      const std::string got = recorder::running().load(Site::entry.site, live<Site>(), name_);
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
        recorder::running().store(Site::entry.site, live<Site>(), name_, recorder::running().ring_at(value));
      } else {
        recorder::running().store(Site::entry.site, live<Site>(), name_, value.text());
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

  /// An index and the ring where its lap lies.
  struct origin {
    proof::index first, ring;
  };

  /// Of an index: a variable of the transition system. Of anything else: itself; the owner's pointer to a ring is the
  /// variable `newest` besides.
  template <class T>
  class plain {
    static constexpr bool is_ring = std::is_pointer_v<T> && !std::is_same_v<T, atomic<item>*>;

   public:
    plain()
      requires(!std::is_same_v<T, index>)
    = default;
    plain()
      requires(std::is_same_v<T, index>)
        : name_{recorder::running().next_plain()} {
      recorder::running().write(name_, "0");
    }
    explicit plain(T value) : value_{std::move(value)} {
      if constexpr (std::is_same_v<T, index>) {
        name_ = recorder::running().next_plain();
        recorder::running().write(name_, value_.text());
      }
    }
    [[nodiscard]] T read() const {
      if constexpr (std::is_same_v<T, index>)
        return index(recorder::running().read(name_));
      else
        return value_;
    }
    void write(T value) {  // NOLINT(performance-unnecessary-value-param): moved, unless it is an index
      if constexpr (std::is_same_v<T, index>) {
        recorder::running().write(name_, value.text());
      } else {
        if constexpr (is_ring) recorder::running().adopt(value);
        value_ = std::move(value);
      }
    }

   private:
    T value_{};
    std::string name_;
  };

  /// Where the slot of index i lies in a ring, counted from the lap that starts at `first`; empty: by the whole ring.
  struct address {
    std::string first, ring, i;
    /// An address by the lap is the ring's if the lap is the ring's and has the index.
    friend condition operator==(const address& near, const address& by_ring) {
      return {"(and (= " + near.ring + " " + by_ring.ring + ") (<= " + near.first + " " + by_ring.i + ") (< " +
              by_ring.i + " (+ " + near.first + " (cap " + near.ring + "))))"};
    }
  };
  struct slot_ref {
    std::string ring, i;
    address operator&() const { return {"", ring, i}; }  // NOLINT(google-runtime-operator): as an object's
    template <class Site>
    item load(Site) const {
      return {recorder::running().load_slot(Site::entry.site, live<Site>(), ring, i)};
    }
    template <class Site>
    void store(const item& value, Site) const {
      recorder::running().store_slot(Site::entry.site, live<Site>(), ring, i, value.text);
    }
  };
  /// Of ring r: the capacity is (cap r), the lap of i starts at (lap-of r i), and indices of one slot differ by the
  /// capacity at least.
  template <class T>
  struct addressing {
    using index = proof::index;
    using slot_type = atomic<T>;
    using origin = symbolic::origin;
    static index capacity(std::size_t mask) { return index("(cap " + recorder::running().ring_of(mask) + ")"); }
    static slot_ref slot(slot_type* slots, const index& i, std::size_t mask) {
      recorder::running().expect_mask(slots, mask);
      return {recorder::running().ring_at(slots), i.text()};
    }
    static index lap(const index& i, std::size_t mask) {
      return index("(lap-of " + recorder::running().ring_of(mask) + " " + i.text() + ")");
    }
    static origin origin_of(slot_type* slots, index first) {
      return {std::move(first), index(recorder::running().ring_at(slots))};
    }
    static proof::symbolic::address address(const origin& o, const index& i) {
      return {o.first.text(), o.ring.text(), i.text()};
    }
    static slot_ref near(const proof::symbolic::address& found) { return {found.ring, found.i}; }
    template <class Copy>
    static void each(const index& first, const index& last, Copy&& copy_one) {
      recorder::running().each(first.text(), last.text(), [&] { copy_one(index(std::string("i"))); });
    }
  };

  /// A theft of half is asked for any number of items, for which `most` stands.
  struct halves {
    static index share(const index& items, std::size_t most) {
      recorder& r = recorder::running();
      if (most != recorder::most) throw std::logic_error("licit: a theft of half asks for another number of items");
      return index(r.named(max(1, min(items - items / 2, index(r.argument()))).text()));
    }
    template <class Claim>
    static void each(const index& first, const index& last, Claim&& claim) {
      recorder::running().claims(first.text(), last.text(), [&](const std::string& i) { return claim(index(i)); });
    }
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
  static std::pmr::memory_resource* memory() {
    static ring_memory one;
    return &one;
  }

  static void invariant(int number, const condition& holds) {
    recorder::running().oblige("I" + std::to_string(number), holds.text);
  }
};

template <>
class symbolic::plain<symbolic::origin> {
 public:
  [[nodiscard]] origin read() const { return {first_.read(), ring_.read()}; }
  void write(const origin& value) {
    first_.write(value.first);
    ring_.write(value.ring);
  }

 private:
  plain<index> first_, ring_;
};

/// Where the compare-exchange of a pop is a call.
struct symbolic_apart : symbolic {
  static constexpr bool calls_compare_exchange = true;
};

/// With the table that has light and heavy fences.
struct symbolic_asymmetric : symbolic {
  static constexpr bool asymmetric = true;
};
struct symbolic_asymmetric_apart : symbolic_asymmetric {
  static constexpr bool calls_compare_exchange = true;
};

}  // namespace licit::proof

#endif
