/// What is asked for, by the environment: LICIT_CHECK="seconds=60 mode=pct seed=7 audit".
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "runtime.hpp"

namespace licit::unmodified {

namespace {

template <class T>
T number(std::string_view key, std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= T{})) {  // a nan is not
    throw std::invalid_argument(std::string(key) + " is a number, not '" + std::string(text) + "'");
  }
  return value;
}

bool yes(std::string_view key, std::string_view text) {
  if (text == "yes" || text == "no") return text == "yes";
  throw std::invalid_argument(std::string(key) + " is yes or no, not '" + std::string(text) + "'");
}

checker::mode mode_of(std::string_view text) {
  if (text == "exhaustive") return checker::mode::exhaustive;
  if (text == "random") return checker::mode::random;
  if (text == "pct") return checker::mode::pct;
  if (text == "estimate") return checker::mode::estimate;
  throw std::invalid_argument("mode is exhaustive, random, pct or estimate, not '" + std::string(text) + "'");
}

checker::share share_of(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos)
    throw std::invalid_argument("shard is like 0/4, not '" + std::string(text) + "'");
  const checker::share s{number<unsigned>("shard", text.substr(0, slash)),
                         number<unsigned>("shard", text.substr(slash + 1))};
  if (s.count == 0) throw std::invalid_argument("there is no shard " + std::string(text));
  if (s.index >= s.count) {
    const std::string count = std::to_string(s.count);
    throw std::invalid_argument("there is no shard " + std::string(text) + ": they are 0/" + count + " to " +
                                std::to_string(s.count - 1) + "/" + count);
  }
  return s;
}

/// Of a violation that was found so: the thread, and after how many of its steps.
checker::stall stop_of(std::string_view text) {
  const auto slash = std::min(text.find('/'), text.size());
  return {number<unsigned>("stopped", text.substr(0, slash)),
          number<unsigned>("stopped", text.substr(std::min(slash + 1, text.size())))};
}

constexpr unsigned most_events = 60'000;  // the checker's own limit

/// Of the exploration itself. False: there is no such word.
bool set_option(checker::options& o, std::string_view key, std::string_view value) {
  if (key == "executions") {
    o.max_executions = o.sample.executions = number<std::uint64_t>(key, value);
    if (o.max_executions == 0) throw std::invalid_argument("executions are 1 or more");
  } else if (key == "seconds") {
    o.max_seconds = o.sample.seconds = number<double>(key, value);
  } else if (key == "mode") {
    o.how = mode_of(value);
  } else if (key == "seed") {
    o.sample.seed = number<std::uint64_t>(key, value);
  } else if (key == "depth") {
    o.sample.depth = number<unsigned>(key, value);
    if (o.sample.depth == 0 || o.sample.depth > 100) throw std::invalid_argument("depth is from 1 to 100");
  } else if (key == "events") {
    o.max_events = number<unsigned>(key, value);
    if (o.max_events == 0 || o.max_events > most_events) {
      throw std::invalid_argument("events is from 1 to " + std::to_string(most_events));
    }
  } else if (key == "leaks") {
    o.leaks = yes(key, value);
  } else if (key == "timeouts") {
    o.timeouts = yes(key, value);
  } else if (key == "sequences") {
    if (value != "c++20" && value != "c++11") throw std::invalid_argument("sequences are c++20 or c++11");
    o.sequences = value == "c++11" ? checker::release_sequences::cxx11 : checker::release_sequences::cxx20;
  } else if (key == "stopped") {
    o.stalled = stop_of(value);
  } else {
    return false;
  }
  return true;
}

/// A file's name.
std::string file_of(std::string_view key, std::string_view text) {
  if (text.empty()) throw std::invalid_argument(std::string(key) + " needs the name of a file");
  return std::string(text);
}

