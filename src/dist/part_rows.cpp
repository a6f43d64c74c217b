// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "part_rows.hpp"
#include "../base/usual_types.hpp"

#include <algorithm>
#include <numeric>

namespace genten {
namespace {

/// Whether a table with an entry for every row of a mode is worth its memory.
bool counts_by_table(std::size_t dimension, std::size_t nnz) {
  return dimension / 4 <= nnz + 1024;
}

template <class Ordinal>
using PartSubscripts = Kokkos::View<const Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>;

using CountTable = detail::HostArray<std::uint32_t>;

/// How many nonzeros each row of a mode has. Every chunk of them has a table of its own, and as
/// many nonzeros as that has entries, four times over.
template <class Ordinal>
CountTable count_by_table(const HostExec& exec, const PartSubscripts<Ordinal>& subscripts, int mode,
                          std::size_t dimension) {
  const detail::EvenChunks chunks(subscripts.extent(0), std::max<std::size_t>(16384, 4 * dimension),
                                  64);
  // Here, as nothing that a thread of a parallel region throws could be caught.
  std::vector<CountTable> tables;
  for (std::size_t chunk = 0; chunk < chunks.count(); ++chunk) {
    tables.push_back(detail::uninitialized_array<std::uint32_t>("genten::row_counts", dimension));
  }
  detail::for_each_index("genten::count_rows", exec, chunks.count(), [&](const std::size_t chunk) {
    std::uint32_t* const counts = tables[chunk].data();
    std::fill_n(counts, dimension, 0U);
    for (std::size_t p = chunks.begin(chunk); p < chunks.end(chunk); ++p) {
      ++counts[subscripts(p, mode)];
    }
  });
  const detail::EvenChunks rows(dimension);
  detail::for_each_index("genten::add_row_counts", exec, rows.count(), [&](std::size_t chunk) {
    for (std::size_t c = 1; c < tables.size(); ++c) {
      for (std::size_t i = rows.begin(chunk); i < rows.end(chunk); ++i) {
        tables[0](i) += tables[c](i);
      }
    }
  });
  return tables[0];
}

/// The rows of a mode that have nonzeros.
template <class Ordinal>
RowCounts<Ordinal> count_rows(const HostExec& exec, const PartSubscripts<Ordinal>& subscripts,
                              int mode, std::size_t dimension) {
  const std::size_t nnz = subscripts.extent(0);
  RowCounts<Ordinal> found;
  const auto take = [&found](Ordinal row, std::uint32_t count) {
    found.rows.push_back(row);
    found.counts.push_back(count);
  };
  if (counts_by_table(dimension, nnz)) {
    const CountTable counts = count_by_table<Ordinal>(exec, subscripts, mode, dimension);
    for (std::size_t i = 0; i < dimension; ++i) {
      if (counts(i) != 0) take(static_cast<Ordinal>(i), counts(i));
    }
    return found;
  }
  std::vector<Ordinal> rows(nnz);
  for (std::size_t p = 0; p < nnz; ++p) rows[p] = subscripts(p, mode);
  std::sort(rows.begin(), rows.end());
  for (std::size_t begin = 0, end = 0; begin < nnz; begin = end) {
    while (end < nnz && rows[end] == rows[begin]) ++end;
    take(rows[begin], static_cast<std::uint32_t>(end - begin));
  }
  return found;
}

/// The own number of each row that is in use.
template <class Ordinal>
class OwnNumbers {
 public:
  OwnNumbers(const std::vector<Ordinal>& rows, std::size_t dimension, std::size_t nnz) {
    if (counts_by_table(dimension, nnz)) {
      m_table.resize(dimension);
      for (std::size_t k = 0; k < rows.size(); ++k) m_table[rows[k]] = static_cast<Ordinal>(k);
      return;
    }
    m_order.resize(rows.size());
    std::iota(m_order.begin(), m_order.end(), Ordinal{0});
    std::sort(m_order.begin(), m_order.end(),
              [&](Ordinal one, Ordinal other) { return rows[one] < rows[other]; });
    for (const Ordinal k : m_order) m_rows.push_back(rows[k]);
  }
  [[nodiscard]] Ordinal of(Ordinal row) const {
    if (!m_table.empty()) return m_table[row];
    const auto at = std::lower_bound(m_rows.begin(), m_rows.end(), row);
    return m_order[static_cast<std::size_t>(at - m_rows.begin())];
  }

