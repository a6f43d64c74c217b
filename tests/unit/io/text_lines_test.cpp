// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Lines, fields and the words of messages, taken apart the careful way.
#include "../../../src/io/text/text_lines.hpp"

#include <gtest/gtest.h>

namespace genten::test {
namespace {

using detail::byte_order_mark;
using detail::counted;
using detail::LineReader;
using detail::split_fields;
using detail::to_count;
using detail::without_comment;
using Fields = std::vector<std::string_view>;

TEST(TextLines, FieldsLieBetweenBlanks) {
  EXPECT_EQ(split_fields(""), Fields());
  EXPECT_EQ(split_fields(" \t\v\f"), Fields());
  EXPECT_EQ(split_fields("a"), Fields{"a"});
  EXPECT_EQ(split_fields(" a\tbc\v\fd "), (Fields{"a", "bc", "d"}));
  EXPECT_EQ(split_fields("a\rb"), Fields{"a\rb"});
}

TEST(TextLines, CommentsAndCarriageReturnsAreNoPartOfALine) {
  EXPECT_EQ(without_comment(""), "");
  EXPECT_EQ(without_comment("\r"), "");
  EXPECT_EQ(without_comment("a b\r"), "a b");
  EXPECT_EQ(without_comment("a\r\r"), "a\r");
  EXPECT_EQ(without_comment("a#b"), "a");
  EXPECT_EQ(without_comment("a//b#c"), "a");
  EXPECT_EQ(without_comment("a/b"), "a/b");
  EXPECT_EQ(without_comment("% a"), "");
  EXPECT_EQ(without_comment("50% a"), "50% a");
  EXPECT_EQ(without_comment("50% a % b"), "50% a ");
  EXPECT_EQ(without_comment("50%% %%b"), "50%% ");
  EXPECT_EQ(without_comment("1 %# a"), "1 ");
}

TEST(TextLines, FieldsInMessagesAreShortAndPrintable) {
  EXPECT_EQ(detail::in_quotes(""), "''");
  EXPECT_EQ(detail::in_quotes(" ~"), "' ~'");
  EXPECT_EQ(detail::in_quotes("a\x1f\x7f\x80\xff\n"), R"('a\x1f\x7f\x80\xff\x0a')");
  const std::string forty(40, 'x');
  EXPECT_EQ(detail::in_quotes(forty), "'" + forty + "'");
  EXPECT_EQ(detail::in_quotes(forty + "y"), "'" + forty + "...'");
  EXPECT_EQ(detail::in_quotes("Pr\xc3\xa9nom"), "'Pr\xc3\xa9nom'");
  EXPECT_EQ(detail::in_quotes("Pr\xe9nom"), R"('Pr\xe9nom')");
  const std::string odd(39, 'x');  // no character is cut
  EXPECT_EQ(detail::in_quotes(odd + "\xc3\xa9y"), "'" + odd + "...'");
}

TEST(TextLines, CountsAreWholeNumbersOf64Bits) {
  EXPECT_EQ(to_count("0"), 0U);
  EXPECT_EQ(to_count("00012"), 12U);
  EXPECT_EQ(to_count("18446744073709551615"), ~std::uint64_t{0});
  for (const char* field :
       {"", "18446744073709551616", "-1", "+1", "1.0", "1e3", "x", " 1", "1/"}) {
    EXPECT_EQ(to_count(field), std::nullopt) << field;
  }
}

TEST(TextLines, NounsAreCounted) {
  EXPECT_EQ(counted(0, "field"), "0 fields");
  EXPECT_EQ(counted(1, "field"), "1 field");
  EXPECT_EQ(counted(2, "field"), "2 fields");
  EXPECT_EQ(counted(1, "entry"), "1 entry");
  EXPECT_EQ(counted(2, "entry"), "2 entries");
}

TEST(TextLines, AByteOrderMarkIsWholeAndFirst) {
  EXPECT_EQ(byte_order_mark("\xef\xbb\xbf"), 3U);
  EXPECT_EQ(byte_order_mark("\xef\xbb\xbf"
                            "1"),
            3U);
  for (const char* text : {"", "\xef\xbb", "1\xef\xbb\xbf", "\xef\xbb\xbe"}) {
    EXPECT_EQ(byte_order_mark(text), 0U);
  }
}

TEST(TextLines, LinesAreNumberedAsAnEditorDoes) {
  const std::string_view text = "\xef\xbb\xbf# first\n1 2\n\n \t\r\n3 % c\n4";
  LineReader reader(text);
  detail::Line line;
  EXPECT_EQ(reader.lines(), 0U);
  const std::size_t numbers[] = {2, 5, 6}, offsets[] = {11, 20, 26};
  const Fields fields[] = {{"1", "2"}, {"3"}, {"4"}};
  for (const std::size_t i : {0U, 1U, 2U}) {
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(line.number, numbers[i]);
    EXPECT_EQ(line.offset, offsets[i]);
    EXPECT_EQ(line.fields, fields[i]);
    EXPECT_EQ(reader.lines(), numbers[i]);
  }
  EXPECT_FALSE(reader.next(line));
  EXPECT_EQ(reader.lines(), 6U);
  LineReader with_line_end("1\n");
  EXPECT_TRUE(with_line_end.next(line));
  EXPECT_FALSE(with_line_end.next(line));
  EXPECT_EQ(with_line_end.lines(), 1U);
}

}  // namespace
}  // namespace genten::test
