/// Tasks in processes of their own.
#include "machine/matrix/pool.hpp"

#include <csignal>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using licit::matrix::ended;
using licit::matrix::task;

std::map<std::size_t, ended> run(const std::vector<task>& tasks, unsigned jobs) {
  std::map<std::size_t, ended> all;
  licit::matrix::run_all(tasks, jobs, [&](const ended& e) { EXPECT_TRUE(all.emplace(e.index, e).second); });
  return all;
}

TEST(Pool, EveryTaskIsDoneOnce) {
  for (const unsigned jobs : {1U, 3U}) {
    std::vector<task> tasks;
    for (int i = 0; i != 10; ++i)
      tasks.emplace_back([i] { return std::string(static_cast<std::size_t>(i) * 20'000, 'x'); });
    const auto all = run(tasks, jobs);
    ASSERT_EQ(all.size(), 10U);
    for (const auto& [index, e] : all) {
      EXPECT_EQ(e.result.size(), index * 20'000);
      EXPECT_EQ(e.failure, "");
    }
  }
}

TEST(Pool, ACrashIsATasksOwn) {
  const auto all = run({[] { return std::raise(SIGSEGV) == 0 ? "" : "?"; },
                        []() -> std::string { throw std::runtime_error("no such thing"); },
                        []() -> std::string { std::_Exit(7); }, [] { return "fine"; }},
                       2);
  EXPECT_EQ(all.at(0).failure, "the process ended by signal 11");
  EXPECT_EQ(all.at(1).failure, "no such thing");
  EXPECT_EQ(all.at(2).failure, "the process ended with status 7");
  EXPECT_EQ(all.at(3).result, "fine");
}

}  // namespace
