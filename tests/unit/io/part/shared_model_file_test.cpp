// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../io_support.hpp"

#include <genten/core/ktensor_ops.hpp>
#include <genten/io/ktensor.hpp>
#include <genten/io/shared_model_file.hpp>

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

namespace genten::test {
namespace {

namespace fs = std::filesystem;

class Shared : public FileTest {
 protected:
  static constexpr std::size_t block = SharedModelFile::block_bytes;
  using Model = Ktensor<double, HostExec>;

  /// 16 numbers of eight bytes a row, without padding: factors of two blocks and a half, and less.
  static Model model() {
    const std::vector<std::size_t> dimensions = {5 * block / 256, 3};
    return random_ktensor<double>(HostExec(), dimensions, 16, 1);
  }
  static ModelFileShape shape(const Model& model) {
    return {sizeof(double), model.rank(), model.dimensions()};
  }
  static std::string_view weights(const Model& model) { return bytes(model.weights().data(), 16); }
  static std::string_view bytes(const double* data, std::size_t count) {
    return {reinterpret_cast<const char*>(data), count * sizeof(double)};
  }
  static std::string_view factor(const Model& model, int mode) {
    return bytes(model.factor(mode).data(), model.factor(mode).rows() * 16);
  }
  static std::vector<NumberedHash> joined(const SharedModelFile& a, const SharedModelFile& b) {
    std::vector<NumberedHash> all = a.hashes();
    all.insert(all.end(), b.hashes().begin(), b.hashes().end());
    return all;
  }
};

TEST_F(Shared, HasTheBytesOfAFileThatOneWrites) {
  const Model written = model();
  write_ktensor(path("one"), written, KtensorFormat::binary);
  {
    SharedModelFile first(path(), shape(written));
    SharedModelFile second(path(), shape(written), first.place());
    EXPECT_EQ(names().size(), 2U);  // the temporary file, and the other
    const auto all = factor(written, 0);
    second.write(0, block, all.substr(block));
    second.write(1, 0, factor(written, 1));
    first.write(0, 0, all.substr(0, block));
    second.flush();
    first.commit(weights(written), joined(first, second));
  }
  EXPECT_EQ(content_of(path()), content_of(path("one")));
  EXPECT_EQ(names(), (std::vector<std::string>{"file", "one"}));
}

TEST_F(Shared, LeavesTheOldFileWithoutCommit) {
  file("old");
  const Model written = model();
  {
    SharedModelFile first(path(), shape(written));
    SharedModelFile second(path(), shape(written), first.place());
    second.write(1, 0, factor(written, 1));
    // Of blocks that nobody has written no file is made.
    EXPECT_THROW(first.commit(weights(written), joined(first, second)), Error);
  }
  EXPECT_EQ(content_of(path()), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"file"});
}

TEST_F(Shared, AnotherFileOfTheNameIsNotTakenForIt) {
  const Model written = model();
  SharedModelFile first(path(), shape(written));
  SharedFilePlace other = first.place();
  ++other.token;
  EXPECT_THROW(SharedModelFile(path(), shape(written), other), Error);
  other.temporary = path("absent");
  EXPECT_THROW(SharedModelFile(path(), shape(written), other), Error);
}

TEST_F(Shared, WhatIsNoRegularFileHasNoPlaces) {
  const Model written = model();
  for (const std::string name : {"-", "/dev/null"}) {
    EXPECT_EQ(SharedModelFile(name, shape(written)).place().temporary, "");
  }
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  EXPECT_EQ(SharedModelFile(path(), shape(written)).place().temporary, "");
  EXPECT_THROW(SharedModelFile(path("absent/file"), shape(written)), Error);
}

TEST_F(Shared, RoomThatThereIsNotIsNoticedBeforeTheWork) {
  struct rlimit old {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit little { static_cast<rlim_t>(block), old.rlim_max };
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  try {
    const SharedModelFile first(path(), shape(model()));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::file);
    EXPECT_EQ(error.what(), path() + ": cannot be written: File too large");
  }
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, before);
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace genten::test
