// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/random.hpp>
#include <genten/cp/detail/project/bounded_quadratic.hpp>
#include <genten/cp/detail/project/quadratic_rows.hpp>
#include <genten/cp/detail/project/solve_row.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace genten::detail {
namespace {

using Vector = std::vector<double>;

double one_norm(const Vector& vector) {
  return std::accumulate(vector.begin(), vector.end(), 0.0,
                         [](double sum, double each) { return sum + std::abs(each); });
}

/// Newton's method from one start.
class Newton {
 public:
  Newton(const RowProblem& task, RowSums& sums)
      : m_task(task),
        m_sums(sums),
        m_box{task.options.constraint.lower, task.options.constraint.upper,
              task.options.constraint.l1} {}

  ProjectedRow run(Vector& row) {
    ProjectedRow found;
    m_sums.compute(row, true);
    found.kkt = kkt(row);
    while (found.kkt > m_task.options.tolerance &&
           found.iterations < m_task.options.max_iterations) {
      ++found.iterations;
      if (!step(row, found.kkt)) break;
    }
    found.converged = found.kkt <= m_task.options.tolerance;
    found.loss = m_sums.loss;
    found.entries = m_sums.entries;
    m_objective = objective(row);
    return found;
  }
  /// With penalties, where `run` has ended.
  [[nodiscard]] double reached() const { return m_objective; }

 private:
  [[nodiscard]] double objective(const Vector& row) const {
    return m_box.l1 > 0.0 ? m_sums.value + m_box.l1 * one_norm(row) : m_sums.value;
  }

  [[nodiscard]] double kkt(const Vector& row) const {
    double worst = 0.0;
    for (std::size_t r = 0; r < row.size(); ++r) {
      const double wrong = violation(row[r], m_sums.gradient[r], m_box);
      if (wrong > 0.0) worst = std::max(worst, wrong / m_sums.terms[r]);
    }
    return std::isfinite(m_sums.value) ? worst : std::numeric_limits<double>::infinity();
  }

  /// The minimum of the quadratic program, with a matrix that is positive definite on the elements
  /// that may move.
  void find_target(const Vector& row) {
    const std::size_t rank = row.size();
    m_chosen.clear();
    for (std::size_t r = 0; r < rank; ++r) {
      const double g = m_sums.gradient[r];
      const bool held = (row[r] <= m_box.lower && g + m_box.l1 >= 0.0) ||
                        (row[r] >= m_box.upper && g - m_box.l1 <= 0.0);
      if (!held) m_chosen.push_back(r);
    }
    m_target = row;
    const Vector* matrix = &m_sums.hessian;
    if (m_sums.differ) {
      m_cholesky.factorize(*matrix, rank, m_chosen);
      if (!m_cholesky.positive()) matrix = &m_sums.convex;
    }
    m_linear = m_sums.gradient;
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t s = 0; s < rank; ++s) m_linear[r] -= (*matrix)[r * rank + s] * row[s];
    }
    m_quadratic.minimize(*matrix, m_linear, m_chosen, m_box, m_target);
  }

  /// Whether a step was found that lowers the objective or, where rounding hides that, the
  /// violation; `now` is that of the row.
  bool step(Vector& row, double& now) {
    find_target(row);
    double descent = m_box.l1 > 0.0 ? m_box.l1 * (one_norm(m_target) - one_norm(row)) : 0.0;
    for (std::size_t r = 0; r < row.size(); ++r) {
      descent += m_sums.gradient[r] * (m_target[r] - row[r]);
    }
    if (!std::isfinite(descent)) return false;
    const double before = objective(row), rounding = 1e-12 * m_sums.magnitude;
    constexpr int most_halvings = 60;
    double part = 1.0;
    for (int halving = 0; halving < most_halvings; ++halving, part *= 0.5) {
      m_trial = row;
      for (std::size_t r = 0; r < row.size(); ++r) {
        const double to = part == 1.0 ? m_target[r] : row[r] + part * (m_target[r] - row[r]);
        m_trial[r] = std::clamp(to, m_box.lower, m_box.upper);
      }
      m_sums.compute(m_trial, false);
      const double after = objective(m_trial);
      if (!std::isfinite(after)) continue;
      const bool lower = descent < 0.0 && after <= before + 1e-4 * part * descent;
      const bool hidden = std::abs(part * descent) <= rounding && after <= before + rounding;
      if (!lower && !hidden) continue;
      m_sums.compute(m_trial, true);
      const double then = kkt(m_trial);
      if (lower || then < now) {
        row = m_trial;
        now = then;
        return true;
      }
    }
    m_sums.compute(row, true);
    return false;
  }

  const RowProblem& m_task;
  RowSums& m_sums;
  BoxL1 m_box;
  ScaledCholesky m_cholesky;
  BoundedQuadratic m_quadratic;
  std::vector<std::size_t> m_chosen;
  Vector m_target, m_linear, m_trial;
  double m_objective = 0.0;
};

