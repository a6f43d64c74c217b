// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The result and the messages must not depend on how a text is cut into blocks or on the threads.
#include "io_support.hpp"

#include <genten/core/random.hpp>

namespace genten::test {
namespace {

class TnsBlocks : public FileTest {
 protected:
  static ReadOptions with(std::size_t block_bytes, std::size_t threads) {
    ReadOptions options;
    options.block_bytes = block_bytes;
    options.threads = threads;
    return options;
  }

  /// Lines of many lengths, comments and empty lines between them.
  static std::string lines(std::uint64_t count) {
    std::string text;
    for (std::uint64_t i = 0; i < count; ++i) {
      for (std::uint64_t n = 0; n < 3; ++n) {
        const int digits = static_cast<int>(random_bits(1, i, n) % 9);
        std::uint64_t modulus = 10;
        for (int d = 0; d < digits; ++d) modulus *= 10;
        text +=
            std::to_string(1 + random_bits(2, i, n) % std::min<std::uint64_t>(modulus, 4000000000));
        text += random_bits(3, i, n) % 7 == 0 ? "\t  " : " ";
      }
      text += std::to_string(random_uniform(4, i));
      const auto end = random_bits(5, i) % 10;
      text += end == 0 ? " # comment\n" : end == 1 ? "\r\n" : end == 2 ? "\n\n" : "\n";
      if (end == 3) text += "% a whole line that is longer than the others, to cross blocks\n";
    }
    return text;
  }
};

TEST_F(TnsBlocks, EveryBlockSizeReadsTheSame) {
  for (const char* last : {"\n", "", "\r\n", " # c"}) {
    const std::string content = lines(60) + "7 7 7 7" + last;
    const std::string path = file(content);
    const auto whole = read(path, with(std::size_t{1} << 30, 1));
    ASSERT_EQ(whole.report.entries, 61U);
    for (std::size_t bytes = 1; bytes < content.size() + 2; ++bytes) {
      const auto cut = read(path, with(bytes, 0));
      expect_same(cut.tensor, whole.tensor);
      ASSERT_EQ(cut.report.lines, whole.report.lines) << bytes;
    }
  }
}

TEST_F(TnsBlocks, EveryThreadCountReadsTheSame) {
  const std::string path = file(lines(20000));
  const auto one = read(path, with(4096, 1));
  EXPECT_EQ(one.report.entries, 20000U);
  for (const std::size_t threads : {2U, 3U, 0U}) {
    const auto several = read(path, with(4096, threads));
    expect_same(several.tensor, one.tensor);
    EXPECT_EQ(several.report.lines, one.report.lines);
  }
}

TEST_F(TnsBlocks, ShortFiles) {
  // Around the padding that the parser keeps behind the last lines.
  for (std::size_t entries = 1; entries < 40; ++entries) {
    std::string content;
    for (std::size_t i = 1; i <= entries; ++i)
      content += std::to_string(i) + " " + std::to_string(i) + "\n";
    for (const std::size_t cut : {0U, 1U}) {
      const auto tensor = read(file(content.substr(0, content.size() - cut))).tensor;
      ASSERT_EQ(tensor.nnz(), static_cast<offset_t>(entries));
      for (std::size_t i = 0; i < entries; ++i) {
        ASSERT_EQ(tensor.subscripts()(i, 0), i);
        ASSERT_EQ(tensor.values()(i), static_cast<double>(i + 1));
      }
    }
  }
}

TEST_F(TnsBlocks, LongLines) {
  const std::string blanks(100000, ' ');
  const std::string comment(100000, 'x');
  const auto tensor =
      read(file("1 " + blanks + "2 5" + blanks + "\n#" + comment + "\n2 1 6 //" + comment),
           with(1000, 0))
          .tensor;
  expect_same(tensor, tensor_of({2, 2}, {0, 1, 1, 0}, {5, 6}));
}

TEST_F(TnsBlocks, FirstErrorIsNamedWhereverItLies) {
  const std::string good = "1 1 1.5\n";
  constexpr std::size_t count = 3000;
  for (const std::size_t wrong :
       {std::size_t{1}, std::size_t{2}, std::size_t{777}, count - 1, count}) {
    std::string content;
    for (std::size_t line = 1; line <= count; ++line) {
      const bool later = line > wrong && line % 100 == 0;
      content += line == wrong ? "1 1 bad\n" : later ? "worse\n" : good;
    }
    const std::string path = file(content);
    for (const std::size_t bytes :
         {std::size_t{1}, std::size_t{100}, std::size_t{5000}, std::size_t{1} << 20}) {
      EXPECT_TRUE(contains(
          error_of([&] { (void)read(path, with(bytes, 0)); }),
          "file:" + std::to_string(wrong) + ": expected a number as the value, got 'bad'"));
    }
  }
}

}  // namespace
}  // namespace genten::test
