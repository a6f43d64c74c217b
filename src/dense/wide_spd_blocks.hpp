// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// WideSpdInverse's kernels on blocks: the Cholesky factor, its inverse, and that one's square.

#include <genten/base/detail/backend.hpp>
#include <genten/dense/detail/update_teams.hpp>
#include <genten/dense/wide_spd_inverse.hpp>

namespace genten::detail {

/// A block that the threads of a team have in their registers: thread (a, b) of `side` x `side` has
/// the rows a, a + side, ... and the columns b, b + side, ...; on hosts one thread has it all.
template <ExecutionSpace Exec>
struct SpdBlock {
  static constexpr int size = WideSpdInverse<Exec>::block;
  static constexpr int threads = static_cast<int>(update_threads<Exec>);
  static constexpr int side = threads == 1 ? 1 : 16;
  static_assert(side * side == threads && size % side == 0);
  static constexpr int micro = size / side;

  int a, b;
  double own[micro][micro];

  KOKKOS_FUNCTION explicit SpdBlock(int thread) : a(thread / side), b(thread % side) {}

  /// Calls body(row, column, element) for the thread's elements.
  template <class Body>
  KOKKOS_FUNCTION void for_each(const Body& body) {
    GENTEN_DEVICE_UNROLL
    for (int p = 0; p < micro; ++p) {
      GENTEN_DEVICE_UNROLL
      for (int q = 0; q < micro; ++q) body(p * side + a, q * side + b, own[p][q]);
    }
  }
};

/// Block (i, j) of the matrix.
template <ExecutionSpace Exec>
KOKKOS_FUNCTION double* block_of(const WideSpdArrays& arrays, int i, int j) {
  return arrays.matrix + arrays.element(i * SpdBlock<Exec>::size, j * SpdBlock<Exec>::size);
}

/// The block on the diagonal by one team: Gaussian elimination of [A | I], whose right part takes
/// the place of A's lower triangle, in registers; one barrier a row. It becomes the inverse of its
/// Cholesky factor; that factor's transpose goes to `diagonal`.
template <ExecutionSpace Exec>
struct FactorBlock {
  using Block = SpdBlock<Exec>;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int size = Block::size;

  WideSpdArrays arrays;
  int k;

  [[nodiscard]] static std::size_t scratch_bytes() { return 3 * size * sizeof(double); }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const lines =
        static_cast<double*>(team.team_shmem().get_shmem(3 * size * sizeof(double)));
    double* const roots = lines + 2 * size;
    double* const here = block_of<Exec>(arrays, k, k);
    const int stride = arrays.stride;
    Block block(team.team_rank());
    block.for_each([&](int i, int j, double& x) { x = here[i * stride + j]; });
    GENTEN_DEVICE_UNROLL
    for (int p = 0; p < Block::micro; ++p) {
      for (int a = 0; a < Block::side; ++a) {
        const int row = p * Block::side + a;
        // Two lines in turn: the one before is still being read.
        double* const line = lines + row % 2 * size;
        if (block.a == a) {
          GENTEN_DEVICE_UNROLL
          for (int q = 0; q < Block::micro; ++q) line[q * Block::side + block.b] = block.own[p][q];
        }
        team.team_barrier();
        const double pivot = line[row];
        if (!(pivot > 0.0)) {  // the same for the whole team
          if (team.team_rank() == 0) arrays.status->broken = 1;
          return;
        }
        const double inverse = 1.0 / pivot;
        block.for_each([&](int i, int j, double& x) {
          if (i <= row) return;
          const double factor = line[i] * inverse;
          x = j == row ? -factor : x - factor * line[j];
        });
      }
    }
    block.for_each([&](int i, int j, double& x) {
      if (i == j) roots[i] = 1.0 / ::sqrt(x);
    });
    team.team_barrier();
    block.for_each([&](int i, int j, double& x) {
      arrays.diagonal[i * size + j] = j <= i ? 0.0 : x * roots[i];
      here[i * stride + j] = j < i ? x * roots[i] : j == i ? roots[i] : 0.0;
    });
  }
};

/// What the factor L of the block (k, k) on the diagonal has to be solved with, a team a block, by
/// substitution, a barrier a column: below, A becomes A L^-T, in `panel`; to the left, where the
/// inverse of the whole factor grows, W becomes L^-1 W. That is the same for its transpose.
template <ExecutionSpace Exec>
struct SolveBlocks {
  using Block = SpdBlock<Exec>;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int size = Block::size;

  WideSpdArrays arrays;
  int k;

