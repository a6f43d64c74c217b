// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_support.hpp"

#include <genten/core/generate.hpp>
#include <genten/dist/generate.hpp>

namespace {

using namespace genten;
using namespace genten_test;

/// The parts are the tensor that one process makes of the recipe, value for value.
template <class Scalar, class Ordinal>
DistributedTensor<Scalar, Ordinal> expect_same_tensor(const TensorRecipe& recipe,
                                                      std::uint64_t seed,
                                                      const DistributeOptions& options = {}) {
  const auto parts =
      generate_distributed<Scalar, Ordinal>(processes(), HostExec(), recipe, seed, options);
  const auto tensor = generate_sparse<Scalar, Ordinal>(HostExec(), recipe, seed);
  check_parts(tensor, parts);
  EXPECT_EQ(parts.part.fingerprint, detail::TensorFingerprint::of(HostExec(), tensor));
  EXPECT_EQ(parts.partition.processes(), processes().size());
  return parts;
}

TEST(GenerateDistributed, is_the_tensor_of_one_process_with_all_kinds_of_values) {
  for (const ValueKind kind :
       {ValueKind::ones, ValueKind::counts, ValueKind::uniform, ValueKind::normal}) {
    const TensorRecipe recipe{.name = "test",
                              .dimensions = {60, 50, 40},
                              .nonzeros = 20'000,
                              .exponents = {.4, .9, .1},
                              .clusters = 3,
                              .values = kind};
    expect_same_tensor<double, std::uint32_t>(recipe, 7);
  }
}

TEST(GenerateDistributed, of_every_order_by_every_grid) {
  for (std::size_t order = 1; order <= 4; ++order) {
    const TensorRecipe recipe{.name = "test",
                              .dimensions = small_dimensions(order),
                              .nonzeros = 300,
                              .values = ValueKind::normal};
    expect_same_tensor<float, std::uint32_t>(recipe, order);
    for (const Grid& grid : all_grids(processes().size(), order)) {
      expect_same_tensor<float, std::uint32_t>(recipe, order, {.grid = grid});
    }
  }
  const TensorRecipe recipe{.name = "test", .dimensions = {4, 5, 6}, .nonzeros = 10};
  EXPECT_THROW(
      (expect_same_tensor<float, std::uint32_t>(recipe, 1, {.grid = {processes().size()}})), Error);
}

TEST(GenerateDistributed, where_nearly_all_draws_repeat) {
  // Full, and many rounds of draws.
  TensorRecipe recipe{.name = "full",
                      .dimensions = {9, 8, 7},
                      .nonzeros = 504,
                      .exponents = {},
                      .clusters = 1,
                      .values = ValueKind::counts};
  expect_same_tensor<double, std::uint32_t>(recipe, 1);
  // Fewer than asked for, after 64 draws for each.
  recipe.exponents = {3, 3, 3};
  const auto parts = expect_same_tensor<double, std::uint32_t>(recipe, 1);
  EXPECT_GT(parts.nnz, 20U);
  EXPECT_LT(parts.nnz, 504U);
  recipe.nonzeros = 0;
  EXPECT_EQ((expect_same_tensor<double, std::uint32_t>(recipe, 1).nnz), 0U);
}

TEST(GenerateDistributed, from_a_sample_it_is_still_balanced) {
  const TensorRecipe recipe{.name = "test",
                            .dimensions = {500, 400, 300},
                            .nonzeros = 40'000,
                            .exponents = {.9, .5, 1.1},
                            .clusters = 2,
                            .values = ValueKind::counts};
  const auto parts = expect_same_tensor<double, std::uint32_t>(recipe, 3, {.most_sampled = 8000});
  const double mean = static_cast<double>(parts.nnz) / static_cast<double>(processes().size());
  EXPECT_LT(static_cast<double>(parts.most_nnz), 1.2 * mean);
  // A sample of hardly any entries says little of how many draws are needed, but no less is right.
  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{20}}) {
    expect_same_tensor<double, std::uint32_t>(recipe, 3, {.most_sampled = most});
  }
}

TEST(GenerateDistributed, keys_of_several_words_and_wide_subscripts) {
  const TensorRecipe recipe{.name = "wide",
                            .dimensions = {std::size_t{1} << 40, 30, std::size_t{1} << 33},
                            .nonzeros = 3000,
                            .exponents = {1.1, .5, 1.1},
                            .clusters = 1,
                            .values = ValueKind::uniform};
  expect_same_tensor<double, std::uint64_t>(recipe, 5);
}

TEST(GenerateDistributed, values_of_a_model) {
  const TensorRecipe recipe{
      .name = "test", .dimensions = {70, 60, 50}, .nonzeros = 5000, .exponents = {.5, 0, 1}};
  for (const FactorKind kind : {FactorKind::uniform, FactorKind::normal}) {
    const auto parts = generate_low_rank_distributed<double, std::uint32_t>(processes(), HostExec(),
                                                                            recipe, 5, 3, kind);
    const auto one = generate_low_rank<double, std::uint32_t>(HostExec(), recipe, 5, 0.0, 3, kind);
    check_parts(one.tensor, parts);
    EXPECT_EQ(parts.part.fingerprint, detail::TensorFingerprint::of(HostExec(), one.tensor));
  }
}

TEST(GenerateDistributed, refuses_on_all_processes) {
  const TensorRecipe recipe{.name = "x", .dimensions = {2, 2}, .nonzeros = 5};
  EXPECT_THROW(static_cast<void>(
                   generate_distributed<double, std::uint32_t>(processes(), HostExec(), recipe, 1)),
               AgreedError);
  const TensorRecipe huge{
      .name = "x", .dimensions = {1'000'000'000, 1'000'000'000}, .nonzeros = 100'000'000'000'000};
  try {
    static_cast<void>(
        generate_distributed<double, std::uint32_t>(processes(), HostExec(), huge, 1));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::memory);
  }
}

}  // namespace
