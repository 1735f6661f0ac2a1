#include <cstdint>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <licit/scheduler/metrics/metrics_text.hpp>
#include <licit/scheduler/sync/blocking_pool.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using nlohmann::json;

/// Every number is another one.
licit::scheduler_snapshot sample(std::size_t workers = 2) {
  licit::scheduler_snapshot s;
  std::uint64_t n = 100;
  s.name = "a \"b\"\\c\nd";
  s.elapsed_ns = 1500000001;
  s.workers.resize(workers);
  for (licit::worker_snapshot& one : s.workers) {
    for (const auto& count : licit::described_counts<std::uint64_t>) one.counts.*count.number = ++n;
    one.parked_ns = 2000000000 + ++n;
    one.local_depth = ++n;
  }
  s.inject_depth = ++n;
  s.searching = ++n;
  s.parked = ++n;
  s.driver = workers - 1;
  s.spawned_outside = 1000 + ++n;
  s.unobserved_exceptions = ++n;
  return s;
}

licit::scheduler_snapshot measured() {
  licit::scheduler_snapshot s = sample();
  for (licit::worker_snapshot& one : s.workers) {
    one.poll_times.emplace();
    for (const std::uint64_t ns : {0, 255, 256, 1000, 50000}) {
      ++one.poll_times->buckets[licit::poll_buckets::of(ns)];
      one.poll_times->sum_ns += ns;
    }
    ++one.poll_times->buckets.back();
    one.poll_times->sum_ns += std::uint64_t{1} << 41;
  }
  return s;
}

std::vector<std::string> lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

TEST(Json, SaysWhatTheSnapshotSays) {
  const licit::scheduler_snapshot s = measured();
  const json read = json::parse(licit::to_json(s));
  EXPECT_EQ(read["name"], s.name);
  EXPECT_EQ(read["elapsed_ns"], s.elapsed_ns);
  EXPECT_EQ(read["inject_depth"], s.inject_depth);
  EXPECT_EQ(read["searching"], s.searching);
  EXPECT_EQ(read["parked"], s.parked);
  EXPECT_EQ(read["driver"], 1);
  EXPECT_EQ(read["spawned_outside"], s.spawned_outside);
  EXPECT_EQ(read["unobserved_exceptions"], s.unobserved_exceptions);
  ASSERT_EQ(read["workers"].size(), 2U);
  for (std::size_t i = 0; i != 2; ++i) {
    const json& one = read["workers"][i];
    for (const auto& count : licit::described_counts<std::uint64_t>) {
      EXPECT_EQ(one[std::string(count.name)], s.workers[i].counts.*count.number) << count.name;
    }
    EXPECT_EQ(one["parked_ns"], s.workers[i].parked_ns);
    EXPECT_EQ(one["local_depth"], s.workers[i].local_depth);
    EXPECT_EQ(one["poll_times"]["sum_ns"], s.workers[i].poll_times->sum_ns);
    for (const json& bucket : one["poll_times"]["buckets"]) {
      EXPECT_EQ(bucket[1], s.workers[i].poll_times->buckets[licit::poll_buckets::of(bucket[0])]);
    }
    EXPECT_EQ(one["poll_times"]["buckets"].size(), 6U);
  }
}

TEST(Json, OfNothingIsJsonToo) {
  const json read = json::parse(licit::to_json({}));
  EXPECT_TRUE(read["workers"].empty());
  EXPECT_TRUE(read.at("driver").is_null());
  EXPECT_FALSE(json::parse(licit::to_json(sample()))["workers"][0].contains("poll_times"));
}

TEST(Json, ControlCharactersAreEscaped) {
  licit::scheduler_snapshot s;
  for (char c = 0; c != 0x7f; ++c) s.name += c;
  EXPECT_EQ(json::parse(licit::to_json(s))["name"], s.name);
}

/// What is wrong with a text in the exposition format, line by line; and its samples.
class exposition {
 public:
  explicit exposition(const std::string& text) {
    if (text.empty() || text.back() != '\n') complaints.emplace_back("the last line does not end");
    for (const std::string& line : lines(text)) read(line);
  }

  std::vector<std::string> complaints;
  std::map<std::string, std::string> samples;  ///< by name and labels

