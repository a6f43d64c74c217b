// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../base/usual_types.hpp"
#include "part_rows.hpp"
#include "share_partition.hpp"

#include <genten/core/merge_duplicates.hpp>
#include <genten/dist/distribute.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace genten {
namespace {

/// Moves nonzeros to the processes whose they are, where those of process 0 come first, then those
/// of process 1, and so on, each process's in their order.
template <class Scalar, class Ordinal>
class Delivery {
 public:
  using Subscripts = Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  using Values = Kokkos::View<Scalar*, Kokkos::HostSpace>;

  Delivery(Communicator& processes, const Partition& partition, std::size_t order,
           std::span<const Ordinal> from_subscripts, std::span<const Scalar> from_values)
      : m_processes(processes),
        m_partition(partition),
        m_order(order),
        m_subscripts(from_subscripts),
        m_values(from_values),
        m_next(processes.size()) {}

  /// Sends them in rounds, so that few are there twice, and takes what comes to where it stays.
  void run() {
    const std::size_t count = m_values.size();
    make_room();
    const std::size_t rounds = (count + nonzeros_of_round - 1) / nonzeros_of_round;
    const auto others = all_gather(m_processes, rounds);
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

  [[nodiscard]] std::uint32_t process_of(const Ordinal* at) const {
    return m_partition.process_of([at](int n) { return static_cast<std::uint64_t>(at[n]); });
  }

  void make_room() {
    std::vector<std::size_t> sent(m_processes.size()), received(m_processes.size());
    for (std::size_t p = 0; p < m_values.size(); ++p) {
      ++sent[process_of(m_subscripts.data() + p * m_order)];
    }
    m_processes.all_to_all(sent.data(), sizeof(std::size_t), received.data());
    std::exclusive_scan(received.begin(), received.end(), m_next.begin(), std::size_t{0});
    const std::size_t all = m_next.back() + received.back();
    together(m_processes, [&] {
      if (all >= std::numeric_limits<std::uint32_t>::max()) {
        throw Error(Error::Kind::memory, "a process gets " + std::to_string(all) +
                                             " nonzeros, 2^32 or more: take more processes");
      }
      subscripts = detail::new_view<Subscripts>(
          Kokkos::view_alloc("genten::subscripts", Kokkos::WithoutInitializing), all, m_order);
      values = detail::new_view<Values>(
          Kokkos::view_alloc("genten::values", Kokkos::WithoutInitializing), all);
    });
  }

  void round(std::size_t begin, std::size_t end) {
    std::vector<std::vector<Ordinal>> subscripts_to(m_processes.size());
    std::vector<std::vector<Scalar>> values_to(m_processes.size());
    for (std::size_t p = begin; p < end; ++p) {
      const Ordinal* const at = m_subscripts.data() + p * m_order;
      const std::uint32_t process = process_of(at);
      subscripts_to[process].insert(subscripts_to[process].end(), at, at + m_order);
      values_to[process].push_back(m_values[p]);
    }
    std::vector<std::size_t> sent, received(m_processes.size());
    for (const auto& list : values_to) sent.push_back(list.size());
    m_processes.all_to_all(sent.data(), sizeof(std::size_t), received.data());
    exchange(subscripts_to, received, m_order, subscripts.data());
    exchange(values_to, received, 1, values.data());
    for (std::size_t r = 0; r < received.size(); ++r) m_next[r] += received[r];
  }
  /// Takes so many items of `width` numbers from each process.
  template <class T>
  void exchange(const std::vector<std::vector<T>>& lists, const std::vector<std::size_t>& received,
                std::size_t width, T* to) {
    std::vector<Communicator::Outgoing> out;
    std::vector<Communicator::Incoming> in;
    for (std::size_t r = 0; r < lists.size(); ++r) {
      T* const place = to + m_next[r] * width;
      if (r == m_processes.process()) {
        std::copy(lists[r].begin(), lists[r].end(), place);
        continue;
      }
      if (!lists[r].empty()) out.push_back({r, lists[r].data(), lists[r].size() * sizeof(T)});
      if (received[r] != 0) in.push_back({r, place, received[r] * width * sizeof(T)});
    }
    m_processes.exchange(out, in);
  }

  Communicator& m_processes;
  const Partition& m_partition;
  std::size_t m_order;
  std::span<const Ordinal> m_subscripts;
  std::span<const Scalar> m_values;
  std::vector<std::size_t> m_next;  ///< by process, where the next of its nonzeros come
};

/// The tensor without duplicates. Values are finite, so that only their sums may not be.
template <class Scalar, class Ordinal>
Sptensor<Scalar, Ordinal, HostExec> merged(const HostExec& exec,
                                           const Sptensor<Scalar, Ordinal, HostExec>& raw,
                                           Duplicates rule) {
  const bool refuses = rule == Duplicates::refuse;  // the caller does, where any were merged
  try {
    return merge_duplicates(exec, raw, refuses ? Duplicates::last : rule).tensor;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::argument) throw;
    throw Error::in("distribute", "the sum of a nonzero's duplicates is not finite")
        .as(Error::Code::sum_not_finite);
  }
}

/// `distribute`, of nonzeros that `release` gives back when they have been sent.
template <class Scalar, class Ordinal, class Release>
DistributedTensor<Scalar, Ordinal> distribute_and_release(
    Communicator& processes, const HostExec& exec, const std::vector<std::size_t>& dimensions,
    std::span<const Ordinal> subscripts, std::span<const Scalar> values,
    const DistributeOptions& options, const Release& release) {
  DistributedTensor<Scalar, Ordinal> result;
  result.partition = share_partition<Ordinal>(processes, exec, dimensions, subscripts, options);
  Delivery<Scalar, Ordinal> own(processes, result.partition, dimensions.size(), subscripts, values);
  own.run();
  release();
  const std::size_t received = own.values.extent(0);
  Sptensor<Scalar, Ordinal, HostExec> tensor;
  together(processes, [&] {
    const Sptensor<Scalar, Ordinal, HostExec> raw(
        exec, dimensions, std::exchange(own.subscripts, {}), std::exchange(own.values, {}));
    tensor = merged(exec, raw, options.duplicates);
  });
  const auto nnz = static_cast<std::size_t>(tensor.nnz());
  using Subscripts = Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  const auto numbered = detail::new_view<Subscripts>(
      Kokkos::view_alloc("genten::subscripts", Kokkos::WithoutInitializing), nnz,
      dimensions.size());
  const std::vector<std::size_t> lengths =
      number_rows<Ordinal>(processes, exec, dimensions, tensor.subscripts(), numbered, result);
  result.part.tensor = Sptensor<Scalar, Ordinal, HostExec>::trusted(
      exec, lengths, numbered, tensor.values(), SptensorFacts{.distinct = true});
  share_facts_of_parts(processes, dimensions, detail::TensorFingerprint::of(exec, tensor),
                       received - nnz, result);
  return result;
}

}  // namespace

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
DistributedTensor<Scalar, Ordinal> distribute(Communicator& processes, const HostExec& exec,
                                              const std::vector<std::size_t>& dimensions,
                                              RawNonzeros<Scalar, Ordinal> nonzeros,
                                              const DistributeOptions& options) {
  return distribute_and_release<Scalar, Ordinal>(processes, exec, dimensions, nonzeros.subscripts,
                                                 nonzeros.values, options, [&] { nonzeros = {}; });
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
DistributedTensor<Scalar, Ordinal> distribute(Communicator& processes, const HostExec& exec,
                                              const std::vector<std::size_t>& dimensions,
                                              NonzeroArrays<Scalar, Ordinal> nonzeros,
                                              const DistributeOptions& options) {
  return distribute_and_release<Scalar, Ordinal>(
      processes, exec, dimensions, {nonzeros.subscripts.data(), nonzeros.subscripts.size()},
      {nonzeros.values.data(), nonzeros.values.size()}, options, [&] { nonzeros = {}; });
}

#define GENTEN_DISTRIBUTE(SCALAR, ORDINAL)                             \
  template DistributedTensor<SCALAR, ORDINAL> distribute(              \
      Communicator&, const HostExec&, const std::vector<std::size_t>&, \
      RawNonzeros<SCALAR, ORDINAL>, const DistributeOptions&);         \
  template DistributedTensor<SCALAR, ORDINAL> distribute(              \
      Communicator&, const HostExec&, const std::vector<std::size_t>&, \
      NonzeroArrays<SCALAR, ORDINAL>, const DistributeOptions&);
GENTEN_FOR_TENSORS(GENTEN_DISTRIBUTE)
#undef GENTEN_DISTRIBUTE

}  // namespace genten
