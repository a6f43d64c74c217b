// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Operations on Tucker models.

#include <genten/base/detail/same_dimensions.hpp>
#include <genten/base/memory.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/core/ttensor.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace genten {

/// The same tensor as a CP model, of which there are values at entries, norms, inner products and
/// errors: one component for each choice of a column in every mode but that of the largest rank,
/// whose factor is A_n G_(n), with sums in double. The first of the other modes varies fastest.
/// Weights are one.
///
/// It has product of R_m / max R_n components, and so many numbers for each row of each mode.
/// Throws Error of kind memory where they do not fit.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] Ktensor<Scalar, Exec> to_ktensor(const Ttensor<Scalar, Exec>& model) {
  if (model.order() < 1)
    throw Error::in("to_ktensor", "expected a model of order 1 or more, got 0");
  const auto& ranks = model.ranks();
  const auto folded =
      static_cast<int>(std::max_element(ranks.begin(), ranks.end()) - ranks.begin());
  const std::size_t components = model.core().extent(0) / model.rank(folded);
  const auto dimensions = model.dimensions();
  const double rows = std::accumulate(dimensions.begin(), dimensions.end(), 0.0);
  require_memory({.what = "a Tucker model as one of " + std::to_string(components) + " components",
                  .parts = {{"factors", rows * static_cast<double>(components * sizeof(Scalar))}},
                  .available = available_memory<Exec>()});
  const Ktensor<Scalar, Exec> result(dimensions, components);
  std::size_t before = 1;  // components from one column of the mode to the next
  for (int n = 0; n < model.order(); ++n) {
    if (n == folded) continue;
    const auto& factor = result.factor(n);
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      for (std::size_t c = 0; c < components; ++c) {
        const std::size_t r = c / before % model.rank(n);
        factor(i, c) = model.is_compressed(n) ? model.factor(n)(i, r) : Scalar(i == r ? 1 : 0);
      }
    }
    before *= model.rank(n);
  }
  std::size_t inner = 1;  // elements of the core from one column of the folded mode to the next
  for (int n = 0; n < folded; ++n) inner *= model.rank(n);
  const std::size_t rank = model.rank(folded);
  const auto& factor = result.factor(folded);
  for (std::size_t i = 0; i < factor.rows(); ++i) {
    for (std::size_t c = 0; c < components; ++c) {
      const std::size_t first = c % inner + inner * rank * (c / inner);
      double sum = model.is_compressed(folded) ? 0.0 : model.core()(first + inner * i);
      for (std::size_t r = 0; model.is_compressed(folded) && r < rank; ++r) {
        sum += static_cast<double>(model.core()(first + inner * r)) *
               static_cast<double>(model.factor(folded)(i, r));
      }
      factor(i, c) = static_cast<Scalar>(sum);
    }
  }
  return result;
}

namespace detail {

/// A core of some lengths times a matrix in mode n, whose rows become the mode, by `element(s, r)`;
/// the first subscript varies fastest.
template <class Element>
[[nodiscard]] std::vector<double> times_in_mode(const std::vector<double>& core,
                                                std::vector<std::size_t>& lengths, std::size_t n,
                                                std::size_t rows, const Element& element) {
  std::size_t before = 1;
  for (std::size_t m = 0; m < n; ++m) before *= lengths[m];
  const std::size_t length = lengths[n], after = core.size() / (before * length);
  std::vector<double> result(before * rows * after, 0.0);
  for (std::size_t c = 0; c < after; ++c) {
    for (std::size_t r = 0; r < rows; ++r) {
      double* const to = result.data() + before * (r + rows * c);
      for (std::size_t s = 0; s < length; ++s) {
        const double factor = element(s, r);
        const double* const from = core.data() + before * (s + length * c);
        for (std::size_t k = 0; k < before; ++k) to[k] += factor * from[k];
      }
    }
  }
  lengths[n] = rows;
  return result;
}

}  // namespace detail

/// Inner product of two Tucker models of the same dimensions, the sum of the products of their
/// elements, in double: by the products A_n^T B_n of their factors, which with the cores are all
/// that it takes. The same for every number of threads. Throws Error where dimensions differ.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] double innerprod(const Exec& exec, const Ttensor<Scalar, Exec>& a,
                               const Ttensor<Scalar, Exec>& b) {
  detail::check_same_dimensions("innerprod", a.dimensions(), b.dimensions());
  std::vector<double> left(b.core().data(), b.core().data() + b.core().extent(0));
  std::vector<std::size_t> lengths = b.ranks();
  for (int n = 0; n < a.order(); ++n) {
    const auto& mine = a.factor(n);
    const auto& theirs = b.factor(n);
    const auto times = [&](const auto& element) {
      left = detail::times_in_mode(left, lengths, static_cast<std::size_t>(n), a.rank(n), element);
    };
    if (a.is_compressed(n) && b.is_compressed(n)) {
      const HostMatrix gram = cross_gram(exec, mine, theirs);
      times([&](std::size_t s, std::size_t r) { return gram(r, s); });
    } else if (a.is_compressed(n)) {
      times([&](std::size_t i, std::size_t r) { return static_cast<double>(mine(i, r)); });
    } else if (b.is_compressed(n)) {
      times([&](std::size_t s, std::size_t i) { return static_cast<double>(theirs(i, s)); });
    }
  }
  double sum = 0.0;
  for (std::size_t k = 0; k < left.size(); ++k) sum += left[k] * static_cast<double>(a.core()(k));
  return sum;
}

}  // namespace genten
