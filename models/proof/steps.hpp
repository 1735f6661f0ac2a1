/// The transition system of a structure, out of its source: what each thread does between two points of its program.
#ifndef LICIT_PROOF_STEPS_HPP
#define LICIT_PROOF_STEPS_HPP

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proof/symbolic.hpp"

namespace licit::proof {

/// At most one operation on memory, then what the thread does on its own until the next one. In its terms `x` is a
/// variable before the step, and `x!` the result that the step itself gives.
struct step {
  std::string name = {};               ///< where it starts and ends
  bool owner = true;                   ///< else a thief's
  std::vector<std::string> from = {};  ///< points of the program; `idle` is between operations
  std::optional<event> does = {};      ///< the operation; its result is named as its site
  struct own_read {
    std::string result, place, ring, index;
  };
  std::vector<own_read> reads = {};  ///< by the owner of what only it writes: the latest value
  struct copy {
    std::string from, to, first, last;  ///< rings, and items
  };
  std::optional<copy> copies = {};  ///< into a ring that no other thread has
  struct batch {
    std::string first, last;
  };
  std::optional<batch> hands = {};  ///< to somebody else, the items of these indices
  bool begins_batch = false;        ///< of copies
  std::vector<std::string> guards = {};
  std::vector<std::pair<std::string, std::string>> updates = {};      ///< of private variables, in order
  std::vector<std::pair<std::string, std::string>> obligations = {};  ///< name and term
  std::string next = {};
  std::string takes = {};    ///< the item that the operation will return whatever else happens, known from here on
  std::string returns = {};  ///< at an operation's end
};

/// An operation of a structure. `run` makes a structure, tells the recorder the decisions, and calls the operation.
struct call {
  struct answer {
    std::string item;  ///< a term, or empty
    std::string text;  ///< where there is no item
  };
  std::string name;
  bool owner = true;
  std::function<answer(const std::vector<bool>&)> run;
};

struct transition_system {
  std::string structure = {};
  std::vector<std::pair<std::string, std::string>> initial = {};  ///< private variables and their first values
  std::vector<step> steps = {};
  std::vector<std::string> points = {};  ///< `idle` first
  std::vector<std::string> given = {};   ///< of constants: by the constructor
  bool one_owner = false;                ///< assumed: no other thread becomes the owner
  bool wake_up = false;                  ///< of the wake-up protocol (tape.hpp), not of a deque
};

/// The decisions of the next path, after a run that left these; false after the last one.
bool next_path(std::vector<bool>& decisions);

/// Enumerates the paths of the calls, and makes one point of what continues in the same way. The orders are those of
/// the run-time copy of the structure's table. Throws std::logic_error for a source that it cannot follow: a value that
/// is used when its variable has another one, or an operation that begins anew and then continues otherwise.
transition_system system_of(std::string structure, std::vector<std::pair<std::string, std::string>> initial,
                            const std::vector<call>& calls);

/// As `licit prove --steps` prints it.
std::string text(const transition_system& system);
std::string text(const step& s);

}  // namespace licit::proof

#endif
