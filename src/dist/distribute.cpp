// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "share_partition.hpp"

#include <genten/core/sptensor_ops.hpp>
#include <genten/dist/distribute.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace genten {
namespace {

/// A rank's nonzeros on their way to those whose they are.
template <class Scalar, class Ordinal>
class Sorting {
 public:
  Sorting(Communicator& ranks, const Partition& partition, std::size_t order)
      : m_ranks(ranks), m_partition(partition), m_order(order) {}

  /// Sends them in rounds, so that never more than some are there twice.
  [[nodiscard]] RawNonzeros<Scalar, Ordinal> run(const RawNonzeros<Scalar, Ordinal>& all) {
    const std::size_t count = all.values.size();
    const std::size_t rounds = (count + nonzeros_of_round - 1) / nonzeros_of_round;
    const auto others = all_gather(m_ranks, rounds);
    const std::size_t most = *std::max_element(others.begin(), others.end());
    for (std::size_t k = 0; k < most; ++k) {
      const std::size_t begin = std::min(count, k * nonzeros_of_round);
      round(all, begin, std::min(count, begin + nonzeros_of_round));
    }
    return std::move(m_received);
  }

 private:
  static constexpr std::size_t nonzeros_of_round = std::size_t{1} << 22;

  void round(const RawNonzeros<Scalar, Ordinal>& all, std::size_t begin, std::size_t end) {
    std::vector<std::vector<Ordinal>> subscripts(m_ranks.size());
    std::vector<std::vector<Scalar>> values(m_ranks.size());
    for (std::size_t p = begin; p < end; ++p) {
      const Ordinal* const at = all.subscripts.data() + p * m_order;
      const std::uint32_t rank =
          m_partition.rank_of([at](int n) { return static_cast<std::uint64_t>(at[n]); });
      subscripts[rank].insert(subscripts[rank].end(), at, at + m_order);
      values[rank].push_back(all.values[p]);
    }
    append(m_received.subscripts, exchange_lists(m_ranks, subscripts));
    append(m_received.values, exchange_lists(m_ranks, values));
  }
  template <class T>
  static void append(std::vector<T>& to, const std::vector<std::vector<T>>& lists) {
    for (const auto& list : lists) to.insert(to.end(), list.begin(), list.end());
  }

  Communicator& m_ranks;
  const Partition& m_partition;
  std::size_t m_order;
  RawNonzeros<Scalar, Ordinal> m_received;
};

/// The tensor without duplicates. Values are finite, so that only their sums may not be.
template <class Scalar, class Ordinal>
Sptensor<Scalar, Ordinal, HostExec> merged(const HostExec& exec,
                                           const Sptensor<Scalar, Ordinal, HostExec>& raw) {
  try {
    return sum_duplicates(exec, raw).tensor;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::argument) throw;
    throw Error("distribute: the sum of a nonzero's duplicates is not finite");
  }
}

/// Whether a table with an entry for every row of a mode is worth its memory.
bool counts_by_table(std::size_t dimension, std::size_t nnz) {
  return dimension / 4 <= nnz + 1024;
}

