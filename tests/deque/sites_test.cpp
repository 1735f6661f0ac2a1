// The sources against the ordering table, read as text: what the compiler cannot know is that no row is left over, that
// no two operations share one, and that nobody wrote a memory order by hand.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <licit/deque/chase_lev_asymmetric_orders.hpp>
#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/run_queue_orders.hpp>
#include <licit/deque/split_orders.hpp>
#include <licit/deque/tagged_asymmetric_orders.hpp>
#include <licit/deque/tagged_orders.hpp>
#include <licit/parallel/shared_orders.hpp>
#include <licit/scheduler/census_orders.hpp>
#include <licit/scheduler/crew_orders.hpp>
#include <licit/scheduler/fork/fork_orders.hpp>
#include <licit/scheduler/idle/idle_set_orders.hpp>
#include <licit/scheduler/idle/parker_orders.hpp>
#include <licit/scheduler/inject/inject_queue_orders.hpp>
#include <licit/scheduler/lifo_slot_orders.hpp>
#include <licit/scheduler/metrics/metrics_orders.hpp>
#include <licit/scheduler/metrics/trace_ring_orders.hpp>
#include <licit/scheduler/sync/waiters_orders.hpp>
#include <licit/scheduler/task/child_group_orders.hpp>
#include <licit/scheduler/task/task_registry_orders.hpp>
#include <licit/scheduler/task/task_state_orders.hpp>
#include <licit/scheduler/time/timers_orders.hpp>

#include <gtest/gtest.h>

namespace {

using file_texts = std::map<std::string, std::string>;
using complaints = std::vector<std::string>;

/// Comments become blanks; string literals stay, because a site is one.
std::string without_comments(std::string text) {
  enum class in { code, literal, line_comment, block_comment } state = in::code;
  for (std::size_t i = 0; i != text.size(); ++i) {
    const std::string_view two = std::string_view(text).substr(i, 2);
    if (state == in::code && two == "//") state = in::line_comment;
    if (state == in::code && two == "/*") state = in::block_comment;
    if (state == in::line_comment && text[i] == '\n') state = in::code;
    if (state == in::block_comment && two == "*/") {
      text[i] = text[i + 1] = ' ';
      state = in::code;
    }
    if (state == in::code && text[i] == '"') {
      state = in::literal;
    } else if (state == in::literal && text[i] == '\\') {
      ++i;
    } else if (state == in::literal && text[i] == '"') {
      state = in::code;
    } else if ((state == in::line_comment || state == in::block_comment) && text[i] != '\n') {
      text[i] = ' ';
    }
  }
  return text;
}

std::vector<std::string> all_matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match) {
    found.push_back((*match)[1].str());
  }
  return found;
}

/// What a file says of its tables: one, or one for symmetric and one for asymmetric fences.
std::vector<std::string> tables_of(const std::string& code) {
  std::vector<std::string> tables = all_matches(code, R"(site_of<\s*(\w+)\s*,\s*Name\s*>)");
  for (const char* pattern : {R"(site_by<\s*Policy\s*,\s*(\w+)\s*,\s*\w+\s*,\s*Name\s*>)",
                              R"(site_by<\s*Policy\s*,\s*\w+\s*,\s*(\w+)\s*,\s*Name\s*>)"}) {
    for (const std::string& table : all_matches(code, pattern)) tables.push_back(table);
  }
  return tables;
}

std::size_t declarations_of(const std::string& code) {
  return all_matches(code, R"((site_of<\s*\w+\s*,\s*Name\s*>|site_by<\s*Policy\s*,))").size();
}

