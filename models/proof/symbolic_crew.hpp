/// The symbolic policy of the scheduler's wake-up protocol: idle set, parker, crew and worker, run over terms.
///
/// The head of the idle set is a bit-vector of 64 bits, with C++'s arithmetic. The words of parker and stop flag have
/// few values: which of them is read is a decision of the run. Worker 0 is the running thread, worker 1 the one that a
/// claim has found; each stands for any.
#ifndef LICIT_PROOF_SYMBOLIC_CREW_HPP
#define LICIT_PROOF_SYMBOLIC_CREW_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <licit/scheduler/inject/inject_queue.hpp>

#include "proof/tape.hpp"

namespace licit::proof {

/// A term of sort Bool. Asked for its truth, it is a decision of the run.
struct truth {
  std::string text;
  operator bool() const { return tape::running().decide(text); }  // NOLINT(google-explicit-constructor): as a bool's
};

/// A term of 64 bits.
class word64 {
 public:
  word64() : word64{0} {}
  word64(std::uint64_t number)
      : text_{tape::running().literal(number)} {}  // NOLINT(google-explicit-constructor): as a number's
  explicit word64(std::string text) : text_{std::move(text)} {}
  [[nodiscard]] const std::string& text() const { return text_; }

  friend word64 operator+(const word64& a, const word64& b) { return by("bvadd", a, b); }
  friend word64 operator-(const word64& a, const word64& b) { return by("bvsub", a, b); }
  friend word64 operator*(const word64& a, const word64& b) { return by("bvmul", a, b); }
  friend word64 operator/(const word64& a, const word64& b) { return by("bvudiv", a, b); }
  friend word64 operator&(const word64& a, const word64& b) { return by("bvand", a, b); }
  friend word64 operator>>(const word64& a, unsigned by_bits) { return by("bvlshr", a, word64{by_bits}); }
  /// Only 1 is shifted, by a worker's number.
  friend word64 operator<<(const word64& a, std::size_t worker) {
    if (a.text_ != tape::running().literal(1)) throw std::logic_error("licit: something else than 1 is shifted");
    return word64{"(bit " + tape::worker(worker) + ")"};
  }
  word64 operator~() const { return word64{"(bvnot " + text_ + ")"}; }
  word64 operator-() const { return word64{"(bvneg " + text_ + ")"}; }
  friend truth operator==(const word64& a, const word64& b) { return {by("=", a, b).text_}; }
  friend truth operator!=(const word64& a, const word64& b) { return {"(not " + by("=", a, b).text_ + ")"}; }
  friend truth operator>=(const word64& a, const word64& b) { return {by("bvuge", a, b).text_}; }
  /// The worker of the lowest bit.
  friend int countr_zero(const word64& a) {
    return static_cast<int>(tape::running().find("(who (bvand " + a.text_ + " " + (-a).text_ + "))"));
  }

 private:
  static word64 by(const char* how, const word64& a, const word64& b) {
    return word64{"(" + std::string(how) + " " + a.text_ + " " + b.text_ + ")"};
  }
  std::string text_;
};

/// A piece of work. Whether one is there is a decision of the run.
struct work {
  bool some = false;
  friend bool operator==(const work&, const work&) = default;
};

struct symbolic_crew {
  using bits = word64;

  template <class Site>
  static const checker::live_row& live() {
    return checker::live_orders<Site::in>::row(Site::index);
  }

  template <class T>
  class atomic;

  template <class T>
  class plain {
   public:
    plain() = default;
    explicit plain(T value) : value_{std::move(value)} {}
    [[nodiscard]] T read() const { return value_; }
    void write(T value) { value_ = std::move(value); }

   private:
    T value_{};
  };