/// The row that a start begins from: 0 where the loss takes any number, else the same part of the
/// mean for each component, or parts at random.
Vector start_row(const RowProblem& task, RowSums& sums, std::size_t start) {
  const std::size_t rank = task.others.rank;
  Vector row(rank, 0.0);
  if (task.loss.is_nonnegative() && sums.entries > 0.0) {
    const Vector& products = sums.mean_products();
    const double mean = sums.listed_sum() / sums.entries;
    Vector part(rank, 1.0);
    for (std::size_t r = 0; start > 0 && r < rank; ++r) {
      part[r] = -std::log1p(-random_uniform(task.options.seed, start, r));
    }
    const double all = std::accumulate(part.begin(), part.end(), 0.0);
    for (std::size_t r = 0; r < rank; ++r) {
      if (products[r] > 0.0) row[r] = mean * part[r] / all / products[r];
    }
  } else if (start > 0) {
    for (std::size_t r = 0; r < rank; ++r) row[r] = random_normal(task.options.seed, start, r);
  }
  const RowConstraint& bounds = task.options.constraint;
  for (double& each : row) each = std::clamp(each, bounds.lower, bounds.upper);
  return row;
}

/// Whether listed entries alone count, and they are too few to determine a row of least squares.
bool is_underdetermined(const RowProblem& task, const RowEntries& entries) {
  return task.zeros == RowZeros::missing && task.options.constraint.is_free() &&
         task.loss.facts().name == "gaussian" && entries.values.size() < task.others.rank;
}

/// Of the rows with the least sum of squares over listed entries the one of least norm, by columns
/// of unit norm. Iterated Tikhonov regularization from 0: each step takes a part of
/// regularization / (eigenvalue + regularization) of the error, and none leaves the row space.
Vector least_norm_row(const RowProblem& task, const RowEntries& entries) {
  constexpr double regularization = 1e-5;
  constexpr int steps = 12;
  const std::size_t rank = task.others.rank, modes = task.others.modes();
  Vector products, matrix(rank * rank, 0.0), row(rank, 0.0), step(rank), k(rank);
  for (std::size_t p = 0; p < entries.values.size(); ++p) {
    task.others.product(&entries.subscripts[p * modes], k.data());
    products.insert(products.end(), k.begin(), k.end());
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t s = 0; s < rank; ++s) matrix[r * rank + s] += k[r] * k[s];
    }
  }
  double trace = 0.0, whole = 0.0;
  for (std::size_t r = 0; r < rank; ++r) {
    trace += matrix[r * rank + r];
    whole += task.others.gram[r * rank + r];
  }
  if (!(trace > 0.0)) return row;
  std::vector<std::size_t> all(rank);
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t r = 0; r < rank; ++r) {
    matrix[r * rank + r] += regularization * trace * (task.others.gram[r * rank + r] / whole);
  }
  ScaledCholesky cholesky;
  cholesky.factorize(matrix, rank, all);
  for (int i = 0; i < steps; ++i) {
    std::fill(step.begin(), step.end(), 0.0);
    for (std::size_t p = 0; p < entries.values.size(); ++p) {
      const double* const at = &products[p * rank];
      const double rest = entries.values[p] - std::inner_product(at, at + rank, row.begin(), 0.0);
      for (std::size_t r = 0; r < rank; ++r) step[r] += rest * at[r];
    }
    cholesky.solve(step);
    for (std::size_t r = 0; r < rank; ++r) row[r] += step[r];
  }
  return row;
}

