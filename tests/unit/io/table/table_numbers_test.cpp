// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Numbers of tables as people write them.
#include "../io_support.hpp"

namespace genten::test {
namespace {

using TableNumbers = FileTest;

ReadOptions with_values(const std::string& values) {
  ReadOptions options;
  options.values = values;
  return options;
}

TEST_F(TableNumbers, DecimalCommasAreNumbersWhereTheOptionsSaySo) {
  ReadOptions options = with_values("x");
  const std::string text = "a;x\np;-0,5\nq;2\np;1,25e1\n";
  EXPECT_TRUE(contains(error_of([&] { (void)read(file(text), options); }),
                       ":2: column 'x': expected a number as the value, got '-0,5'"));
  options.decimal = Decimal::comma;
  expect_same(read(path(), options).tensor, tensor_of({2}, {0, 1}, {12, 2}));
}

ReadOptions with_decimal(Decimal decimal) {
  ReadOptions options = with_values("x");
  options.decimal = decimal;
  return options;
}

TEST_F(TableNumbers, PointsThatMayStandBetweenThousands) {
  const char* const doubtful[] = {"a;x\np;2.278\nq;567\nr;-13.407\n", "a;x\np;100.000\nq;2.500\n",
                                  "a;x\np;2.278\nq;3\n"};
  for (const char* text : doubtful) {
    for (const std::size_t block : {1U, 1U << 20}) {
      ReadOptions options = with_values("x");
      options.block_bytes = block;
      const std::string error = error_of([&] { (void)read(file(text), options); });
      EXPECT_TRUE(contains(error,
                           ":2: column 'x': each value with a point has three digits behind "
                           "it, as '"))
          << error;
    }
  }
  file(doubtful[0]);
  expect_same(read(path(), with_decimal(Decimal::point)).tensor,
              tensor_of({3}, {0, 1, 2}, {2.278, 567, -13.407}));
  expect_same(read(path(), with_decimal(Decimal::comma)).tensor,
              tensor_of({3}, {0, 1, 2}, {2278, 567, -13407}));
  const char* const decimals[] = {"2.278\nq;0.125", "2.278\nq;1.5", "2.278\nq;1234.567",
                                  "2.278\nq;1.000e2", "2.278\nq;.125"};
  for (const char* values : decimals) {
    EXPECT_EQ(read(file("a;x\np;" + std::string(values) + "\n"), with_values("x")).tensor.nnz(), 2);
  }
  EXPECT_EQ(read(file("a,x\np,2.278\nq,3\n"), with_values("x")).tensor.nnz(), 2);
}

TEST_F(TableNumbers, MarksBetweenThousandsAreReadWhereTheOptionsSaySo) {
  file("a;x\np;2.313,00\nq;-1.234.567,5\nr;7,25\n");
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), with_values("x")); }),
                       "'2.313,00', with points between thousands: "));
  expect_same(read(path(), with_decimal(Decimal::comma)).tensor,
              tensor_of({3}, {0, 1, 2}, {2313, -1234567.5, 7.25}));
  file("a;x\np;2,313.00\nq;-1,234,567.5\nr;7.25\n");
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), with_values("x")); }),
                       "'2,313.00', with commas between thousands: "));
  expect_same(read(path(), with_decimal(Decimal::point)).tensor,
              tensor_of({3}, {0, 1, 2}, {2313, -1234567.5, 7.25}));
  EXPECT_TRUE(
      contains(error_of([&] { (void)read(file("a;x\np;12.5\n"), with_decimal(Decimal::comma)); }),
               "expected a number with a decimal comma, and points between thousands "
               "alone, got '12.5'"));
}

TEST_F(TableNumbers, AmountsAreNoNames) {
  file("shop;week;price\na;1;1.299,00\nb;2;999,00\nc;3;49,90\n");
  const auto modes = with_values("week");
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), modes); }),
                       "'1.299,00', with points between thousands: "));
  ReadOptions comma = modes;
  comma.decimal = Decimal::comma;
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), comma); }),
                       "got '1.299,00'; the values are in column 'week'"));
  file("id,item,n\n\"40,684\",tea,2\n\"40,685\",tea,3\n");
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), with_values("n")); }),
                       " (write ids without marks, as 40684)"));
  file("who,item,n\n\"1,299\",tea,2\nann,tea,3\n");  // names among them
  EXPECT_EQ(read(path(), with_values("n")).tensor.dimension(0), 2U);
}

