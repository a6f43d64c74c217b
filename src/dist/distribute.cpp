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

/// Moves nonzeros to the ranks whose they are, where those of rank 0 come first, then those of rank
/// 1, and so on, each rank's in their order.
template <class Scalar, class Ordinal>
class Delivery {
 public:
  using Subscripts = Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  using Values = Kokkos::View<Scalar*, Kokkos::HostSpace>;

  Delivery(Communicator& ranks, const Partition& partition, std::size_t order,
           std::span<const Ordinal> from_subscripts, std::span<const Scalar> from_values)
      : m_ranks(ranks),
        m_partition(partition),
        m_order(order),
        m_subscripts(from_subscripts),
        m_values(from_values),
        m_next(ranks.size()) {}

  /// Sends them in rounds, so that few are there twice, and takes what comes to where it stays.
  void run() {
    const std::size_t count = m_values.size();
    make_room();
    const std::size_t rounds = (count + nonzeros_of_round - 1) / nonzeros_of_round;
    const auto others = all_gather(m_ranks, rounds);
    const std::size_t most = *std::max_element(others.begin(), others.end());
    for (std::size_t k = 0; k < most; ++k) {
      const std::size_t begin = std::min(count, k * nonzeros_of_round);
      round(begin, std::min(count, begin + nonzeros_of_round));
    }
  }

  Subscripts subscripts;  ///< that have come
  Values values;

 private:
  static constexpr std::size_t nonzeros_of_round = std::size_t{1} << 22;

  [[nodiscard]] std::uint32_t rank_of(const Ordinal* at) const {
    return m_partition.rank_of([at](int n) { return static_cast<std::uint64_t>(at[n]); });
  }

  void make_room() {
    std::vector<std::size_t> sent(m_ranks.size()), received(m_ranks.size());
    for (std::size_t p = 0; p < m_values.size(); ++p) {
      ++sent[rank_of(m_subscripts.data() + p * m_order)];
    }
    m_ranks.all_to_all(sent.data(), sizeof(std::size_t), received.data());
    std::exclusive_scan(received.begin(), received.end(), m_next.begin(), std::size_t{0});
    const std::size_t all = m_next.back() + received.back();
    together(m_ranks, [&] {
      if (all >= std::numeric_limits<std::uint32_t>::max()) {
        throw Error(Error::Kind::memory, "a rank gets " + std::to_string(all) +
                                             " nonzeros, 2^32 or more: take more ranks");
      }
      subscripts = detail::new_view<Subscripts>(
          Kokkos::view_alloc("genten::subscripts", Kokkos::WithoutInitializing), all, m_order);
      values = detail::new_view<Values>(
          Kokkos::view_alloc("genten::values", Kokkos::WithoutInitializing), all);
    });
  }

  void round(std::size_t begin, std::size_t end) {
    std::vector<std::vector<Ordinal>> subscripts_to(m_ranks.size());
    std::vector<std::vector<Scalar>> values_to(m_ranks.size());
    for (std::size_t p = begin; p < end; ++p) {
      const Ordinal* const at = m_subscripts.data() + p * m_order;
      const std::uint32_t rank = rank_of(at);
      subscripts_to[rank].insert(subscripts_to[rank].end(), at, at + m_order);
      values_to[rank].push_back(m_values[p]);
    }
    std::vector<std::size_t> sent, received(m_ranks.size());
    for (const auto& list : values_to) sent.push_back(list.size());
    m_ranks.all_to_all(sent.data(), sizeof(std::size_t), received.data());
    exchange(subscripts_to, received, m_order, subscripts.data());
    exchange(values_to, received, 1, values.data());
    for (std::size_t r = 0; r < received.size(); ++r) m_next[r] += received[r];
  }
  /// Takes so many items of `width` numbers from each rank.
  template <class T>
  void exchange(const std::vector<std::vector<T>>& lists, const std::vector<std::size_t>& received,
                std::size_t width, T* to) {
    std::vector<Communicator::Outgoing> out;
    std::vector<Communicator::Incoming> in;
    for (std::size_t r = 0; r < lists.size(); ++r) {
      T* const place = to + m_next[r] * width;
      if (r == m_ranks.rank()) {
        std::copy(lists[r].begin(), lists[r].end(), place);
        continue;
      }
      if (!lists[r].empty()) out.push_back({r, lists[r].data(), lists[r].size() * sizeof(T)});
      if (received[r] != 0) in.push_back({r, place, received[r] * width * sizeof(T)});
    }
    m_ranks.exchange(out, in);
  }

