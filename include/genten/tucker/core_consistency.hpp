// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Core consistency: how close the Tucker core that belongs to the factors of a CP model is to the
/// one that a CP model stands for.

#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>

#include <limits>

namespace genten {

/// How norms are shared among the modes of a model; core consistency depends on it.
enum class NormSharing {
  first_mode,  ///< columns of all modes but the first have 2-norm one, the first has the rest
  as_given     ///< factors as they are, the weights in the first mode
};

/// Core consistency of a CP model.
struct CoreConsistency {
  /// False where the rank exceeds the length of a mode: there is no such core then.
  bool defined = false;
  /// 100 (1 - ||G - I||^2 / R), at most 100; NaN where it is not defined.
  double value = std::numeric_limits<double>::quiet_NaN();
  /// Of the elements of the core G; of a model that is the tensor, R.
  double core_sum = std::numeric_limits<double>::quiet_NaN();
};

/// Core consistency (Bro and Kiers, J. Chemometrics 17:274, 2003): with the pseudoinverses of the
/// factors, G = X times pinv(A_n) in every mode is the core that fits the tensor best, and of a
/// model that needs no interactions of components it is the superdiagonal identity I. 100 says that
/// there are none; low and negative numbers, that the model has too many components, or that its
/// norms are shared unevenly.
///
/// One traversal of the nonzeros (see Ttmc), for the shortest mode. Memory: R^N doubles, and a
/// matrix of the shortest mode's rows and R^(N-1) columns. The same bits for every number of
/// threads. Throws Error where dimensions differ, for a model of rank 0 and a tensor of order below
/// 2; of kind memory where the core and the rest take more than `memory_available` bytes (0: than
/// are free).
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] CoreConsistency core_consistency(const Exec& exec,
                                               const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                               const Ktensor<Scalar, Exec>& model,
                                               NormSharing sharing = NormSharing::first_mode,
                                               double memory_available = 0.0);

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/tucker/detail/core_consistency_impl.hpp>
#endif
