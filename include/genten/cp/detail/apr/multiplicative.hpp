// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The passes over a factor that CP-APR's multiplicative updates take.

#include <genten/core/count_loss.hpp>
#include <genten/core/fac_matrix.hpp>
#include <genten/cp/detail/entries_by_row.hpp>
#include <genten/mttkrp/functor.hpp>

#include <limits>

namespace genten::detail {

/// As PoissonRatio where values say whether a count is above 0: the expected count over m, at
/// values that are not 0.
template <RealScalar Scalar>
struct TruncatedRatio {
  Scalar least = PoissonRatio<Scalar>().least;
  KOKKOS_INLINE_FUNCTION Scalar operator()(Scalar x, Scalar m) const {
    const auto model = static_cast<double>(m > least ? m : least);
    return static_cast<Scalar>(count_slope(CountLoss::bernoulli_poisson, x, model));
  }
};

/// The largest |min(b, 1 - phi)| over all elements; infinite where one is no number.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] double poisson_violation(const Exec& exec, const FacMatrix<Scalar, Exec>& b,
                                       const FacMatrix<Scalar, Exec>& phi) {
  double largest = 0.0;
  const double infinity = std::numeric_limits<double>::infinity();
  const std::size_t columns = b.columns();
  Kokkos::parallel_reduce(
      "genten::poisson_violation",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, b.rows()),
      KOKKOS_LAMBDA(const std::size_t i, double& most) {
        for (std::size_t r = 0; r < columns; ++r) {
          const auto element = static_cast<double>(b(i, r));
          const double slack = 1.0 - static_cast<double>(phi(i, r));
          const double least = element < slack ? element : slack;
          const double size = least < 0.0 ? -least : least;
          // A reduction by the largest would lose a NaN.
          const bool numbers = element == element && slack == slack;
          most = !numbers ? infinity : size > most ? size : most;
        }
      },
      Kokkos::Max<double>(largest));
  return largest;
}

/// Zeros that are not at a minimum (the word is Chi and Kolda's): those whose phi is above 1.
template <RealScalar Scalar, ExecutionSpace Exec>
struct Inadmissible {
  FacMatrix<Scalar, Exec> phi;

  KOKKOS_FUNCTION bool operator()(std::size_t i, std::size_t r) const {
    return phi(i, r) > Scalar(1);
  }
};

/// Zeros in rows of nonzeros at which the model is 0. Where a nonzero lies in rows of zeros of two
/// modes, phi is 0 in both, and does not tell.
template <ExecutionSpace Exec>
struct InImpossibleRows {
  EntriesByRow<Exec> nonzeros;  ///< such ones

  KOKKOS_FUNCTION bool operator()(std::size_t i, std::size_t /*r*/) const {
    return nonzeros(i) != 0.0;
  }
};

/// Nonzeros at which the model is 0.
template <class Subscripts, class Values, class ModelAt>
struct ImpossibleEntries {
  Subscripts subscripts;
  Values values;
  ModelAt value_of;
  KOKKOS_FUNCTION bool operator()(offset_t entry) const {
    return values(entry) != typename Values::non_const_value_type(0) &&
           !(value_of(&subscripts(entry, 0)) > 0.0);
  }
};
template <class Subscripts, class Values, class ModelAt>
ImpossibleEntries(Subscripts, Values, ModelAt) -> ImpossibleEntries<Subscripts, Values, ModelAt>;

/// Adds kappa to elements of at most `near_zero` for which `is_wrong(row, column)`. Returns how
/// many there were.
template <RealScalar Scalar, ExecutionSpace Exec, class IsWrong>
[[nodiscard]] std::size_t lift_zeros(const Exec& exec, const FacMatrix<Scalar, Exec>& b,
                                     const IsWrong& is_wrong, double kappa, double near_zero) {
  std::size_t lifted = 0;
  const std::size_t columns = b.columns();
  Kokkos::parallel_reduce(
      "genten::lift_zeros",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, b.rows()),
      KOKKOS_LAMBDA(const std::size_t i, std::size_t& count) {
        for (std::size_t r = 0; r < columns; ++r) {
          if (!(static_cast<double>(b(i, r)) <= near_zero) || !is_wrong(i, r)) continue;
          b(i, r) += static_cast<Scalar>(kappa);
          ++count;
        }
      },
      lifted);
  return lifted;
}

/// b = b * phi, elementwise. What has become too small for full precision becomes 0: such numbers
/// make some processors a hundred times as slow.
template <RealScalar Scalar, ExecutionSpace Exec>
void multiply_by(const Exec& exec, const FacMatrix<Scalar, Exec>& b,
                 const FacMatrix<Scalar, Exec>& phi) {
  const std::size_t columns = b.columns();
  const Scalar least = std::numeric_limits<Scalar>::min();
  Kokkos::parallel_for(
      "genten::multiply_by",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, b.rows()),
      KOKKOS_LAMBDA(const std::size_t i) {
        for (std::size_t r = 0; r < columns; ++r) {
          const Scalar product = b(i, r) * phi(i, r);
          b(i, r) = product < least ? Scalar(0) : product;
        }
      });
}

}  // namespace genten::detail
