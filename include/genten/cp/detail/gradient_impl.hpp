// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/detail/gradient_options.hpp>
#include <genten/cp/gradient.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace genten::detail {

/// gradient = factor * square - gradient, `square` being symmetric.
template <RealScalar Scalar, ExecutionSpace Exec>
void subtract_from_product(const Exec& exec, const FacMatrix<Scalar, Exec>& factor,
                           const HostMatrix& square, const FacMatrix<Scalar, Exec>& gradient) {
  const auto matrix = Kokkos::create_mirror_view_and_copy(typename Exec::memory_space(), square);
  const std::size_t columns = factor.columns();
  Kokkos::parallel_for(
      "genten::gaussian_gradient",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, factor.rows()),
      KOKKOS_LAMBDA(const std::size_t i) {
        for (std::size_t r = 0; r < columns; ++r) {
          double sum = 0.0;
          for (std::size_t s = 0; s < columns; ++s) {
            sum += static_cast<double>(factor(i, s)) * matrix(s, r);
          }
          gradient(i, r) = static_cast<Scalar>(sum - static_cast<double>(gradient(i, r)));
        }
      });
  fence(exec, "genten::gaussian_gradient");
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] MttkrpPlan<Scalar, Ordinal, Exec> make_gradient_plan(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, std::size_t rank,
    const MttkrpOptions& options) {
  if (tensor.order() == 0) {
    throw Error::in("CpGradient", "expected a tensor of order 1 or more, got order 0");
  }
  return MttkrpPlan<Scalar, Ordinal, Exec>(exec, tensor, rank, for_gradients(options));
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpGradient<Scalar, Ordinal, Exec>::CpGradient(const Exec& exec,
                                              const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                              std::size_t rank, const MttkrpOptions& options)
    : m_rank(rank),
      m_tensor(sum_duplicates(exec, tensor).tensor),
      m_plan(detail::make_gradient_plan(exec, m_tensor, rank, options)) {
  const double norm = genten::norm(exec, m_tensor);
  m_norm_squared = norm * norm;
  if (!std::isfinite(m_norm_squared) || (norm > 0.0 && m_norm_squared == 0.0)) {
    throw Error::in("CpGradient",
                    "expected a tensor whose squared norm is in the range of double, got "
                    "one of norm " +
                        number_text(norm));
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void CpGradient<Scalar, Ordinal, Exec>::check(const Exec& /*exec*/, const Model& model,
                                              const char* name) const {
  if (model.dimensions() == m_tensor.dimensions() && model.rank() == m_rank) return;
  throw Error::in("CpGradient", "expected a " + std::string(name) +
                                    " with the tensor's dimensions and " + std::to_string(m_rank) +
                                    " components");
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
double CpGradient<Scalar, Ordinal, Exec>::operator()(const Exec& exec, const Model& model,
                                                     const Model& gradient) {
  check(exec, model, "model");
  check(exec, gradient, "gradient");
  const std::vector<double> weights = host_weights(exec, model);
  if (std::any_of(weights.begin(), weights.end(), [](double weight) { return weight != 1.0; })) {
    throw Error::in("CpGradient",
                    "expected a model of weights one: redistribute hands them to a factor");
  }
  std::vector<HostMatrix> grams;
  for (const auto& factor : model.factors()) grams.push_back(cross_gram(exec, factor, factor));
  const auto hadamard = [&](int left_out) {
    const HostMatrix product("genten::hadamard", m_rank, m_rank);
    Kokkos::deep_copy(product, 1.0);
    for (std::size_t m = 0; m < grams.size(); ++m) {
      if (static_cast<int>(m) == left_out) continue;
      for (std::size_t e = 0; e < m_rank * m_rank; ++e) product.data()[e] *= grams[m].data()[e];
    }
    return product;
  };
  FactorVersions versions{};
  ++m_version;
  for (int mode = 0; mode < model.order(); ++mode) {
    versions[static_cast<std::size_t>(mode)] = m_version;
  }
  double inner_product = 0.0;
  for (int mode = 0; mode < model.order(); ++mode) {
    m_plan.execute(exec, model.factors(), mode, gradient.factor(mode), versions);
    if (mode == 0) {
      const HostMatrix products = cross_gram(exec, gradient.factor(mode), model.factor(mode));
      for (std::size_t r = 0; r < m_rank; ++r) inner_product += products(r, r);
    }
    detail::subtract_from_product(exec, model.factor(mode), hadamard(mode), gradient.factor(mode));
  }
  const HostMatrix all = hadamard(-1);
  double model_norm_squared = 0.0;
  for (std::size_t e = 0; e < m_rank * m_rank; ++e) model_norm_squared += all.data()[e];
  const double square = m_norm_squared - 2.0 * inner_product + model_norm_squared;
  // Nobody is to take what has left the range of numbers for an exact fit.
  if (!std::isfinite(square)) return std::numeric_limits<double>::infinity();
  return 0.5 * std::max(0.0, square);  // rounding may leave a small negative number
}

}  // namespace genten

#define GENTEN_ETI_GRADIENT(PREFIX, SCALAR, EXEC) \
  PREFIX template class genten::CpGradient<SCALAR, genten::RowNumber, EXEC>;

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_GRADIENT, extern)
#endif
