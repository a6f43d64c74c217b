// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "share_partition.hpp"
#include "../base/usual_types.hpp"

#include <genten/core/generate.hpp>
#include <genten/dist/bisection.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace genten {
namespace {

/// The subscripts of nonzeros that are in a sample.
template <class Ordinal>
std::vector<Ordinal> sample(std::span<const Ordinal> subscripts, std::size_t order, double part) {
  if (part >= 1.0) return {subscripts.begin(), subscripts.end()};
  const auto limit = static_cast<std::uint64_t>(std::ldexp(part, 64));
  std::vector<Ordinal> taken;
  for (std::size_t p = 0; p < subscripts.size(); p += order) {
    detail::SampleHash hash;
    for (std::size_t n = 0; n < order; ++n) hash.add(subscripts[p + n]);
    if (!hash.is_in(limit)) continue;
    taken.insert(taken.end(), subscripts.begin() + static_cast<std::ptrdiff_t>(p),
                 subscripts.begin() + static_cast<std::ptrdiff_t>(p + order));
  }
  return taken;
}

template <class Ordinal>
using Sample = Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// The lists of all processes, one after the other.
template <class Ordinal>
Sample<Ordinal> joined(const std::vector<std::vector<Ordinal>>& lists, std::size_t order) {
  std::size_t entries = 0;
  for (const auto& list : lists) entries += list.size();
  const auto all = detail::new_view<Sample<Ordinal>>(
      Kokkos::view_alloc("genten::sample", Kokkos::WithoutInitializing), entries / order, order);
  Ordinal* next = all.data();
  for (const auto& list : lists) next = std::copy(list.begin(), list.end(), next);
  return all;
}

/// Gives a partition of process 0 to all.
Partition broadcast(Communicator& processes, const Partition& mine, int order) {
  std::vector<Partition::Cut> cuts(processes.size() - 1);
  std::vector<std::uint64_t> places(cuts.size() * static_cast<std::size_t>(order));
  if (processes.process() == 0) {
    cuts = mine.cuts();
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      const auto place = mine.place(c);
      std::copy(place.begin(), place.end(),
                places.begin() + static_cast<std::ptrdiff_t>(c * place.size()));
    }
  }
  processes.broadcast(cuts.data(), cuts.size() * sizeof(Partition::Cut), 0);
  processes.broadcast(places.data(), places.size() * sizeof(std::uint64_t), 0);
  Partition result(order);
  const auto width = static_cast<std::size_t>(order);
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    result.add(cuts[c].mode, std::span(places).subspan(c * width, width));
    result.set(c, false, cuts[c].below);
    result.set(c, true, cuts[c].above);
  }
  return result;
}

}  // namespace

void require_grid(const Grid& grid, std::size_t order, std::size_t processes) {
  if (grid.empty()) return;
  std::size_t product = 1;
  for (const std::size_t layers : grid) {
    // No product that wraps around is taken for another.
    product = layers == 0 || layers > processes / std::max<std::size_t>(product, 1)
                  ? 0
                  : product * layers;
  }
  if (grid.size() == order && product == processes) return;
  throw Error::of_option("grid", "expected " + std::to_string(order) +
                                     " numbers of layers, one a mode, " +
                                     "whose product is the number of processes, " +
                                     std::to_string(processes) + ", got " + grid_text(grid));
}

template <SubscriptOrdinal Ordinal>
Partition divide_sample(
    Communicator& processes, const HostExec& exec, const std::vector<std::size_t>& dimensions,
    const Kokkos::View<const Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>& sample,
    SptensorFacts facts, const Grid& grid) {
  Partition partition(static_cast<int>(dimensions.size()));
  if (processes.size() == 1) return partition;
  together(processes, [&] {
    if (processes.process() != 0) return;
    const TensorSlices<Ordinal> slices(exec, dimensions, sample, facts);
    partition =
        grid.empty() ? bisect(exec, slices, processes.size()) : grid_partition(slices, grid);
  });
  return broadcast(processes, partition, partition.order());
}

template <SubscriptOrdinal Ordinal>
Partition share_partition(Communicator& processes, const HostExec& exec,
                          const std::vector<std::size_t>& dimensions,
                          std::span<const Ordinal> subscripts, const DistributeOptions& options) {
  const std::size_t order = dimensions.size();
  together(processes, [&] { require_grid(options.grid, order, processes.size()); });
  if (processes.size() == 1) return Partition(static_cast<int>(order));
  const auto counts = all_gather(processes, subscripts.size() / order);
  const auto nnz = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  const double part = static_cast<double>(options.most_sampled) / static_cast<double>(nnz);
  std::vector<std::vector<Ordinal>> lists(processes.size());
  lists[0] = sample(subscripts, order, part);
  lists = exchange_lists(processes, lists);
  Sample<Ordinal> all;
  together(processes, [&] { all = joined(lists, order); });
  lists.clear();
  return divide_sample<Ordinal>(processes, exec, dimensions, all, {}, options.grid);
}

#define GENTEN_SHARE_PARTITION(ORDINAL)                                                            \
  template Partition divide_sample(                                                                \
      Communicator&, const HostExec&, const std::vector<std::size_t>&,                             \
      const Kokkos::View<const ORDINAL**, Kokkos::LayoutRight, Kokkos::HostSpace>&, SptensorFacts, \
      const Grid&);                                                                                \
  template Partition share_partition(Communicator&, const HostExec&,                               \
                                     const std::vector<std::size_t>&, std::span<const ORDINAL>,    \
                                     const DistributeOptions&);
GENTEN_FOR_ORDINALS(GENTEN_SHARE_PARTITION)
#undef GENTEN_SHARE_PARTITION

}  // namespace genten