/// Every row of `table` is used by exactly one operation of the files that name it, and they use no other site, but
/// those that only `twin` has, the table for the other kind of fences.
complaints check_sites(const file_texts& files, const std::string& table, const std::vector<std::string>& rows,
                       const std::vector<std::string>& twin = {}) {
  std::map<std::string, int> uses;
  for (const auto& [file, text] : files) {
    const std::string code = without_comments(text);
    const std::vector<std::string> tables = tables_of(code);
    if (std::find(tables.begin(), tables.end(), table) != tables.end()) {
      for (const std::string& site : all_matches(code, R"re(\bat<\s*"([^"]*)"\s*>)re")) ++uses[site];
    }
  }
  complaints found;
  for (const std::string& row : rows) {
    const int times = uses.contains(row) ? uses[row] : 0;
    if (times != 1) found.push_back(row + " is used " + std::to_string(times) + " times");
    uses.erase(row);
  }
  for (const auto& [site, times] : uses) {
    if (std::find(twin.begin(), twin.end(), site) == twin.end()) found.push_back(site + " has no row");
  }
  return found;
}

/// A memory order is written in the policy and in the table's header only.
complaints check_orders(const file_texts& files) {
  complaints found;
  for (const auto& [file, text] : files) {
    if (file == "native.hpp" || file == "order.hpp") continue;
    for (const std::string& word : all_matches(without_comments(text), R"((\bmemory_order\w*|\bto_std\b))")) {
      found.push_back(file + " names " + word);
    }
  }
  return found;
}

/// A file with operations says which table they are of, and it is a table that this test checks.
complaints check_tables(const file_texts& files, const std::vector<std::string>& known) {
  complaints found;
  for (const auto& [file, text] : files) {
    const std::string code = without_comments(text);
    const std::vector<std::string> tables = tables_of(code);
    const bool has_operations = !all_matches(code, R"re(\bat<\s*"([^"]*)"\s*>)re").empty();
    if (has_operations && declarations_of(code) != 1) found.push_back(file + " has operations of no one table");
    for (const std::string& table : tables) {
      if (std::find(known.begin(), known.end(), table) == known.end()) {
        found.push_back(file + " uses " + table + ", which no test checks");
      }
    }
  }
  return found;
}

file_texts sources() {
  file_texts files;
  for (const char* folder : {"deque", "scheduler"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(LICIT_SOURCES) / folder)) {
      if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
      std::ifstream in(entry.path());
      const std::string name = entry.path().filename();
      if (files.contains(name)) throw std::runtime_error("two files are called " + name);
      files[name] = std::string(std::istreambuf_iterator<char>(in), {});
    }
  }
  return files;
}

template <const auto& Table>
std::vector<std::string> rows_of() {
  std::vector<std::string> rows;
  for (const licit::row& row : Table.rows) rows.emplace_back(row.site);
  return rows;
}

TEST(Sites, EveryRowIsUsedByItsOperationAndEveryOperationHasARow) {
  const file_texts files = sources();
  ASSERT_TRUE(files.contains("chase_lev.hpp"));
  const auto symmetric = rows_of<licit::chase_lev_orders>();
  const auto asymmetric = rows_of<licit::chase_lev_asymmetric_orders>();
  // pop_if looks as pop does, and then pops.
  const complaints shared{"pop.own is used 2 times", "pop.item is used 2 times"};
  EXPECT_EQ(check_sites(files, "chase_lev_orders", symmetric, asymmetric), shared);
  EXPECT_EQ(check_sites(files, "chase_lev_asymmetric_orders", asymmetric, symmetric), shared);
}

TEST(Sites, SoHaveThoseWithoutFences) {
  const file_texts files = sources();
  EXPECT_EQ(check_sites(files, "split_orders", rows_of<licit::split_orders>()), complaints{});
  EXPECT_EQ(check_sites(files, "run_queue_orders", rows_of<licit::run_queue_orders>()), complaints{});
  EXPECT_EQ(check_sites(files, "inject_queue_orders", rows_of<licit::inject_queue_orders>()), complaints{});
}

TEST(Sites, SoHaveThoseOfTasks) {
  const file_texts files = sources();
  EXPECT_EQ(check_sites(files, "task_state_orders", rows_of<licit::task_state_orders>()), complaints{});
  EXPECT_EQ(check_sites(files, "task_registry_orders", rows_of<licit::task_registry_orders>()), complaints{});
  EXPECT_EQ(check_sites(files, "child_group_orders", rows_of<licit::child_group_orders>()), complaints{});
}

TEST(Sites, SoHaveThoseOfTheTaggedDeque) {
  const file_texts files = sources();
  ASSERT_TRUE(files.contains("tagged.hpp"));
  const auto symmetric = rows_of<licit::tagged_orders>();
  const auto asymmetric = rows_of<licit::tagged_asymmetric_orders>();
  EXPECT_EQ(check_sites(files, "tagged_orders", symmetric, asymmetric), complaints{});
  EXPECT_EQ(check_sites(files, "tagged_asymmetric_orders", asymmetric, symmetric), complaints{});
}

TEST(Sites, SoHaveThoseOfTheMetricsAndTheTrace) {
  const file_texts files = sources();
  EXPECT_EQ(check_sites(files, "metrics_orders", rows_of<licit::metrics_orders>()), complaints{});
  EXPECT_EQ(check_sites(files, "trace_ring_orders", rows_of<licit::trace_ring_orders>()), complaints{});
}

TEST(Sites, SoHaveThoseOfIdleWorkers) {
  const file_texts files = sources();
  EXPECT_EQ(check_sites(files, "parker_orders", rows_of<licit::parker_orders>()), complaints{});
  EXPECT_EQ(check_sites(files, "idle_set_orders", rows_of<licit::idle_set_orders>()), complaints{});
  EXPECT_EQ(check_sites(files, "lifo_slot_orders", rows_of<licit::lifo_slot_orders>()), complaints{});
}

TEST(Sites, SoHaveThoseOfTheCrewAndTheCensus) {
  const file_texts files = sources();
  EXPECT_EQ(check_sites(files, "crew_orders", rows_of<licit::crew_orders>()), complaints{});
  EXPECT_EQ(check_sites(files, "census_orders", rows_of<licit::census_orders>()), complaints{});
}

TEST(Sites, SoHaveThoseOfWaiters) {
  EXPECT_EQ(check_sites(sources(), "waiters_orders", rows_of<licit::waiters_orders>()), complaints{});
}

TEST(Sites, SoHaveThoseOfTimers) {
  EXPECT_EQ(check_sites(sources(), "timers_orders", rows_of<licit::timers_orders>()), complaints{});
}

TEST(Sites, SoHaveThoseOfForkAndJoin) {
  EXPECT_EQ(check_sites(sources(), "fork_orders", rows_of<licit::fork_orders>()), complaints{});
}

TEST(Sites, SoHaveThoseOfParallelAlgorithms) {
  EXPECT_EQ(check_sites(sources(), "parallel_orders", rows_of<licit::parallel_orders>()), complaints{});
}

TEST(Sites, NoMemoryOrderIsWrittenOutsideThePolicyAndTheTable) { EXPECT_EQ(check_orders(sources()), complaints{}); }

TEST(Sites, EveryTableThatIsUsedIsChecked) {
  EXPECT_EQ(check_tables(sources(), {"chase_lev_asymmetric_orders",
                                     "chase_lev_orders",
                                     "run_queue_orders",
                                     "split_orders",
                                     "tagged_asymmetric_orders",
                                     "tagged_orders",
                                     "census_orders",
                                     "crew_orders",
                                     "idle_set_orders",
                                     "inject_queue_orders",
                                     "lifo_slot_orders",
                                     "metrics_orders",
                                     "parker_orders",
                                     "child_group_orders",
                                     "task_registry_orders",
                                     "task_state_orders",
                                     "trace_ring_orders",
                                     "parallel_orders",
                                     "fork_orders",
                                     "waiters_orders",
                                     "timers_orders"}),
            complaints{});
}

// From here on: the checks above find what is planted for them.

constexpr const char* planted = R"cpp(
  static constexpr auto at = site_of<toy_orders, Name>;
  a_.load(at<"take">);  // at<"comment"> and memory_order_relaxed in a comment are not code
  /* at<"comment"> */ b_.store(1, at<"give">);
  log("// at<'quoted'>");
  c_.load(at<"last">);
)cpp";

TEST(SitesPlanted, ASoundSourceHasNoComplaint) {
  EXPECT_EQ(check_sites({{"toy.hpp", planted}}, "toy_orders", {"take", "give", "last"}), complaints{});
  EXPECT_EQ(check_orders({{"toy.hpp", planted}}), complaints{});
  EXPECT_EQ(check_tables({{"toy.hpp", planted}}, {"toy_orders"}), complaints{});
}

TEST(SitesPlanted, ARowThatNothingUsesIsFound) {
  EXPECT_EQ(check_sites({{"toy.hpp", planted}}, "toy_orders", {"take", "give", "last", "spare"}),
            complaints{"spare is used 0 times"});
  EXPECT_EQ(check_sites({{"toy.hpp", planted}}, "toy_orders", {"take", "give", "last", "comment"}),
            complaints{"comment is used 0 times"});
}

TEST(SitesPlanted, ARowThatTwoOperationsShareIsFoundAcrossFiles) {
  const file_texts files{{"toy.hpp", planted}, {"more.hpp", "site_of<toy_orders, Name>; x.load(at<\"take\">);"}};
  EXPECT_EQ(check_sites(files, "toy_orders", {"take", "give", "last"}), complaints{"take is used 2 times"});
}

constexpr const char* planted_twins = R"cpp(
  static constexpr auto at = detail::site_by<Policy, toy_orders, toy_asymmetric_orders, Name>();
  a_.load(at<"take">);
  a_.load(at<"look">);
)cpp";

TEST(SitesPlanted, ASiteOfTheTwinsTableIsNoOperationWithoutARow) {
  const file_texts files{{"toy.hpp", planted_twins}};
  EXPECT_EQ(check_sites(files, "toy_orders", {"take"}, {"take", "look"}), complaints{});
  EXPECT_EQ(check_sites(files, "toy_asymmetric_orders", {"take", "look"}, {"take"}), complaints{});
  EXPECT_EQ(check_sites(files, "toy_orders", {"take"}, {"take"}), complaints{"look has no row"});
  EXPECT_EQ(check_sites(files, "toy_asymmetric_orders", {"take", "look", "spare"}, {"take"}),
            complaints{"spare is used 0 times"});
  EXPECT_EQ(check_tables(files, {"toy_orders", "toy_asymmetric_orders"}), complaints{});
  EXPECT_EQ(check_tables(files, {"toy_orders"}),
            complaints{"toy.hpp uses toy_asymmetric_orders, which no test checks"});
}

TEST(SitesPlanted, AnOperationWithoutARowIsFound) {
  EXPECT_EQ(check_sites({{"toy.hpp", planted}}, "toy_orders", {"take", "last"}), complaints{"give has no row"});
}

TEST(SitesPlanted, AnOrderWrittenByHandIsFound) {
  const std::string order = "memory_order_";
  EXPECT_EQ(check_orders({{"toy.hpp", "x.load(std::" + order + "acquire); // " + order + "relaxed"}}),
            complaints{"toy.hpp names " + order + "acquire"});
  EXPECT_EQ(check_orders({{"toy.hpp", "x.load(std::memory_order::acquire);"}}),
            complaints{"toy.hpp names memory_order"});
  EXPECT_EQ(check_orders({{"native.hpp", "std::memory_order_acquire"}}), complaints{});
}

TEST(SitesPlanted, OperationsOfAnUncheckedTableAreFound) {
  EXPECT_EQ(check_tables({{"toy.hpp", planted}}, {"other_orders"}),
            complaints{"toy.hpp uses toy_orders, which no test checks"});
  EXPECT_EQ(check_tables({{"toy.hpp", "x.load(at<\"take\">);"}}, {"toy_orders"}),
            complaints{"toy.hpp has operations of no one table"});
}

}  // namespace
