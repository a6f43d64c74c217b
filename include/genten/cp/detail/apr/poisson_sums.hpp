// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sums over the nonzeros that Poisson's likelihood needs.

#include <genten/base/detail/even_chunks.hpp>
#include <genten/base/error.hpp>
#include <genten/base/option_field.hpp>
#include <genten/core/model_values.hpp>
#include <genten/core/sptensor.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace genten::detail {

/// With the model's values m.
struct PoissonSums {
  double log_model = 0.0;      ///< of x log m
  double inner_product = 0.0;  ///< of x m

  KOKKOS_FUNCTION void add(const PoissonSums& other) {
    log_model += other.log_model;
    inner_product += other.inner_product;
  }
};
/// Of the values alone.
struct ValueSums {
  double sum = 0.0;
  double log_value = 0.0;    ///< of x log x, 0 log 0 being 0
  std::size_t infinite = 0;  ///< values that are not finite
  std::size_t negative = 0;  ///< finite values that are
  double least = 0.0;        ///< of these

  KOKKOS_FUNCTION static ValueSums of(double x) {
    constexpr double most = std::numeric_limits<double>::max();
    const bool finite = x >= -most && x <= most, negative = finite && x < 0.0;
    return {x, x == 0.0 ? 0.0 : x * ::log(x), finite ? 0U : 1U, negative ? 1U : 0U,
            negative ? x : 0.0};
  }
  KOKKOS_FUNCTION void add(const ValueSums& other) {
    sum += other.sum;
    log_value += other.log_value;
    infinite += other.infinite;
    negative += other.negative;
    least = other.least < least ? other.least : least;
  }
  /// Throws Error in the name of `caller` unless all are counts.
  void require_counts(const std::string& caller) const {
    const auto have = [](std::size_t count) {
      return std::to_string(count) + (count == 1 ? " value is" : " values are");
    };
    if (infinite != 0) throw Error(caller + ": counts must be finite; " + have(infinite) + " not");
    if (negative != 0) {
      throw Error(caller + ": counts must not be negative; " + have(negative) + ", the least is " +
                  number_text(least));
    }
  }
};

/// The sum of term(p) over all nonzeros, in chunks that depend on their number alone, so that it is
/// the same for every number of threads.
template <class Sums, ExecutionSpace Exec, class Term>
[[nodiscard]] Sums sum_of_nonzeros(const char* label, const Exec& exec, offset_t nonzeros,
                                   const Term& term) {
  const EvenChunks chunks(static_cast<std::size_t>(nonzeros), 512, 8192);
  const Kokkos::View<Sums*, typename Exec::memory_space> partial("genten::nonzero_sums",
                                                                 chunks.count());
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, chunks.count()),
      KOKKOS_LAMBDA(const std::size_t chunk) {
        Sums sums;
        for (std::size_t p = chunks.begin(chunk); p < chunks.end(chunk); ++p) {
          sums.add(term(static_cast<offset_t>(p)));
        }
        partial(chunk) = sums;
      });
  fence(exec, label);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), partial);
  Sums total;
  for (std::size_t chunk = 0; chunk < chunks.count(); ++chunk) total.add(host(chunk));
  return total;
}

/// The logarithm, which goes on as its tangent below `least`, where m is not at a nonzero for
/// certain: what PoissonRatio is the derivative of.
[[nodiscard]] KOKKOS_INLINE_FUNCTION double extended_log(double m, double least) {
  return m >= least ? ::log(m) : ::log(least) + (m - least) / least;
}

/// `least`: see extended_log; 0: the logarithm as it is.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] PoissonSums poisson_sums(const Exec& exec,
                                       const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                       const Ktensor<Scalar, Exec>& model, double least = 0.0) {
  const ModelValues<Scalar> value_of(model);
  const auto subscripts = tensor.subscripts();
  const auto values = tensor.values();
  return sum_of_nonzeros<PoissonSums>(
      "genten::poisson_sums", exec, tensor.nnz(), KOKKOS_LAMBDA(const offset_t p) {
        const auto x = static_cast<double>(values(p));
        const double m = value_of(&subscripts(p, 0));
        return PoissonSums{x == 0.0 ? 0.0 : x * extended_log(m, least), x * m};
      });
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] ValueSums value_sums(const Exec& exec,
                                   const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  const auto values = tensor.values();
  return sum_of_nonzeros<ValueSums>(
      "genten::value_sums", exec, tensor.nnz(),
      KOKKOS_LAMBDA(const offset_t p) { return ValueSums::of(static_cast<double>(values(p))); });
}

}  // namespace genten::detail
