// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// HostAlsAlgebra: the R x R side of ALS, in double on the host. It keeps, for each mode, the Gram
/// matrix of the normalized factor and the column scale that the stored factor lacks.
///
/// Factors are stored unnormalized: the factor that counts is stored * diag(correction). MTTKRP
/// works column by column, so the corrections of the other modes need only multiply the columns of
/// the R x R inverse that is applied next, and no pass over a long factor is spent on scaling.

#include <genten/cp/detail/row_update.hpp>
#include <genten/dense/factor_update.hpp>
#include <genten/dense/row_descent.hpp>
#include <genten/dense/spd_inverse.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace genten::detail {

/// What becomes of columns after an update.
enum class ColumnScaling {
  normalized,  ///< divided by their weight, which may be 0
  revivable,  ///< the same, but the weight of a column of zeros is a unit: it may take other values
              ///< again
  none        ///< they stay as they are, and all weights are 1
};

/// The weight of a column, of which the update left the squared 2-norm and the largest element: its
/// 2-norm in the first sweep and max(unit, largest element) afterwards. Both scale by `predicted`.
/// `unit` is a power of two of the tensor's size, so that a tensor 2^k times as large gets the same
/// columns, to the bit, and weights 2^k times as large.
[[nodiscard]] KOKKOS_INLINE_FUNCTION double column_weight(ColumnScaling scaling, bool first_sweep,
                                                          double square, double largest,
                                                          double predicted, double unit) {
  if (scaling == ColumnScaling::none) return 1.0;
  // A NaN must stay in the first, not in the second.
  if (first_sweep) {
    const double norm = ::sqrt(square < 0.0 ? 0.0 : square) * predicted;
    return norm == 0.0 && scaling == ColumnScaling::revivable ? unit : norm;
  }
  return largest * predicted > unit ? largest * predicted : unit;
}

/// A line of the columns of a RowEquation, for a stored factor whose columns are to be multiplied
/// by `predicted` and are now, as the model has them, to be by `correction` and `weight`.
/// `diagonal` is the system's element, `others` what MTTKRP lacks.
template <class System>
KOKKOS_INLINE_FUNCTION void write_system_column(const System& system, std::size_t r,
                                                double diagonal, double others, double predicted,
                                                double correction, double weight) {
  using Scalar = typename decltype(system.columns)::non_const_value_type;
  system.columns(System::start, r) = static_cast<Scalar>(correction * weight / predicted);
  system.columns(System::scale, r) = static_cast<Scalar>(others * predicted);
  system.columns(System::inverse, r) = System::inverse_of(diagonal);
  system.columns(System::root, r) = System::root_of(diagonal);
}

/// For factors on hosts, by LAPACK; DeviceAlsAlgebra has the same members.
template <RealScalar Scalar, ExecutionSpace Exec>
class HostAlsAlgebra {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  using Event = typename Backend<Exec>::Event;
  using Solved = SolvedUpdate<std::vector<double>, Event>;
  using Applied = AppliedUpdate<std::vector<double>, Event>;
  /// Several objects need nothing to do a step together.
  struct Tasks {};

  HostAlsAlgebra(int order, std::size_t rank, double single_factor_rcond,
                 ColumnScaling scaling = ColumnScaling::normalized)
      : m_rank(rank),
        m_scaling(scaling),
        m_single_factor_rcond(single_factor_rcond),
        m_gram(static_cast<std::size_t>(order), SmallMatrix(rank)),
        m_correction(static_cast<std::size_t>(order), std::vector<double>(rank, 1.0)),
        m_predicted(static_cast<std::size_t>(order), std::vector<double>(rank, 1.0)),
        m_spare(rank),
        m_weights(rank, 1.0) {}

  /// Bytes that such an object takes where factors lie, with what `solve` takes at its peak: the
  /// product of Gram matrices, and three that become its inverse.
  [[nodiscard]] static double memory(int order, std::size_t rank) {
    return 8.0 * (order + 4.0) * static_cast<double>(rank) * static_cast<double>(rank);
  }

  /// See column_weight; 1 unless it is set.
  void set_unit(double unit) { m_unit = unit; }

  /// Notes the Gram matrix of a factor that is stored as it counts.
  template <class Square>
  void set_gram(int mode, const Square& gram) {
    for (std::size_t r = 0; r < m_rank; ++r) {
      for (std::size_t q = 0; q < m_rank; ++q) m_gram[index(mode)](r, q) = gram(r, q);
    }
  }