TEST_F(TableNumbers, WhatStandsBesideNumbersIsToldWithTheNumber) {
  const std::pair<const char*, const char*> cases[] = {
      {"$168.08", "with a sign of a currency: write 168.08"},
      {"$-567.21", "with a sign of a currency: write -567.21"},
      {"12 \xe2\x82\xac", "with a sign of a currency: write 12"},
      {"-1 234.5 \xe2\x82\xac",
       "with a sign of a currency and blanks between thousands: write -1234.5"},
      {"(567.21)", "with parentheses for a minus: write -567.21"},
      {"($5)", "with a sign of a currency and parentheses for a minus: write -5"},
      {"\xe2\x88\x92"
       "7",
       "with a minus that is no hyphen: write -7"},
      {"3%", "with a percent sign: write 3"},
      {"1.5e2 %", "with a percent sign: write 1.5e2"},
      {"2 278", "with blanks between thousands: write 2278"},
      {"2\xc2\xa0"
       "278\xe2\x80\xaf"
       "000",
       "with blanks between thousands: write 2278000"},
      {"2'278.5", "with marks between thousands: write 2278.5"},
      {"1.5e-3 %", "got '1.5e-3 %'"},
      {"5-3 $", "got '5-3 $'"},
      {"5- $", "got '5- $'"},
      {"(-5)", "got '(-5)'"},
      {"(5", "got '(5'"},
      {"10 20", "got '10 20'"},
      {"5'11", "got '5'11'"},
      {"18-", "with the minus behind the number, as accounts have it: write -18"},
      {"'1.5", "with the apostrophe of a spreadsheet's texts: write 1.5"},
      {"<1",
       ", a bound, as stands for small numbers that are not disclosed: write what it is to count "
       "as, or leave out the row"},
      {">= 100",
       ", a bound, as stands for small numbers that are not disclosed: write what it is to count "
       "as, or leave out the row"},
      {"3/5", ": write a fraction as a decimal number; a date is no value"},
      {"1/2/2024", "got '1/2/2024'"},
      {"<", ", or write what it is to count as"},
      {"\\N",
       ": where it marks a missing value, leave out the row (in pandas, read_csv(..., "
       "na_values=['\\\\N']).dropna(subset=['x']) leaves out all such rows), or write what it is "
       "to count as"},
      {"#DIV/0!",
       ": where it marks a missing value, leave out the row (in pandas, read_csv(..., "
       "na_values=['#DIV/0!']).dropna(subset=['x']) leaves out all such rows), or write what it is "
       "to count as"},
      {"False", ": write 1 for true and 0 for false"},
      {"NO", ": write 1 for yes and 0 for no"},
      {"t", ": write 1 for t and 0 for f"},
      {"yess", "got 'yess'"},
      {"two", "got 'two'"}};
  for (const auto& [field, hint] : cases) {
    const std::string path = file("a;x\np;" + std::string(field) + "\n");
    const std::string error = error_of([&] { (void)read(path, with_values("x")); });
    EXPECT_TRUE(error.ends_with(hint)) << error;
  }
}

TEST_F(TableNumbers, WordsAmongNumbersAreToldWithTheWayOut) {
  const std::string text = "a;x\np;1\nq;Refused\nr;2\ns;3\n";
  EXPECT_TRUE(contains(error_of([&] { (void)read(file(text), with_values("x")); }),
                       "got 'Refused': where it marks a missing value, leave out the row (in "
                       "pandas, read_csv(..., na_values=['Refused']).dropna(subset=['x'])"));
  EXPECT_TRUE(contains(
      error_of([&] { (void)read(file(text + "t;4\nu;Don't know\n"), with_values("x")); }),
      "got 'Refused': of 6 values 2 are no numbers, as 'Refused', 'Don't know': where they mark "
      "missing values, leave out their rows (in pandas, df[pandas.to_numeric(df['x'], "
      "errors='coerce').notna()] leaves out all such rows), or write what they are to count as"));
  EXPECT_TRUE(error_of([&] {
                (void)read(file("a;x\np;red\nq;1\nr;green\n"), with_values("x"));
              }).ends_with("got 'red'"));  // a column of names
}

TEST_F(TableNumbers, ColumnsOfTimesMakeATableWide) {
  for (const char* header : {"shop,2023-01,2023-02,2023-03", "shop,2019,2020,2021",
                             "shop,Jan,Feb,Mar", "shop,2024-Q1,2024-Q2,2024-Q3"}) {
    for (const char* rows : {"\na,1,2,3\n", "\na,1.5,2.5,3.5\n"}) {
      const std::string error = error_of([&] { (void)read(file(header + std::string(rows)), {}); });
      EXPECT_TRUE(contains(error, ":1: the table is wide: ")) << error;
      EXPECT_TRUE(contains(error, "df.melt(id_vars=['shop']) makes one, to read by "));
    }
  }
  for (const char* text : {"shop,5,9,7\na,1,2,3\n", "shop,2021,2019,2020\na,1,2,3\n",
                           "shop,a,Jan,Feb\na,1,2,3\n", "who,May,April\na,1,2\n"}) {
    EXPECT_FALSE(contains(error_of([&] { (void)read(file(text), {}); }), "is wide")) << text;
  }
}

TEST_F(TableNumbers, OtherQuantitiesAreNoModesBesideTheValues) {
  for (const char* rows : {"\np,q,1,3\n", "\np,q,1,3.5\n"}) {
    const std::string error =
        error_of([&] { (void)read(file("shop,item,qty,amount" + std::string(rows)), {}); });
    EXPECT_TRUE(contains(error, "amount with ")) << error;
    EXPECT_TRUE(contains(error, "shop,item")) << error;
  }
  const std::string of_ids = error_of([&] { (void)read(file("user,item,week,n\n1,2,3,4\n"), {}); });
  EXPECT_FALSE(contains(of_ids, " with ")) << of_ids;
}

}  // namespace
}  // namespace genten::test
