// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "terms.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace genten::trust {
namespace {

/// Elements of nonnegative factors that are at most this part of their column count as zeros:
/// solvers that multiply do not reach 0.
constexpr double least_part = 1e-7;

/// Compares entries by their subscripts.
struct ByRow {
  const std::vector<RowNumber>& subscripts;
  std::size_t order;
  [[nodiscard]] std::span<const RowNumber> entry(std::size_t e) const {
    return std::span(subscripts).subspan(e * order, order);
  }
  bool operator()(std::size_t a, std::size_t b) const {
    const auto left = entry(a), right = entry(b);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  }
};

}  // namespace

bool is_likelihood(const LossFacts& loss) {
  return loss.name != "huber" && loss.name != "weighted" && loss.name != "beta";
}

Curvature curvature_of(const LossFacts& loss) {
  Curvature found = nullptr;
  LossList::for_each([&]<class L>() {
    if constexpr (loss_requirements::HasCurvature<L>) {
      if (loss.name != L::name) return;
      found = [](double parameter, double x, double m) {
        if constexpr (loss_requirements::HasParameter<L>) {
          return L{parameter}.curvature(x, m);
        } else {
          static_cast<void>(parameter);
          return L{}.curvature(x, m);
        }
      };
    }
  });
  return found;
}

FittedEntries without_missing(FittedEntries entries) {
  const std::size_t order = entries.order();
  if (entries.missing.empty()) return entries;
  std::vector<std::size_t> numbers(entries.missing.size() / order);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const ByRow by_row{entries.missing, order};
  std::sort(numbers.begin(), numbers.end(), by_row);
  const auto is_missing = [&](std::span<const RowNumber> entry) {
    const auto at = std::lower_bound(
        numbers.begin(), numbers.end(), entry, [&](std::size_t number, const auto& wanted) {
          const auto row = by_row.entry(number);
          return std::lexicographical_compare(row.begin(), row.end(), wanted.begin(), wanted.end());
        });
    return at != numbers.end() && std::ranges::equal(by_row.entry(*at), entry);
  };
  std::size_t kept = 0;
  for (std::size_t e = 0; e < entries.values.size(); ++e) {
    const std::span<const RowNumber> entry(entries.subscripts.data() + e * order, order);
    if (is_missing(entry)) continue;
    std::copy(entry.begin(), entry.end(),
              entries.subscripts.begin() + static_cast<std::ptrdiff_t>(kept * order));
    entries.values[kept++] = entries.values[e];
  }
  entries.subscripts.resize(kept * order);
  entries.values.resize(kept);
  return entries;
}

FittedEntries all_listed(const FittedEntries& entries) {
  if (entries.unlisted_are_missing) return entries;
  const std::size_t order = entries.order();
  const auto size = static_cast<std::size_t>(entries.size());
  FittedEntries all{entries.dimensions};
  all.values.assign(size, 0.0);
  const auto place = [&](const RowNumber* entry) {
    std::size_t at = 0;
    for (std::size_t n = 0; n < order; ++n) at = at * entries.dimensions[n] + entry[n];
    return at;
  };
  for (std::size_t e = 0; e < entries.values.size(); ++e) {
    all.values[place(&entries.subscripts[e * order])] = entries.values[e];
  }
  std::vector<bool> counts(size, true);
  for (std::size_t e = 0; e < entries.missing.size() / order; ++e) {
    counts[place(&entries.missing[e * order])] = false;
  }
  std::vector<RowNumber> entry(order, 0);
  std::size_t kept = 0;
  for (std::size_t at = 0; at < size; ++at) {
    if (counts[at]) {
      all.subscripts.insert(all.subscripts.end(), entry.begin(), entry.end());
      all.values[kept++] = all.values[at];
    }
    for (std::size_t n = order; n-- > 0;) {
      if (++entry[n] < entries.dimensions[n]) break;
      entry[n] = 0;
    }
  }
  all.values.resize(kept);
  all.unlisted_are_missing = true;
  return all;
}

