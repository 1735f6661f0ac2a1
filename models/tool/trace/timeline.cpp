#include "trace/timeline.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <istream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <nlohmann/json.hpp>

namespace licit::tool {

namespace {

using nlohmann::json;
using bar_kind = timeline::bar_kind;
using moment_kind = timeline::moment_kind;
using arrow_kind = timeline::arrow_kind;

/// A value of an event, as JSON has it. Objects and lists are `other`.
struct value {
  enum class type : std::uint8_t { missing, number, text, truth, other };
  type is = type::missing;
  double number = 0;
  bool truth = false;
  std::string text{};
};

/// An event's values by their keys, those of `args` with "args." before it. Other keys are not kept.
class event_values {
 public:
  static constexpr std::array<std::string_view, 16> keys{
      "ph",        "cat",       "name",      "pid",       "tid",         "ts",         "dur",         "args",
      "args.name", "args.task", "args.half", "args.from", "args.worker", "args.items", "args.events", "args.still"};

  void forget() {
    for (value& each : values_) each.is = value::type::missing;
  }
  /// Where the value of the key goes; null if it is not kept.
  value* at(bool in_args, std::string_view key) {
    for (std::size_t i = 0; i != keys.size(); ++i) {
      if (in_args ? keys[i].starts_with("args.") && keys[i].substr(5) == key : keys[i] == key) return &values_[i];
    }
    return nullptr;
  }
  [[nodiscard]] const value& operator[](std::string_view key) const {
    return values_[static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin())];
  }

 private:
  std::array<value, keys.size()> values_;
};

/// Why an event is refused.
struct refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The numbers that a member of an event may have.
std::optional<double> number(const event_values& of, std::string_view key, double most) {
  const value& v = of[key];
  if (v.is == value::type::missing) return std::nullopt;
  if (v.is != value::type::number) throw refusal(fmt::format("'{}' is not a number", key));
  if (v.number < 0 || v.number > most) {
    throw refusal(fmt::format("'{}' is {}, and must be from 0 to {}", key, v.number, most));
  }
  return v.number;
}
std::optional<double> whole(const event_values& of, std::string_view key, double most) {
  const auto it = number(of, key, most);
  if (it && *it != std::floor(*it)) throw refusal(fmt::format("'{}' is {}, and must be a whole number", key, *it));
  return it;
}
double needed(const event_values& of, std::string_view key, double most) {
  if (const auto it = number(of, key, most)) return *it;
  throw refusal(fmt::format("'{}' is missing", key));
}
const std::string& text(const event_values& of, std::string_view key) {
  if (of[key].is == value::type::missing) throw refusal(fmt::format("'{}' is missing", key));
  if (of[key].is != value::type::text) throw refusal(fmt::format("'{}' is not a string", key));
  return of[key].text;
}
std::string text_or(const event_values& of, std::string_view key, std::string_view otherwise) {
  return of[key].is == value::type::missing ? std::string(otherwise) : text(of, key);
}

constexpr double most_microseconds = 9e12;  // 104 days; in nanoseconds below 2^53, what the page's numbers hold
constexpr double most_workers = 0xFFFFFE;
constexpr double most_items = 0xFFFFFFFFU;

std::uint64_t nanoseconds(double microseconds) { return static_cast<std::uint64_t>(std::llround(microseconds * 1000)); }

/// "0x1f", or nothing.
std::uint64_t address(const event_values& of, std::string_view key) {
  if (of[key].is == value::type::missing) return 0;
  const std::string& hex = text(of, key);
  std::uint64_t got = 0;
  const char* const end = hex.data() + hex.size();
  if (!hex.starts_with("0x") || hex.size() == 2 ||
      std::from_chars(hex.data() + 2, end, got, 16) != std::from_chars_result{end, std::errc{}}) {
    throw refusal(fmt::format("'{}' is \"{}\", and must be an address such as 0x7f00", key, hex));
  }
  return got;
}

/// Collects events, and makes a timeline of them.
class collector {
 public:
  explicit collector(timeline& to) : to_{to} {}

  /// Throws refusal.
  void take(const event_values& e) {
    const std::string& ph = text(e, "ph");
    if (ph == "X") return bar(e);
    if (ph == "i" || ph == "I") return moment(e);
    if (ph == "M") return metadata(e);
    ++to_.left_out[fmt::format("of phase '{}'", ph)];
  }

  void finish() {
    std::uint32_t index = 0;
    for (auto& [thread, lane] : lanes_) numbers_[thread] = index++;
    for (auto& [thread, lane] : lanes_) {
      if (lane.name.empty()) lane.name = fmt::format("worker {}", thread.second);
      resolve(lane, thread.first);
      order(lane);
      to_.lanes.push_back(std::move(lane));
    }
  }

