// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tools/command_line.hpp"
#include "tools/result_json.hpp"

#include <genten/cp/options.hpp>
#include <genten/io/options.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <sstream>

namespace genten::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

enum class Taste { sweet, sour };
constexpr auto enum_words(Taste) {
  return std::array{EnumWord("sweet", Taste::sweet, "like honey"), EnumWord("sour", Taste::sour)};
}

std::vector<std::string> fruits() {
  return {"apple", "plum"};
}

struct Inner {
  float ratio = 0.5F;
  static constexpr auto fields() {
    return member_table(option_field("ratio", &Inner::ratio, "of sugar", 0, 1));
  }
};

/// An option of every type: each is one member and one line of the table, and nothing else.
struct EveryType {
  std::size_t count = 3;
  double weight = 0.25;
  bool peeled = false;
  Taste taste = Taste::sweet;
  std::string note = "none";
  std::string fruit = "apple";
  std::vector<int> modes = {};
  std::vector<std::size_t> lengths = {};
  Inner inner = {};

  static constexpr auto fields() {
    return member_table(option_field("count", &EveryType::count, "how many", 1, 9),
                        option_field("weight", &EveryType::weight, "in kilograms", 0),
                        option_field("peeled", &EveryType::peeled, "without its skin"),
                        option_field("taste", &EveryType::taste, "what it is like"),
                        option_field("note", &EveryType::note, "anything"),
                        member_table(option_field("fruit", &EveryType::fruit, "which", &fruits),
                                     option_field("fixed-modes", &EveryType::modes, "what stays")),
                        option_field("lengths", &EveryType::lengths, "of the sides", 1, 50),
                        option_group(&EveryType::inner));
  }
};

EveryType parse(const std::string& arguments) {
  EveryType options;
  CLI::App app;
  add_fields(app, options);
  app.parse(arguments);
  return options;
}

