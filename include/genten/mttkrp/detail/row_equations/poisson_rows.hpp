// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The rows of a factor of counts on a host: a thread a task, sums in registers, tile by tile.

#include <genten/mttkrp/detail/row_equations/count_step.hpp>
#include <genten/mttkrp/detail/row_equations/host_rows.hpp>

#include <algorithm>
#include <cmath>

namespace genten::detail {

inline namespace GENTEN_SIMD_SET {

/// Nonzeros of one row or of several, whose deviances are taken together: one row may have few.
struct DevianceBlock {
  using Sums = SimdVector<double, 8>;

  double values[most_panel_entries];
  double models[most_panel_entries];
  int count = 0;  ///< that were not added yet
  Sums halves = Sums::zero();
  Sums of_models = Sums::zero();
  Sums products = Sums::zero();

  void add(const CountTerms& terms) {
    double deviances[most_panel_entries];
    terms.find_deviances(values, models, deviances, count);
    for (; count % 8 != 0; ++count) values[count] = models[count] = deviances[count] = 0.0;
    for (int b = 0; b < count; b += 8) {
      const Sums m = Sums::load(models + b);
      halves += Sums::load(deviances + b);
      of_models += m;
      products += Sums::load(values + b) * m;
    }
    count = 0;
  }
  [[nodiscard]] DevianceSums total() const {
    return {halves.sum(), of_models.sum(), products.sum()};
  }
};

/// What a thread does for a task of PoissonNewton: RowWork's output are the rows, which are read
/// and improved. `Width` is that of the vectors of a line.
template <int Width, RealScalar Scalar>
class PoissonRows {
 public:
  /// `facts` of pieces; `row` and `step` hold a line each.
  PoissonRows(const RowWork<Scalar>& work, const EntryGather<Scalar>& gather,
              const RowWorkspace& space, double* row, double* step, CountFacts* facts,
              const CountTerms& terms)
      : m_work(work),
        m_panel(gather),
        m_space(space),
        m_row(row),
        m_step(step),
        m_facts(facts),
        m_terms(terms),
        m_line(system_line(work.rank)),
        m_panel_entries(panel_entries(m_line)) {}

  /// Sums, and a step of rows that are whole. Returns the largest violation of these.
  [[nodiscard]] double perform(const RowTask& task) const {
    if (task.piece >= 0) {
      begin(task.first_row);
      const CountFacts facts = add_entries(task.begin, task.end);
      double* const piece = m_work.pieces + static_cast<std::size_t>(task.piece) * piece_size();
      std::copy(m_space.matrix, m_space.matrix + m_line * m_line, piece);
      std::copy(m_space.right, m_space.right + m_line, piece + m_line * m_line);
      m_facts[task.piece] = facts;
      return 0.0;
    }
    double violation = 0.0;
    for (offset_t place = task.first_row; place < task.end_row; ++place) {
      begin(place);
      const CountFacts facts = add_entries(m_work.begins[place], m_work.begins[place + 1]);
      violation = larger(violation, take_step(place, facts));
    }
    return violation;
  }

  /// Adds up the pieces of a row, and takes its step.
  [[nodiscard]] double perform(const CutRow& row) const {
    begin(row.row);
    CountFacts facts;
    for (offset_t p = row.first_piece; p < row.end_piece; ++p) {
      const double* const piece = m_work.pieces + static_cast<std::size_t>(p) * piece_size();
      for (std::size_t e = 0; e < m_line * m_line; ++e) m_space.matrix[e] += piece[e];
      for (std::size_t j = 0; j < m_line; ++j) m_space.right[j] += piece[m_line * m_line + j];
      facts.add(m_facts[p]);
    }
    return take_step(row.row, facts);
  }

  /// The sums over the nonzeros of a task, the rows' columns being multiplied by `weights`.
  [[nodiscard]] DevianceSums sums(const RowTask& task, const double* weights) const {
    DevianceBlock block;
    for (offset_t place = task.first_row; place < task.end_row; ++place) {
      load(place);
      for (std::size_t j = 0; j < m_work.rank; ++j) m_row[j] *= weights[j];
      const bool whole = task.piece < 0;
      const offset_t end = whole ? m_work.begins[place + 1] : task.end;
      for (offset_t first = whole ? m_work.begins[place] : task.begin; first < end;
           first += most_panel_entries) {
        const auto count = static_cast<int>(std::min<offset_t>(most_panel_entries, end - first));
        if (block.count + count > most_panel_entries) block.add(m_terms);
        m_panel.find_models(first, count, m_row, block.values + block.count,
                            block.models + block.count);
        block.count += count;
      }
    }
    block.add(m_terms);
    return block.total();
  }

 private:
  using Columns = SimdVector<double, Width>;

  [[nodiscard]] double model_value(const double* k) const {
    Columns sum = Columns::zero();
    for (std::size_t j = 0; j < m_line; j += Width) {
      sum += Columns::load(k + j) * Columns::load(m_row + j);
    }
    return sum.sum();
  }
  [[nodiscard]] std::size_t piece_size() const { return m_line * (m_line + 1); }
  [[nodiscard]] Scalar* output(offset_t place) const {
    return m_work.output + m_work.rows[place] * m_work.stride;
  }

  void begin(offset_t place) const {
    std::fill(m_space.matrix, m_space.matrix + m_line * m_line, 0.0);
    std::fill(m_space.right, m_space.right + m_line, 0.0);
    load(place);
  }
  void load(offset_t place) const {
    const Scalar* const from = output(place);
    for (std::size_t j = 0; j < m_work.rank; ++j) m_row[j] = static_cast<double>(from[j]);
    std::fill(m_row + m_work.rank, m_row + m_line, 0.0);
  }

  /// Adds what the step needs.
  [[nodiscard]] CountFacts add_entries(offset_t begin, offset_t end) const {
    return m_terms.kind == CountStepKind::newton ? add_systems(begin, end)
                                                 : add_gradients(begin, end);
  }
  /// The model's values at the entries of the panel.
  void find_models(int count, double* models) const {
    const double* k = m_space.panel;
    for (int b = 0; b < count; ++b, k += m_line) models[b] = model_value(k);
  }
  void add_facts(int count, CountFacts& facts) const {
    for (int b = 0; b < count; ++b) {
      const double x = m_space.values[b];
      facts.add({x > 0.0 ? x : facts.least, x});
    }
  }
  void find_slopes(double* x, const double* m, int count) const {
    if (!m_terms.counts) return m_terms.find_slopes(x, m, count);
    for (int b = 0; b < count; ++b) x[b] /= above_zero(m[b]);
  }
  void find_systems(double* x, double* m, int count) const {
    if (!m_terms.counts) return m_terms.find_systems(x, m, count);
    for (int b = 0; b < count; ++b) {
      x[b] = std::sqrt(x[b]);
      m[b] = x[b] / above_zero(m[b]);
    }
  }
  /// Adds the slope of an entry, x / m for counts, times k to the right-hand side.
  [[nodiscard]] CountFacts add_gradients(offset_t begin, offset_t end) const {
    CountFacts facts;
    for (offset_t first = begin; first < end; first += m_panel_entries) {
      const auto count = static_cast<int>(std::min<offset_t>(m_panel_entries, end - first));
      m_panel.fill(first, count, m_space.panel, m_space.values);
      add_facts(count, facts);
      double models[most_panel_entries];
      find_models(count, models);
      find_slopes(m_space.values, models, count);
      const double* k = m_space.panel;
      for (int b = 0; b < count; ++b, k += m_line) {
        const double slope = m_space.values[b];
        for (std::size_t j = 0; j < m_line; j += Width) {
          (Columns::load(m_space.right + j) + slope * Columns::load(k + j))
              .store(m_space.right + j);
        }
      }
    }
    return facts;
  }
  /// Adds x / m^2 k k^T to the matrix and the slope times k to the right-hand side: as least
  /// squares do it for sqrt(x) / m k and, of counts, the value sqrt(x).
  [[nodiscard]] CountFacts add_systems(offset_t begin, offset_t end) const {
    CountFacts facts;
    const SystemSums<Width> sums{m_work.rank, m_line, m_space.matrix, m_space.right};
    for (offset_t first = begin; first < end; first += m_panel_entries) {
      const auto count = static_cast<int>(std::min<offset_t>(m_panel_entries, end - first));
      m_panel.fill(first, count, m_space.panel, m_space.values);
      add_facts(count, facts);
      double models[most_panel_entries];
      find_models(count, models);
      find_systems(m_space.values, models, count);
      double* k = m_space.panel;
      for (int b = 0; b < count; ++b, k += m_line) {
        for (std::size_t j = 0; j < m_line; j += Width) {
          (models[b] * Columns::load(k + j)).store(k + j);
        }
      }
      sums.add(m_space.panel, m_space.values, count, 1.0);
    }
    return facts;
  }

  [[nodiscard]] double take_step(offset_t place, const CountFacts& facts) const {
    const CountStep row{m_work.rank, m_line, m_space.matrix, m_space.right, m_row, m_step};
    const double violation = m_terms.kind == CountStepKind::newton
                                 ? row.run(facts.least, m_terms.counts ? facts.total : -1.0)
                                 : row.multiply();
    Scalar* const to = output(place);
    for (std::size_t j = 0; j < m_work.rank; ++j) {
      const auto element = static_cast<Scalar>(m_row[j]);
      // Smaller ones make some processors a hundred times as slow.
      to[j] = element < std::numeric_limits<Scalar>::min() ? Scalar(0) : element;
    }
    return violation;
  }

  const RowWork<Scalar>& m_work;
  EntryPanel<Scalar> m_panel;
  RowWorkspace m_space;
  double* m_row;
  double* m_step;
  CountFacts* m_facts;
  CountTerms m_terms;
  std::size_t m_line;
  offset_t m_panel_entries;
};

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