/// Names with commas between.
std::vector<std::string> names_in(std::string_view key, std::string_view text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (end == at) throw std::invalid_argument(std::string(key) + " needs names of functions or files");
    all.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

void set(request& r, std::string_view key, std::string_view value) {
  if (set_option(r.how.options, key, value)) return;
  if (key == "jobs") {
    r.how.jobs = number<unsigned>(key, value);
    if (r.how.jobs == 0) throw std::invalid_argument("jobs are 1 or more");
  } else if (key == "shard") {
    r.how.share = share_of(value);
  } else if (key == "stall") {
    r.how.stall = number<unsigned>(key, value);
    if (*r.how.stall >= checker::max_threads) {
      throw std::invalid_argument("stall is a thread, from 0 to " + std::to_string(checker::max_threads - 1));
    }
  } else if (key == "trace") {
    r.trace = file_of(key, value);
  } else if (key == "replay") {
    r.replay = file_of(key, value);
  } else if (key == "dot") {
    r.dot = file_of(key, value);
  } else if (key == "progress") {
    r.progress = yes(key, value);
  } else if (key == "distinct") {
    r.distinct = yes(key, value);
  } else if (key == "spurious") {
    r.spurious = yes(key, value);
  } else if (key == "accept") {
    r.accepted = names_in(key, value);
  } else if (key == "audit") {
    r.audit = value.empty() || yes(key, value);
  } else {
    throw std::invalid_argument(
        "there is no option '" + std::string(key) +
        "' in LICIT_CHECK. They are: mode, executions, seconds, seed, depth, events, leaks, "
        "timeouts, distinct, spurious, sequences, accept, audit, jobs, stall, shard, trace, dot, "
        "progress, replay");
  }
}

using given_words = std::set<std::string, std::less<>>;

/// What would be ignored: a file says all of it.
void check_replay(const request& r, const given_words& given) {
  for (const std::string& key : given) {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): of `progress` it was set above
    const bool of_use = key == "replay" || key == "trace" || key == "dot" || (key == "progress" && !*r.progress);
    if (!of_use) throw std::invalid_argument("replay does what its file says: without " + key);
  }
}

/// What would be ignored in another mode.
void check_mode(const request& r, const given_words& given) {
  const checker::mode how = r.how.options.how;
  const auto need = [&](std::string_view key, bool has_it, const char* modes) {
    if (given.contains(key) && !has_it) throw std::invalid_argument(std::string(key) + " needs mode " + modes);
  };
  need("seed", how != checker::mode::exhaustive, "random, pct or estimate");
  need("depth", how == checker::mode::pct, "pct");
  need("jobs", how == checker::mode::exhaustive || r.how.jobs == 1, "exhaustive");
  need("shard", how == checker::mode::exhaustive || r.how.share.count == 1, "exhaustive");
}

void check(const request& r, const given_words& given) {
  if (!r.replay.empty()) return check_replay(r, given);
  const bool exhaustive = r.how.options.how == checker::mode::exhaustive;
  if (r.audit && (!exhaustive || r.how.share.count != 1)) {
    throw std::invalid_argument("an audit explores every execution: mode is exhaustive, without a shard");
  }
  if (r.audit && !r.dot.empty()) throw std::invalid_argument("an audit draws nothing: without dot");
  if (r.audit && r.how.jobs > 1) throw std::invalid_argument("an audit is done by one process: without jobs");
  if (r.distinct && (!exhaustive || r.audit || r.how.jobs > 1 || r.how.share.count != 1)) {
    throw std::invalid_argument("distinct counts all executions, in one process: without mode, audit, jobs and shard");
  }
  if (r.how.stall && (!exhaustive || r.audit || r.how.jobs > 1 || r.how.share.count != 1)) {
    throw std::invalid_argument("stall explores every execution, by one process: without mode, audit, jobs and shard");
  }
  if (r.how.stall && r.how.options.leaks && given.contains("leaks")) {
    throw std::invalid_argument("stall does not look for leaks: without leaks=yes");
  }
  check_mode(r, given);
}

/// The next word, which ends at a space. A space or a backslash behind a backslash is part of it.
std::string next_word(std::string_view& left) {
  std::string word;
  std::size_t i = 0;
  for (; i != left.size() && left[i] != ' '; ++i) {
    const char next = i + 1 == left.size() ? '\0' : left[i + 1];
    if (left[i] == '\\' && (next == ' ' || next == '\\')) ++i;
    word += left[i];
  }
  left.remove_prefix(std::min(left.size(), i + 1));
  return word;
}

}  // namespace

request requested(std::string_view left) {
  constexpr double most_seconds = 60;
  request r;
  given_words given;
  r.how.options.max_seconds = most_seconds;
  while (!left.empty()) {
    const std::string word = next_word(left);
    if (word.empty()) continue;
    const std::string key = word.substr(0, word.find('='));
    set(r, key, word.size() == key.size() ? "" : word.substr(key.size() + 1));
    if (!given.insert(key).second) throw std::invalid_argument(key + " is given twice");
  }
  check(r, given);
  if (r.how.options.how == checker::mode::estimate) {  // has limits of its own
    r.how.options.max_seconds = std::numeric_limits<double>::infinity();
    r.how.options.max_executions = std::numeric_limits<std::uint64_t>::max();
  }
  return r;
}

}  // namespace licit::unmodified