 private:
  void read(const std::string& line) {
    static const std::regex help(R"(# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) [^\n]+)");
    static const std::regex type(R"(# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram))");
    static const std::regex number(
        R"re(([a-zA-Z_:][a-zA-Z0-9_:]*)\{([a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"(?:,[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*")*)\} ([0-9]+(?:\.[0-9]+)?))re");
    std::smatch m;
    if (std::regex_match(line, m, help)) {
      if (!helped_.insert({m[1], true}).second) complaints.push_back("HELP twice: " + line);
      family_ = m[1];
    } else if (std::regex_match(line, m, type)) {
      if (m[1] != family_) complaints.push_back("TYPE without its HELP: " + line);
      type_ = m[2];
    } else if (std::regex_match(line, m, number)) {
      sample(m[1], m[2], m[3], line);
    } else {
      complaints.push_back("not a line of the format: " + line);
    }
  }
  void sample(const std::string& name, const std::string& labels, const std::string& value, const std::string& line) {
    const std::string suffix = name.substr(std::min(name.size(), family_.size()));
    const bool histogram = suffix == "_bucket" || suffix == "_sum" || suffix == "_count";
    if (!name.starts_with(family_) || (type_ == "histogram" ? !histogram : !suffix.empty())) {
      complaints.push_back("a sample outside its family: " + line);
    }
    if (type_ == "counter" && !family_.ends_with("_total")) complaints.push_back("a counter without _total: " + line);
    if (!samples.insert({name + "{" + labels + "}", value}).second) complaints.push_back("a sample twice: " + line);
  }

  std::map<std::string, bool> helped_;
  std::string family_;
  std::string type_;
};

using complaint_list = std::vector<std::string>;
constexpr const char* escaped_name = R"(scheduler="a \"b\"\\c\nd")";

/// Names are bytes; what is written is text.
TEST(Names, AreWrittenAsUtf8WhateverTheyAre) {
  const std::string none = "\xef\xbf\xbd";
  for (const auto& [name, written] : std::vector<std::pair<std::string, std::string>>{
           {"w\xff\xfe", "w" + none + none},
           {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
           {"\xc0\x80", none + none},                        // a second form of the zero character
           {"\xed\xa0\x80", none + none + none},             // a surrogate
           {"\xf4\x90\x80\x80", none + none + none + none},  // beyond the last character
           {"\xe2\x82", none + none},                        // its end is missing
           {"\xe2\x82w", none + none + "w"}}) {
    EXPECT_EQ(licit::detail::json_string(name), '"' + written + '"');
    licit::blocking_snapshot pool{};
    EXPECT_NE(licit::to_prometheus(pool, name).find("=\"" + written + "\""), std::string::npos);
  }
}

TEST(Prometheus, IsOfTheFormatAndSaysWhatTheSnapshotSays) {
  const licit::scheduler_snapshot s = sample();
  const exposition read(licit::to_prometheus(s));
  EXPECT_EQ(read.complaints, complaint_list{});
  for (std::size_t i = 0; i != s.workers.size(); ++i) {
    const std::string labels = std::string("{") + escaped_name + ",worker=\"" + std::to_string(i) + "\"}";
    for (const auto& count : licit::described_counts<std::uint64_t>) {
      EXPECT_EQ(read.samples.at("licit_worker_" + std::string(count.name) + "_total" + labels),
                std::to_string(s.workers[i].counts.*count.number));
    }
    EXPECT_EQ(read.samples.at("licit_worker_local_depth" + labels), std::to_string(s.workers[i].local_depth));
    EXPECT_EQ(read.samples.at("licit_worker_holds_driver" + labels), i == 1 ? "1" : "0");
  }
  const std::string labels = std::string("{") + escaped_name + "}";
  EXPECT_EQ(read.samples.at("licit_inject_depth" + labels), std::to_string(s.inject_depth));
  EXPECT_EQ(read.samples.at("licit_live_tasks" + labels), std::to_string(s.live_tasks()));
  EXPECT_EQ(read.samples.at("licit_spawned_outside_total" + labels), std::to_string(s.spawned_outside));
  EXPECT_EQ(read.samples.at("licit_worker_parked_seconds_total{" + std::string(escaped_name) + ",worker=\"0\"}"),
            "2.000000125");
}

TEST(Prometheus, AHistogramIsCumulative) {
  const exposition read(licit::to_prometheus(measured()));
  EXPECT_EQ(read.complaints, complaint_list{});
  const auto bucket = [&](const std::string& le) {
    return read.samples.at("licit_poll_duration_seconds_bucket{" + std::string(escaped_name) + ",le=\"" + le + "\"}");
  };
  EXPECT_EQ(bucket("0.000000255"), "4");  // 0 and 255, of two workers
  EXPECT_EQ(bucket("0.000000511"), "6");
  EXPECT_EQ(bucket("0.000001023"), "8");
  EXPECT_EQ(bucket("0.000065535"), "10");
  EXPECT_EQ(bucket("17.179869183"), "10");
  EXPECT_EQ(bucket("+Inf"), "12");
  const std::string labels = std::string("{") + escaped_name + "}";
  EXPECT_EQ(read.samples.at("licit_poll_duration_seconds_count" + labels), "12");
  EXPECT_EQ(read.samples.at("licit_poll_duration_seconds_sum" + labels), "4398.046614126");
}

// The check of the format finds what is planted for it.
TEST(Prometheus, TheCheckFindsWhatIsWrong) {
  const std::string good = "# HELP a_total b\n# TYPE a_total counter\na_total{x=\"y\"} 1\n";
  EXPECT_EQ(exposition(good).complaints, complaint_list{});
  for (const std::string bad : {
           "# HELP a_total b\n# TYPE a_total counter\na_total{x=\"y\"} 1",       // no end of line
           "# HELP a_total b\n# TYPE a_total counter\na_total{x=\"y\"z\"} 1\n",  // a quote in a label
           "# HELP a_total b\n# TYPE a_total counter\na_total{x=\"y\\\"} 1\n",   // an escape of the last quote
           "# HELP a_total b\n# TYPE a_total counter\na_total{x=\"y\"} one\n",   // no number
           "# HELP a_total b\n# TYPE a_total counter\na-total{x=\"y\"} 1\n",     // no name
           "# HELP a_total b\n# TYPE a_total counter\nb_total{x=\"y\"} 1\n",     // another's
           "# HELP a b\n# TYPE a counter\na{x=\"y\"} 1\n",                       // a counter's name
           "# TYPE a_total counter\na_total{x=\"y\"} 1\n",                       // no HELP
           "# HELP a_total b\n# TYPE a_total count\na_total{x=\"y\"} 1\n",       // no type
           "# HELP a_total b\n# TYPE a_total counter\na_total{x=\"y\"} 1\na_total{x=\"y\"} 1\n",
       }) {
    EXPECT_FALSE(exposition(bad).complaints.empty()) << bad;
  }
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

TEST(Table, HasALineForEachCountAndAColumnForEachWorker) {
  licit::scheduler_snapshot s = sample();
  s.workers[0].counts.polls = 970;
  s.workers[1].counts.polls = 30;
  const std::vector<std::string> all = lines(licit::text_table(s));
  EXPECT_EQ(all.at(0), "2 workers; worker 0 has 97.0 % of the polls");
  EXPECT_EQ(words(all.at(1)), (std::vector<std::string>{"all", "0", "1"}));
  EXPECT_EQ(words(all.at(2)), (std::vector<std::string>{"polls", "1000", "970", "30"}));
  EXPECT_EQ(all.size(), licit::described_counts<std::uint64_t>.size() + 5);
  EXPECT_EQ(words(all.at(all.size() - 3)),
            (std::vector<std::string>{"parked,", "s", "4.000000276", "2.000000125", "2.000000151"}));
  EXPECT_TRUE(all.back().ends_with("; worker 1 holds the driver")) << all.back();
  EXPECT_TRUE(all.back().starts_with("in 1.500000001 s; inject queue 153 deep; 154 searching, 155 parked"));
  for (std::size_t i = 2; i + 1 != all.size(); ++i) EXPECT_EQ(all[i].size(), all[1].size()) << all[i];
}

TEST(Table, OfManyWorkersShowsTheLeastAndTheMost) {
  const std::vector<std::string> all = lines(licit::text_table(sample(9)));
  EXPECT_EQ(words(all.at(1)), (std::vector<std::string>{"all", "least", "most"}));
  EXPECT_EQ(words(all.at(2)).size(), 4U);
  EXPECT_EQ(words(all.at(2)).at(2), "101");
}

TEST(Table, ShowsPollTimesWhereTheyAreMeasured) {
  const std::string with = licit::text_table(measured());
  EXPECT_NE(with.find("poll, median, ns"), std::string::npos);
  EXPECT_EQ(licit::text_table(sample()).find("poll, median"), std::string::npos);
}

TEST(Table, OfNothing) {
  EXPECT_EQ(licit::text_table(licit::scheduler_snapshot()), "no workers\n");
  licit::scheduler_snapshot idle;
  idle.workers.resize(1);
  EXPECT_EQ(lines(licit::text_table(idle)).at(0), "1 workers; worker 0 has - % of the polls");
}

constexpr licit::blocking_snapshot of_a_pool{.queued = 1, .running = 2, .finished = 3, .cancelled = 4, .threads = 5};

TEST(Pool, AsTextAndAsJson) {
  EXPECT_EQ(licit::text_table(of_a_pool, "files"), "files: 1 queued, 2 running, 3 finished, 4 cancelled, 5 threads\n");
  EXPECT_EQ(
      json::parse(licit::to_json(of_a_pool, "a \"b\"")),
      json({{"name", "a \"b\""}, {"queued", 1}, {"running", 2}, {"finished", 3}, {"cancelled", 4}, {"threads", 5}}));
}

// On one page with a scheduler's.
TEST(Pool, ForPrometheus) {
  const exposition read(licit::to_prometheus(sample()) + licit::to_prometheus(of_a_pool, "a \"b\"\\c\nd"));
  EXPECT_EQ(read.complaints, complaint_list{});
  std::map<std::string, std::string> of_pool;
  for (const auto& [name, value] : read.samples) {
    if (name.starts_with("licit_blocking_")) of_pool[name] = value;
  }
  const std::string labels = R"({pool="a \"b\"\\c\nd"})";
  EXPECT_EQ(of_pool, (std::map<std::string, std::string>{{"licit_blocking_queued" + labels, "1"},
                                                         {"licit_blocking_running" + labels, "2"},
                                                         {"licit_blocking_finished_total" + labels, "3"},
                                                         {"licit_blocking_cancelled_total" + labels, "4"},
                                                         {"licit_blocking_threads" + labels, "5"}}));
}

}  // namespace
