// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The vocabulary of MTTKRP kernels: the problem they are judged by and the factors they read.

#include <genten/base/machine.hpp>
#include <genten/core/fac_matrix.hpp>
#include <genten/core/mode_order.hpp>
#include <genten/format/mode_groups.hpp>
#include <genten/format/tuple_count.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace genten {

/// What a kernel's cost rule, memory estimate and preparation know about the tensor and the model.
struct MttkrpProblem {
  std::vector<std::size_t> dimensions;
  offset_t nnz = 0;
  std::size_t rank = 0;
  std::size_t scalar_bytes = 8;
  std::size_t ordinal_bytes = 4;
  std::vector<int> update_order;  ///< modes in the order in which a sweep updates them
  /// Whether rows have new numbers, which kernels that do not look them up need written out.
  bool relabeled = false;
  /// How many distinct values the nonzeros have, if they are few enough for a ValueDictionary.
  std::optional<std::size_t> distinct_values = {};
  /// How many tuples of modes that follow each other occur, where some of them are worth fusing.
  std::vector<TupleCount> tuples = {};
  /// The groups of modes that the kernel `sorted` has chosen already, e.g. for narrower rows.
  std::optional<std::vector<ModeGroup>> groups = {};
  double sweeps = 0.0;  ///< as MttkrpOptions says
  /// By mode, the row from which on rows are wanted before the others; empty: all at once.
  std::vector<std::size_t> early_rows = {};

  bool operator==(const MttkrpProblem&) const = default;
  [[nodiscard]] int order() const { return static_cast<int>(dimensions.size()); }
  [[nodiscard]] offset_t early_row(int mode) const {
    return early_rows.empty() ? 0
                              : static_cast<offset_t>(early_rows[static_cast<std::size_t>(mode)]);
  }
  /// Elements of a padded factor row.
  [[nodiscard]] std::size_t row_stride() const { return padded_stride(rank, scalar_bytes); }
  /// Bytes of a padded factor row.
  [[nodiscard]] double row_bytes() const {
    return static_cast<double>(row_stride() * scalar_bytes);
  }
  /// Bytes of the subscripts as a Sptensor holds them.
  [[nodiscard]] double subscript_bytes() const {
    return static_cast<double>(nnz) * order() * static_cast<double>(ordinal_bytes);
  }
  /// Rows of the longest mode.
  [[nodiscard]] std::size_t longest() const {
    return dimensions.empty() ? 0 : *std::max_element(dimensions.begin(), dimensions.end());
  }
};

/// Bytes that a kernel takes beside the tensor and the model.
struct KernelMemory {
  double peak = 0.0;  ///< at its peak, which preparation may reach
  double kept = 0.0;  ///< from its preparation on, until the plan goes
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
