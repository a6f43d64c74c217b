// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The norm of the residual X - M to full precision.

#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>

namespace genten {

/// ||X - M|| from ||X||^2 - 2 <X, M> + ||M||^2 with every sum and product in double-double
/// arithmetic (about 32 digits; Dekker 1971, Knuth), so that the cancellation near fit 1 leaves the
/// digits that the model's stored factors have. Values and weights may be as large or small as
/// their type allows. The tensor must be free of duplicates. Runs on the
/// host, in parallel, with the same result for every number of threads; takes some thirty times
/// as long as the plain formula.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] double residual_norm_extended(const Exec& exec,
                                            const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                            const Ktensor<Scalar, Exec>& model);

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/compare/residual_impl.hpp>
#endif
