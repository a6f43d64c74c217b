// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/even_chunks.hpp>
#include <genten/base/detail/power_of_two.hpp>
#include <genten/base/detail/same_dimensions.hpp>
#include <genten/core/balanced_model.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/core/model_values.hpp>
#include <genten/core/poisson_terms.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/detail/compare/residual_impl.hpp>
#include <genten/cp/detail/completion/select_entries.hpp>
#include <genten/cp/evaluate.hpp>
#include <genten/cp/residual.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace genten::detail {

/// Sums over entries, those of squares and magnitudes of values divided by 2^exponent.
struct EvaluationSums {
  int exponent = 0;
  double squares = 0.0;         ///< of x - m
  double magnitudes = 0.0;      ///< of x - m
  double log_likelihood = 0.0;  ///< x log m - m - log x!
  double half_deviance = 0.0;   ///< x log(x / m) - x + m, none of them negative

  void add(const EvaluationSums& other) {
    squares += other.squares;
    magnitudes += other.magnitudes;
    log_likelihood += other.log_likelihood;
    half_deviance += other.half_deviance;
  }
  /// `m` is divided by a power of two, which `size_of` puts back; `scaled` and `scaled_model` take
  /// both to one scale.
  void add(double x, double m, const PowerOfTwo<double>& scaled,
           const PowerOfTwo<double>& scaled_model, const PowerOfTwo<double>& size_of) {
    const double error = std::abs(scaled(x) - scaled_model(m)), mean = size_of(m);
    squares += error * error;
    magnitudes += error;
    if (x < 0.0 || mean < 0.0) {
      log_likelihood = half_deviance = std::numeric_limits<double>::quiet_NaN();
    } else if (x == 0.0) {
      log_likelihood -= mean;
      half_deviance += mean;  // 0 log 0 is 0
    } else {
      log_likelihood += detail::poisson_log_likelihood(x, mean);
      half_deviance += detail::half_deviance(x, mean);
    }
  }
};

/// Over the nonzeros of a tensor of the host.
template <ExecutionSpace Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
requires is_host_space<Exec>
[[nodiscard]] EvaluationSums sum_over_nonzeros(const Exec& exec,
                                               const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                               const BalancedModel<Scalar, Exec>& model) {
  const int exponent = common_exponent(exec, tensor, model);
  const EvenChunks chunks(static_cast<std::size_t>(tensor.nnz()), 1024, 4096);
  std::vector<EvaluationSums> partial(chunks.count());
  EvaluationSums* const sums = partial.data();
  const ModelValues<Scalar> value_of(model.model);
  const auto subscripts = tensor.subscripts();
  const auto values = tensor.values();
  const PowerOfTwo<double> scaled(-exponent), scaled_model(model.exponent - exponent);
  const PowerOfTwo<double> size_of = model.size();
  for_each_index("genten::evaluate", exec, chunks.count(), [=](const std::size_t chunk) {
    EvaluationSums sum;
    for (auto p = chunks.begin(chunk); p < chunks.end(chunk); ++p) {
      sum.add(static_cast<double>(values(p)), value_of(&subscripts(p, 0)), scaled, scaled_model,
              size_of);
    }
    sums[chunk] = sum;
  });
  EvaluationSums total{exponent};
  for (const EvaluationSums& sum : partial) total.add(sum);
  return total;
}

/// Whether a weight or an element is negative.
template <ExecutionSpace Exec, RealScalar Scalar>
[[nodiscard]] bool has_negative(const Exec& exec, const Ktensor<Scalar, Exec>& model) {
  const auto weights = host_weights(exec, model);
  if (std::any_of(weights.begin(), weights.end(), [](double w) { return w < 0.0; })) return true;
  for (const auto& factor : model.factors()) {
    for (const auto& range : column_ranges(exec, factor)) {
      if (range.lowest < 0.0) return true;
    }
  }
  return false;
}

/// The errors over entries with these sums.
[[nodiscard]] inline EntryErrors listed_errors(const EvaluationSums& sums, double entries) {
  return {.entries = entries,
          .residual_norm = std::ldexp(std::sqrt(sums.squares), sums.exponent),
          .rmse = std::ldexp(std::sqrt(sums.squares / entries), sums.exponent),
          .mae = std::ldexp(sums.magnitudes / entries, sums.exponent),
          .log_likelihood = sums.log_likelihood,
          .deviance = 2.0 * sums.half_deviance};
}

