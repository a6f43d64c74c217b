// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Random sparse tensors and models for tests, benchmarks and `genten generate`.
///
/// All of it is deterministic: every random number is a hash of the seed and of what it is for
/// (core/random.hpp), so the same recipe and seed give the same tensor for any number of threads.

#include <genten/core/detail/generate_impl.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/model_values.hpp>
#include <genten/core/recipes.hpp>
#include <genten/core/sptensor.hpp>

namespace genten {

/// A random sparse tensor: `recipe.nonzeros` distinct subscripts in lexicographic order.
///
/// Subscripts are drawn one after another, each mode independently, until that many distinct ones
/// have been seen; draws that hit a subscript again are merged into it. Where they would not be
/// seen in a reasonable number of draws (64 for each nonzero: nearly all elements of a small tensor
/// are asked for, or exponents are far above 1), the tensor has fewer: ask its nnz().
///
/// Throws Error when the recipe cannot be met: exponents that do not fit the order, more nonzeros
/// than elements, modes too long for `Ordinal`; Error of kind memory, before any work, where what
/// it takes is not available, as all of these functions do.
/// Cost, shared by all threads: of one about 80 ns a nonzero of order 3, and 25 more a mode with
/// an exponent; memory, the tensor included: 24 bytes a draw or 8 a draw beside the tensor,
/// whichever is more (more where subscripts take over 64 bits, or draws are over 2^32).
template <RealScalar Scalar = double, SubscriptOrdinal Ordinal = std::uint32_t,
          ExecutionSpace Exec = HostExec>
requires is_host_space<Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> generate_sparse(const Exec& exec,
                                                              const TensorRecipe& recipe,
                                                              std::uint64_t seed) {
  detail::check_recipe<Ordinal>(recipe);
  detail::require_generated<Scalar, Ordinal>(recipe.dimensions,
                                             static_cast<double>(recipe.nonzeros));
  const auto entries = detail::draw_recipe<Scalar, Ordinal>(
      exec, recipe, seed, detail::RecipeValues<Scalar>(recipe.values, seed));
  return detail::generated_tensor(exec, recipe.dimensions, entries.subscripts, entries.values);
}

/// A tensor and the model that it was made from.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct ModelledTensor {
  Sptensor<Scalar, Ordinal, Exec> tensor;
  Ktensor<Scalar, Exec> model;
};

/// A random model of rank `rank` (`random_ktensor` with a seed derived from `seed`, so that it is
/// nobody's initial guess), observed at the random subscripts of `recipe` (whose kind of
/// values is not used): each value is the model's entry there, plus normal noise whose norm over
/// all observed entries is `noise` times theirs in expectation.
///
/// Elements that are not observed are zero in the tensor though not in the model, so a
/// decomposition does not return the model; `generate_planted` is the one that does.
/// Throws Error as `generate_sparse` does, and for a negative or non-finite noise.
template <RealScalar Scalar = double, SubscriptOrdinal Ordinal = std::uint32_t,
          ExecutionSpace Exec = HostExec>
requires is_host_space<Exec>
[[nodiscard]] ModelledTensor<Scalar, Ordinal, Exec> generate_low_rank(
    const Exec& exec, const TensorRecipe& recipe, std::size_t rank, double noise,
    std::uint64_t seed, FactorKind kind = FactorKind::uniform) {
  detail::check_noise(noise);
  detail::check_recipe<Ordinal>(recipe);
  detail::require_generated<Scalar, Ordinal>(recipe.dimensions,
                                             static_cast<double>(recipe.nonzeros), rank);
  const auto subscripts =
      detail::draw_recipe<Scalar, Ordinal>(exec, recipe, seed, detail::NoValues()).subscripts;
  const auto model = random_ktensor<Scalar>(exec, recipe.dimensions, rank,
                                            random_bits(seed, detail::model_stream), kind);
  const auto values = model_values<Scalar>(exec, model, subscripts);
  detail::add_noise(exec, values, noise, seed);
  return {detail::generated_tensor(exec, recipe.dimensions, subscripts, values), model};
}

