// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ZeroEnumeration: f(0, m) and its gradient over all entries of a tensor, one by one.

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/cp/losses/any_loss.hpp>
#include <genten/mttkrp/problem.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

/// How the entries are cut for one mode: by its row and by chunks of the subscripts of the other
/// modes but the longest of these, which is the innermost loop. The pieces depend on the dimensions
/// alone, so that sums are the same for every number of threads.
struct EntryPieces {
  int mode = 0;
  int inner = -1;  ///< the innermost mode; -1 where there is no other
  std::size_t rows = 1, inner_rows = 1, outer = 1;
  EvenChunks chunks{1};

  EntryPieces(const std::vector<std::size_t>& dimensions, int of_mode, std::size_t wanted)
      : mode(of_mode), rows(dimensions[static_cast<std::size_t>(of_mode)]) {
    for (int n = 0; n < static_cast<int>(dimensions.size()); ++n) {
      const auto length = dimensions[static_cast<std::size_t>(n)];
      if (n != mode && (inner < 0 || length > inner_rows)) {
        inner = n;
        inner_rows = length;
      }
    }
    for (int n = 0; n < static_cast<int>(dimensions.size()); ++n) {
      if (n != mode && n != inner) outer *= dimensions[static_cast<std::size_t>(n)];
    }
    const std::size_t a_row = std::max<std::size_t>(1, wanted / std::max<std::size_t>(1, rows));
    chunks = EvenChunks(outer, 1, std::min(a_row, std::max<std::size_t>(1, outer)));
  }
  [[nodiscard]] KOKKOS_FUNCTION std::size_t count() const { return rows * chunks.count(); }
};

/// The work of a piece. Four arrays of a number a component lie in `work`: the product of the outer
/// rows, that times the row of the mode, the sums of the inner loop, and the piece's gradient.
template <RealScalar Scalar, ExecutionSpace Exec>
struct EnumeratePiece {
  using Work = Kokkos::View<double***, Kokkos::LayoutRight, typename Exec::memory_space>;

  FactorSet<Scalar> model;
  LossKernel loss;
  EntryPieces pieces;
  Kokkos::Array<std::size_t, max_order> dimensions;
  Work work;  ///< piece, array, component
  bool slopes;

  /// Returns the sum of f(0, m), or 0 with `slopes`.
  KOKKOS_FUNCTION double operator()(const std::size_t piece) const {
    const std::size_t rank = model.columns;
    double* const product = &work(piece, 0, 0);
    double* const weighted = &work(piece, 1, 0);
    double* const inner = &work(piece, 2, 0);
    double* const gradient = &work(piece, 3, 0);
    const std::size_t chunk = piece % pieces.chunks.count();
    const Scalar* const row = row_of(pieces.mode, piece / pieces.chunks.count());
    double sum = 0.0;
    for (std::size_t r = 0; r < rank; ++r) gradient[r] = 0.0;
    for (std::size_t o = pieces.chunks.begin(chunk); o < pieces.chunks.end(chunk); ++o) {
      multiply_outer(o, product);
      for (std::size_t r = 0; r < rank; ++r) {
        weighted[r] = product[r] * static_cast<double>(row[r]);
        inner[r] = 0.0;
      }
      for (std::size_t j = 0; j < pieces.inner_rows; ++j) sum += add_entry(j, weighted, inner);
      for (std::size_t r = 0; r < rank; ++r) gradient[r] += product[r] * inner[r];
    }
    return sum;
  }

 private:
  KOKKOS_FUNCTION const Scalar* row_of(int mode, std::size_t i) const {
    return model.data[mode] + i * model.stride[mode];
  }
  KOKKOS_FUNCTION void multiply_outer(std::size_t index, double* product) const {
    for (std::size_t r = 0; r < model.columns; ++r) product[r] = 1.0;
    for (int n = 0; n < model.order; ++n) {
      if (n == pieces.mode || n == pieces.inner) continue;
      const Scalar* const other = row_of(n, index % dimensions[n]);
      index /= dimensions[n];
      for (std::size_t r = 0; r < model.columns; ++r) product[r] *= static_cast<double>(other[r]);
    }
  }
  KOKKOS_FUNCTION double add_entry(std::size_t j, const double* weighted, double* inner) const {
    const Scalar* const other = pieces.inner < 0 ? nullptr : row_of(pieces.inner, j);
    double m = 0.0;
    for (std::size_t r = 0; r < model.columns; ++r) {
      m += other == nullptr ? weighted[r] : weighted[r] * static_cast<double>(other[r]);
    }
    if (!slopes) return loss.value(0.0, m);
    const double y = loss.slope(0.0, m);
    for (std::size_t r = 0; r < model.columns; ++r) {
      inner[r] += other == nullptr ? y : y * static_cast<double>(other[r]);
    }
    return 0.0;
  }
};

