// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Descriptors of files: any number will do, none is left open, none reaches another program.
#include "../../../src/io/file/file_content.hpp"
#include "io_support.hpp"

#include <genten/io/atomic_file.hpp>

#include <fcntl.h>

#include <map>

namespace genten::test {
namespace {

class Descriptors : public FileTest {
 protected:
  /// The flags of all open descriptors, by number.
  static std::map<int, int> open_ones() {
    std::map<int, int> found;
    for (int descriptor = 0; descriptor < 1024; ++descriptor) {
      const int flags = fcntl(descriptor, F_GETFD);
      if (flags >= 0) found[descriptor] = flags;
    }
    return found;
  }
  /// Expects descriptors beyond `before`, each of which closes where another program starts.
  static void expect_private(const std::map<int, int>& before) {
    const auto now = open_ones();
    EXPECT_GT(now.size(), before.size());
    for (const auto& [descriptor, flags] : now) {
      if (before.contains(descriptor)) continue;
      EXPECT_NE(flags & FD_CLOEXEC, 0) << descriptor;
    }
  }
};

TEST_F(Descriptors, AreClosedAgainAndNotInherited) {
  const auto before = open_ones();
  {
    const detail::FileContent content(file("1 1 1\n", "read"), 0);
    expect_private(before);
    EXPECT_EQ(read(path("read")).tensor.nnz(), 1);
  }
  EXPECT_EQ(open_ones(), before);
  {
    AtomicFile out(path("written"));
    expect_private(before);
    out.write("x");
    out.commit();
    EXPECT_EQ(open_ones(), before);
  }
  {
    AtomicFile discarded(path("discarded"));
    AtomicFile device("/dev/null");
    AtomicFile output("-");
    expect_private(before);
  }
  EXPECT_EQ(open_ones(), before);
  EXPECT_NE(error_of([&] { (void)read(file("no tensor", "wrong")); }), "");
  EXPECT_NE(error_of([&] { (void)read(path("absent")); }), "");
  EXPECT_EQ(open_ones(), before);
}

/// As where the standard input was closed before the program started.
TEST_F(Descriptors, MayHaveTheNumberZero) {
  const std::string name = file("1 1 2.5\n", "read");
  const int input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  close(STDIN_FILENO);
  EXPECT_EQ(read(name).tensor.values()(0), 2.5);
  {
    const detail::FileContent content(name, 0);
    EXPECT_EQ(content.read([&] { return content.bytes().size(); }), 8U);
  }
  write_file(path("written"), "x");
  write_file("/dev/null", "x");
  {
    AtomicFile output("-");  // nothing is written
    output.commit();
  }
  if (input >= 0) {
    dup2(input, STDIN_FILENO);
    close(input);
  }
  EXPECT_EQ(content_of(path("written")), "x");
}

}  // namespace
}  // namespace genten::test
