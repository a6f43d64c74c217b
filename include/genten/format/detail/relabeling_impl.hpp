// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/detail/staged_copy.hpp>
#include <genten/format/detail/long_mode.hpp>
#include <genten/format/relabeling.hpp>

#include <numeric>

namespace genten::detail {

/// Modes up to this length are counted in private histograms, longer ones atomically.
inline constexpr std::size_t longest_private_histogram = std::size_t{1} << 20;

/// Nonzeros of each slice of `mode`, on the host. Subscripts of busy slices repeat, so atomic
/// additions to one array would wait for each other.
template <class Exec, class Subscripts>
Kokkos::View<std::uint32_t*, typename Exec::memory_space> count_slices_on_host(
    const Exec& exec, const Subscripts& subscripts, int mode, std::size_t rows) {
  const auto nnz = static_cast<offset_t>(subscripts.extent(0));
  using Counts = Kokkos::View<std::uint32_t*, typename Exec::memory_space>;
  const auto counts = new_view<Counts>("genten::slice_counts", rows);
  if (rows > longest_private_histogram) {
    Kokkos::parallel_for(
        "genten::count_slices",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, nnz),
        [=](const offset_t p) { Kokkos::atomic_add(&counts(subscripts(p, mode)), 1u); });
    fence(exec, "genten::count_slices");
    return counts;
  }
  const EvenChunks chunks(static_cast<std::size_t>(nnz), 1,
                          static_cast<std::size_t>(exec.concurrency()));
  using Histograms =
      Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, typename Exec::memory_space>;
  const auto own = new_view<Histograms>("genten::slice_histograms", chunks.count(), rows);
  for_each_index("genten::count_slices", exec, chunks.count(), [=](const std::size_t chunk) {
    std::uint32_t* const mine = &own(chunk, 0);
    const std::size_t end = chunks.end(chunk);
    for (std::size_t p = chunks.begin(chunk); p < end; ++p) ++mine[subscripts(p, mode)];
  });
  Kokkos::parallel_for("genten::add_histograms", Kokkos::RangePolicy<Exec>(exec, 0, rows),
                       [=](const std::size_t i) {
                         for (std::size_t chunk = 0; chunk < chunks.count(); ++chunk) {
                           counts(i) += own(chunk, i);
                         }
                       });
  fence(exec, "genten::count_slices");
  return counts;
}

/// Rows with a positive count, by descending count.
template <class Ordinal, class Counts>
HostArray<Ordinal> rows_by_count(const Counts& counts) {
  const std::size_t rows = counts.extent(0);
  std::size_t used = 0;
  for (std::size_t i = 0; i < rows; ++i) used += counts(i) != 0;
  SortPairs<std::uint32_t, Ordinal, Kokkos::HostSpace> pairs(static_cast<offset_t>(used));
  for (std::size_t i = 0, next = 0; i < rows; ++i) {
    if (counts(i) == 0) continue;
    pairs.values(next) = static_cast<Ordinal>(i);
    pairs.keys(next++) = ~counts(i);
  }
  sort_pairs(HostExec(), pairs, 32);
  return pairs.values;
}

/// Rows as lists of them have them.
template <class Exec, class Rows>
[[nodiscard]] RowList<Exec> row_list(const Exec& exec, const Rows& rows) {
  if constexpr (std::is_same_v<Rows, RowList<Exec>>) {
    return rows;
  } else {
    const auto list = uninitialized_view<RowList<Exec>>("genten::rows_in_use", rows.extent(0));
    Kokkos::parallel_for(
        "genten::row_list",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(
            exec, 0, static_cast<offset_t>(rows.extent(0))),
        KOKKOS_LAMBDA(const offset_t i) { list(i) = rows(i); });
    fence(exec, "genten::row_list");
    return list;
  }
}

/// The same on a device, from the subscripts.
template <class Ordinal, class Exec, class Subscripts>
Kokkos::View<Ordinal*, typename Exec::memory_space> rows_by_count_on_device(
    const Exec& exec, const Subscripts& subscripts, int mode, std::size_t rows) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  using Space = typename Exec::memory_space;
  const auto nnz = static_cast<offset_t>(subscripts.extent(0));
  const auto length = static_cast<offset_t>(rows);
  // Several histograms of a short mode, so that atomics seldom meet.
  const auto copies = std::clamp<offset_t>((offset_t{1} << 18) / length, 1, 512);
  const auto counts = new_view<Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space>>(
      "genten::slice_histograms", static_cast<std::size_t>(copies), rows);
  SortPairs<std::uint32_t, Ordinal, Space> pairs(length);
  const auto keys = pairs.keys;
  const auto listed = pairs.values;
  Kokkos::parallel_for(
      "genten::count_slices", Policy(exec, 0, nnz), KOKKOS_LAMBDA(const offset_t p) {
        Kokkos::atomic_add(&counts(p % copies, subscripts(p, mode)), 1u);
      });
  offset_t used = 0;
  Kokkos::parallel_reduce(
      "genten::add_histograms", Policy(exec, 0, length),
      KOKKOS_LAMBDA(const offset_t i, offset_t& sum) {
        std::uint32_t count = 0;
        for (offset_t c = 0; c < copies; ++c) count += counts(c, i);
        keys(i) = ~count;
        listed(i) = static_cast<Ordinal>(i);
        sum += count != 0 ? 1 : 0;
      },
      used);
  sort_pairs(exec, pairs, 32);
  using Rows = Kokkos::View<Ordinal*, Space>;
  const auto result = uninitialized_view<Rows>("genten::rows_in_use", used);
  const auto found = Kokkos::make_pair(std::size_t{0}, static_cast<std::size_t>(used));
  copy_view(exec, result, Kokkos::subview(pairs.values, found));
  fence(exec, "genten::rows_by_count");
  return result;
}

}  // namespace genten::detail

