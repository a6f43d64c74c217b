// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// project_rows: rows of one factor for new slices of a tensor, the other factors being fixed.

#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/cp/loss_gradient.hpp>
#include <genten/cp/losses/any_loss.hpp>
#include <genten/dense/row_constraint.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace genten {

/// Parameters of project_rows.
struct ProjectOptions {
  /// Penalties and bounds of the new rows.
  RowConstraint constraint = {};
  UnlistedEntries unlisted = UnlistedEntries::zeros;
  /// What the loss is multiplied by beside the penalties: 1/2 of gaussian is what cp_als minimizes.
  double loss_factor = 1.0;
  /// By component: penalties and bounds are those of a row's element times this; empty: ones.
  /// `column_scales` gives those of a run that has normalized its model.
  std::vector<double> scales = {};
  /// The largest element of the projected gradient, each as a part of the sum of the magnitudes of
  /// its terms.
  double tolerance = 1e-10;
  std::size_t max_iterations = 300;  ///< steps of Newton's method, from each start
  std::size_t starts = 10;           ///< of losses that are not convex
  std::uint64_t seed = 1;            ///< of random starts
  /// The first start is the model's own row, where the model is as long as the tensor in the mode.
  bool from_own_rows = false;
  bool explain = true;  ///< whether `ProjectedRow::explained` is computed
  /// Entries times components that a row may take where zeros are summed one by one.
  double most_operations = 2e9;
};

/// What was found of a row.
struct ProjectedRow {
  double entries = 0.0;    ///< that count
  std::size_t listed = 0;  ///< entries of the slice that the tensor lists
  /// Those that count and are not 0 where the model is, whatever the row, under a loss for
  /// nonnegative models, as poisson: their likelihood is 0.
  std::size_t impossible = 0;
  double loss = 0.0;  ///< over them, times `loss_factor`; without penalties
  /// The part of what the loss could fall by that it has fallen by: 1 - (loss - least) / (base -
  /// least). `least` is that of a model that may be any number at each entry; `base` that of 0 for
  /// gaussian, weighted and huber, and that of the best constant for other losses. Without what is
  /// `impossible`. NaN where there is nothing to explain, and for losses of blocks.
  double explained = std::numeric_limits<double>::quiet_NaN();
  /// Which part of `base` - `least` a model of the entries' mean leaves, where `base` is that of 0;
  /// else 1. Near 0 where what all entries have in common is much larger than their differences.
  double varying = 1.0;
  double kkt = 0.0;            ///< as `tolerance` has it
  std::size_t iterations = 0;  ///< of the start that is kept
  bool converged = false;      ///< to the tolerance; there may be no minimum otherwise
};

/// What project_rows returns.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
struct Projection {
  /// The model, its factor of the mode being the new rows; the others and the weights are shared.
  Ktensor<Scalar, Exec> model;
  std::vector<ProjectedRow> rows;
  /// Of least squares without penalties, bounds and missing entries: how many of the columns that
  /// rows are combinations of (the Khatri-Rao product of the other factors) depend on others, to
  /// rounding. Rows are then those of the least norm, by columns of unit norm.
  std::size_t dependent = 0;
  /// Likewise: by how much errors of the data grow in the rows; the condition of these columns at
  /// unit norm, but for dependent ones.
  double condition = 1.0;
  /// The first component, 0-based, of which no `Scalar` holds the new column.
  std::optional<std::size_t> out_of_range;
};

/// The rows of the factor of `mode` that minimize a loss for a tensor whose slices of that mode are
/// new, while the weights and the other factors are the model's. Rows are independent: each is a
/// problem of its own, solved to the tolerance, and has the same bits alone or together with
/// others, for every number of threads and every order of the entries. The model's own factor of
/// the mode is not read, unless `from_own_rows` asks for it.
///
/// Newton's method with a quadratic program under the bounds in each step, from one start for
/// losses that are convex in the model's values, else from several, of which the best is kept. A
/// loss whose zeros are a polynomial takes them from Gram matrix and column sums, in time that
/// grows with the entries that are listed; others go through all entries of a slice. Rows of least
/// squares share normal equations; without penalties and bounds neither weights nor sizes of
/// columns enter them, however far apart, and where the columns are nearly dependent they are
/// summed and solved with twice the digits. Entries with the same subscripts are added up.
///
/// Where unlisted entries are missing and a row has fewer entries than the model has components,
/// more than one row fits them equally: of least squares without penalties and bounds it is that of
/// least norm, by columns of unit norm; a ridge decides otherwise.
///
/// Rows without an entry that counts are 0, or the bound next to it. Computes on the host, in
/// double; arrays of devices are copied. Throws Error for dimensions that differ in another mode,
/// for options out of range, for a model with negative values where the loss allows none, and where
/// enumeration takes more than `most_operations`; Error of code `data` for values that the loss
/// does not take.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Projection<Scalar, Exec> project_rows(const Exec& exec,
                                                    const Ktensor<Scalar, Exec>& model,
                                                    const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                                    int mode, const AnyLoss& loss,
                                                    const ProjectOptions& options = {});

/// The same from all entries but those that `missing` lists, whether the tensor lists them or not;
/// the list's values mean nothing.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Projection<Scalar, Exec> project_rows(const Exec& exec,
                                                    const Ktensor<Scalar, Exec>& model,
                                                    const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                                    const Sptensor<Scalar, Ordinal, Exec>& missing,
                                                    int mode, const AnyLoss& loss,
                                                    const ProjectOptions& options = {});

/// By component, what elements of the factor of `mode` were multiplied by when a run with these
/// constraints, one a mode, found the model. Solvers normalize a model whose bounds allow it; where
/// every mode was penalized, what the penalties are of follows from the minimum, at which
/// ridge ||a||^2 + l1 sum |a| of the columns of a component are equal in all modes. Otherwise, and
/// where bounds kept the model from being normalized, ones, or what the weights are in a mode that
/// alone was penalized is not known and taken as 1.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<double> column_scales(const Exec& exec,
                                                const Ktensor<Scalar, Exec>& model, int mode,
                                                const std::vector<RowConstraint>& constraints);

/// The part explained below which a row fits far worse than those of `usual` do. Of the part that
/// is explained of what varies, 1 - (1 - explained) / v with v the median of `varying`, it is the
/// lower quartile less three times the quartiles' distance (Tukey's outer fence), 0.05 at least, or
/// a tenth of it if that is more. Rows with nothing to explain do not count; NaN of fewer than
/// four, or a quartile < 0.05.
[[nodiscard]] double far_worse_than(const std::vector<ProjectedRow>& usual);

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/project/project_rows_impl.hpp>
#endif
