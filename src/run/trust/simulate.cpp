// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "terms.hpp"

#include <genten/core/random.hpp>
#include <genten/run/trust/bootstrap.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace genten {
namespace {

/// Random bits of a seed and a stream, one after another.
class Draws {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  Draws(std::uint64_t seed, std::uint64_t stream) : m_seed(seed), m_stream(stream) {}
  result_type operator()() { return random_bits(m_seed, m_stream, m_count++); }
  double uniform() { return uniform_from_bits((*this)()); }

 private:
  std::uint64_t m_seed, m_stream, m_count = 0;
};

using Count = std::int64_t;

Count draw_poisson(Draws& draws, double mean) {
  return mean > 0.0 ? std::poisson_distribution<Count>(mean)(draws) : 0;
}

/// Counts of one component: as many as its total has it, divided among the rows of one mode after
/// the other. Work and memory grow with the entries that get counts.
class ComponentCounts {
 public:
  ComponentCounts(const HostModel& model, std::size_t r, std::uint64_t seed, FittedEntries& to)
      : m_draws(seed, r + 1), m_entry(static_cast<std::size_t>(model.order())), m_to(to) {
    double total = model.weights()(r);
    for (const auto& factor : model.factors()) {
      std::vector<double> ends;
      double sum = 0.0;
      for (std::size_t i = 0; i < factor.rows(); ++i) ends.push_back(sum += factor(i, r));
      total *= sum;
      m_ends.push_back(std::move(ends));
    }
    if (total > 0.0) divide(0, draw_poisson(m_draws, total));
  }

 private:
  void divide(std::size_t mode, Count count) {
    if (count == 0) return;
    if (mode == m_entry.size()) {
      m_to.subscripts.insert(m_to.subscripts.end(), m_entry.begin(), m_entry.end());
      m_to.values.push_back(static_cast<double>(count));
      return;
    }
    const auto& ends = m_ends[mode];
    if (count < static_cast<Count>(ends.size())) {
      divide_singly(mode, count);
      return;
    }
    double begin = 0.0;
    for (std::size_t i = 0; i < ends.size() && count > 0; ++i) {
      const double part = ends[i] - begin, left = ends.back() - begin;
      Count own = count;
      if (part < left) {
        own = part > 0.0 ? std::binomial_distribution<Count>(count, part / left)(m_draws) : 0;
      }
      m_entry[mode] = static_cast<RowNumber>(i);
      divide(mode + 1, own);
      count -= own;
      begin = ends[i];
    }
  }
  void divide_singly(std::size_t mode, Count count) {
    const auto& ends = m_ends[mode];
    std::vector<RowNumber> rows;
    for (Count k = 0; k < count; ++k) {
      const double at = m_draws.uniform() * ends.back();
      const auto row = std::upper_bound(ends.begin(), ends.end() - 1, at) - ends.begin();
      rows.push_back(static_cast<RowNumber>(row));
    }
    std::sort(rows.begin(), rows.end());
    for (std::size_t k = 0; k < rows.size();) {
      const std::size_t first = k;
      while (k < rows.size() && rows[k] == rows[first]) ++k;
      m_entry[mode] = rows[first];
      divide(mode + 1, static_cast<Count>(k - first));
    }
  }

  Draws m_draws;
  std::vector<std::vector<double>> m_ends;  ///< by mode, running sums of the column
  std::vector<RowNumber> m_entry;
  FittedEntries& m_to;
};

/// Sorts entries, and adds up those that are named twice.
void add_up(FittedEntries& entries) {
  const std::size_t order = entries.order();
  const auto begin = [&](std::size_t e) {
    return entries.subscripts.begin() + static_cast<std::ptrdiff_t>(e * order);
  };
  std::vector<std::size_t> sorted(entries.values.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  const auto length = static_cast<std::ptrdiff_t>(order);
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    return std::lexicographical_compare(begin(a), begin(a) + length, begin(b), begin(b) + length);
  });
  std::vector<RowNumber> subscripts;
  std::vector<double> values;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const auto entry = begin(sorted[k]);
    if (k != 0 && std::equal(entry, entry + length, begin(sorted[k - 1]))) {
      values.back() += entries.values[sorted[k]];
      continue;
    }
    subscripts.insert(subscripts.end(), entry, entry + length);
    values.push_back(entries.values[sorted[k]]);
  }
  entries.subscripts = std::move(subscripts);
  entries.values = std::move(values);
}

