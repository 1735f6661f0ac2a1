#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <licit/scheduler/metrics/metrics_text.hpp>
#include <licit/scheduler/sync/blocking_pool.hpp>

namespace licit::inline v0 {

namespace {

constexpr auto& counts = described_counts<std::uint64_t>;
constexpr auto& outside_of = described_outside_counts<std::uint64_t>;

/// Exact: no floating point, and no locale.
std::string seconds(std::uint64_t ns) {
  constexpr std::uint64_t second = 1000000000;
  const std::string part = std::to_string(ns % second);
  return std::to_string(ns / second) + "." + std::string(9 - part.size(), '0') + part;
}

/// A part of a whole in per cent, with one digit after the point, rounded down.
std::string per_cent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  const auto tenths = static_cast<std::uint64_t>(static_cast<double>(part) / static_cast<double>(whole) * 1000);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

// The table.

class columns {
 public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// The first column to the left, the others to the right.
  [[nodiscard]] std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& cells : rows_) {
      widths.resize(std::max(widths.size(), cells.size()));
      for (std::size_t i = 0; i != cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
    }
    std::string made;
    for (const auto& cells : rows_) {
      for (std::size_t i = 0; i != cells.size(); ++i) {
        const std::string gap(widths[i] - cells[i].size(), ' ');
        made += i == 0 ? cells[i] + gap : "  " + gap + cells[i];
      }
      made += '\n';
    }
    return made;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

using number_of = std::function<std::uint64_t(const worker_snapshot&)>;
using cell_of = std::function<std::string(std::uint64_t)>;

class table_of_workers {
 public:
  explicit table_of_workers(const scheduler_snapshot& s) : of_{s}, all_{s.total()}, each_{s.workers.size() <= 8} {
    std::vector<std::string> head{"", "all"};
    if (each_) {
      for (std::size_t i = 0; i != of_.workers.size(); ++i) head.push_back(std::to_string(i));
    } else {
      head.insert(head.end(), {"least", "most"});
    }
    lines_.row(std::move(head));
  }

  void row(std::string_view name, const number_of& number, const cell_of& cell) {
    std::vector<std::string> cells{std::string(name), cell(number(all_))};
    std::vector<std::uint64_t> numbers;
    numbers.reserve(of_.workers.size());
    for (const worker_snapshot& one : of_.workers) numbers.push_back(number(one));
    if (!each_) {
      const auto [least, most] = std::ranges::minmax(numbers);
      numbers = {least, most};
    }
    for (const std::uint64_t n : numbers) cells.push_back(cell(n));
    lines_.row(std::move(cells));
  }

  [[nodiscard]] std::string text() const { return lines_.text(); }

 private:
  const scheduler_snapshot& of_;
  worker_snapshot all_;
  bool each_;
  columns lines_;
};

std::string plain_number(std::uint64_t n) { return std::to_string(n); }

/// The line that tells of a program that uses one core.
std::string busiest(const scheduler_snapshot& s) {
  const auto polls = [](const worker_snapshot& one) { return one.counts.polls; };
  const auto most = std::ranges::max_element(s.workers, {}, polls);
  if (most == s.workers.end()) return "no workers\n";
  return std::to_string(s.workers.size()) + " workers; worker " + std::to_string(most - s.workers.begin()) + " has " +
         per_cent(most->counts.polls, s.total().counts.polls) + " % of the polls\n";
}

void poll_time_rows(table_of_workers& to) {
  const auto row = [&](std::string_view name, double part) {
    to.row(
        name, [part](const worker_snapshot& one) { return one.poll_times ? one.poll_times->quantile(part) : 0; },
        plain_number);
  };
  row("poll, median, ns", 0.5);
  row("poll, 99 %, ns", 0.99);
  row("poll, longest, ns", 1);
}

// JSON.

class json_object {
 public:
  json_object& add(std::string_view name, const std::string& value) {
    text_ += text_.empty() ? "{" : ", ";
    text_ += detail::json_string(name) + ": " + value;
    return *this;
  }
  json_object& add(std::string_view name, std::uint64_t value) { return add(name, std::to_string(value)); }
  [[nodiscard]] std::string text() const { return text_ + "}"; }  // there is no empty one here

 private:
  std::string text_;
};

template <class Range, class Text>
std::string json_list(const Range& of, Text&& text) {
  std::string made;
  for (const auto& one : of) made += (made.empty() ? "" : ", ") + text(one);
  return "[" + made + "]";
}

/// Buckets that are not empty, as [least duration, number].
std::string json_of(const duration_counts& times) {
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i != times.buckets.size(); ++i) {
    if (times.buckets[i] != 0) used.push_back(i);
  }
  const auto pair = [&](std::size_t i) {
    return "[" + std::to_string(poll_buckets::begin(i)) + ", " + std::to_string(times.buckets[i]) + "]";
  };
  return json_object{}.add("sum_ns", times.sum_ns).add("buckets", json_list(used, pair)).text();
}

std::string json_of(const worker_snapshot& one) {
  json_object made;
  for (const auto& count : counts) made.add(count.name, one.counts.*count.number);
  made.add("parked_ns", one.parked_ns).add("local_depth", one.local_depth).add("stalled_ns", one.stalled_ns);
  if (!one.stalled_task.empty()) made.add("stalled_task", detail::json_string(one.stalled_task));
  if (one.poll_times) made.add("poll_times", json_of(*one.poll_times));
  return made.text();
}

// Prometheus.

/// The bytes of the character that begins there, as UTF-8 has it (RFC 3629); or 0, if none does.
std::size_t character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  // No character has two forms, none is a surrogate, and none is beyond U+10FFFF.
  const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < least || byte(1) > most) return 0;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  for (std::size_t i = 2; i != size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return size;
}

/// With U+FFFD for each byte that is of no character.
std::string as_utf8(std::string_view text) {
  std::string made;
  for (std::size_t at = 0; at != text.size();) {
    const std::size_t size = character_at(text, at);
    made += size == 0 ? "\xef\xbf\xbd" : text.substr(at, size);
    at += size == 0 ? 1 : size;
  }
  return made;
}

/// A label's value: backslash, quote and line feed are escaped.
std::string escaped(std::string_view text) {
  std::string made;
  for (const char c : as_utf8(text)) {
    if (c == '\\' || c == '"') made += '\\';
    made += c == '\n' ? "\\n" : std::string(1, c);
  }
  return made;
}

class exposition {
 public:
  /// Each sample has the label.
  exposition(std::string_view label, std::string_view value)
      : label_{std::string(label) + "=\"" + escaped(value) + "\""} {}

