// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/base/error.hpp>
#include <genten/base/option_field.hpp>
#include <genten/cp/detail/compare/zeros_alone.hpp>
#include <genten/cp/detail/project/row_sums.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace genten::detail {
namespace {

/// Where a loss of the list writes its derivatives.
struct DerivativesAt {
  double x, m;
  LossAt* to;

  template <class L>
  double operator()(const L& loss) const {
    to->value = loss.value(x, m);
    to->slope = loss.slope(x, m);
    if constexpr (loss_requirements::HasCurvature<L>) {
      to->curvature = loss.curvature(x, m);
    } else {
      to->curvature = std::numeric_limits<double>::quiet_NaN();
    }
    return 0.0;
  }
};

bool is_convex(const LossFacts& facts) {
  constexpr std::array<std::string_view, 7> always{
      "gaussian",        "weighted",         "huber", "poisson", "poisson-log",
      "bernoulli-logit", "bernoulli-poisson"};
  if (std::find(always.begin(), always.end(), facts.name) != always.end()) return true;
  return facts.name == "beta" && facts.parameter >= 1.0 && facts.parameter <= 2.0;
}

}  // namespace

RowLoss::RowLoss(const AnyLoss& loss) : m_loss(loss) {
  if (loss.kernel().is_listed()) {
    int at = 0;
    LossList::for_each([&]<class L>() {
      if (L::name == loss.facts().name) m_index = at;
      ++at;
    });
    m_convex = detail::is_convex(loss.facts());
  }
}

LossAt RowLoss::at(double x, double m) const {
  LossAt result;
  if (m_index >= 0) {
    LossList::call(m_index, facts().parameter, DerivativesAt{x, m, &result});
    if (!std::isnan(result.curvature)) return result;
  }
  result.value = value(x, m);
  result.slope = slope(x, m);
  const auto [below, above] = around(m);
  result.curvature = (slope(x, above) - slope(x, below)) / (above - below);
  return result;
}

std::pair<double, double> RowLoss::around(double m) const {
  const double step = 1e-6 * (1.0 + std::abs(m));
  return {is_nonnegative() ? std::max(m - step, 0.0) : m - step, m + step};
}

std::vector<LossAt> RowLoss::at(const std::vector<double>& x, const std::vector<double>& m,
                                bool derivatives) const {
  const BlockLoss& loss = *m_loss.blocks();
  const std::size_t count = x.size();
  std::vector<LossAt> result(count);
  std::vector<double> found(count), below(count), above(count), slopes(count);
  if (count == 0) return result;
  loss.value(x.data(), m.data(), found.data(), count);
  for (std::size_t p = 0; p < count; ++p) result[p].value = found[p];
  if (!derivatives) return result;
  for (std::size_t p = 0; p < count; ++p) std::tie(below[p], above[p]) = around(m[p]);
  loss.slope(x.data(), m.data(), found.data(), count);
  loss.slope(x.data(), above.data(), slopes.data(), count);
  for (std::size_t p = 0; p < count; ++p) {
    result[p].slope = found[p];
    result[p].curvature = slopes[p] / (above[p] - below[p]);
  }
  loss.slope(x.data(), below.data(), slopes.data(), count);
  for (std::size_t p = 0; p < count; ++p) {
    result[p].curvature -= slopes[p] / (above[p] - below[p]);
  }
  return result;
}

bool RowLoss::explains_from_zero() const {
  return facts().data == LossData::real && !is_nonnegative();
}

void OtherFactors::complete() {
  sums.assign(rank, 1.0);
  gram.assign(rank * rank, 1.0);
  entries = 1.0;
  for (std::size_t n = 0; n < modes(); ++n) {
    std::vector<double> sum(rank, 0.0), square(rank * rank, 0.0);
    for (std::size_t i = 0; i < lengths[n]; ++i) {
      const double* const row = rows[n].data() + i * rank;
      for (std::size_t r = 0; r < rank; ++r) {
        sum[r] += row[r];
        for (std::size_t s = 0; s <= r; ++s) square[r * rank + s] += row[r] * row[s];
      }
    }
    for (std::size_t r = 0; r < rank; ++r) {
      sums[r] *= sum[r];
      for (std::size_t s = 0; s <= r; ++s) {
        gram[r * rank + s] *= square[r * rank + s];
        gram[s * rank + r] = gram[r * rank + s];
      }
    }
    entries *= static_cast<double>(lengths[n]);
  }
}

