// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sums over the nonzeros that Poisson's likelihood needs.

#include <genten/base/detail/limits.hpp>
#include <genten/base/detail/sum_of_nonzeros.hpp>
#include <genten/base/error.hpp>
#include <genten/base/option_field.hpp>
#include <genten/core/count_loss.hpp>
#include <genten/core/model_values.hpp>
#include <genten/core/sptensor.hpp>

#include <cmath>
#include <string>

namespace genten::detail {

/// Of the values alone.
struct ValueSums {
  double sum = 0.0;
  double log_value = 0.0;                      ///< of x log x, 0 log 0 being 0
  double smallest = Limits<double>::infinity;  ///< of the values above 0
  std::size_t infinite = 0;                    ///< values that are not finite
  std::size_t negative = 0;                    ///< finite values that are
  double least = 0.0;                          ///< of these

  KOKKOS_FUNCTION static ValueSums of(double x) {
    constexpr double most = Limits<double>::most;
    const bool finite = x >= -most && x <= most, negative = finite && x < 0.0;
    return {x,
            x == 0.0 ? 0.0 : x * ::log(x),
            x > 0.0 ? x : Limits<double>::infinity,
            finite ? 0U : 1U,
            negative ? 1U : 0U,
            negative ? x : 0.0};
  }
  KOKKOS_FUNCTION void add(const ValueSums& other) {
    sum += other.sum;
    log_value += other.log_value;
    smallest = other.smallest < smallest ? other.smallest : smallest;
    infinite += other.infinite;
    negative += other.negative;
    least = other.least < least ? other.least : least;
  }
  /// Throws Error of code `data` in the name of `caller` unless all are counts.
  void require_counts(const std::string& caller) const {
    const auto have = [](std::size_t count) {
      return std::to_string(count) + (count == 1 ? " value is" : " values are");
    };
    if (infinite != 0) {
      throw Error::in(caller, "counts must be finite; " + have(infinite) + " not")
          .as(Error::Code::data);
    }
    if (negative != 0) {
      throw Error::in(caller, "counts must not be negative; " + have(negative) + ", the least is " +
                                  number_text(least))
          .as(Error::Code::data);
    }
  }
};

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] DevianceSums deviance_sums(const Exec& exec,
                                         const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                         const Ktensor<Scalar, Exec>& model, CountLoss loss) {
  const ModelValues<Scalar> value_of(model);
  const auto subscripts = tensor.subscripts();
  const auto values = tensor.values();
  return sum_of_nonzeros<DevianceSums>(
      "genten::deviance_sums", exec, tensor.nnz(), KOKKOS_LAMBDA(const offset_t p) {
        return deviance_of(loss, static_cast<double>(values(p)), value_of(&subscripts(p, 0)));
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
