// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The loss of one row for fixed other factors, with its derivatives.

#include <genten/cp/detail/compare/double_double.hpp>
#include <genten/cp/losses/any_loss.hpp>
#include <genten/cp/project_rows.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace genten::detail {

/// f, f' and f'' at one entry.
struct LossAt {
  double value = 0.0, slope = 0.0, curvature = 0.0;
};

/// A loss with its second derivative: by differences of the first where it has none of its own.
class RowLoss {
 public:
  explicit RowLoss(const AnyLoss& loss);

  [[nodiscard]] LossAt at(double x, double m) const;
  /// Whether it wants to be asked for many entries at once.
  [[nodiscard]] bool is_of_blocks() const { return m_loss.blocks() != nullptr; }
  /// The same at many entries, of a loss of blocks; without `derivatives` values alone.
  [[nodiscard]] std::vector<LossAt> at(const std::vector<double>& x, const std::vector<double>& m,
                                       bool derivatives) const;
  [[nodiscard]] double value(double x, double m) const { return m_loss.value(x, m); }
  [[nodiscard]] double slope(double x, double m) const { return m_loss.slope(x, m); }
  [[nodiscard]] const LossFacts& facts() const { return m_loss.facts(); }
  [[nodiscard]] bool is_nonnegative() const { return facts().lower == 0.0; }
  /// Whether f is convex in m, for all x that it takes.
  [[nodiscard]] bool is_convex() const { return m_convex; }
  /// Whether a model of 0 is what it is compared with, not the best constant.
  [[nodiscard]] bool explains_from_zero() const;

 private:
  /// The numbers m that the second derivative at m is found from.
  [[nodiscard]] std::pair<double, double> around(double m) const;

  AnyLoss m_loss;
  int m_index = -1;
  bool m_convex = false;
};

/// The rows of the other factors, whose products are the matrix K of each row's problem; weights
/// and scales of columns are in the first.
class OtherFactors {
 public:
  std::size_t rank = 0;
  std::vector<std::size_t> lengths;       ///< of the other modes
  std::vector<std::vector<double>> rows;  ///< of each, by rows
  double entries = 1.0;                   ///< of a slice
  std::vector<double> sums;               ///< of the columns of K
  std::vector<double> gram;               ///< of K, R x R

  /// Sets what follows from lengths and rows.
  void complete();
  /// The row of K at subscripts of the other modes.
  void product(const std::uint64_t* subscripts, double* to) const;
  /// The sums of the columns of K with twice the digits of a double.
  [[nodiscard]] std::vector<DoubleDouble> precise_sums() const;
  [[nodiscard]] std::size_t modes() const { return lengths.size(); }
  [[nodiscard]] bool any_negative() const;
};

/// The entries of a slice, in lexicographic order: subscripts of the other modes, side by side.
struct RowEntries {
  std::vector<std::uint64_t> subscripts;
  std::vector<double> values;
  std::vector<std::uint64_t> missing;  ///< subscripts of entries that do not count
};

/// How entries count that are not listed.
enum class RowZeros { missing, closed_form, enumerated };

class QuadraticRows;
class PreciseSquares;

/// What all rows share.
struct RowProblem {
  RowLoss loss;
  OtherFactors others;
  ProjectOptions options;  ///< bounds with those of the loss
  RowZeros zeros = RowZeros::missing;
  std::optional<ZeroTerms> zero_terms;
  /// The sums of the columns of K, if K's rows at zeros are summed without those at ones: elements
  /// grow at ones, so that what is left at zeros may be less than a double's part of the sums.
  std::vector<DoubleDouble> precise_sums;
  /// Of least squares over all entries: the equations that rows share.
  std::shared_ptr<const QuadraticRows> quadratic;
  std::shared_ptr<const PreciseSquares> precise;

  /// Throws Error for what goes beyond the options or the loss.
  RowProblem(const AnyLoss& of, OtherFactors factors, const ProjectOptions& asked);
};

/// Sums over the entries of a row that count.
class RowSums {
 public:
  RowSums(const RowProblem& task, const RowEntries& entries);

  double entries = 0.0;          ///< that count
  double value = 0.0;            ///< with ridge, without the 1-norm
  double magnitude = 0.0;        ///< the sum of the magnitudes of its terms
  double loss = 0.0;             ///< without penalties
  std::vector<double> gradient;  ///< of value
  std::vector<double> terms;     ///< by element, the magnitudes of the gradient's terms
  std::vector<double> hessian;   ///< R x R
  std::vector<double> convex;    ///< the same with every f'' made positive
  bool differ = false;           ///< whether these two are not the same

  /// Sets value, magnitude and loss at a row, and the rest if `derivatives`.
  void compute(const std::vector<double>& row, bool derivatives);
  /// The sums of products of K's rows over the entries that count, and how many there are.
  [[nodiscard]] const std::vector<double>& mean_products();
  /// The sums of the products of K's rows and the values that are listed.
  [[nodiscard]] std::vector<double> value_products();
  /// The sum of the values that are listed.
  [[nodiscard]] double listed_sum() const;

  /// Calls visit(x, k, sign, listed) for each entry that is summed one by one.
  template <class Visit>
  void for_each_entry(const Visit& visit);

 private:
  /// Adds all entries under a loss of blocks.
  void add_by_blocks(const std::vector<double>& row, bool derivatives);
  void add_entry(const LossAt& at, double x, double m, const double* k, double sign,
                 bool derivatives);
  /// Sets m_at_zeros.
  void find_sums_at_zeros();
  void add_closed_form(const std::vector<double>& row, bool derivatives);
  void add_to_block(double curvature, const double* k);
  void add_block();
  void mirror();

  const RowProblem& m_task;
  const RowEntries& m_entries;
  std::vector<double> m_product, m_mean;
  /// The sums of K's rows at the zeros that count; empty unless the problem has `precise_sums`.
  std::vector<double> m_at_zeros;
  /// Rows of K times the roots of f'', which are added to the Hessian several at a time: it is read
  /// and written that many times less.
  static constexpr std::size_t rows_in_block = 4;
  std::vector<double> m_block;
  std::size_t m_in_block = 0;
};

}  // namespace genten::detail
