// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Products of tall matrices of the host with each other and with small ones, in double. Results
/// are the same for every number of threads.

#include <genten/core/fac_matrix.hpp>
#include <genten/dense/spd_inverse.hpp>

namespace genten {

/// A^T B of two matrices of as many rows and columns. Reads both once; sums are those of at most 64
/// chunks of rows, in order. That of a matrix with itself is symmetric. Throws Error for other
/// shapes.
[[nodiscard]] SmallMatrix cross_product(const HostExec& exec, const FacMatrix<double, HostExec>& a,
                                        const FacMatrix<double, HostExec>& b);

/// A S, in a new matrix, where S has as many rows as A has columns. Throws Error for other shapes.
[[nodiscard]] FacMatrix<double, HostExec> tall_product(const HostExec& exec,
                                                       const FacMatrix<double, HostExec>& a,
                                                       const SmallMatrix& s);

}  // namespace genten