 private:
  using thread = std::pair<std::uint32_t, std::uint32_t>;  ///< process and thread number

  timeline::lane& lane(const event_values& e) {
    (void)needed(e, "tid", most_workers);
    const auto pid = static_cast<std::uint32_t>(whole(e, "pid", most_workers).value_or(0));
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): it is needed, above
    const thread of{pid, static_cast<std::uint32_t>(*whole(e, "tid", most_workers))};
    if (last_ == nullptr || of != last_of_) last_ = &lanes_[last_of_ = of];
    return *last_;
  }

  void metadata(const event_values& e) {
    const std::string& what = text(e, "name");
    if (what == "process_name") {
      to_.title = text(e, "args.name");
    } else if (what == "thread_name") {
      lane(e).name = text(e, "args.name");
    } else {
      ++to_.left_out[fmt::format("metadata '{}'", what)];
    }
  }

  void bar(const event_values& e) {
    static constexpr std::array<std::string_view, 4> kinds{"task", "sleep", "half", "wait"};
    const std::string kind = text_or(e, "cat", "");
    const auto* const at = std::ranges::find(kinds, kind);
    if (at == kinds.end()) {
      ++to_.left_out[kind.empty() ? "bars without a category" : fmt::format("bars of category '{}'", kind)];
      return;
    }
    timeline::bar made;
    made.kind = static_cast<bar_kind>(at - kinds.begin());
    made.begin = nanoseconds(needed(e, "ts", most_microseconds));
    const double length = needed(e, "dur", most_microseconds);
    made.end = made.begin + nanoseconds(length);
    if (made.end > nanoseconds(most_microseconds)) {
      throw refusal(fmt::format("'ts' and 'dur' end after {}", most_microseconds));
    }
    made.name = name(text(e, "name"));
    made.of = address(e, made.kind == bar_kind::task ? "args.task" : "args.half");
    made.from = worker(e, "args.from");
    made.still = e["args.still"].truth && e["args.still"].is == value::type::truth;
    lane(e).bars.push_back(made);
    ended(made.end);
  }

  void moment(const event_values& e) {
    static constexpr std::array<std::string_view, 11> kinds{"steal",
                                                            "steal of a slot",
                                                            "wakes",
                                                            "sends",
                                                            "from inject",
                                                            "overflow",
                                                            "forced yield",
                                                            "overwritten",
                                                            "fires timers",
                                                            "takes the driver",
                                                            "gives the driver away"};
    const std::string& what = text(e, "name");
    const auto* const at = std::ranges::find(kinds, what);
    if (at == kinds.end()) {
      ++to_.left_out[fmt::format("moments '{}'", what)];
      return;
    }
    timeline::moment made;
    made.kind = static_cast<moment_kind>(at - kinds.begin());
    made.at = nanoseconds(needed(e, "ts", most_microseconds));
    const bool lost = made.kind == moment_kind::overwritten;
    made.number = static_cast<std::uint64_t>(
        number(e, lost ? "args.events" : "args.items", lost ? most_microseconds : most_items).value_or(0));
    made.of = address(e, "args.task");
    made.other =
        worker(e, made.kind == moment_kind::wakes || made.kind == moment_kind::sends ? "args.worker" : "args.from");
    lane(e).moments.push_back(made);
    if (lost) to_.overwritten += made.number;
    ended(made.at);
  }

  void ended(std::uint64_t at) {
    to_.end = std::max(to_.end, at);
    ++to_.events;
  }
  std::uint32_t name(const std::string& of) {
    const auto [at, is_new] = names_.try_emplace(of, static_cast<std::uint32_t>(to_.names.size()));
    if (is_new) to_.names.push_back(of);
    return at->second;
  }
  /// The thread's number, until `resolve`.
  static std::uint32_t worker(const event_values& e, std::string_view key) {
    const auto it = number(e, key, most_workers);
    return it ? static_cast<std::uint32_t>(*it) : timeline::nobody;
  }

  void resolve(timeline::lane& lane, std::uint32_t process) {
    const auto to_lane = [&](std::uint32_t& worker) {
      if (worker == timeline::nobody) return;
      const auto at = numbers_.find({process, worker});
      if (at == numbers_.end()) ++to_.left_out["arrows of a worker without a track"];
      worker = at == numbers_.end() ? timeline::nobody : at->second;
    };
    for (timeline::bar& b : lane.bars) to_lane(b.from);
    for (timeline::moment& m : lane.moments) to_lane(m.other);
  }

