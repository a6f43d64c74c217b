// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../io_support.hpp"

#include <genten/io/entries.hpp>
#include <genten/io/table.hpp>

namespace genten::test {
namespace {

using TableRead = FileTest;
using Names = std::vector<std::string>;

ReadOptions with_values(const std::string& values, const Names& modes = {}) {
  ReadOptions options;
  options.values = values;
  options.modes = modes;
  return options;
}

TEST_F(TableRead, TextsAreSortedNamesAndWholeNumbersSubscripts) {
  const auto found = read(file("user,week,count\nbob,2,5\nann,0,7\n"), with_values("count"));
  expect_same(found.tensor, tensor_of({2, 3}, {1, 2, 0, 0}, {5, 7}));
  ASSERT_NE(found.report.table, nullptr);
  EXPECT_EQ(found.report.table->modes, (Names{"user", "week"}));
  EXPECT_EQ(found.report.table->rows, (std::vector<Names>{{"ann", "bob"}, {}}));
  EXPECT_FALSE(found.report.table->ones);
  EXPECT_EQ(found.report.index_base, IndexBase::zero);
  EXPECT_EQ(found.report.entries, 2U);
}

/// A quote too many makes the rest of a file one record, which is not loaded whole.
TEST_F(TableRead, RecordsThatDoNotEnd) {
  const std::string lines = "user,item\nann,\"tea, black\"\nbob,5\" pipe\nann,milk\n";
  for (const std::string& text : {lines, lines + "bob,\"milk\"\n"}) {
    file(text);
    std::filesystem::resize_file(path(), std::size_t{200} << 20);
    EXPECT_TRUE(contains(error_of([&] { (void)read(path()); }),
                         path() + ":3: expected records of at most 64 MiB, got a longer one"));
  }
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("user,item\nann,tea\nbob,\"milk\nc,d\n")); }),
                       path() + ":3: expected a quote that ends the field, got the end of"));
}

TEST_F(TableRead, ModesAreInTheOrderThatIsAskedFor) {
  const auto found = read(file("a,b,skipped,x\np,q,,1.5\n"), with_values("x", {"b", "a"}));
  EXPECT_EQ(found.report.table->modes, (Names{"b", "a"}));
  expect_same(found.tensor, tensor_of({1, 1}, {0, 0}, {1.5}));
}

TEST_F(TableRead, WithoutValuesEachRowCounts) {
  const auto found = read(file("a,b\np,q\np,r\np,q\n"));
  expect_same(found.tensor, tensor_of({1, 2}, {0, 0, 0, 1}, {2, 1}));
  EXPECT_TRUE(found.report.table->ones);
  EXPECT_EQ(found.report.duplicates, 1U);
}

TEST_F(TableRead, RowsThatRepeatAreAddedUpAndSorted) {
  const auto found = read(file("i,x\n2,1\n0,2\n2,4\n"), with_values("x"));
  expect_same(found.tensor, tensor_of({3}, {0, 2}, {2, 5}));
  ReadOptions options = with_values("x");
  options.duplicates = Duplicates::refuse;
  const std::string error = error_of([&] { (void)read(path(), options); });
  EXPECT_TRUE(contains(error, ":4: duplicate: the subscripts of this entry are those of line 2"));
}

TEST_F(TableRead, RowsThatRepeatBecomeOneByARule) {
  const std::string text = "i,x\n2,1\n0,2\n2,8\n2,3\n";
  const std::pair<Duplicates, double> rules[] = {
      {Duplicates::mean, 4}, {Duplicates::last, 3}, {Duplicates::max, 8}};
  for (const auto& [rule, made] : rules) {
    ReadOptions options = with_values("x");
    options.duplicates = rule;
    const auto found = read(file(text), options);
    expect_same(found.tensor, tensor_of({3}, {0, 2}, {2, made}));
    EXPECT_EQ(found.report.duplicates, 2U);
  }
}

TEST_F(TableRead, Latin1BecomesUtf8InTheOrderOfCodePoints) {
  ReadOptions options;
  // Of Windows-1252 0x80 is U+20AC, behind U+00E9.
  const std::string text = "m\xe4,b\n\x80,p\n\xe9,q\nz,q\n";
  const std::string refused = error_of([&] { (void)read(file(text), options); });
  EXPECT_TRUE(contains(refused, ":1: the names of columns: expected text in UTF-8, got 'm\\xe4'"));
  options.encoding = Encoding::latin1;
  const auto found = read(path(), options);
  EXPECT_EQ(found.report.table->modes, (Names{"m\xc3\xa4", "b"}));
  EXPECT_EQ(found.report.table->rows[0], (Names{"z", "\xc3\xa9", "\xe2\x82\xac"}));
}

