// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tools/text.hpp"
#include "tools/files.hpp"
#include "tools/program.hpp"
#include "tools/table.hpp"
#include "tools/terminal/terminal.hpp"
#include "tools/terminal/work_watch.hpp"

#include <genten/base/error.hpp>
#include <genten/mttkrp/published_rates.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace genten::tools {
namespace {

using ::testing::ElementsAre;

TEST(Text, Numbers) {
  EXPECT_EQ(format("%d of %s", 3, "four"), "3 of four");
  EXPECT_EQ(format_dimensions({5, 201, 61}), "5 x 201 x 61");
  EXPECT_EQ(format_dimensions({}), "");
  EXPECT_EQ(format_seconds(2.5), "2.5 s");
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(4.5e-5), "45 us");
  EXPECT_EQ(count_of(1, "nonzero"), "1 nonzero");
  EXPECT_EQ(count_of(0, "nonzero"), "0 nonzeros");
  EXPECT_EQ(count_of(4, "entry"), "4 entries");
}

TEST(Text, WidthsAreThoseOfATerminal) {
  EXPECT_EQ(display_width("Käse"), 4);
  EXPECT_EQ(shorten("Käse", 4), "Käse");
  EXPECT_EQ(shorten("Käsekuchen", 4), "Käs~");
}

TEST(Text, WrapBreaksAtBlanks) {
  EXPECT_EQ(wrap("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrap("one two three", 80), "one two three");
  EXPECT_EQ(wrap("incomprehensible", 4), "incomprehensible");
}

TEST(Text, ListsComeApartAndTogether) {
  EXPECT_THAT(split_list("a,,b"), ElementsAre("a", "", "b"));
  EXPECT_THAT(split_list("a,"), ElementsAre("a", ""));
  EXPECT_TRUE(split_list("").empty());
  EXPECT_THAT(split_list(R"("a, b",c)"), ElementsAre("a, b", "c"));
  EXPECT_THAT(split_list(R"(c,"a ""x"", b")"), ElementsAre("c", R"(a "x", b)"));
  EXPECT_THAT(split_list(R"("a"b,c)"), ElementsAre(R"("a"b)", "c"));
  EXPECT_EQ(join({"a", "b"}, ", "), "a, b");
}

TEST(Table, ColumnsLineUp) {
  Table table({{"name", Table::Align::left}, {"n"}});
  table.add({"ä", "10"});
  table.add({"longer"});
  std::ostringstream out;
  table.print(out, "  ");
  EXPECT_EQ(out.str(), "  name     n\n  ä       10\n  longer\n");
}

TEST(Table, MarkdownHasALineBelowItsTitles) {
  auto table = Table::markdown({"kernel", "s"});
  table.add({"sorted", "12.5"});
  table.add({"x"});
  std::ostringstream out;
  table.print(out);
  EXPECT_EQ(out.str(),
            "| kernel |    s |\n| :----- | ---: |\n| sorted | 12.5 |\n| x      |      |\n");
}

TEST(Text, DurationsAreThoseOfClocks) {
  EXPECT_EQ(format_duration(0.4), "0 s");
  EXPECT_EQ(format_duration(59.4), "59 s");
  EXPECT_EQ(format_duration(59.6), "1 min 0 s");
  EXPECT_EQ(format_duration(200), "3 min 20 s");
  EXPECT_EQ(format_duration(2 * 3600 + 5 * 60 + 59), "2 h 5 min");
}

TEST(WorkWatch, SaysWhatIsDoneAndWhatIsLeft) {
  EXPECT_EQ(describe({"preparing", 0, 0, 12.2}, ""), "preparing: 12 s");
  EXPECT_EQ(describe({"reading", 1, 100, 2.0}, "x.tns"), "reading x.tns: 1 %");
  EXPECT_EQ(describe({"reading", 25, 100, 2.0}, "x.tns"), "reading x.tns: 25 %, about 6 s left");
  EXPECT_EQ(describe({"reading", 120, 100, 2.0}, "x.tns"), "reading x.tns: 100 %, about 0 s left");
}

TEST(Terminal, OtherStreamsHaveNoColours) {
  const std::ostringstream out;
  EXPECT_FALSE(is_terminal(out));
  EXPECT_EQ(painted(out, Paint::error, "genten:"), "genten:");
}

TEST(Files, NamesSayWhatIsInside) {
  EXPECT_TRUE(has_extension("a/b.TNS", ".tns"));
  EXPECT_FALSE(has_extension("a.tns/b", ".tns"));
  EXPECT_EQ(model_form("m.gkt"), ModelForm::binary);
  EXPECT_EQ(model_form("m.ktensor"), ModelForm::text);
  EXPECT_EQ(model_form("m.CSV"), ModelForm::csv);
  EXPECT_EQ(model_form("csv/m.npz"), ModelForm::npz);
  EXPECT_EQ(model_form("m.npz.gz"), ModelForm::text);
}

int ends_with(const std::function<int()>& body, std::string* said = nullptr) {
  ::testing::internal::CaptureStderr();
  const int code = run_program("prog", body);
  const std::string text = ::testing::internal::GetCapturedStderr();
  if (said != nullptr) *said = text;
  return code;
}

TEST(Program, ErrorsBecomeMessagesAndExitCodes) {
  std::string said;
  EXPECT_EQ(ends_with([] { return 0; }, &said), success);
  EXPECT_EQ(said, "");
  EXPECT_EQ(ends_with([] { return 7; }), 7);
  EXPECT_EQ(ends_with([]() -> int { throw Error("wrong rank"); }, &said), wrong_usage);
  EXPECT_EQ(said, "prog: wrong rank\n");
  EXPECT_EQ(ends_with([]() -> int { throw Error(Error::Kind::file, "x"); }), file_trouble);
  EXPECT_EQ(ends_with([]() -> int { throw Error(Error::Kind::memory, "x"); }), failure);
  EXPECT_EQ(ends_with([]() -> int { throw std::bad_alloc(); }, &said), failure);
  EXPECT_EQ(said, "prog: out of memory\n");
  EXPECT_EQ(ends_with([]() -> int { throw std::runtime_error("x"); }), failure);
}

TEST(PublishedRates, AreThoseOfTheFormulas) {
  // Per nonzero 3 x 16 operations, and (3 x 16 + 3) x 8 + 3 x 4 = 420 bytes.
  const MttkrpProblem problem{{5, 6, 7}, 1000, 16, 8, 4, {}};
  const PublishedRates rates = published_rates(problem, 3, 1e-3);
  EXPECT_NEAR(rates.gflops, 3 * 48e3 / 1e-3 * 1e-9, 1e-12);
  EXPECT_NEAR(rates.gbytes, 3 * 420e3 / 1e-3 * 1e-9, 1e-12);
  EXPECT_EQ(published_rates(problem, 3, 0.0).gflops, 0.0);
}

}  // namespace
}  // namespace genten::tools
