// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Errors as fields, and the sentences that faces make of them.

#include "error_fields.hpp"

#include <genten/base/error.hpp>

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

namespace {

using genten::Error;
using genten::ErrorWords;
using genten_test::complaint_of;
using genten_test::thrown_by;
namespace error_text = genten::error_text;

/// A face that counts from 0, hides functions and has options of its own.
class OtherWords : public ErrorWords {
 public:
  [[nodiscard]] std::string function(std::string_view) const override { return ""; }
  [[nodiscard]] std::string subject(std::string_view name) const override {
    return "<" + std::string(name) + ">";
  }
  [[nodiscard]] std::string option(std::string_view name, std::string_view value) const override {
    return "<" + std::string(name) + ":" + std::string(value) + ">";
  }
  [[nodiscard]] std::string expected(std::string_view words) const override {
    return "[" + std::string(words) + "]";
  }
  [[nodiscard]] long long first_number() const override { return 0; }
  [[nodiscard]] std::string remedy(std::string_view function) const override {
    return std::string(function) + "()";
  }
};

std::string otherwise(const Error& error) {
  return OtherWords().sentence(error.fields());
}

TEST(Error, NamesTheFunction) {
  const Error error = Error::in("cp_als", "expected this, got that");
  EXPECT_STREQ(error.what(), "cp_als: expected this, got that");
  EXPECT_EQ(error.kind(), Error::Kind::argument);
  EXPECT_EQ(error.code(), Error::Code::other);
  EXPECT_EQ(error.fields().function, "cp_als");
  EXPECT_EQ(otherwise(error), "expected this, got that");
  EXPECT_FALSE(error.is_named());
}

TEST(Error, NamesTheFileAndTheLine) {
  const Error error = Error::in_file("x.tns", 3, "expected a number");
  EXPECT_STREQ(error.what(), "x.tns:3: expected a number");
  EXPECT_EQ(error.kind(), Error::Kind::file);
  EXPECT_EQ(error.fields().path, "x.tns");
  EXPECT_EQ(error.fields().line, 3U);
  EXPECT_TRUE(error.is_named());
  EXPECT_STREQ(Error::in_file("x.tns", 0, "empty").what(), "x.tns: empty");
}

TEST(Error, HasTheNumberOfTheSystem) {
  const Error error = Error::of_system("x.tns", "cannot be opened", ENOENT);
  EXPECT_EQ(error.code(), Error::Code::system);
  EXPECT_EQ(error.fields().number, ENOENT);
  EXPECT_EQ(error.what(), std::string("x.tns: cannot be opened: ") + std::strerror(ENOENT));
}

TEST(Error, SaysWhatAFileHasInIt) {
  const Error error = Error::of_content("x", 1, "a model", "a sparse tensor", ": '1'");
  EXPECT_EQ(error.code(), Error::Code::other_content);
  EXPECT_EQ(error.fields().expected, "a model");
  EXPECT_EQ(error.fields().found, "a sparse tensor");
  EXPECT_STREQ(error.what(), "x:1: expected a model, got a sparse tensor: '1'");
  const Error order = Error::of_order("x", 1, 3);
  EXPECT_EQ(order.code(), Error::Code::other_order);
  EXPECT_STREQ(order.what(), "x: the options give 1 dimension, the file is of order 3");
}

TEST(Error, WritesOptionsAsAFaceHasThem) {
  const Error error =
      Error::of_conflict("kernel", "means nothing beside {loss=huber} with {ridge}, {=x}");
  EXPECT_STREQ(error.what(), "option kernel: means nothing beside loss huber with ridge, x");
  EXPECT_EQ(otherwise(error), "<kernel>: means nothing beside <loss:huber> with <ridge:>, <:x>");
  EXPECT_EQ(complaint_of(error), "means nothing beside {loss=huber} with {ridge}, {=x}");
  EXPECT_EQ(error.code(), Error::Code::option_conflict);
  EXPECT_EQ(Error::of_option("rank", "no").code(), Error::Code::option_value);
  EXPECT_EQ(Error::of_option("rank", "an open { brace").what(),
            std::string("option rank: an open { brace"));
}

TEST(Error, CountsAsAFaceCounts) {
  const Error error = Error::no_such_mode("ttv", 4, 3);
  EXPECT_EQ(error.code(), Error::Code::no_such_mode);
  EXPECT_STREQ(error.what(), "ttv: expected a mode from 1 to 3 (counted from 1), got 5");
  EXPECT_EQ(otherwise(error), "expected a mode from 0 to 2, got 4");
  const Error option = Error::no_such_mode_of("fixed-modes", -1, 3);
  EXPECT_EQ(otherwise(option), "<fixed-modes>: expected a mode from 0 to 2, got -1");
  const Error remedy(Error::Kind::memory,
                     "mode " + error_text::number(1) + ": " + error_text::remedy("shrink"));
  EXPECT_STREQ(remedy.what(), "mode 2: shrink");
  EXPECT_EQ(otherwise(remedy), "mode 1: shrink()");
}

TEST(Error, MakesTheSentenceOfWhatIsExpected) {
  const Error error(Error::Fields{.option = "device", .expected = "cpu|gpu", .found = "'x'"});
  EXPECT_STREQ(error.what(), "option device: expected cpu|gpu, got 'x'");
  EXPECT_EQ(otherwise(error), "<device>: expected [cpu|gpu], got 'x'");
}

TEST(Error, LeavesTextThatIsNoReference) {
  for (const char* text : {"", "\x02", "\x03", "\x02\x03", "\x02?x\x03", "a\x02-b", "{a} {b=c}"}) {
    EXPECT_STREQ(Error(text).what(), *text == '\0' ? "expected , got " : text);
  }
}

TEST(Error, GoesFromProcessToProcess) {
  const Error error(Error::Fields{.kind = Error::Kind::memory,
                                  .code = Error::Code::checkpoint,
                                  .about = "m.gkt on x.tns",
                                  .path = "a path",
                                  .line = 7,
                                  .number = 12,
                                  .function = "cp_als",
                                  .option = "rank",
                                  .expected = "more",
                                  .found = "less",
                                  .process = 2,
                                  .processes = 4,
                                  .complaint = "mode " + error_text::number(2)});
  const std::string bytes = error.to_bytes();
  const Error back = Error::from_bytes(bytes);
  EXPECT_EQ(back.to_bytes(), bytes);
  EXPECT_STREQ(back.what(),
               "process 2 of 4: m.gkt on x.tns: a path:7: cp_als: option rank: mode 3");
  EXPECT_STREQ(back.what(), error.what());
  EXPECT_EQ(back.code(), Error::Code::checkpoint);
  EXPECT_EQ(back.fields().number, 12);
  EXPECT_EQ(back.fields().expected + back.fields().found, "moreless");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto refused =
        thrown_by([&] { static_cast<void>(Error::from_bytes(bytes.substr(0, size))); });
    ASSERT_TRUE(refused.has_value()) << size;
    EXPECT_EQ(complaint_of(*refused), "the bytes are no error");
  }
}

/// Options in braces are written as the face has them; braces of a value stay what they are.
TEST(Error, TakesNoBracesOfValuesForOptions) {
  const auto said = [](const std::string& complaint) {
    return otherwise(Error::of_option("loss", complaint));
  };
  EXPECT_EQ(said("beside {missing}, {loss=huber} or {=3}, the run's {rank}"),
            "<loss>: beside <missing:>, <loss:huber> or <:3>, the run's <rank:>");
  EXPECT_EQ(said("got \"{rank}\" and '{rank}', not {rank}"),
            "<loss>: got \"{rank}\" and '{rank}', not <rank:>");
  EXPECT_EQ(said("got {No option}, {} and {rank"), "<loss>: got {No option}, {} and {rank");
}

TEST(Error, IsCopiedWithItsFields) {
  const Error error = Error::in("f", "x").as(Error::Code::guess);
  const Error copy = error;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(&copy.fields(), &error.fields());
  EXPECT_EQ(copy.code(), Error::Code::guess);
  EXPECT_STREQ(copy.what(), "f: x");
}

}  // namespace
