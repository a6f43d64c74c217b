// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "lapack.hpp"

#include <genten/base/error.hpp>
#include <genten/dense/blas_buffer.hpp>
#include <genten/dense/spd_inverse.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace genten {
namespace {

// Matrices here are symmetric or triangular, so storing by rows, where LAPACK stores by columns,
// only exchanges "upper" and "lower".

constexpr double epsilon = std::numeric_limits<double>::epsilon();

bool all_finite(const SmallMatrix& matrix) {
  return std::all_of(matrix.values.begin(), matrix.values.end(),
                     [](double x) { return std::isfinite(x); });
}

/// Largest column sum of absolute values.
double one_norm(const SmallMatrix& matrix) {
  double largest = 0.0;
  for (std::size_t i = 0; i < matrix.size; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < matrix.size; ++j) sum += std::abs(matrix(i, j));
    largest = std::max(largest, sum);
  }
  return largest;
}

/// Replaces an SPD matrix by its factor L (lower, by rows; zeros above). False if it breaks down.
bool cholesky(SmallMatrix& matrix) {
  const int n = static_cast<int>(matrix.size);
  int info = 0;
  dpotrf_("U", &n, matrix.values.data(), &n, &info);
  for (std::size_t i = 0; i < matrix.size; ++i) {
    for (std::size_t j = i + 1; j < matrix.size; ++j) matrix(i, j) = 0.0;
  }
  return info == 0;
}

double reciprocal_condition(const SmallMatrix& lower, double norm) {
  const int n = static_cast<int>(lower.size);
  std::vector<double> work(3 * lower.size);
  std::vector<int> iwork(lower.size);
  double rcond = 0.0;
  int info = 0;
  dpocon_("U", &n, lower.values.data(), &n, &norm, &rcond, work.data(), iwork.data(), &info);
  return rcond;
}

/// Both without a copy.
std::vector<SmallMatrix> pair_of(SmallMatrix first, SmallMatrix second) {
  std::vector<SmallMatrix> pair;
  pair.reserve(2);
  pair.push_back(std::move(first));
  pair.push_back(std::move(second));
  return pair;
}

/// The inverse as the product of (D L^-T) and (L^-1 D), the matrix being D^-1 L L^T D^-1.
std::vector<SmallMatrix> triangular_factors(SmallMatrix lower, const std::vector<double>& scale) {
  const int n = static_cast<int>(lower.size);
  int info = 0;
  dtrtri_("U", "N", &n, lower.values.data(), &n, &info);
  SmallMatrix first(lower.size), second(lower.size);
  for (std::size_t i = 0; i < lower.size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      second(i, j) = lower(i, j) * scale[j];
      first(j, i) = second(i, j);
    }
  }
  return pair_of(std::move(first), std::move(second));
}

/// a^T a, symmetric to the last bit.
SmallMatrix square_of(const SmallMatrix& a) {
  SmallMatrix c(a.size);
  const int n = static_cast<int>(a.size);
  const double one = 1.0, zero = 0.0;
  // What is stored by rows is, to BLAS, the transpose.
  dsyrk_("L", "N", &n, &n, &one, a.values.data(), &n, &zero, c.values.data(), &n);
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t j = 0; j < i; ++j) c(i, j) = c(j, i);
  }
  return c;
}

/// Q S and S Q^T with S the inverse square roots of the eigenvalues that are kept.
std::vector<SmallMatrix> eigen_factors(SmallMatrix matrix) {
  const int n = static_cast<int>(matrix.size);
  std::vector<double> eigenvalues(matrix.size);
  double best_size = 0.0;
  int length = -1, info = 0;
  dsyev_("V", "U", &n, matrix.values.data(), &n, eigenvalues.data(), &best_size, &length, &info);
  length = static_cast<int>(best_size);
  std::vector<double> work(static_cast<std::size_t>(length));
  dsyev_("V", "U", &n, matrix.values.data(), &n, eigenvalues.data(), work.data(), &length, &info);
  if (info != 0) {
    throw Error::in("spd_inverse", Error::Kind::runtime,
                    "the eigensolver dsyev returned " + std::to_string(info));
  }
  const double smallest = static_cast<double>(n) * epsilon * std::max(eigenvalues.back(), 0.0);
  SmallMatrix first(matrix.size), second(matrix.size);
  for (std::size_t k = 0; k < matrix.size; ++k) {
    if (!(eigenvalues[k] > smallest)) continue;
    const double root = 1.0 / std::sqrt(eigenvalues[k]);
    // LAPACK's column k is row k here.
    for (std::size_t i = 0; i < matrix.size; ++i) {
      first(i, k) = matrix(k, i) * root;
      second(k, i) = first(i, k);
    }
  }
  return pair_of(std::move(first), std::move(second));
}

}  // namespace

SpdInverse spd_inverse(const SmallMatrix& matrix, double single_factor_rcond) {
  SpdInverse result;
  if (!all_finite(matrix)) {
    result.finite = false;
    result.factors = {SmallMatrix(matrix.size)};
    return result;
  }
  begin_blas();
  std::vector<double> scale(matrix.size);
  bool positive = true;
  for (std::size_t i = 0; i < matrix.size; ++i) {
    positive = positive && matrix(i, i) > 0.0;
    scale[i] = positive ? 1.0 / std::sqrt(matrix(i, i)) : 1.0;
  }
  if (positive) {
    SmallMatrix scaled = matrix;
    for (std::size_t i = 0; i < matrix.size; ++i) {
      for (std::size_t j = 0; j < matrix.size; ++j) scaled(i, j) *= scale[i] * scale[j];
    }
    const double norm = one_norm(scaled);
    if (cholesky(scaled)) {
      const double rcond = reciprocal_condition(scaled, norm);
      if (rcond >= 10.0 * static_cast<double>(matrix.size) * epsilon) {
        result.factors = triangular_factors(std::move(scaled), scale);
        if (rcond >= single_factor_rcond) {
          SmallMatrix square = square_of(result.factors[1]);
          result.factors.clear();
          result.factors.push_back(std::move(square));
        }
        return result;
      }
    }
  }
  result.rank_deficient = true;
  result.factors = eigen_factors(matrix);
  return result;
}

}  // namespace genten
