// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/io/binary.hpp>
#include <genten/io/entries.hpp>

#include "../io_support.hpp"

namespace {

using namespace genten;
using namespace genten::test;

class EntriesTest : public FileTest {
 protected:
  /// The entries of a text for a model of 4 x 3 x 2.
  [[nodiscard]] Tensor read_text(std::string_view text, ReadOptions options = {}) const {
    return read_file(file(text), std::move(options));
  }
  [[nodiscard]] static Tensor read_file(const std::string& path, ReadOptions options = {}) {
    if (options.dimensions.empty()) options.dimensions = {4, 3, 2};
    return read_entries(HostExec(), path, options).tensor;
  }
  std::string complaint(std::string_view text, const ReadOptions& options = {}) const {
    return error_of([&] { (void)read_text(text, options); }).substr(path().size());
  }

  // Out of order, and one entry twice.
  const Tensor entries = tensor_of({4, 3, 2}, {3, 2, 1, 0, 0, 0, 3, 2, 1}, {1, 1, 1});
  const Tensor valued = tensor_of({4, 3, 2}, {3, 2, 1, 0, 0, 0, 3, 2, 1}, {5, -1, 0.5});
};

TEST_F(EntriesTest, StayInTheirOrderAndAsOftenAsTheyAreListed) {
  expect_same(read_text("4 3 2 5\n1 1 1 -1\n4 3 2 .5\n"), valued);
  expect_same(read_text("# a comment\n\n4 3 2\n1 1 1 # here\n4 3 2"), entries);
  EXPECT_FALSE(read_text("4 3 2\n1 1 1\n4 3 2\n").facts().distinct);
}

TEST_F(EntriesTest, MayCountFrom0) {
  ReadOptions options;
  options.index_base = IndexBase::zero;
  expect_same(read_text("3 2 1\n0 0 0\n3 2 1\n", options), entries);
}

TEST_F(EntriesTest, MayFollowAHeader) {
  for (const std::string header :
       {"sptensor\n3\n4 3 2\n3\n", "3\n4 3 2\n3\n", "3\n4 3 2\n", "4 3 2\n3\n"}) {
    expect_same(read_text(header + "4 3 2 5\n1 1 1 -1\n4 3 2 .5\n"), valued);
    expect_same(read_text(header + "4 3 2\n1 1 1\n4 3 2\n"), entries);
  }
  EXPECT_EQ(read_text("sptensor\n3\n4 3 2\n0\n").nnz(), 0);
}

TEST_F(EntriesTest, OfOneModeAreNoHeader) {
  ReadOptions options;
  options.dimensions = {4};
  const Tensor one = tensor_of({4}, {3, 0, 3}, {1, 1, 1});
  expect_same(read_text("4\n1\n4\n", options), one);
  expect_same(read_text("4 1\n1 1\n4 1\n", options), one);
}

TEST_F(EntriesTest, ComeFromBinaryFilesToo) {
  write_binary_sptensor(path("b.gtn"), valued);
  expect_same(read_file(path("b.gtn")), valued);
}

TEST_F(EntriesTest, ThatAreNoneOfTheModelAreNamedByLine) {
  EXPECT_EQ(
      complaint("1 1 1\n# two\n1 4 1\n"),
      ":3: subscript 4 in mode 2 is out of range: the dimension is 3; the lines are taken for "
      "subscripts without values, since the first one has 3 fields");
  EXPECT_EQ(complaint("1 1 1 7\n1 1 3 7\n"),
            ":2: subscript 3 in mode 3 is out of range: the dimension is 2");
  EXPECT_TRUE(contains(complaint("1 1 1 7\n0 1 1 7\n"),
                       ":2: subscript 0 in mode 1, but subscripts count from 1 here"));
  EXPECT_EQ(complaint("1 1\n"), ":1: expected 3 subscripts, and perhaps a value, got 2 fields");
  EXPECT_EQ(complaint("sptensor\n3\n4 3 2\n1\n1 1\n"),
            ":5: expected 3 subscripts, and perhaps a value, got 2 fields");
  EXPECT_EQ(complaint("sptensor\n2\n4 3\n1\n1 1 1\n"),
            ": the options give 3 dimensions, the file is of order 2");
}

TEST_F(EntriesTest, HaveValuesAllOrNone) {
  EXPECT_TRUE(contains(complaint("1 1 1\n1 2 1 7\n"),
                       ":2: expected 3 fields (3 subscripts), got 4; the lines are taken for"));
  EXPECT_EQ(complaint("1 1 1 7\n1 2 1\n"),
            ":2: expected 4 fields (3 subscripts and a value), got 3");
}

TEST_F(EntriesTest, NeedTheDimensions) {
  EXPECT_EQ(
      error_of([&] { (void)read_entries(HostExec(), file("1 1 1\n"), {}); }, Error::Kind::argument),
      "read_entries: expected the dimensions among the options, got none");
}

TEST_F(EntriesTest, AreWrittenOneALineAndNothingElse) {
  WriteOptions options;
  write_entries(HostExec(), path("w"), valued, options);
  EXPECT_EQ(content_of(path("w")), "4 3 2 5\n1 1 1 -1\n4 3 2 0.5\n");
  options.index_base = IndexBase::zero;
  write_entries(HostExec(), path("w"), valued, options);
  EXPECT_EQ(content_of(path("w")), "3 2 1 5\n0 0 0 -1\n3 2 1 0.5\n");
  write_entries(HostExec(), path("w"), tensor_of({4, 3, 2}, {}, {}), options);
  EXPECT_EQ(content_of(path("w")), "");
  options = {.compression = Compression::gzip};
  write_entries(HostExec(), path("w.gz"), valued, options);
  expect_same(read_file(path("w.gz")), valued);
}

}  // namespace