std::vector<DoubleDouble> OtherFactors::precise_sums() const {
  std::vector<DoubleDouble> result(rank, DoubleDouble(1.0));
  for (std::size_t n = 0; n < modes(); ++n) {
    for (std::size_t r = 0; r < rank; ++r) {
      DoubleDouble sum;
      for (std::size_t i = 0; i < lengths[n]; ++i) sum += rows[n][i * rank + r];
      result[r] *= sum;
    }
  }
  return result;
}

void OtherFactors::product(const std::uint64_t* subscripts, double* to) const {
  std::copy_n(rows[0].data() + subscripts[0] * rank, rank, to);
  for (std::size_t n = 1; n < modes(); ++n) {
    const double* const row = rows[n].data() + subscripts[n] * rank;
    for (std::size_t r = 0; r < rank; ++r) to[r] *= row[r];
  }
}

bool OtherFactors::any_negative() const {
  // A component may have its signs in pairs.
  for (std::size_t r = 0; r < rank; ++r) {
    bool positive = true;
    for (std::size_t n = 0; n < modes(); ++n) {
      bool up = false, down = false;
      for (std::size_t i = 0; i < lengths[n]; ++i) {
        up = up || rows[n][i * rank + r] > 0.0;
        down = down || rows[n][i * rank + r] < 0.0;
      }
      if (up && down) return true;
      if (!up && !down) {
        positive = true;  // the component is 0
        break;
      }
      if (down) positive = !positive;
    }
    if (!positive) return true;
  }
  return false;
}

RowProblem::RowProblem(const AnyLoss& of, OtherFactors factors, const ProjectOptions& asked)
    : loss(of), others(std::move(factors)), options(asked) {
  const LossFacts& facts = loss.facts();
  RowConstraint& constraint = options.constraint;
  if (!(options.loss_factor > 0.0) || !(options.tolerance >= 0.0) || options.starts == 0 ||
      !(constraint.ridge >= 0.0) || !(constraint.l1 >= 0.0)) {
    throw Error::in("project_rows",
                    "expected a factor of the loss and starts above 0, and a tolerance and "
                    "penalties of at least 0");
  }
  if (loss.is_nonnegative()) {
    constraint.lower = std::max(constraint.lower, 0.0);
    if (others.any_negative()) {
      throw Error("loss " + facts.text() +
                  ": expected a model whose weights and other factors are nonnegative, got "
                  "negative ones");
    }
  }
  if (!(constraint.lower <= constraint.upper) || constraint.lower == RowConstraint::none ||
      constraint.upper == -RowConstraint::none) {
    throw Error::in("project_rows", "no number is from " + number_text(constraint.lower) + " to " +
                                        number_text(constraint.upper));
  }
  if (options.unlisted == UnlistedEntries::missing) return;
  if (!facts.takes_zeros) {
    throw Error("loss " + facts.text() +
                ": zeros have no minimum: expected unlisted entries to be missing");
  }
  zero_terms = facts.zero_terms;
  zeros = zero_terms ? RowZeros::closed_form : RowZeros::enumerated;
  if (grows_beyond_zeros(facts)) precise_sums = others.precise_sums();
  const double operations = others.entries * static_cast<double>(others.rank);
  if (!zero_terms && operations > options.most_operations) {
    throw Error("loss " + facts.text() + ": going through the " + number_text(others.entries) +
                " entries of a slice takes " + number_text(operations) +
                " operations, more than most_operations, " + number_text(options.most_operations));
  }
}

