// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "io_support.hpp"
#include "places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace genten::test {
namespace {

class TnsRead : public FileTest {
 protected:
  /// Every form below means this tensor.
  const Tensor expected = tensor_of({4, 3, 2}, {0, 0, 0, 3, 2, 1, 1, 0, 1}, {1.5, -2, 3e-5});

  void expect_reads(std::string_view content, const ReadOptions& options = {}) {
    SCOPED_TRACE(content);
    expect_same(read(file(content), options).tensor, expected);
  }
};

constexpr std::string_view entries = "1 1 1 1.5\n4 3 2 -2\n2 1 2 3e-5\n";

TEST_F(TnsRead, WithoutHeader) {
  const auto [tensor, report] = read(file(entries));
  expect_same(tensor, expected);
  EXPECT_EQ(report.format, FileFormat::frostt);
  EXPECT_EQ(report.index_base, IndexBase::one);
  EXPECT_EQ(report.compression, Compression::none);
  EXPECT_EQ(report.lines, 3U);
  EXPECT_EQ(report.entries, 3U);
  EXPECT_EQ(report.duplicates, 0U);
  EXPECT_EQ(report.file_bytes, entries.size());
  EXPECT_EQ(report.content_bytes, entries.size());
}

/// What tells the layout need not be among the first bytes that are looked at.
TEST_F(TnsRead, LongComments) {
  const std::string comments = "# " + std::string(200000, 'x') + "\n#" + std::string(70000, '\n');
  for (const std::string& head : {std::string(), "4 3 2\n" + comments + "3\n"}) {
    SCOPED_TRACE(head.size());
    const std::string text = comments + head + comments + std::string(entries) + comments;
    const auto [tensor, report] = read(file(text));
    expect_same(tensor, expected);
    EXPECT_EQ(report.lines, static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
    EXPECT_EQ(error_of([&] { (void)read(file(text + "1 1\n")); }),
              path() + ":" + std::to_string(report.lines + 1) +
                  ": expected 4 fields (3 subscripts and a value), got 2");
  }
}

/// Of a file that is no text not all is loaded in search of a line end.
TEST_F(TnsRead, EndlessLines) {
  file("\n1 2 3\n1 1");
  std::filesystem::resize_file(path(), std::size_t{100} << 20);
  EXPECT_EQ(error_of([&] { (void)read(path()); }),
            path() + ":3: expected lines of at most 64 MiB, got a longer one");
}

TEST_F(TnsRead, HeaderOfThreeLines) {
  const auto [tensor, report] = read(file("3\n5 3 7\n3\n" + std::string(entries)));
  EXPECT_EQ(tensor.dimensions(), (std::vector<std::size_t>{5, 3, 7}));
  EXPECT_EQ(tensor.nnz(), 3);
  EXPECT_EQ(report.format, FileFormat::header);
  EXPECT_EQ(report.lines, 6U);
}

TEST_F(TnsRead, HeaderOfOrderAndDimensions) {
  const auto [tensor, report] = read(file("3\n5 3 7\n" + std::string(entries)));
  EXPECT_EQ(tensor.dimensions(), (std::vector<std::size_t>{5, 3, 7}));
  EXPECT_EQ(report.format, FileFormat::header);
}

TEST_F(TnsRead, HeaderOfDimensionsAndNonzeros) {
  const auto [tensor, report] = read(file("5 3 7\n3\n" + std::string(entries)));
  EXPECT_EQ(tensor.dimensions(), (std::vector<std::size_t>{5, 3, 7}));
  EXPECT_EQ(report.format, FileFormat::header);
}

TEST_F(TnsRead, ToolboxForm) {
  const auto [tensor, report] = read(file("sptensor\n3 \n4 3 2 \n3 \n" + std::string(entries)));
  expect_same(tensor, expected);
  EXPECT_EQ(report.format, FileFormat::sptensor);
}

TEST_F(TnsRead, HeadersOfVectors) {
  for (const char* content :
       {"1\n7\n2\n1 5\n3 6\n", "1\n7\n1 5\n3 6\n", "sptensor\n1\n7\n2\n1 5\n3 6\n"}) {
    SCOPED_TRACE(content);
    expect_same(read(file(content)).tensor, tensor_of({7}, {0, 2}, {5, 6}));
  }
  expect_same(read(file("1 5\n3 6\n")).tensor, tensor_of({3}, {0, 2}, {5, 6}));
}

TEST_F(TnsRead, CommentsAndBlanks) {
  expect_reads("# one\n% two\n// three\n\n   \n" + std::string(entries));
  expect_reads("1 1 1 1.5 # a\n4 3 2 -2 % b\n2 1 2 3e-5//c\n");
  expect_reads("1 1 1 1.5#\n#\n\n4 3 2 -2 %\n  // x 1 2 3\n2 1 2 3e-5\t //\n\n\n# end");
  expect_reads("\t1  1\t1 \t 1.5 \n 4\v3\f2 -2\t\n2 1 2 3e-5   \n");
  expect_reads("# c\n3 # order\n\n4 3 2 % dimensions\n// c\n3 // nonzeros\n\n" +
               std::string(entries));
}

TEST_F(TnsRead, LineEnds) {
  expect_reads("1 1 1 1.5\r\n4 3 2 -2\r\n2 1 2 3e-5\r\n");
  expect_reads("3\r\n4 3 2\r\n\r\n3\r\n1 1 1 1.5 \r\n4 3 2 -2 # c\r\n# c\r\n2 1 2 3e-5\r\n");
  expect_reads("1 1 1 1.5\n4 3 2 -2\n2 1 2 3e-5");
  expect_reads("1 1 1 1.5\r\n4 3 2 -2\r\n2 1 2 3e-5\r");
  expect_reads("1 1 1 1.5\n4 3 2 -2\n2 1 2 3e-5 # comment at the end");
  expect_reads("\xef\xbb\xbf" + std::string(entries));
}

TEST_F(TnsRead, Numbers) {
  const auto tensor = read(file("1 1\n2 +2.5\n0003 -.5\n4 5.\n5 1E+3\n6 4.9e-324\n7 0e-400\n8 "
                                "0.1000000000000000055511151231257827\n9 12345678901234567890\n10 "
                                "1.7976931348623157e308\n11 -0\n12 00000000000000000000000001\n"))
                          .tensor;
  const std::vector<double> values = {1.0,
                                      2.5,
                                      -0.5,
                                      5.0,
                                      1000.0,
                                      std::numeric_limits<double>::denorm_min(),
                                      0.0,
                                      0.1,
                                      12345678901234567890.0,
                                      std::numeric_limits<double>::max(),
                                      -0.0,
                                      1.0};
  ASSERT_EQ(tensor.nnz(), static_cast<offset_t>(values.size()));
  for (std::size_t p = 0; p < values.size(); ++p) EXPECT_EQ(tensor.values()(p), values[p]);
  EXPECT_TRUE(std::signbit(tensor.values()(10)));
}

TEST_F(TnsRead, SinglePrecisionIsRoundedOnce) {
  // Halfway between two floats but for the last digit: rounding to double first would lose it.
  const auto path = file("1 1.00000005960464477539062500001\n2 16777217\n3 3.4028235e38\n");
  const auto tensor = read_sptensor<float, std::uint32_t, HostExec>(path).tensor;
  EXPECT_EQ(tensor.values()(0), std::nextafter(1.0F, 2.0F));
  EXPECT_EQ(tensor.values()(1), 16777216.0F);
  EXPECT_EQ(tensor.values()(2), std::numeric_limits<float>::max());
}

TEST_F(TnsRead, CountingFromZero) {
  ReadOptions options;
  options.index_base = IndexBase::zero;
  const auto [tensor, report] = read(file("0 0 0 1.5\n3 2 1 -2\n1 0 1 3e-5\n"), options);
  expect_same(tensor, expected);
  EXPECT_EQ(report.index_base, IndexBase::zero);
}

TEST_F(TnsRead, GivenDimensions) {
  ReadOptions options;
  options.dimensions = {10, 20, 30};
  EXPECT_EQ(read(file(entries), options).tensor.dimensions(), options.dimensions);
  EXPECT_EQ(read(file("3\n4 3 2\n3\n" + std::string(entries)), options).tensor.dimensions(),
            options.dimensions);
}

TEST_F(TnsRead, TensorsWithoutNonzeros) {
  for (const char* content : {"3\n4 3 2\n0\n", "sptensor\n3\n4 3 2\n0", "4 3 2\n0\n# nothing\n"}) {
    SCOPED_TRACE(content);
    const auto tensor = read(file(content)).tensor;
    EXPECT_EQ(tensor.dimensions(), (std::vector<std::size_t>{4, 3, 2}));
    EXPECT_EQ(tensor.nnz(), 0);
  }
}

TEST_F(TnsRead, HighOrder) {
  std::string line;
  for (int n = 1; n <= max_order; ++n) line += std::to_string(n) + " ";
  const auto tensor = read(file(line + "2.5\n")).tensor;
  EXPECT_EQ(tensor.order(), max_order);
  EXPECT_EQ(tensor.dimension(15), 16U);
  EXPECT_EQ(tensor.values()(0), 2.5);
}

TEST_F(TnsRead, OrdinalFollowsTheDimensions) {
  const auto width = [&](const char* content) {
    return read_tensor<double, HostExec>(file(content)).tensor.index();
  };
  EXPECT_EQ(width("4294967295 1 1\n"), 0U);             // the largest 32-bit dimension
  EXPECT_EQ(width("1 1 1\n4294967296 1 1\n"), 1U);      // found while parsing
  EXPECT_EQ(width("2\n4294967296 5\n1\n1 1 1\n"), 1U);  // said by the header
  EXPECT_EQ(width("2\n4294967295 5\n1\n1 1 1\n"), 0U);
  const auto wide =
      read_sptensor<double, std::uint64_t, HostExec>(file("9999999999999999999 2 1\n")).tensor;
  EXPECT_EQ(wide.subscripts()(0, 0), 9999999999999999998U);
}

TEST_F(TnsRead, FirstLineThatMayBeAHeader) {
  const std::string content = "4 3 2 5\n1 1 1 1\n2 2 2 1\n3 3 2 1\n4 1 1 1\n1 2 1 1\n";
  EXPECT_TRUE(contains(error_of([&] { (void)read(file(content)); }), "file:1: ambiguous"));
  ReadOptions options;
  options.header = Header::none;
  EXPECT_EQ(read(file(content), options).tensor.nnz(), 6);
  // Not ambiguous: a value that is no count, smaller subscripts, few entries.
  for (const char* sure :
       {"4 3 2 5.0\n1 1 1 1\n2 2 2 1\n3 3 2 1\n4 1 1 1\n1 2 1 1\n",
        "4 3 1 5\n1 1 1 1\n2 2 2 1\n3 3 2 1\n4 1 1 1\n1 2 1 1\n", "2 2 1\n1 1 1\n"}) {
    EXPECT_NO_THROW((void)read(file(sure))) << sure;
  }
}

TEST_F(TnsRead, HeaderOfOneLineWithAnotherNumber) {
  const std::string three = "1 1 1 1\n2 2 2 1\n3 3 2 1\n";
  for (const std::string count : {"1000", "4", "2", "1", "0"}) {
    for (const std::string dimensions : {"30 30 30 ", "3 3 2 ", "30 3 2 "}) {
      const std::string message =
          error_of([&] { (void)read(file(dimensions + count + "\n" + three)); });
      EXPECT_TRUE(contains(message, "file:1: ambiguous: "));
      EXPECT_TRUE(contains(message, "says " + count + " where 3 entries follow"));
    }
  }
  ReadOptions options;
  options.dimensions = {30, 30, 30};
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("30 30 30 1000\n" + three), options); }),
                       "ambiguous"));
  options = {};
  options.header = Header::none;
  EXPECT_EQ(read(file("30 30 30 1000\n" + three), options).tensor.nnz(), 4);
  options.header = Header::automatic;
  options.index_base = IndexBase::zero;
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("30 30 30 1000\n" + three), options); }),
                       "ambiguous"));
}

