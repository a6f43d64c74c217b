// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "io_support.hpp"

#include <genten/io/atomic_file.hpp>

#include <sys/stat.h>

#include <fcntl.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <thread>

namespace genten::test {
namespace {

namespace fs = std::filesystem;

class Atomic : public FileTest {};

TEST_F(Atomic, AppearsWhenComplete) {
  {
    AtomicFile out(path());
    out.write("half");
    EXPECT_FALSE(fs::exists(path()));
    EXPECT_EQ(names().size(), 1U);  // the temporary file, in the same directory
    out.write(std::string(200000, 'x'));
    out.write(" and half");
    out.commit();
  }
  EXPECT_EQ(content_of(path()), "half" + std::string(200000, 'x') + " and half");
  EXPECT_EQ(names(), std::vector<std::string>{"file"});
}

TEST_F(Atomic, LeavesTheOldFileWithoutCommit) {
  file("old");
  {
    AtomicFile out(path());
    out.write("new");
  }
  EXPECT_EQ(content_of(path()), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"file"});
  write_file(path(), "new");
  EXPECT_EQ(content_of(path()), "new");
}

TEST_F(Atomic, ProgramsThatEndRemoveWhatIsTemporary) {
  file("old");
  AtomicFile first(path()), second(path("second")), third(path("third"));
  first.write("new");
  third.commit();
  EXPECT_EQ(names().size(), 4U);
  remove_temporary_files();
  EXPECT_EQ(names(), (std::vector<std::string>{"file", "third"}));
  EXPECT_EQ(content_of(path()), "old");
}

TEST_F(Atomic, TemporaryFilesMayBeRemovedWhileOtherThreadsWrite) {
  std::atomic<bool> writing{true};
  std::thread remover([&] {
    while (writing) {
      remove_temporary_files();
      std::this_thread::yield();
    }
  });
  for (int i = 0; i < 200; ++i) {
    // Names too long for the strings' own space: what is freed too soon is found by the sanitizer.
    AtomicFile first(path("a name that is longer than a string holds without an allocation"));
    AtomicFile second(path("b"));
  }
  writing = false;
  remover.join();
  EXPECT_TRUE(names().empty());
}

TEST_F(Atomic, LeavesNothingWhenTheDiskIsFull) {
  // A limit on the length of files stands in for a full disk.
  file("old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit low{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &low);
  const std::string message = error_of([&] { write_file(path(), std::string(100000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(contains(message, "file: cannot be written: File too large"));
  EXPECT_EQ(content_of(path()), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"file"});
}

TEST_F(Atomic, KeepsPermissions) {
  file("old");
  fs::permissions(path(), fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  write_file(path(), "new");
  EXPECT_EQ(fs::status(path()).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

TEST_F(Atomic, IsTheOwnersAloneUntilItHasThePermissionsOfWhatItReplaces) {
  file("old");
  fs::permissions(path(), fs::perms::owner_read | fs::perms::others_read);
  AtomicFile written(path());
  EXPECT_EQ(fs::status(written.temporary_name()).permissions(),
            fs::perms::owner_read | fs::perms::owner_write)
      << "others who write at places can open it";
  written.commit();
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_read | fs::perms::others_read);
}

TEST_F(Atomic, ReplacesTheTargetOfALink) {
  file("old", "target");
  fs::create_symlink("target", path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content_of(path("target")), "new");
}

TEST_F(Atomic, WritesToDevicesDirectly) {
  write_file("/dev/null", "nothing");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Atomic, ConcurrentWritersDoNotMeet) {
  AtomicFile a(path());
  AtomicFile b(path());
  a.write("a");
  b.write("b");
  a.commit();
  EXPECT_EQ(content_of(path()), "a");
  b.commit();
  EXPECT_EQ(content_of(path()), "b");
}

TEST_F(Atomic, RefusesWhatCannotBeWritten) {
  EXPECT_TRUE(contains(error_of([&] { write_file(directory().string(), "x"); }),
                       "cannot be written: it is a directory"));
  EXPECT_TRUE(contains(error_of([&] { write_file(path("absent/file"), "x"); }),
                       "absent/file: cannot be written: No such file or directory"));
}

}  // namespace
}  // namespace genten::test