/// The rows of a mode that have nonzeros.
template <class Ordinal, class Subscripts>
RowCounts<Ordinal> count_rows(const Subscripts& subscripts, int mode, std::size_t dimension) {
  const std::size_t nnz = subscripts.extent(0);
  RowCounts<Ordinal> found;
  const auto take = [&found](Ordinal row, std::uint32_t count) {
    found.rows.push_back(row);
    found.counts.push_back(count);
  };
  if (counts_by_table(dimension, nnz)) {
    std::vector<std::uint32_t> counts(dimension, 0);
    for (std::size_t p = 0; p < nnz; ++p) ++counts[subscripts(p, mode)];
    for (std::size_t i = 0; i < dimension; ++i) {
      if (counts[i] != 0) take(static_cast<Ordinal>(i), counts[i]);
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
Kokkos::View<Ordinal*, Kokkos::HostSpace> view_of(const std::vector<Ordinal>& numbers) {
  const auto view = detail::uninitialized_array<Ordinal>("genten::rows_of_part", numbers.size());
  std::copy(numbers.begin(), numbers.end(), view.data());
  return view;
}

/// On rank 0 the own rows of all ranks, one rank after the other.
template <class Ordinal>
std::vector<Ordinal> gather_rows(Communicator& ranks, const SharedRows<Ordinal>& shared) {
  std::vector<std::vector<Ordinal>> lists(ranks.size());
  lists[0].assign(shared.rows.begin(),
                  shared.rows.begin() + static_cast<std::ptrdiff_t>(shared.own));
  std::vector<Ordinal> all;
  for (const auto& list : exchange_lists(ranks, lists))
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// The mark of the tensor whose parts have these.
detail::TensorMark mark_of_all(Communicator& ranks, const detail::TensorMark& mine) {
  detail::TensorMark mark{mine.dimensions, 0, 0};
  for (const std::uint64_t nnz : all_gather(ranks, mine.nnz)) mark.nnz += nnz;
  for (const std::uint64_t hash : all_gather(ranks, mine.hash)) mark.hash += hash;
  return mark;
}

/// The rank's part by its own numbers of rows.
template <class Scalar, class Ordinal>
void number_part(Communicator& ranks, const HostExec& exec,
                 const Sptensor<Scalar, Ordinal, HostExec>& tensor,
                 DistributedTensor<Scalar, Ordinal>& result) {
  const auto nnz = static_cast<std::size_t>(tensor.nnz());
  const auto& old = tensor.subscripts();
  const auto numbered =
      detail::new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>>(
          Kokkos::view_alloc("genten::subscripts", Kokkos::WithoutInitializing), nnz,
          tensor.dimensions().size());
  std::vector<std::size_t> lengths;
  for (int n = 0; n < tensor.order(); ++n) {
    const std::size_t dimension = tensor.dimension(n);
    auto shared = share_rows(ranks, n, dimension, count_rows<Ordinal>(old, n, dimension));
    const OwnNumbers<Ordinal> number(shared.rows, dimension, nnz);
    const detail::EvenChunks chunks(nnz);
    detail::for_each_index("genten::number_part", exec, chunks.count(), [&](std::size_t chunk) {
      for (std::size_t p = chunks.begin(chunk); p < chunks.end(chunk); ++p) {
        numbered(p, n) = number.of(old(p, n));
      }
    });
    result.part.gathered_rows.push_back(view_of(gather_rows(ranks, shared)));
    // No mode is without a row; this one is nobody's.
    std::vector<Ordinal> rows = shared.rows;
    if (rows.empty()) rows.push_back(0);
    lengths.push_back(rows.size());
    result.part.rows.push_back(view_of(rows));
    result.shared.push_back(std::move(shared));
  }
  result.part.tensor = Sptensor<Scalar, Ordinal, HostExec>::trusted(
      exec, lengths, numbered, tensor.values(), SptensorFacts{.distinct = true});
}

}  // namespace

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
DistributedTensor<Scalar, Ordinal> distribute(Communicator& ranks, const HostExec& exec,
                                              const std::vector<std::size_t>& dimensions,
                                              RawNonzeros<Scalar, Ordinal> nonzeros,
                                              const DistributeOptions& options) {
  DistributedTensor<Scalar, Ordinal> result;
  result.partition =
      share_partition<Ordinal>(ranks, exec, dimensions, nonzeros.subscripts, options);
  auto own = Sorting<Scalar, Ordinal>(ranks, result.partition, dimensions.size()).run(nonzeros);
  nonzeros = {};
  Sptensor<Scalar, Ordinal, HostExec> tensor;
  together(ranks, [&] {
    if (own.values.size() >= std::numeric_limits<std::uint32_t>::max()) {
      throw Error(Error::Kind::memory, "a rank gets " + std::to_string(own.values.size()) +
                                           " nonzeros, 2^32 or more: take more ranks");
    }
    const auto raw = Sptensor<Scalar, Ordinal, HostExec>::from_host(exec, dimensions,
                                                                    own.subscripts, own.values);
    tensor = merged(exec, raw);
  });
  const std::size_t received = own.values.size();
  own = {};
  number_part(ranks, exec, tensor, result);
  result.part.dimensions = dimensions;
  result.part.mark = mark_of_all(ranks, detail::TensorMark::of(exec, tensor));
  const auto nnz = static_cast<std::uint64_t>(tensor.nnz());
  for (const std::uint64_t each : all_gather(ranks, nnz)) {
    result.nnz += each;
    result.most_nnz = std::max(result.most_nnz, each);
  }
  for (const std::uint64_t each : all_gather(ranks, std::uint64_t{received} - nnz)) {
    result.summed += each;
  }
  return result;
}

#define GENTEN_DISTRIBUTE(SCALAR, ORDINAL)                             \
  template DistributedTensor<SCALAR, ORDINAL> distribute(              \
      Communicator&, const HostExec&, const std::vector<std::size_t>&, \
      RawNonzeros<SCALAR, ORDINAL>, const DistributeOptions&);
GENTEN_DISTRIBUTE(float, std::uint32_t)
GENTEN_DISTRIBUTE(float, std::uint64_t)
GENTEN_DISTRIBUTE(double, std::uint32_t)
GENTEN_DISTRIBUTE(double, std::uint64_t)
#undef GENTEN_DISTRIBUTE

}  // namespace genten
