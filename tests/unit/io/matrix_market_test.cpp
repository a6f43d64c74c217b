// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "io_support.hpp"

namespace genten::test {
namespace {

class MatrixMarket : public FileTest {
 protected:
  static std::string banner(const std::string& rest) {
    return "%%MatrixMarket matrix coordinate " + rest + "\n";
  }
  std::string refusal(const std::string& content, const ReadOptions& options = {}) {
    return error_of([&] { (void)read(file(content), options); });
  }
};

TEST_F(MatrixMarket, General) {
  const Tensor expected = tensor_of({3, 4}, {0, 0, 2, 3, 1, 1}, {1.5, -2, 7});
  const std::string entries = "% a comment\n\n3 4 3\n1 1 1.5\n3 4 -2\n% another\n2 2 7\n";
  for (const std::string& content :
       {banner("real general") + entries,
        "%%matrixmarket MATRIX Coordinate DOUBLE General\r\n" + entries,
        "\xef\xbb\xbf%%MatrixMarket  matrix\tcoordinate integer general \n" + entries}) {
    SCOPED_TRACE(content);
    const auto [tensor, report] = read(file(content));
    expect_same(tensor, expected);
    EXPECT_EQ(report.format, FileFormat::matrix_market);
    EXPECT_EQ(report.entries, 3U);
    EXPECT_EQ(report.lines, 8U);
  }
}

TEST_F(MatrixMarket, PatternMeansOnes) {
  std::string text = banner("pattern general") + "400 3 400\n";
  std::vector<std::uint32_t> subscripts;
  for (std::uint32_t i = 0; i < 400; ++i) {
    text += std::to_string(i + 1) + " " + std::to_string(i % 3 + 1) +
            (i % 5 == 0   ? "\r\n"
             : i % 7 == 0 ? " # c\n"
                          : "\n");
    subscripts.insert(subscripts.end(), {i, i % 3});
  }
  const Tensor expected = tensor_of({400, 3}, subscripts, std::vector<double>(400, 1.0));
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{100}, std::size_t{1} << 20}) {
    ReadOptions options;
    options.block_bytes = block_bytes;
    expect_same(read(file(text), options).tensor, expected);
  }
  text.pop_back();  // the last line need not end
  expect_same(read(file(text)).tensor, expected);
}

TEST_F(MatrixMarket, TheOtherHalfFollows) {
  const std::string entries = "3 3 3\n1 1 4\n3 1 -2.5\n3 2 7\n";
  expect_same(read(file(banner("real symmetric") + entries)).tensor,
              tensor_of({3, 3}, {0, 0, 2, 0, 2, 1, 0, 2, 1, 2}, {4, -2.5, 7, -2.5, 7}));
  expect_same(read(file(banner("pattern symmetric") + "2 2 2\n1 1\n2 1\n")).tensor,
              tensor_of({2, 2}, {0, 0, 1, 0, 0, 1}, {1, 1, 1}));
  expect_same(read(file(banner("real skew-symmetric") + "3 3 2\n3 1 -2.5\n3 2 7\n")).tensor,
              tensor_of({3, 3}, {2, 0, 2, 1, 0, 2, 1, 2}, {-2.5, 7, 2.5, -7}));
}

TEST_F(MatrixMarket, DuplicatesAreSummedBeforeTheyAreMirrored) {
  const auto [tensor, report] =
      read(file(banner("real symmetric") + "2 2 3\n2 1 1\n1 1 5\n2 1 2\n"));
  expect_same(tensor, tensor_of({2, 2}, {1, 0, 0, 0, 0, 1}, {3, 5, 3}));
  EXPECT_EQ(report.duplicates, 1U);
}

TEST_F(MatrixMarket, WrittenAndReadAgain) {
  const Tensor expected = tensor_of({5, 7}, {0, 0, 4, 2, 1, 1}, {1.5, -2, 1e-300});
  WriteOptions options;
  options.format = FileFormat::matrix_market;
  write_sptensor(path(), expected, options);
  expect_same(read(path()).tensor, expected);
  EXPECT_EQ(content_of(path()).substr(0, 56),
            "%%MatrixMarket matrix coordinate real general\n5 7 3\n1 1 ");
  const auto cube = tensor_of({2, 2, 2}, {0, 0, 0}, {1});
  EXPECT_TRUE(contains(
      error_of([&] { write_sptensor(path("cube"), cube, options); }, Error::Kind::argument),
      "expected a tensor of order 2"));
  options.index_base = IndexBase::zero;
  EXPECT_TRUE(contains(
      error_of([&] { write_sptensor(path("zero"), expected, options); }, Error::Kind::argument),
      "subscripts from 0"));
}