  /// Bars that overlap in part are drawn as if the later one lay within.
  static void order(timeline::lane& lane) {
    std::ranges::stable_sort(lane.moments, {}, &timeline::moment::at);
    std::ranges::stable_sort(lane.bars, [](const timeline::bar& a, const timeline::bar& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::vector<std::uint64_t> within;  // the ends of the bars around
    for (timeline::bar& b : lane.bars) {
      while (!within.empty() && within.back() <= b.begin) within.pop_back();
      b.depth = static_cast<std::uint32_t>(within.size());
      within.push_back(b.end);
    }
  }

  timeline& to_;
  std::map<thread, timeline::lane> lanes_;
  std::map<thread, std::uint32_t> numbers_;
  std::unordered_map<std::string, std::uint32_t> names_;
  timeline::lane* last_ = nullptr;  ///< of the last event, which is often the next one's
  thread last_of_;
};

/// Called by the parser for each value. Finds the events, wherever they are.
class handler : public json::json_sax_t {
 public:
  explicit handler(collector& to) : to_{to} {}

  bool null() override { return scalar({.is = value::type::other}); }
  bool boolean(bool v) override { return scalar({.is = value::type::truth, .truth = v}); }
  bool number_integer(number_integer_t v) override { return of_number(static_cast<double>(v)); }
  bool number_unsigned(number_unsigned_t v) override { return of_number(static_cast<double>(v)); }
  bool number_float(number_float_t v, const string_t& /*text*/) override { return of_number(v); }
  bool string(string_t& v) override { return scalar({.is = value::type::text, .text = std::move(v)}); }
  bool binary(binary_t& /*v*/) override { return scalar({.is = value::type::other}); }
  bool key(string_t& k) override {
    if (in_ == place::root) root_key_ = k;
    if (in_ == place::event || in_ == place::args) target_ = event_.at(in_ == place::args, k);
    is_args_ = in_ == place::event && k == "args";
    return true;
  }

  bool start_object(std::size_t /*n*/) override {
    switch (in_) {
      case place::outside: return enter(place::root);
      case place::events: event_.forget(); return enter(place::event);
      case place::event:
        if (is_args_) return enter(place::args);
        break;
      default: break;
    }
    return nested();
  }
  bool end_object() override {
    if (skipped_ != 0) return --skipped_, true;
    if (in_ == place::event) {
      try {
        to_.take(event_);
      } catch (const refusal& why) {
        throw refusal(fmt::format("event {}: {}", number_ + 1, why.what()));
      }
      ++number_;
    }
    in_ = in_ == place::args ? place::event : in_ == place::event ? place::events : place::outside;
    return true;
  }
  bool start_array(std::size_t /*n*/) override {
    if (skipped_ == 0 && (in_ == place::outside || (in_ == place::root && root_key_ == "traceEvents"))) {
      from_ = in_;
      has_events_ = true;
      return enter(place::events);
    }
    if (in_ == place::events && skipped_ == 0) not_an_event();
    return nested();
  }
  bool end_array() override {
    if (skipped_ != 0) return --skipped_, true;
    in_ = from_;
    return true;
  }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/, const json::exception& why) override {
    const std::string_view whole = why.what();
    const std::size_t id = whole.find("] ");
    throw std::runtime_error(fmt::format("not JSON: {}", id == std::string_view::npos ? whole : whole.substr(id + 2)));
  }

  [[nodiscard]] bool has_events() const { return has_events_; }

 private:
  enum class place : std::uint8_t { outside, root, events, event, args };

  bool enter(place to) {
    if (skipped_ != 0) return nested();
    in_ = to;
    target_ = nullptr;
    return true;
  }
  /// An object or a list where nothing is read.
  bool nested() {
    if (skipped_ == 0 && target_ != nullptr) target_->is = value::type::other;
    ++skipped_;
    return true;
  }
  bool of_number(double v) { return scalar({.is = value::type::number, .number = v}); }
  bool scalar(value v) {
    if (skipped_ != 0) return true;
    if (in_ == place::events) not_an_event();
    if (in_ == place::root && root_key_ == "traceEvents") throw refusal("'traceEvents' is not a list");
    if (target_ != nullptr) *target_ = std::move(v);
    return true;
  }
  [[noreturn]] void not_an_event() const { throw refusal(fmt::format("event {} is not an object", number_ + 1)); }

  collector& to_;
  event_values event_;
  place in_ = place::outside;
  place from_ = place::outside;  ///< what the list of events is in
  std::string root_key_;
  value* target_ = nullptr;  ///< of the value that comes next; null: it is not kept
  bool is_args_ = false;
  bool has_events_ = false;
  std::size_t skipped_ = 0;   ///< depth below what is read
  std::uint64_t number_ = 0;  ///< events before this one
};

/// The line in which the reader is.
std::uint64_t line_of(std::istream& in) {
  in.clear();
  const std::streamoff at = in.tellg();
  in.seekg(0);
  std::uint64_t line = 1;
  std::istreambuf_iterator<char> c(in);
  for (std::streamoff i = 1; i < at && c != std::istreambuf_iterator<char>(); ++i, ++c) line += *c == '\n' ? 1U : 0U;
  return line;
}

/// Where the arrows are, of what the lanes hold.
class archer {
 public:
  explicit archer(timeline& all) : all_{all} {}