/// The probability of a one under a loss of the name.
double probability(const std::string& loss, double m) {
  if (loss == "bernoulli-odds") return m / (1.0 + m);
  if (loss == "bernoulli-logit") return 1.0 / (1.0 + std::exp(-m));
  return -std::expm1(-m);
}

/// Data of all entries that count, zeros among them where these may be left out again.
FittedEntries simulate_by_component(const Fitted& fitted, std::uint64_t seed) {
  const std::string& loss = fitted.loss.facts().name;
  FittedEntries drawn{fitted.entries.dimensions};
  drawn.missing = fitted.entries.missing;
  for (std::size_t r = 0; r < fitted.model.rank(); ++r) {
    ComponentCounts(fitted.model, r, seed, drawn);
  }
  add_up(drawn);
  drawn = trust::without_missing(std::move(drawn));
  if (loss == "poisson") return drawn;
  const std::size_t order = drawn.order();
  Draws draws(seed, 0);
  std::size_t kept = 0;
  for (std::size_t e = 0; e < drawn.values.size(); ++e) {
    const RowNumber* const entry = &drawn.subscripts[e * order];
    // A count is there with probability 1 - exp(-m), which is no less than m / (1 + m).
    const double m = trust::value_at(fitted.model, entry);
    if (draws.uniform() * probability("bernoulli-poisson", m) >= probability(loss, m)) continue;
    std::copy(entry, entry + order,
              drawn.subscripts.begin() + static_cast<std::ptrdiff_t>(kept * order));
    drawn.values[kept++] = 1.0;
  }
  drawn.subscripts.resize(kept * order);
  drawn.values.resize(kept);
  return drawn;
}

}  // namespace

FittedEntries simulate(const Fitted& fitted, double noise_variance, std::uint64_t seed) {
  const std::string& loss = fitted.loss.facts().name;
  const bool zeros_count = !fitted.entries.unlisted_are_missing;
  if (zeros_count && loss != "gaussian" && loss != "bernoulli-logit") {
    return simulate_by_component(fitted, seed);
  }
  FittedEntries drawn = trust::all_listed(fitted.entries);
  const std::size_t order = drawn.order();
  Draws draws(seed, 0);
  for (std::size_t e = 0; e < drawn.values.size(); ++e) {
    const double m = trust::value_at(fitted.model, &drawn.subscripts[e * order]);
    double& x = drawn.values[e];
    if (loss == "gaussian") {
      x = m + std::sqrt(noise_variance) * random_normal(seed, 0, e);
    } else if (loss == "poisson") {
      x = static_cast<double>(draw_poisson(draws, m));
    } else {
      x = draws.uniform() < probability(loss, m) ? 1.0 : 0.0;
    }
  }
  drawn.missing = fitted.entries.missing;
  drawn.unlisted_are_missing = !zeros_count;
  return drawn;
}

FittedEntries draw_slices(const FittedEntries& entries, int mode, std::uint64_t seed,
                          std::vector<std::size_t>& rows) {
  const auto n = static_cast<std::size_t>(mode);
  const std::size_t order = entries.order(), count = entries.dimensions[n];
  std::vector<std::vector<RowNumber>> places(count);
  rows.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const double at = random_uniform(seed, 0, i) * static_cast<double>(count);
    rows.push_back(std::min(static_cast<std::size_t>(at), count - 1));
    places[rows.back()].push_back(static_cast<RowNumber>(i));
  }
  FittedEntries drawn{entries.dimensions};
  drawn.unlisted_are_missing = entries.unlisted_are_missing;
  const auto copy = [&](const std::vector<RowNumber>& from, std::vector<RowNumber>& to,
                        const auto& and_value) {
    for (std::size_t e = 0; e < from.size() / order; ++e) {
      for (const RowNumber place : places[from[e * order + n]]) {
        const auto entry = from.begin() + static_cast<std::ptrdiff_t>(e * order);
        to.insert(to.end(), entry, entry + static_cast<std::ptrdiff_t>(order));
        to[to.size() - order + n] = place;
        and_value(e);
      }
    }
  };
  copy(entries.subscripts, drawn.subscripts,
       [&](std::size_t e) { drawn.values.push_back(entries.values[e]); });
  copy(entries.missing, drawn.missing, [](std::size_t) {});
  return drawn;
}

}  // namespace genten
