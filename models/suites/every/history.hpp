/// What the calls of one execution did, and which of them happen before which; and the judge of it.
///
/// A structure is *linearizable with respect to happens-before* if every history of every client has a linearisation:
/// an order of its calls that respects happens-before, and in which each call does to a list what the structure's
/// specification says, with the result that it had. Call a happens before call b if the end of a happens before the
/// beginning of b.
///
///     struct specification {
///       static constexpr std::array owner{"push", "pop"};   // the words of an owner in generated clients
///       static constexpr std::array thief{"steal"};         // and those of a thief
///       static constexpr std::array all_of_owner{"push", "pop", "size"};  // the same, of the full alphabet
///       static constexpr std::array all_of_thief{"steal", "size"};
///       static constexpr std::array capacities{1U, 2U};     // that generated clients have unless told otherwise
///       static constexpr std::array before{"", " push"};    // what the main thread may have called before
///       static constexpr unsigned calls = 7;                // of generated clients in every verification, at most
///       static constexpr unsigned full_calls = 4;           // the same of the full alphabet; need not be there
///       // Whether call `which` of the history may have ended as it did where the list is this one; then does to the
///       // list what the call does.
///       static bool allows(items& list, const call_history& h, std::size_t which);
///     };
///
/// A specification may have a `state` of its own instead of a list. One with `sees` is told what a call has seen. One
/// with `hears(history, first, last)` gets each history before the judge does; the threads' calls are from first up to
/// last. Calls may wait for ever where it has `waits(state, call)`: an execution in which nothing goes on is right if
/// what has returned has a linearisation that leaves a state in which each of the other calls has to wait.
#ifndef LICIT_SUITES_EVERY_HISTORY_HPP
#define LICIT_SUITES_EVERY_HISTORY_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace licit::suites {

/// Whole numbers below 256, oldest first.
class items {
 public:
  static constexpr std::size_t most = 24;

  [[nodiscard]] std::size_t size() const { return last_ - first_; }
  [[nodiscard]] bool empty() const { return first_ == last_; }
  [[nodiscard]] std::uint8_t operator[](std::size_t i) const { return all_[first_ + i]; }

  void push_back(std::uint8_t item) {
    if (last_ == most) throw std::length_error("licit: more than 24 items in a history");
    all_[last_++] = item;
  }
  /// The item, if it stands there, is taken.
  bool take_front(std::uint8_t item) {
    if (empty() || all_[first_] != item) return false;
    ++first_;
    return true;
  }
  bool take_back(std::uint8_t item) {
    if (empty() || all_[last_ - 1] != item) return false;
    --last_;
    return true;
  }

  /// Equal for equal lists.
  [[nodiscard]] std::string key() const {
    std::string text;
    for (std::size_t i = first_; i != last_; ++i) text += static_cast<char>(all_[i]);
    return text;
  }

 private:
  std::array<std::uint8_t, most> all_{};
  std::uint8_t first_ = 0;
  std::uint8_t last_ = 0;
};

enum class deed : std::uint8_t {
  push,
  pop,
  steal,
  spill,  ///< a push into a full queue: half of the queue, and the item, go elsewhere
  size,   ///< an estimate, which takes nothing
  // Of the scheduler's parts:
  put,
  take,
  look,
  close,
  park,
  unpark,
  enter,
  retract,
  claim,
  claim_any,
  begin,
  end,
  suspend,
  complete,
  wake,
  cancel,
  wait,
  come,
  go,
  hold,
  drop,
};

constexpr std::string_view name_of(deed d) {
  constexpr std::array<std::string_view, 26> names{
      "push",     "pop",    "steal",  "spill",   "size",  "put",       "take",  "look", "close",
      "park",     "unpark", "enter",  "retract", "claim", "claim-any", "begin", "end",  "suspend",
      "complete", "wake",   "cancel", "wait",    "come",  "go",        "hold",  "drop"};
  return names[static_cast<std::size_t>(d)];
}

/// How a call ended.
enum class ending : std::uint8_t {
  done,
  empty,
  lost,     ///< to another's claim
  refused,  ///< for want of room
};

struct done_call {
  deed what = deed::push;
  ending how = ending::done;
  std::uint8_t thread = 0;
  items with = {};           ///< pushed, or taken
  std::uint32_t before = 0;  ///< the calls that happen before it, a bit each
  std::uint8_t room = 0;     ///< of a bounded structure: how many items it holds at most
  std::uint8_t count = 0;    ///< of a size, or another question: what it returned
  /// The calls whose beginning happens before its end: what their threads did earlier, it has seen. Of specifications
  /// that say `sees` only.
  std::uint32_t sees = 0;
};

/// All calls of an execution.
class call_history {
 public:
  static constexpr std::size_t most = 32;
  static constexpr unsigned most_threads = 16;

  /// The number of the call. Throws std::length_error.
  std::size_t add(const done_call& c) {
    if (size_ == most) throw std::length_error("licit: more than 32 calls in a history");
    all_[size_] = c;
    return size_++;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] done_call& operator[](std::size_t i) { return all_[i]; }
  [[nodiscard]] const done_call& operator[](std::size_t i) const { return all_[i]; }
  [[nodiscard]] const done_call* begin() const { return all_.data(); }
  [[nodiscard]] const done_call* end() const { return all_.data() + size_; }

  [[nodiscard]] std::uint32_t all() const { return static_cast<std::uint32_t>((std::uint64_t{1} << size_) - 1); }
  [[nodiscard]] bool concurrent(std::size_t a, std::size_t b) const {
    return a != b && (all_[a].before >> b & 1) == 0 && (all_[b].before >> a & 1) == 0;
  }

