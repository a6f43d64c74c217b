// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The values of a model at the nonzeros of a sorted copy, as those see them who call the loops:
/// functions that are compiled for each instruction set (base/detail/simd_set.hpp).

#include <genten/base/detail/simd_set.hpp>
#include <genten/mttkrp/kernels/sorted/contraction_input.hpp>

namespace genten::detail {

/// m[k] = the sum, over all columns, of the product of the rows that record `begin` + k picks of
/// all factors, for k < count. Products are rounded to Scalar, sums are taken in double. With
/// `fetch` rows of the last factor are asked for some nonzeros ahead, below `end`.
template <class Scalar>
using ModelLoop = void (*)(const ContractionInput<Scalar>&, offset_t begin, int count, offset_t end,
                           bool fetch, double* m);

/// The loops that an instruction set has.
template <class Scalar>
struct ModelLoops {
  /// For rows of `stride` elements of so many factors.
  ModelLoop<Scalar> (*loop)(std::size_t stride, int factors, const RecordLayout& layout);
};

/// Those of the instruction set in use: see genten::instruction_set.
template <class Scalar>
[[nodiscard]] const ModelLoops<Scalar>& model_loops();

}  // namespace genten::detail

#ifdef GENTEN_ETI
namespace genten::detail {
template <>
const ModelLoops<float>& model_loops<float>();
template <>
const ModelLoops<double>& model_loops<double>();
}  // namespace genten::detail
#else
#include <genten/mttkrp/kernels/sorted/model_loops_impl.hpp>

template <class Scalar>
const genten::detail::ModelLoops<Scalar>& genten::detail::model_loops() {
  return compiled_model_loops<Scalar>();
}
#endif
