// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// TuckerStep: a sweep of HOOI.

#include <genten/core/cross_gram.hpp>
#include <genten/core/ttensor.hpp>
#include <genten/cp/run_state.hpp>
#include <genten/cp/timings.hpp>
#include <genten/mttkrp/semi_sparse.hpp>
#include <genten/mttkrp/ttmc.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace genten::detail {

/// A core on the host in double, the first subscript varying fastest.
struct TuckerCore {
  std::vector<double> elements;

  [[nodiscard]] double norm() const {
    double sum = 0.0;
    for (const double element : elements) sum += element * element;
    return std::sqrt(sum);
  }
};

/// ||X - M|| of an orthogonal projection M of X.
[[nodiscard]] inline double projected_residual(double tensor_norm, double core_norm) {
  return std::sqrt(std::max(0.0, (tensor_norm - core_norm) * (tensor_norm + core_norm)));
}

/// The same matrix in Scalar.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] FacMatrix<Scalar, Exec> rounded(const Exec& exec,
                                              const FacMatrix<double, Exec>& matrix) {
  if constexpr (std::is_same_v<Scalar, double>) {
    return matrix;
  } else {
    const FacMatrix<Scalar, Exec> result(exec, matrix.rows(), matrix.columns());
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
      for (std::size_t j = 0; j < matrix.columns(); ++j) {
        result(i, j) = static_cast<Scalar>(matrix(i, j));
      }
    }
    return result;
  }
}

/// What all sweeps of a decomposition share. Values are without the tensor's scale.
template <RealScalar Scalar, ExecutionSpace Exec>
struct TuckerProblem {
  using Matrix = FacMatrix<Scalar, Exec>;

  Exec exec;
  std::vector<std::size_t> dimensions;
  std::vector<std::size_t> ranks;  ///< 0: not compressed
  std::vector<int> order;          ///< compressed modes as they are compressed, the others last
  std::vector<int> updates;        ///< modes whose factors are found, in order
  double tensor_norm = 0.0;        ///< without the scale
  int exponent = 0;                ///< of the scale
  bool vectors_converged = true;

  [[nodiscard]] std::size_t rank(int n) const { return ranks[static_cast<std::size_t>(n)]; }
  [[nodiscard]] std::size_t core_length(int n) const {
    return rank(n) == 0 ? dimensions[static_cast<std::size_t>(n)] : rank(n);
  }
  [[nodiscard]] bool is_partial() const {
    return std::find(ranks.begin(), ranks.end(), 0) != ranks.end();
  }
  [[nodiscard]] bool is_updated(int n) const {
    return std::find(updates.begin(), updates.end(), n) != updates.end();
  }
  /// The vectors as a factor.
  [[nodiscard]] Matrix take(const LeadingVectors<Exec>& found) {
    vectors_converged = vectors_converged && found.converged;
    return rounded<Scalar>(exec, found.vectors);
  }
  /// The model with the tensor's scale.
  [[nodiscard]] Ttensor<Scalar, Exec> model(const TuckerCore& core,
                                            const std::vector<Matrix>& factors) const {
    std::vector<std::size_t> lengths;
    for (std::size_t n = 0; n < ranks.size(); ++n) {
      lengths.push_back(core_length(static_cast<int>(n)));
    }
    using View = typename Ttensor<Scalar, Exec>::core_view;
    const auto view = new_view<View>("genten::core", core.elements.size());
    for (std::size_t k = 0; k < core.elements.size(); ++k) {
      view(k) = static_cast<Scalar>(std::ldexp(core.elements[k], exponent));
      if (std::isfinite(view(k))) continue;
      throw Error::in("tucker", std::string("an element of the core is beyond the range of ") +
                                    (sizeof(Scalar) == sizeof(float) ? "single" : "double") +
                                    " precision");
    }
    return Ttensor<Scalar, Exec>(lengths, view, factors);
  }
};

/// The elements of a product in all modes.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] TuckerCore core_of(const Exec& exec, const SemiSparse<Scalar, Exec>& product) {
  const auto elements = product.dense(exec);
  TuckerCore core{std::vector<double>(elements.extent(0))};
  for (std::size_t k = 0; k < core.elements.size(); ++k) {
    core.elements[k] = static_cast<double>(elements(k));
  }
  return core;
}

/// The core from its matricization in `mode`, whose columns are in the order of Ttmc's products.
[[nodiscard]] inline TuckerCore core_of(const HostMatrix& matricized,
                                        const std::vector<std::size_t>& ranks, int mode) {
  TuckerCore core{std::vector<double>(matricized.extent(0) * matricized.extent(1))};
  std::size_t before = 1;  // elements from one subscript of the mode to the next
  for (int n = 0; n < mode; ++n) before *= ranks[static_cast<std::size_t>(n)];
  const std::size_t rank = matricized.extent(0);
  for (std::size_t c = 0; c < matricized.extent(1); ++c) {
    for (std::size_t r = 0; r < rank; ++r) {
      core.elements[c % before + before * (r + rank * (c / before))] = matricized(r, c);
    }
  }
  return core;
}

/// Sweeps of HOOI over a tensor whose modes are all compressed, by Ttmc, or some of them, by
/// SemiSparse.
template <RealScalar Scalar, ExecutionSpace Exec>
class TuckerStep {
 public:
  using Model = Ttensor<Scalar, Exec>;
  using Matrix = FacMatrix<Scalar, Exec>;
  using Problem = TuckerProblem<Scalar, Exec>;