  /// What the call did: "steal 1".
  [[nodiscard]] std::string text(std::size_t which) const {
    static constexpr std::array endings{"", " empty", " lost", " refused"};
    const done_call& c = all_[which];
    std::string text = std::string(name_of(c.what)) + endings[static_cast<std::size_t>(c.how)];
    for (std::size_t i = 0; i != c.with.size(); ++i) text += ' ' + std::to_string(c.with[i]);
    const bool answers = c.what == deed::size || c.what == deed::look || c.count != 0;
    return answers ? text + ' ' + std::to_string(c.count) : text;
  }
  /// What the calls of each thread did: "thread 0: push 1, pop empty; thread 1: steal 1".
  [[nodiscard]] std::string text() const {
    std::string all;
    for (unsigned t = 0; t != most_threads; ++t) {
      std::string of_thread;
      for (std::size_t i = 0; i != size_; ++i) {
        if (all_[i].thread == t) of_thread += (of_thread.empty() ? " " : ", ") + text(i);
      }
      if (!of_thread.empty()) all += (all.empty() ? "thread " : "; thread ") + std::to_string(t) + ":" + of_thread;
    }
    return all;
  }
  /// Equal histories have equal keys, and others have others.
  [[nodiscard]] std::string key() const {
    std::string text;
    for (const done_call& c : *this) {
      text += static_cast<char>(c.thread << 4U | static_cast<unsigned>(c.how));
      text += static_cast<char>(c.what);
      text += static_cast<char>(c.room);
      text += static_cast<char>(c.count);
      text += static_cast<char>(c.with.size());
      for (std::size_t i = 0; i != c.with.size(); ++i) text += static_cast<char>(c.with[i]);
      for (const std::uint32_t mask : {c.before, c.sees}) {
        for (unsigned byte = 0; byte != sizeof mask; ++byte) text += static_cast<char>(mask >> 8 * byte & 0xffU);
      }
    }
    return text;
  }

 private:
  std::array<done_call, most> all_{};
  std::size_t size_ = 0;
};

/// What a specification says the calls do something to: a list, or its own `state`, which has a `key()`.
template <class Specification>
struct state_of_specification {
  using type = items;
};
template <class Specification>
  requires requires { typename Specification::state; }
struct state_of_specification<Specification> {
  using type = typename Specification::state;
};
template <class Specification>
using state_of = typename state_of_specification<Specification>::type;

/// Whether the specification lets the call wait there.
template <class Specification>
bool waits_in(const state_of<Specification>& state, const done_call& c) {
  if constexpr (requires { Specification::waits(state, c); }) return Specification::waits(state, c);
  return false;
}

/// Looks for a linearisation. Exponential in the calls that are concurrent; what it has tried in vain it does not try
/// again.
template <class Specification>
class judge {
  using state = state_of<Specification>;

 public:
  explicit judge(const call_history& h) : history_{h} {}

  [[nodiscard]] bool approves() {
    return approves([](const state& /*left*/) { return true; });
  }
  /// With a linearisation that leaves a state of which `holds` says yes.
  template <class Predicate>
  [[nodiscard]] bool approves(const Predicate& holds) {
    return goes_on(0, {}, holds);
  }

 private:
  /// `done`: the calls that have their place. What they leave depends on their order.
  template <class Predicate>
  bool goes_on(std::uint32_t done, const state& left, const Predicate& holds) {
    if (done == history_.all()) return holds(left);
    if (!tried_.insert(std::to_string(done) + ':' + left.key()).second) return false;
    for (std::size_t i = 0; i != history_.size(); ++i) {
      if ((done >> i & 1) != 0 || (history_[i].before & ~done) != 0) continue;
      state next = left;
      if (Specification::allows(next, history_, i) && goes_on(done | std::uint32_t{1} << i, next, holds)) return true;
    }
    return false;
  }

  const call_history& history_;
  std::unordered_set<std::string> tried_;
};

/// Memory that outlives an execution. What a client has from operator new the checker gives back when it abandons one.
template <class T>
struct lasting_memory {
  using value_type = T;

  lasting_memory() = default;
  template <class U>
  explicit(false) lasting_memory(const lasting_memory<U>& /*other*/) {}
  T* allocate(std::size_t n) {
    if (void* const p = std::malloc(n * sizeof(T))) return static_cast<T*>(p);
    throw std::bad_alloc();
  }
  void deallocate(T* p, std::size_t /*n*/) { std::free(p); }
  friend bool operator==(lasting_memory /*a*/, lasting_memory /*b*/) { return true; }
};
using lasting_text = std::basic_string<char, std::char_traits<char>, lasting_memory<char>>;
struct lasting_hash {
  std::size_t operator()(const lasting_text& t) const { return std::hash<std::string_view>()({t.data(), t.size()}); }
};

/// The judge's verdict, remembered: most executions of a client have the same few histories.
template <class Specification>
bool is_linearizable(const call_history& h) {
  static constexpr std::size_t enough = 200'000;
  static std::unordered_set<lasting_text, lasting_hash, std::equal_to<>, lasting_memory<lasting_text>> approved;
  const std::string text = h.key();
  lasting_text key(text.data(), text.size());
  if (approved.contains(key)) return true;
  if (!judge<Specification>(h).approves()) return false;
  if (approved.size() == enough) approved.clear();
  approved.insert(std::move(key));
  return true;
}

}  // namespace licit::suites

#endif
