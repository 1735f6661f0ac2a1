/// Tasks in processes: their messages, their order, and what becomes of one that fails.
#include "processes.hpp"

#include <csignal>
#include <map>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

namespace licit::tool {
namespace {

task saying(std::string name, std::vector<std::string> messages) {
  return {std::move(name), [messages = std::move(messages)](const sender& say) {
            for (const std::string& m : messages) say(m);
          }};
}

TEST(Processes, PassOnEveryMessageBeforeTheEnd) {
  const std::string large(1 << 20, 'x');
  const std::vector<task> tasks{saying("a", {"1", "", large}), saying("b", {}), saying("c", {"2"})};
  for (const unsigned jobs : {1U, 2U, 8U}) {
    std::map<std::size_t, std::vector<std::string>> heard;
    std::vector<std::size_t> ended;
    run(tasks, jobs,
        {.heard =
             [&](std::size_t i, std::string_view m) {
               EXPECT_EQ(std::count(ended.begin(), ended.end(), i), 0);
               heard[i].emplace_back(m);
             },
         .ended = [&](std::size_t i) { ended.push_back(i); }});
    EXPECT_EQ(heard[0], (std::vector<std::string>{"1", "", large}));
    EXPECT_TRUE(heard[1].empty());
    EXPECT_EQ(heard[2], std::vector<std::string>{"2"});
    EXPECT_EQ(ended.size(), 3U);
  }
}

std::string failure(std::function<void(const sender&)> what) {
  try {
    run({saying("good", {"1"}), {"bad", std::move(what)}, saying("later", {})}, 2,
        {.heard = [](std::size_t, std::string_view) {}});
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "none";
}

TEST(Processes, NameTheTaskThatFails) {
  EXPECT_EQ(failure([](const sender&) { throw std::logic_error("no good"); }), "bad: no good");
  EXPECT_EQ(failure([](const sender&) { _exit(3); }), "bad: its process ended too early");
  EXPECT_EQ(failure([](const sender&) { ::raise(SIGKILL); }), "bad: its process was ended by signal 9 (Killed)");
  EXPECT_EQ(failure([](const sender&) {}), "none");
}

TEST(Processes, HaveTheirOwnMemory) {
  int number = 0;
  run({{"writes", [&](const sender&) { number = 1; }}}, 1, {.heard = [](std::size_t, std::string_view) {}});
  EXPECT_EQ(number, 0);
}

}  // namespace
}  // namespace licit::tool
