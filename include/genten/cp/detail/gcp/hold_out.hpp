// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Which entries a run of cp_gcp learns from, which are missing, and which test the model.

#include <genten/core/generate.hpp>
#include <genten/cp/cp_gcp.hpp>
#include <genten/cp/detail/apr/poisson_sums.hpp>
#include <genten/cp/detail/completion/select_entries.hpp>
#include <genten/cp/held_out.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace genten::detail {

/// How many entries a part of all is.
[[nodiscard]] inline double held_out_entries(const std::vector<std::size_t>& dimensions,
                                             double part) {
  double all = 1.0;
  for (const std::size_t length : dimensions) all *= static_cast<double>(length);
  return std::floor(part * all + 0.5);
}

/// Holds out listed entries alone.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void hold_out_listed(const Exec& exec, double part, std::uint64_t seed,
                     SplitEntries<Scalar, Ordinal, Exec>& entries) {
  const auto subscripts = entries.counted.subscripts();
  const int order = entries.counted.order();
  const auto flags = flag_entries(
      exec, entries.counted.nnz(), KOKKOS_LAMBDA(const offset_t p) {
        return is_held_out(&subscripts(p, 0), order, seed, part);
      });
  entries.held_out = select_entries(exec, entries.counted, flags, 1);
  entries.counted = select_entries(exec, entries.counted, flags, 0);
}

/// Holds out entries of the whole box, which then are missing.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void hold_out_any(const Exec& exec, double part, std::uint64_t seed,
                  SplitEntries<Scalar, Ordinal, Exec>& entries) {
  const TensorRecipe recipe{
      .name = {},
      .dimensions = entries.counted.dimensions(),
      .nonzeros = static_cast<offset_t>(held_out_entries(entries.counted.dimensions(), part))};
  auto drawn = with_value(
      exec, copy_to<Exec>(generate_sparse<Scalar, Ordinal>(HostExec(), recipe, seed)), Scalar(0));
  if (entries.away) drawn = without_entries(exec, drawn, *entries.away);
  const auto zeros = without_entries(exec, drawn, entries.counted);
  if (entries.counted.nnz() != 0 && drawn.nnz() != 0) {
    const auto flags = listed_entries(exec, entries.counted, drawn);
    entries.held_out = joined(exec, select_entries(exec, entries.counted, flags, 1), zeros);
    entries.counted = select_entries(exec, entries.counted, flags, 0);
  } else {
    entries.held_out = zeros;
  }
  entries.away = entries.away ? joined(exec, *entries.away, drawn) : drawn;
}

/// What the call and its options make of the entries of a tensor without duplicates. Throws Error
/// where nothing is held out of a tensor that should be.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] SplitEntries<Scalar, Ordinal, Exec> split_entries(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::optional<Sptensor<Scalar, Ordinal, Exec>>& missing, const CpGcpOptions& options) {
  if (options.holdout > 0.0) {
    return hold_out(exec, tensor, missing, options.unlisted, options.holdout, options.holdout_seed);
  }
  return {missing ? without_entries(exec, tensor, *missing) : tensor, missing, {}};
}

/// Over held-out entries, with the model's values m and the expected values u that these stand for.
struct HoldoutSums {
  double value = 0.0;         ///< of f(x, m)
  double value_square = 0.0;  ///< of its squares
  double square = 0.0;        ///< of (x - u)^2
  double magnitude = 0.0;     ///< of |x - u|

  KOKKOS_FUNCTION void add(const HoldoutSums& other) {
    value += other.value;
    value_square += other.value_square;
    square += other.square;
    magnitude += other.magnitude;
  }
};

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] HoldoutSums holdout_sums(const Exec& exec,
                                       const Sptensor<Scalar, Ordinal, Exec>& entries,
                                       const Ktensor<Scalar, Exec>& model, const LossKernel& loss) {
  const ModelValues<Scalar> value_of(model);
  const auto subscripts = entries.subscripts();
  const auto values = entries.values();
  return sum_of_nonzeros<HoldoutSums>(
      "genten::holdout_loss", exec, entries.nnz(), KOKKOS_LAMBDA(const offset_t p) {
        const auto x = static_cast<double>(values(p));
        const double m = value_of(&subscripts(p, 0)), f = loss.value(x, m);
        const double difference = x - loss.mean(m);
        return HoldoutSums{f, f * f, difference * difference,
                           difference < 0.0 ? -difference : difference};
      });
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
SplitEntries<Scalar, Ordinal, Exec> hold_out(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::type_identity_t<std::optional<Sptensor<Scalar, Ordinal, Exec>>>& missing,
    UnlistedEntries unlisted, double part, std::uint64_t seed) {
  SplitEntries<Scalar, Ordinal, Exec> entries;
  entries.counted = missing ? detail::without_entries(exec, tensor, *missing) : tensor;
  entries.away = missing;
  if (unlisted == UnlistedEntries::missing) {
    detail::hold_out_listed(exec, part, seed, entries);
  } else {
    detail::hold_out_any(exec, part, seed, entries);
  }
  if (entries.held_out.nnz() != 0) return entries;
  throw Error::of_option(
      "holdout", "expected entries that are held out, got none of a part of " + number_text(part));
}

}  // namespace genten

#define GENTEN_ETI_HOLD_OUT(PREFIX, SCALAR, ORDINAL, EXEC)                                    \
  PREFIX template genten::SplitEntries<SCALAR, ORDINAL, EXEC>                                 \
  genten::hold_out<SCALAR, ORDINAL, EXEC>(                                                    \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                            \
      const std::optional<genten::Sptensor<SCALAR, ORDINAL, EXEC>>&, genten::UnlistedEntries, \
      double, std::uint64_t);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_HOLD_OUT, extern)
#endif