/// The least sum of f(x, m) over values and so many zeros by one m, from the sign of its slope.
double least_of_constant(const RowLoss& loss, std::span<const double> values, double zeros) {
  const auto sum = [&](const auto& of, double m) {
    double total = zeros > 0.0 ? zeros * of(0.0, m) : 0.0;
    for (const double x : values) total += of(x, m);
    return total;
  };
  const auto value = [&](double x, double m) { return loss.value(x, m); };
  const auto falls = [&](double m) {
    return sum([&](double x, double at) { return loss.slope(x, at); }, m) < 0.0;
  };
  constexpr double largest = 1e15;
  double low = 0.0, high = 0.0, width = 1.0;
  const bool rises = falls(0.0);
  if (!rises && loss.is_nonnegative()) return sum(value, 0.0);
  // The first power of two beyond which the slope has the other sign.
  const double side = rises ? 1.0 : -1.0;
  while (width < largest && falls(side * width) == rises) width *= 2.0;
  (rises ? high : low) = side * width;
  constexpr int most = 1200;  // halvings, some of them of the exponent
  for (int i = 0; i < most; ++i) {
    const double middle = rises && low == 0.0 && high < 1.0 && high > 1e-300 && !falls(high * 1e-3)
                              ? high * 1e-3
                              : 0.5 * (low + high);
    if (!(middle > low && middle < high) || high - low <= 1e-15 * std::abs(middle)) break;
    (falls(middle) ? low : high) = middle;
  }
  return std::min(sum(value, low), sum(value, high));
}

/// Takes out entries that are not 0 where the model is, whatever the row. Returns the loss there.
double take_impossible(const RowProblem& task, const RowEntries& entries, std::vector<double>& left,
                       std::size_t& impossible) {
  std::vector<double> products(task.others.rank);
  double loss = 0.0;
  for (std::size_t p = 0; p < entries.values.size(); ++p) {
    const double x = entries.values[p];
    task.others.product(entries.subscripts.data() + p * task.others.modes(), products.data());
    const bool is_zero =
        std::all_of(products.begin(), products.end(), [](double each) { return each == 0.0; });
    if (x == 0.0 || !is_zero) {
      left.push_back(x);
      continue;
    }
    ++impossible;
    loss += task.loss.value(x, 0.0);
  }
  return loss;
}

}  // namespace

void explain(const RowLoss& loss, std::span<const double> values, double zeros, double reached,
             ProjectedRow& row) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double zero = 0.0;
  const bool from_zero = loss.explains_from_zero();
  const bool vanishes = from_zero && loss.is_convex();  // where m is x
  double least = !vanishes && zeros > 0.0 ? zeros * least_of_constant(loss, {&zero, 1}, 0.0) : 0.0;
  for (std::size_t i = 0; !vanishes && i < sorted.size();) {
    const auto next = std::upper_bound(sorted.begin(), sorted.end(), sorted[i]) - sorted.begin();
    const auto many = static_cast<double>(static_cast<std::size_t>(next) - i);
    least += many * least_of_constant(loss, {&sorted[i], 1}, 0.0);
    i = static_cast<std::size_t>(next);
  }
  const auto of_constant = [&](double m) {
    double sum = zeros * loss.value(0.0, m);
    for (const double x : sorted) sum += loss.value(x, m);
    return sum;
  };
  const double base = from_zero ? of_constant(0.0) : least_of_constant(loss, sorted, zeros);
  const double room = base - least;
  const double size = std::abs(base) + std::abs(least);
  if (!(room > 1e-12 * size)) return;
  row.explained = 1.0 - (reached - least) / room;
  if (!from_zero) return;
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) /
                      (static_cast<double>(sorted.size()) + zeros);
  row.varying = std::clamp((of_constant(mean) - least) / room, 0.0, 1.0);
}

