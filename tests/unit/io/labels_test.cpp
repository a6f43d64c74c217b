// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../../../src/io/file/file_content.hpp"
#include "io_support.hpp"

#include <genten/io/labels.hpp>

namespace genten::test {
namespace {

using Names = std::vector<std::string>;

class Labels : public FileTest {};

TEST_F(Labels, OneNameALine) {
  const Names expected = {"first", "second name", "#third // %", " fourth\t", "f\xc3\xbcnf"};
  const std::string text = "first\nsecond name\n#third // %\n fourth\t\nf\xc3\xbcnf";
  EXPECT_EQ(read_labels(file(text)), expected);
  EXPECT_EQ(read_labels(file(text + "\n")), expected);
  EXPECT_EQ(read_labels(file("\xef\xbb\xbf" + text)), expected);
  EXPECT_EQ(read_labels(file("a\r\nb\r\n")), (Names{"a", "b"}));
  EXPECT_EQ(read_labels(file(detail::compress(text, Compression::gzip))), expected);
  EXPECT_EQ(read_labels(file(detail::compress(text, Compression::zstd))), expected);
}

TEST_F(Labels, NumberOfNamesIsChecked) {
  EXPECT_EQ(read_labels(file("a\nb\n"), 2), (Names{"a", "b"}));
  EXPECT_TRUE(contains(error_of([&] { (void)read_labels(file("a\nb\n"), 3); }),
                       "file: expected 3 names, one for each subscript of the mode, got 2"));
  EXPECT_TRUE(contains(error_of([&] { (void)read_labels(file("a\nb\n"), 1); }),
                       "file: expected 1 name, one for each subscript of the mode, got 2"));
}

TEST_F(Labels, Refused) {
  EXPECT_TRUE(contains(error_of([&] { (void)read_labels(file("a\n\nb\n")); }),
                       "file:2: expected a name, got nothing"));
  EXPECT_TRUE(contains(error_of([&] { (void)read_labels(file("a\r\n\r\n")); }), "file:2: "));
  EXPECT_TRUE(contains(error_of([&] { (void)read_labels(file("")); }), "the file is empty"));
  EXPECT_TRUE(contains(error_of([&] { (void)read_labels(path("absent")); }), "cannot be opened"));
}

TEST_F(Labels, RoundTrip) {
  const Names names = {"a", "two words", "# no comment"};
  write_labels(path(), names);
  EXPECT_EQ(content_of(path()), "a\ntwo words\n# no comment\n");
  EXPECT_EQ(read_labels(path(), 3), names);
  for (const char* bad : {"", "two\nlines", "cr\r"}) {
    EXPECT_TRUE(contains(error_of(
                             [&] {
                               write_labels(path("bad"), Names{"good", bad});
                             },
                             Error::Kind::argument),
                         "expected names of one line each"));
    EXPECT_FALSE(std::filesystem::exists(path("bad")));
  }
}

}  // namespace
}  // namespace genten::test
