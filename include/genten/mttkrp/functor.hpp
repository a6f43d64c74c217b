// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a traversal over the nonzeros puts in the place of their values.

#include <genten/base/types.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace genten {

/// A function y = phi(x, m) of a nonzero's value x and the model's value m there. It is copied to
/// where it is called, by any number of threads, in any order: it must depend on x and m alone, and
/// be callable where `Exec` computes (KOKKOS_INLINE_FUNCTION).
template <class Phi, class Scalar>
concept NonzeroFunctor = RealScalar<Scalar> && std::copy_constructible<Phi> &&
    requires(const Phi& phi, Scalar x, Scalar m) {
  { phi(x, m) } -> std::convertible_to<Scalar>;
};

/// x / m, for which the library has compiled the loops: what the multiplicative update of CP-APR
/// and Poisson's gradient sum. m is taken for no less than `least`: the paper's 1e-10 is too much
/// for tensors of many entries, whose models may be smaller almost everywhere.
template <RealScalar Scalar>
struct PoissonRatio {
  Scalar least = std::is_same_v<Scalar, float> ? Scalar(1e-18) : Scalar(1e-150);
  KOKKOS_INLINE_FUNCTION Scalar operator()(Scalar x, Scalar m) const {
    return x / (m > least ? m : least);
  }
};

}  // namespace genten