TEST_F(TnsRead, ModesThatCountFromDifferentNumbers) {
  ReadOptions options;
  options.index_base = IndexBase::zero;
  const auto first = [&](const char* content) {
    return read(file(content), options).report.first_subscripts;
  };
  EXPECT_EQ(first("0 1 5 1\n\n3 2 7 1\n"), (std::vector<std::size_t>{0, 1, 5}));
  EXPECT_EQ(first("2\n3 3\n0\n"), std::vector<std::size_t>{});
  EXPECT_EQ(describe_mixed_bases({0, 1, 5}), "mode 2 starts at 1 where mode 1 starts at 0");
  EXPECT_EQ(describe_mixed_bases({1, 0, 1, 0}),
            "modes 1, 3 start at 1 where modes 2, 4 start at 0");
  for (const auto& alike : {std::vector<std::size_t>{}, {0, 0}, {1, 1}, {0, 2}, {2, 1}}) {
    EXPECT_EQ(describe_mixed_bases(alike), "");
  }
  // Where subscripts are taken to count from 1 the complaint says it.
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{1} << 20}) {
    options = {};
    options.block_bytes = block_bytes;
    const auto complaint = [&](const char* content) {
      return error_of([&] { (void)read(file(content), options); });
    };
    EXPECT_TRUE(contains(complaint("1 2 1\n\n# c\n0 1 1\n5 5 1\n"),
                         "index-base 0; mode 2 starts at 1 where mode 1 starts "
                         "at 0"));
    EXPECT_FALSE(contains(complaint("1 2 1\n0 0 1\n"), "where mode"));
    EXPECT_FALSE(contains(complaint("1 2 1\n0 1 1\nx\n"), "where mode"));
  }
}