double value_at(const HostModel& model, const RowNumber* entry) {
  double sum = 0.0;
  for (std::size_t r = 0; r < model.rank(); ++r) {
    double product = model.weights()(r);
    for (int n = 0; n < model.order(); ++n) product *= model.factor(n)(entry[n], r);
    sum += product;
  }
  return sum;
}

Terms::Terms(const Fitted& fitted)
    : m_dimensions(fitted.entries.dimensions),
      m_rank(fitted.model.rank()),
      m_fixed(fitted.fixed),
      m_ridge(fitted.ridge) {
  m_offsets.push_back(0);
  for (const std::size_t length : m_dimensions) {
    m_offsets.push_back(m_offsets.back() + length * m_rank);
  }
  balance(fitted);
  const LossFacts& loss = fitted.loss.facts();
  const bool enumerated = !fitted.entries.unlisted_are_missing && !loss.zero_terms;
  take_entries(fitted, enumerated ? all_listed(fitted.entries) : without_missing(fitted.entries));
}

void Terms::balance(const Fitted& fitted) {
  const std::size_t order = m_dimensions.size();
  const bool by_ridge =
      std::all_of(m_ridge.begin(), m_ridge.end(), [](double ridge) { return ridge > 0.0; });
  m_factors.resize(order);
  m_norms.assign(order, std::vector<double>(m_rank, 0.0));
  m_sums = m_norms;
  m_grams.assign(order, std::vector<double>(m_rank * m_rank, 0.0));
  m_free.resize(order);
  std::vector<double> weights(m_rank);
  for (std::size_t n = 0; n < order; ++n) {
    const auto& from = fitted.model.factor(static_cast<int>(n));
    m_factors[n].resize(from.rows() * m_rank);
    for (std::size_t r = 0; r < m_rank; ++r) {
      double square = 0.0;
      for (std::size_t i = 0; i < from.rows(); ++i) square += from(i, r) * from(i, r);
      m_norms[n][r] = std::sqrt(square);
      weights[r] = (n == 0 ? fitted.model.weights()(r) : weights[r]) * m_norms[n][r];
    }
  }
  double shares = 0.0;
  for (std::size_t n = 0; n < order; ++n) shares += by_ridge ? 0.5 * std::log(m_ridge[n]) : 0.0;
  for (std::size_t n = 0; n < order; ++n) {
    const auto& from = fitted.model.factor(static_cast<int>(n));
    m_free[n].assign(m_factors[n].size(), 0);
    for (std::size_t r = 0; r < m_rank; ++r) {
      const double log_norm = (std::log(weights[r]) + shares) / static_cast<double>(order) -
                              (by_ridge ? 0.5 * std::log(m_ridge[n]) : 0.0);
      const double norm = weights[r] > 0.0 ? std::exp(log_norm) : 0.0;
      const double factor = norm > 0.0 ? norm / m_norms[n][r] : 0.0;
      for (std::size_t i = 0; i < from.rows(); ++i) {
        const double element = factor * from(i, r);
        m_factors[n][i * m_rank + r] = element;
        m_sums[n][r] += element;
        const bool at_bound = fitted.nonnegative[n] && element <= least_part * norm;
        m_free[n][i * m_rank + r] = norm > 0.0 && !m_fixed[n] && !at_bound ? 1 : 0;
      }
      m_norms[n][r] = norm;
    }
    for (std::size_t i = 0; i < from.rows(); ++i) {
      for (std::size_t r = 0; r < m_rank; ++r) {
        for (std::size_t q = 0; q < m_rank; ++q) {
          m_grams[n][r * m_rank + q] += at(n, i, r) * at(n, i, q);
        }
      }
    }
  }
}

