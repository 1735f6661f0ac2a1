#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <licit/scheduler/metrics/metrics_text.hpp>
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
  /// `name` as JSON has it.
  void bar(std::string_view kind, std::string_view name, std::size_t worker, std::uint64_t begin, std::uint64_t end,
           const std::string& args) {
    next() << R"({"ph": "X", "cat": ")" << kind << R"(", "name": )" << name << R"(, "pid": 1, "tid": )"
           << std::to_string(worker) << R"(, "ts": )" << microseconds(begin - origin_) << R"(, "dur": )"
           << microseconds(end - begin) << R"(, "args": {)" << args << "}}";
  }
  void moment(std::string_view name, std::size_t worker, std::uint64_t at, const std::string& args) {
    next() << R"({"ph": "i", "s": "t", "name": ")" << name << R"(", "pid": 1, "tid": )" << std::to_string(worker)
           << R"(, "ts": )" << microseconds(at - origin_) << R"(, "args": {)" << args << "}}";
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

/// What a bar is; its `cat`.
enum class lasting : std::uint32_t { run, sleep, half, wait };

/// One worker's track: bars are written when they end, so the list is in the order of ends; viewers sort.
class track {
 public:
  track(event_list& to, std::size_t worker, std::size_t workers) : to_{to}, worker_{worker}, workers_{workers} {}

  void write(const trace_ring<>::copy& copied, std::uint64_t now_ns) {
    if (copied.events.empty()) return;
    begin_ = copied.events.front().time;
    if (copied.overwritten != 0) {
      to_.moment("overwritten", worker_, begin_, R"("events": )" + std::to_string(copied.overwritten));
    }
    for (const trace_event& e : copied.events) one(e);
    const std::uint64_t end = std::max(now_ns, copied.events.back().time);
    while (!open_.empty()) close(end, true);
  }

 private:
  struct bar {
    lasting kind = lasting::run;
    std::uint64_t begin = 0;
    std::uint64_t of = 0;    ///< the task's or half's address
    std::uint64_t name = 0;  ///< the text's address; 0: none
    std::optional<std::uint64_t> from{};
  };

  void one(const trace_event& e) {
    const std::uint64_t address = trace_word::task(e.what);
    switch (trace_word::kind(e.what)) {
      case traced::run_begin: return open(lasting::run, e.time, address);
      case traced::run_end: return end(lasting::run, e.time, address);
      case traced::half_begin: return open(lasting::half, e.time, address);
      case traced::half_end: return end(lasting::half, e.time, address);
      case traced::wait_begin: return open(lasting::wait, e.time, address);
      case traced::wait_end: return end(lasting::wait, e.time, address);
      case traced::park: return open(lasting::sleep, e.time, 0);
      case traced::wake: return end(lasting::sleep, e.time, 0);
      case traced::run_name:
        if (!open_.empty()) open_.back().name = address;
        return;
      case traced::half_from:
        if (!open_.empty() && trace_word::worker(e.what) < workers_) open_.back().from = trace_word::worker(e.what);
        return;
      default: return moment(e);
    }
  }

  void moment(const trace_event& e) {
    const auto write = [&](std::string_view name, const std::string& args) { to_.moment(name, worker_, e.time, args); };
    switch (trace_word::kind(e.what)) {
      case traced::steal: return write("steal", items(e.what) + worker(", \"from\"", e.what));
      case traced::slot_steal: return write("steal of a slot", items(e.what) + worker(", \"from\"", e.what));
      case traced::inject: return write("from inject", items(e.what));
      case traced::overflow: return write("overflow", items(e.what));
      case traced::forced_yield: return write("forced yield", address("task", trace_word::task(e.what)));
      case traced::woke: return write("wakes", worker("\"worker\"", e.what));
      case traced::sent: return write("sends", worker("\"worker\"", e.what));
      case traced::timers: return write("fires timers", items(e.what));
      case traced::driver_taken: return write("takes the driver", "");
      case traced::driver_given: return write("gives the driver away", "");
      default: return;
    }
  }

  void open(lasting kind, std::uint64_t time, std::uint64_t of) {
    open_.push_back({.kind = kind, .begin = time, .of = of});
  }
  /// The innermost open bar ends. If there is none, its beginning is overwritten.
  void end(lasting kind, std::uint64_t time, std::uint64_t of) {
    if (open_.empty()) open(kind, begin_, of);
    close(time, false);
  }
  void close(std::uint64_t end, bool still) {
    const bar& of = open_.back();
    std::string args;
    if (of.kind == lasting::run) args = address("task", of.of);
    if (of.kind == lasting::half || of.kind == lasting::wait) args = address("half", of.of);
    if (of.from) args += R"(, "from": )" + std::to_string(*of.from);
    if (still) args += args.empty() ? R"("still": true)" : R"(, "still": true)";
    to_.bar(category(of.kind), name(of), worker_, of.begin, std::max(end, of.begin), args);
    open_.pop_back();
  }

  static std::string_view category(lasting kind) {
    constexpr std::array<std::string_view, 4> names{"task", "sleep", "half", "wait"};
    return names[static_cast<std::size_t>(kind)];
  }
  /// As JSON has it: a name may have any characters.
  static std::string name(const bar& of) {
    if (of.name != 0) return detail::json_string(reinterpret_cast<const char*>(of.name));  // NOLINT
    constexpr std::array<std::string_view, 4> unnamed{"\"run\"", "\"parked\"", "\"stolen half\"", "\"wait\""};
    return std::string(unnamed[static_cast<std::size_t>(of.kind)]);
  }
  static std::string address(const char* key, std::uint64_t of) {
    return '"' + std::string(key) + R"(": ")" + hexadecimal(of) + '"';
  }
  static std::string items(std::uint64_t word) { return R"("items": )" + std::to_string(trace_word::number(word)); }
  static std::string worker(const char* key, std::uint64_t word) {
    return std::string(key) + ": " + std::to_string(trace_word::worker(word));
  }

  event_list& to_;
  std::size_t worker_;
  std::size_t workers_;
  std::uint64_t begin_ = 0;
  std::vector<bar> open_;  ///< each within the one before
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
  for (std::size_t i = 0; i != copies.size(); ++i) track(list, i, copies.size()).write(copies[i], now_ns);
  to << "\n], \"otherData\": {\"overwritten\": " << std::to_string(overwritten) << "}}\n";
}

}  // namespace licit::inline v0
