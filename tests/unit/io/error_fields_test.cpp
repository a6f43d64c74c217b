// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Errors of files as codes and fields, whatever the sentence.
#include "error_fields.hpp"
#include "io_support.hpp"

#include <genten/io/binary.hpp>
#include <genten/io/ktensor.hpp>
#include <genten/io/part.hpp>

#include <cerrno>

namespace genten::test {
namespace {

using genten_test::thrown_by;

class ErrorFields : public FileTest {
 protected:
  Error refusal(const ReadOptions& options = {}) {
    const auto thrown = thrown_by([&] { (void)read(path(), options); });
    EXPECT_TRUE(thrown.has_value());
    return thrown.value_or(Error(""));
  }
  Error refusal_of_model() {
    const auto thrown = thrown_by([&] { (void)read_ktensor<double, HostExec>(path()); });
    EXPECT_TRUE(thrown.has_value());
    return thrown.value_or(Error(""));
  }
  void expect_content(const Error& error, const char* expected, const char* found) {
    EXPECT_EQ(error.code(), Error::Code::other_content) << error.what();
    EXPECT_EQ(error.kind(), Error::Kind::file);
    EXPECT_EQ(error.fields().path, path());
    EXPECT_EQ(error.fields().expected, expected);
    EXPECT_EQ(error.fields().found, found);
  }
};

TEST_F(ErrorFields, OfTheSystem) {
  const Error absent = refusal();
  EXPECT_EQ(absent.code(), Error::Code::system);
  EXPECT_EQ(absent.fields().number, ENOENT);
  EXPECT_EQ(absent.fields().path, path());
  std::filesystem::create_directory(path());
  EXPECT_EQ(refusal().fields().number, EISDIR);
}

TEST_F(ErrorFields, OfOtherContent) {
  file("ktensor\n2 1\n");
  expect_content(refusal(), "a sparse tensor", "a model");
  file("ttensor\n");
  expect_content(refusal(), "a sparse tensor", "a Tucker model");
  expect_content(refusal_of_model(), "a CP model", "a Tucker model");
  file("1 1 2.5\n");
  expect_content(refusal_of_model(), "a model", "a sparse tensor");
  file("mode,row,name,1\n");
  expect_content(refusal(), "a sparse tensor", "a model");
  file("PAR1");
  expect_content(refusal(), "a sparse tensor", "a Parquet file");
  write_binary_sptensor(path(), tensor_of({2, 3}, {0, 0, 1, 2}, {1, 2}));
  expect_content(refusal_of_model(), "a model", "a sparse tensor");
}

TEST_F(ErrorFields, OfAnotherOrder) {
  const auto expect_order = [&] {
    const Error error = refusal({.dimensions = {4, 4, 4}});
    EXPECT_EQ(error.code(), Error::Code::other_order) << error.what();
    EXPECT_EQ(error.fields().expected, "3");
    EXPECT_EQ(error.fields().found, "2");
  };
  file("1 1 2.5\n");
  expect_order();
  write_binary_sptensor(path(), tensor_of({2, 3}, {0, 0, 1, 2}, {1, 2}));
  expect_order();
}

TEST_F(ErrorFields, OfALine) {
  file("1 1 1\n2 x 1\n");
  const Error error = refusal();
  EXPECT_EQ(error.fields().path, path());
  EXPECT_EQ(error.fields().line, 2U);
  file("1 1 1\n0 1 1\n");
  EXPECT_NE(genten_test::complaint_of(refusal()).find("read it with {index-base=0}"),
            std::string::npos);
}

TEST_F(ErrorFields, OfParts) {
  const TensorPartFacts facts = read_tensor_part<double>(HostExec(), path(), 0, 1).facts;
  const TensorPartFacts sent = part_facts_from_bytes(part_facts_to_bytes(facts));
  ASSERT_TRUE(sent.error.has_value());
  EXPECT_EQ(sent.error->why.number, ENOENT);
  const auto thrown = thrown_by([&] { (void)agree_on_tensor_parts(path(), {&sent, 1}); });
  ASSERT_TRUE(thrown.has_value());
  EXPECT_EQ(thrown->to_bytes(), refusal().to_bytes());
}

TEST_F(ErrorFields, OfMemory) {
  file("1 1 1\n");
  const Error error = refusal({.memory_limit = 1});
  EXPECT_EQ(error.kind(), Error::Kind::memory);
  EXPECT_EQ(error.fields().path, path());
}

}  // namespace
}  // namespace genten::test
