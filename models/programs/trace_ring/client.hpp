/// What the trace ring's client programs share: a ring of two events, a writer of numbered ones, and what a reader must
/// see.
#ifndef LICIT_MODELS_PROGRAMS_TRACE_RING_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_TRACE_RING_CLIENT_HPP

#include <cstdint>

#include <licit/scheduler/metrics/trace_ring.hpp>

#include "program.hpp"

namespace licit::models::on_trace_ring {

/// Event n is {n, n + 100}, and the first is 1.
template <class Model>
class client {
 public:
  /// The writer's thread; the main thread, before the others start.
  void record(std::uint64_t events) {
    for (; events != 0; --events) {
      if (Model::leaves_out("record")) continue;
      ++recorded_;
      Model::within(record_operations, [&] {
        ring_.record({recorded_, recorded_ + 100});
        return true;
      });
    }
  }

  /// Any thread: how many events have been recorded, of which it has seen the newest whole.
  std::uint64_t read() {
    if (Model::leaves_out("read")) return 0;
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

  /// Main thread, at the end: the newest events are there.
  void settle() {
    const auto got = ring_.read();
    if (Model::stalled(0)) return;
    Model::check(got.overwritten + got.events.size() == recorded_, "an event was recorded and is not counted");
    Model::check(got.events.size() == (recorded_ < capacity ? recorded_ : capacity), "too few events are kept");
    read();
  }

 private:
  static constexpr std::size_t capacity = 2;
  // What wait-free means here.
  static constexpr std::size_t record_operations = 4;
  static constexpr std::size_t read_operations = 2 + 2 * capacity;

  trace_ring<Model> ring_{capacity};
  std::uint64_t recorded_ = 0;  // the writer's, then the main thread's
};

}  // namespace licit::models::on_trace_ring

#endif