TEST_F(TableRead, BlanksBehindSeparatorsBelongToNoField) {
  const auto expected = read(file("a,b,x\np,r,1\nq,s,2\n"), with_values("x")).tensor;
  for (const char* text :
       {"a, b, x\np, r, 1\nq, s, 2\n", "a,b,x\np, r, 1\nq,s ,2\n",
        "\"a\", \"b\" , \"x\"\np, \"r\", 1\nq , s,  2", "a ; b ; x\np ; r ; 1\n q;s;2\n"}) {
    for (const std::size_t block : {1U, 1U << 20}) {
      ReadOptions options = with_values("x");
      options.block_bytes = block;
      const auto found = read(file(text), options);
      expect_same(found.tensor, expected);
      EXPECT_EQ(found.report.table->rows,
                (std::vector<std::vector<std::string>>{{"p", "q"}, {"r", "s"}}))
          << text;
    }
  }
}

TEST_F(TableRead, QuotesMakeANameOfAWordForMissing) {
  const auto found = read(file("a,x\n\"NA\",1\nDE,2\n\"nan\",3\n"), with_values("x"));
  EXPECT_EQ(found.report.table->rows[0], (Names{"DE", "NA", "nan"}));
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("a,x\nNA,1\n"), with_values("x")); }),
                       "; a row that is called NA has quotes in the table, \"NA\""));
  for (const char* text : {"a,x\n\"\",1\n", "a,x\np,\"NA\"\n"}) {
    const std::string error = error_of([&] { (void)read(file(text), with_values("x")); });
    EXPECT_TRUE(contains(error, "a value is missing")) << text;
    EXPECT_FALSE(contains(error, "has quotes")) << text;
  }
}

TEST_F(TableRead, NumbersAloneAreNoHeader) {
  const char* const said =
      ":1: expected a first line that names the columns, got numbers alone, '17', '9', '6': if it "
      "is an entry, put a line with the names of the columns before it; if it is the header, "
      "modes and values name its columns";
  file("17,9,6\n0,1,5\n");
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), with_values("6")); }), said));
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), with_values("", {"17"})); }), said));
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), with_values("6", {"17", "8"})); }), said));
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), with_values("7", {"17"})); }),
                       "; in a table whose first line is an entry, put a line with the names"));
  expect_same(read(path(), with_values("6", {"17", "9"})).tensor, tensor_of({1, 2}, {0, 1}, {5}));
  // As pandas calls columns that nobody has named, and years beside a name.
  expect_same(read(file("0,1,2\n4,1,5\n"), with_values("2")).tensor,
              tensor_of({5, 2}, {4, 1}, {5}));
  EXPECT_EQ(read(file("who,2023,2024\nann,1,5\n"), with_values("2024", {"who"})).tensor.nnz(), 1);
}

TEST_F(TableRead, LinesAboveTheHeader) {
  const char* const titles[] = {"Sales,,\n,,\nuser,week,n\nann,1,2\n",
                                "Sales of 2024\n\nuser,week,n\nann,1,2\n"};
  for (const char* text : titles) {
    EXPECT_TRUE(contains(error_of([&] { (void)read(file(text), with_values("n")); }),
                         "; line 3 has a column of that name: remove the lines above it"));
    EXPECT_TRUE(contains(error_of([&] { (void)read(path()); }),
                         "; line 3 may be that of the names: remove the lines above it"));
  }
  // A field of an entry is no name where the first line names as many columns.
  EXPECT_FALSE(contains(
      error_of([&] { (void)read(file("shop,kind,n\ns1,x,3\n"), with_values("3")); }), "remove"));
  const char* const hint =
      "expected 2 fields, as many as the header has, got 3; if line 3 is that of the names, remove "
      "the lines above it";
  const std::string title = "Sales, all shops\n";
  for (const char* below :
       {"\nuser,item,week\nann,a,2\n", "all,years\nuser,item,week\nann,a,2\n"}) {
    EXPECT_TRUE(error_of([&] { (void)read(file(title + below)); }).ends_with(hint)) << below;
  }
  for (const char* below : {"ann,a\nann,b,c\nbob,a\n", "ann,a\nann\n"}) {
    EXPECT_FALSE(contains(error_of([&] { (void)read(file(title + below)); }), "line 3 is"));
  }
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("97,SKU,3\n"), with_values("n")); }),
                       "got 'n'; if the first line is an entry, put a line with the names"));
}

