// How many processors a program may use: control groups made up in a folder, and the affinity mask.
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sched.h>
#include <string>
#include <thread>
#include <unistd.h>

#include <licit/scheduler/processors.hpp>
#include <licit/scheduler/scheduler_options.hpp>

#include <gtest/gtest.h>

namespace {

using licit::detail::processors_of_mask;
using licit::detail::quota_of_groups;
using licit::detail::usable_processors;

/// A machine's files under a folder of their own.
class Processors : public testing::Test {
 protected:
  Processors() {
    std::string pattern = std::filesystem::temp_directory_path() / "licit-processors-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::filesystem::filesystem_error("mkdtemp", pattern, {});
    root_ = pattern;
  }
  ~Processors() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text << "\n";
  }
  /// Version 2, in a group of that name.
  void unified(const std::string& group, const std::string& mounted = "/") const {
    write("/proc/self/cgroup", "0::" + group);
    write("/proc/self/mountinfo",
          "22 1 0:20 / /proc rw - proc proc rw\n"
          "30 23 0:26 " +
              mounted + " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate");
  }
  [[nodiscard]] std::optional<std::size_t> quota() const { return quota_of_groups(root_); }

  std::string root_;
};

TEST_F(Processors, WithoutGroupsThereIsNoQuota) {
  EXPECT_EQ(quota(), std::nullopt);
  EXPECT_EQ(usable_processors(root_), processors_of_mask());
}

TEST_F(Processors, AQuotaIsRoundedUpAndAtLeastOne) {
  unified("/app");
  for (const auto& [text, expected] : {std::pair{"200000 100000", 2},
                                       {"250000 100000", 3},
                                       {"1 100000", 1},
                                       {"100000 100000", 1},
                                       {"100001 100000", 2},
                                       {"0 100000", 1}}) {
    write("/sys/fs/cgroup/app/cpu.max", text);
    EXPECT_EQ(quota(), expected) << text;
  }
}

TEST_F(Processors, WhatIsNoLimitIsNone) {
  unified("/app");
  for (const char* text : {"max 100000", "", "max", "100000", "100000 0", "-1 100000", "1e5 100000", "100000 100000 1",
                           "99999999999999999999 1"}) {
    write("/sys/fs/cgroup/app/cpu.max", text);
    EXPECT_EQ(quota(), std::nullopt) << text;
  }
}

TEST_F(Processors, TheLeastOfAllGroupsAboveCounts) {
  unified("/slice/app/worker");
  write("/sys/fs/cgroup/slice/app/worker/cpu.max", "max 100000");
  write("/sys/fs/cgroup/slice/cpu.max", "300000 100000");
  EXPECT_EQ(quota(), 3U);
  write("/sys/fs/cgroup/slice/app/cpu.max", "800000 100000");
  EXPECT_EQ(quota(), 3U);
  write("/sys/fs/cgroup/slice/app/worker/cpu.max", "150000 100000");
  EXPECT_EQ(quota(), 2U);
  write("/sys/fs/cgroup/other/cpu.max", "100000 100000");
  EXPECT_EQ(quota(), 2U) << "another's";
}

TEST_F(Processors, AContainerSeesItsOwnGroupAtTheTop) {
  unified("/docker/abc", "/docker/abc");  // without a namespace of its own
  write("/sys/fs/cgroup/cpu.max", "400000 100000");
  EXPECT_EQ(quota(), 4U);
  unified("/docker/abc/inner", "/docker/abc");
  write("/sys/fs/cgroup/inner/cpu.max", "200000 100000");
  EXPECT_EQ(quota(), 2U);
  unified("/docker/abcdef", "/docker/abc");  // another's, which the mount does not show
  EXPECT_EQ(quota(), 4U);
  unified("/../../elsewhere");  // with a namespace that was left
  EXPECT_EQ(quota(), 4U);
}

TEST_F(Processors, TheFirstVersionHasAQuotaAndAPeriod) {
  write("/proc/self/cgroup", "12:memory:/app\n4:cpu,cpuacct:/slice/app\n3:cpuset:/\n1:name=systemd:/\n0::/");
  write("/proc/self/mountinfo",
        "31 25 0:27 / /sys/fs/cgroup/my\\040cpu rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
        "32 25 0:28 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset");
  EXPECT_EQ(quota(), std::nullopt);
  write("/sys/fs/cgroup/my cpu/slice/app/cpu.cfs_quota_us", "-1");
  write("/sys/fs/cgroup/my cpu/slice/app/cpu.cfs_period_us", "100000");
  EXPECT_EQ(quota(), std::nullopt);
  write("/sys/fs/cgroup/my cpu/slice/cpu.cfs_quota_us", "50000");
  write("/sys/fs/cgroup/my cpu/slice/cpu.cfs_period_us", "20000");
  EXPECT_EQ(quota(), 3U);
  write("/sys/fs/cgroup/cpuset/cpu.cfs_quota_us", "1");
  write("/sys/fs/cgroup/cpuset/cpu.cfs_period_us", "1");
  EXPECT_EQ(quota(), 3U) << "of another controller";
}

TEST_F(Processors, BothVersionsMayBeMounted) {
  write("/proc/self/cgroup", "4:cpu:/app\n0::/app");
  write("/proc/self/mountinfo",
        "31 25 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
        "32 25 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw");
  write("/sys/fs/cgroup/cpu/app/cpu.cfs_quota_us", "500000");
  write("/sys/fs/cgroup/cpu/app/cpu.cfs_period_us", "100000");
  EXPECT_EQ(quota(), 5U);
  write("/sys/fs/cgroup/unified/app/cpu.max", "600000 100000");
  EXPECT_EQ(quota(), 5U);
}

TEST_F(Processors, TheLessOfQuotaAndMaskIsUsable) {
  unified("/app");
  write("/sys/fs/cgroup/app/cpu.max", "100000 100000");
  EXPECT_EQ(usable_processors(root_), 1U);
  const std::size_t mask = processors_of_mask();
  for (const std::size_t quota : {mask, mask + 1, std::size_t{1'000'000}}) {
    write("/sys/fs/cgroup/app/cpu.max", std::to_string(quota) + "00000 100000");
    EXPECT_EQ(usable_processors(root_), mask) << quota;
  }
}

TEST_F(Processors, TheMaskCounts) {
  std::size_t all = 0;
  std::size_t one = 0;
  std::size_t default_workers = 0;
  std::thread([&] {
    all = processors_of_mask();
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(sched_getcpu(), &set);
    ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
    one = processors_of_mask();
    default_workers = licit::scheduler_options{}.resolved_workers();
  }).join();
  EXPECT_GE(all, 1U);
  EXPECT_EQ(one, 1U);
  EXPECT_EQ(default_workers, 1U);
  EXPECT_EQ(processors_of_mask(), all);
}

}  // namespace
