// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/detail/project/quadratic_rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace genten::detail {
namespace {

using Digits = std::vector<DoubleDouble>;  ///< a matrix by rows

DoubleDouble negative(DoubleDouble a) {
  return {-a.high, -a.low};
}

DoubleDouble quotient(DoubleDouble a, DoubleDouble b) {
  const double first = a.high / b.high;
  DoubleDouble rest = a + negative(b * first);
  const double second = rest.high / b.high;
  rest += negative(b * second);
  return DoubleDouble::quick_sum(first, second) + rest.high / b.high;
}

/// Of a positive number (Karp and Markstein 1997).
DoubleDouble square_root(DoubleDouble a) {
  const double inverse = 1.0 / std::sqrt(a.high), root = a.high * inverse;
  const DoubleDouble rest = a + negative(DoubleDouble::exact_product(root, root));
  return DoubleDouble::exact_sum(root, rest.high * (0.5 * inverse));
}

/// The Gram matrix of the products of columns.
Digits gram_of(const OtherFactors& others) {
  const std::size_t rank = others.rank;
  Digits gram(rank * rank, DoubleDouble(1.0));
  for (std::size_t n = 0; n < others.modes(); ++n) {
    Digits own(rank * rank);
    for (std::size_t i = 0; i < others.lengths[n]; ++i) {
      const double* const row = others.rows[n].data() + i * rank;
      for (std::size_t r = 0; r < rank; ++r) {
        for (std::size_t s = 0; s <= r; ++s) {
          own[r * rank + s] += DoubleDouble::exact_product(row[r], row[s]);
        }
      }
    }
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t s = 0; s <= r; ++s) {
        gram[r * rank + s] *= own[r * rank + s];
        gram[s * rank + r] = gram[r * rank + s];
      }
    }
  }
  return gram;
}

/// Scales a Gram matrix to unit diagonal, and returns by what; columns of zeros become unit ones.
Digits scale_to_unit(Digits& gram, std::size_t rank) {
  Digits scale(rank, DoubleDouble(1.0));
  for (std::size_t r = 0; r < rank; ++r) {
    DoubleDouble& diagonal = gram[r * rank + r];
    if (diagonal.high > 0.0) {
      scale[r] = quotient(1.0, square_root(diagonal));
    } else {
      diagonal = 1.0;
    }
  }
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t s = 0; s < rank; ++s) gram[r * rank + s] *= scale[r] * scale[s];
  }
  return scale;
}

/// Makes a symmetric matrix diagonal by Jacobi's rotations, and returns its eigenvectors as
/// columns.
Digits diagonalize(Digits& matrix, std::size_t rank) {
  constexpr int most_sweeps = 60;
  constexpr double negligible = 1e-33;  // beside the diagonal
  Digits vectors(rank * rank);
  for (std::size_t r = 0; r < rank; ++r) vectors[r * rank + r] = 1.0;
  bool turned = true;
  for (int sweep = 0; turned && sweep < most_sweeps; ++sweep) {
    turned = false;
    for (std::size_t p = 0; p < rank; ++p) {
      for (std::size_t q = p + 1; q < rank; ++q) {
        const DoubleDouble off = matrix[p * rank + q];
        const DoubleDouble one = matrix[p * rank + p], other = matrix[q * rank + q];
        if (std::abs(off.high) <= negligible * std::max(std::abs(one.high), std::abs(other.high))) {
          continue;
        }
        turned = true;
        const DoubleDouble theta = quotient(other + negative(one), off + off);
        const DoubleDouble size = theta.high < 0.0 ? negative(theta) : theta;
        DoubleDouble tangent = quotient(1.0, size + square_root(theta * theta + 1.0));
        if (theta.high < 0.0) tangent = negative(tangent);
        const DoubleDouble cosine = quotient(1.0, square_root(tangent * tangent + 1.0));
        const DoubleDouble sine = tangent * cosine;
        const auto turn = [&](DoubleDouble& a, DoubleDouble& b) {
          const DoubleDouble first = cosine * a + negative(sine * b);
          b = sine * a + cosine * b;
          a = first;
        };
        for (std::size_t k = 0; k < rank; ++k) turn(matrix[k * rank + p], matrix[k * rank + q]);
        for (std::size_t k = 0; k < rank; ++k) turn(matrix[p * rank + k], matrix[q * rank + k]);
        for (std::size_t k = 0; k < rank; ++k) turn(vectors[k * rank + p], vectors[k * rank + q]);
      }
    }
  }
  return vectors;
}

