// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/same_dimensions.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/detail/compare/zeros_alone.hpp>
#include <genten/cp/detail/completion/select_entries.hpp>
#include <genten/cp/detail/gcp/entry_values.hpp>
#include <genten/cp/detail/gcp/loss_gradient_impl.hpp>
#include <genten/cp/detail/gcp/zero_sample.hpp>
#include <genten/cp/evaluate.hpp>
#include <genten/cp/evaluate_loss.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace genten::detail {

/// Sums of an entry or more, with the expected values u.
struct LossTerms {
  double loss = 0.0, deviance = 0.0;
  double squares = 0.0;      ///< of x - u
  double magnitudes = 0.0;   ///< likewise
  double loss_square = 0.0;  ///< of f(x, m)^2, of a sample

  void add(const LossTerms& other) {
    loss += other.loss;
    deviance += other.deviance;
    squares += other.squares;
    magnitudes += other.magnitudes;
    loss_square += other.loss_square;
  }
  [[nodiscard]] static LossTerms of(const AnyLoss& loss, double x, double m, double weight = 1.0) {
    const double f = weight * loss.value(x, m), difference = x - loss.mean(m);
    return {f, weight * loss.deviance(x, m), weight * difference * difference,
            weight * std::abs(difference), f * f};
  }
};

/// The sum of term(p) for p below `count`, in pieces that depend on the count alone.
template <ExecutionSpace Exec, class Term>
requires is_host_space<Exec>
[[nodiscard]] LossTerms sum_loss_terms(const Exec& exec, std::size_t count, const Term& term) {
  const EvenChunks chunks(count, 512, 8192);
  std::vector<LossTerms> partial(chunks.count());
  LossTerms* const sums = partial.data();
  for_each_index("genten::evaluate_loss", exec, chunks.count(), [=, &term](std::size_t chunk) {
    LossTerms sum;
    for (auto p = chunks.begin(chunk); p < chunks.end(chunk); ++p) sum.add(term(p));
    sums[chunk] = sum;
  });
  LossTerms total;
  for (const LossTerms& sum : partial) total.add(sum);
  return total;
}

/// Over the entries of a tensor, all with weight 1, or zeros whose values are weights.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] LossTerms sum_listed(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& entries,
                                   const Ktensor<Scalar, Exec>& model, const AnyLoss& loss,
                                   bool weighted_zeros) {
  const ModelValues<Scalar> value_of(model);
  const auto subscripts = entries.subscripts();
  const auto values = entries.values();
  return sum_loss_terms(exec, static_cast<std::size_t>(entries.nnz()), [&](std::size_t p) {
    const auto x = static_cast<double>(values(p));
    const double m = value_of(&subscripts(p, 0));
    return weighted_zeros ? LossTerms::of(loss, 0.0, m, x) : LossTerms::of(loss, x, m);
  });
}

/// Over zeros at all entries of the box.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] LossTerms sum_box(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                                const AnyLoss& loss, std::size_t entries) {
  const ModelValues<Scalar> value_of(model);
  const auto dimensions = model.dimensions();
  return sum_loss_terms(exec, entries, [&](std::size_t p) {
    Kokkos::Array<std::uint64_t, max_order> subscripts{};
    for (std::size_t n = 0; n < dimensions.size(); ++n) {
      subscripts[n] = p % dimensions[n];
      p /= dimensions[n];
    }
    return LossTerms::of(loss, 0.0, value_of(&subscripts[0]));
  });
}

/// The sum of f(0, m) over all entries, where that is a polynomial.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] double closed_zero_sum(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                                     const ZeroTerms& terms, double entries) {
  const std::vector<double> weights = host_weights(exec, model);
  double sum = terms.constant * entries;
  if (terms.linear != 0.0) {
    std::vector<std::vector<double>> columns;
    for (const auto& factor : model.factors()) columns.push_back(column_sums(exec, factor));
    const auto products = product_of_others(columns, -1);
    for (std::size_t r = 0; r < weights.size(); ++r) sum += terms.linear * weights[r] * products[r];
  }
  if (terms.square != 0.0) {
    const double norm = genten::norm(exec, model);
    sum += terms.square * norm * norm;
  }
  return sum;
}

/// Their deviance, where f(0, m) is a polynomial: its least is 0.
[[nodiscard]] inline double closed_deviance(const AnyLoss& loss, double of_zeros) {
  return loss.facts().has_deviance ? (loss.scales() ? 1.0 : 2.0) * of_zeros
                                   : std::numeric_limits<double>::quiet_NaN();
}