RowSums::RowSums(const RowProblem& task, const RowEntries& entries_of)
    : gradient(task.others.rank), terms(task.others.rank), m_task(task), m_entries(entries_of) {
  hessian.resize(gradient.size() * gradient.size());
  m_product.resize(gradient.size());
  constexpr std::size_t least_rank = 8;  // below it the loops here are as fast
  if (gradient.size() >= least_rank) m_block.resize(rows_in_block * gradient.size());
  const auto modes = task.others.modes();
  entries = task.zeros == RowZeros::missing
                ? static_cast<double>(entries_of.values.size())
                : task.others.entries - static_cast<double>(entries_of.missing.size() / modes);
  if (!task.precise_sums.empty()) find_sums_at_zeros();
}

void RowSums::find_sums_at_zeros() {
  const OtherFactors& others = m_task.others;
  const std::size_t rank = gradient.size(), modes = others.modes();
  std::vector<DoubleDouble> sums = m_task.precise_sums;
  const auto subtract = [&](const std::vector<std::uint64_t>& subscripts) {
    for (std::size_t p = 0; p < subscripts.size(); p += modes) {
      for (std::size_t r = 0; r < rank; ++r) {
        DoubleDouble product(1.0);
        for (std::size_t n = 0; n < modes; ++n) {
          product *= others.rows[n][subscripts[p + n] * rank + r];
        }
        sums[r] = sums[r] - product;
      }
    }
  };
  subtract(m_entries.subscripts);
  subtract(m_entries.missing);
  std::size_t summed = (m_entries.subscripts.size() + m_entries.missing.size()) / modes;
  for (const std::size_t length : others.lengths) summed += length;
  const double rounding = DoubleDouble::epsilon * static_cast<double>(summed);
  m_at_zeros.resize(rank);
  for (std::size_t r = 0; r < rank; ++r) {
    const double least = rounding * m_task.precise_sums[r].high;
    m_at_zeros[r] = sums[r].high > least ? sums[r].high : 0.0;
  }
}

double RowSums::listed_sum() const {
  return std::accumulate(m_entries.values.begin(), m_entries.values.end(), 0.0);
}

template <class Visit>
void RowSums::for_each_entry(const Visit& visit) {
  const OtherFactors& others = m_task.others;
  const std::size_t modes = others.modes(), listed = m_entries.values.size();
  double* const k = m_product.data();
  const auto at = [&](const std::uint64_t* subscripts, double x, double sign) {
    others.product(subscripts, k);
    visit(x, k, sign);
  };
  if (m_task.zeros != RowZeros::enumerated) {
    for (std::size_t p = 0; p < listed; ++p) {
      at(&m_entries.subscripts[p * modes], m_entries.values[p], 1.0);
    }
    if (m_task.zeros == RowZeros::missing) return;
    for (std::size_t p = 0; p < m_entries.missing.size(); p += modes) {
      at(&m_entries.missing[p], 0.0, -1.0);
    }
    return;
  }
  std::vector<std::uint64_t> subscripts(modes, 0);
  const auto is_at = [&](const std::vector<std::uint64_t>& list, std::size_t p) {
    return p < list.size() && std::equal(subscripts.begin(), subscripts.end(), &list[p]);
  };
  std::size_t next = 0, next_missing = 0;
  const auto last = static_cast<std::uint64_t>(others.entries);
  for (std::uint64_t entry = 0; entry < last; ++entry) {
    if (is_at(m_entries.missing, next_missing)) {
      next_missing += modes;
    } else if (is_at(m_entries.subscripts, next * modes)) {
      at(subscripts.data(), m_entries.values[next], 1.0);
      ++next;
    } else {
      at(subscripts.data(), 0.0, 1.0);
    }
    for (std::size_t n = modes; n-- > 0;) {
      if (++subscripts[n] < others.lengths[n]) break;
      subscripts[n] = 0;
    }
  }
}