TEST_F(MatrixMarket, OthersAreRefusedByName) {
  const std::pair<const char*, const char*> refusals[] = {
      {"matrix array real general",
       ":1: expected a MatrixMarket file in the sparse format "
       "coordinate, got 'array'"},
      {"matrix coordinate complex general", "real, integer or pattern entries, got 'complex'"},
      {"matrix coordinate complex hermitian", "got 'complex'"},
      {"matrix coordinate real hermitian", "general, symmetric or skew-symmetric, got 'hermitian'"},
      {"matrix coordinate pattern skew-symmetric", "got 'pattern'"},
      {"vector coordinate real general", "of a matrix, got 'vector'"},
      {"matrix coordinate real", "in this line, got 4 fields"}};
  for (const auto& [words, message] : refusals) {
    EXPECT_TRUE(
        contains(refusal("%%MatrixMarket " + std::string(words) + "\n2 2 1\n1 1 1\n"), message));
  }
}

TEST_F(MatrixMarket, WrongContent) {
  const std::string real = banner("real general");
  EXPECT_TRUE(contains(refusal(real), ":1: truncated: the file ends where the line of rows"));
  EXPECT_TRUE(contains(refusal(real + "2 2\n"), ":2: expected 3 fields (rows, columns"));
  EXPECT_TRUE(contains(refusal(real + "2 2 2\n1 1 1\n"), ":3: truncated: the header in line 2"));
  EXPECT_TRUE(contains(refusal(real + "2 2 1\n1 1 1\n2 2 1\n"), ":4: the header in line 2"));
  EXPECT_TRUE(contains(refusal(real + "2 2 1\n1 3 1\n"), ":3: subscript 3 in mode 2 is out of"));
  EXPECT_TRUE(contains(refusal(real + "2 2 1\n0 1 1\n"), ":3: subscript 0 in mode 1"));
  EXPECT_TRUE(contains(refusal(real + "2 2 1\n1 1\n"), ":3: expected 3 fields"));
  const std::string pattern = banner("pattern general");
  EXPECT_TRUE(
      contains(refusal(pattern + "2 2 1\n1 1 1\n"), ":3: expected 2 fields (2 subscripts), got 3"));
  EXPECT_TRUE(contains(refusal(pattern + "2 2 1\n1 1x\n"), ":3: expected a subscript in mode 2"));
  EXPECT_TRUE(contains(refusal(pattern + "2 2 1\n1\n"), ":3: expected 2 fields"));
  const std::string symmetric = banner("real symmetric");
  EXPECT_TRUE(contains(refusal(symmetric + "2 3 1\n1 1 1\n"), ":2: expected as many rows"));
  EXPECT_TRUE(contains(refusal(symmetric + "2 2 1\n1 2 1\n"),
                       "expected entries below the diagonal or on it"));
  EXPECT_TRUE(contains(refusal(banner("real skew-symmetric") + "2 2 1\n1 1 1\n"),
                       "expected entries below the diagonal,"));
}

TEST_F(MatrixMarket, OptionsThatContradictIt) {
  const std::string content = banner("real general") + "2 2 1\n1 1 1\n";
  ReadOptions options;
  options.index_base = IndexBase::zero;
  EXPECT_TRUE(contains(refusal(content, options), "count from 1, but the options say 0"));
  options = {};
  options.header = Header::none;
  EXPECT_TRUE(contains(refusal(content, options), "the options say that the file has none"));
  options = {};
  options.dimensions = {4, 5};
  EXPECT_EQ(read(file(content), options).tensor.dimensions(), options.dimensions);
  options.memory_limit = 2 * 16 + 3 * 16;
  const std::string half = banner("real symmetric") + "2 2 2\n1 1 1\n2 1 1\n";
  options.dimensions = {};
  EXPECT_EQ(read(file(half), options).tensor.nnz(), 3);
  options.memory_limit -= 1;
  EXPECT_TRUE(contains(error_of([&] { (void)read(file(half), options); }, Error::Kind::memory),
                       "both halves of a symmetric matrix, 3 nonzeros, needs 48 bytes of memory"));
}

}  // namespace
}  // namespace genten::test
