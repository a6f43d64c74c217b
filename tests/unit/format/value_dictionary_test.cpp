// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// ValueDictionary: every value that occurs has a number below that of all larger ones, and comes
// back with its bits.

#include <genten/format/value_dictionary.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

template <class Scalar>
class ValueDictionaryTest : public testing::Test {
 public:
  using Dictionary = genten::ValueDictionary<Scalar, Exec>;

  static std::optional<Dictionary> of(const std::vector<Scalar>& values) {
    const Kokkos::View<Scalar*, Kokkos::HostSpace> view("values", values.size());
    std::copy(values.begin(), values.end(), view.data());
    return Dictionary::of(Exec(), view);
  }

  static void expect_values_come_back(const std::vector<Scalar>& values, std::size_t distinct) {
    const auto dictionary = of(values);
    ASSERT_TRUE(dictionary.has_value());
    const auto listed = dictionary->values();
    ASSERT_EQ(listed.extent(0), distinct);
    for (std::size_t i = 1; i < distinct; ++i) ASSERT_LE(listed(i - 1), listed(i));
    for (const Scalar value : values) {
      const auto code = dictionary->code(value);
      ASSERT_LT(code, distinct);
      ASSERT_EQ(genten::word_of_value(listed(code)), genten::word_of_value(value));
    }
  }
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(ValueDictionaryTest, Scalars);

TYPED_TEST(ValueDictionaryTest, ValuesComeBackWithTheirBits) {
  using Scalar = TypeParam;
  const auto least = std::numeric_limits<Scalar>::denorm_min();
  const auto most = std::numeric_limits<Scalar>::max();
  this->expect_values_come_back({Scalar(1), Scalar(1), Scalar(1)}, 1);
  this->expect_values_come_back({Scalar(0), Scalar(-0.0), Scalar(3), least, -least, most, -most},
                                7);
  std::mt19937 random(1);
  std::vector<Scalar> counts(20000);
  std::set<Scalar> distinct;
  for (auto& value : counts) {
    value = static_cast<Scalar>(random() % 300) / 4;
    distinct.insert(value);
  }
  this->expect_values_come_back(counts, distinct.size());
}

TYPED_TEST(ValueDictionaryTest, AsManyValuesAsAllowedAndNoMore) {
  using Scalar = TypeParam;
  constexpr auto most = TestFixture::Dictionary::most_values;
  std::vector<Scalar> values(most);
  for (std::size_t i = 0; i < most; ++i) values[i] = static_cast<Scalar>(i) - Scalar(7);
  this->expect_values_come_back(values, most);
  EXPECT_EQ(this->of(values)->code_bits(), std::bit_width(most - 1));
  values.push_back(Scalar(-8));
  EXPECT_FALSE(this->of(values).has_value());
  values.resize(300000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = Scalar(1) / static_cast<Scalar>(i + 1);
  EXPECT_FALSE(this->of(values).has_value());
}

TYPED_TEST(ValueDictionaryTest, OfNoValues) {
  const auto dictionary = this->of({});
  ASSERT_TRUE(dictionary.has_value());
  EXPECT_EQ(dictionary->code_bits(), 0);
  EXPECT_EQ(dictionary->values()(0), TypeParam(0));
}

}  // namespace