void RowSums::add_entry(const LossAt& at, double x, double m, const double* k, double sign,
                        bool derivatives) {
  loss += sign * at.value;
  magnitude += std::abs(at.value);
  if (!derivatives) return;
  const std::size_t rank = gradient.size();
  const double size = std::abs(at.slope) + std::abs(at.curvature * m);
  const double slope = sign * at.slope;
  for (std::size_t r = 0; r < rank; ++r) {
    gradient[r] += slope * k[r];
    terms[r] += size * std::abs(k[r]);
  }
  const double curvature = sign * at.curvature;
  const auto add = [&](std::vector<double>& to, double by) {
    if (by == 0.0) return;
    if (by > 0.0 && &to == &hessian && !m_block.empty()) return add_to_block(by, k);
    for (std::size_t r = 0; r < rank; ++r) {
      const double of_row = by * k[r];
      for (std::size_t s = 0; s <= r; ++s) to[r * rank + s] += of_row * k[s];
    }
  };
  // Where f is linear or concave: that of a parabola through the point with its minimum at x.
  const bool closed = m_task.zeros == RowZeros::closed_form;
  const double positive = closed || at.curvature > 0.0 ? curvature
                          : at.curvature < 0.0
                              ? -curvature
                              : sign * std::abs(at.slope) / (std::abs(m - x) + 1e-300);
  if (positive != curvature && !differ) {
    differ = true;
    add_block();
    convex = hessian;
  }
  add(hessian, curvature);
  if (differ) add(convex, positive);
}

void RowSums::add_closed_form(const std::vector<double>& row, bool derivatives) {
  const OtherFactors& others = m_task.others;
  const ZeroTerms& zero = *m_task.zero_terms;
  const std::vector<double>& sums = m_at_zeros.empty() ? others.sums : m_at_zeros;
  const std::size_t rank = row.size();
  double linear = 0.0, square = 0.0;
  for (std::size_t r = 0; r < rank; ++r) {
    linear += sums[r] * row[r];
    double sum = 0.0, size = 0.0;
    for (std::size_t s = 0; s < rank; ++s) {
      const double term = others.gram[r * rank + s] * row[s];
      sum += term;
      size += std::abs(term);
    }
    square += row[r] * sum;
    if (!derivatives) continue;
    gradient[r] += zero.linear * sums[r] + 2.0 * zero.square * sum;
    terms[r] += std::abs(zero.linear * sums[r]) + 2.0 * std::abs(zero.square) * size;
  }
  loss += zero.constant * others.entries + zero.linear * linear + zero.square * square;
  magnitude += std::abs(zero.linear * linear) + std::abs(zero.square * square);
  if (!derivatives || zero.square == 0.0) return;
  for (std::size_t i = 0; i < hessian.size(); ++i) hessian[i] += 2.0 * zero.square * others.gram[i];
}

void RowSums::add_to_block(double curvature, const double* k) {
  const double root = std::sqrt(curvature);
  double* const to = &m_block[m_in_block * gradient.size()];
  for (std::size_t r = 0; r < gradient.size(); ++r) to[r] = root * k[r];
  if (++m_in_block == rows_in_block) add_block();
}

void RowSums::add_block() {
  if (m_in_block == 0) return;
  const std::size_t rank = gradient.size();
  std::fill(m_block.begin() + static_cast<std::ptrdiff_t>(m_in_block * rank), m_block.end(), 0.0);
  m_in_block = 0;
  const double *const a = m_block.data(), *const b = a + rank, *const c = b + rank,
                      *const d = c + rank;
  for (std::size_t r = 0; r < rank; ++r) {
    double* KOKKOS_RESTRICT const to = &hessian[r * rank];
    const double of_a = a[r], of_b = b[r], of_c = c[r], of_d = d[r];
    for (std::size_t s = 0; s <= r; ++s) {
      to[s] += of_a * a[s] + of_b * b[s] + of_c * c[s] + of_d * d[s];
    }
  }
}

void RowSums::mirror() {
  const std::size_t rank = gradient.size();
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t s = 0; s < r; ++s) {
      hessian[s * rank + r] = hessian[r * rank + s];
      if (differ) convex[s * rank + r] = convex[r * rank + s];
    }
  }
}