  /// The same for one that a pass has measured, instead of what was known of the mode's factor.
  template <class Pass>
  void take_factor(const Exec& /*exec*/, int mode, const Pass& pass) {
    set_gram(mode, pass.gram());
    m_correction[index(mode)].assign(m_rank, 1.0);
  }

  /// Writes the matrices, one or two, that take the stored factors' MTTKRP to the new stored
  /// factor. They divide columns by the weights of the sweep before, so that what is stored is
  /// nearly normalized and neither overflows nor underflows.
  /// `ridge`, which goes with unscaled columns alone, is added to the diagonal of what is inverted.
  /// `waits`: see DeviceAlsAlgebra.
  [[nodiscard]] Solved solve(int mode, std::span<const Matrix> transforms, double ridge = 0.0,
                             [[maybe_unused]] bool waits = true) {
    SmallMatrix hadamard = hadamard_of_others(mode);
    for (std::size_t r = 0; r < m_rank; ++r) hadamard(r, r) += ridge;
    std::vector<double> others = corrections_of_others(mode);
    SpdInverse inverse = spd_inverse(hadamard, m_single_factor_rcond);
    m_rank_deficient += inverse.rank_deficient ? 1 : 0;
    SmallMatrix& first = inverse.factors.front();
    SmallMatrix& last = inverse.factors.back();
    for (std::size_t r = 0; r < m_rank; ++r) {
      for (std::size_t q = 0; q < m_rank; ++q) {
        first(r, q) *= others[r];
        last(r, q) /= m_predicted[index(mode)][q];
      }
    }
    for (std::size_t k = 0; k < inverse.factors.size(); ++k) {
      for (std::size_t r = 0; r < m_rank; ++r) {
        for (std::size_t q = 0; q < m_rank; ++q) {
          transforms[k](r, q) = static_cast<Scalar>(inverse.factors[k](r, q));
        }
      }
    }
    return {mode, inverse.factors.size(), std::move(others)};
  }

  /// Writes the system of the new stored factor's rows, for a pass that starts from the old ones.
  [[nodiscard]] Solved write_system(int mode, const RowEquation<Scalar, Exec>& system,
                                    double ridge) {
    const SmallMatrix hadamard = hadamard_of_others(mode);
    std::vector<double> others = corrections_of_others(mode);
    const auto& predicted = m_predicted[index(mode)];
    for (std::size_t r = 0; r < m_rank; ++r) {
      for (std::size_t q = 0; q < m_rank; ++q) {
        system.gram(r, q) = static_cast<Scalar>(predicted[r] * hadamard(r, q) * predicted[q]);
      }
      write_system_column(system, r, predicted[r] * hadamard(r, r) * predicted[r] + ridge,
                          others[r], predicted[r], m_correction[index(mode)][r], m_weights[r]);
    }
    return {mode, 0, std::move(others)};
  }

  /// Takes in what the pass over the new stored factor, FactorUpdate's or RowDescent's, has found.
  template <class Pass>
  void absorb(Applied applied, const Pass& update, bool first_sweep) {
    applied.updated.wait();
    const int mode = applied.mode;
    const std::vector<double>& others = applied.others;
    const auto gram = update.gram();
    const auto column_max = update.column_max(), dots = update.dots();
    auto& predicted = m_predicted[index(mode)];
    auto& correction = m_correction[index(mode)];
    m_inner = 0.0;
    for (std::size_t r = 0; r < m_rank; ++r) {
      m_inner += others[r] * predicted[r] * dots(r);
      m_weights[r] =
          column_weight(m_scaling, first_sweep, gram(r, r), column_max(r), predicted[r], m_unit);
      const double divisor = m_weights[r] > 0.0 ? m_weights[r] : 1.0;
      correction[r] = predicted[r] / divisor;
      predicted[r] = divisor;
    }
    for (std::size_t r = 0; r < m_rank; ++r) {
      for (std::size_t q = 0; q < m_rank; ++q) {
        m_gram[index(mode)](r, q) = gram(r, q) * correction[r] * correction[q];
      }
    }
    m_spare = std::move(applied.others);
  }

