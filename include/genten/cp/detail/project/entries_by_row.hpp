// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the problems of a factor's rows are made of: entries by row, and the other factors.

#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/cp/detail/project/row_sums.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace genten::detail {

/// The nonzeros of a tensor of the host by their rows of a mode: those of row i are
/// order[begin[i]], ..., in the order of their subscripts.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
class RowsOfEntries {
 public:
  using Tensor = Sptensor<Scalar, Ordinal, HostExec>;

  RowsOfEntries(const Tensor& tensor, int mode)
      : m_tensor(tensor),
        m_mode(mode),
        m_begin(tensor.dimension(mode) + 1, 0),
        m_order(static_cast<std::size_t>(tensor.nnz())) {
    const auto subscripts = tensor.subscripts();
    for (offset_t p = 0; p < tensor.nnz(); ++p) ++m_begin[subscripts(p, mode) + 1];
    std::partial_sum(m_begin.begin(), m_begin.end(), m_begin.begin());
    std::vector<offset_t> next(m_begin.begin(), m_begin.end() - 1);
    for (offset_t p = 0; p < tensor.nnz(); ++p) {
      m_order[static_cast<std::size_t>(next[subscripts(p, mode)]++)] = p;
    }
  }

  /// Subscripts of the other modes, and values where they are asked for. Several nonzeros of one
  /// entry are one.
  void take(std::size_t row, std::vector<std::uint64_t>& to, std::vector<double>* values) const {
    const auto subscripts = m_tensor.subscripts();
    const auto compare = [&](offset_t p, offset_t q) {
      for (int n = 0; n < m_tensor.order(); ++n) {
        if (n != m_mode && subscripts(p, n) != subscripts(q, n)) {
          return subscripts(p, n) < subscripts(q, n) ? -1 : 1;
        }
      }
      return 0;
    };
    std::vector<offset_t> order(m_order.begin() + m_begin[row], m_order.begin() + m_begin[row + 1]);
    const auto before = [&](offset_t p, offset_t q) { return compare(p, q) < 0; };
    if (!std::is_sorted(order.begin(), order.end(), before)) {
      std::sort(order.begin(), order.end(), before);
    }
    to.clear();
    if (values != nullptr) values->clear();
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && compare(order[i - 1], order[i]) == 0) continue;
      for (int n = 0; n < m_tensor.order(); ++n) {
        if (n != m_mode) to.push_back(subscripts(order[i], n));
      }
      if (values != nullptr) values->push_back(static_cast<double>(m_tensor.values()(order[i])));
    }
  }

 private:
  Tensor m_tensor;
  int m_mode;
  std::vector<offset_t> m_begin, m_order;
};

/// The other factors of a model of the host, of which the caller completes the sums. Weights are in
/// the first of them, divided by scales.
template <RealScalar Scalar>
[[nodiscard]] OtherFactors other_factors(const Ktensor<Scalar, HostExec>& model, int mode,
                                         const std::vector<double>& scales) {
  OtherFactors others;
  others.rank = model.rank();
  for (int n = 0; n < model.order(); ++n) {
    if (n == mode) continue;
    const auto& factor = model.factor(n);
    auto& rows = others.rows.emplace_back();
    rows.reserve(factor.rows() * others.rank);
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      for (std::size_t r = 0; r < others.rank; ++r) {
        const double scale = others.rows.size() > 1 ? 1.0 : scales[r];
        rows.push_back(static_cast<double>(factor(i, r)) * scale);
      }
    }
    others.lengths.push_back(factor.rows());
  }
  return others;
}

}  // namespace genten::detail
