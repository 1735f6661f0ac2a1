/// An execution as it can be run again: its steps, each with what was chosen, by names that do not depend on the run.
#ifndef LICIT_CHECKER_RECORD_HPP
#define LICIT_CHECKER_RECORD_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <licit/checker/threads.hpp>

namespace licit::checker {

/// An event, by its thread and its index there.
struct event_name {
  std::uint8_t thread;
  std::uint16_t index;

  friend bool operator==(const event_name&, const event_name&) = default;
};

/// What a thread did. A read-modify-write that succeeds is one step.
struct step {
  event_name at;
  std::string action;
  std::string site;      ///< empty where it has none
  std::string location;  ///< empty where it has none
  std::string order;     ///< that it was asked for with
  std::string value;     ///< that it was asked to write, or compares with; empty where there is none
  /// Of a read: the write that it reads. Of a store: of the writes in earlier steps, its predecessor in modification
  /// order. Nothing: the initial write.
  std::optional<event_name> other = {};
  unsigned choice = 0;  ///< of what may be done with the same value: 0 is the canonical one
  bool waits = false;   ///< it found nothing that it awaits

  [[nodiscard]] bool same(const step& s) const {
    return at == s.at && action == s.action && site == s.site && location == s.location && order == s.order &&
           value == s.value;
  }
};

struct record {
  std::vector<step> steps;          ///< each after what it has behind it in program order and reads-from
  unsigned ended_in = main_thread;  ///< the thread that was found wrong; the main thread: the whole at its end
};

std::string text(const event_name& e);
std::string text(const step& s);

}  // namespace licit::checker

#endif
