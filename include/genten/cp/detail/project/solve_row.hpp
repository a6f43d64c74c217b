// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The best row for the entries of one slice.

#include <genten/cp/detail/project/row_sums.hpp>

namespace genten::detail {

/// Writes the row, of elements times scales, and says what was found. The first start is what `row`
/// has, unless it is empty.
ProjectedRow solve_row(const RowProblem& task, const RowEntries& entries, std::vector<double>& row);

/// Sets `explained` and `varying`, of `values` and so many entries that are 0, where the loss over
/// them is `reached`.
void explain(const RowLoss& loss, std::span<const double> values, double zeros, double reached,
             ProjectedRow& row);

/// `column_scales`, of the sums of squares and of magnitudes of the columns, by mode.
[[nodiscard]] std::vector<double> scales_of_columns(
    const std::vector<double>& weights, const std::vector<std::vector<double>>& squares,
    const std::vector<std::vector<double>>& magnitudes, std::size_t mode,
    const std::vector<RowConstraint>& constraints);

}  // namespace genten::detail
