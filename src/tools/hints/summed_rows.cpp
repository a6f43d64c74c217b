// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "summed_rows.hpp"

#include "margin_names.hpp"
#include "tools/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

namespace genten::tools {
namespace {

/// Whether two sums differ by no more than rounded values of a table do.
bool are_equal(double a, double b, double scale) {
  constexpr double rounded = 1e-4;
  return std::abs(a - b) <= rounded * scale;
}

/// The sums of a mode's rows.
std::vector<double> sums_of(const ModesOfTable& table, std::size_t mode) {
  const auto& column = table.subscripts[mode];
  std::vector<double> sums(*std::max_element(column.begin(), column.end()) + 1);
  for (std::size_t p = 0; p < column.size(); ++p) sums[column[p]] += table.values[p];
  return sums;
}

/// The rows of a mode that have half of the sum of all values, as those of sums have.
std::vector<std::size_t> rows_of_half(const std::vector<double>& sums,
                                      const std::vector<double>& values) {
  constexpr std::size_t fewest = 3;
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  double scale = 0.0;
  for (const double value : values) scale += std::abs(value);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < sums.size() && sums.size() >= fewest; ++row) {
    if (sums[row] != 0.0 && are_equal(2.0 * sums[row], total, scale)) rows.push_back(row);
  }
  return rows;
}

/// The entries of a table at the same subscripts of all modes but one, one group after the other.
class Fibres {
 public:
  Fibres(const ModesOfTable& table, std::size_t mode)
      : m_table(table), m_mode(mode), m_places(table.values.size()) {
    std::iota(m_places.begin(), m_places.end(), std::size_t{0});
    std::sort(m_places.begin(), m_places.end(),
              [&](std::size_t p, std::size_t q) { return order_of(p, q) < 0; });
    for (std::size_t i = 0; i < m_places.size(); ++i) {
      if (i == 0 || order_of(m_places[i - 1], m_places[i]) != 0) m_begins.push_back(i);
    }
    m_begins.push_back(m_places.size());
  }

  [[nodiscard]] std::size_t count() const { return m_begins.size() - 1; }

  /// Calls use(row, value) for the entries of one.
  template <class Use>
  void for_each(std::size_t fibre, const Use& use) const {
    for (std::size_t i = m_begins[fibre]; i < m_begins[fibre + 1]; ++i) {
      use(m_table.subscripts[m_mode][m_places[i]], m_table.values[m_places[i]]);
    }
  }

  /// How many entries of a row are the sums of several that are not 0, where all are the sums of
  /// those `others`; 0 where some are not.
  template <class IsOther>
  [[nodiscard]] std::size_t sums(std::size_t row, const IsOther& is_other) const {
    std::size_t found = 0;
    for (std::size_t fibre = 0; fibre < count(); ++fibre) {
      double own = 0.0, others = 0.0, scale = 0.0;
      std::size_t parts = 0;
      for_each(fibre, [&](std::size_t of, double value) {
        const bool is_part = of != row && is_other(of);
        if (of != row && !is_part) return;
        (is_part ? others : own) += value;
        scale += std::abs(value);
        parts += is_part && value != 0.0 ? 1 : 0;
      });
      if (!are_equal(own, others, scale)) return 0;
      found += parts > 1 ? 1 : 0;
    }
    return found;
  }

 private:
  [[nodiscard]] int order_of(std::size_t p, std::size_t q) const {
    for (std::size_t n = 0; n < m_table.subscripts.size(); ++n) {
      const auto& column = m_table.subscripts[n];
      if (n != m_mode && column[p] != column[q]) return column[p] < column[q] ? -1 : 1;
    }
    return 0;
  }

  const ModesOfTable& m_table;
  std::size_t m_mode;
  std::vector<std::size_t> m_places, m_begins;
};

/// The only multiples of some rows whose sum is nearest to another one, by the inner products of
/// all; none where others are as near.
std::vector<double> multiples_of(const std::vector<std::size_t>& rows, std::size_t sum,
                                 const std::vector<std::vector<double>>& products) {
  constexpr double least = 1e-6;  // of what a row has beyond those before it
  const std::size_t size = rows.size();
  std::vector<std::vector<double>> factor(size, std::vector<double>(size));  // of Cholesky
  std::vector<double> found(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto& own = products[rows[i]];
    for (std::size_t j = 0; j <= i; ++j) {
      double left = own[rows[j]];
      for (std::size_t k = 0; k < j; ++k) left -= factor[i][k] * factor[j][k];
      if (j == i && left <= least * own[rows[i]]) return {};
      factor[i][j] = j == i ? std::sqrt(left) : left / factor[j][j];
    }
    double left = own[sum];
    for (std::size_t k = 0; k < i; ++k) left -= factor[i][k] * found[k];
    found[i] = left / factor[i][i];
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) found[i] -= factor[k][i] * found[k];
    found[i] /= factor[i][i];
  }
  return found;
}