void Terms::take_entries(const Fitted& fitted, FittedEntries entries) {
  const LossFacts& loss = fitted.loss.facts();
  const Curvature curvature = curvature_of(loss);
  const std::size_t order = m_dimensions.size();
  if (!entries.unlisted_are_missing) {
    m_linear = loss.zero_terms->linear;
    m_square = loss.zero_terms->square;
  }
  measure_noise(fitted, entries);
  const auto model_at = [&](const RowNumber* entry) {
    double m = 0.0;
    for (std::size_t r = 0; r < m_rank; ++r) m += product_without(entry, r, order, order);
    return m;
  };
  // Smaller counts are listed where they are not zero, so that these vary otherwise.
  constexpr double least = 3.0, fewest = 100.0;
  const bool varies = loss.data == LossData::nonnegative && loss.has_variance;
  double squares = 0.0, large = 0.0;
  for (std::size_t e = 0; e < entries.values.size(); ++e) {
    const double x = entries.values[e], m = model_at(&entries.subscripts[e * order]);
    const double mean = fitted.loss.mean(m);
    if (varies && mean >= least) {
      squares += (x - mean) * (x - mean) / fitted.loss.variance(mean);
      large += 1.0;
    }
    m_slopes.push_back(fitted.loss.slope(x, m) - m_linear - 2.0 * m_square * m);
    m_curvatures.push_back(curvature(loss.parameter, x, m) - 2.0 * m_square);
  }
  if (large >= fewest) m_overdispersion = squares / large;
  m_subscripts = std::move(entries.subscripts);
  if (m_linear == 0.0 && m_square == 0.0) return;
  for (std::size_t e = 0; e < entries.missing.size() / order; ++e) {
    m_slopes.push_back(-m_linear - 2.0 * m_square * model_at(&entries.missing[e * order]));
    m_curvatures.push_back(-2.0 * m_square);
  }
  m_subscripts.insert(m_subscripts.end(), entries.missing.begin(), entries.missing.end());
}

void Terms::measure_noise(const Fitted& fitted, const FittedEntries& entries) {
  if (fitted.loss.facts().name != "gaussian") return;
  const std::size_t order = m_dimensions.size();
  double squares = 0.0, counted = static_cast<double>(entries.values.size());
  const auto model_at = [&](const RowNumber* entry) {
    double m = 0.0;
    for (std::size_t r = 0; r < m_rank; ++r) m += product_without(entry, r, order, order);
    return m;
  };
  if (!entries.unlisted_are_missing) {
    for (std::size_t r = 0; r < m_rank; ++r) {
      for (std::size_t q = 0; q < m_rank; ++q) squares += grams_without(r, q, order, order);
    }
    const std::size_t missing = entries.missing.size() / order;
    for (std::size_t e = 0; e < missing; ++e) {
      const double m = model_at(&entries.missing[e * order]);
      squares -= m * m;
    }
    counted = entries.size() - static_cast<double>(missing);
  }
  for (std::size_t e = 0; e < entries.values.size(); ++e) {
    const double x = entries.values[e], m = model_at(&entries.subscripts[e * order]);
    squares += (x - m) * (x - m) - (entries.unlisted_are_missing ? 0.0 : m * m);
  }
  double numbers = 0.0;
  for (std::size_t r = 0; r < m_rank; ++r) {
    double scales = 0.0;
    for (std::size_t n = 0; n < order; ++n) {
      if (is_fitted(n, r)) scales += 1.0;
      for (std::size_t i = 0; i < rows(n); ++i) numbers += is_free(n, i, r) ? 1.0 : 0.0;
    }
    numbers -= std::max(0.0, scales - 1.0);
  }
  // A saturated model leaves nothing to tell the noise by.
  const double left = counted - numbers;
  m_noise_variance =
      left > 0.0 ? std::max(squares, 0.0) / left : std::numeric_limits<double>::quiet_NaN();
  m_dispersion = 2.0 * m_noise_variance;
}

}  // namespace genten::trust
