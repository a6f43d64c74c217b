// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Operations on CP models. Every function takes the execution space instance on which it works
/// and returns when the work is done. Functions that change a model change the arrays that it
/// refers to, which its shallow copies share: `clone` it first where that matters. Padding columns
/// of factors are never written. Results are the same for every number of threads.

#include <genten/base/detail/power_of_two.hpp>
#include <genten/base/detail/same_dimensions.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/core/columns.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/core/detail/checks.hpp>
#include <genten/core/detail/innerprod.hpp>
#include <genten/core/detail/key_packing.hpp>
#include <genten/core/detail/model_view.hpp>
#include <genten/core/fill_random.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/core/weights.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace genten {

/// Divides every column of every factor by its norm and multiplies the component's weight by it.
/// Weights come out nonnegative: a negative one changes sign together with its column of factor 0.
/// A zero column stays zero and makes its weight zero. The model's entries do not change, up to
/// rounding. Throws Error for a weight that Scalar cannot represent.
template <RealScalar Scalar, ExecutionSpace Exec>
void normalize(const Exec& exec, const Ktensor<Scalar, Exec>& model,
               NormKind kind = NormKind::two) {
  if (model.order() == 0) return;
  std::vector<detail::WideNumber> wide;
  for (const double weight : host_weights(exec, model)) wide.emplace_back(weight);
  std::vector<std::vector<double>> divisors = column_norms(exec, model.factors(), kind);
  for (const auto& of_mode : divisors) {
    for (std::size_t r = 0; r < wide.size(); ++r) wide[r] *= of_mode[r];
  }
  std::vector<double> weights = detail::stored_weights<Scalar>(wide);
  for (std::size_t n = 0; n < divisors.size(); ++n) {
    std::replace(divisors[n].begin(), divisors[n].end(), 0.0, 1.0);
    scale_columns(exec, model.factors()[n], divisors[n], true);
  }
  std::vector<double> sign(weights.size(), 1.0);
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (weights[r] >= 0.0) continue;
    sign[r] = -1.0;
    weights[r] = -weights[r];
  }
  scale_columns(exec, model.factor(0), sign);
  set_weights(exec, model, weights);
}

/// Reorders components: component r becomes what was component permutation[r]. Throws Error unless
/// `permutation` names every component once.
template <RealScalar Scalar, ExecutionSpace Exec>
void arrange(const Exec& exec, const Ktensor<Scalar, Exec>& model,
             const std::vector<std::size_t>& permutation) {
  detail::check_components("arrange", permutation, model.rank(), true);
  const std::vector<double> old = host_weights(exec, model);
  std::vector<double> weights;
  for (const std::size_t r : permutation) weights.push_back(old[r]);
  set_weights(exec, model, weights);
  for (const auto& factor : model.factors()) permute_columns(exec, factor, permutation);
}

/// Sorts components by weight, largest first; equal weights keep their order. The model should be
/// normalized, or weights say little. Returns the permutation that was applied.
template <RealScalar Scalar, ExecutionSpace Exec>
std::vector<std::size_t> arrange(const Exec& exec, const Ktensor<Scalar, Exec>& model) {
  const auto permutation = by_descending_weight(host_weights(exec, model));
  if (!std::is_sorted(permutation.begin(), permutation.end())) arrange(exec, model, permutation);
  return permutation;
}

/// Absorbs the weights into the factor of one mode; weights become one. Throws Error for a mode
/// that the model does not have.
template <RealScalar Scalar, ExecutionSpace Exec>
void redistribute(const Exec& exec, const Ktensor<Scalar, Exec>& model, int mode) {
  detail::check_mode("redistribute", model, mode);
  scale_columns(exec, model.factor(mode), host_weights(exec, model));
  set_weights(exec, model, std::vector<double>(model.rank(), 1.0));
}

/// Absorbs the weights into all factors alike, |weight|^(1/N) each, the sign going to factor 0;
/// weights become one.
template <RealScalar Scalar, ExecutionSpace Exec>
void distribute_evenly(const Exec& exec, const Ktensor<Scalar, Exec>& model) {
  if (model.order() == 0) return;
  std::vector<double> root = host_weights(exec, model), first;
  for (double& weight : root) {
    const double magnitude = std::pow(std::abs(weight), 1.0 / model.order());
    first.push_back(weight < 0.0 ? -magnitude : magnitude);
    weight = magnitude;
  }
  for (int n = 0; n < model.order(); ++n) {
    scale_columns(exec, model.factor(n), n == 0 ? first : root);
  }
  set_weights(exec, model, std::vector<double>(model.rank(), 1.0));
}