  TuckerStep(Problem& problem, const Sptensor<Scalar, RowNumber, Exec>& tensor,
             std::vector<Matrix> factors, const std::optional<TuckerCore>& core)
      : m_problem(problem), m_start(factors), m_factors(std::move(factors)) {
    if (!problem.is_partial()) {
      m_products.emplace(problem.exec, tensor, TtmcOptions{.modes = problem.updates});
      reserve();
    } else {
      for (const int mode : problem.updates) {
        m_sparse.emplace_back(problem.exec, tensor, chain_to(mode));
      }
    }
    m_start_core = m_core = core ? *core : first_core();
  }

  SweepOutcome sweep(std::size_t /*iteration*/, PhaseTimings& timings) {
    for (std::size_t k = 0; k < m_problem.updates.size(); ++k) {
      const bool last = k + 1 == m_problem.updates.size();
      m_products ? update(m_problem.updates[k], last, timings) : update_partial(k, last, timings);
    }
    return outcome();
  }

  std::size_t restart() {
    m_factors = m_start;
    m_core = m_start_core;
    return 0;
  }

  [[nodiscard]] Model model() const { return m_problem.model(m_core, m_factors); }
  [[nodiscard]] const TuckerCore& core() const { return m_core; }
  [[nodiscard]] const std::vector<Matrix>& factors() const { return m_factors; }

 private:
  /// Memory for the product of any mode.
  void reserve() {
    std::size_t most = 0;
    for (const int mode : m_problem.updates) {
      most = std::max(most, m_problem.dimensions[static_cast<std::size_t>(mode)] *
                                padded_stride(columns(mode), sizeof(Scalar)));
    }
    m_memory = uninitialized_view<Memory>("genten::tucker_product", most);
  }
  [[nodiscard]] std::size_t columns(int mode) const {
    return Ttmc<Scalar, Exec>::columns(m_factors, mode);
  }

  [[nodiscard]] TuckerCore first_core() const {
    const Exec& exec = m_problem.exec;
    const int mode = m_problem.updates.back();
    const Matrix& factor = m_factors[static_cast<std::size_t>(mode)];
    if (!m_products) {
      return core_of(exec, partial_product(m_problem.updates.size() - 1).multiply(exec, factor));
    }
    return core_of(cross_gram(exec, factor, product(mode)), m_problem.ranks, mode);
  }

  /// In all modes but this. It lies in memory that the next one takes.
  [[nodiscard]] Matrix product(int mode) const {
    using View = typename Matrix::view_type;
    const std::size_t rows = m_problem.dimensions[static_cast<std::size_t>(mode)];
    const Matrix result(View(m_memory.data(), rows, padded_stride(columns(mode), sizeof(Scalar))),
                        columns(mode));
    m_products->run(m_problem.exec, m_factors, mode, result);
    return result;
  }

  void update(int mode, bool last, PhaseTimings& timings) {
    const Exec& exec = m_problem.exec;
    const Matrix products = timings.time(exec, "product", [&] { return product(mode); });
    Matrix& factor = m_factors[static_cast<std::size_t>(mode)];
    timings.time(exec, "vectors", [&] {
      factor = m_problem.take(leading_left_vectors(exec, products, m_problem.rank(mode)));
    });
    if (!last) return;
    timings.time(exec, "core", [&] {
      m_core = core_of(cross_gram(exec, factor, products), m_problem.ranks, mode);
    });
  }

  /// All other compressed modes, the mode itself, those that are not compressed.
  [[nodiscard]] std::vector<int> chain_to(int mode) const {
    std::vector<int> order = m_problem.order;
    std::erase(order, mode);
    const auto whole =
        std::find_if(order.begin(), order.end(), [&](int n) { return m_problem.rank(n) == 0; });
    order.insert(whole, mode);
    return order;
  }

  /// In all compressed modes but the k-th that is updated.
  [[nodiscard]] SemiSparse<Scalar, Exec> partial_product(std::size_t k) const {
    auto result = m_sparse[k];
    while (result.sparse_modes().front() != m_problem.updates[k]) {
      const auto next = static_cast<std::size_t>(result.sparse_modes().front());
      result = result.multiply(m_problem.exec, m_factors[next]);
    }
    return result;
  }

  void update_partial(std::size_t k, bool last, PhaseTimings& timings) {
    const Exec& exec = m_problem.exec;
    const int mode = m_problem.updates[k];
    const auto product = timings.time(exec, "product", [&] { return partial_product(k); });
    Matrix& factor = m_factors[static_cast<std::size_t>(mode)];
    timings.time(exec, "vectors", [&] {
      factor = m_problem.take(product.leading_vectors(exec, m_problem.rank(mode)));
    });
    if (!last) return;
    timings.time(exec, "core", [&] { m_core = core_of(exec, product.multiply(exec, factor)); });
  }

  [[nodiscard]] SweepOutcome outcome() const {
    const double norm = m_problem.tensor_norm;
    const double residual = projected_residual(norm, m_core.norm());
    SweepOutcome outcome;
    outcome.fit = norm > 0.0 ? 1.0 - residual / norm : 1.0;
    outcome.residual_norm = std::ldexp(residual, m_problem.exponent);
    outcome.objective = 0.5 * outcome.residual_norm * outcome.residual_norm;
    return outcome;
  }

  using Memory = Kokkos::View<Scalar*, typename Exec::memory_space>;

  Problem& m_problem;
  std::vector<Matrix> m_start, m_factors;  ///< replaced, never written
  TuckerCore m_start_core, m_core;
  std::optional<Ttmc<Scalar, Exec>> m_products;
  Memory m_memory;
  std::vector<SemiSparse<Scalar, Exec>> m_sparse;  ///< one an update, where it is partial
};

}  // namespace genten::detail
