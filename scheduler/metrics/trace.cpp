#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <licit/scheduler/metrics/json_string.hpp>
#include <licit/scheduler/metrics/trace.hpp>

namespace licit::inline v0 {

namespace {

/// Microseconds, which is what the format has, to the nanosecond.
std::string microseconds(std::uint64_t ns) {
  const std::string part = std::to_string(ns % 1000);
  return std::to_string(ns / 1000) + "." + std::string(3 - part.size(), '0') + part;
}

std::string hexadecimal(std::uint64_t number) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string made;
  do {
    made.insert(made.begin(), digits[number & 15]);
    number >>= 4;
  } while (number != 0);
  return "0x" + made;
}

/// The list of events, comma by comma. Times count from `origin`.
class event_list {
 public:
  event_list(std::ostream& to, std::uint64_t origin) : to_{to}, origin_{origin} {}

  void metadata(std::string_view what, const std::string& track, const std::string& name) {
    next() << R"({"ph": "M", "name": ")" << what << R"(", "pid": 1)" << track << R"(, "args": {"name": )"
           << detail::json_string(name) << "}}";
  }
  void bar(std::string_view name, std::size_t worker, std::uint64_t begin, std::uint64_t end, const std::string& args) {
    next() << R"({"ph": "X", "name": ")" << name << R"(", "pid": 1, "tid": )" << worker << R"(, "ts": )"
           << microseconds(begin - origin_) << R"(, "dur": )" << microseconds(end - begin) << R"(, "args": {)" << args
           << "}}";
  }
  void moment(std::string_view name, std::size_t worker, std::uint64_t at, const std::string& args) {
    next() << R"({"ph": "i", "s": "t", "name": ")" << name << R"(", "pid": 1, "tid": )" << worker << R"(, "ts": )"
           << microseconds(at - origin_) << R"(, "args": {)" << args << "}}";
  }

 private:
  std::ostream& next() {
    to_ << (first_ ? "\n" : ",\n");
    first_ = false;
    return to_;
  }

  std::ostream& to_;
  std::uint64_t origin_;
  bool first_ = true;
};

/// One worker's track: bars are written when they end, so the list is in the order of ends; viewers sort.
class track {
 public:
  track(event_list& to, std::size_t worker) : to_{to}, worker_{worker} {}

  void write(const trace_ring<>::copy& copied, std::uint64_t now_ns) {
    if (copied.events.empty()) return;
    begin_ = copied.events.front().time;
    if (copied.overwritten != 0) {
      to_.moment("overwritten", worker_, begin_, R"("events": )" + std::to_string(copied.overwritten));
    }
    for (const trace_event& e : copied.events) one(e);
    const std::uint64_t end = std::max(now_ns, copied.events.back().time);
    if (running_.open) close(name(), running_, end, named_task() + R"(, "still": true)");
    if (parked_.open) close("parked", parked_, end, R"("still": true)");
  }

 private:
  struct bar {
    bool open = false;
    std::uint64_t begin = 0;
    std::uint64_t task = 0;
    std::uint64_t name = 0;  ///< the text's address; 0: none
  };

  void one(const trace_event& e) {
    switch (trace_word::kind(e.what)) {
      case traced::run_begin: running_ = {.open = true, .begin = e.time, .task = trace_word::task(e.what)}; break;
      case traced::run_name: running_.name = trace_word::task(e.what); break;
      case traced::run_end:
        if (!running_.open) running_ = {.open = true, .begin = begin_, .task = trace_word::task(e.what)};
        close(name(), running_, e.time, named_task());
        break;
      case traced::park: parked_ = {.open = true, .begin = e.time, .task = 0}; break;
      case traced::wake:
        if (!parked_.open) parked_.begin = begin_;
        close("parked", parked_, e.time, "");
        break;
      case traced::steal: to_.moment("steal", worker_, e.time, items(e.what) + victim(e.what)); break;
      case traced::slot_steal: to_.moment("steal of a slot", worker_, e.time, items(e.what) + victim(e.what)); break;
      case traced::inject: to_.moment("from inject", worker_, e.time, items(e.what)); break;
      case traced::overflow: to_.moment("overflow", worker_, e.time, items(e.what)); break;
      case traced::forced_yield:
        to_.moment("forced yield", worker_, e.time, R"("task": ")" + hexadecimal(trace_word::task(e.what)) + '"');
        break;
    }
  }

  void close(std::string_view name, bar& of, std::uint64_t end, const std::string& args) {
    to_.bar(name, worker_, of.begin, std::max(end, of.begin), args);
    of.open = false;
  }
  /// Of the task that runs. In the trace, as in JSON: a name may have any characters.
  [[nodiscard]] std::string name() const {
    if (running_.name == 0) return "run";
    const std::string quoted = detail::json_string(reinterpret_cast<const char*>(running_.name));  // NOLINT
    return quoted.substr(1, quoted.size() - 2);
  }
  [[nodiscard]] std::string named_task() const { return R"("task": ")" + hexadecimal(running_.task) + '"'; }
  static std::string items(std::uint64_t word) { return R"("items": )" + std::to_string(trace_word::number(word)); }
  static std::string victim(std::uint64_t word) { return R"(, "from": )" + std::to_string(trace_word::worker(word)); }

  event_list& to_;
  std::size_t worker_;
  std::uint64_t begin_ = 0;
  bar running_;
  bar parked_;
};

}  // namespace

trace::trace(std::size_t workers, std::size_t events) {
  const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(events, 2));
  for (std::size_t i = 0; i != workers; ++i) rings_.emplace_back(capacity);
}

void trace::write_chrome_trace(std::ostream& to, std::uint64_t now_ns, const std::string& name) const {
  std::vector<trace_ring<>::copy> copies;
  copies.reserve(rings_.size());
  for (const trace_ring<>& ring : rings_) copies.push_back(ring.read());
  std::uint64_t origin = now_ns;
  std::uint64_t overwritten = 0;
  for (const trace_ring<>::copy& one : copies) {
    if (!one.events.empty()) origin = std::min(origin, one.events.front().time);
    overwritten += one.overwritten;
  }
  to << R"({"displayTimeUnit": "ns", "traceEvents": [)";
  event_list list(to, origin);
  list.metadata("process_name", "", name);
  for (std::size_t i = 0; i != copies.size(); ++i) {
    list.metadata("thread_name", R"(, "tid": )" + std::to_string(i), "worker " + std::to_string(i));
  }
  for (std::size_t i = 0; i != copies.size(); ++i) track(list, i).write(copies[i], now_ns);
  to << "\n], \"otherData\": {\"overwritten\": " << overwritten << "}}\n";
}

}  // namespace licit::inline v0