  template <class Site>
  static void fence(Site) {
    tape::running().fence(Site::entry.site, live<Site>());
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
  static void invariant(int number, const truth& holds) {
    tape::running().oblige("I" + std::to_string(number), holds.text);
  }
  template <std::same_as<bool> Bool>
  static void invariant(int number, Bool holds) {
    if (!holds) invariant(number, truth{"false"});
  }
};

/// The head of the idle set: the one location of 64 bits that is accessed with up to 32 workers.
template <>
class symbolic_crew::atomic<word64> {
 public:
  template <class Site>
  word64 load(Site) const {
    return word64{tape::running().load(Site::entry.site, live<Site>())};
  }
  template <class Site>
  bool compare_exchange(word64& expected, const word64& desired, Site) {
    std::string seen = expected.text();
    const bool won = tape::running().compare_exchange(Site::entry.site, live<Site>(), seen, desired.text());
    if (!won) expected = word64{seen};
    return won;
  }
  template <class Site>
  word64 fetch_add(const word64& by, Site) {
    return word64{tape::running().update(Site::entry.site, live<Site>(), "(bvadd old " + by.text() + ")")};
  }
  template <class Site>
  word64 fetch_sub(const word64& by, Site) {
    return word64{tape::running().update(Site::entry.site, live<Site>(), "(bvsub old " + by.text() + ")")};
  }
  template <class Site>
  word64 fetch_or(const word64& /*by*/, Site) {
    throw std::logic_error("licit: more than 32 workers");
  }
  template <class Site>
  word64 fetch_and(const word64& /*by*/, Site) {
    throw std::logic_error("licit: more than 32 workers");
  }
};

/// A parker's word, or the flag that ends the crew.
template <>
class symbolic_crew::atomic<std::uint32_t> {
 public:
  atomic() = default;
  explicit atomic(std::uint32_t first) { tape::running().first(first); }
  template <class Site>
  std::uint32_t load(Site) const {
    tape::running().flag(Site::entry.site, live<Site>(), this);
    return 0;  // nobody ends the crew
  }
  template <class Site>
  void store(std::uint32_t /*value*/, Site) {
    throw std::logic_error("licit: the crew is ended");
  }
  template <class Site>
  std::uint32_t exchange(std::uint32_t value, Site) {
    return tape::running().token(Site::entry.site, live<Site>(), this, std::to_string(value));
  }
  template <class Site>
  std::uint32_t fetch_sub(std::uint32_t by, Site) {
    return tape::running().token(Site::entry.site, live<Site>(), this, "(- old " + std::to_string(by) + ")");
  }
  template <class Site>
  bool compare_exchange(std::uint32_t& expected, std::uint32_t desired, Site) {
    return tape::running().take_token(Site::entry.site, live<Site>(), this, expected, desired);
  }
  template <class Site>
  void futex_wait(std::uint32_t old, Site) const {
    tape::running().falls_asleep(Site::entry.site, live<Site>(), this, old);
  }
  void futex_wake_one(const char* label) const { tape::running().wakes(label, this); }
};

/// A place for one piece of work: a slot, or the top of an inbox.
template <>
class symbolic_crew::atomic<work> {
 public:
  atomic() = default;
  explicit atomic(work /*none*/) {}
  template <class Site>
  work load(Site) const {
    constexpr std::string_view site = Site::entry.site;
    if constexpr (site == "keep.top") return {tape::running().sees_top()};  // keep.push verifies it
    if constexpr (site == "pop.kept") return {tape::running().looks_into_inbox(site, live<Site>(), this)};
    return {!tape::running().empty(this)};
  }
  template <class Site>
  void store(work /*value*/, Site) {
    tape::running().refuse("licit: work is put where the system has none");
  }
  template <class Site>
  work exchange(work /*value*/, Site) {
    tape::running().refuse("licit: work is taken where the system has none");
    return {};
  }
  template <class Site>
  bool compare_exchange(work& expected, work desired, Site) {
    if (!desired.some) tape::running().refuse("licit: a post pushes nothing");
    const bool won = tape::running().posts(Site::entry.site, live<Site>(), this, expected.some);
    if (!won) expected.some = tape::running().sees_top();
    return won;
  }
};

/// A queue of the crew, by its contract: `empty` misses nothing that a thread has to see.
template <class T, class Policy>
class looked_at {
 public:
  using value_type = T;
  static constexpr bool first_in_first_out = true;
  explicit looked_at(const inject_queue_options& /*options*/) {}
  looked_at(std::size_t /*capacity*/, std::pmr::memory_resource* /*memory*/) {}
  [[nodiscard]] bool empty() const { return tape::running().empty(this); }
  struct sink {
    explicit sink(looked_at& /*to*/) {}
  };
};

}  // namespace licit::proof

#endif
