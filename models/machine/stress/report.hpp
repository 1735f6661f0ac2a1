/// What a run of executions has come to, in memory that outlives its process.
#ifndef LICIT_MODELS_STRESS_REPORT_HPP
#define LICIT_MODELS_STRESS_REPORT_HPP

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace licit::stress {

struct report {
  std::atomic<std::uint64_t> executions{0};  ///< complete ones
  std::atomic<unsigned> stage{0};            ///< 1: a message is being written, 2: it is there
  std::array<char, 512> text{};

  /// Any thread. The first message stays; a longer one than there is room is cut.
  void say(std::string_view message);
  [[nodiscard]] bool failed() const { return stage.load() == 2; }
  [[nodiscard]] std::string message() const { return text.data(); }
};

/// Any thread of a program. Records the first such message; the calling thread takes no further step of the program.
[[noreturn]] void fail(std::string_view message);

/// The same for an invariant of deque/README.md.
[[noreturn]] void fail_invariant(int number);

/// Calls a part of a program; an exception that leaves it is a failure.
template <class Part>
void guarded(Part&& part) {
  try {
    part();
  } catch (...) {
    fail("an exception left a thread");
  }
}

}  // namespace licit::stress

#endif
