// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "terms.hpp"

#include <genten/core/ktensor_ops.hpp>
#include <genten/core/random.hpp>
#include <genten/run/trust/run_trust.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace genten {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// The quantile of sorted numbers, linear between them.
double quantile(const std::vector<double>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// One number of all refits; NaN where a refit has none.
class Samples {
 public:
  Samples(std::size_t numbers, std::size_t refits)
      : m_numbers(numbers), m_values(numbers * refits, none) {}
  double& at(std::size_t refit, std::size_t number) { return m_values[refit * m_numbers + number]; }

  /// `fitted` are the numbers of the model, which are not negative where they are `bounded`.
  [[nodiscard]] IntervalNumbers intervals(const std::vector<double>& fitted, bool bounded) const {
    IntervalNumbers found{std::vector<double>(m_numbers, none), {}, {}};
    found.upper = found.deviation = found.lower;
    for (std::size_t number = 0; number < m_numbers; ++number) {
      std::vector<double> values;
      double sum = 0.0, squares = 0.0;
      for (std::size_t k = number; k < m_values.size(); k += m_numbers) {
        if (std::isnan(m_values[k])) continue;
        values.push_back(m_values[k]);
        sum += m_values[k];
      }
      if (values.size() < 2) continue;
      std::sort(values.begin(), values.end());
      const auto count = static_cast<double>(values.size());
      for (const double value : values) squares += (value - sum / count) * (value - sum / count);
      // Refits are off in the same way as the model is, by a ridge above all.
      const double off = quantile(values, 0.5) - fitted[number];
      const double least = bounded ? 0.0 : -std::numeric_limits<double>::infinity();
      found.lower[number] = std::max(least, quantile(values, Bootstrap::lowest) - off);
      found.upper[number] = std::max(least, quantile(values, Bootstrap::highest) - off);
      found.deviation[number] = std::sqrt(squares / (count - 1.0));
    }
    return found;
  }

 private:
  std::size_t m_numbers;
  std::vector<double> m_values;
};

/// The model as it is reported of data whose slices of a mode are those `rows`.
HostModel guess_of(const HostModel& model, int mode, const std::vector<std::size_t>& rows) {
  HostModel guess = clone(model);
  if (mode < 0) return guess;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t r = 0; r < model.rank(); ++r) {
      guess.factor(mode)(i, r) = model.factor(mode)(rows[i], r);
    }
  }
  return guess;
}

/// 1, or -1 where a column points against another one.
double sign_between(const HostModel::factor_type& one, std::size_t r,
                    const HostModel::factor_type& other, std::size_t q) {
  double product = 0.0;
  for (std::size_t i = 0; i < one.rows(); ++i) product += one(i, r) * other(i, q);
  return product < 0.0 ? -1.0 : 1.0;
}

}  // namespace

Bootstrap bootstrap(const Fitted& fitted, std::size_t refits, int mode, std::uint64_t seed,
                    const Refit& refit) {
  const HostExec exec;
  const HostModel model = clone(fitted.model);
  normalize(exec, model, fitted.norm);
  Fitted drawn_from = fitted;
  drawn_from.model = model;
  const bool is_gaussian = fitted.loss.facts().name == "gaussian";
  const double noise = mode < 0 && is_gaussian ? trust::Terms(drawn_from).noise_variance() : 1.0;
  const std::size_t rank = model.rank(), order = fitted.entries.order();
  Bootstrap result;
  result.asked = refits;
  result.found.assign(rank, 0.0);
  Samples weights(rank, refits);
  std::vector<Samples> factors;
  for (const auto& factor : model.factors()) factors.emplace_back(factor.rows() * rank, refits);
  std::vector<std::size_t> rows;
  for (std::size_t b = 0; b < refits; ++b) {
    const std::uint64_t own = random_bits(seed, b);
    const FittedEntries entries =
        mode < 0 ? simulate(drawn_from, noise, own) : draw_slices(fitted.entries, mode, own, rows);
    ++result.refits;
    if (entries.values.empty()) continue;
    const HostModel guess = guess_of(model, mode, rows);
    const std::optional<HostModel> fit = refit(entries, guess);
    if (!fit) {
      --result.refits;
      break;
    }
    const HostModel& found = *fit;
    normalize(exec, found, fitted.norm);
    const auto match = score(exec, found, guess, ScoreOptions{.weight_penalty = false});
    for (std::size_t r = 0; r < rank; ++r) {
      if (match.component_scores[r] < ComponentStability::least_score) continue;
      const std::size_t q = match.permutation[r];
      result.found[r] += 1.0;  // counted, until all are
      weights.at(b, r) = found.weights()(q);
      for (std::size_t n = 0; n < order; ++n) {
        if (static_cast<int>(n) == mode) continue;
        const auto& to = model.factor(static_cast<int>(n));
        const auto& from = found.factor(static_cast<int>(n));
        const double sign = sign_between(to, r, from, q);
        for (std::size_t i = 0; i < to.rows(); ++i) {
          factors[n].at(b, i * rank + r) = sign * from(i, q);
        }
      }
    }
  }
  for (double& found : result.found) {
    found = result.refits == 0 ? none : found / static_cast<double>(result.refits);
  }
  result.weights = weights.intervals(host_weights(exec, model), true);
  for (std::size_t n = 0; n < order; ++n) {
    const auto& factor = model.factor(static_cast<int>(n));
    std::vector<double> numbers;
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      numbers.insert(numbers.end(), factor.row(i), factor.row(i) + rank);
    }
    result.factors.push_back(factors[n].intervals(numbers, fitted.nonnegative[n]));
  }
  return result;
}

}  // namespace genten