TEST_F(TableRead, ValuesInSeveralColumns) {
  const char* const melt = "; if columns hold one quantity, as those of months, make one column of";
  file("who,tea,milk,rum\nann,1,5,2\n");
  EXPECT_TRUE(contains(error_of([&] { (void)read(path()); }), melt));
  EXPECT_TRUE(
      contains(error_of([&] { (void)read(path()); }), ", beside which the others are modes"));
  file("who,Jan,Feb,Mar\nann,1.5,5.5,2\n");
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), with_values("Mar")); }), melt));
  std::string header = "who", row = "ann";
  for (int i = 0; i < 17; ++i) header += ",w" + std::to_string(i), row += ",1";
  file(header + "\n" + row + "\n");
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), with_values("w0")); }), melt));
  file("who,week,n\nann,1,5\n");
  EXPECT_FALSE(contains(error_of([&] { (void)read(path()); }), melt));
}

TEST_F(TableRead, AFirstLineThatIsARecordIsNoHeader) {
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("p,x\nq,x\np,y\n")); }),
                       ":1: expected a first line that names the columns, got an entry, 'p', 'x'"));
  file("\"p, net\",x\nq,x\nr,y\n");  // may be either
  EXPECT_TRUE(contains(error_of([&] { (void)read(path()); }),
                       "with 'x', whose text this column has again below: put a line of names "
                       "before it; where it is the header, modes \"p, net\",x says so"));
  ReadOptions names;
  names.modes = {"p, net", "x"};
  EXPECT_EQ(read(path(), names).report.table->modes, (Names{"p, net", "x"}));
}

TEST_F(TableRead, QuotesHoldDelimitersLineEndsAndQuotes) {
  const auto found =
      read(file("\"a, \"\"b\"\"\",x\n\"p,\nq\",1\r\n\"say \"\"no\"\"\",\"2\"\n\n\"p,\nq\",4"),
           with_values("x"));
  EXPECT_EQ(found.report.table->modes, (Names{"a, \"b\""}));
  EXPECT_EQ(found.report.table->rows, (std::vector<Names>{{"p,\nq", "say \"no\""}}));
  expect_same(found.tensor, tensor_of({2}, {0, 1}, {5, 2}));
}

TEST_F(TableRead, TabsAndSemicolonsSeparateFieldsToo) {
  for (const char* text : {"\xef\xbb\xbfu\tv,w\tx\r\na\tb\t3\r\n", "u;v;x\na;b;3\n"}) {
    const auto found = read(file(text), with_values("x"));
    expect_same(found.tensor, tensor_of({1, 1}, {0, 0}, {3}));
    EXPECT_EQ(found.report.table->modes[0], "u");
  }
}

TEST_F(TableRead, NamesThatLookLikeNumbersAreTextsBesideOthers) {
  const auto found = read(file("i,j,x\n007,7,1\nx,1,2\n"), with_values("x"));
  EXPECT_EQ(found.report.table->rows, (std::vector<Names>{{"007", "x"}, {}}));
  expect_same(found.tensor, tensor_of({2, 8}, {0, 7, 1, 1}, {1, 2}));
}

TEST_F(TableRead, NumbersBehindZerosAreNamesWhereverTheyStand) {
  std::string text = "zip,day,x\n";
  for (int i = 0; i < 200; ++i) text += "1234,0,1\n";
  text += "01234,10,2\n98765,0,3\n";
  for (const std::size_t block : {64U, 1U << 20}) {
    ReadOptions options = with_values("x");
    options.block_bytes = block;
    const auto found = read(file(text), options);
    EXPECT_EQ(found.report.table->rows, (std::vector<Names>{{"01234", "1234", "98765"}, {}}));
    expect_same(found.tensor, tensor_of({3, 11}, {0, 10, 1, 0, 2, 0}, {2, 200, 3}));
  }
}

TEST_F(TableRead, NumbersBeyondSubscriptsAreTexts) {
  const auto found = read(file("i,x\n123456789012345678901234,1\n5,2\n"), with_values("x"));
  EXPECT_EQ(found.report.table->rows[0], (Names{"123456789012345678901234", "5"}));
}

TEST_F(TableRead, LongIdsNeedWideOrdinals) {
  const std::string path = file("i,j,x\n9007199254740993,a,1\n");
  const auto found = read_tensor<double, HostExec>(path, with_values("x"));
  const auto& tensor = std::get<Sptensor<double, std::uint64_t, HostExec>>(found.tensor);
  EXPECT_EQ(tensor.dimension(0), 9007199254740994U);
  EXPECT_EQ(tensor.subscripts()(0, 0), 9007199254740993U);
  EXPECT_TRUE(contains(error_of([&] { (void)read(path, with_values("x")); }), "32-bit"));
}

