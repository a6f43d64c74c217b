// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Ktensor: a CP model [[lambda; A1, ..., AN]], the sum of R rank-one tensors.

#include <genten/core/fac_matrix.hpp>

#include <span>
#include <vector>

namespace genten {

/// Weights lambda (R of them) and N factor matrices I_n x R. Copies are shallow.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
class Ktensor {
 public:
  using scalar_type = Scalar;
  using execution_space = Exec;
  using memory_space = typename Exec::memory_space;
  using factor_type = FacMatrix<Scalar, Exec>;
  using weights_view = Kokkos::View<Scalar*, memory_space>;

  Ktensor() = default;

  /// Weights one, factors zero, allocated and set on the instance `exec`.
  Ktensor(const Exec& exec, std::span<const std::size_t> dimensions, std::size_t rank);
  Ktensor(std::span<const std::size_t> dimensions, std::size_t rank)
      : Ktensor(Exec(), dimensions, rank) {}

  /// Takes weights and factors as they are, without a copy. Every factor must have as many columns
  /// as there are weights.
  Ktensor(weights_view weights, std::vector<factor_type> factors)
      : m_weights(weights), m_factors(std::move(factors)) {
    for (std::size_t n = 0; n < m_factors.size(); ++n) {
      if (m_factors[n].columns() != rank()) {
        throw Error::in("Ktensor", "expected " + std::to_string(rank()) +
                                       " columns (one a weight) in the factor of mode " +
                                       error_text::number(n) + ", got " +
                                       std::to_string(m_factors[n].columns()));
      }
    }
  }

  [[nodiscard]] int order() const { return static_cast<int>(m_factors.size()); }
  /// Number of components R.
  [[nodiscard]] std::size_t rank() const { return m_weights.extent(0); }
  [[nodiscard]] const weights_view& weights() const { return m_weights; }
  /// The factor of mode n, 0 <= n < order().
  [[nodiscard]] const factor_type& factor(int n) const {
    return m_factors[static_cast<std::size_t>(n)];
  }
  [[nodiscard]] const std::vector<factor_type>& factors() const { return m_factors; }
  [[nodiscard]] std::vector<std::size_t> dimensions() const {
    std::vector<std::size_t> result;
    for (const auto& factor : m_factors) result.push_back(factor.rows());
    return result;
  }

 private:
  weights_view m_weights;
  std::vector<factor_type> m_factors;
};

template <RealScalar Scalar, ExecutionSpace Exec>
Ktensor<Scalar, Exec>::Ktensor(const Exec& exec, std::span<const std::size_t> dimensions,
                               std::size_t rank)
    : m_weights(detail::new_view<weights_view>(
          Kokkos::view_alloc(exec, "genten::weights", Kokkos::WithoutInitializing), rank)) {
  Kokkos::deep_copy(exec, m_weights, Scalar(1));
  m_factors.reserve(dimensions.size());
  for (const std::size_t rows : dimensions) m_factors.emplace_back(exec, rows, rank);
  exec.fence();
}

/// A model of the same shape that the host can read: the argument itself where it already can.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] auto create_mirror_view(const Ktensor<Scalar, Exec>& model) {
  if constexpr (is_host_space<Exec>) {
    return model;
  } else {
    return Ktensor<Scalar, HostExec>(model.dimensions(), model.rank());
  }
}

/// Copies weights and factors between models of the same shape, in whatever memory they lie, on
/// the instance `exec`. Returns when the copy is complete.
template <ExecutionSpace Exec, RealScalar Scalar, ExecutionSpace To, ExecutionSpace From>
void deep_copy(const Exec& exec, const Ktensor<Scalar, To>& to, const Ktensor<Scalar, From>& from) {
  if (to.order() != from.order() || to.rank() != from.rank()) {
    throw Error::in("deep_copy(Ktensor)", "expected order " + std::to_string(to.order()) +
                                              ", rank " + std::to_string(to.rank()) +
                                              "; got order " + std::to_string(from.order()) +
                                              ", rank " + std::to_string(from.rank()));
  }
  detail::copy_view(exec, to.weights(), from.weights());
  for (int n = 0; n < to.order(); ++n) deep_copy(exec, to.factor(n), from.factor(n));
  exec.fence();
}

/// The same on the destination's default instance.
template <RealScalar Scalar, ExecutionSpace To, ExecutionSpace From>
void deep_copy(const Ktensor<Scalar, To>& to, const Ktensor<Scalar, From>& from) {
  deep_copy(To(), to, from);
}

/// A deep copy in the memory of `To`.
template <ExecutionSpace To, RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, To> clone_to(const Ktensor<Scalar, Exec>& model) {
  Ktensor<Scalar, To> copy(model.dimensions(), model.rank());
  deep_copy(copy, model);
  return copy;
}

/// The model where the host can read it: itself, not copied, where it lies there already.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] auto create_mirror_view_and_copy(const Ktensor<Scalar, Exec>& model) {
  const auto mirror = create_mirror_view(model);
  if constexpr (!is_host_space<Exec>) deep_copy(mirror, model);
  return mirror;
}

/// A deep copy in the same memory.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> clone(const Exec& exec, const Ktensor<Scalar, Exec>& model) {
  Ktensor<Scalar, Exec> copy(exec, model.dimensions(), model.rank());
  deep_copy(exec, copy, model);
  return copy;
}
/// The same on a default instance of the execution space.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> clone(const Ktensor<Scalar, Exec>& model) {
  return clone(Exec(), model);
}

}  // namespace genten

#define GENTEN_ETI_KTENSOR(PREFIX, SCALAR, EXEC)                                            \
  PREFIX template genten::Ktensor<SCALAR, EXEC>::Ktensor(                                   \
      const EXEC&, std::span<const std::size_t>, std::size_t);                              \
  PREFIX template void genten::deep_copy(const EXEC&, const genten::Ktensor<SCALAR, EXEC>&, \
                                         const genten::Ktensor<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_KTENSOR, extern)
#endif
