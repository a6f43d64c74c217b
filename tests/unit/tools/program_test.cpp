// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Errors of the library in the words of a program's users.

#include "tools/program.hpp"

#include "error_fields.hpp"
#include "tools/hints/nearest_file.hpp"

#include <genten/dist/communicator.hpp>

#include <gtest/gtest.h>

#include <cerrno>

namespace {

using genten::AgreedError;
using genten::Error;
using genten_test::thrown_by;
using namespace genten::tools;

std::string concerned(const std::string& what, const Error& error) {
  return sentence(*thrown_by([&] { concerning(what, [&] { throw error; }); }));
}

TEST(Sentence, IsOfACommandLine) {
  EXPECT_EQ(sentence(Error::in("cp_als", "expected: this")), "expected: this");
  EXPECT_EQ(sentence(Error::of_conflict("kernel", "means nothing beside {loss=huber} with {l1}")),
            "--kernel: means nothing beside --loss huber with --l1");
  EXPECT_EQ(sentence(Error::of_option("missing", "not {missing=listed}, got {=x}")),
            "--missing: not --missing FILE, got 'x'");
  EXPECT_EQ(sentence(Error::no_such_mode_of("fixed-modes", 3, 3)),
            "--fixed-modes: expected a mode from 1 to 3 (counted from 1), got 4");
  EXPECT_EQ(sentence(Error("by " + genten::error_text::remedy("drop_empty_slices"))),
            "by genten convert --compact");
  EXPECT_EQ(sentence(Error("by " + genten::error_text::remedy("compact_model"))),
            "by genten decompose --compact");
  EXPECT_EQ(sentence(std::runtime_error("no Error")), "no Error");
  EXPECT_EQ(complaint(Error::of_option("rank", "no {rank}")), "no --rank");
}

TEST(Concerning, PutsFilesInThePlaceOfFunctions) {
  EXPECT_EQ(concerned("m.gkt", Error::in("cp_als", "no")), "m.gkt: no");
  EXPECT_EQ(concerned("m.gkt", Error(Error::Kind::file, "damaged")), "m.gkt: damaged");
  EXPECT_EQ(concerned("", Error::in("cp_als", "no")), "no");
  EXPECT_EQ(concerned("m.gkt", Error(Error::Kind::runtime, "the weight is too large")),
            "the weight is too large");
  // It is the tensor's, whose name comes later.
  EXPECT_EQ(concerned("m.gkt", Error::in("cp_als", Error::Kind::memory, "no")), "no");
  EXPECT_EQ(concerning("m.gkt", [] { return 3; }), 3);
}

TEST(Concerning, AsksWhatAnErrorIsAbout) {
  const auto about = [](const Error& error) {
    return std::string(error.code() == Error::Code::guess ? "m.gkt" : "");
  };
  const auto told = [&](const Error& error) {
    return sentence(*thrown_by([&] { concerning(about, [&] { throw error; }); }));
  };
  EXPECT_EQ(told(Error::in("cp_als", "bad").as(Error::Code::guess)), "m.gkt: bad");
  EXPECT_EQ(told(Error("kernel sorted: a bad guess")), "kernel sorted: a bad guess");
}

TEST(Concerning, ValuesAreTheFaultOfTheirFile) {
  const auto thrown =
      thrown_by([] { concerning("x.tns", [] { throw Error("no").as(Error::Code::data); }); });
  EXPECT_EQ(thrown->kind(), Error::Kind::file);
}

TEST(Concerning, KeepsWhatProcessesAgreeOn) {
  EXPECT_THROW(concerning("m", [] { throw AgreedError("no"); }), AgreedError);
  EXPECT_THROW(reading("m", [] { throw AgreedError("no"); }), AgreedError);
}

TEST(Reading, WhatIsWrongWithAFileIsNoWrongUsage) {
  EXPECT_EQ(thrown_by([] { reading("m", [] { throw Error("no"); }); })->kind(), Error::Kind::file);
}

TEST(Reading, NamesTheFileOnce) {
  const auto read = [](const std::string& path, const Error& error) {
    const auto thrown = thrown_by([&] { reading(path, [&] { throw error; }); });
    EXPECT_TRUE(thrown->is_named());
    EXPECT_EQ(thrown->kind(), error.kind());
    return sentence(*thrown);
  };
  const auto memory = Error::Kind::memory;
  EXPECT_EQ(read("m.gkt", Error::in_file("m.gkt", 2, "no")), "m.gkt:2: no");
  EXPECT_EQ(read("m.gkt", Error(memory, "out of memory on Cuda")), "m.gkt: out of memory on Cuda");
  EXPECT_EQ(read("-", Error::in_file("standard input", 0, "no")), "standard input: no");
  EXPECT_EQ(read("-", Error(memory, "out of memory")), "standard input: out of memory");
  EXPECT_EQ(read("c", Error::in("cp_als", memory, "needs more")), "c: needs more");
}

TEST(NearestFile, IsForFilesThatThereAreNot) {
  const std::string absent = "no such folder/x.tns";
  EXPECT_EQ(nearest_file_hint(Error::of_system(absent, "cannot be opened", ENOENT)),
            "; there is no folder no such folder");
  EXPECT_EQ(nearest_file_hint(Error::of_system(absent, "cannot be opened", EACCES)), "");
  EXPECT_EQ(nearest_file_hint(Error::in_file(absent, 0, "cannot be opened")), "");
}

}  // namespace