namespace genten {

template <SubscriptOrdinal Ordinal, ExecutionSpace Exec>
template <RealScalar Scalar>
Relabeling<Ordinal, Exec>::Relabeling(const Exec& exec,
                                      const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  for (int mode = 0; mode < tensor.order(); ++mode) {
    const std::size_t rows = tensor.dimension(mode);
    if (tensor.nnz() == 0) {
      const auto listed = detail::uninitialized_array<std::uint64_t>("genten::rows_in_use", rows);
      std::iota(listed.data(), listed.data() + rows, std::uint64_t{0});
      m_original.push_back(
          Kokkos::create_mirror_view_and_copy(typename Exec::memory_space(), listed));
    } else if (detail::is_long_mode(rows, tensor.nnz())) {
      m_original.push_back(detail::row_list(exec, detail::rows_by_count_of_long_mode<Ordinal>(
                                                      exec, tensor.subscripts(), mode, rows)));
    } else if constexpr (is_host_space<Exec>) {
      const auto counts = detail::count_slices_on_host(exec, tensor.subscripts(), mode, rows);
      m_original.push_back(detail::row_list(exec, detail::rows_by_count<Ordinal>(counts)));
    } else {
      m_original.push_back(detail::row_list(
          exec, detail::rows_by_count_on_device<Ordinal>(exec, tensor.subscripts(), mode, rows)));
    }
  }
}

template <SubscriptOrdinal Ordinal, ExecutionSpace Exec>
template <RealScalar Scalar>
RelabeledTensor<Scalar, Ordinal, Exec> Relabeling<Ordinal, Exec>::apply(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor) const {
  using Numbers = typename RelabeledTensor<Scalar, Ordinal, Exec>::Rows;
  std::vector<typename RelabeledTensor<Scalar, Ordinal, Exec>::Numbers> numbers;
  for (int mode = 0; mode < tensor.order(); ++mode) {
    const Rows original = original_rows(mode);
    if (detail::is_long_mode(tensor.dimension(mode), tensor.nnz())) {
      numbers.push_back({detail::numbers_in_long_mode<Ordinal>(exec, tensor.subscripts(), mode,
                                                               tensor.dimension(mode), original),
                         true});
      continue;
    }
    const auto number =
        detail::uninitialized_view<Numbers>("genten::row_numbers", tensor.dimension(mode));
    Kokkos::parallel_for(
        "genten::number_rows",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(
            exec, 0, static_cast<offset_t>(original.extent(0))),
        KOKKOS_LAMBDA(const offset_t i) { number(original(i)) = static_cast<Ordinal>(i); });
    numbers.push_back({number, false});
  }
  detail::fence(exec, "genten::number_rows");
  return {tensor, std::move(numbers), dimensions()};
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Sptensor<Scalar, Ordinal, Exec> RelabeledTensor<Scalar, Ordinal, Exec>::materialize(
    const Exec& exec) const {
  if (m_numbers.empty()) return m_tensor;
  const int order = m_tensor.order();
  using View = Kokkos::View<Ordinal**, Kokkos::LayoutRight, typename Exec::memory_space>;
  const auto written =
      detail::uninitialized_view<View>("genten::relabeled_subscripts", nnz(), m_dimensions.size());
  const Subscripts relabeled = subscripts();
  Kokkos::parallel_for(
      "genten::relabel", Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, nnz()),
      KOKKOS_LAMBDA(const offset_t p) {
        for (int mode = 0; mode < order; ++mode) written(p, mode) = relabeled(p, mode);
      });
  detail::fence(exec, "genten::relabel");
  const SptensorFacts facts{m_tensor.facts().distinct, false};
  return Sptensor<Scalar, Ordinal, Exec>::trusted(exec, m_dimensions, written, m_tensor.values(),
                                                  facts);
}

template <SubscriptOrdinal Ordinal, ExecutionSpace Exec>
template <RealScalar Scalar>
void Relabeling<Ordinal, Exec>::gather_rows(const Exec& exec, int mode,
                                            const FacMatrix<Scalar, Exec>& wide,
                                            const FacMatrix<Scalar, Exec>& narrow) const {
  const Rows original = original_rows(mode);
  const std::size_t columns = narrow.columns();
  Kokkos::parallel_for(
      "genten::gather_rows",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(
          exec, 0, static_cast<offset_t>(original.extent(0))),
      KOKKOS_LAMBDA(const offset_t i) {
        for (std::size_t j = 0; j < columns; ++j) narrow(i, j) = wide(original(i), j);
      });
}

}  // namespace genten

#define GENTEN_ETI_RELABELING(PREFIX, SCALAR, EXEC)                                         \
  PREFIX template genten::Relabeling<genten::RowNumber, EXEC>::Relabeling(                  \
      const EXEC&, const genten::Sptensor<SCALAR, genten::RowNumber, EXEC>&);               \
  PREFIX template genten::RelabeledTensor<SCALAR, genten::RowNumber, EXEC>                  \
  genten::Relabeling<genten::RowNumber, EXEC>::apply(                                       \
      const EXEC&, const genten::Sptensor<SCALAR, genten::RowNumber, EXEC>&) const;         \
  PREFIX template genten::Sptensor<SCALAR, genten::RowNumber, EXEC>                         \
  genten::RelabeledTensor<SCALAR, genten::RowNumber, EXEC>::materialize(const EXEC&) const; \
  PREFIX template void genten::Relabeling<genten::RowNumber, EXEC>::gather_rows(            \
      const EXEC&, int, const genten::FacMatrix<SCALAR, EXEC>&,                             \
      const genten::FacMatrix<SCALAR, EXEC>&) const;

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_RELABELING, extern)
#endif