/// Makes signs unambiguous: where the elements of largest magnitude (the first such in a column)
/// of a component are negative in two or more modes, those columns change sign in pairs, lower
/// modes first, so that at most one mode keeps a negative one. Entries of the model do not change.
template <RealScalar Scalar, ExecutionSpace Exec>
void fix_signs(const Exec& exec, const Ktensor<Scalar, Exec>& model) {
  std::vector<std::vector<bool>> negative;
  for (const auto& factor : model.factors()) {
    negative.push_back(largest_are_negative(exec, factor));
  }
  const auto sign = paired_signs(negative, model.rank());
  for (std::size_t n = 0; n < sign.size(); ++n) {
    const bool changed =
        std::any_of(sign[n].begin(), sign[n].end(), [](double s) { return s < 0; });
    if (changed) scale_columns(exec, model.factors()[n], sign[n]);
  }
}

/// A new model of the given components, in the given order; a component may be named repeatedly.
/// Throws Error for a component that the model does not have.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> extract(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                                            const std::vector<std::size_t>& components) {
  detail::check_components("extract", components, model.rank(), false);
  const Ktensor<Scalar, Exec> result(exec, model.dimensions(), components.size());
  const std::vector<double> old = host_weights(exec, model);
  std::vector<double> weights;
  for (const std::size_t r : components) weights.push_back(old[r]);
  set_weights(exec, result, weights);
  std::vector<ColumnChange> changes;
  for (const std::size_t r : components) changes.push_back({.source = r});
  for (int n = 0; n < model.order(); ++n) {
    copy_columns(exec, model.factor(n), result.factor(n), changes);
  }
  return result;
}

/// The model with its modes reordered: mode k of the result is mode modes[k] of the argument.
/// Shares the argument's arrays. Throws Error unless `modes` names every mode once.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> permute_modes(const Exec&, const Ktensor<Scalar, Exec>& model,
                                                  std::span<const int> modes) {
  detail::check_mode_order(modes, static_cast<std::size_t>(model.order()));
  std::vector<FacMatrix<Scalar, Exec>> factors;
  for (const int mode : modes) factors.push_back(model.factor(mode));
  return Ktensor<Scalar, Exec>(model.weights(), std::move(factors));
}

/// Inner product of two models of the same dimensions, whatever their ranks: the sum over pairs of
/// components of the product of their weights and of their columns' inner products. In double;
/// numbers whose products would overflow or underflow are scaled first. Throws Error when
/// dimensions differ.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] double innerprod(const Exec& exec, const Ktensor<Scalar, Exec>& a,
                               const Ktensor<Scalar, Exec>& b) {
  detail::check_same_dimensions("innerprod", a.dimensions(), b.dimensions());
  if (const auto plain = detail::plain_innerprod(exec, a, b)) return *plain;
  return detail::wide_innerprod(exec, a, b).value();
}

/// Frobenius norm of the full tensor that the model stands for, from its Gram matrices. Loses
/// accuracy where components nearly cancel: its square has an error of rounding size relative to
/// the norms of the single components. Weights and factors may be as large or small as their type
/// allows.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] double norm(const Exec& exec, const Ktensor<Scalar, Exec>& model) {
  if (const auto square = detail::plain_innerprod(exec, model, model)) {
    return std::sqrt(std::max(0.0, *square));
  }
  const detail::WideNumber square = detail::wide_innerprod(exec, model, model);
  const int odd = square.exponent % 2;
  return std::ldexp(std::sqrt(std::max(0.0, std::ldexp(square.fraction, odd))),
                    (square.exponent - odd) / 2);
}

/// Inner product of a sparse tensor and a model: the sum over nonzeros of value times the model's
/// entry there, in double. Duplicates count as their sum. One pass over the nonzeros, gathering
/// N R elements for each. Throws Error when dimensions differ.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] double innerprod(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                               const Ktensor<Scalar, Exec>& model) {
  detail::check_same_dimensions("innerprod", tensor.dimensions(), model.dimensions());
  const detail::ModelView<Scalar> view(model);
  const auto subscripts = tensor.subscripts();
  const auto values = tensor.values();
  return detail::chunked_reduce<double>(
      "genten::innerprod", exec, tensor.nnz(), KOKKOS_LAMBDA(const offset_t p) {
        const detail::SubscriptRow<Ordinal> row{&subscripts(p, 0)};
        return static_cast<double>(values(p)) * view.entry(row);
      });
}

/// The model's entry at one subscript a mode (0-based), in double. A convenience: it copies rows
/// to the host. Throws Error for a wrong number of subscripts or one beyond its mode.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] double value_at(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                              std::span<const std::size_t> subscripts) {
  if (subscripts.size() != static_cast<std::size_t>(model.order())) {
    throw Error::in("value_at", "expected " + std::to_string(model.order()) + " subscripts, got " +
                                    std::to_string(subscripts.size()));
  }
  std::vector<double> product = host_weights(exec, model);
  for (int n = 0; n < model.order(); ++n) {
    const std::size_t i = subscripts[static_cast<std::size_t>(n)];
    if (i >= model.factor(n).rows()) {
      throw Error::in("value_at", "expected a subscript below " +
                                      std::to_string(model.factor(n).rows()) + " in mode " +
                                      error_text::number(n) + ", got " + std::to_string(i));
    }
    const auto row = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), Kokkos::subview(model.factor(n).padded_view(), i, Kokkos::ALL()));
    for (std::size_t r = 0; r < product.size(); ++r) product[r] *= static_cast<double>(row(r));
  }
  return std::accumulate(product.begin(), product.end(), 0.0);
}

