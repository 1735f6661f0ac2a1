/// The parker: client programs, mutants.
#ifndef LICIT_SUITES_PARKER_HPP
#define LICIT_SUITES_PARKER_HPP

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include <licit/scheduler/idle/parker.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/every/parker_client.hpp"
#include "suites/every/parts.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline const site_rules_for<parker_orders> parker_site_rules{
    {"park.begin", "word"},
    {"park.take", "word"},
    {"unpark.swap", "word"},
};

/// Parkers, each in memory of its own, and what threads tell each other by them: letters, which are plain cells with
/// one writer each, so that a reader whom no token has told of its letter is a race; and messages, which are relaxed.
///
///     park(p) unpark(p)      of parker p
///     doze(p)                park with a time limit that is never over, then, if there is no token, without one
///     outside(p)             park elsewhere, until there is a token
///     end(p)                 its thread ends the parker
///     write(l) read(l)       letter l
///     send(m) gather(m)      message m; parks until the messages below m are there
template <class Model>
class parker_client {
 public:
  enum : std::uint8_t {
    park_word,
    unpark_word,
    end_word,
    write_word,
    read_word,
    send_word,
    gather_word,
    doze_word,
    outside_word
  };
  static constexpr std::array words{"park", "unpark", "end", "write", "read", "send", "gather", "doze", "outside"};
  static constexpr std::array<const char*, 0> settings{};

  explicit parker_client(const line& l)
      : letters_{used(l, write_word)}, messages_{used(l, send_word)}, parkers_{used(l, unpark_word)} {
    Model::name(letters_, "letter");
    for (std::size_t p = 0; p != parkers_; ++p) {
      void* place = Model::memory()->allocate(sizeof(parker<Model>), alignof(parker<Model>));
      parker_[p] = ::new (place) parker<Model>();
      parker_[p]->interrupted_by({[](void* it) noexcept { static_cast<place_outside*>(it)->interrupt(); }, &outside_});
    }
  }
  ~parker_client() {
    for (std::size_t p = 0; p != parkers_; ++p) end(p);
  }
  parker_client(const parker_client&) = delete;
  parker_client& operator=(const parker_client&) = delete;

  static const char* refuses(const line& l, unsigned /*thread*/, const call& c) {
    const std::size_t n = c.at(0, 0);
    if (n >= most && c.word != gather_word) return "a number from 0 to 2 was expected";
    const bool parks = c.word == park_word || c.word == doze_word || c.word == outside_word;
    if (parks || c.word == end_word) return n < used(l, unpark_word) ? nullptr : "nothing unparks this";
    if (c.word == read_word) return n < used(l, write_word) ? nullptr : "nothing writes this letter";
    if (c.word != gather_word) return nullptr;
    if (used(l, unpark_word) == 0) return "it parks, and nothing unparks it";
    return n <= used(l, send_word) ? nullptr : "so many messages are not sent";
  }

  bool perform(unsigned /*thread*/, const call& c) {
    const std::size_t n = c.at(0, 0);
    switch (c.word) {
      case park_word: parker_[n]->park(); break;
      case unpark_word: unpark(*parker_[n]); break;
      case end_word: end(n); break;
      case write_word: letters_[n].write(written); break;
      case read_word: read(n); break;
      case send_word: messages_[n].store(1, order::relaxed, "message.send"); break;
      case doze_word: doze(*parker_[n]); break;
      case outside_word: park_outside(*parker_[n]); break;
      default: gather(n); break;
    }
    return true;
  }
  void settle() {}
  void leave() {}

 private:
  static constexpr std::size_t most = 3;
  static constexpr int written = 7;

  /// How many of what the word's first number counts.
  static std::size_t used(const line& l, std::size_t word) {
    std::size_t n = 0;
    const auto look = [&](const calls& all) {
      for (const call& c : all) n = c.word == word ? std::max(n, c.at(0, 0) + 1) : n;
    };
    look(l.before);
    for (const calls& all : l.thread) look(all);
    return n;
  }