  Communicator& m_ranks;
  const Partition& m_partition;
  std::size_t m_order;
  std::span<const Ordinal> m_subscripts;
  std::span<const Scalar> m_values;
  std::vector<std::size_t> m_next;  ///< by rank, where the next of its nonzeros come
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

/// `distribute`, of nonzeros that `release` gives back when they have been sent.
template <class Scalar, class Ordinal, class Release>
DistributedTensor<Scalar, Ordinal> distribute_and_release(
    Communicator& ranks, const HostExec& exec, const std::vector<std::size_t>& dimensions,
    std::span<const Ordinal> subscripts, std::span<const Scalar> values,
    const DistributeOptions& options, const Release& release) {
  DistributedTensor<Scalar, Ordinal> result;
  result.partition = share_partition<Ordinal>(ranks, exec, dimensions, subscripts, options);
  Delivery<Scalar, Ordinal> own(ranks, result.partition, dimensions.size(), subscripts, values);
  own.run();
  release();
  const std::size_t received = own.values.extent(0);
  Sptensor<Scalar, Ordinal, HostExec> tensor;
  together(ranks, [&] {
    const Sptensor<Scalar, Ordinal, HostExec> raw(
        exec, dimensions, std::exchange(own.subscripts, {}), std::exchange(own.values, {}));
    tensor = merged(exec, raw);
  });
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

}  // namespace

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
DistributedTensor<Scalar, Ordinal> distribute(Communicator& ranks, const HostExec& exec,
                                              const std::vector<std::size_t>& dimensions,
                                              RawNonzeros<Scalar, Ordinal> nonzeros,
                                              const DistributeOptions& options) {
  return distribute_and_release<Scalar, Ordinal>(ranks, exec, dimensions, nonzeros.subscripts,
                                                 nonzeros.values, options, [&] { nonzeros = {}; });
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
DistributedTensor<Scalar, Ordinal> distribute(Communicator& ranks, const HostExec& exec,
                                              const std::vector<std::size_t>& dimensions,
                                              NonzeroArrays<Scalar, Ordinal> nonzeros,
                                              const DistributeOptions& options) {
  return distribute_and_release<Scalar, Ordinal>(
      ranks, exec, dimensions, {nonzeros.subscripts.data(), nonzeros.subscripts.size()},
      {nonzeros.values.data(), nonzeros.values.size()}, options, [&] { nonzeros = {}; });
}

#define GENTEN_DISTRIBUTE(SCALAR, ORDINAL)                             \
  template DistributedTensor<SCALAR, ORDINAL> distribute(              \
      Communicator&, const HostExec&, const std::vector<std::size_t>&, \
      RawNonzeros<SCALAR, ORDINAL>, const DistributeOptions&);         \
  template DistributedTensor<SCALAR, ORDINAL> distribute(              \
      Communicator&, const HostExec&, const std::vector<std::size_t>&, \
      NonzeroArrays<SCALAR, ORDINAL>, const DistributeOptions&);
GENTEN_DISTRIBUTE(float, std::uint32_t)
GENTEN_DISTRIBUTE(float, std::uint64_t)
GENTEN_DISTRIBUTE(double, std::uint32_t)
GENTEN_DISTRIBUTE(double, std::uint64_t)
#undef GENTEN_DISTRIBUTE

}  // namespace genten
