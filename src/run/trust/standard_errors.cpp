// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "terms.hpp"

#include <algorithm>
#include <cmath>

namespace genten {
namespace {

using trust::Terms;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
/// How many times less likely a limit is than the bound: exp(-m) of a count of 0 falls to this
/// where its upper limit of 95 % is.
const double log_of_limit = std::log(20.0);

/// Sums that variances of a normalized column follow from, from the covariances C of its elements:
/// by row, C_ii and sum_j C_ij g_j, and sum_ij g_i C_ij g_j, g being the derivative of its norm.
struct ColumnCovariance {
  std::vector<double> variance, with_norm;
  double of_norm = 0.0;
};

/// Normalizes column r of a mode, by its 2-norm or by its sum.
struct Normalized {
  std::vector<double> entries, slopes;
  double norm = 0.0;

  Normalized(const Terms& terms, std::size_t mode, std::size_t r, bool by_sum) {
    const std::size_t rows = terms.rows(mode);
    for (std::size_t i = 0; i < rows; ++i) {
      const double element = terms.at(mode, i, r);
      norm += by_sum ? std::abs(element) : element * element;
      entries.push_back(element);
    }
    if (!by_sum) norm = std::sqrt(norm);
    for (double& entry : entries) entry /= norm;
    slopes = by_sum ? std::vector<double>(rows, 1.0) : entries;
  }
  [[nodiscard]] double error(const ColumnCovariance& covariance, std::size_t i) const {
    const double u = entries[i];
    const double variance =
        covariance.variance[i] - 2.0 * u * covariance.with_norm[i] + u * u * covariance.of_norm;
    return std::sqrt(std::max(variance, 0.0)) / norm;  // rounding
  }
};

/// Covariances of all free elements, from their second derivatives together.
class WholeCovariance {
 public:
  WholeCovariance(const Terms& terms, bool& determined) : m_terms(terms) {
    m_places.assign(terms.numbers(), 0);
    std::vector<std::size_t> free;
    visit([&](std::size_t n, std::size_t i, std::size_t r) {
      m_places[terms.number(n, i, r)] = free.size();
      free.push_back(terms.number(n, i, r));
    });
    const SmallMatrix all = terms.whole_information();
    m_covariance = SmallMatrix(free.size());
    for (std::size_t a = 0; a < free.size(); ++a) {
      for (std::size_t b = 0; b < free.size(); ++b) m_covariance(a, b) = all(free[a], free[b]);
    }
    fix_scales();
    SpdInverse inverse = spd_inverse(m_covariance, 0.0);
    determined = inverse.finite && !inverse.rank_deficient;
    if (!determined) return;
    m_covariance = std::move(inverse.factors.front());
    for (double& each : m_covariance.values) each *= terms.dispersion();
  }

  [[nodiscard]] double at(std::size_t n, std::size_t i, std::size_t k, std::size_t j,
                          std::size_t r) const {
    if (!m_terms.is_free(n, i, r) || !m_terms.is_free(k, j, r)) return 0.0;
    return m_covariance(m_places[m_terms.number(n, i, r)], m_places[m_terms.number(k, j, r)]);
  }
  [[nodiscard]] ColumnCovariance column(std::size_t n, std::size_t r,
                                        const Normalized& column) const {
    ColumnCovariance found;
    for (std::size_t i = 0; i < m_terms.rows(n); ++i) {
      found.variance.push_back(at(n, i, n, i, r));
      double sum = 0.0;
      for (std::size_t j = 0; j < m_terms.rows(n); ++j) {
        sum += at(n, i, n, j, r) * column.slopes[j];
      }
      found.with_norm.push_back(sum);
      found.of_norm += sum * column.slopes[i];
    }
    return found;
  }
  /// The variance of the logarithm of a weight, the product of the norms of the columns.
  [[nodiscard]] double of_weight(std::size_t r, const std::vector<Normalized>& columns) const {
    double variance = 0.0;
    for (std::size_t n = 0; n < columns.size(); ++n) {
      for (std::size_t k = 0; k < columns.size(); ++k) {
        double sum = 0.0;
        for (std::size_t i = 0; i < m_terms.rows(n); ++i) {
          for (std::size_t j = 0; j < m_terms.rows(k); ++j) {
            sum += columns[n].slopes[i] * at(n, i, k, j, r) * columns[k].slopes[j];
          }
        }
        variance += sum / (columns[n].norm * columns[k].norm);
      }
    }
    return variance;
  }

