// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Errors of the library in the words of a program's users.

#include "tools/program.hpp"

#include <gtest/gtest.h>

namespace {

using genten::Error;
using namespace genten::tools;

/// What `body` throws.
template <class Body>
Error error_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error("");
}

std::string concerned(const std::string& what, const Error& error) {
  return error_of([&] { concerning(what, [&] { throw error; }); }).what();
}

TEST(WithoutFunction, TakesNamesOfFunctionsAndTypesAlone) {
  EXPECT_EQ(without_function("cp_als: expected: this"), "expected: this");
  EXPECT_EQ(without_function("MttkrpPlan::execute: no"), "no");
  for (const char* other : {"kernel sorted: expected", "option mode-order: no", "CP-ALS: no", "no",
                            "a/b: no", "the weight of component 1, 8e+38, is"}) {
    EXPECT_EQ(without_function(other), other);
  }
}

TEST(Concerning, PutsFilesInThePlaceOfFunctions) {
  EXPECT_EQ(concerned("m.gkt", Error("cp_als: no")), "m.gkt: no");
  EXPECT_EQ(concerned("m.gkt", Error(Error::Kind::file, "damaged")), "m.gkt: damaged");
  EXPECT_EQ(concerned("", Error("cp_als: no")), "no");
  EXPECT_EQ(concerned("m.gkt", Error(Error::Kind::runtime, "the weight is too large")),
            "the weight is too large");
  // It is the tensor's, whose name comes later.
  EXPECT_EQ(concerned("m.gkt", Error(Error::Kind::memory, "cp_als: no")), "no");
  EXPECT_EQ(concerning("m.gkt", [] { return 3; }), 3);
}

TEST(Concerning, AsksWhatAMessageIsAbout) {
  const auto about = [](const std::string& message) {
    return std::string(message == "a bad guess" ? "m.gkt" : "");
  };
  const auto told = [&](const char* message) {
    return std::string(error_of([&] { concerning(about, [&] { throw Error(message); }); }).what());
  };
  EXPECT_EQ(told("cp_als: a bad guess"), "m.gkt: a bad guess");
  EXPECT_EQ(told("kernel sorted: too wide"), "kernel sorted: too wide");
}

TEST(Reading, WhatIsWrongWithAFileIsNoWrongUsage) {
  EXPECT_EQ(error_of([] { reading("m", [] { throw Error("no"); }); }).kind(), Error::Kind::file);
}

TEST(Reading, NamesTheFileOnce) {
  const auto read = [](const std::string& path, const std::string& message) {
    try {
      reading(path, [&] { throw Error(Error::Kind::memory, message); });
    } catch (const NamedError& error) {
      EXPECT_EQ(error.kind(), Error::Kind::memory);
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(read("m.gkt", "m.gkt: needs more"), "m.gkt: needs more");
  EXPECT_EQ(read("m.gkt", "out of memory on Cuda"), "m.gkt: out of memory on Cuda");
  EXPECT_EQ(read("-", "standard input: needs more"), "standard input: needs more");
  EXPECT_EQ(read("-", "out of memory"), "standard input: out of memory");
  EXPECT_EQ(read("cp_als", "cp_als: needs more"), "cp_als: needs more");
  EXPECT_EQ(read("c", "cp_als: needs more"), "c: needs more");
  EXPECT_EQ(read("out", "out of memory on Cuda"), "out: out of memory on Cuda");
}

}  // namespace
