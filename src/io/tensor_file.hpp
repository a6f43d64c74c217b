// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The readers behind `read_tensor_file`.

#include "file_content.hpp"

#include <genten/io/tensor_arrays.hpp>

namespace genten::detail {

/// Uninitialized arrays of a tensor's size, without dimensions.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
TensorArrays<Scalar, Ordinal> allocate_arrays(std::size_t order, std::size_t rows) {
  using Arrays = TensorArrays<Scalar, Ordinal>;
  using Kokkos::view_alloc;
  using Kokkos::WithoutInitializing;
  Arrays arrays;
  arrays.subscripts = typename Arrays::Subscripts(
      view_alloc("genten::subscripts", WithoutInitializing), rows, order);
  arrays.values = typename Arrays::Values(view_alloc("genten::values", WithoutInitializing), rows);
  return arrays;
}

template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_text(const HostExec& host, const FileContent& file,
                                  const ReadOptions& options, OrdinalWidth width,
                                  ReadReport& report);

template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_binary(const HostExec& host, const FileContent& file,
                                    const ReadOptions& options, OrdinalWidth width,
                                    ReadReport& report);

}  // namespace genten::detail
