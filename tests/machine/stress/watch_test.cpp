// Whatever a program does, it ends, and what it did is told: each way to fail is planted, and one that is right stays
// clean.
#include "machine/stress/watch.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "machine/qemu/guest.hpp"
#include "machine/stress/instances.hpp"
#include "machine/stress/model.hpp"
#include "machine/stress/options.hpp"
#include "machine/stress/report.hpp"
#include "suites/program.hpp"

namespace {

using licit::order;
using licit::stress::result;
using licit::stress::subject;
using licit::stress::task;
using licit::stress::watch;
using licit::suites::program_info;
using licit::suites::reach;
using plain_model = licit::stress::model<>;

constexpr licit::stress::patience little{.asleep = 0.3, .endless = 0.5};

template <class Program>
result run(std::uint64_t executions = 2000, std::uint64_t first = 0) {
  const subject s = licit::stress::subject_of<Program>();
  return watch({.what = &s, .seed = 1, .first = first, .executions = executions, .seconds = 60}, false, little);
}

/// Two threads that count; what is wrong comes with the derived.
struct counting {
  static constexpr program_info about{"counting", "no count is lost", 2, reach::none};
  void thread(unsigned /*i*/) {
    plain_model::leaves_out("count");
    count_.fetch_add(1, order::relaxed);
  }
  void finish() { plain_model::check(count_.load(order::relaxed) == 2, "a count was lost"); }

 protected:
  plain_model::atomic<unsigned> count_;
};

TEST(Watch, WhatIsRightStaysClean) {
  const result r = run<counting>(5000);
  EXPECT_FALSE(r.caught) << r.what;
  EXPECT_EQ(r.executions, 5000U);
}

struct losing : counting {
  void thread(unsigned i) {
    if (i == 0 || licit::stress::execution_number != 1234) counting::thread(i);
  }
};
TEST(Watch, ACheckSaysInWhichExecutionItFailed) {
  const result r = run<losing>();
  EXPECT_TRUE(r.caught);
  EXPECT_EQ(r.kind, "check");
  EXPECT_EQ(r.what, "a count was lost");
  EXPECT_EQ(r.executions, 1234U);
  EXPECT_EQ(run<losing>(100, 1200).executions, 34U) << "the same one, begun nearer to it";
  EXPECT_FALSE(run<losing>(100, 1300).caught);
}

struct forgotten : counting {
  void thread(unsigned i) {
    if (i == 1) licit::futex_wait(word_, 0);
  }
  void finish() {}

