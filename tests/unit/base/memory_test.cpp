// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// How much memory there is: of files as systems write them, in a directory in place of "/", and of
// the process itself under a limit.

#include <genten/base/error.hpp>
#include <genten/base/memory.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "limits.hpp"

namespace {

namespace fs = std::filesystem;
using genten::detail::available_bytes;
using genten::detail::memory_facts;
using genten::detail::no_limit;

constexpr double mebi = 1024.0 * 1024.0;

/// Files of a system of one's own.
class AvailableMemory : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "genten-memory-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root = name;
    write("/proc/meminfo", "MemTotal:  8388608 kB\nMemFree:  1024 kB\nMemAvailable:  4194304 kB\n");
    write("/proc/self/limits",
          "Limit                     Soft Limit           Hard Limit           Units     \n"
          "Max cpu time              unlimited            unlimited            seconds   \n"
          "Max data size             unlimited            unlimited            bytes     \n"
          "Max address space         unlimited            unlimited            bytes     \n");
    write("/proc/self/status", "Name:\ttool\nVmSize:\t  102400 kB\nVmData:\t   20480 kB\n");
  }
  void TearDown() override { fs::remove_all(root); }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories(fs::path(root + file).parent_path());
    std::ofstream(root + file) << text;
  }
  void group(const std::string& directory, const std::string& limit, double used,
             double cache = 0.0) const {
    write(directory + "/memory.max", limit + "\n");
    write(directory + "/memory.current", std::to_string(static_cast<long>(used)) + "\n");
    write(directory + "/memory.stat", "anon 1\nfile 77777777777\nactive_file " +
                                          std::to_string(static_cast<long>(cache)) +
                                          "\ninactive_file 0\n");
  }
  void version_2(const std::string& own, const std::string& mounted_root = "/") const {
    write("/proc/self/cgroup", "0::" + own + "\n");
    write("/proc/self/mountinfo", "25 30 0:23 " + mounted_root +
                                      " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  }
  [[nodiscard]] double available() const { return available_bytes(memory_facts(root)); }

  std::string root;
};

TEST_F(AvailableMemory, OfTheMachine) {
  EXPECT_EQ(available(), 4096 * mebi);
}

TEST_F(AvailableMemory, WithoutAnyFilesNothingIsLimited) {
  EXPECT_EQ(available_bytes(memory_facts(root + "/absent")), no_limit);
}

TEST_F(AvailableMemory, OfAGroupOfVersion2) {
  version_2("/work/job");
  group("/sys/fs/cgroup/work/job", std::to_string(1500L << 20), 500 * mebi);
  EXPECT_EQ(available(), 1000 * mebi);
  group("/sys/fs/cgroup/work/job", "max", 500 * mebi);
  EXPECT_EQ(available(), 4096 * mebi);
}

TEST_F(AvailableMemory, PageCacheOfAGroupCountsAsFree) {
  version_2("/job");
  group("/sys/fs/cgroup/job", std::to_string(1500L << 20), 1400 * mebi, 1300 * mebi);
  EXPECT_EQ(available(), 1400 * mebi);
}

TEST_F(AvailableMemory, GroupsAroundTheOwnCount) {
  version_2("/outer/middle/own");
  group("/sys/fs/cgroup/outer/middle/own", "max", 1 * mebi);
  group("/sys/fs/cgroup/outer", std::to_string(600L << 20), 200 * mebi);
  EXPECT_EQ(available(), 400 * mebi);
}

TEST_F(AvailableMemory, AContainerSeesItsGroupAsTheRoot) {
  version_2("/docker/123", "/docker/123");
  group("/sys/fs/cgroup", std::to_string(300L << 20), 100 * mebi);
  EXPECT_EQ(available(), 200 * mebi);
  version_2("/../elsewhere", "/docker/123");  // a process of another container
  EXPECT_EQ(available(), 200 * mebi);
}

TEST_F(AvailableMemory, OfGroupsOfVersion1) {
  write("/proc/self/cgroup", "9:name=systemd:/a\n4:cpu,memory:/jobs/own\n1:cpuset:/x\n0::/b\n");
  write("/proc/self/mountinfo",
        "34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
        "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,cpu,memory\n"
        "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  const std::string own = "/sys/fs/cgroup/memory/jobs/own";
  write(own + "/memory.limit_in_bytes", "9223372036854771712\n");
  write(own + "/memory.usage_in_bytes", "1000\n");
  EXPECT_EQ(available(), 4096 * mebi);
  const std::string around = "/sys/fs/cgroup/memory/jobs";
  write(around + "/memory.limit_in_bytes", std::to_string(256L << 20) + "\n");
  write(around + "/memory.usage_in_bytes", std::to_string(100L << 20) + "\n");
  write(around + "/memory.stat",
        "active_file 5\ntotal_active_file 1048576\n"
        "total_inactive_file 1048576\ntotal_rss 12345\n");
  EXPECT_EQ(available(), 158 * mebi);
}

TEST_F(AvailableMemory, OfLimitsOnAddressSpaceAndData) {
  write("/proc/self/limits", "Max address space         1073741824   unlimited   bytes     \n");
  EXPECT_EQ(available(), (1024 - 100) * mebi);
  write("/proc/self/limits",
        "Max address space         1073741824   unlimited   bytes     \n"
        "Max data size             536870912    unlimited   bytes     \n");
  EXPECT_EQ(available(), (512 - 20) * mebi);
}

TEST_F(AvailableMemory, WhatIsOverItsLimitLeavesNothing) {
  write("/proc/self/limits", "Max address space         1048576      unlimited   bytes     \n");
  EXPECT_EQ(available(), 0.0);
}

TEST_F(AvailableMemory, FilesThatAreNotUnderstoodLimitNothing) {
  version_2("/job");
  write("/sys/fs/cgroup/job/memory.max", "a few\n");
  write("/sys/fs/cgroup/job/memory.current", "7\n");
  write("/proc/self/limits", "Max address space\n");
  write("/proc/self/mountinfo", "\n1 2 3\n25 30 0:23 / /sys/fs/cgroup rw - cgroup2\n");
  EXPECT_EQ(available(), 4096 * mebi);
}

/// Runs `check` in a process of its own; whether it returned true.
bool in_a_child(const std::function<bool()>& check) {
  const pid_t child = fork();
  if (child == 0) _exit(check() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(AvailableMemoryOfThisProcess, KnowsItsLimitOnAddressSpace) {
  if (!genten_test::address_space_can_be_limited()) GTEST_SKIP() << "no limit is kept here";
  EXPECT_TRUE(in_a_child([] {
    const double before = genten::available_memory<genten::HostExec>();
    const double used = memory_facts().address_space.used;
    const auto most = static_cast<rlim_t>(used + 64 * mebi);
    const rlimit limit{most, most};
    if (used <= 0.0 || setrlimit(RLIMIT_AS, &limit) != 0) return false;
    const double after = genten::available_memory<genten::HostExec>();
    return before > 64 * mebi && after > 32 * mebi && after <= 64 * mebi;
  }));
}

TEST(AvailableMemoryOfThisProcess, KnowsTheLimitOfItsGroup) {
  const fs::path parent = "/sys/fs/cgroup/memory";
  const fs::path group = parent / ("genten-test-" + std::to_string(getpid()));
  std::error_code error;
  if (!fs::exists(parent / "memory.limit_in_bytes") || !fs::create_directory(group, error)) {
    GTEST_SKIP() << "no control group can be made here";
  }
  std::ofstream(group / "memory.limit_in_bytes") << (96L << 20);
  const bool known = in_a_child([&] {
    std::ofstream(group / "cgroup.procs") << getpid();
    const double available = genten::available_memory<genten::HostExec>();
    return available > 32 * mebi && available <= 96 * mebi;
  });
  fs::remove(group, error);
  EXPECT_TRUE(known);
}

std::string refusal_of(const genten::MemoryRequest& request) {
  try {
    genten::require_memory(request);
  } catch (const genten::Error& error) {
    EXPECT_EQ(error.kind(), genten::Error::Kind::memory);
    return error.what();
  }
  return "";
}

TEST(RequireMemory, SaysWhatIsNeededAndWhatThereIs) {
  genten::MemoryRequest request{.what = "x.tns: something",
                                .parts = {{"tensor", 2 * mebi}, {"none", 0}, {"model", mebi}},
                                .available = 3 * mebi};
  EXPECT_EQ(refusal_of(request), "");
  request.available = 2.5 * mebi;
  EXPECT_EQ(refusal_of(request),
            "x.tns: something needs 3 MiB of memory (tensor 2 MiB, model 1 MiB), available are "
            "2.5 MiB");
  request.device = request.allowed = true;
  request.remedy = "rank 2 would fit";
  EXPECT_EQ(refusal_of(request),
            "x.tns: something needs 3 MiB of device memory (tensor 2 MiB, model 1 MiB), allowed "
            "are 2.5 MiB; rank 2 would fit");
}

TEST(RequireMemory, NumbersThatLookAlikeAreWrittenOut) {
  EXPECT_EQ(refusal_of({.what = "it", .parts = {{"x", mebi + 1}}, .available = mebi}),
            "it needs 1048577 bytes of memory, available are 1048576 bytes");
}

TEST(FormatBytes, WithThreeDigitsAndAUnit) {
  EXPECT_EQ(genten::format_bytes(0), "0 bytes");
  EXPECT_EQ(genten::format_bytes(1023), "1023 bytes");
  EXPECT_EQ(genten::format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(genten::format_bytes(3.0 * 1024 * mebi), "3 GiB");
  EXPECT_EQ(genten::format_bytes(1023 * 1024), "1023 KiB");
  EXPECT_EQ(genten::format_bytes(0x1.0p70), "1024 EiB");
}

}  // namespace
