// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What is wrong with a file, and what its reader says about it.
#include "io_support.hpp"
#include "text/malformed_texts.hpp"

namespace genten::test {
namespace {

class MalformedTns : public FileTest, public ::testing::WithParamInterface<Malformed> {};

TEST_P(MalformedTns, SaysWhatAndWhere) {
  const Malformed& row = GetParam();
  const std::string path = file(row.content);
  // Blocks of one byte put every line into a block of its own: the first wrong line is named even
  // where another thread finds a later one first.
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 20}) {
    ReadOptions options;
    options.block_bytes = block_bytes;
    const std::string message = error_of([&] { (void)read(path, options); });
    EXPECT_EQ(message.substr(0, path.size()), path);
    EXPECT_EQ(message.substr(path.size(), std::string_view(row.message).size()), row.message);
  }
  EXPECT_EQ(content_of(path), row.content);
}

INSTANTIATE_TEST_SUITE_P(Table, MalformedTns, ::testing::ValuesIn(malformed_texts),
                         [](const auto& row) { return row.param.name; });

class MalformedRequest : public FileTest {};

TEST_F(MalformedRequest, NoSuchFile) {
  EXPECT_TRUE(contains(error_of([&] { (void)read(path("absent")); }),
                       "absent: cannot be opened: No such file or directory"));
}

TEST_F(MalformedRequest, Directory) {
  EXPECT_TRUE(contains(error_of([&] { (void)read(directory().string()); }),
                       "expected a file, got a directory"));
}

TEST_F(MalformedRequest, OrderOfGivenDimensions) {
  ReadOptions options;
  options.dimensions = {3, 3};
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("1 1 1 1\n"), options); }),
                       "the options give 2 dimensions, the file is of order 3"));
}

TEST_F(MalformedRequest, GivenDimensionsTooSmall) {
  ReadOptions options;
  options.dimensions = {3, 3};
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("1 1 1\n1 4 1\n"), options); }),
                       "file:2: subscript 4 in mode 2 is out of range: the dimension is 3"));
}

TEST_F(MalformedRequest, ValueTooLargeForSinglePrecision) {
  const std::string path = file("1 1\n2 1e39\n");
  EXPECT_TRUE(contains(error_of([&] { (void)read_sptensor<float, std::uint32_t, HostExec>(path); }),
                       "file:2: the value '1e39' is too large for single precision"));
}

TEST_F(MalformedRequest, ValueThatWouldBecomeZero) {
  const std::string single = file("1 1\n2 -1e-200\n");
  EXPECT_TRUE(
      contains(error_of([&] { (void)read_sptensor<float, std::uint32_t, HostExec>(single); }),
               "file:2: the value '-1e-200' is too small for single precision, it would "
               "become 0"));
  EXPECT_EQ(read(single).tensor.values()(1), -1e-200);
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("1 0.00e+7\n2 .02E-400\n")); }),
                       "file:2: the value '.02E-400' is too small for double precision"));
}

TEST_F(MalformedRequest, SubscriptCountingFromZeroAtTheDimension) {
  ReadOptions options;
  options.index_base = IndexBase::zero;
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("2\n3 3\n1\n1 3 1\n"), options); }),
                       "file:4: subscript 3 in mode 2 is out of range: the dimension is 3, says "
                       "the header in line 2; subscripts count from 0 here"));
}

TEST_F(MalformedRequest, MoreMemoryThanAllowed) {
  std::string content;
  for (int i = 1; i <= 1000; ++i) content += std::to_string(i) + " 1 1.0\n";
  ReadOptions options;
  options.memory_limit = 15999;
  const std::string message =
      error_of([&] { (void)read(file(content), options); }, Error::Kind::memory);
  EXPECT_TRUE(contains(message, "a tensor of up to 1000 nonzeros needs 16000 bytes of memory"));
  EXPECT_TRUE(contains(message, "allowed are 15999 bytes"));
  options.memory_limit = 16000;
  EXPECT_EQ(read(file(content), options).tensor.nnz(), 1000);
}

}  // namespace
}  // namespace genten::test