  /// The swap and the wake. The parker may be gone before the wake.
  static void unpark(parker<Model>& it) {
    Model::within(2, [&] { it.unpark(); });
  }
  /// A second limited park would be a round that writes, and a sleep may end for no reason any number of times.
  static void doze(parker<Model>& it) {
    if (!it.park_for({})) it.park();
  }
  void park_outside(parker<Model>& it) {
    while (!it.park_outside([this] { outside_.wait(); })) {
    }
  }
  void read(std::size_t letter) {
    Model::check(letters_[letter].read() == written, "a park returned, and what was written before it was not there");
  }
  /// One token for several unparks is enough if it brings what each of them has sent.
  void gather(std::size_t messages) {
    for (std::size_t m = 0; m != messages;) {
      if (messages_[m].load(order::relaxed, "message.look") != 0) {
        ++m;
      } else {
        parker_[0]->park();
        m = 0;
      }
    }
  }
  void end(std::size_t p) {
    if (parker_[p] == nullptr) return;
    parker_[p]->~parker<Model>();
    Model::memory()->deallocate(std::exchange(parker_[p], nullptr), sizeof(parker<Model>), alignof(parker<Model>));
  }

  /// Where a thread sleeps that is interrupted otherwise; nobody but an unpark ends that.
  class place_outside {
   public:
    void wait() {
      interrupted_.await_value(1, order::relaxed, "outside.wait");
      interrupted_.store(0, order::relaxed, "outside.awake");
    }
    void interrupt() noexcept { interrupted_.store(1, order::relaxed, "outside.interrupt"); }

   private:
    typename Model::template atomic<int> interrupted_;
  };

  cells<typename Model::template plain<int>, most> letters_;
  cells<typename Model::template atomic<int>, most> messages_;
  place_outside outside_;
  std::size_t parkers_;
  std::array<parker<Model>*, most> parker_{};
};

/// A thread that is left in park has woken up for no reason, or compared an old value, and would look again.
inline constexpr std::array parker_lines{
    client_line{.name = "token",
                .text = "park read | write unpark",
                .property = "an unpark before its thread falls asleep, meanwhile, and after it",
                .waits = true,
                .goes_round = "park."},
    client_line{.name = "ping_pong",
                .text = "park read(0) write(1) unpark(1) park read(2) | "
                        "write(0) unpark(0) park(1) read(1) write(2) unpark(0)",
                .property = "a parker that is used again brings each letter",
                .waits = true,
                .goes_round = "park."},
    client_line{.name = "two_unparkers",
                .text = "gather(2) | send(0) unpark | send(1) unpark",
                .property = "a thread that parks until it has seen two messages sees them, by one token or two",
                .waits = true,
                .goes_round = "park."},
    client_line{.name = "gone",
                .text = "park end | unpark",
                .property = "a thread that has its token may end the parker, though unpark is still to wake it",
                .waits = true,
                .goes_round = "park."},
};

/// A time limit is never over here, or it would hide a wake-up that is lost.
template <class Model>
struct without_timeouts : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class Site>
    void futex_wait_for(T old, std::chrono::nanoseconds /*most*/, Site s) const {
      base::futex_wait(old, s);
    }
  };
};
template <class Model>
using dozing_client = parker_client<without_timeouts<Model>>;

inline constexpr std::array dozing_lines{
    client_line{.name = "doze",
                .text = "doze read | write unpark",
                .property = "token, for a park with a time limit",
                .waits = true,
                .goes_round = "park. doze."},
    client_line{.name = "outside",
                .text = "outside read | write unpark",
                .property = "token, for a park elsewhere, which the unpark interrupts",
                .waits = true,
                .goes_round = "outside."},
};

inline constexpr std::array parker_mutants{
    mutant{"park.begin relaxed", {"park.begin", change::weaken}},
    mutant{"park.take relaxed", {"park.take", change::weaken}},
    mutant{"doze.begin relaxed", {"doze.begin", change::weaken}},
    mutant{"doze.end relaxed", {"doze.end", change::weaken}},
    mutant{"outside.end relaxed", {"outside.end", change::weaken}},
    mutant{"unpark.swap relaxed", {"unpark.swap", change::weaken}},
    mutant{"park.take a blind store", {"park.take", change::blind_store}},
};

