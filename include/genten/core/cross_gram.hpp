// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A^T B of two factor matrices in double precision, the same for every number of threads.

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/base/detail/cross_block.hpp>
#include <genten/base/detail/staged_copy.hpp>
#include <genten/core/fac_matrix.hpp>

namespace genten {

/// A host matrix of doubles.
using HostMatrix = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;

namespace detail {

/// The work of `cross_gram`: blocks of rows of the result for chunks of rows of the factors.
template <RealScalar Scalar, ExecutionSpace Exec>
struct CrossGram {
  static constexpr offset_t block = is_host_space<Exec> ? 8 : 1;

  ReduceChunks<Exec> chunks;
  FacMatrix<const Scalar, Exec> a, b;
  Kokkos::View<double***, Kokkos::LayoutRight, typename Exec::memory_space> partial;

  [[nodiscard]] offset_t blocks() const {
    return (static_cast<offset_t>(a.columns()) + block - 1) / block;
  }
  /// On a device every index has one element, neighbours along a row of B.
  [[nodiscard]] offset_t indices() const {
    const auto columns = static_cast<offset_t>(b.columns());
    return chunks.count() * blocks() * (is_host_space<Exec> ? 1 : columns);
  }

  KOKKOS_FUNCTION void operator()(const offset_t index) const {
    if constexpr (is_host_space<Exec>) {
      add_block(index % chunks.count(), static_cast<std::size_t>(index / chunks.count() * block));
    } else {
      const auto columns = static_cast<offset_t>(b.columns());
      const offset_t s = index % columns, r = index / columns % blocks_on_device();
      add_element(index / columns / blocks_on_device(), r, s);
    }
  }

 private:
  KOKKOS_FUNCTION offset_t blocks_on_device() const { return static_cast<offset_t>(a.columns()); }

  void add_block(offset_t chunk, std::size_t first) const {
    using Block = CrossBlock<Scalar>;
    const auto end = static_cast<std::size_t>(chunks.end(chunk));
    for (auto i = static_cast<std::size_t>(chunks.begin(chunk)); i < end; i += Block::usual_rows) {
      add_cross_block(Block{a.row(i) + first, std::min<std::size_t>(block, a.columns() - first),
                            a.stride(), b.row(i), b.columns(), b.stride(),
                            std::min(Block::usual_rows, end - i), &partial(chunk, first, 0)});
    }
  }

  KOKKOS_FUNCTION void add_element(offset_t chunk, offset_t r, offset_t s) const {
    double sum = 0.0;
    for (offset_t i = chunks.begin(chunk); i < chunks.end(chunk); i += chunks.step()) {
      sum += static_cast<double>(a(i, r)) * static_cast<double>(b(i, s));
    }
    partial(chunk, r, s) = sum;
  }
};

}  // namespace detail

/// A^T B, as many rows as A has columns, summed in double. Host result, after a fence on `exec`.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] HostMatrix cross_gram(const Exec& exec, const FacMatrix<Scalar, Exec>& a,
                                    const FacMatrix<Scalar, Exec>& b) {
  const auto result = detail::new_view<HostMatrix>("genten::cross_gram", a.columns(), b.columns());
  if (a.rows() == 0 || a.columns() == 0 || b.columns() == 0) return result;
  // Partial sums are kept to some 32 MB, however large the rank.
  const auto elements = static_cast<offset_t>(a.columns() * b.columns());
  const offset_t most = std::clamp<offset_t>((offset_t{1} << 22) / elements, 1, 64);
  const detail::ReduceChunks<Exec> chunks(static_cast<offset_t>(a.rows()),
                                          is_host_space<Exec> ? 256 : 32, most);
  using Partial = Kokkos::View<double***, Kokkos::LayoutRight, typename Exec::memory_space>;
  const auto partial =
      detail::new_view<Partial>(Kokkos::view_alloc(exec, "genten::cross_gram_partial"),
                                static_cast<std::size_t>(chunks.count()), a.columns(), b.columns());
  const detail::CrossGram<Scalar, Exec> work{chunks, a, b, partial};
  Kokkos::parallel_for(
      "genten::cross_gram",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, work.indices()), work);
  const auto host = Kokkos::create_mirror_view(partial);
  detail::copy_view(exec, host, partial);
  exec.fence();
  for (std::size_t chunk = 0; chunk < host.extent(0); ++chunk) {
    for (std::size_t r = 0; r < a.columns(); ++r) {
      for (std::size_t s = 0; s < b.columns(); ++s) result(r, s) += host(chunk, r, s);
    }
  }
  return result;
}

}  // namespace genten

#define GENTEN_ETI_CROSS_GRAM(PREFIX, SCALAR, EXEC)                                             \
  PREFIX template genten::HostMatrix genten::cross_gram(const EXEC&,                            \
                                                        const genten::FacMatrix<SCALAR, EXEC>&, \
                                                        const genten::FacMatrix<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_CROSS_GRAM, extern)
#endif
