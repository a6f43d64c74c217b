// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The readers behind `read_tensor_file`.

#include "file_content.hpp"

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/io/detail/tensor_arrays.hpp>

namespace genten::detail {

/// Uninitialized arrays of a tensor's size, without dimensions.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
TensorArrays<Scalar, Ordinal> allocate_arrays(std::size_t order, std::size_t rows) {
  using Arrays = TensorArrays<Scalar, Ordinal>;
  Arrays arrays;
  arrays.subscripts =
      uninitialized_view<typename Arrays::Subscripts>("genten::subscripts", rows, order);
  arrays.values = uninitialized_view<typename Arrays::Values>("genten::values", rows);
  return arrays;
}

/// What becomes of the lines of a text.
enum class TextContent {
  entries,  ///< subscripts and a value each, duplicates as the options say
  lines     ///< as many subscripts as the options give dimensions, perhaps a value, all kept
};

template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_text(const HostExec& host, const FileContent& file,
                                  const ReadOptions& options, OrdinalWidth width,
                                  TextContent content, ReadReport& report);

template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_binary(const HostExec& host, const FileContent& file,
                                    const ReadOptions& options, OrdinalWidth width,
                                    ReadReport& report);

}  // namespace genten::detail