  void family(std::string_view name, std::string_view type, std::string_view help) {
    family_ = "licit_" + std::string(name);
    text_ += "# HELP " + family_ + " " + std::string(help) + "\n# TYPE " + family_ + " " + std::string(type) + "\n";
  }
  void sample(const std::string& value, const std::string& labels = "", std::string_view suffix = "") {
    text_ += family_ + std::string(suffix) + "{" + label_ + labels + "} " + value + "\n";
  }
  void one(std::string_view name, std::string_view type, std::string_view help, std::uint64_t value) {
    family(name, type, help);
    sample(std::to_string(value));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  const std::string label_;
  std::string family_;
  std::string text_;
};

class exposition_of_scheduler : public exposition {
 public:
  explicit exposition_of_scheduler(const scheduler_snapshot& s) : exposition{"scheduler", s.name}, of_{s} {}

  /// One sample a worker.
  void each(std::string_view name, std::string_view type, std::string_view help, const number_of& number,
            const cell_of& cell = plain_number) {
    family(name, type, help);
    for (std::size_t i = 0; i != of_.workers.size(); ++i) {
      sample(cell(number(of_.workers[i])), ",worker=\"" + std::to_string(i) + "\"");
    }
  }
  /// 1 for the worker that holds the driver, 0 for the others.
  void driver() {
    family("worker_holds_driver", "gauge", "Whether the worker waits for deadlines and the reactor, or is about to.");
    for (std::size_t i = 0; i != of_.workers.size(); ++i) {
      sample(of_.driver == i ? "1" : "0", ",worker=\"" + std::to_string(i) + "\"");
    }
  }
  /// Cumulative: each bound is the longest duration that is counted below it.
  void poll_times(const duration_counts& times) {
    constexpr unsigned least_power = 8;
    constexpr unsigned most_power = 34;  // 17 seconds
    family("poll_duration_seconds", "histogram", "How long polls took.");
    std::uint64_t below = 0;
    std::size_t bucket = 0;
    for (unsigned power = least_power; power <= most_power; ++power) {
      const std::uint64_t bound = std::uint64_t{1} << power;
      while (poll_buckets::begin(bucket) < bound) below += times.buckets[bucket++];
      sample(std::to_string(below), ",le=\"" + seconds(bound - 1) + "\"", "_bucket");
    }
    const std::string all = std::to_string(times.count());
    sample(all, ",le=\"+Inf\"", "_bucket");
    sample(seconds(times.sum_ns), "", "_sum");
    sample(all, "", "_count");
  }

