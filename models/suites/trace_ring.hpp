/// The trace ring: client programs, mutants.
#ifndef LICIT_SUITES_TRACE_RING_HPP
#define LICIT_SUITES_TRACE_RING_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <licit/scheduler/metrics/trace_ring.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/program.hpp"

namespace licit::suites {

inline const site_rules_for<trace_ring_orders> trace_ring_site_rules{
    {"record.begin", "begun"}, {"record.end", "ended"}, {"read.end", "ended"}, {"read.begin", "begun"},
    {"record.time", "time"},   {"record.what", "what"}, {"read.time", "time"}, {"read.what", "what"},
};

/// A ring of two events. Thread 0 writes; event n is {n, n + 100}, and the first is 1.
template <class Model>
class trace_ring_client {
 public:
  enum : std::uint8_t { record_word, read_word };
  static constexpr std::array words{"record", "read"};
  static constexpr std::array<const char*, 0> settings{};

  explicit trace_ring_client(const line& /*l*/) {}

  static const char* refuses(const line& /*l*/, unsigned thread, const call& c) {
    if (c.numbers != 0) return no_numbers;
    return thread != 0 && c.word == record_word ? "only the writer, thread 0, may call this" : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    if (c.word == record_word) {
      record();
    } else {
      const std::uint64_t seen = read();
      Model::check(seen >= seen_[thread], "a later read saw fewer events");
      seen_[thread] = seen;
    }
    return true;
  }

  /// The newest events are there.
  void settle() {
    const auto got = ring_.read();
    if (Model::stalled(0)) return;
    Model::check(got.overwritten + got.events.size() == recorded_, "an event was recorded and is not counted");
    Model::check(got.events.size() == std::min<std::uint64_t>(recorded_, capacity), "too few events are kept");
    read();
  }
  void leave() {}

 private:
  static constexpr std::size_t capacity = 2;
  // What wait-free means here.
  static constexpr std::size_t record_operations = 4;
  static constexpr std::size_t read_operations = 2 + 2 * capacity;

  void record() {
    ++recorded_;
    Model::within(record_operations, [&] { ring_.record({recorded_, recorded_ + 100}); });
  }
  /// How many events have been recorded, of which the reader has seen the newest whole.
  std::uint64_t read() {
    const auto got = Model::within(read_operations, [&] { return ring_.read(); });
    Model::check(got.events.size() <= capacity, "more events than there are slots");
    std::uint64_t number = got.overwritten;
    for (const trace_event& event : got.events) {
      ++number;
      Model::check(event.time == number, "an event that is not the next one");
      Model::check(event.what == number + 100, "a torn event");
    }
    return number;
  }

  trace_ring<Model> ring_{capacity};
  std::uint64_t recorded_ = 0;                            // the writer's, then the main thread's
  std::array<std::uint64_t, line::most_threads> seen_{};  // each entry one thread's
};

inline constexpr std::array trace_ring_lines{
    client_line{"first_event", "record | read", "a reader gets the first event whole or not at all"},
    client_line{"comes_round", "record*4 | read", "no event is torn when the writer reuses its slot meanwhile"},
    client_line{"read_again", "record record | read read", "a later read sees no fewer events than an earlier one"},
    client_line{"two_readers", "record record | read | read", "two readers do not disturb each other"},
};

inline constexpr std::array trace_ring_mutants{
    mutant{"record.time relaxed", {"record.time", change::weaken}},
    mutant{"record.what relaxed", {"record.what", change::weaken}},
    mutant{"record.end relaxed", {"record.end", change::weaken}},
    mutant{"read.end relaxed", {"read.end", change::weaken}},
    mutant{"read.time relaxed", {"read.time", change::weaken}},
    mutant{"read.what relaxed", {"read.what", change::weaken}},
    mutant{"record does not say that it begins", {"record.begin", change::drop}},
    mutant{"record does not say that it has ended", {"record.end", change::drop}},
};

/// Readers do not look whether a slot was used again while they copied it.
template <class Model>
using copies_trusted = with_rules<Model, trace_ring_rules{.drops_overwritten = false}>;
template <class Model>
using copies_trusted_client = trace_ring_client<copies_trusted<Model>>;

inline constexpr std::array copies_trusted_lines{
    client_line{"copy_trusted", "record*4 | read", "a reader keeps copies that the writer may have overwritten"}};

struct trace_ring_suite {
  static constexpr const auto& orders = trace_ring_orders;
  static constexpr const auto& mutants = trace_ring_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<trace_ring_client>(trace_ring_lines);
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<copies_trusted_client>(copies_trusted_lines);
  }
};

}  // namespace licit::suites

#endif