TEST_F(TableRead, TruthsAreFalseAndTrue) {
  const auto found = read(file("i,x\ntrue,1\nFALSE,2\nTRUE,4\n"), with_values("x"));
  EXPECT_EQ(found.report.table->rows[0], (Names{"False", "True"}));
  expect_same(found.tensor, tensor_of({2}, {0, 1}, {2, 5}));
}

TEST_F(TableRead, SubscriptsCountFromOneWhereTheOptionsSaySo) {
  ReadOptions options = with_values("x");
  options.index_base = IndexBase::one;
  expect_same(read(file("i,x\n1,1\n3,2\n"), options).tensor, tensor_of({3}, {0, 2}, {1, 2}));
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("i,x\n0,1\n"), options); }),
                       "column 'i': expected subscripts that count from 1, got 0"));
  EXPECT_EQ(read(file("i,x\n1,1\n"), with_values("x")).report.first_subscripts,
            std::vector<std::size_t>{1});
}

TEST_F(TableRead, DimensionsAreThoseOfTheOptions) {
  ReadOptions options = with_values("x");
  options.dimensions = {4, 2};
  const std::string text = "i,j,x\n1,a,1\n3,b,2\n";
  EXPECT_EQ(read(file(text), options).tensor.dimensions(), options.dimensions);
  options.dimensions = {3, 2};
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), options); }), "below the dimension 3"));
  options.dimensions = {4, 3};
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), options); }), "expected 3 texts"));
  options.dimensions = {4};
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), options); }), "expected 1 column"));
}

TEST_F(TableRead, IsTheSameForAnyBlocksAndThreads) {
  std::string text = "name,\"long\nheader\",x\n";
  for (int i = 0; i < 500; ++i) {
    text += "\"n, " + std::to_string(i * 37 % 91) + "\n\"\"\"," + std::to_string(i * 7 % 13) + "," +
            std::to_string(i * 0.37) + "\n";
  }
  const auto whole = read(file(text), with_values("x"));
  EXPECT_EQ(whole.tensor.dimension(0), 91U);
  for (const std::size_t bytes : {1, 7, 64, 1000}) {
    for (const std::size_t threads : {1, 3}) {
      ReadOptions options = with_values("x");
      options.block_bytes = bytes;
      options.threads = threads;
      const auto found = read(path(), options);
      expect_same(found.tensor, whole.tensor);
      EXPECT_EQ(found.report.table->rows, whole.report.table->rows);
    }
  }
}

TEST_F(TableRead, HeadersTellTablesFromOtherText) {
  const auto is = [&](const char* text) { return is_table_file(file(text), {}); };
  EXPECT_TRUE(is("user,item\n"));
  EXPECT_TRUE(is("user\titem\n"));
  EXPECT_TRUE(is("\"user, or who\";item\n"));
  EXPECT_FALSE(is("1,2,3\n"));
  EXPECT_FALSE(is("1\t2\t3\n"));
  EXPECT_FALSE(is("1 1 2.5,\n"));
  EXPECT_FALSE(is("\t\n1 1\n"));
  EXPECT_FALSE(is("user,2019\n"));
  EXPECT_TRUE(is("\n,user,item\n"));
  EXPECT_FALSE(is("# user,item\n"));
  EXPECT_FALSE(is("user item\n"));
  EXPECT_FALSE(is("sptensor\n"));
  EXPECT_FALSE(is_table_file(path("absent"), {}));
  EXPECT_TRUE(is_table_file("-", with_values("x")));
}

struct Wrong {
  const char* text;
  const char* values;
  const char* message;
};

