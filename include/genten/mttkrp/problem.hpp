// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The vocabulary of MTTKRP kernels: the problem they are judged by and the factors they read.

#include <genten/base/machine.hpp>
#include <genten/core/fac_matrix.hpp>

#include <numeric>
#include <span>
#include <vector>

namespace genten {

/// What a kernel's cost rule and preparation know about the tensor and the model.
struct MttkrpProblem {
  std::vector<std::size_t> dimensions;
  offset_t nnz = 0;
  std::size_t rank = 0;
  std::size_t scalar_bytes = 8;
  std::size_t ordinal_bytes = 4;
  std::vector<int> update_order;  ///< modes in the order in which a sweep updates them

  [[nodiscard]] int order() const { return static_cast<int>(dimensions.size()); }
  /// Bytes of a padded factor row.
  [[nodiscard]] double row_bytes() const {
    return static_cast<double>(padded_stride(rank, scalar_bytes) * scalar_bytes);
  }
};

/// Factor matrices as kernels see them: pointers and strides, and for each mode a version. A kernel
/// may keep what it computed from factors whose version is the same as before; version 0 promises
/// nothing.
template <RealScalar Scalar>
struct FactorSet {
  Kokkos::Array<const Scalar*, max_order> data{};
  Kokkos::Array<std::size_t, max_order> stride{};
  Kokkos::Array<std::uint64_t, max_order> version{};
  int order = 0;
  std::size_t columns = 0;
};

/// Versions of the factors, by mode: to be changed whenever the factor is.
using FactorVersions = Kokkos::Array<std::uint64_t, max_order>;

}  // namespace genten