/// Prepared for models of some shape. Memory: four numbers a component and piece.
template <RealScalar Scalar, ExecutionSpace Exec>
class ZeroEnumeration {
 public:
  using Model = Ktensor<Scalar, Exec>;
  using Piece = EnumeratePiece<Scalar, Exec>;

  ZeroEnumeration(const std::vector<std::size_t>& dimensions, std::size_t rank) {
    std::size_t most = 0;
    for (int n = 0; n < static_cast<int>(dimensions.size()); ++n) {
      m_pieces.emplace_back(dimensions, n, wanted);
      most = std::max(most, m_pieces.back().count());
      m_dimensions[n] = dimensions[static_cast<std::size_t>(n)];
    }
    m_work = new_view<typename Piece::Work>("genten::zero_enumeration", most, 4, rank);
  }

  [[nodiscard]] double sum(const Exec& exec, const Model& model, const LossKernel& loss) const {
    const Piece piece = piece_of(model, loss, 0, false);
    const auto partial = new_view<Kokkos::View<double*, typename Exec::memory_space>>(
        "genten::zero_sums", piece.pieces.count());
    Kokkos::parallel_for(
        "genten::sum_zeros",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, partial.extent(0)),
        KOKKOS_LAMBDA(const std::size_t p) { partial(p) = piece(p); });
    return chunked_reduce<double>(
        "genten::add_zeros", exec, static_cast<offset_t>(partial.extent(0)),
        KOKKOS_LAMBDA(const offset_t p) { return partial(static_cast<std::size_t>(p)); });
  }

  /// gradient += that of the sum by the factor of the mode.
  void add_gradient(const Exec& exec, const Model& model, const LossKernel& loss, int mode,
                    const FacMatrix<Scalar, Exec>& gradient) const {
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
    const Piece piece = piece_of(model, loss, mode, true);
    const std::size_t chunks = piece.pieces.chunks.count(), columns = gradient.columns();
    Kokkos::parallel_for(
        "genten::enumerate_zeros", Policy(exec, 0, piece.pieces.count()),
        KOKKOS_LAMBDA(const std::size_t p) { static_cast<void>(piece(p)); });
    Kokkos::parallel_for(
        "genten::add_zero_gradient", Policy(exec, 0, gradient.rows()),
        KOKKOS_LAMBDA(const std::size_t i) {
          for (std::size_t r = 0; r < columns; ++r) {
            double sum = static_cast<double>(gradient(i, r));
            for (std::size_t c = 0; c < chunks; ++c) sum += piece.work(i * chunks + c, 3, r);
            gradient(i, r) = static_cast<Scalar>(sum);
          }
        });
    fence(exec, "genten::add_zero_gradient");
  }

 private:
  /// Pieces of a mode, if there are so many.
  static constexpr std::size_t wanted = is_host_space<Exec> ? 256 : 65536;

  [[nodiscard]] Piece piece_of(const Model& model, const LossKernel& loss, int mode,
                               bool slopes) const {
    FactorSet<Scalar> factors;
    factors.order = model.order();
    factors.columns = model.rank();
    for (int n = 0; n < factors.order; ++n) {
      factors.data[n] = model.factor(n).data();
      factors.stride[n] = model.factor(n).stride();
    }
    const EntryPieces& pieces = m_pieces[static_cast<std::size_t>(mode)];
    return {factors, loss, pieces, m_dimensions, m_work, slopes};
  }

  std::vector<EntryPieces> m_pieces;  ///< by mode
  Kokkos::Array<std::size_t, max_order> m_dimensions{};
  typename Piece::Work m_work;
};

}  // namespace genten::detail