void RowSums::add_by_blocks(const std::vector<double>& row, bool derivatives) {
  constexpr std::size_t most = 4096;
  const std::size_t rank = row.size();
  std::vector<double> x, m, products;
  const auto add = [&] {
    const std::vector<LossAt> at = m_task.loss.at(x, m, derivatives);
    for (std::size_t p = 0; p < at.size(); ++p) {
      add_entry(at[p], x[p], m[p], &products[p * rank], 1.0, derivatives);
    }
    for (auto* each : {&x, &m, &products}) each->clear();
  };
  for_each_entry([&](double each, const double* k, double) {
    x.push_back(each);
    m.push_back(std::inner_product(row.begin(), row.end(), k, 0.0));
    products.insert(products.end(), k, k + rank);
    if (x.size() == most) add();
  });
  add();
}

void RowSums::compute(const std::vector<double>& row, bool derivatives) {
  const std::size_t rank = row.size();
  loss = magnitude = 0.0;
  if (derivatives) {
    differ = false;
    for (auto* each : {&gradient, &terms, &hessian}) std::fill(each->begin(), each->end(), 0.0);
  }
  const bool closed = m_task.zeros == RowZeros::closed_form;
  if (closed) add_closed_form(row, derivatives);
  // What the closed form has at listed and missing entries, unless it is of the zeros alone.
  const ZeroTerms zero = closed && m_at_zeros.empty() ? *m_task.zero_terms : ZeroTerms();
  if (m_task.loss.is_of_blocks()) {  // which have no closed form
    add_by_blocks(row, derivatives);
  } else {
    for_each_entry([&](double x, const double* k, double sign) {
      double m = 0.0;
      for (std::size_t r = 0; r < rank; ++r) m += k[r] * row[r];
      LossAt at;
      if (sign > 0.0) {
        at = derivatives ? m_task.loss.at(x, m) : LossAt{m_task.loss.value(x, m)};
        if (closed) {
          at.value -= zero.constant + m * (zero.linear + m * zero.square);
          at.slope -= zero.linear + 2.0 * zero.square * m;
          at.curvature -= 2.0 * zero.square;
        }
      } else {
        at = {zero.constant + m * (zero.linear + m * zero.square),
              zero.linear + 2.0 * zero.square * m, 2.0 * zero.square};
      }
      add_entry(at, x, m, k, sign, derivatives);
    });
  }
  if (derivatives) {
    add_block();
    mirror();
  }
  // Logarithms of numbers near 1 are rounded as these are.
  if (!m_at_zeros.empty()) magnitude += static_cast<double>(m_entries.values.size());
  const double factor = m_task.options.loss_factor, ridge = m_task.options.constraint.ridge;
  loss *= factor;
  magnitude *= factor;
  value = loss;
  for (std::size_t r = 0; r < rank; ++r) value += 0.5 * ridge * row[r] * row[r];
  if (!derivatives) return;
  for (double& each : hessian) each *= factor;
  if (differ) {
    for (double& each : convex) each *= factor;
  }
  for (std::size_t r = 0; r < rank; ++r) {
    gradient[r] = factor * gradient[r] + ridge * row[r];
    terms[r] = factor * terms[r] + std::abs(ridge * row[r]) + m_task.options.constraint.l1;
    hessian[r * rank + r] += ridge;
    if (differ) convex[r * rank + r] += ridge;
  }
}

std::vector<double> RowSums::value_products() {
  const auto modes = m_task.others.modes();
  std::vector<double> sums(gradient.size(), 0.0);
  for (std::size_t p = 0; p < m_entries.values.size(); ++p) {
    m_task.others.product(&m_entries.subscripts[p * modes], m_product.data());
    for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += m_entries.values[p] * m_product[r];
  }
  return sums;
}

const std::vector<double>& RowSums::mean_products() {
  if (!m_mean.empty() || entries == 0.0) return m_mean;
  const std::size_t rank = gradient.size();
  m_mean.assign(rank, 0.0);
  const bool closed = m_task.zeros == RowZeros::closed_form;
  if (closed) m_mean = m_task.others.sums;
  for_each_entry([&](double, const double* k, double sign) {
    if (closed && sign > 0.0) return;
    for (std::size_t r = 0; r < rank; ++r) m_mean[r] += sign * k[r];
  });
  for (double& each : m_mean) each /= entries;
  return m_mean;
}

}  // namespace genten::detail