/// The errors over all entries of a tensor of the host; `listed` are the sums over its nonzeros,
/// and the model may have negative numbers.
template <ExecutionSpace Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] EntryErrors all_errors(const Exec& exec,
                                     const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                     const Ktensor<Scalar, Exec>& model, bool negative,
                                     const EvaluationSums& listed) {
  EntryErrors all;
  all.entries = 1.0;
  for (const std::size_t length : tensor.dimensions()) all.entries *= static_cast<double>(length);
  const auto sums = residual_sums(exec, tensor, model);
  all.residual_norm = sums.norm.value();
  all.rmse = all.residual_norm / std::sqrt(all.entries);
  // Elsewhere x is 0, and |x - m| and half the deviance are m, unless m may be negative.
  const bool all_listed = static_cast<double>(tensor.nnz()) == all.entries;
  const double of_others = all_listed ? 0.0
                           : negative ? std::numeric_limits<double>::quiet_NaN()
                                      : std::max(sums.unlisted, 0.0);
  all.mae = (std::ldexp(listed.magnitudes, listed.exponent) + of_others) / all.entries;
  all.log_likelihood = listed.log_likelihood - of_others;
  all.deviance = 2.0 * (listed.half_deviance + of_others);
  return all;
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Evaluation evaluate(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                    const Ktensor<Scalar, Exec>& model) {
  return evaluate(exec, tensor, model, std::nullopt);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Evaluation evaluate(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ktensor<Scalar, Exec>& model,
    const std::type_identity_t<std::optional<Sptensor<Scalar, Ordinal, Exec>>>& missing) {
  detail::check_same_dimensions("evaluate", tensor.dimensions(), model.dimensions());
  if (missing) {
    detail::check_same_dimensions("evaluate", missing->dimensions(), model.dimensions());
  }
  if constexpr (!is_host_space<Exec>) {
    detail::fence(exec, "genten::evaluate");
    std::optional<Sptensor<Scalar, Ordinal, HostExec>> on_host;
    if (missing) on_host = copy_to<HostExec>(*missing);
    return evaluate(HostExec(), copy_to<HostExec>(tensor), clone_to<HostExec>(model), on_host);
  } else {
    using Tensor = Sptensor<Scalar, Ordinal, Exec>;
    std::optional<Tensor> zeros;
    if (missing) {
      zeros = detail::with_value(exec, sum_duplicates(exec, *missing).tensor, Scalar(0));
    }
    const Tensor known = zeros ? detail::without_entries(exec, tensor, *zeros) : tensor;
    const auto balanced = detail::BalancedModel<Scalar, Exec>::of(exec, model);
    const bool negative = detail::has_negative(exec, balanced.model);
    const auto listed = detail::sum_over_nonzeros(exec, known, balanced);
    EntryErrors all = detail::all_errors(exec, known, model, negative, listed);
    Evaluation result;
    result.tensor_norm = norm(exec, known);
    result.listed = detail::listed_errors(listed, static_cast<double>(known.nnz()));
    if (zeros) {
      const auto met =
          Tensor::trusted(exec, zeros->dimensions(), zeros->subscripts(),
                          model_values<Scalar>(exec, model, zeros->subscripts()), zeros->facts());
      const Tensor joined = detail::joined(exec, known, met);
      const double likelihood = all.log_likelihood;
      all = detail::all_errors(exec, joined, model, negative,
                               detail::sum_over_nonzeros(exec, joined, balanced));
      const double magnitudes = all.mae * all.entries;
      // Beyond the digits of the sums. std::max keeps its first argument if that is NaN.
      all.residual_norm = std::max(all.residual_norm, result.listed.residual_norm);
      all.entries -= static_cast<double>(zeros->nnz());
      all.rmse = all.residual_norm / std::sqrt(all.entries);
      all.mae = magnitudes / all.entries;
      all.log_likelihood =
          likelihood - detail::sum_over_nonzeros(exec, *zeros, balanced).log_likelihood;
    }
    result.count(all);
    return result;
  }
}

}  // namespace genten

#define GENTEN_ETI_EVALUATE(PREFIX, SCALAR, ORDINAL, EXEC)                    \
  PREFIX template genten::Evaluation genten::evaluate(                        \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,            \
      const genten::Ktensor<SCALAR, EXEC>&);                                  \
  PREFIX template genten::Evaluation genten::evaluate<SCALAR, ORDINAL, EXEC>( \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,            \
      const genten::Ktensor<SCALAR, EXEC>&,                                   \
      const std::optional<genten::Sptensor<SCALAR, ORDINAL, EXEC>>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_EVALUATE, extern)
#endif