ProjectedRow solve_row(const RowProblem& task, const RowEntries& entries,
                       std::vector<double>& row) {
  RowSums sums(task, entries);
  const std::size_t starts = task.loss.is_convex() ? 1 : task.options.starts;
  ProjectedRow best;
  double reached = std::numeric_limits<double>::infinity();
  if (sums.entries == 0.0) {
    row.assign(task.others.rank, 0.0);
    const RowConstraint& bounds = task.options.constraint;
    for (double& each : row) each = std::clamp(each, bounds.lower, bounds.upper);
    best.converged = true;
    return best;
  }
  for (std::size_t start = 0; start < starts; ++start) {
    const bool is_own = start == 0 && row.size() == task.others.rank;
    std::vector<double> from = is_own ? row : start_row(task, sums, start);
    if (is_underdetermined(task, entries)) {
      from = least_norm_row(task, entries);
    } else if (task.precise) {
      task.precise->solve(entries, from);
    } else if (task.quadratic) {
      std::vector<double> right = sums.value_products();
      for (double& each : right) each *= 2.0 * task.options.loss_factor;
      task.quadratic->solve(right.data(), from);
    }
    Newton newton(task, sums);
    const ProjectedRow found = newton.run(from);
    if (start > 0 && !(newton.reached() < reached)) continue;
    reached = newton.reached();
    best = found;
    row = std::move(from);
  }
  // A caller's own loss would be asked for one value after the other.
  if (!task.options.explain || task.loss.is_of_blocks()) return best;
  const double listed = static_cast<double>(entries.values.size());
  std::vector<double> left;
  const bool may_be_impossible = task.loss.is_nonnegative();
  const double lost =
      may_be_impossible ? take_impossible(task, entries, left, best.impossible) : 0.0;
  explain(task.loss, may_be_impossible ? left : entries.values, sums.entries - listed,
          best.loss / task.options.loss_factor - lost, best);
  return best;
}

std::vector<double> scales_of_columns(const std::vector<double>& weights,
                                      const std::vector<std::vector<double>>& squares,
                                      const std::vector<std::vector<double>>& magnitudes,
                                      std::size_t mode,
                                      const std::vector<RowConstraint>& constraints) {
  std::vector<double> scales(weights.size(), 1.0);
  for (const RowConstraint& each : constraints) {
    const RowConstraint bounds{.lower = each.lower, .upper = each.upper};
    if (!bounds.allows_scaling() || (each.ridge == 0.0 && each.l1 == 0.0)) return scales;
  }
  for (std::size_t r = 0; r < weights.size(); ++r) {
    // s with ridge square s^2 + l1 magnitude s = c, of a mode.
    const auto scale = [&](std::size_t n, double c) {
      const double a = constraints[n].ridge * squares[n][r];
      const double b = constraints[n].l1 * magnitudes[n][r];
      return 2.0 * c / (b + std::sqrt(b * b + 4.0 * a * c));
    };
    double low = -600.0, high = 600.0;  // of the logarithm of c
    for (int i = 0; i < 200; ++i) {
      const double middle = 0.5 * (low + high);
      double product = 0.0;
      for (std::size_t n = 0; n < constraints.size(); ++n) {
        product += std::log(scale(n, std::exp(middle)));
      }
      (product < std::log(std::abs(weights[r])) ? low : high) = middle;
    }
    const double found = scale(mode, std::exp(0.5 * (low + high)));
    if (weights[r] != 0.0 && std::isfinite(found) && found > 0.0) scales[r] = found;
  }
  return scales;
}

}  // namespace genten::detail

namespace genten {

double far_worse_than(const std::vector<ProjectedRow>& usual) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr std::size_t least = 4;
  std::vector<double> left, varying;  // what is not explained
  for (const ProjectedRow& row : usual) {
    if (std::isnan(row.explained)) continue;
    left.push_back(1.0 - row.explained);
    varying.push_back(row.varying);
  }
  if (left.size() < least) return none;
  const auto quantile = [](std::vector<double>& of, double part) {
    std::sort(of.begin(), of.end());
    const double at = part * static_cast<double>(of.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const auto above = std::min(below + 1, of.size() - 1);
    return of[below] + (at - std::floor(at)) * (of[above] - of[below]);
  };
  const double median = quantile(varying, 0.5);
  const double v = median > 1e-6 ? median : 1.0;  // constants, but for rounding
  const double low = 1.0 - quantile(left, 0.75) / v, high = 1.0 - quantile(left, 0.25) / v;
  constexpr double step = 0.05, part = 0.1;
  if (low < step) return none;
  const double fence = std::max(low - std::max(3.0 * (high - low), step), part * low);
  return 1.0 - (1.0 - fence) * v;
}

}  // namespace genten