double frobenius(const std::vector<double>& matrix) {
  double sum = 0.0;
  for (const double each : matrix) sum += each * each;
  return std::sqrt(sum);
}

}  // namespace

bool PreciseSquares::is_well_conditioned(const OtherFactors& others) {
  constexpr double most = 1e4;  // of the Gram matrix: the square of the columns' own
  const std::size_t rank = others.rank;
  SmallMatrix unit(rank);
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t s = 0; s < rank; ++s) {
      const double sizes =
          std::sqrt(others.gram[r * rank + r]) * std::sqrt(others.gram[s * rank + s]);
      unit(r, s) = sizes > 0.0 ? others.gram[r * rank + s] / sizes : r == s ? 1.0 : 0.0;
    }
  }
  const SpdInverse inverse = spd_inverse(unit);
  if (!inverse.finite || inverse.rank_deficient || inverse.factors.size() != 1) return false;
  return frobenius(unit.values) * frobenius(inverse.factors[0].values) <
         most * static_cast<double>(rank);
}

PreciseSquares::PreciseSquares(const OtherFactors& others) : m_others(others) {
  const std::size_t rank = others.rank;
  Digits gram = gram_of(others);
  const Digits scale = scale_to_unit(gram, rank);
  const Digits vectors = diagonalize(gram, rank);
  double largest = 0.0;
  for (std::size_t r = 0; r < rank; ++r) largest = std::max(largest, gram[r * rank + r].high);
  // Singular values that rounding of the factors themselves may have made.
  const double least = std::sqrt(largest) * std::numeric_limits<double>::epsilon() *
                       static_cast<double>(rank * (4 * others.modes() + 4));
  m_inverse.resize(rank * rank);
  double smallest = largest;
  for (std::size_t k = 0; k < rank; ++k) {
    const DoubleDouble value = gram[k * rank + k];
    if (!(value.high > least * least)) {
      ++m_dependent;
      continue;
    }
    smallest = std::min(smallest, value.high);
    for (std::size_t r = 0; r < rank; ++r) {
      const DoubleDouble of_row = quotient(scale[r] * vectors[r * rank + k], value);
      for (std::size_t s = 0; s < rank; ++s) {
        m_inverse[r * rank + s] += of_row * vectors[s * rank + k] * scale[s];
      }
    }
  }
  if (smallest > 0.0) m_condition = std::sqrt(largest / smallest);
}

void PreciseSquares::solve(const RowEntries& entries, std::vector<double>& row) const {
  const std::size_t rank = m_others.rank, modes = m_others.modes();
  Digits right(rank);
  for (std::size_t p = 0; p < entries.values.size(); ++p) {
    for (std::size_t r = 0; r < rank; ++r) {
      DoubleDouble product = entries.values[p];
      for (std::size_t n = 0; n < modes; ++n) {
        product *= m_others.rows[n][entries.subscripts[p * modes + n] * rank + r];
      }
      right[r] += product;
    }
  }
  row.resize(rank);
  for (std::size_t r = 0; r < rank; ++r) {
    DoubleDouble sum;
    for (std::size_t s = 0; s < rank; ++s) sum += m_inverse[r * rank + s] * right[s];
    row[r] = sum.high;
  }
}

}  // namespace genten::detail