  void draw() {
    for (std::uint32_t lane = 0; lane != all_.lanes.size(); ++lane) index(lane);
    for (auto& [address, of] : halves_) std::ranges::sort(of, {}, [](const half& h) { return h.bar->end; });
    for (std::uint32_t lane = 0; lane != all_.lanes.size(); ++lane) {
      for (const timeline::moment& m : all_.lanes[lane].moments) of_moment(lane, m);
      for (const timeline::bar& b : all_.lanes[lane].bars) of_bar(lane, b);
    }
    std::ranges::stable_sort(all_.arrows, {}, &timeline::arrow::begin);
  }

 private:
  struct half {
    std::uint32_t lane;
    const timeline::bar* bar;
  };

  void index(std::uint32_t lane) {
    sleeps_.emplace_back();
    for (const timeline::bar& b : all_.lanes[lane].bars) {
      if (b.kind == bar_kind::sleep) sleeps_.back().push_back(&b);
      if (b.kind == bar_kind::half && b.of != 0) halves_[b.of].push_back({lane, &b});
    }
  }

  void of_moment(std::uint32_t lane, const timeline::moment& m) {
    if (m.other == timeline::nobody) return;
    switch (m.kind) {
      case moment_kind::steal:
      case moment_kind::slot_steal:
        all_.arrows.push_back({m.at, m.at, m.number, m.other, lane, arrow_kind::steal});
        return;
      case moment_kind::wakes: return all_.arrows.push_back({m.at, awake(m, true), 1, lane, m.other, arrow_kind::wake});
      case moment_kind::sends:
        return all_.arrows.push_back({m.at, awake(m, false), 1, lane, m.other, arrow_kind::send});
      default: return;
    }
  }

  /// When the other worker is awake. A woken one may have recorded its sleep later than the wake-up was.
  [[nodiscard]] std::uint64_t awake(const timeline::moment& m, bool slept) const {
    const auto& of = sleeps_[m.other];
    const auto at = std::ranges::lower_bound(of, m.at, {}, &timeline::bar::end);
    return at != of.end() && !(*at)->still && (slept || (*at)->begin <= m.at) ? (*at)->end : m.at;
  }

  void of_bar(std::uint32_t lane, const timeline::bar& b) {
    if (b.kind == bar_kind::half && b.from != timeline::nobody) {
      all_.arrows.push_back({b.begin, b.begin, 1, b.from, lane, arrow_kind::steal});
    }
    if (b.kind != bar_kind::wait || b.of == 0) return;
    // An address is used again: the half is the one that ran while the join waited.
    const auto& of = halves_[b.of];
    const auto at = std::ranges::lower_bound(of, b.begin, {}, [](const half& h) { return h.bar->end; });
    if (at == of.end() || at->bar->begin > b.end || at->bar->still) return;
    all_.arrows.push_back({std::min(at->bar->end, b.end), b.end, 1, at->lane, lane, arrow_kind::completion});
  }

  timeline& all_;
  std::vector<std::vector<const timeline::bar*>> sleeps_;  ///< of each lane, by end
  std::unordered_map<std::uint64_t, std::vector<half>> halves_;
};

}  // namespace

timeline read_timeline(std::istream& in, const std::string& file) {
  timeline all;
  collector to(all);
  handler events(to);
  try {
    json::sax_parse(in, &events);
  } catch (const refusal& why) {
    throw std::runtime_error(fmt::format("{}: line {}: {}", file, line_of(in), why.what()));
  } catch (const std::runtime_error& why) {
    throw std::runtime_error(fmt::format("{}: {}", file, why.what()));
  }
  if (!events.has_events()) throw std::runtime_error(file + ": has no list 'traceEvents'");
  to.finish();
  archer(all).draw();
  return all;
}

}  // namespace licit::tool