 private:
  std::atomic<std::uint32_t> word_{0};
};
TEST(Watch, AThreadThatSleepsForEver) {
  const result r = run<forgotten>();
  EXPECT_EQ(r.kind, "hang");
  EXPECT_EQ(r.what, "hang: each thread that has not ended sleeps");
}

struct looking : counting {
  void thread(unsigned i) {
    if (i == 1) (void)count_.await([](unsigned c) { return c == 7; }, order::relaxed);
  }
  void finish() {}
};
TEST(Watch, AThreadThatLooksNowAndThenForEver) {
  const result r = run<looking>();
  EXPECT_EQ(r.kind, "hang");
  // Where the machine is so busy that whoever wants to look has to wait for a processor, the time it takes tells.
  EXPECT_TRUE(r.what == "hang: a thread sleeps, looks and sleeps again" ||
              r.what == "hang: an execution goes on and on")
      << r.what;
}

struct turning : counting {
  void thread(unsigned /*i*/) {
    while (count_.load(order::relaxed) == 0) {
    }
  }
};
TEST(Watch, ALoopThatNobodyEnds) {
  const result r = run<turning>();
  EXPECT_EQ(r.kind, "hang");
  EXPECT_EQ(r.what, "hang: an execution goes on and on");
  EXPECT_EQ(r.executions, 1U);
}

std::array<int, 2> pipe_ends{};
struct turning_audibly : turning {
  void thread(unsigned i) {
    if (i == 0 && write(pipe_ends[1], "!", 1) != 1) return;
    turning::thread(i);
  }
};
TEST(Watch, WhatNobodyWatchesAnyMoreEnds) {
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  const pid_t watcher = fork();
  if (watcher == 0) {
    const subject s = licit::stress::subject_of<turning_audibly>();
    watch({.what = &s, .seed = 1, .executions = 1, .seconds = 60}, false, {.asleep = 600, .endless = 600});
    _exit(0);
  }
  close(pipe_ends[1]);
  char byte = 0;
  ASSERT_EQ(read(pipe_ends[0], &byte, 1), 1);
  ASSERT_EQ(kill(watcher, SIGKILL), 0);
  EXPECT_EQ(read(pipe_ends[0], &byte, 1), 0) << "the pipe ends with the last process that has it, the watched one";
  close(pipe_ends[0]);
  waitpid(watcher, nullptr, 0);
}

TEST(Sanitizer, SaysWhatItFoundWithoutWhereItWasBuilt) {
  const auto said = [](const std::string& line) {
    return licit::stress::sanitizer::summary("words\nSUMMARY: ThreadSanitizer: " + line + "\nmore");
  };
  EXPECT_EQ(said("data race /home/me/licit/deque/native.hpp:135:43 in read<int>()"),
            "ThreadSanitizer: data race native.hpp:135:43 in read");
  EXPECT_EQ(said("data race (/home/me/build/licit_stress_split+0x64) (BuildId: 4d4e) in __tsan_memset"),
            "ThreadSanitizer: data race in __tsan_memset");
}

struct crashing : counting {
  void thread(unsigned i) {
    if (i == 1) (void)std::raise(SIGSEGV);
  }
};
TEST(Watch, ACrash) {
  const result r = run<crashing>();
  EXPECT_EQ(r.kind, "crash");
  EXPECT_EQ(r.what, "crash: Segmentation fault");
}

/// As the plugin does when it cannot go on, after the guest has found something.
template <int Status>
struct giving_up : counting {
  void thread(unsigned i) {
    if (i == 0) return;
    licit::stress::on_failure().to->say("a count was lost");
    std::fputs("licit's plugin: an access that it does not know\n", stderr);
    _exit(Status);
  }
};
template <class Program>
void expect_no_verdict(int status) {
  try {
    const result r = run<Program>();
    ADD_FAILURE() << "a verdict: " << r.what;
  } catch (const licit::stress::no_verdict& e) {
    EXPECT_EQ(e.status, status);
    EXPECT_NE(std::string(e.what()).find("an access that it does not know"), std::string::npos) << e.what();
  }
}
TEST(Watch, APluginThatGivesUpIsNoVerdict) {
  expect_no_verdict<giving_up<licit::qemu::gave_up>>(licit::qemu::gave_up);
  expect_no_verdict<giving_up<licit::qemu::forbidden>>(licit::qemu::forbidden);
}
TEST(Watch, AnyOtherEndAfterAFailureIsOne) { EXPECT_EQ(run<giving_up<1>>().what, "a count was lost"); }

struct throwing : counting {
  void thread(unsigned i) {
    if (i == 1) throw std::runtime_error("no");
  }
};
TEST(Watch, AnExceptionThatLeavesAThread) { EXPECT_EQ(run<throwing>().what, "an exception left a thread"); }

struct leaking : counting {
  leaking() { (void)plain_model::memory()->allocate(8); }
};
TEST(Watch, MemoryThatIsNotFreed) { EXPECT_EQ(run<leaking>().what, "memory is not freed at the end"); }

struct freeing : counting {
  freeing() : piece_{plain_model::memory()->allocate(8)} {}
  void thread(unsigned i) {
    counting::thread(i);
    plain_model::memory()->deallocate(piece_, 8);
  }

 private:
  void* piece_;
};
TEST(Watch, MemoryThatIsFreedTwice) { EXPECT_EQ(run<freeing>().what, "memory is freed twice"); }

struct reading_what_is_gone : counting {
  reading_what_is_gone() : piece_{static_cast<int*>(plain_model::memory()->allocate(sizeof(int)))} { *piece_ = 7; }
  void finish() {
    plain_model::memory()->deallocate(piece_, sizeof(int));
    plain_model::check(*piece_ == 7, "what was freed is spoilt");
  }

