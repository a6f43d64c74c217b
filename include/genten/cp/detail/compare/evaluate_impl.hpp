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
#include <genten/cp/detail/compare/residual_impl.hpp>
#include <genten/cp/evaluate.hpp>
#include <genten/cp/residual.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace genten::detail {

/// Sums over entries, squares and magnitudes divided by a power of two.
struct EvaluationSums {
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
                                               const BalancedModel<Scalar, Exec>& model,
                                               int exponent) {
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
  EvaluationSums total;
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

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Evaluation evaluate(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                    const Ktensor<Scalar, Exec>& model) {
  detail::check_same_dimensions("evaluate", tensor.dimensions(), model.dimensions());
  if constexpr (!is_host_space<Exec>) {
    detail::fence(exec, "genten::evaluate");
    return evaluate(HostExec(), copy_to<HostExec>(tensor), clone_to<HostExec>(model));
  } else {
    const auto balanced = detail::BalancedModel<Scalar, Exec>::of(exec, model);
    const int exponent = detail::common_exponent(exec, tensor, balanced);
    const auto of_listed = detail::sum_over_nonzeros(exec, tensor, balanced, exponent);
    const auto sums = detail::residual_sums(exec, tensor, model);
    Evaluation result;
    result.tensor_norm = norm(exec, tensor);

    EntryErrors& listed = result.listed;
    listed.entries = static_cast<double>(tensor.nnz());
    listed.residual_norm = std::ldexp(std::sqrt(of_listed.squares), exponent);
    listed.rmse = std::ldexp(std::sqrt(of_listed.squares / listed.entries), exponent);
    listed.mae = std::ldexp(of_listed.magnitudes / listed.entries, exponent);
    listed.log_likelihood = of_listed.log_likelihood;
    listed.deviance = 2.0 * of_listed.half_deviance;

    EntryErrors all;
    all.entries = 1.0;
    for (const std::size_t length : tensor.dimensions()) all.entries *= static_cast<double>(length);
    all.residual_norm = sums.norm.value();
    all.rmse = all.residual_norm / std::sqrt(all.entries);
    // Elsewhere x is 0, and |x - m| and half the deviance are m, unless m may be negative.
    const bool all_listed = listed.entries == all.entries;
    const double of_others = detail::has_negative(exec, balanced.model)
                                 ? std::numeric_limits<double>::quiet_NaN()
                             : all_listed || sums.unlisted < 0.0 ? 0.0
                                                                 : sums.unlisted;
    all.mae = (std::ldexp(of_listed.magnitudes, exponent) + of_others) / all.entries;
    all.log_likelihood = of_listed.log_likelihood - of_others;
    all.deviance = 2.0 * (of_listed.half_deviance + of_others);
    result.count(all);
    return result;
  }
}

}  // namespace genten

#define GENTEN_ETI_EVALUATE(PREFIX, SCALAR, ORDINAL, EXEC)         \
  PREFIX template genten::Evaluation genten::evaluate(             \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, \
      const genten::Ktensor<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_EVALUATE, extern)
#endif
