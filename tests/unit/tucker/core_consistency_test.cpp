// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/tucker/core_consistency.hpp>

#include "plain.hpp"
#include "test_types.hpp"
#include "thread_counts.hpp"
#include "tucker_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using genten::NormSharing;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using testing::HasSubstr;

template <class Types>
class CoreConsistencyTest : public testing::Test {
 protected:
  using Exec = typename Types::Exec;
  using Scalar = typename Types::Scalar;

  genten::CoreConsistency of(const PlainTensor& tensor, const PlainModel& model,
                             NormSharing sharing = NormSharing::first_mode,
                             double memory_available = 0.0) {
    return genten::core_consistency(
        exec, genten_test::to_sptensor<Scalar, typename Types::Ordinal, Exec>(tensor),
        genten_test::to_ktensor<Scalar, Exec>(model), sharing, memory_available);
  }
  /// Distance from known numbers, as a part of them: in float, what the condition of the factors
  /// makes of its roundings.
  static double part() { return sizeof(Scalar) == 4 ? 2e-4 : 1e-9; }
  Exec exec;
};
TYPED_TEST_SUITE(CoreConsistencyTest, genten_test::HostTypes, genten_test::TypeNames);

TYPED_TEST(CoreConsistencyTest, OfKnownModels) {
  const auto expect = [&](const PlainTensor& tensor, std::size_t rank, bool both_signs, double raw,
                          double unit, double sum) {
    const auto model = genten_test::formula_model(tensor.dimensions, rank, both_signs);
    const auto given = this->of(tensor, model, NormSharing::as_given);
    EXPECT_TRUE(given.defined);
    EXPECT_NEAR(given.value, raw, this->part() * std::abs(raw));
    const auto shared = this->of(tensor, model);
    EXPECT_NEAR(shared.value, unit, this->part() * std::abs(unit));
    EXPECT_NEAR(shared.core_sum, sum, this->part() * std::abs(sum));
  };
  expect(genten_test::cnt_tensor(), 1, false, -144.844514, -144.844514, 2.564750823);
  expect(genten_test::cnt_tensor(), 2, false, -123.9205126, -131.7650799, 4.26361528);
  expect(genten_test::cnt_tensor(), 3, true, -10089.12489, -9828.312283, -11.22682931);
  expect(genten_test::bin2_tensor(), 2, false, -54.54170347, -54.62274696, .7593648727);
  expect(genten_test::bin2_tensor(), 3, false, -230.9181307, -240.481772, .7701796172);
  expect(genten_test::pos_tensor(), 3, false, -2070.101799, -1993.729753, 19.27377284);
}

TYPED_TEST(CoreConsistencyTest, IsAHundredWhereTheModelIsTheTensor) {
  auto model = genten_test::formula_model({6, 5, 4}, 3, true);
  model.weights = {2.0, 0.5, -1.0};  // they count, in the first mode
  const auto tensor = genten_test::tensor_of({6, 5, 4}, [&](int i, int j, int k) {
    double value = 0.0;
    for (std::size_t r = 0; r < 3; ++r) {
      value += model.weights[r] * model.factors[0](static_cast<std::size_t>(i), r) *
               model.factors[1](static_cast<std::size_t>(j), r) *
               model.factors[2](static_cast<std::size_t>(k), r);
    }
    return value;
  });
  for (const auto sharing : {NormSharing::first_mode, NormSharing::as_given}) {
    const auto found = this->of(tensor, model, sharing);
    EXPECT_NEAR(found.value, 100.0, sizeof(typename TestFixture::Scalar) == 4 ? 1e-2 : 1e-8);
    EXPECT_NEAR(found.core_sum, 3.0, sizeof(typename TestFixture::Scalar) == 4 ? 1e-2 : 1e-8);
  }
}

TYPED_TEST(CoreConsistencyTest, IsNotDefinedBeyondTheShortestMode) {
  const auto tensor = genten_test::cnt_tensor();
  EXPECT_TRUE(this->of(tensor, genten_test::formula_model(tensor.dimensions, 6, true)).defined);
  const auto beyond = this->of(tensor, genten_test::formula_model(tensor.dimensions, 7, true));
  EXPECT_FALSE(beyond.defined);
  EXPECT_TRUE(std::isnan(beyond.value));
}

TYPED_TEST(CoreConsistencyTest, RefusesWhatDoesNotFit) {
  const auto tensor = genten_test::cnt_tensor();
  const auto model = genten_test::formula_model(tensor.dimensions, 3, true);
  EXPECT_THAT(genten_test::error_of([&] {
                static_cast<void>(this->of(tensor, model, NormSharing::first_mode, 100.0));
              }),
              HasSubstr("the core consistency of 3 components needs "));
  EXPECT_THAT(genten_test::error_of([&] {
                static_cast<void>(this->of(tensor, genten_test::formula_model({8, 7, 5}, 2, true)));
              }),
              HasSubstr("core_consistency"));
}

TEST(CoreConsistencyThreads, GiveTheSameBits) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    using Exec = genten::HostExec;
    const auto plain = genten_test::random_tensor({{900, 140, 150}, 20000, 3});
    const auto found = genten::core_consistency(
        Exec(), genten_test::to_sptensor<double, std::uint32_t, Exec>(plain),
        genten_test::to_ktensor<double, Exec>(genten_test::random_model(plain.dimensions, 4, 2)));
    genten_test::BitHash hash;
    hash.add(found.value);
    hash.add(found.core_sum);
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
