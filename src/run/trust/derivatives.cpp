// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "terms.hpp"

#include <genten/base/detail/kokkos_compat.hpp>

namespace genten::trust {
namespace {

/// Calls `body(r)` for each component, side by side: none writes where another does.
template <class Body>
void for_each_component(std::size_t rank, const char* label, const Body& body) {
  const HostExec exec;
  Kokkos::parallel_for(
      label,
      Kokkos::RangePolicy<HostExec, Kokkos::IndexType<std::size_t>,
                          Kokkos::Schedule<Kokkos::Dynamic>>(exec, std::size_t{0}, rank),
      [&](const std::size_t r) { body(r); });
  detail::fence(exec, label);
}

}  // namespace

double Terms::product_without(const RowNumber* entry, std::size_t r, std::size_t mode,
                              std::size_t other) const {
  double product = 1.0;
  for (std::size_t n = 0; n < m_dimensions.size(); ++n) {
    if (n != mode && n != other) product *= at(n, entry[n], r);
  }
  return product;
}

double Terms::sums_without(std::size_t r, std::size_t mode, std::size_t other) const {
  double product = 1.0;
  for (std::size_t n = 0; n < m_dimensions.size(); ++n) {
    if (n != mode && n != other) product *= m_sums[n][r];
  }
  return product;
}

double Terms::grams_without(std::size_t r, std::size_t q, std::size_t mode,
                            std::size_t other) const {
  double product = 1.0;
  for (std::size_t n = 0; n < m_dimensions.size(); ++n) {
    if (n != mode && n != other) product *= m_grams[n][r * m_rank + q];
  }
  return product;
}

std::vector<double> Terms::gradient(std::size_t mode) const {
  std::vector<double> gradient(m_factors[mode].size(), 0.0);
  for_each_component(m_rank, "genten::trust_gradient", [&](std::size_t r) {
    for (std::size_t i = 0; i < rows(mode); ++i) {
      double& sum = gradient[i * m_rank + r];
      sum = m_linear * sums_without(r, mode, mode) + m_ridge[mode] * at(mode, i, r);
      for (std::size_t q = 0; q < m_rank; ++q) {
        sum += 2.0 * m_square * at(mode, i, q) * grams_without(r, q, mode, mode);
      }
    }
    for (std::size_t e = 0; e < count(); ++e) {
      const RowNumber* const entry = &m_subscripts[e * order()];
      gradient[entry[mode] * m_rank + r] += m_slopes[e] * product_without(entry, r, mode, mode);
    }
  });
  return gradient;
}

std::vector<double> Terms::row_information(std::size_t mode) const {
  const std::size_t square = m_rank * m_rank;
  std::vector<double> blocks(rows(mode) * square, 0.0);
  for_each_component(m_rank, "genten::trust_rows", [&](std::size_t r) {
    for (std::size_t i = 0; i < rows(mode); ++i) {
      double* const row = &blocks[i * square + r * m_rank];
      for (std::size_t q = 0; q < m_rank; ++q) {
        row[q] = 2.0 * m_square * grams_without(r, q, mode, mode);
      }
      row[r] += m_ridge[mode];
    }
    for (std::size_t e = 0; e < count(); ++e) {
      const RowNumber* const entry = &m_subscripts[e * order()];
      double* const row = &blocks[entry[mode] * square + r * m_rank];
      const double own = m_curvatures[e] * product_without(entry, r, mode, mode);
      for (std::size_t q = 0; q < m_rank; ++q) {
        row[q] += own * product_without(entry, q, mode, mode);
      }
    }
  });
  return blocks;
}

void Terms::add_listed(SmallMatrix& information, std::size_t r) const {
  const std::size_t modes = order();
  std::vector<double> products(modes * m_rank);
  for (std::size_t e = 0; e < count(); ++e) {
    const RowNumber* const entry = &m_subscripts[e * modes];
    for (std::size_t n = 0; n < modes; ++n) {
      for (std::size_t q = 0; q < m_rank; ++q) {
        products[n * m_rank + q] = product_without(entry, q, n, n);
      }
    }
    for (std::size_t n = 0; n < modes; ++n) {
      const std::size_t row = number(n, entry[n], r);
      const double own = m_curvatures[e] * products[n * m_rank + r];
      for (std::size_t k = 0; k < modes; ++k) {
        const std::size_t first = number(k, entry[k], 0);
        for (std::size_t q = 0; q < m_rank; ++q) {
          information(row, first + q) += own * products[k * m_rank + q];
        }
        if (k != n) information(row, first + r) += m_slopes[e] * product_without(entry, r, n, k);
      }
    }
  }
}

void Terms::add_zeros(SmallMatrix& information, std::size_t r) const {
  const double twice = 2.0 * m_square;
  for (std::size_t n = 0; n < order(); ++n) {
    for (std::size_t i = 0; i < rows(n); ++i) {
      const std::size_t row = number(n, i, r);
      information(row, row) += m_ridge[n];
      for (std::size_t q = 0; q < m_rank; ++q) {
        information(row, number(n, i, q)) += twice * grams_without(r, q, n, n);
      }
      for (std::size_t k = 0; k < order(); ++k) {
        if (k == n) continue;
        std::vector<double> of_row(m_rank);
        for (std::size_t q = 0; q < m_rank; ++q) {
          of_row[q] = twice * grams_without(r, q, n, k) * at(n, i, q);
        }
        const double linear = m_linear * sums_without(r, n, k);
        for (std::size_t j = 0; j < rows(k); ++j) {
          double own = linear;
          for (std::size_t q = 0; q < m_rank; ++q) {
            information(row, number(k, j, q)) += of_row[q] * at(k, j, r);
            own += of_row[q] * at(k, j, q);
          }
          information(row, number(k, j, r)) += own;
        }
      }
    }
  }
}

SmallMatrix Terms::whole_information() const {
  SmallMatrix information(numbers());
  for_each_component(m_rank, "genten::trust_whole", [&](std::size_t r) {
    add_zeros(information, r);
    add_listed(information, r);
  });
  return information;
}

}  // namespace genten::trust