 private:
  template <class Visit>
  void visit(const Visit& visit_one) const {
    for (std::size_t n = 0; n < m_terms.order(); ++n) {
      for (std::size_t i = 0; i < m_terms.rows(n); ++i) {
        for (std::size_t r = 0; r < m_terms.rank(); ++r) {
          if (m_terms.is_free(n, i, r)) visit_one(n, i, r);
        }
      }
    }
  }
  /// Columns of a component may be multiplied and divided by the same number, so that second
  /// derivatives are singular along that. What is reported does not depend on it: an addition for
  /// each such direction makes them regular and changes no variance of it.
  void fix_scales() {
    for (std::size_t r = 0; r < m_terms.rank(); ++r) {
      std::vector<std::size_t> open;
      for (std::size_t n = 0; n < m_terms.order(); ++n) {
        if (m_terms.is_fitted(n, r) && !m_terms.has_ridge(n)) open.push_back(n);
      }
      for (std::size_t k = 1; k < open.size(); ++k) fix_scale(open[0], open[k], r);
    }
  }
  void fix_scale(std::size_t one, std::size_t other, std::size_t r) {
    std::vector<std::pair<std::size_t, double>> direction;
    const auto add = [&](std::size_t n, double sign) {
      const double square = m_terms.norm(n, r) * m_terms.norm(n, r);
      for (std::size_t i = 0; i < m_terms.rows(n); ++i) {
        if (!m_terms.is_free(n, i, r)) continue;
        direction.emplace_back(m_places[m_terms.number(n, i, r)],
                               sign * m_terms.at(n, i, r) / square);
      }
    };
    add(one, 1.0);
    add(other, -1.0);
    // As large as what is there in the directions of the columns themselves.
    double size = 0.0;
    for (const auto& [a, x] : direction) {
      size += x * x * std::pow(m_terms.norm(one, r), 4) * m_covariance(a, a);
    }
    for (const auto& [a, x] : direction) {
      for (const auto& [b, y] : direction) m_covariance(a, b) += size * x * y;
    }
  }

  const Terms& m_terms;
  std::vector<std::size_t> m_places;
  SmallMatrix m_covariance;
};

/// Variances of all free elements, from the second derivatives of each row alone.
class RowVariances {
 public:
  RowVariances(const Terms& terms, bool& determined) : m_terms(terms) {
    const std::size_t rank = terms.rank();
    for (std::size_t n = 0; n < terms.order(); ++n) {
      std::vector<double> variances(terms.rows(n) * rank, 0.0);
      const std::vector<double> blocks = terms.row_information(n);
      for (std::size_t i = 0; i < terms.rows(n); ++i) {
        std::vector<std::size_t> free;
        for (std::size_t r = 0; r < rank; ++r) {
          if (terms.is_free(n, i, r)) free.push_back(r);
        }
        if (free.empty()) continue;
        SmallMatrix block(free.size());
        for (std::size_t a = 0; a < free.size(); ++a) {
          for (std::size_t b = 0; b < free.size(); ++b) {
            block(a, b) = blocks[i * rank * rank + free[a] * rank + free[b]];
          }
        }
        const SpdInverse inverse = spd_inverse(block, 0.0);
        const bool regular = inverse.finite && !inverse.rank_deficient;
        determined = determined && regular;
        for (std::size_t a = 0; a < free.size(); ++a) {
          variances[i * rank + free[a]] =
              regular ? inverse.factors.front()(a, a) * terms.dispersion() : unknown;
        }
      }
      m_variances.push_back(std::move(variances));
    }
  }