/// All entries of the tensor that the model stands for, the first subscript varying fastest.
/// Throws Error, with the size, when there are more than `most` of them.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Kokkos::View<Scalar*, typename Exec::memory_space> to_dense(
    const Exec& exec, const Ktensor<Scalar, Exec>& model, std::size_t most = 100'000'000) {
  const auto dimensions = model.dimensions();
  const std::size_t size = detail::checked_element_count(dimensions, most, sizeof(Scalar));
  const auto result = detail::new_view<Kokkos::View<Scalar*, typename Exec::memory_space>>(
      Kokkos::view_alloc(exec, "genten::to_dense", Kokkos::WithoutInitializing), size);
  const detail::ModelView<Scalar> view(model);
  detail::LinearSubscripts linear{};
  for (int n = 0; n < model.order(); ++n) {
    linear.dimensions[n] = dimensions[static_cast<std::size_t>(n)];
  }
  Kokkos::parallel_for(
      "genten::to_dense",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, static_cast<offset_t>(size)),
      KOKKOS_LAMBDA(const offset_t index) {
        result(index) = static_cast<Scalar>(view.entry(linear.at(index, view.order)));
      });
  detail::fence(exec, "genten::to_dense");
  return result;
}

/// A random model of weights one, its factors as `fill_random` fills them.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> random_ktensor(const Exec& exec,
                                                   std::span<const std::size_t> dimensions,
                                                   std::size_t rank, std::uint64_t seed,
                                                   FactorKind kind = FactorKind::uniform) {
  const Ktensor<Scalar, Exec> model(exec, dimensions, rank);
  for (int n = 0; n < model.order(); ++n) fill_random(exec, model.factor(n), seed, n, kind);
  return model;
}

}  // namespace genten

#define GENTEN_ETI_KTENSOR_OPS(PREFIX, SCALAR, EXEC)                                              \
  PREFIX template void genten::normalize(const EXEC&, const genten::Ktensor<SCALAR, EXEC>&,       \
                                         genten::NormKind);                                       \
  PREFIX template void genten::arrange(const EXEC&, const genten::Ktensor<SCALAR, EXEC>&,         \
                                       const std::vector<std::size_t>&);                          \
  PREFIX template std::vector<std::size_t> genten::arrange(const EXEC&,                           \
                                                           const genten::Ktensor<SCALAR, EXEC>&); \
  PREFIX template void genten::redistribute(const EXEC&, const genten::Ktensor<SCALAR, EXEC>&,    \
                                            int);                                                 \
  PREFIX template void genten::distribute_evenly(const EXEC&,                                     \
                                                 const genten::Ktensor<SCALAR, EXEC>&);           \
  PREFIX template void genten::fix_signs(const EXEC&, const genten::Ktensor<SCALAR, EXEC>&);      \
  PREFIX template genten::Ktensor<SCALAR, EXEC> genten::extract(                                  \
      const EXEC&, const genten::Ktensor<SCALAR, EXEC>&, const std::vector<std::size_t>&);        \
  PREFIX template double genten::innerprod(const EXEC&, const genten::Ktensor<SCALAR, EXEC>&,     \
                                           const genten::Ktensor<SCALAR, EXEC>&);                 \
  PREFIX template double genten::norm(const EXEC&, const genten::Ktensor<SCALAR, EXEC>&);         \
  PREFIX template double genten::value_at(const EXEC&, const genten::Ktensor<SCALAR, EXEC>&,      \
                                          std::span<const std::size_t>);                          \
  PREFIX template Kokkos::View<SCALAR*, EXEC::memory_space> genten::to_dense(                     \
      const EXEC&, const genten::Ktensor<SCALAR, EXEC>&, std::size_t);                            \
  PREFIX template genten::Ktensor<SCALAR, EXEC> genten::random_ktensor<SCALAR, EXEC>(             \
      const EXEC&, std::span<const std::size_t>, std::size_t, std::uint64_t, genten::FactorKind);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_KTENSOR_OPS, extern)
#endif

#define GENTEN_ETI_INNERPROD(PREFIX, SCALAR, ORDINAL, EXEC)                                \
  PREFIX template double genten::innerprod(const EXEC&,                                    \
                                           const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, \
                                           const genten::Ktensor<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_INNERPROD, extern)
#endif
