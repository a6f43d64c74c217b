// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Subscripts of 64 bits as row numbers of 32 bits.
#include <genten/core/row_numbers.hpp>

#include "plain.hpp"
#include "test_types.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using Exec = genten::HostExec;
using genten::offset_t;
using ::testing::HasSubstr;

TEST(RowNumbers, AreTheSubscripts) {
  const auto plain = genten_test::random_tensor({.dimensions = {40, 500, 7}, .nnz = 3000});
  const auto wide = genten_test::to_sptensor<double, std::uint64_t, Exec>(plain);
  const auto narrow = genten::with_row_numbers(Exec(), wide, "test");
  static_assert(std::is_same_v<decltype(narrow)::ordinal_type, std::uint32_t>);
  EXPECT_EQ(narrow.dimensions(), wide.dimensions());
  EXPECT_EQ(narrow.values().data(), wide.values().data());
  EXPECT_EQ(narrow.facts().distinct, wide.facts().distinct);
  for (offset_t p = 0; p < wide.nnz(); ++p) {
    for (int n = 0; n < 3; ++n) ASSERT_EQ(narrow.subscripts()(p, n), wide.subscripts()(p, n));
  }
}

TEST(RowNumbers, OfATensorThatHasThemAreItsOwn) {
  const auto plain = genten_test::random_tensor({.dimensions = {4, 5}, .nnz = 10});
  const auto tensor = genten_test::to_sptensor<float, std::uint32_t, Exec>(plain);
  const auto same = genten::with_row_numbers(Exec(), tensor, "test");
  EXPECT_EQ(same.subscripts().data(), tensor.subscripts().data());
}

TEST(RowNumbers, RefuseAModeOfMoreThan32BitsByName) {
  const auto tensor = [](std::size_t longest) {
    const std::vector<std::uint64_t> subscripts{longest - 1, 0};
    const std::vector<double> values{1.0};
    return genten::Sptensor<double, std::uint64_t, Exec>::from_host({longest, 3}, subscripts,
                                                                    values);
  };
  const std::size_t most = (std::size_t{1} << 32) - 1;
  EXPECT_EQ(genten::with_row_numbers(Exec(), tensor(most), "test").subscripts()(0, 0), 0xfffffffeU);
  EXPECT_THROW(static_cast<void>(genten::with_row_numbers(Exec(), tensor(most + 1), "test")),
               genten::Error);
  for (const double available : {1e9, 1e18}) {  // too little memory, and too many rows all the same
    try {
      genten::detail::require_row_numbers_suffice("test", {most + 1, 3}, 8, available, false);
      FAIL() << "expected an Error";
    } catch (const genten::Error& error) {
      EXPECT_EQ(error.kind(), genten::Error::Kind::memory);
      EXPECT_THAT(error.what(), HasSubstr("test: "));
      EXPECT_THAT(error.what(), HasSubstr("mode 1"));
      EXPECT_THAT(error.what(), HasSubstr("(drop_empty_slices)"));
    }
  }
}

}  // namespace