/// A sparse tensor of known rank: each column of each factor has `support` nonzero rows at random,
/// with entries in [1/2, 1), and the tensor holds every element at which a component is nonzero
/// (at most rank * support^N of them, sorted, where components meet their sum), plus noise there as
/// in `generate_low_rank`. Without noise the model fits the tensor exactly.
///
/// Throws Error when a dimension is shorter than `support`, or when there would be more than 2^31
/// elements.
template <RealScalar Scalar = double, SubscriptOrdinal Ordinal = std::uint32_t,
          ExecutionSpace Exec = HostExec>
requires is_host_space<Exec>
[[nodiscard]] ModelledTensor<Scalar, Ordinal, Exec> generate_planted(
    const Exec& exec, std::vector<std::size_t> dimensions, std::size_t rank, std::size_t support,
    double noise, std::uint64_t seed) {
  detail::check_noise(noise);
  detail::check_planted(dimensions, rank, support);
  const double elements = std::pow(static_cast<double>(support), dimensions.size());
  detail::require_generated<Scalar, Ordinal>(dimensions, static_cast<double>(rank) * elements,
                                             rank);
  const auto rows = detail::planted_rows(dimensions, rank, support, seed);
  const auto model = detail::planted_model<Scalar, Exec>(dimensions, rank, rows, seed);
  const auto subscripts =
      detail::planted_subscripts<Scalar, Ordinal>(exec, dimensions, rank, support, rows);
  const auto values = model_values<Scalar>(exec, model, subscripts);
  detail::add_noise(exec, values, noise, seed);
  return {detail::generated_tensor(exec, std::move(dimensions), subscripts, values), model};
}

}  // namespace genten

#define GENTEN_ETI_GENERATE(PREFIX, SCALAR, ORDINAL, EXEC)                                     \
  PREFIX template genten::Sptensor<SCALAR, ORDINAL, EXEC>                                      \
  genten::generate_sparse<SCALAR, ORDINAL, EXEC>(const EXEC&, const genten::TensorRecipe&,     \
                                                 std::uint64_t);                               \
  PREFIX template genten::ModelledTensor<SCALAR, ORDINAL, EXEC>                                \
  genten::generate_low_rank<SCALAR, ORDINAL, EXEC>(const EXEC&, const genten::TensorRecipe&,   \
                                                   std::size_t, double, std::uint64_t,         \
                                                   genten::FactorKind);                        \
  PREFIX template genten::ModelledTensor<SCALAR, ORDINAL, EXEC>                                \
  genten::generate_planted<SCALAR, ORDINAL, EXEC>(                                             \
      const EXEC&, std::vector<std::size_t>, std::size_t, std::size_t, double, std::uint64_t); \
  PREFIX template genten::detail::DistinctSubscripts<SCALAR, ORDINAL>                          \
  genten::detail::draw_distinct(const EXEC&, genten::detail::DrawStore<EXEC>&,                 \
                                genten::detail::DrawDemand, const genten::detail::NoValues&,   \
                                genten::detail::DrawPeers&);                                   \
  PREFIX template genten::detail::DistinctSubscripts<SCALAR, ORDINAL>                          \
  genten::detail::draw_distinct(                                                               \
      const EXEC&, genten::detail::DrawStore<EXEC>&, genten::detail::DrawDemand,               \
      const genten::detail::RecipeValues<SCALAR>&, genten::detail::DrawPeers&);                \
  PREFIX template Kokkos::View<SCALAR*, typename EXEC::memory_space> genten::model_values(     \
      const EXEC&, const genten::Ktensor<SCALAR, EXEC>&,                                       \
      const genten::detail::DrawnSubscripts<ORDINAL>&);

#ifdef GENTEN_ETI
GENTEN_ETI_HOST_TENSORS(GENTEN_ETI_GENERATE, extern)
#endif
