// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Parts of text files: together they are what a single reader reads, entry for entry, and what is
// wrong is said in the same words.
#include "../text/malformed_texts.hpp"
#include "part_support.hpp"
#include "random_edits.hpp"

#include <genten/core/random.hpp>
#include <genten/io/table.hpp>

#include <cstring>

namespace genten::test {
namespace {

constexpr std::size_t most_parts = 7;
constexpr Compression all_forms[] = {Compression::none, Compression::gzip, Compression::zstd};

class TextParts : public FileTest {
 protected:
  /// The text in each form, in parts of each number, against a single reader.
  void expect_as_single(const std::string& text, ReadOptions options = {}) {
    for (const Compression form : all_forms) {
      SCOPED_TRACE(enum_words(Compression())[static_cast<std::size_t>(form)].word);
      const std::string path = file(detail::compress(text, form));
      const auto single = read(path, options);
      ASSERT_EQ(single.report.duplicates, 0U);
      for (std::size_t parts = 1; parts <= most_parts; ++parts) {
        SCOPED_TRACE(parts);
        const auto joined = join_parts(path, parts, options);
        expect_joined(joined, single.tensor);
        expect_report(joined.agreed.report, single.report);
      }
    }
  }
  /// What each number of parts and each form say of the text, which is what a single reader says.
  std::string said_of(const std::string& text, const ReadOptions& options = {}) {
    std::optional<std::string> said;
    for (const Compression form : all_forms) {
      const std::string path = file(detail::compress(text, form));
      said = complaint([&] { (void)read(path, options); });
      for (const std::size_t parts : {1, 2, 3, 7}) {
        const auto agreed = complaint([&] { (void)join_parts(path, parts, options); });
        EXPECT_EQ(agreed, said) << parts << " parts, form " << static_cast<int>(form);
      }
    }
    EXPECT_TRUE(said.has_value());
    return said.value_or("");
  }
};

TEST_F(TextParts, AreTheWhole) {
  const std::string lines = "1 1 1 1.5\n2 3 1 2\n7 1 1 -3e5\n1 1 2 4\n4 4 4 4\n5 5 5 5\n";
  expect_as_single(lines);
  expect_as_single("1 1 7\n");
  expect_as_single("1 1 7");
  expect_as_single(lines.substr(0, lines.size() - 1));
  expect_as_single("# 7 x 4 x 5\n\n// c\n" + lines + "\n\n# the end\n  \t\n");
  expect_as_single("1 1 1 1\r\n% c\r\n\r\n2 2 2 2\r\n3 3 3 1 # c\r\n");
  expect_as_single("\xef\xbb\xbf" + lines);
  expect_as_single("3\n9 9 9\n6\n" + lines);
  expect_as_single("3\n9 9 9\n" + lines);
  expect_as_single("9 9 9\n6\n" + lines);
  expect_as_single("sptensor\n3\n9 9 9\n6\n" + lines);
  expect_as_single("sptensor\n3\n9 9 9\n0\n");
  expect_as_single("3\n9 9 9\n0");
  expect_as_single(lines, {.dimensions = {10, 11, 12}});
  expect_as_single("5 5 5 4\n1 1 1 1\n", {.header = Header::none});
  expect_as_single("0 1 1\n1 2 2\n3 1 5\n", {.index_base = IndexBase::zero});
  expect_as_single(std::string(3000, '#') + "\n" + lines + "//" + std::string(2000, 'x') + "\n" +
                   "6 6 6 6\n");
}

TEST_F(TextParts, OfMatrices) {
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  const std::string lower = "% c\n4 4 5\n1 1 1\n2 1 2\n3 2 3\n4 1 4\n4 4 5\n";
  expect_as_single(banner + "real general\n" + lower);
  expect_as_single(banner + "real symmetric\n" + lower);
  expect_as_single(banner + "real skew-symmetric\n4 4 3\n2 1 2\n3 2 3\n4 1 4\n");
  expect_as_single(banner + "pattern symmetric\n3 3 3\n2 1\n3 2\n3 3\n");
  EXPECT_TRUE(contains(said_of(banner + "real symmetric\n4 4 3\n2 1 2\n3 3 3\n1 4 4\n"),
                       "expected entries below the diagonal or on it"));
  EXPECT_TRUE(contains(said_of(banner + "real symmetric\n4 4 3\n1 4 4\n3 3 3\n2 2 x\n"),
                       "file:5: expected a number as the value"));
}

/// The entries are kept as they are, those at the same subscripts too.
TEST_F(TextParts, KeepDuplicates) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += std::to_string(i % 3 + 1) + " 1 " + std::to_string(i) + "\n";
  const std::string path = file(text);
  const auto entries = read_entries(HostExec(), path, {.dimensions = {3, 1}});
  for (std::size_t parts = 1; parts <= most_parts; ++parts) {
    expect_joined(join_parts(path, parts), entries.tensor);
  }
}

/// Lines of many lengths, so that the ends of parts lie everywhere in them, in all widths.
TEST_F(TextParts, OfManyLines) {
  std::string text;
  for (std::uint64_t i = 1; i <= 20000; ++i) {
    text += std::to_string(i) + " " + std::to_string(random_bits(1, i) % 5000 + 1) + " " +
            std::to_string(random_uniform(2, i)) + std::string(random_bits(3, i) % 30, ' ') + "\n";
  }
  for (const Compression form : all_forms) {
    // Several frames, as the writer makes them.
    const std::size_t half = text.find('\n', text.size() / 2) + 1;
    const std::string path = file(detail::compress(text.substr(0, half), form) +
                                  detail::compress(text.substr(half), form));
    const auto single = read_tensor_as<float, std::uint64_t, HostExec>(HostExec(), path);
    for (const std::size_t parts : {2, 3, 8, 64}) {
      const auto joined = join_parts<float, std::uint64_t>(path, parts, {.block_bytes = 1 << 12});
      expect_joined(joined, single.tensor);
      expect_report(joined.agreed.report, single.report);
      // Shares are equal but for a line, or for what a step and a decompressor's block hold.
      const std::size_t share = 20000 / parts;
      EXPECT_LE(joined.most_entries, form == Compression::none ? share * 3 / 2 : share + 10000);
    }
  }
}

/// Nobody holds more than a part: neither entries nor, where it was compressed, text.
TEST_F(TextParts, TakeTheMemoryOfAPart) {
  std::string text;
  for (int i = 1; i <= 60000; ++i) text += std::to_string(i) + " 1 1.0\n";
  for (const Compression form : {Compression::none, Compression::gzip}) {
    const std::string path = file(detail::compress(text, form));
    ReadOptions options;
    // A quarter of the entries, of 16 bytes each, and of the text with what a buffer grows by.
    options.memory_limit = 60000 * 16 / 4 + (form == Compression::none ? 16 * 1000 : 400000);
    EXPECT_TRUE(complaint([&] { (void)read(path, options); }).has_value());
    options.block_bytes = 1 << 12;
    EXPECT_EQ(join_parts(path, 4, options).values.size(), 60000U);
  }
  const std::string path = file(text);
  const auto facts = facts_of(read_parts(path, 2, {.memory_limit = 1000}));
  const std::string message =
      error_of([&] { (void)agree_on_tensor_parts(path, facts); }, Error::Kind::memory);
  EXPECT_TRUE(contains(message, "file: part 1 of 2, a tensor of up to "));
  EXPECT_TRUE(contains(message, "allowed are 1000 bytes"));
}

class MalformedParts : public TextParts, public ::testing::WithParamInterface<Malformed> {};

TEST_P(MalformedParts, SayWhatASingleReaderSays) {
  const std::string content(GetParam().content);
  if (content.empty() || content[0] == '\x1f' || content[0] == '\x28') {  // not to be compressed
    const std::string path = file(content);
    const auto said = complaint([&] { (void)read(path); });
    EXPECT_EQ(complaint([&] { (void)join_parts(path, 3); }), said);
    EXPECT_TRUE(contains(said.value_or(""), GetParam().message));
    return;
  }
  EXPECT_TRUE(contains(said_of(content), GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(Table, MalformedParts, ::testing::ValuesIn(malformed_texts),
                         [](const auto& row) { return row.param.name; });

/// Texts with a few edits, in parts of any number and form.
TEST_F(TextParts, AgreeOnEditedTexts) {
  std::string lines;
  for (int i = 1; i <= 12; ++i) {
    lines += std::to_string(i * 7 % 13) + " " + std::to_string(i) + "\t" + std::to_string(i % 3) +
             " " + std::to_string(1.0 / i) + (i % 4 == 0 ? "\r\n" : "\n");
  }
  const std::string heads[] = {"", "3\n13 13 13\n12\n", "# c\n13 13 13\n12\n",
                               "sptensor\n3\n9 9 9\n12\n"};
  std::size_t accepted = 0, refused = 0;
  for (std::uint64_t round = 0; round < 600; ++round) {
    const std::string& head = heads[random_bits(6, round) % 4];
    const std::string text = edited(head + lines, round % 2 == 0 ? head.size() : 0,
                                    "0123456789 \t\n\r.-+eE#%/xn,", round);
    SCOPED_TRACE(text);
    const Compression form = all_forms[random_bits(7, round) % 3];
    ReadOptions options;
    options.block_bytes = 1 + random_bits(8, round) % 200;
    options.index_base = random_bits(9, round) % 4 == 0 ? IndexBase::automatic : IndexBase::zero;
    const std::size_t parts = 1 + random_bits(10, round) % most_parts;
    const std::string path = file(detail::compress(text, form));
    if (is_table_file(path, options)) continue;  // parts of which nobody reads
    std::optional<ReadSptensor<double, std::uint32_t, HostExec>> single;
    const auto said = complaint([&] { single = read(path, options); });
    std::optional<JoinedParts<double, std::uint32_t>> joined;
    ASSERT_EQ(complaint([&] { joined = join_parts(path, parts, options); }), said);
    refused += said.has_value() ? 1 : 0;
    if (!single) continue;
    expect_report(joined->agreed.report, single->report);
    if (single->report.duplicates != 0) continue;
    ++accepted;
    expect_joined(*joined, single->tensor);
  }
  EXPECT_GT(accepted, 60U);
  EXPECT_GT(refused, 120U);
}

TEST_F(TextParts, SayWhereSubscriptsCountFromDifferentNumbers) {
  std::string text;
  for (int i = 1; i <= 20; ++i) text += std::to_string(i % 10) + " " + std::to_string(i) + " 1\n";
  EXPECT_TRUE(contains(said_of(text), "file:10: subscript 0 in mode 1"));
  EXPECT_TRUE(contains(said_of(text), "; mode 2 starts at 1 where mode 1 starts at 0"));
  // Not where a later part has more that is wrong.
  EXPECT_FALSE(contains(said_of(text + "x 1 1\n"), "starts at"));
  EXPECT_FALSE(contains(said_of("4294967295 1 1\n" + text), "starts at"));
}

TEST_F(TextParts, NeedWideOrdinals) {
  const auto wide = [&](const std::string& text, const ReadOptions& options = {}) {
    const std::string path = file(text);
    const auto facts = facts_of(read_parts(path, 3, options));
    const bool needed = need_wide_ordinals(facts);
    if (needed) {
      EXPECT_TRUE(contains(said_of(text, options), "use 64-bit ones"));
      const auto single =
          read_tensor_as<double, std::uint64_t, HostExec>(HostExec(), path, options);
      expect_joined(join_parts<double, std::uint64_t>(path, 3, options), single.tensor);
    }
    return needed;
  };
  EXPECT_FALSE(wide("1 1 1\n2 2 2\n4294967295 1 1\n"));
  EXPECT_TRUE(wide("1 1 1\n2 2 2\n4294967296 1 1\n"));
  EXPECT_TRUE(wide("2\n5000000000 3\n2\n1 1 1\n2 2 1\n"));
  EXPECT_TRUE(wide("1 1 1\n", {.dimensions = {3, 5000000000}}));
  EXPECT_FALSE(wide("1 1 1\n2 x 2\n4294967296 1 1\n"));  // there is more
}

TEST_F(TextParts, NameTheLineOfAnEntry) {
  const std::string text = "# c\n3 3 1\n\n2 2 2\n# d\n1 2 3\n1 1 4\n\n\n2 1 5";
  const std::size_t lines[] = {2, 4, 6, 7, 10};
  for (const Compression form : all_forms) {
    const std::string path = file(detail::compress(text, form));
    for (std::size_t parts = 1; parts <= most_parts; ++parts) {
      const auto facts = facts_of(read_parts(path, parts));
      for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(line_of_entry(path, facts, i), lines[i]);
      EXPECT_TRUE(
          contains(error_of([&] { (void)line_of_entry(path, facts, 5); }, Error::Kind::argument),
                   "line_of_entry: expected an entry below 5, got 5"));
    }
  }
}

TEST_F(TextParts, SayWhichEntriesAreDuplicates) {
  const std::string path = file("1 1 1e308\n\n2 2 1\n# c\n1 1 1e308\n3 3 3\n2 2 2\n1 1 1\n");
  const auto facts = facts_of(read_parts(path, 3));
  EXPECT_EQ(duplicates_refused(path, facts, 0, 2, 3).what(),
            error_of([&] { (void)read(path, {.duplicates = Duplicates::refuse}); }));
  EXPECT_EQ(duplicates_overflow(path, facts, 2).what(), error_of([&] { (void)read(path); }));
}

}  // namespace
}  // namespace genten::test