/// The area under the ROC curve of pairs of m and whether x is 1.
[[nodiscard]] inline double area_under_curve(std::vector<std::pair<double, bool>> entries) {
  std::sort(entries.begin(), entries.end());
  double ones = 0.0, zeros = 0.0, pairs = 0.0;
  for (std::size_t p = 0; p < entries.size();) {
    double these_ones = 0.0, these_zeros = 0.0;
    const double m = entries[p].first;
    if (std::isnan(m)) return m;
    for (; p < entries.size() && entries[p].first == m; ++p) {
      (entries[p].second ? these_ones : these_zeros) += 1.0;
    }
    pairs += these_ones * (zeros + 0.5 * these_zeros);
    ones += these_ones;
    zeros += these_zeros;
  }
  return pairs / (ones * zeros);  // NaN where there are none of one kind
}

/// The sums over the entries that the tensor does not list; how they were found, and the standard
/// error of the loss.
struct UnlistedTerms {
  LossTerms terms;
  ZeroSums zeros = ZeroSums::none;
  double error = 0.0;
};

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] UnlistedTerms sum_unlisted(const Exec& exec,
                                         const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                         const Ktensor<Scalar, Exec>& model, const AnyLoss& loss,
                                         double entries, const LossEvaluationOptions& options) {
  const LossFacts& facts = loss.facts();
  UnlistedTerms found;
  LossTerms at_listed;  // what the sum over all entries has too much
  const bool all_one_by_one =
      enumeration_operations(entries, model.order(), model.rank()) <= options.most_operations;
  if (!facts.zero_terms || facts.is_link) {
    if (all_one_by_one) {
      found.zeros = ZeroSums::enumerated;
      found.terms = sum_box(exec, model, loss, static_cast<std::size_t>(entries));
    } else {
      found.zeros = ZeroSums::sampled;
      auto whole = clone_to<Exec>(model);  // its weights in a factor, as draws want it
      scale_columns(exec, whole.factor(0), host_weights(exec, model));
      Kokkos::deep_copy(exec, whole.weights(), Scalar(1));
      fence(exec, "genten::evaluate_loss");
      auto drawn = draw_entries<Ordinal>(exec, whole, options.zero_samples, options.sample_seed,
                                         facts.lower == 0.0);
      drawn = without_entries(exec, drawn, tensor);
      found.terms = sum_listed(exec, drawn, model, loss, true);
      found.error =
          error_of_sum({.value = found.terms.loss, .value_square = found.terms.loss_square},
                       options.zero_samples);
    }
  }
  if (found.zeros == ZeroSums::enumerated || facts.zero_terms) {
    const auto zeros_there = with_value(exec, tensor, Scalar(1));
    at_listed = sum_listed(exec, zeros_there, model, loss, true);
  }
  if (found.zeros == ZeroSums::enumerated) {
    found.terms.squares -= at_listed.squares;
    found.terms.magnitudes -= at_listed.magnitudes;
  }
  if (facts.zero_terms) {
    found.zeros = ZeroSums::closed_form;
    found.error = 0.0;
    found.terms.loss =
        grows_beyond_zeros(facts)
            ? facts.zero_terms->linear * sum_beyond<Scalar, Ordinal>(exec, model, {&tensor})
            : closed_zero_sum(exec, model, *facts.zero_terms, entries) - at_listed.loss;
    found.terms.deviance = closed_deviance(loss, found.terms.loss);
  } else if (found.zeros == ZeroSums::enumerated) {
    found.terms.loss -= at_listed.loss;
    found.terms.deviance -= at_listed.deviance;
  }
  return found;
}

