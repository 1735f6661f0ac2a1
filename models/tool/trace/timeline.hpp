/// A scheduler's trace, read from Chrome's trace format: bars, moments and arrows, a lane a worker.
#ifndef LICIT_MODELS_TOOL_TRACE_TIMELINE_HPP
#define LICIT_MODELS_TOOL_TRACE_TIMELINE_HPP

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace licit::tool {

/// Times are nanoseconds from the trace's origin; workers are indices of lanes.
struct timeline {
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  // The page's data.js has these numbers too.
  enum class bar_kind : std::uint8_t { task, sleep, half, wait };
  enum class moment_kind : std::uint8_t {
    steal,
    slot_steal,
    wakes,
    sends,
    inject,
    overflow,
    forced_yield,
    overwritten,
    timers,
    driver_taken,
    driver_given
  };
  enum class arrow_kind : std::uint8_t { steal, wake, send, completion };

  struct bar {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t of = 0;         ///< the address of the task or half; 0: none
    std::uint32_t name = 0;       ///< in `names`
    std::uint32_t from = nobody;  ///< the worker from which a half was stolen
    std::uint32_t depth = 0;      ///< the number of bars that it lies within
    bar_kind kind = bar_kind::task;
    bool still = false;  ///< it had not ended when the trace was written
  };
  struct moment {
    std::uint64_t at = 0;
    std::uint64_t number = 0;      ///< of tasks, timers, or overwritten events
    std::uint64_t of = 0;          ///< the address of a task; 0: none
    std::uint32_t other = nobody;  ///< the worker from which tasks were taken, that was woken, or that was sent a task
    moment_kind kind = moment_kind::steal;
  };
  struct lane {
    std::string name;
    std::vector<bar> bars;        ///< by begin; a bar comes before those within it
    std::vector<moment> moments;  ///< by time
  };
  struct arrow {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t items = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    arrow_kind kind = arrow_kind::steal;
  };

  std::string title;
  std::vector<lane> lanes;                        ///< by process and thread number
  std::vector<std::string> names;                 ///< each once
  std::vector<arrow> arrows;                      ///< by begin
  std::map<std::string, std::uint64_t> left_out;  ///< events that are not shown: why, and how many
  std::uint64_t events = 0;                       ///< that are shown
  std::uint64_t overwritten = 0;                  ///< that the trace has lost
  std::uint64_t end = 0;                          ///< of the last bar or moment
};

/// Reads what `scheduler::write_trace` writes; also a bare list of events. Events of unknown kinds are counted and left
/// out. Throws std::runtime_error that names the file, the line and what is wrong. O(n log n).
timeline read_timeline(std::istream& in, const std::string& file);

/// Writes the page: one file that needs no other. Errors are reported by the stream.
void write_page(std::ostream& to, const timeline& all);

}  // namespace licit::tool

#endif
