// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "tucker_support.hpp"

namespace {

using namespace tucker_test;

template <class Types>
using TuckerAnswers = TuckerTest<Types>;
TYPED_TEST_SUITE(TuckerAnswers, genten_test::HostModelTypes, genten_test::TypeNames);

struct Answer {
  std::vector<std::size_t> ranks;
  double hosvd, forward, backward, hooi, core_square;
};
const std::vector<Answer> of_cnt{
    {{2, 2, 2}, .176382425746, .217204029693, .219932218784, .242931420944, 967.2356795},
    {{3, 3, 2}, .254032032208, .258433458671, .273133563899, .280578750623, 1093.193327},
    {{4, 3, 3}, .319845182456, .327039302406, .359802438926, .361809598422, 1343.087684}};
const std::vector<Answer> of_bin2{
    {{2, 2, 2}, .209955633006, .253839882428, .258025754104, .262115844868, 52.38560196},
    {{3, 3, 2}, .390480074108, .397854764454, .394664503258, .400371722002, 73.65128175},
    {{3, 4, 5}, .425403178978, .436407082672, .426500993132, .437725481707, 78.6424471}};

/// The best of HOOI from several places.
template <class Run>
auto best_of_starts(TuckerOptions options, const Run& run) {
  options.method = TuckerMethod::hooi;
  options.tolerance =
      sizeof(typename decltype(run(options).model)::scalar_type) == 4 ? 1e-7 : 1e-12;
  options.max_iterations = 1000;
  auto best = run(options);
  options.init = TuckerInit::random;
  for (options.seed = 1; options.seed <= 4; ++options.seed) {
    auto other = run(options);
    if (other.fit > best.fit) best = other;
  }
  return best;
}

TYPED_TEST(TuckerAnswers, AreThoseKnown) {
  const auto expect = [&](const PlainTensor& plain, const std::vector<Answer>& answers) {
    for (const Answer& answer : answers) {
      const auto near = [&](const typename TestFixture::Result& result, double fit) {
        EXPECT_NEAR(result.fit, fit, this->tolerance());
        this->expect_consistent(plain, result);
      };
      TuckerOptions options;
      options.ranks = answer.ranks;
      options.method = TuckerMethod::hosvd;
      near(this->run(plain, options), answer.hosvd);
      options.method = TuckerMethod::st_hosvd;
      near(this->run(plain, options), answer.forward);
      options.mode_order = {2, 1, 0};
      near(this->run(plain, options), answer.backward);
      const auto best =
          best_of_starts(options, [&](const TuckerOptions& o) { return this->run(plain, o); });
      near(best, answer.hooi);
      EXPECT_NEAR(best.core_norm * best.core_norm, answer.core_square,
                  this->tolerance() * answer.core_square);
    }
  };
  expect(genten_test::cnt_tensor(), of_cnt);
  expect(genten_test::bin2_tensor(), of_bin2);
}

TYPED_TEST(TuckerAnswers, HosvdAndStHosvdDoNotIterate) {
  for (const auto method : {TuckerMethod::hosvd, TuckerMethod::st_hosvd}) {
    TuckerOptions options;
    options.ranks = {2, 2, 2};
    options.method = method;
    const auto result = this->run(genten_test::cnt_tensor(), options);
    EXPECT_EQ(result.iterations, 0);
    EXPECT_TRUE(result.history.empty());
    EXPECT_EQ(result.stop_reason, genten::StopReason::converged);
  }
}

/// A tensor of low multilinear ranks is met, whatever its scale.
TYPED_TEST(TuckerAnswers, MeetATensorOfTheirRanks) {
  const auto model = genten_test::formula_model({6, 5, 7, 4}, 2, true);
  PlainTensor plain{{6, 5, 7, 4}, {}, {}};
  for (std::size_t at = 0; at < 6 * 5 * 7 * 4; ++at) {
    const std::vector<std::size_t> s{at % 6, at / 6 % 5, at / 30 % 7, at / 210};
    double value = 0.0;
    for (std::size_t r = 0; r < 2; ++r) {
      double term = 1.0;
      for (std::size_t n = 0; n < 4; ++n) term *= model.factors[n](s[n], r);
      value += term;
    }
    if (value == 0.0) continue;
    plain.subscripts.push_back(s);
    plain.values.push_back(value);
  }
  for (const double scale : {1.0, 1e30, 1e-30}) {
    PlainTensor scaled = plain;
    for (double& value : scaled.values) value *= scale;
    for (const auto method : {TuckerMethod::hosvd, TuckerMethod::st_hosvd, TuckerMethod::hooi}) {
      TuckerOptions options;
      options.ranks = {2, 2, 2, 2};
      options.method = method;
      const auto result = this->run(scaled, options);
      EXPECT_GT(result.fit, sizeof(typename TestFixture::Scalar) == 4 ? 0.998 : 0.999999);
      EXPECT_LE(result.residual_norm, 2.0 * result.residual_error);
      EXPECT_NEAR(result.core_norm, result.tensor_norm, this->tolerance() * result.tensor_norm);
      EXPECT_NEAR(this->residual_of(scaled, result.model) / result.tensor_norm, 0.0,
                  this->tolerance());
    }
  }
}

}  // namespace
