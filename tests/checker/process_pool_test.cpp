/// Processes with one result each: the results arrive, and a process that fails is named.
#include <cerrno>
#include <chrono>
#include <csignal>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <licit/checker/process_pool.hpp>

#include <gtest/gtest.h>

namespace licit::checker_test {
namespace {

using checker::process_pool;

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD; }

process_pool::ended result_of(const process_pool::task& work) {
  process_pool pool(1);
  pool.start(work);
  return *pool.wait();
}

TEST(process_pool, brings_what_tasks_return) {
  const std::string large(1'000'000, 'x');
  EXPECT_EQ(result_of([&] { return large; }).output, large);
  EXPECT_EQ(result_of([] { return std::string(); }).output, "");
  EXPECT_EQ(result_of([] { return std::string(); }).failure, "");
}

TEST(process_pool, says_how_a_process_failed) {
  EXPECT_EQ(result_of([]() -> std::string { throw std::runtime_error("no"); }).failure, "threw: no");
  EXPECT_EQ(result_of([]() -> std::string { ::_exit(3); }).failure, "ended without a result (status 3)");
  EXPECT_EQ(result_of([]() -> std::string {
              std::raise(SIGKILL);
              return "";
            }).failure,
            "ended by signal 9 (Killed)");
}

TEST(process_pool, runs_so_many_at_a_time_and_each_once) {
  std::vector<process_pool::task> tasks;
  for (int i = 0; i != 20; ++i) tasks.emplace_back([i] { return std::to_string(i); });
  std::set<std::string> outputs;
  checker::run_all(tasks, 3, [&](const process_pool::ended& e) {
    EXPECT_EQ(e.output, std::to_string(e.number));
    outputs.insert(e.output);
  });
  EXPECT_EQ(outputs.size(), 20U);
  EXPECT_FALSE(has_children());

  process_pool pool(2);
  const auto sleeper = [] {
    ::pause();
    return std::string();
  };
  pool.start(sleeper);
  EXPECT_FALSE(pool.full());
  pool.start(sleeper);
  EXPECT_TRUE(pool.full());
}

TEST(process_pool, gives_up_waiting_and_kills_what_is_left) {
  {
    process_pool pool(1);
    pool.start([] {
      ::pause();
      return std::string();
    });
    EXPECT_FALSE(pool.wait(std::chrono::milliseconds(20)).has_value());
    EXPECT_FALSE(pool.idle());
  }
  EXPECT_FALSE(has_children());
}

TEST(process_pool, runs_commands) {
  const auto said = checker::run_command({"sh", "-c", "echo out; echo err >&2; exit 7"});
  EXPECT_EQ(said.output, "out\nerr\n");
  EXPECT_EQ(said.status, 7);
  EXPECT_EQ(said.failure, "");
  EXPECT_EQ(checker::run_command({"/nowhere/no-such-program"}).status, 127);
  EXPECT_EQ(checker::run_command({"sh", "-c", "kill -9 $$"}).failure, "ended by signal 9 (Killed)");
}

}  // namespace
}  // namespace licit::checker_test