TEST_F(TnsRead, WithoutHeaderByOption) {
  ReadOptions options;
  options.header = Header::none;
  expect_reads(entries, options);
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("3\n4 3 2\n"), options); }),
                       "file:1: expected at least 2 fields"));
}

TEST_F(TnsRead, AminoAcids) {
  const std::string data = genten_test::shared_data_file("aminoacid.txt");
  if (!std::filesystem::exists(data)) GTEST_SKIP() << data << " is not there";
  ReadOptions options;
  options.index_base = IndexBase::zero;
  const auto [tensor, report] = read(data, options);
  EXPECT_EQ(tensor.dimensions(), (std::vector<std::size_t>{5, 201, 61}));
  EXPECT_EQ(tensor.nnz(), 61305);
  EXPECT_EQ(report.format, FileFormat::sptensor);
  double sum = 0.0;
  double squares = 0.0;
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    sum += tensor.values()(p);
    squares += tensor.values()(p) * tensor.values()(p);
  }
  EXPECT_NEAR(sum, 6896373.007, 1e-6);
  EXPECT_NEAR(std::sqrt(squares), 47991.9501320893, 1e-9);

  const std::string message = error_of([&] { (void)read(data); });
  EXPECT_TRUE(contains(message, "aminoacid.txt:5: subscript 0 in mode 1"));
  EXPECT_TRUE(contains(message, "index-base 0"));
  EXPECT_TRUE(contains(message, "read it with index-base 0"));
}

}  // namespace
}  // namespace genten::test
