// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Tensor completion: answers that were computed independently, on the amino acid data.
#include "completion_support.hpp"
#include "places.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace {

using genten::CpCompletionOptions;
using genten_test::PlainTensor;
using genten_test::completion::CompletionTest;
using genten_test::completion::expect_relative;

/// The entries that are there where a part is missing, and those that are not.
struct AminoAcid {
  PlainTensor known{{5, 201, 61}, {}, {}};
  PlainTensor missing{{5, 201, 61}, {}, {}};

  /// Of the values that are known.
  [[nodiscard]] double sum() const {
    return std::accumulate(known.values.begin(), known.values.end(), 0.0);
  }
  /// Whether the data are here.
  bool read(double part) {
    std::ifstream file(genten_test::shared_data_file("aminoacid.txt"));
    std::string line;
    for (int k = 0; k < 4 && std::getline(file, line); ++k) {
    }
    std::size_t i = 0, j = 0, k = 0;
    double x = 0.0;
    while (file >> i >> j >> k >> x) {
      const std::uint64_t entry = (i * 201 + j) * 61 + k;
      const auto hash = static_cast<double>(static_cast<std::uint32_t>(entry * 2654435761U));
      PlainTensor& side = hash < std::floor(part * 0x1p32) ? missing : known;
      side.subscripts.push_back({i, j, k});
      side.values.push_back(x);
    }
    return known.nnz() != 0;
  }
};

template <class Combination>
class CompletionAnswers : public CompletionTest<Combination> {};
TYPED_TEST_SUITE(CompletionAnswers, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(CompletionAnswers, AminoAcidWithoutAThirdOfItsEntries) {
  AminoAcid data;
  if (!data.read(0.35)) GTEST_SKIP() << "aminoacid.txt is not here";
  ASSERT_EQ(data.known.nnz(), 39847U);
  const auto tensor = this->make(data.known), missing = this->make(data.missing);
  EXPECT_NEAR(data.sum(), 4482000.177, 5e-4);
  const double tolerance = this->is_double ? 1e-9 : 1e-4;  // the latter: sweeps are small
  const auto expect_answer = [&](const auto& result) {
    EXPECT_EQ(result.stop_reason, genten::StopReason::converged);
    expect_relative(result.residual_norm * result.residual_norm, 927845.6385, tolerance);
    expect_relative(result.tensor_norm * result.tensor_norm, 1495951770.5,
                    this->is_double ? 1e-10 : 1e-6);
    EXPECT_EQ(result.entries, 39847.0);
    EXPECT_LT(result.weight_ratio, 2.0);
    EXPECT_EQ(result.rank_deficient_solves, 0U);
    const auto weights = genten_test::plain(result.model).weights;
    const std::vector<double> expected{33488.655, 23484.051, 21198.325};
    for (std::size_t r = 0; r < 3; ++r)
      expect_relative(weights[r], expected[r], this->is_double ? 1e-6 : 1e-3);
  };
  for (const std::uint64_t seed : {1U, 2U}) {
    const CpCompletionOptions options{.rank = 3,
                                      .max_iterations = 3000,
                                      .tolerance = this->is_double ? 1e-11 : 1e-6,
                                      .seed = seed,
                                      .ridge = {0.0}};
    expect_answer(genten::cp_completion(this->exec, tensor, options));
    // Nothing else is there: the same entries by a list of those that are missing.
    if (this->is_double) {
      expect_answer(genten::cp_completion(this->exec, tensor, missing, options));
    }
  }
}

// Without ridge one of four starts ends in weights that cancel each other, which the result says;
// with the default none does, and the best start is where it is without.
TYPED_TEST(CompletionAnswers, AminoAcidWithoutNineTenthsOfItsEntries) {
  AminoAcid data;
  if (!data.read(0.9)) GTEST_SKIP() << "aminoacid.txt is not here";
  ASSERT_EQ(data.known.nnz(), 6131U);
  EXPECT_NEAR(data.sum(), 689835.261, 5e-4);
  const auto tensor = this->make(data.known);
  CpCompletionOptions options{.rank = 3,
                              .max_iterations = 1000,
                              .tolerance = this->is_double ? 1e-11 : 1e-6,
                              .starts = 3,
                              .ridge = {0.0}};
  const auto free = genten::cp_completion(this->exec, tensor, options);
  ASSERT_EQ(free.starts.size(), 3U);
  expect_relative(free.residual_norm * free.residual_norm, 136577.3379,
                  this->is_double ? 1e-9 : 1e-4);
  EXPECT_LT(free.weight_ratio, 2.0);
  options.starts = 1;
  options.seed = 4;
  const auto degenerate = genten::cp_completion(this->exec, tensor, options);
  EXPECT_GT(degenerate.weight_ratio, 10.0);
  options.ridge = {};
  const auto mild = genten::cp_completion(this->exec, tensor, options);
  EXPECT_LT(mild.weight_ratio, 1.0);
  EXPECT_LT(mild.residual_norm, degenerate.residual_norm);
  options.starts = 2;
  options.seed = 1;
  const auto usual = genten::cp_completion(this->exec, tensor, options);
  expect_relative(usual.residual_norm * usual.residual_norm, 136577.3379, 0.01);
  EXPECT_LT(usual.ridge[0], 174.5);  // where it began
}

}  // namespace