  [[nodiscard]] ColumnCovariance column(std::size_t n, std::size_t r,
                                        const Normalized& column) const {
    ColumnCovariance found;
    for (std::size_t i = 0; i < m_terms.rows(n); ++i) {
      const double variance = m_variances[n][i * m_terms.rank() + r];
      found.variance.push_back(variance);
      found.with_norm.push_back(variance * column.slopes[i]);
      found.of_norm += variance * column.slopes[i] * column.slopes[i];
    }
    return found;
  }
  /// Each mode alone says too little: the most that one says counts.
  [[nodiscard]] double of_weight(std::size_t r, const std::vector<Normalized>& columns) const {
    double variance = 0.0;
    for (std::size_t n = 0; n < columns.size(); ++n) {
      const double norm = columns[n].norm;
      const double own = column(n, r, columns[n]).of_norm / (norm * norm);
      variance = std::isnan(own) ? own : std::max(variance, own);
      if (std::isnan(variance)) return variance;
    }
    return variance;
  }

 private:
  const Terms& m_terms;
  std::vector<std::vector<double>> m_variances;
};

template <class Covariance>
void fill(const Terms& terms, const Covariance& covariance, bool by_sum, StandardErrors& errors) {
  for (std::size_t r = 0; r < terms.rank(); ++r) {
    if (!(terms.norm(0, r) > 0.0)) continue;
    std::vector<Normalized> columns;
    double weight = 1.0;
    for (std::size_t n = 0; n < terms.order(); ++n) {
      columns.emplace_back(terms, n, r, by_sum);
      weight *= columns.back().norm;
      if (!terms.is_fitted(n, r)) continue;
      const ColumnCovariance of_column = covariance.column(n, r, columns.back());
      for (std::size_t i = 0; i < terms.rows(n); ++i) {
        if (!terms.is_free(n, i, r)) continue;
        errors.factors[n][i * terms.rank() + r] = columns.back().error(of_column, i);
      }
    }
    errors.weights[r] = weight * std::sqrt(std::max(covariance.of_weight(r, columns), 0.0));
  }
}

/// Limits of entries at their bound, of normalized columns.
void fill_limits(const Terms& terms, const Fitted& fitted, bool by_sum, StandardErrors& errors) {
  for (std::size_t n = 0; n < terms.order(); ++n) {
    if (!fitted.nonnegative[n] || fitted.fixed[n]) continue;
    const std::vector<double> slopes = terms.gradient(n), blocks = terms.row_information(n);
    const std::size_t rank = terms.rank();
    for (std::size_t i = 0; i < terms.rows(n); ++i) {
      for (std::size_t r = 0; r < rank; ++r) {
        if (!terms.is_fitted(n, r) || terms.is_free(n, i, r)) continue;
        const double g = std::max(slopes[i * rank + r], 0.0);
        const double h = std::max(blocks[(i * rank + r) * rank + r], 0.0);
        // g d + h d^2 / 2 = c, without a difference of large numbers
        const double c = terms.dispersion() * log_of_limit;
        const double limit = 2.0 * c / (g + std::sqrt(g * g + 2.0 * h * c));
        errors.upper_limits[n][i * rank + r] = limit / Normalized(terms, n, r, by_sum).norm;
      }
    }
  }
}

}  // namespace

StandardErrors standard_errors(const Fitted& fitted) {
  const Terms terms(fitted);
  StandardErrors errors;
  errors.noise_variance = terms.noise_variance();
  errors.overdispersion = terms.overdispersion();
  errors.weights.assign(terms.rank(), unknown);
  for (std::size_t n = 0; n < terms.order(); ++n) {
    errors.factors.emplace_back(terms.rows(n) * terms.rank(), unknown);
  }
  errors.upper_limits = errors.factors;
  const bool by_sum = fitted.norm == NormKind::one;
  if (terms.numbers() <= most_whole_numbers) {
    const WholeCovariance covariance(terms, errors.determined);
    if (errors.determined) fill(terms, covariance, by_sum, errors);
  } else {
    errors.information = Information::rows;
    fill(terms, RowVariances(terms, errors.determined), by_sum, errors);
  }
  fill_limits(terms, fitted, by_sum, errors);
  return errors;
}

}  // namespace genten