/// For a rule by which an unpark may take more steps: they are not counted.
template <class Model>
struct unbounded : Model {
  template <class Do>
  static decltype(auto) within(std::size_t /*operations*/, Do&& perform) {
    return std::forward<Do>(perform)();
  }
};

/// Unpark leaves a token alone that is there already.
template <class Model>
struct looking_first : unbounded<Model> {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class Site>
    T exchange(T value, Site s) {
      if (base::load(order::relaxed, "unpark.look") == value) return value;
      return base::exchange(value, s);
    }
  };
};

/// Unpark exchanges by a compare-exchange of what it has seen, and does nothing if that is a token.
template <class Model>
struct comparing : unbounded<Model> {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class Site>
    T exchange(T value, Site /*site*/) {
      T seen = base::load(order::relaxed, "unpark.look");
      while (seen != value && !base::compare_exchange(seen, value, order::release, order::relaxed, "unpark.compare")) {
      }
      return seen;
    }
  };
};

/// Unpark wakes nobody.
template <class Model>
struct wakeless : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
   public:
    using Model::template atomic<T>::atomic;
    void futex_wake_one(const char* /*label*/) const {}
  };
};

/// Park takes every wake-up for its token.
template <class Model>
struct credulous : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class Site>
    bool compare_exchange(T& expected, T desired, Site s) {
      base::compare_exchange(expected, desired, s);
      return true;
    }
  };
};

/// Park takes its token by a store.
template <class Model>
struct storing : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
    using base = typename Model::template atomic<T>;

   public:
    using base::base;

    template <class Site>
    bool compare_exchange(T& expected, T desired, Site /*site*/) {
      if (base::load(order::acquire, "park.look") != expected) return false;
      base::store(desired, order::relaxed, "park.store");
      return true;
    }
  };
};

template <class Model>
using looking_first_client = parker_client<looking_first<Model>>;
template <class Model>
using comparing_client = parker_client<comparing<Model>>;
template <class Model>
using wakeless_client = parker_client<wakeless<Model>>;
template <class Model>
using credulous_client = parker_client<credulous<Model>>;
template <class Model>
using storing_client = parker_client<storing<Model>>;
template <class Model>
using torn_park_client = parker_client<torn<Model, "park.begin">>;

/// Every client: of generated lines, judged by the specification.
template <class Model>
using every_parker = specified_parker_client<Model, parker<Model>, parker_promise>;

inline constexpr std::string_view parks_otherwise =
    "acts in parks with a time limit or elsewhere: the alphabet has none";
inline constexpr std::array parker_unreached{unreached{"doze.begin relaxed", parks_otherwise},
                                             unreached{"doze.end relaxed", parks_otherwise},
                                             unreached{"outside.end relaxed", parks_otherwise}};

struct parker_suite {
  static constexpr const auto& orders = parker_orders;
  static constexpr const auto& mutants = parker_mutants;
  static constexpr const auto& unreached = parker_unreached;

  template <class List>
  static void programs(List& to) {
    to.template lines<parker_client>(parker_lines);
    to.template lines<dozing_client>(dozing_lines);
  }
  template <class List>
  static void broken(List& to) {
    one<looking_first_client>(to, "unpark_looks_first", two_unparkers,
                              "an unpark that finds a token there does not swap: its message is not brought");
    one<comparing_client>(to, "unpark_compares", two_unparkers,
                          "an unpark by a compare-exchange that may leave the token alone");
    one<wakeless_client>(to, "unpark_wakes_nobody", token, "the token is there, and its thread sleeps");
    one<credulous_client>(to, "park_trusts_wakes", token, "a wake-up for no reason is taken for a token");
    one<storing_client>(to, "park_stores", two_unparkers, "a token is taken by a store: an unpark in between is lost");
    one<torn_park_client>(to, "park_begins_in_two_steps", token, "a token that comes in between is overwritten");
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_parker>();
  }

 private:
  static constexpr std::string_view token = parker_lines[0].text;
  static constexpr std::string_view two_unparkers = parker_lines[2].text;

  template <template <class> class Client, class List>
  static void one(List& to, std::string_view name, std::string_view text, std::string_view property) {
    to.template lines<Client>(std::array{client_line{.name = name, .text = text, .property = property, .waits = true}});
  }
};

}  // namespace licit::suites

#endif
