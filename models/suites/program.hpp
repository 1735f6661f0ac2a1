/// A client program: what a checker runs, over any memory policy that also has `check` (a model).
///
/// Most programs are lines (line.hpp) that a structure's client class performs:
///
///     template <class Model> class client {
///       static constexpr std::array words{"push", "pop"};          // what lines may call
///       static constexpr std::array settings{"capacity"};
///       static constexpr std::array before{"fill"};                // what may stand before the colon only; or absent
///       explicit client(const line& l);                            // on the main thread, before the others start
///       void prepare(const call& c);                               // performs a word of `before`, on the main thread
///       bool perform(unsigned thread, const call& c);              // whether it did what it is for; 0 is the owner
///       void settle();                                             // on the main thread, after the threads have ended
///       void leave();                                              // the same, of a line that leaves items
///       // Why it cannot run the line, or a call of it; null: it can. Each may be absent.
///       static const char* refuses(const line& l);
///       static const char* refuses(const line& l, unsigned thread, const call& c);
///       // All its state is in it and in Model::memory(): checkers may put it back (checker/run.hpp). Absent: no.
///       static constexpr bool self_contained = true;
///       // Whether the call touches no object of its thread's own. Then threads with the same calls are equal
///       // (checker::options::equal). Absent: no call is so.
///       static bool interchangeable(const line& l, unsigned thread, const call& c);
///     };
///
/// A program that asserts what no line can say is a class of its own:
///
///     template <class Model> struct last_item {
///       static constexpr program_info about{"last_item", "what must hold", threads, reach::full};
///       last_item();                // on the main thread, before the others start
///       void thread(unsigned i);
///       void finish();              // on the main thread, after they have ended; then the destructor
///     };
#ifndef LICIT_SUITES_PROGRAM_HPP
#define LICIT_SUITES_PROGRAM_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include <licit/checker/live_orders.hpp>
#include <licit/checker/site_rules.hpp>
#include <licit/deque/order.hpp>

#include "suites/line.hpp"

namespace licit::suites {

using checker::change;
using checker::ghost_role;
using checker::live_orders;
using checker::mutation;
using checker::site_rule;
using checker::site_rules_for;

/// A must-fail mutant: one thing made wrong, and which checker catches it.
struct mutant {
  std::string_view name;
  mutation what;
  std::string_view relacy_blind = {};  ///< why Relacy cannot see it; empty: it must catch it
  bool cxx11_hides = false;            ///< C++11's release sequences, which later stores of the thread continue
};

/// A mutant that no generated client finds, and why.
struct unreached {
  std::string_view mutant;
  std::string_view why;
};

inline constexpr std::string_view no_thief_of_thieves =
    "needs a thief of the thief's own deque, which generated clients do not have";

inline constexpr std::string_view no_load_buffering =
    "the failure moves a read behind a later write (load buffering), which Relacy does not explore";
inline constexpr std::string_view old_release_sequences =
    "Relacy has C++11's release sequences, which a later relaxed store by the same thread does not end; C++20's are";

inline constexpr std::string_view no_asymmetric_fences =
    "Relacy knows no light and heavy fences: they are full ones there";

/// How much of a program's executions Relacy can be asked for.
enum class reach {
  none,     ///< it is not run there
  full,     ///< all, in Relacy's model
  bounded,  ///< those with three preemptions, and a random sample
  sampled,  ///< a random sample
};

struct program_info {
  std::string_view name;
  std::string_view property;
  unsigned threads;
  reach relacy = reach::none;
  bool waits = false;  ///< a thread may wait for another, so the program needs every thread to go on
  /// How the names of a loop's sites begin (or of several loops', with spaces between), if it may be left where it
  /// would go round once more: such an execution is blocked, and is a part of another.
  std::string_view goes_round = {};
};

/// A program that is a line, for the client class that it is listed with.
struct client_line {
  std::string_view name;
  std::string_view text;
  std::string_view property;
  reach relacy = reach::none;
  bool waits = false;
  std::string_view goes_round = {};
};

/// What a checker runs of a line.
template <template <class> class Client, class Model>
class line_program {
 public:
  static constexpr bool self_contained = requires { requires Client<Model>::self_contained; };

  explicit line_program(const line& l) : line_{l}, client_{l} {
    if (l.tells) Model::name(said_.emplace(), "said");
    for (const call& c : l.before) prepare(c);
  }

  void thread(unsigned i) {
    bool done = false;  // the last call did what it is for
    for (const call& c : line_.thread[i]) {
      if (c.what == call::kind::tell) {
        if (done) said_->store(number_of(c), order::release);  // with the load below
      } else if (c.what == call::kind::told) {
        if (said_->load(order::acquire) != number_of(c)) return;
      } else if (!Model::leaves_out(Client<Model>::words[c.word]) && (done || !c.on_success)) {
        done = perform(i, c);
      } else {
        done = false;
      }
    }
  }

  void finish() { line_.leaves ? client_.leave() : client_.settle(); }

 private:
  static int number_of(const call& c) { return static_cast<int>(c.at(0, 1)); }

  bool perform(unsigned thread, const call& c) {
    const bool done = client_.perform(thread, c);
    Model::check(done || !c.must, "a call that must succeed failed");
    return done;
  }
  void prepare(const call& c) {
    constexpr std::size_t words = Client<Model>::words.size();
    if (c.word < words) {
      (void)perform(0, c);
    } else if constexpr (requires { Client<Model>::before; }) {
      client_.prepare(c);
    }
  }

  const line& line_;
  std::optional<typename Model::template atomic<int>> said_;
  Client<Model> client_;
};

/// A list whose client classes and programs run over a policy that is made of the model's: `Adaptor<Model>`.
template <template <class> class Adaptor, class List>
struct adapting {
  List& to;

  template <template <class> class Of>
  struct adapted {
    template <class Model>
    struct program : Of<Adaptor<Model>> {};
    template <class Model>
    using client = Of<Adaptor<Model>>;
  };
  template <template <class> class Client>
  void lines(std::span<const client_line> all) {
    to.template lines<adapted<Client>::template client>(all);
  }
  template <template <class> class Program>
  void add() {
    to.template add<adapted<Program>::template program>();
  }
};

}  // namespace licit::suites

#endif