  /// Multiplies the columns of the factors that count: `factors`, mode by mode, whose product over
  /// the modes is one for every column, so that the model stays.
  void rescale(std::span<const double> factors) {
    for (std::size_t m = 0; m < m_gram.size(); ++m) {
      const double* const of_mode = factors.data() + m * m_rank;
      for (std::size_t r = 0; r < m_rank; ++r) {
        m_correction[m][r] *= of_mode[r];
        for (std::size_t q = 0; q < m_rank; ++q) m_gram[m](r, q) *= of_mode[r] * of_mode[q];
      }
    }
  }

  /// The correction of a mode, for a pass that applies it to the stored factor; it is then one.
  std::vector<double> take_correction(int mode) {
    return std::exchange(m_correction[index(mode)], std::vector<double>(m_rank, 1.0));
  }
  [[nodiscard]] const std::vector<double>& correction(int mode) const {
    return m_correction[index(mode)];
  }
  [[nodiscard]] const std::vector<double>& weights() const { return m_weights; }
  /// Of all that was absorbed.
  [[nodiscard]] AlsStatistics statistics() const {
    AlsStatistics found{.inner_product = m_inner};
    for (std::size_t r = 0; r < m_rank; ++r) {
      for (std::size_t q = 0; q < m_rank; ++q) {
        double product = m_weights[r] * m_weights[q];
        for (const SmallMatrix& gram : m_gram) product *= gram(r, q);
        found.model_norm_squared += product;
        if (r == q) found.component_norms += std::sqrt(product);
      }
    }
    return found;
  }
  [[nodiscard]] std::size_t rank_deficient_solves() const { return m_rank_deficient; }

  [[nodiscard]] AlgebraState save() const {
    AlgebraState state;
    const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    for (std::size_t m = 0; m < m_gram.size(); ++m) {
      append(state.gram, m_gram[m].values);
      append(state.correction, m_correction[m]);
      append(state.predicted, m_predicted[m]);
    }
    state.weights = m_weights;
    state.statistics = statistics();
    state.rank_deficient_solves = m_rank_deficient;
    return state;
  }
  void restore(const AlgebraState& state) {
    state.check(m_gram.size(), m_rank);
    const auto take = [](const std::vector<double>& from, std::size_t m, std::vector<double>& to) {
      std::copy_n(from.data() + m * to.size(), to.size(), to.data());
    };
    for (std::size_t m = 0; m < m_gram.size(); ++m) {
      take(state.gram, m, m_gram[m].values);
      take(state.correction, m, m_correction[m]);
      take(state.predicted, m, m_predicted[m]);
    }
    m_weights = state.weights;
    m_inner = state.statistics.inner_product;
    m_rank_deficient = state.rank_deficient_solves;
  }

 private:
  static std::size_t index(int mode) { return static_cast<std::size_t>(mode); }
  /// The Hadamard product of the Gram matrices of all modes but one.
  [[nodiscard]] SmallMatrix hadamard_of_others(int mode) const {
    SmallMatrix hadamard(m_rank, 1.0);
    for (std::size_t m = 0; m < m_gram.size(); ++m) {
      if (m == index(mode)) continue;
      for (std::size_t i = 0; i < hadamard.values.size(); ++i) {
        hadamard.values[i] *= m_gram[m].values[i];
      }
    }
    return hadamard;
  }
  /// The product of the corrections of all modes but one, in the spare memory.
  [[nodiscard]] std::vector<double> corrections_of_others(int mode) {
    std::vector<double> others = std::move(m_spare);
    others.assign(m_rank, 1.0);
    for (std::size_t m = 0; m < m_gram.size(); ++m) {
      if (m == index(mode)) continue;
      for (std::size_t r = 0; r < m_rank; ++r) others[r] *= m_correction[m][r];
    }
    return others;
  }

  std::size_t m_rank;
  ColumnScaling m_scaling;
  double m_unit = 1.0;
  double m_single_factor_rcond;
  std::vector<SmallMatrix> m_gram;                ///< of the factors that count
  std::vector<std::vector<double>> m_correction;  ///< by mode and column
  std::vector<std::vector<double>> m_predicted;   ///< weights of the sweep before
  std::vector<double> m_spare;  ///< memory for the next update's product of corrections
  std::vector<double> m_weights;
  double m_inner = 0.0;
  std::size_t m_rank_deficient = 0;
};

}  // namespace genten::detail