 private:
  int* piece_;
};
TEST(Watch, WhatIsFreedIsSpoilt) { EXPECT_EQ(run<reading_what_is_gone>().what, "what was freed is spoilt"); }

struct allocating : counting {
  void thread(unsigned i) {
    counting::thread(i);
    const std::vector<int> some(10, 1);
    const auto* const at = reinterpret_cast<const std::byte*>(some.data());
    plain_model::check(at >= licit::stress::arena::begin() && at < licit::stress::arena::end(),
                       "what a program takes by new lies in the region");
  }
};
TEST(Watch, NewTakesFromTheRegion) { EXPECT_FALSE(run<allocating>().caught); }

/// The JSON of the stress executables, as others read it.

using licit::stress::found_by;
using licit::stress::json_of;
using nlohmann::json;

const found_by lost{"unpark.swap relaxed", "token", 7, {77, 0.5, true, "check", "one \"token\"\nlost \\"}};
const found_by nothing{"unpark.swap relaxed", "twice", 7, {100, 1, false, "", ""}};

TEST(Findings, AreJson) {
  const json j = json::parse(json_of("parker", "", {lost, nothing}));
  EXPECT_FALSE(j.contains("machine"));
  ASSERT_EQ(j["results"].size(), 2U);
  const json& first = j["results"][0];
  EXPECT_EQ(first["structure"], "parker");
  EXPECT_EQ(first["row"], "unpark.swap relaxed");
  EXPECT_EQ(first["program"], "token");
  EXPECT_EQ(first["seed"], 7);
  EXPECT_EQ(first["executions"], 77);
  EXPECT_EQ(first["seconds"], 0.5);
  EXPECT_EQ(first["caught"], true);
  EXPECT_EQ(first["kind"], "check");
  EXPECT_EQ(first["what"], "one \"token\" lost \\");
  EXPECT_EQ(j["results"][1]["caught"], false);
}

TEST(Findings, SayOnWhatMachine) {
  const json j = json::parse(json_of("parker", "Model \"A\", 4 processors", {lost}));
  EXPECT_EQ(j["machine"], "Model \"A\", 4 processors");
  EXPECT_EQ(j["results"].size(), 1U);
}

TEST(Findings, MayBeNone) {
  EXPECT_TRUE(json::parse(json_of("parker", "", {}))["results"].empty());
  EXPECT_TRUE(json::parse(json_of("parker", "any", {}))["results"].empty());
}

}  // namespace

// The command line of the stress executables.

namespace {

licit::stress::options parsed(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& w : words) pointers.push_back(w.data());
  return licit::stress::parse(pointers);
}

std::string refused(const std::vector<std::string>& words) {
  try {
    parsed(words);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing";
}

TEST(StressOptions, AreRead) {
  const auto o = parsed({"--row", "pop.fence removed", "--executions", "12", "--seconds", "0.5", "--seeds", "3",
                         "--json", "file", "--machine", "a big one", "--list"});
  EXPECT_EQ(o.row, "pop.fence removed");
  EXPECT_EQ(o.executions, 12U);
  EXPECT_EQ(o.seconds, 0.5);
  EXPECT_EQ(o.seeds, 3U);
  EXPECT_EQ(o.json, "file");
  EXPECT_EQ(o.machine, "a big one");
  EXPECT_TRUE(o.list);
}

TEST(StressOptions, AreRefusedInWords) {
  EXPECT_EQ(refused({"--rows", "x"}), "there is no option --rows");
  EXPECT_EQ(refused({"--row"}), "--row has no value");
  EXPECT_EQ(refused({"--executions", "many"}), "--executions: not a number: many");
  EXPECT_EQ(refused({"--seconds", "-1"}), "--seconds: not a number: -1");
}

}  // namespace
