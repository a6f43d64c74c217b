// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate: everything that an ALS step does to the rows of a factor, in one pass over them.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/core/fac_matrix.hpp>
#include <genten/dense/detail/factor_update_device.hpp>
#include <genten/dense/detail/factor_update_wide.hpp>

#include <optional>
#include <span>
#include <utility>

namespace genten {

namespace detail {

/// Whether the blocks of a Gram matrix that UpdateRows adds up are no more than a team has threads,
/// for all padded rows of elements of that size that it takes.
[[nodiscard]] constexpr bool update_rows_takes_all(std::size_t element_size) {
  for (std::size_t rank = 1; padded_stride(rank, element_size) <= widest_narrow_row; ++rank) {
    const auto stride = static_cast<unsigned>(padded_stride(rank, element_size));
    constexpr unsigned threads = device_update_threads;
    const auto shape = UpdateShape::of(stride, 1, 1, update_micro(stride), threads);
    if (shape.gram_blocks > threads) return false;
  }
  return true;
}
static_assert(update_rows_takes_all(sizeof(float)) && update_rows_takes_all(sizeof(double)));

}  // namespace detail

/// Plain numbers that measurements set.
struct FactorUpdateTuning {
  /// Wide matrices are updated on devices in blocks of rows that take at most so many bytes in
  /// double: enough to keep a device busy, little beside its memory. Measured on an H200.
  std::size_t wide_block_bytes = std::size_t{64} << 20;
};

/// One pass over a tall matrix, row block by row block while the block is in cache:
///   new = old * (product of the transforms),   gram = new^T new,   column_max = max_i |new(i, :)|,
///   dots(r) = sum_i old(i, r) * new(i, r).
/// A column with a NaN has a column_max of NaN. Sums are taken in the matrix's scalar over at most
/// 64 rows and in double beyond, over row chunks that do not depend on the number of threads, so
/// results are the same for every number of them.
///
/// Memory traffic: the matrix read and written once; a few times each where a device's BLAS
/// multiplies wide matrices. An object holds the workspace for partial sums and the results; `run`
/// and `measure` allocate nothing on devices, and two blocks of 64 rows a chunk and a line of 64
/// bytes a thread on hosts. The
/// results are there when the instance has done what was queued on it: on hosts, on return.
template <RealScalar Scalar, ExecutionSpace Exec>
class FactorUpdate {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  using memory_space = typename Exec::memory_space;
  using Event = typename detail::Backend<Exec>::Event;
  /// Results lie where the host reads them, also those of devices.
  using result_space = typename detail::Backend<Exec>::pinned_space;
  using Square = Kokkos::View<double**, Kokkos::LayoutRight, result_space>;
  using Column = Kokkos::View<double*, result_space>;
  /// Devices leave matrices of so many columns to a vendor's BLAS, where it is there.
  static constexpr std::size_t least_wide_rank = detail::WideUpdate<Scalar, Exec>::least_rank;

  /// A pass of an object, perhaps one of several that run together.
  struct Pass {
    FactorUpdate* update = nullptr;
    Matrix matrix;
    std::span<const Matrix> transforms;  ///< none: rows stay
    const int* count = nullptr;          ///< see `run`

    [[nodiscard]] const Scalar* first() const { return transform(0); }
    [[nodiscard]] const Scalar* second() const { return transform(1); }

   private:
    [[nodiscard]] const Scalar* transform(std::size_t k) const {
      return transforms.size() > k ? transforms[k].data() : nullptr;
    }
  };

  /// For matrices of `rank` columns with at most `most_rows` rows, whose rows are padded as Genten
  /// pads them: a matrix may be a part of a wider one, as wide as padding makes it.
  FactorUpdate(std::size_t rank, std::size_t most_rows, const FactorUpdateTuning& tuning = {});

  /// Bytes that such an object takes where `Exec` computes.
  [[nodiscard]] static double memory(std::size_t rank, std::size_t most_rows,
                                     const FactorUpdateTuning& tuning = {});