 private:
  std::vector<Ordinal> m_table;
  std::vector<Ordinal> m_rows;   ///< ascending
  std::vector<Ordinal> m_order;  ///< their own numbers
};

template <class Ordinal>
RowList<HostExec> view_of(const std::vector<Ordinal>& numbers) {
  const auto view =
      detail::uninitialized_array<std::uint64_t>("genten::rows_of_part", numbers.size());
  std::copy(numbers.begin(), numbers.end(), view.data());
  return view;
}

/// On process 0 the own rows of all processes, one process after the other.
template <class Ordinal>
std::vector<Ordinal> gather_rows(Communicator& processes, const SharedRows<Ordinal>& shared) {
  std::vector<std::vector<Ordinal>> lists(processes.size());
  lists[0].assign(shared.rows.begin(),
                  shared.rows.begin() + static_cast<std::ptrdiff_t>(shared.own));
  std::vector<Ordinal> all;
  for (const auto& list : exchange_lists(processes, lists))
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// The fingerprint of the tensor whose parts have these.
detail::TensorFingerprint fingerprint_of_all(Communicator& processes,
                                             const detail::TensorFingerprint& mine) {
  detail::TensorFingerprint fingerprint{mine.dimensions, 0, 0};
  for (const std::uint64_t nnz : all_gather(processes, mine.nnz)) fingerprint.nnz += nnz;
  for (const std::uint64_t hash : all_gather(processes, mine.hash)) fingerprint.hash += hash;
  return fingerprint;
}

}  // namespace

template <SubscriptOrdinal Ordinal, class Scalar>
std::vector<std::size_t> number_rows(
    Communicator& processes, const HostExec& exec, const std::vector<std::size_t>& dimensions,
    const PartSubscripts<Ordinal>& old,
    const Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>& numbered,
    DistributedTensor<Scalar, Ordinal>& result) {
  const std::size_t nnz = old.extent(0);
  std::vector<std::size_t> lengths;
  for (int n = 0; n < static_cast<int>(dimensions.size()); ++n) {
    const std::size_t dimension = dimensions[static_cast<std::size_t>(n)];
    RowCounts<Ordinal> counts;
    together(processes, [&] { counts = count_rows<Ordinal>(exec, old, n, dimension); });
    auto shared = share_rows(processes, n, dimension, std::move(counts));
    const std::vector<Ordinal> gathered = gather_rows(processes, shared);
    together(processes, [&] {
      const OwnNumbers<Ordinal> number(shared.rows, dimension, nnz);
      const detail::EvenChunks chunks(nnz);
      detail::for_each_index("genten::number_part", exec, chunks.count(), [&](std::size_t chunk) {
        for (std::size_t p = chunks.begin(chunk); p < chunks.end(chunk); ++p) {
          numbered(p, n) = number.of(old(p, n));
        }
      });
      result.part.gathered_rows.push_back(view_of(gathered));
      // No mode is without a row; this one is nobody's.
      std::vector<Ordinal> rows = shared.rows;
      if (rows.empty()) rows.push_back(0);
      lengths.push_back(rows.size());
      result.part.rows.push_back(view_of(rows));
      result.shared.push_back(std::move(shared));
    });
  }
  return lengths;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void share_facts_of_parts(Communicator& processes, const std::vector<std::size_t>& dimensions,
                          const detail::TensorFingerprint& fingerprint, std::uint64_t duplicates,
                          DistributedTensor<Scalar, Ordinal>& result) {
  result.part.dimensions = dimensions;
  result.part.fingerprint = fingerprint_of_all(processes, fingerprint);
  for (const std::uint64_t each : all_gather(processes, fingerprint.nnz)) {
    result.nnz += each;
    result.most_nnz = std::max(result.most_nnz, each);
  }
  for (const std::uint64_t each : all_gather(processes, duplicates)) result.summed += each;
}

#define GENTEN_PART_ROWS(SCALAR, ORDINAL)                                             \
  template std::vector<std::size_t> number_rows(                                      \
      Communicator&, const HostExec&, const std::vector<std::size_t>&,                \
      const PartSubscripts<ORDINAL>&,                                                 \
      const Kokkos::View<ORDINAL**, Kokkos::LayoutRight, Kokkos::HostSpace>&,         \
      DistributedTensor<SCALAR, ORDINAL>&);                                           \
  template void share_facts_of_parts(Communicator&, const std::vector<std::size_t>&,  \
                                     const detail::TensorFingerprint&, std::uint64_t, \
                                     DistributedTensor<SCALAR, ORDINAL>&);
GENTEN_FOR_TENSORS(GENTEN_PART_ROWS)
#undef GENTEN_PART_ROWS

}  // namespace genten
