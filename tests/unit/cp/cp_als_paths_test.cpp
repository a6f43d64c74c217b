// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What must not change the path of CP-ALS: scalar, kernel, duplicates, threads.
#include <genten/mttkrp/kernel_list.hpp>
#include "cp_als_support.hpp"

#include "thread_counts.hpp"

namespace {

using namespace genten_test::cp;
using genten_test::fit_reference;
using genten_test::plain;
using genten_test::PlainTensor;
using genten_test::random_model;
using genten_test::random_tensor;

TEST_F(CpAlsTest, FloatAndDoubleFollowTheSamePath) {
  const CpAlsOptions options{.rank = 4, .max_iterations = 10, .tolerance = 0.0};
  const auto in_double = cp_als(exec, tensor, options);
  const auto in_float = cp_als(exec, make<float>(plain_tensor), options);
  ASSERT_EQ(in_float.history.size(), 10u);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_NEAR(in_float.history[k].fit, in_double.history[k].fit, 1e-5) << k;
  }
}

TEST_F(CpAlsTest, EveryKernelFollowsTheSamePath) {
  CpAlsOptions options{.rank = 6, .max_iterations = 8, .tolerance = 0.0};
  const auto expected = cp_als(exec, tensor, options);
  for (const auto& kernel : genten::kernel_names<Exec>()) {
    options.mttkrp.kernel = kernel;
    const auto result = cp_als(exec, tensor, options);
    EXPECT_EQ(result.kernel, kernel);
    ASSERT_EQ(result.history.size(), 8u);
    for (std::size_t k = 0; k < 8; ++k) {
      EXPECT_NEAR(result.history[k].fit, expected.history[k].fit, 1e-10) << kernel << " " << k;
    }
  }
}

TEST_F(CpAlsTest, DuplicatesCountAsTheirSum) {
  const auto unique = random_tensor({.dimensions = {20, 15, 10}, .nnz = 60, .seed = 5});
  PlainTensor split = unique, merged{unique.dimensions, {}, {}};
  for (std::size_t p = 0; p < unique.nnz(); ++p) {
    split.values[p] = 3.0 * unique.values[p];
    split.subscripts.push_back(unique.subscripts[p]);
    split.values.push_back(-2.0 * unique.values[p]);
  }
  for (const auto& [at, value] : split.entries()) {
    merged.subscripts.push_back(at);
    merged.values.push_back(value);
  }
  const CpAlsOptions options{.rank = 3, .max_iterations = 5, .tolerance = 0.0};
  const auto of_split = cp_als(exec, make(split), options);
  const auto of_merged = cp_als(exec, make(merged), options);
  EXPECT_NEAR(of_split.tensor_norm, of_merged.tensor_norm, 1e-12);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(of_split.history[k].fit, of_merged.history[k].fit, 1e-11) << k;
  }
  EXPECT_NEAR(of_split.fit, fit_reference(merged, plain(of_split.model)), 1e-11);
}

TEST_F(CpAlsTest, SameBitsForOneTwoAndThreeThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    genten_test::BitHash hash;
    const auto add = [&hash](const auto& result) {
      for (const auto x : numbers(result.model)) hash.add(x);
      for (const auto& record : result.history) hash.add(record.fit);
      hash.add(result.residual_norm);
    };
    const auto random = random_tensor({.dimensions = {2000, 900, 6, 4},
                                       .nnz = 80'000,
                                       .duplicate_every = 50,
                                       .heavy_slice = true});
    const CpAlsOptions options{.rank = 9, .max_iterations = 4, .tolerance = 0.0};
    add(cp_als(Exec(), make<double>(random), options));
    add(cp_als(Exec(), make<float>(random), options));
    add(cp_als(Exec(), make(entries_of(random_model({30, 20, 10}, 2, 1))),
               CpAlsOptions{.rank = 2, .max_iterations = 50, .tolerance = 0.0}));
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
