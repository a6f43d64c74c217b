// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a solver asks of the processes that compute a decomposition together, each with a part of
/// the tensor: cp knows no more of them than this.

#include <genten/core/fac_matrix.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/cp/detail/tensor_fingerprint.hpp>
#include <genten/cp/timings.hpp>

#include <functional>
#include <span>
#include <vector>

namespace genten {

/// Numbers that processes combine.
struct CombinedNumbers {
  double* data = nullptr;
  std::size_t count = 0;
  bool largest = false;  ///< of each the largest, which is NaN where one is; otherwise the sum
};

/// The processes of a run, seen from one of them. Every member that is not const is called by all
/// processes in the same order; what it gives is the same, to the bit, on all of them unless it
/// says otherwise, and depends on nothing but the numbers and the processes that they come from.
///
/// In each mode a process has a number for every row in which it has nonzeros: first for its own
/// rows, those that it updates, then for foreign ones, which another process owns.
template <RealScalar Scalar, ExecutionSpace Exec>
class Exchange {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;

  virtual ~Exchange() = default;

  /// Whether the tensor lies in parts, of which each process has one, be it the only one. If not,
  /// one process has all of it, and all that follows does nothing.
  [[nodiscard]] virtual bool is_distributed() const { return true; }
  /// The number of this process. Process 0 has the observer.
  [[nodiscard]] virtual std::size_t process() const = 0;
  /// Rows of a mode that this process owns, of `all` that it has a number for.
  [[nodiscard]] virtual std::size_t own_rows(int mode, std::size_t all) const = 0;
  /// How many processes take memory where this one computes, itself included.
  [[nodiscard]] virtual std::size_t sharing_memory() const { return 1; }
  /// Whether something that perhaps only this process knows of, as a signal, is to end the run:
  /// asked after each sweep, and one process's yes ends it on all, with StopReason::observer.
  [[nodiscard]] virtual bool interrupted() const { return false; }

  /// Whether rows that are sent go beside what is queued on other instances, so that it pays to
  /// have foreign rows before the own ones and new rows before what is found in them.
  [[nodiscard]] virtual bool sends_beside() const { return false; }
  /// Sends foreign rows to their owners. Queued on `exec`, or done when it returns, as is all that
  /// follows.
  virtual void send_parts(const Exec& exec, int mode, const Matrix& rows) = 0;
  /// Adds to the own rows what other processes have sent of them, in the order of processes.
  /// Between `send_parts` of a mode and this no other rows are sent.
  virtual void add_parts(const Exec& exec, int mode, const Matrix& rows) = 0;
  /// Replaces the foreign rows by those of their owners.
  virtual void expand(const Exec& exec, int mode, const Matrix& rows) = 0;

  /// Replaces each of `sums` by the sum of all processes' numbers, and each of `largest` by the
  /// largest, which is NaN where one is.
  virtual void combine(std::span<double> sums, std::span<double> largest) = 0;
  /// The same for numbers that kernels on `exec` write (in memory that the host reads, too), queued
  /// behind these. False, and nothing is done, where the processes' hosts have to do it.
  [[nodiscard]] virtual bool queue_combine(const Exec& /*exec*/,
                                           std::span<const CombinedNumbers> /*numbers*/) {
    return false;
  }
  /// Replaces the numbers by those of process 0.
  virtual void take_first(std::span<double> numbers) = 0;
  /// On process 0 the own rows of all processes, in the order of processes; on the others an empty
  /// matrix.
  [[nodiscard]] virtual Matrix gather(const Exec& exec, int mode, const Matrix& rows) = 0;

  /// The other way: what `gather` would give, `all`, is there on process 0, and the own rows of
  /// each process become its own. `all` is looked at on process 0 alone; where it has all rows,
  /// `rows` may become the same matrix.
  virtual void scatter(const Exec& exec, int mode, const Matrix& all, Matrix& rows) = 0;

  /// Runs `body`. Where it throws on any process, it does on all: the error of the first of them.
  virtual void together(const std::function<void()>& body) = 0;

  /// Adds the seconds since the last call that processes took to combine numbers, to `reduce`, and
  /// those that this one has waited in folds for others to come, to `wait` and not to `fold`.
  virtual void add_times(PhaseTimings& timings) = 0;
};

/// The part of a tensor that one process of a run has. Its nonzeros are distinct, also from those
/// of all other processes.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct TensorPart {
  using Rows = RowList<Exec>;

  Sptensor<Scalar, Ordinal, Exec> tensor;  ///< by the process's own numbers of rows
  std::vector<std::size_t> dimensions;     ///< of the whole tensor
  std::vector<Rows> rows;                  ///< by mode and own number, the row of the whole tensor
  /// On process 0, by mode the rows of the whole tensor in the order in which `gather` puts them.
  std::vector<Rows> gathered_rows;
  detail::TensorFingerprint
      fingerprint;  ///< of the whole tensor: a checkpoint is of that one alone
};

}  // namespace genten