  [[nodiscard]] static std::size_t scratch_bytes() { return (size + 3) * size * sizeof(double); }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const factor =
        static_cast<double*>(team.team_shmem().get_shmem((size + 3) * size * sizeof(double)));
    double* const lines = factor + size * size;
    double* const roots = lines + 2 * size;
    const int other = team.league_rank() < k ? team.league_rank() : team.league_rank() + 1;
    const bool below = other > k;
    const int stride = arrays.stride;
    const double* const diagonal = block_of<Exec>(arrays, k, k);
    for (int e = team.team_rank(); e < size * size; e += Block::threads) {
      factor[e] = arrays.diagonal[e];
    }
    for (int i = team.team_rank(); i < size; i += Block::threads) {
      roots[i] = diagonal[i * stride + i];
    }
    double* const here =
        below ? block_of<Exec>(arrays, other, k) : block_of<Exec>(arrays, k, other);
    const int down = below ? stride : 1, right = below ? 1 : stride;
    Block block(team.team_rank());
    block.for_each([&](int i, int j, double& x) { x = here[i * down + j * right]; });
    team.team_barrier();
    GENTEN_DEVICE_UNROLL
    for (int q = 0; q < Block::micro; ++q) {
      for (int b = 0; b < Block::side; ++b) {
        const int column = q * Block::side + b;
        double* const line = lines + column % 2 * size;
        if (block.b == b) {
          GENTEN_DEVICE_UNROLL
          for (int p = 0; p < Block::micro; ++p) {
            block.own[p][q] *= roots[column];
            line[p * Block::side + block.a] = block.own[p][q];
          }
        }
        team.team_barrier();
        block.for_each([&](int i, int j, double& x) {
          if (j > column) x -= line[i] * factor[column * size + j];
        });
      }
    }
    if (below) {
      double* const panel = arrays.panel + other * size * size;
      block.for_each([&](int i, int j, double& x) { panel[i * size + j] = x; });
    } else {
      block.for_each([&](int i, int j, double& x) { here[i * down + j * right] = x; });
    }
  }
};

/// A factor of a product of blocks: element (o, s), o in the result and s summed over, lies at
/// from[o * across + s * along].
struct BlockFactor {
  const double* from;
  int across, along;
};

/// Sums left * right over blocks into a team's registers, which are zero before.
template <ExecutionSpace Exec>
struct BlockProduct {
  using Block = SpdBlock<Exec>;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int size = Block::size;
  static constexpr int depth = 32;        ///< of what lies in scratch memory at a time
  static constexpr int pitch = size + 1;  ///< odd, so that columns spread over its banks
  static constexpr std::size_t bytes = 2 * depth * pitch * sizeof(double);

  const Member& team;
  double* scratch;  ///< `bytes`
  Block sum;

  KOKKOS_FUNCTION explicit BlockProduct(const Member& of)
      : team(of),
        scratch(
            static_cast<double*>(of.team_shmem().get_shmem(2 * depth * pitch * sizeof(double)))),
        sum(of.team_rank()) {
    sum.for_each([](int, int, double& x) { x = 0.0; });
  }

  KOKKOS_FUNCTION void add(const BlockFactor& left, const BlockFactor& right) {
    double *const lefts = scratch, *const rights = scratch + depth * pitch;
    for (int begin = 0; begin < size; begin += depth) {
      team.team_barrier();
      load(left, begin, lefts);
      load(right, begin, rights);
      team.team_barrier();
      for (int s = 0; s < depth; ++s) {
        const double* const x = lefts + s * pitch;
        const double* const y = rights + s * pitch;
        sum.for_each([&](int i, int j, double& total) { total += x[i] * y[j]; });
      }
    }
  }

 private:
  KOKKOS_FUNCTION void load(const BlockFactor& factor, int begin, double* to) const {
    for (int e = team.team_rank(); e < size * depth; e += Block::threads) {
      // Neighbouring threads read neighbours.
      const int o = factor.along == 1 ? e / depth : e % size;
      const int s = factor.along == 1 ? e % depth : e / size;
      to[s * pitch + o] = factor.from[o * factor.across + (begin + s) * factor.along];
    }
  }
};

/// After a block column's solves, a team a block (i, j) with i > k: of the matrix that is left
/// (j > k), and of the inverse that grows (j <= k).
template <ExecutionSpace Exec>
struct UpdateBlocks {
  using Product = BlockProduct<Exec>;
  using Member = typename Product::Member;
  static constexpr int size = Product::size;

  WideSpdArrays arrays;
  int k, blocks;

  [[nodiscard]] static std::size_t scratch_bytes() { return Product::bytes; }
  /// All of the rows; those above the diagonal have nothing to do.
  [[nodiscard]] int leagues() const { return (blocks - k - 1) * blocks; }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = k + 1 + team.league_rank() / blocks, j = team.league_rank() % blocks;
    if (j > i) return;  // the same for the whole team
    const double* const panel = arrays.panel;
    Product product(team);
    product.add({panel + i * size * size, size, 1},
                j > k ? BlockFactor{panel + j * size * size, size, 1}
                      : BlockFactor{block_of<Exec>(arrays, k, j), 1, arrays.stride});
    double* const here = block_of<Exec>(arrays, i, j);
    const int stride = arrays.stride;
    product.sum.for_each([&](int r, int c, double& x) {
      double& element = here[r * stride + c];
      element = (j == k ? 0.0 : element) - x;
    });
  }
};

/// square = T^T T of the inverse factor T, a team a block on or below the diagonal; what is above
/// mirrors it.
template <ExecutionSpace Exec>
struct SquareBlocks {
  using Product = BlockProduct<Exec>;
  using Member = typename Product::Member;
  static constexpr int size = Product::size;

  WideSpdArrays arrays;
  int blocks;

  [[nodiscard]] static std::size_t scratch_bytes() { return Product::bytes; }
  [[nodiscard]] int leagues() const { return blocks * blocks; }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank() / blocks, j = team.league_rank() % blocks;
    if (j > i) return;  // the same for the whole team
    Product product(team);
    for (int k = i; k < blocks; ++k) {
      product.add({block_of<Exec>(arrays, k, i), 1, arrays.stride},
                  {block_of<Exec>(arrays, k, j), 1, arrays.stride});
    }
    product.sum.for_each([&](int r, int c, double& x) {
      arrays.square[arrays.element(i * size + r, j * size + c)] = x;
      arrays.square[arrays.element(j * size + c, i * size + r)] = x;
    });
  }
};

}  // namespace genten::detail