 private:
  const scheduler_snapshot& of_;
};

// Pools.

struct described_number {
  std::string_view name;
  std::string_view type;
  std::string_view help;
  std::uint64_t (*of)(const blocking_snapshot&);
};
constexpr std::array numbers_of_pool{
    described_number{"queued", "gauge", "Calls that wait for a thread.",
                     [](const blocking_snapshot& s) { return s.queued; }},
    described_number{"running", "gauge", "Calls that are being made.",
                     [](const blocking_snapshot& s) { return s.running; }},
    described_number{"finished", "counter", "Calls that were made.",
                     [](const blocking_snapshot& s) { return s.finished; }},
    described_number{"cancelled", "counter", "Calls that were not made.",
                     [](const blocking_snapshot& s) { return s.cancelled; }},
    described_number{"threads", "gauge", "Threads, idle ones included.",
                     [](const blocking_snapshot& s) { return std::uint64_t{s.threads}; }},
};

}  // namespace

std::string text_table(const scheduler_snapshot& snapshot) {
  std::string made = busiest(snapshot);
  if (snapshot.workers.empty()) return made;
  table_of_workers table(snapshot);
  for (const auto& count : counts) {
    table.row(count.name, [&](const worker_snapshot& one) { return one.counts.*count.number; }, plain_number);
  }
  table.row("parked, s", [](const worker_snapshot& one) { return one.parked_ns; }, seconds);
  table.row("queued now", [](const worker_snapshot& one) { return one.local_depth; }, plain_number);
  if (snapshot.total().stalled_ns != 0) {
    table.row("stalled, s", [](const worker_snapshot& one) { return one.stalled_ns; }, seconds);
  }
  if (snapshot.total().poll_times) poll_time_rows(table);
  return made + table.text() + "in " + seconds(snapshot.elapsed_ns) + " s; inject queue " +
         std::to_string(snapshot.inject_depth) + " deep; " + std::to_string(snapshot.searching) + " searching, " +
         std::to_string(snapshot.parked) + " parked; spawned outside " + std::to_string(snapshot.spawned_outside) +
         ", polls outside " + std::to_string(snapshot.outside.polls) + ", unobserved exceptions " +
         std::to_string(snapshot.unobserved_exceptions) +
         (snapshot.driver ? "; worker " + std::to_string(*snapshot.driver) + " holds the driver" : "") + "\n";
}

std::string to_json(const scheduler_snapshot& snapshot) {
  json_object made;
  made.add("name", detail::json_string(snapshot.name))
      .add("elapsed_ns", snapshot.elapsed_ns)
      .add("inject_depth", snapshot.inject_depth)
      .add("searching", snapshot.searching)
      .add("parked", snapshot.parked)
      .add("driver", snapshot.driver ? std::to_string(*snapshot.driver) : "null")
      .add("spawned_outside", snapshot.spawned_outside)
      .add("unobserved_exceptions", snapshot.unobserved_exceptions);
  for (const auto& count : outside_of) made.add(count.name, snapshot.outside.*count.number);
  return made.add("workers", json_list(snapshot.workers, [](const worker_snapshot& one) { return json_of(one); }))
      .text();
}

std::string to_prometheus(const scheduler_snapshot& snapshot) {
  exposition_of_scheduler made(snapshot);
  for (const auto& count : counts) {
    made.each("worker_" + std::string(count.name) + "_total", "counter", count.help,
              [&](const worker_snapshot& one) { return one.counts.*count.number; });
  }
  made.each(
      "worker_parked_seconds_total", "counter", "Time asleep.",
      [](const worker_snapshot& one) { return one.parked_ns; }, seconds);
  made.each("worker_local_depth", "gauge", "Tasks in the worker's queue and slot.",
            [](const worker_snapshot& one) { return one.local_depth; });
  made.each(
      "worker_stalled_seconds", "gauge", "Duration of the worker's poll, if it is over the limit.",
      [](const worker_snapshot& one) { return one.stalled_ns; }, seconds);
  made.driver();
  made.one("inject_depth", "gauge", "Tasks in the inject queue.", snapshot.inject_depth);
  made.one("searching_workers", "gauge", "Workers that are searching for work.", snapshot.searching);
  made.one("parked_workers", "gauge", "Workers that are asleep.", snapshot.parked);
  made.one("live_tasks", "gauge", "Tasks spawned and not ended.", snapshot.live_tasks());
  made.one("spawned_outside_total", "counter", "Tasks spawned by threads other than the workers.",
           snapshot.spawned_outside);
  for (const auto& count : outside_of) {
    made.one(std::string(count.name) + "_total", "counter", count.help, snapshot.outside.*count.number);
  }
  made.one("unobserved_exceptions_total", "counter", "Exceptions of tasks whose handle was gone.",
           snapshot.unobserved_exceptions);
  if (const auto all = snapshot.total(); all.poll_times) made.poll_times(*all.poll_times);
  return made.text();
}

std::string text_table(const blocking_snapshot& snapshot, std::string_view pool) {
  std::string made;
  for (const described_number& each : numbers_of_pool) {
    made += (made.empty() ? std::string(pool) + ": " : ", ") + std::to_string(each.of(snapshot)) + " ";
    made += each.name;
  }
  return made + "\n";
}

std::string to_json(const blocking_snapshot& snapshot, std::string_view pool) {
  json_object made;
  made.add("name", detail::json_string(pool));
  for (const described_number& each : numbers_of_pool) made.add(each.name, each.of(snapshot));
  return made.text();
}

std::string to_prometheus(const blocking_snapshot& snapshot, std::string_view pool) {
  exposition made("pool", pool);
  for (const described_number& each : numbers_of_pool) {
    const std::string_view suffix = each.type == "counter" ? "_total" : "";
    made.one("blocking_" + std::string(each.name) + std::string(suffix), each.type, each.help, each.of(snapshot));
  }
  return made.text();
}

std::string detail::json_string(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string made = "\"";
  for (const char c : as_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      made += '\\';
      made += c;
    } else if (byte < 0x20) {
      made += "\\u00";
      made += digits[byte >> 4];
      made += digits[byte & 15];
    } else {
      made += c;
    }
  }
  return made + '"';
}

}  // namespace licit::inline v0