  /// Replaces `matrix` by matrix * transforms[0] * transforms[1] ... (rank x rank each, one or two)
  /// and computes gram, column_max and dots. `written`, unless null, is set where the rows are
  /// there, on devices before the rest is. Where the host does not know yet how many of two
  /// transforms count, `count` is where a device finds that, if this `takes_counts`.
  void run(const Exec& exec, const Matrix& matrix, std::span<const Matrix> transforms,
           Event* written = nullptr, const int* count = nullptr);
  /// Only on devices, and not for wide rows.
  [[nodiscard]] bool takes_counts() const {
    return !is_host_space<Exec> && !m_wide && m_stride <= Device::most_together;
  }
  /// Whether a matrix is so short that `run_rows` and `finish` are faster than `run`.
  [[nodiscard]] bool is_short(const Exec& exec, const Matrix& matrix) const {
    return takes_counts() && on_device(exec, matrix).is_short();
  }
  /// What `run` does to the rows of a short matrix. `finish` follows.
  void run_rows(const Exec& exec, const Matrix& matrix, std::span<const Matrix> transforms,
                const int* count);
  /// The rest, in one launch on an instance that may be another, and with the same bits: the
  /// results go to last(team, workspace), one after another at the beginning of it, for one team
  /// that has them there, and nowhere else. See FinishUpdate.
  template <class Last>
  void finish(const Exec& exec, const Last& last) {
    Device device = *std::exchange(m_begun, std::nullopt);
    device.exec = exec;
    device.finish(m_teams, last);
  }
  /// What devices need to run several passes together, one call after another.
  struct Tasks {
    std::optional<typename detail::DeviceUpdate<Scalar, Exec>::Tasks> of_device;
  };
  /// The same for several matrices of as many rows and columns, each by an object of its own, with
  /// the bits that each gets alone, in as many launches as for one: on devices unless rows are
  /// wide.
  static void run_together(const Exec& exec, std::span<const Pass> passes, Tasks& tasks);
  /// Computes gram and column_max of `matrix`, which is not changed.
  void measure(const Exec& exec, const Matrix& matrix);
  /// The same for rows that are written in the same pass: before row i is read, write(i) writes it;
  /// on devices write(i * columns + j) writes element j of it, in a pass before.
  template <class Write>
  void write_and_measure(const Exec& exec, const Matrix& matrix, const Write& write);

  [[nodiscard]] const Square& gram() const { return m_gram; }
  [[nodiscard]] const Column& column_max() const { return m_column_max; }
  [[nodiscard]] const Column& dots() const { return m_dots; }

 private:
  using Wide = detail::WideUpdate<Scalar, Exec>;
  using Device = detail::DeviceUpdate<Scalar, Exec>;

  /// Whether a vendor's BLAS multiplies.
  static bool is_wide(std::size_t rank);
  static std::size_t most_chunks(std::size_t rank, std::size_t most_rows);
  void check(const Matrix& matrix) const;
  [[nodiscard]] Device on_device(const Exec& exec, const Matrix& matrix) const {
    return {exec,   matrix.data(), matrix.rows(), matrix.stride(),
            m_rank, m_stride,      m_most_chunks, m_partial.data()};
  }
  [[nodiscard]] static typename Device::Call call_of(const Pass& pass) {
    const FactorUpdate& to = *pass.update;
    return {pass.first(),     pass.second(),          pass.count,
            to.m_gram.data(), to.m_column_max.data(), to.m_dots.data()};
  }
  static void run_pass(const Exec& exec, const Pass& pass, Event* written);
  /// On hosts: row chunks of several matrices, in any order, each object's partial results to its
  /// own.
  static void pass_on_host(const Exec& exec, std::span<const Pass> passes, Event* written);

  std::size_t m_rank;
  std::size_t m_stride;
  std::size_t m_most_chunks = 1;
  Square m_gram;
  Column m_column_max;
  Column m_dots;
  /// A chunk's partial results: stride x stride of gram, then stride each of max and dots.
  Kokkos::View<double**, Kokkos::LayoutRight, memory_space> m_partial;
  std::optional<Device> m_begun;  ///< by `run_rows`
  std::size_t m_teams = 0;        ///< that it has had
  std::optional<Wide> m_wide;     ///< for wide matrices on devices, where a vendor's BLAS is there
};

}  // namespace genten

#include <genten/dense/detail/factor_update_impl.hpp>