std::string complaint(const std::string& arguments) {
  try {
    parse(arguments);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "";
}

template <class Options>
std::string out_of_range(const Options& options) {
  try {
    check_ranges(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(OptionTable, DefaultsAreThoseOfTheMembers) {
  const EveryType options = parse("");
  EXPECT_EQ(options.count, 3);
  EXPECT_EQ(options.taste, Taste::sweet);
  EXPECT_EQ(options.fruit, "apple");
  EXPECT_TRUE(options.modes.empty());
}

TEST(OptionTable, EveryTypeIsParsed) {
  const EveryType options = parse(
      "--count 7 --weight 1e-3 --peeled --taste sour --note hello --fruit plum "
      "--fixed-modes 1,3 --lengths 5,6,7 --ratio 0.75");
  EXPECT_EQ(options.count, 7);
  EXPECT_EQ(options.weight, 1e-3);
  EXPECT_TRUE(options.peeled);
  EXPECT_EQ(options.taste, Taste::sour);
  EXPECT_EQ(options.note, "hello");
  EXPECT_EQ(options.fruit, "plum");
  EXPECT_THAT(options.modes, ElementsAre(0, 2)) << "modes count from 0 in the API";
  EXPECT_THAT(options.lengths, ElementsAre(5, 6, 7));
  EXPECT_EQ(options.inner.ratio, 0.75F);
  EXPECT_FALSE(parse("--no-peeled").peeled);
}

TEST(OptionTable, WhatIsExpectedIsSaid) {
  EXPECT_THAT(complaint("--count 10"), HasSubstr("--count: expected a whole number from 1 to 9"));
  EXPECT_THAT(complaint("--count 1.5"), HasSubstr("got '1.5'"));
  EXPECT_THAT(complaint("--weight=-1"), HasSubstr("a number of at least 0, got '-1'"));
  EXPECT_THAT(complaint("--taste salty"), HasSubstr("--taste: expected sweet|sour, got 'salty'"));
  EXPECT_THAT(complaint("--fruit pear"), HasSubstr("--fruit: expected apple|plum, got 'pear'"));
  EXPECT_THAT(complaint("--fixed-modes 0"), HasSubstr("from 1 to"));
  EXPECT_THAT(complaint("--lengths 5,0"), HasSubstr("from 1 to 50, got '0'"));
  EXPECT_THAT(complaint("--ratio 2"), HasSubstr("from 0 to 1, got '2'"));
}

TEST(OptionTable, HelpIsGenerated) {
  EveryType options;
  CLI::App app;
  add_fields(app, options);
  style_help(app);
  const std::string help = app.help();
  EXPECT_THAT(help, HasSubstr("--count N"));
  EXPECT_THAT(help, HasSubstr("how many (1 to 9; default 3)"));
  EXPECT_THAT(help, HasSubstr("in kilograms (at least 0; default 0.25)"));
  EXPECT_THAT(help, HasSubstr("without its skin (default off)"));
  EXPECT_THAT(help, HasSubstr("--taste sweet|sour"));
  EXPECT_THAT(help, HasSubstr("sweet: like honey (default"));
  EXPECT_THAT(help, HasSubstr("--fruit apple|plum"));
  EXPECT_THAT(help, HasSubstr("what stays (modes count from 1, or are named)"));
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80) << line;
}

TEST(OptionTable, NamesOfACommandMayDiffer) {
  EveryType options;
  CLI::App app;
  OptionNames names;
  names.prefix = "output-";
  names.renamed["taste"] = "like";
  names.left_out = {"note"};
  names.defaults["count"] = "as many as there are";
  const auto added = add_fields(app, options, names);
  EXPECT_FALSE(added.contains("note"));
  app.parse("--output-count 4 --like sour");
  EXPECT_EQ(options.count, 4);
  EXPECT_EQ(options.taste, Taste::sour);
  EXPECT_THAT(app.help(), HasSubstr("default as many as there are"));
  EXPECT_TRUE(added.at("count").is_given());
  EXPECT_FALSE(added.at("weight").is_given());
}

TEST(OptionTable, JsonIsGenerated) {
  EveryType options;
  options.taste = Taste::sour;
  options.modes = {0, 2};
  EXPECT_EQ(options_json(options),
            nlohmann::ordered_json::parse(
                R"({"count":3,"weight":0.25,"peeled":false,"taste":"sour","note":"none",
                    "fruit":"apple","fixed_modes":[1,3],"lengths":[],"ratio":0.5})"));
}

TEST(OptionTable, RangesAreChecked) {
  EXPECT_EQ(out_of_range(EveryType{}), "");
  EveryType options;
  options.count = 0;
  EXPECT_EQ(out_of_range(options), "option count: expected a whole number from 1 to 9, got 0");
  options = {};
  options.taste = static_cast<Taste>(7);
  EXPECT_EQ(out_of_range(options), "option taste: expected sweet|sour, got 7");
  options = {};
  options.lengths = {4, 51};
  EXPECT_EQ(out_of_range(options), "option lengths: expected a whole number from 1 to 50, got 51");
  options = {};
  options.inner.ratio = 1.5F;
  EXPECT_EQ(out_of_range(options), "option ratio: expected a number from 0 to 1, got 1.5");
}

TEST(OptionTable, WordsAreFoundByTheirType) {
  EXPECT_EQ(to_string(Taste::sour), "sour");
  EXPECT_EQ(to_string(static_cast<Taste>(9)), "unknown");
  EXPECT_EQ(from_word<Taste>("sweet"), Taste::sweet);
  EXPECT_EQ(from_word<Taste>("Sweet"), std::nullopt);
  EXPECT_EQ(all_words<Taste>(" or "), "sweet or sour");
}

/// Every option of the library's own tables has a meaning, a name of its own and a default that is
/// in its range.
template <class Options>
void check_table() {
  std::set<std::string> names;
  const auto check = [&](const auto& field, const auto& value) {
    const OptionText option = option_text(line_of(field), value);
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_FALSE(option.meaning.empty()) << option.name;
    EXPECT_FALSE(option.values.empty()) << option.name;
    EXPECT_THAT(option.meaning, ::testing::Not(HasSubstr("0-based"))) << option.name;
  };
  const Options options;
  for_each_field(options, check);
  EXPECT_EQ(out_of_range(options), "");
}

TEST(OptionTable, TheLibrarysTablesAreWhole) {
  check_table<CpAlsOptions>();
  check_table<ReadOptions>();
  check_table<WriteOptions>();
}

TEST(OptionTable, KernelsAreChoices) {
  CpAlsOptions options;
  CLI::App app;
  add_fields(app, options);
  app.parse("--kernel sorted");
  EXPECT_EQ(options.mttkrp.kernel, "sorted");
  EXPECT_THROW(app.parse("--kernel fast"), CLI::ValidationError);
}

}  // namespace
}  // namespace genten::tools
