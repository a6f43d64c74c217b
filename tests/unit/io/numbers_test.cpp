// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The fast paths against the C library, digit for digit.
#include "../../../src/io/text/numbers.hpp"
#include "../../../src/io/file/memory.hpp"
#include "io_support.hpp"

#include <genten/base/detail/memory.hpp>
#include <genten/core/random.hpp>

#include <cstdlib>

namespace genten::test {
namespace {

template <class Scalar>
Scalar reference(const std::string& text) {
  return sizeof(Scalar) == 4 ? static_cast<Scalar>(std::strtof(text.c_str(), nullptr))
                             : static_cast<Scalar>(std::strtod(text.c_str(), nullptr));
}

template <class Scalar>
void expect_as_the_c_library(const std::string& text) {
  Scalar value = 0;
  ASSERT_EQ(static_cast<int>(detail::to_value(text, value)),
            static_cast<int>(detail::ValueStatus::good))
      << text;
  ASSERT_EQ(value, reference<Scalar>(text)) << text;
  ASSERT_EQ(std::signbit(value), std::signbit(reference<Scalar>(text))) << text;
}

TEST(Numbers, ValuesAreCorrectlyRounded) {
  for (std::uint64_t i = 0; i < 200000; ++i) {
    // Up to 20 digits on either side of the point, few of them most of the time.
    const auto digits = [&](std::uint64_t which) {
      const auto bits = random_bits(1, i, which);
      std::string text = std::to_string(random_bits(2, i, which));
      return text.substr(0, bits % 4 == 0 ? bits / 4 % 20 + 1 : bits / 4 % 8 + 1);
    };
    std::string text = random_bits(3, i) % 3 == 0 ? "-" : "";
    text += digits(0);
    if (random_bits(4, i) % 4 != 0) text += "." + digits(1);
    if (random_bits(5, i) % 8 == 0)
      text += "e" + std::to_string(static_cast<int>(random_bits(6, i) % 40) - 20);
    expect_as_the_c_library<double>(text);
    expect_as_the_c_library<float>(text);
  }
}

TEST(Numbers, ValuesAtTheEdgesOfTheFastPath) {
  for (const char* text : {"0",
                           "-0",
                           "0.0",
                           "-0.0",
                           "9007199254740992",
                           "9007199254740993",
                           "16777216",
                           "16777217",
                           "16777219",
                           "1.6777217",
                           "0.16777219",
                           "99999999",
                           "999999999",
                           "12345678.1234567890",
                           "12345678.12345678901",
                           "9.007199254740993",
                           "00000001.5",
                           "000000001.5",
                           "1.",
                           ".5",
                           "-.5",
                           "0.1",
                           "0.3333333333",
                           "1e5",
                           "1.5E-5",
                           "123456789012345678901234567890"}) {
    expect_as_the_c_library<double>(text);
    expect_as_the_c_library<float>(text);
  }
}

template <class Scalar>
detail::ValueStatus status_of(const char* text) {
  Scalar value = 0;
  return detail::to_value(text, value);
}

TEST(Numbers, ValuesOutOfRange) {
  using enum detail::ValueStatus;
  for (const char* text : {"1e-400", "-1e-400", "0.0001e-330", ".1E-324", "2.4e-324",
                           "10000000000000000000000e-500"}) {
    EXPECT_EQ(status_of<double>(text), too_small) << text;
    EXPECT_EQ(status_of<float>(text), too_small) << text;
  }
  for (const char* text : {"1e-46", "-7e-46", "1e-300"}) {
    EXPECT_EQ(status_of<float>(text), too_small) << text;
    EXPECT_EQ(status_of<double>(text), good) << text;
  }
  for (const char* text :
       {"0e-400", "-0.000e-99999", "0000000000.00000000000", "1e-45", "2.5e-324"}) {
    EXPECT_EQ(status_of<double>(text), good) << text;
  }
  EXPECT_EQ(status_of<float>("1e-45"), good);
  for (const char* text : {"1e400", "-1e400", "inf", "nan"}) {
    EXPECT_EQ(status_of<double>(text), not_finite) << text;
  }
  EXPECT_EQ(status_of<float>("1e39"), not_finite);
}

TEST(Numbers, Digits) {
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const std::uint64_t number = random_bits(9, i) >> (random_bits(10, i) % 64);
    const std::string digits = std::to_string(number);
    for (const char* rest : {" ", "\n", ".", "/", ":", "\xb0", "a"}) {
      const std::string text = digits + rest + std::string(16, '7');
      std::uint64_t value = 0;
      const char* end = detail::read_digits(text.data(), value);
      ASSERT_EQ(end - text.data(), static_cast<std::ptrdiff_t>(digits.size())) << text;
      ASSERT_EQ(value, digits.size() <= 19 ? number : ~std::uint64_t{0}) << text;
    }
  }
}

TEST(Numbers, NoDigits) {
  for (const char* text :
       {" 1234567", "-1234567", "\n2345678", "x1234567", "/1234567", ":1234567"}) {
    std::uint64_t value = 1;
    EXPECT_EQ(detail::read_digits(text, value), text);
  }
}

TEST(Memory, WhatThereIsAndWhatIsNeeded) {
  EXPECT_GT(detail::available_host_bytes(), 1 << 20);
  EXPECT_NO_THROW(detail::require_memory("file", "something", 1, 0));
  const std::string message =
      error_of([] { detail::require_memory("file", "a tensor", ~std::size_t{0} / 2, 0); },
               Error::Kind::memory);
  EXPECT_TRUE(contains(message, "file: a tensor needs 8 EiB of memory"));
  EXPECT_TRUE(contains(message, "available are "));
  EXPECT_EQ(detail::saturating_product(std::size_t{1} << 40, std::size_t{1} << 40),
            ~std::size_t{0});
  EXPECT_EQ(detail::saturating_product(3, 4), 12U);
}

}  // namespace
}  // namespace genten::test