/// The rows that are sums of several others, those that are no sums themselves.
std::vector<SummedRow> sums_of_some(const Fibres& fibres, const std::vector<double>& sums) {
  constexpr std::size_t more = 3;
  constexpr double rounded = 1e-3;
  std::vector<std::vector<double>> products(sums.size(), std::vector<double>(sums.size()));
  for (std::size_t fibre = 0; fibre < fibres.count(); ++fibre) {
    fibres.for_each(fibre, [&](std::size_t row, double value) {
      fibres.for_each(
          fibre, [&](std::size_t other, double also) { products[row][other] += value * also; });
    });
  }
  std::vector<std::size_t> order(sums.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sums[a] < sums[b]; });
  std::vector<SummedRow> found;
  std::vector<std::size_t> parts;
  for (const std::size_t row : order) {
    if (sums[row] == 0.0) continue;
    SummedRow sum{row};
    bool is_sum = parts.size() > 1;
    const auto multiples = is_sum ? multiples_of(parts, row, products) : std::vector<double>();
    for (std::size_t i = 0; i < multiples.size(); ++i) {
      const bool is_part = multiples[i] > 1.0 / 2.0;
      is_sum = is_sum && std::abs(multiples[i] - (is_part ? 1.0 : 0.0)) <= rounded;
      if (is_part) sum.others.push_back(parts[i]);
    }
    is_sum = is_sum && sum.others.size() > 1 && fibres.sums(row, [&](std::size_t other) {
      return std::find(sum.others.begin(), sum.others.end(), other) != sum.others.end();
    }) >= parts.size() + more;
    if (!is_sum) {
      parts.push_back(row);
      continue;
    }
    std::sort(sum.others.begin(), sum.others.end());
    found.push_back(std::move(sum));
  }
  return found;
}

/// Whether a row's entries are the sums of all others beside them, or their means, where it and two
/// others at least are listed, but for a fiftieth of what they are: as means are rounded.
bool is_margin(const Fibres& fibres, std::size_t row) {
  constexpr double fewest = 3.0, most = 0.02;
  double cells = 0.0, size = 0.0, from_sums = 0.0, from_means = 0.0;
  for (std::size_t fibre = 0; fibre < fibres.count(); ++fibre) {
    double own = 0.0, others = 0.0, count = 0.0;
    bool is_listed = false;
    fibres.for_each(fibre, [&](std::size_t of, double value) {
      (of == row ? own : others) += value;
      is_listed = is_listed || of == row;
      count += of == row ? 0.0 : 1.0;
    });
    if (!is_listed || count < 2.0) continue;
    cells += 1.0;
    size += std::abs(own);
    from_sums += std::abs(own - others);
    from_means += std::abs(own - others / count);
  }
  return cells >= fewest && size > 0.0 && std::min(from_sums, from_means) <= most * size;
}

}  // namespace

std::vector<std::vector<std::string>> margins_by_numbers(
    const ModesOfTable& table, const std::vector<std::vector<std::string>>& names) {
  constexpr std::size_t fewest = 3;
  std::vector<std::vector<std::string>> found(names.size());
  if (table.values.empty() || table.values.size() > most_looked_at) return found;
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (!table.named[n] || names[n].size() < fewest) continue;
    std::optional<Fibres> fibres;
    for (std::size_t row = 0; row < names[n].size(); ++row) {
      if (!is_ordinary_word(names[n][row])) continue;
      if (!fibres) fibres.emplace(table, n);
      if (is_margin(*fibres, row)) found[n].push_back(names[n][row]);
    }
  }
  return found;
}

std::vector<std::vector<SummedRow>> summed_rows(const ModesOfTable& table) {
  constexpr std::size_t most_of_half = 2, fewest = 3, most_rows = 64, most_entries = 100'000;
  std::vector<std::vector<SummedRow>> found(table.named.size());
  if (table.values.empty() || table.values.size() > most_looked_at) return found;
  const bool may_be_some =
      table.values.size() <= most_entries && std::none_of(table.values.begin(), table.values.end(),
                                                          [](double each) { return each < 0.0; });
  for (std::size_t n = 0; n < found.size(); ++n) {
    if (!table.named[n]) continue;
    const auto sums = sums_of(table, n);
    auto rows = rows_of_half(sums, table.values);
    // Of values around zero any row may have half of their sum.
    if (rows.size() > most_of_half) rows.clear();
    const bool looks_for_some = may_be_some && sums.size() <= most_rows;
    if (rows.empty() && !looks_for_some) continue;
    const Fibres fibres(table, n);
    for (const std::size_t row : rows) {
      const bool is_sum = fibres.sums(row, [](std::size_t) { return true; }) >= fewest;
      if (is_sum && found[n].empty()) found[n].push_back({row});
    }
    if (looks_for_some && found[n].empty()) found[n] = sums_of_some(fibres, sums);
  }
  return found;
}

std::string about_summed_row(const SummedRow& row,
                             const std::function<std::string(std::size_t)>& name) {
  constexpr std::size_t most_named = 3;
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(row.others.size(), most_named); ++i) {
    named.push_back(name(row.others[i]));
  }
  const std::size_t more = row.others.size() - named.size();
  return "holds the sums of " + (named.empty() ? "all others" : join(named, ", ")) +
         (more == 0 ? "" : " and " + std::to_string(more) + " more") +
         ", which count twice with it: leave its entries out of the table";
}

}  // namespace genten::tools