[[nodiscard]] inline LossErrors errors_of(const LossTerms& terms, double entries, double error) {
  return {.entries = entries,
          .loss = terms.loss,
          .error = error,
          .deviance = terms.deviance,
          .rmse = std::sqrt(std::max(terms.squares, 0.0) / entries),
          .mae = terms.magnitudes / entries};
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
LossEvaluation evaluate_loss(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                             const Ktensor<Scalar, Exec>& model, const AnyLoss& loss,
                             const LossEvaluationOptions& options) {
  detail::check_same_dimensions("evaluate_loss", tensor.dimensions(), model.dimensions());
  check_ranges(options);
  if constexpr (!is_host_space<Exec>) {
    detail::fence(exec, "genten::evaluate_loss");
    return evaluate_loss(HostExec(), copy_to<HostExec>(tensor), clone_to<HostExec>(model), loss,
                         options);
  } else {
    const LossFacts& facts = loss.facts();
    detail::require_loss_data(exec, tensor, facts);
    LossEvaluation result;
    result.loss = facts;
    const auto listed = static_cast<double>(tensor.nnz());
    double entries = 1.0;
    for (const std::size_t length : tensor.dimensions()) entries *= static_cast<double>(length);
    detail::LossTerms sums = detail::sum_listed(exec, tensor, model, loss, false);
    result.listed = detail::errors_of(sums, listed, 0.0);
    if (facts.data == LossData::binary) {
      const ModelValues<Scalar> value_of(model);
      std::vector<std::pair<double, bool>> pairs;
      pairs.reserve(static_cast<std::size_t>(tensor.nnz()));
      for (offset_t p = 0; p < tensor.nnz(); ++p) {
        pairs.emplace_back(value_of(&tensor.subscripts()(p, 0)), tensor.values()(p) != Scalar(0));
      }
      result.listed.auc = detail::area_under_curve(std::move(pairs));
    }
    if (entries == listed) {
      result.all = result.listed;
      return result;
    }
    if (!facts.takes_zeros) {
      const double none = std::numeric_limits<double>::quiet_NaN();
      result.all = {entries, none, none, none, none, none, none};
      return result;
    }
    const auto others = detail::sum_unlisted(exec, tensor, model, loss, entries, options);
    sums.add(others.terms);
    result.zeros = others.zeros;
    result.all = detail::errors_of(sums, entries, others.error);
    if (facts.is_link) return result;
    const EntryErrors exact = evaluate(exec, tensor, model).all;
    result.all.rmse = exact.rmse;
    if (facts.zero_terms) result.all.mae = exact.mae;
    return result;
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
LossEvaluation evaluate_loss(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ktensor<Scalar, Exec>& model,
    const std::type_identity_t<std::optional<Sptensor<Scalar, Ordinal, Exec>>>& missing,
    const AnyLoss& loss, const LossEvaluationOptions& options) {
  if (!missing) return evaluate_loss(exec, tensor, model, loss, options);
  detail::check_same_dimensions("evaluate_loss", missing->dimensions(), model.dimensions());
  if constexpr (!is_host_space<Exec>) {
    detail::fence(exec, "genten::evaluate_loss");
    return evaluate_loss(HostExec(), copy_to<HostExec>(tensor), clone_to<HostExec>(model),
                         copy_to<HostExec>(*missing), loss, options);
  } else {
    const auto zeros = detail::with_value(exec, sum_duplicates(exec, *missing).tensor, Scalar(0));
    const auto known = detail::without_entries(exec, tensor, zeros);
    LossEvaluation found = evaluate_loss(exec, known, model, loss, options);
    found.leave_out(detail::errors_of(detail::sum_listed(exec, zeros, model, loss, false),
                                      static_cast<double>(zeros.nnz()), 0.0));
    if (detail::grows_beyond_zeros(found.loss)) {
      const double rest = found.loss.zero_terms->linear *
                          detail::sum_beyond<Scalar, Ordinal>(exec, model, {&known, &zeros});
      found.all.loss = found.listed.loss + rest;
      found.all.deviance = found.listed.deviance + detail::closed_deviance(loss, rest);
    }
    return found;
  }
}

}  // namespace genten

#define GENTEN_ETI_EVALUATE_LOSS(PREFIX, SCALAR, ORDINAL, EXEC)                              \
  PREFIX template genten::LossEvaluation genten::evaluate_loss(                              \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                           \
      const genten::Ktensor<SCALAR, EXEC>&, const genten::AnyLoss&,                          \
      const genten::LossEvaluationOptions&);                                                 \
  PREFIX template genten::LossEvaluation genten::evaluate_loss<SCALAR, ORDINAL, EXEC>(       \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                           \
      const genten::Ktensor<SCALAR, EXEC>&,                                                  \
      const std::optional<genten::Sptensor<SCALAR, ORDINAL, EXEC>>&, const genten::AnyLoss&, \
      const genten::LossEvaluationOptions&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_EVALUATE_LOSS, extern)
#endif