TEST_F(TableRead, WhatIsWrongIsToldWithItsLine) {
  const Wrong cases[] = {
      {"a,x\np,1\nq\n", "x", ":3: expected 2 fields, as many as the header has, got 1"},
      {"a,x\np,1\n\nq,1,2\n", "x", ":4: expected 2 fields, as many as the header has, got 3"},
      {"a,x\n\"p\n\",1\nq,\n", "x", ":4: column 'x': a value is missing"},
      {"a,x\np,NA\n", "x", ":2: column 'x': a value is missing ('NA')"},
      {"a,x\np,nan\n", "x", ":2: column 'x': a value is missing ('nan')"},
      {"a,x\np,1\n,1\n", "x", ":3: column 'a': a value is missing"},
      {"a,x\np,1\nq,one\n", "x", ":3: column 'x': expected a number as the value, got 'one'"},
      {"a,x\np,inf\n", "x", ":2: column 'x': the value 'inf' is not finite"},
      {"a,x\n1,1\n1.5,1\n", "x", ":3: column 'a': expected whole numbers or texts, got '1.5'"},
      {"a,x\n1,1\n1785.0,1\n", "x",
       ":3: column 'a': expected whole numbers or texts, got '1785.0' (write ids without decimals, "
       "as 1785; in pandas, df['a'].astype('Int64') makes them so, beside gaps, too); the values "
       "are in column 'x'"},
      {"a,x\n-1,1\n", "x",
       ":2: column 'a': expected subscripts, got a negative one: leave its row out, or write a "
       "text in its place, which makes names of all"},
      {"a,x\n\"p,1\n", "x", ":2: expected a quote that ends the field"},
      {"a,x\n\"p\"q,1\n", "x", ":2: expected the end of the field behind its closing quote"},
      {"a,x\np\"q,1\n", "x", ":2: expected quotes around a field that holds a quote"},
      {"a,x\np,1\rq,2\r", "x", ":2: expected lines that end in LF or CR LF"},
      {"a,x\n", "x", "the table has no rows behind its header"},
      {"a,x\np,1\n", "y", ":1: option values: expected one of the columns 'a', 'x', got 'y'"},
      {"a,a,x\np,q,1\n", "x", "expected columns of different names, got 'a' several times"},
      {",a,x\n0,p,1\n", "x", ":1: column 1 has no name"},
      {"x\n1\n", "x", "expected 1 to 16 columns that are modes, got 0"},
      {"a,b,x\np,q,1\n", "", ":1: column 'x' holds whole numbers, which may be values"},
      {"1 2 3\n", "x", "names its columns, got a text of subscripts and values"}};
  for (const Wrong& wrong : cases) {
    const std::string error =
        error_of([&] { (void)read(file(wrong.text), with_values(wrong.values)); });
    EXPECT_TRUE(contains(error, wrong.message)) << wrong.text;
  }
}

TEST_F(TableRead, ListsOfEntriesKeepTheirOrderAndNeedNoValues) {
  ReadOptions options;
  options.dimensions = {9, 2};
  const auto found = read_entries<double, std::uint32_t>(
      HostExec(), file("who,week\nbob,4\nann,0\nbob,4\n"), options);
  expect_same(found.tensor, tensor_of({2, 5}, {1, 4, 0, 0, 1, 4}, {1, 1, 1}));
}

TEST_F(TableRead, EntriesHaveLines) {
  ReadOptions options;
  options.dimensions = {9, 9};
  options.block_bytes = 8;
  const auto line = [&](const char* text, std::size_t entry) {
    return genten::line_of_entry(HostExec(), file(text), options, entry);
  };
  const char* const table = "who,week\nbob,4\n\"a\nb\",0\n\nbob,5\nann,7\n";
  EXPECT_EQ(line(table, 0), 2U);
  EXPECT_EQ(line(table, 1), 3U);
  EXPECT_EQ(line(table, 2), 6U);
  EXPECT_EQ(line(table, 3), 7U);
  const char* const text = "# entries\n1 2\n\n3 4 # behind\n5 6\n";
  EXPECT_EQ(line(text, 0), 2U);
  EXPECT_EQ(line(text, 1), 4U);
  EXPECT_EQ(line(text, 2), 5U);
}

TEST_F(TableRead, OptionsOfColumnsMeanATable) {
  ReadOptions options = with_values("x");
  options.header = Header::none;
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("a,x\np,1\n"), options); }),
                       "columns are named by a header"));
}

TEST_F(TableRead, FilesOfOtherProgramsAreCalledByTheirNames) {
  const std::pair<std::string, const char*> cases[] = {
      {"PAR1\x15,a\n", "', values='COLUMN'), '"},
      {std::string("ARROW1\0\0", 8), "got an Arrow file"},
      {std::string("\xff\xff\xff\xff\x78\0\0\0", 8),
       "got an Arrow stream: with the Python package, python3 -c \"import genten, pyarrow; "},
      {"\xfd"
       "7zXZ",
       "got a file of xz: xz --decompress --keep gives the file in it"},
      {"PK\x03\x04", "got a zip archive"},
      {"mode,row,name,component_1\n0,0,weight,2\n", "got a model, as a table"},
      {"\x80\x04\x95", "got a pickle"},
      {"\x89HDF\r\n", "got an HDF5 file"},
      {"\x93NUMPY", "got an array of NumPy"}};
  for (const auto& each : cases) {
    EXPECT_TRUE(contains(error_of([&] { (void)read(file(each.first)); }), each.second));
  }
}

}  // namespace
}  // namespace genten::test
