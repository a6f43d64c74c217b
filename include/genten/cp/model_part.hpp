// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ModelPart: a CP model of which every process has some rows.

#include <genten/core/fac_matrix.hpp>

#include <vector>

namespace genten {

/// What one process has of a finished model. The rows of all processes are distinct; those that
/// none has are zeros.
template <RealScalar Scalar, ExecutionSpace Exec>
struct ModelPart {
  using Matrix = FacMatrix<Scalar, Exec>;

  std::vector<std::size_t> dimensions;  ///< of the whole model
  std::vector<Scalar> weights;          ///< the same on all processes
  /// By mode. The first rows[n].size() rows are this process's; what follows means nothing.
  std::vector<Matrix> factors;
  std::vector<std::vector<std::size_t>> rows;  ///< by mode, the row of the whole model of each

  [[nodiscard]] std::size_t order() const { return dimensions.size(); }
  /// Number of components R.
  [[nodiscard]] std::size_t rank() const { return weights.size(); }
  /// The rows of a mode that are this process's, without a copy.
  [[nodiscard]] Matrix own_rows(std::size_t mode) const {
    return factors[mode].first_rows(rows[mode].size());
  }
};

}  // namespace genten
