// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// MttkrpPlan: prepared once for a tensor, called many times.

#include <genten/format/relabeling.hpp>
#include <genten/mttkrp/choose_kernel.hpp>
#include <genten/mttkrp/functor.hpp>

#include <any>
#include <functional>
#include <memory>

namespace genten {

namespace detail {

/// The problem of a tensor whose modes are updated in natural order. Numbers the values.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] MttkrpProblem mttkrp_problem(const Exec& exec,
                                           RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                                           std::size_t rank);
/// The tuples by which the kernel `sorted` would fuse modes, and all that they were compared with;
/// empty where it would fuse none so.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<TupleCount> tuples_to_sort(const Exec& exec,
                                                     RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                                                     MttkrpProblem problem,
                                                     const MachineProperties& machine);
/// Adds them to the problem, if it has sweeps enough and they fit into what is allowed.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void add_tuples(const Exec& exec, RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                MttkrpProblem& problem, const MachineProperties& machine, double allowed);
/// The order of updates in which the kernel `sorted` is predicted to take least time since it fuses
/// modes by tuples: that of the problem, natural order, unless another one, which begins with the
/// same mode, saves a tenth. Other orders are for hosts and tensors of four to six modes. The same
/// for any number of threads.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<int> cheapest_update_order(const Exec& exec,
                                                     RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                                                     MttkrpProblem problem,
                                                     const MachineProperties& machine);

}  // namespace detail

/// Computes MTTKRP: V = X_(n) (A_N (.) ... (.) A_1 without A_n), (.) the Khatri-Rao product.
///
/// When the plan is made, the kernel that choose_kernel takes for the options is prepared. Calls
/// allocate nothing when all factors and the output have Genten's padded rows; other matrices are
/// copied to padded ones inside the plan.
///
/// A plan holds workspace for intermediate sums, so one plan must not be used by two threads at
/// once. Copies share that workspace.
template <RealScalar Scalar, SubscriptOrdinal Ordinal = std::uint32_t,
          ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
class MttkrpPlan {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;

  /// Prepares for factors of `rank` columns. `update_order` says in which order a sweep updates the
  /// modes (empty: natural order); it affects speed only.
  /// Throws Error for rank 0, for an update order that does not name every mode once, and for what
  /// choose_kernel refuses: an unknown kernel, one that does
  /// not take the tensor, and one that needs more memory than is allowed.
  ///
  /// The plan keeps of the tensor what its kernel needs. Callers who need it no longer move it
  /// here, so that its memory is free before the kernel's own copies take theirs.
  ///
  /// `early_rows`, by mode, is the row from which on rows are wanted before the others, which a
  /// kernel may heed (empty: all at once); see `execute`.
  MttkrpPlan(const Exec& exec, Sptensor<Scalar, Ordinal, Exec> tensor, std::size_t rank,
             const MttkrpOptions& options = {}, std::span<const int> update_order = {},
             std::span<const std::size_t> early_rows = {})
      : MttkrpPlan(exec, RelabeledTensor<Scalar, Ordinal, Exec>(std::move(tensor)), rank, options,
                   update_order, early_rows) {}
  /// The same for a tensor with new row numbers, which are those of the factors' rows.
  MttkrpPlan(const Exec& exec, RelabeledTensor<Scalar, Ordinal, Exec> tensor, std::size_t rank,
             const MttkrpOptions& options = {}, std::span<const int> update_order = {},
             std::span<const std::size_t> early_rows = {});

  /// Whether the constructor would prepare of `tensor`, the one that this plan is of, for these
  /// arguments what is prepared already: as for the same rank, or with a kernel that `takes_wider`
  /// for rows of as many bytes. If so, the plan is one for that rank from now on, and its results
  /// have the bits of a new one's. Versions of factors that were given to `execute` must not be
  /// given to others.
  [[nodiscard]] bool fits(const Exec& exec, RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                          std::size_t rank, const MttkrpOptions& options = {},
                          std::span<const int> update_order = {},
                          std::span<const std::size_t> early_rows = {});

  /// output = MTTKRP of `mode` (0-based). `factors` holds one I_m x rank matrix a mode, of which
  /// that of `mode` is not read and may be `output` itself; `output` is I_mode x rank. Throws Error
  /// for other numbers and shapes, and for an output that shares memory with a factor that is read.
  ///
  /// `versions` lets a kernel keep intermediate results while factors stay the same: it must change
  /// for a mode whenever its factor did, and 0 (the default) promises nothing.
  ///
  /// With a kernel that `takes_wider`, all matrices may have more columns than the rank, as many as
  /// the output has: those of several models side by side. Each column gets the bits that it gets
  /// alone. A call that is wider than all before allocates.
  ///
  /// `early`, unless empty, is called once, when all that the early rows of the output need is
  /// queued on `exec`, perhaps before the rest is: it may note that point there.
  void execute(const Exec& exec, std::span<const Matrix> factors, int mode, const Matrix& output,
               const FactorVersions& versions = {}, const std::function<void()>& early = {});

  /// The traversal with a functor: row i of the output becomes the sum, over the nonzeros of row i,
  /// of phi(x, m) times the product of the other modes' factor rows, where x is the nonzero's value
  /// and m that of the model there, the sum over all components of the products of all modes' rows.
  /// Weights of a model are to be multiplied into a factor. With phi = x it is MTTKRP; gradients,
  /// residuals and multiplicative updates are others.
  ///
  /// All factors are read, that of `mode` too, which must not be the output. Those whose padding is
  /// not zero, which is looked at in every call, are copied. Kernels: `sorted` on
  /// hosts, `atomic` everywhere; throws Error where another one was prepared. Deterministic where
  /// the kernel is. The loops are compiled for each functor: where it is called, include
  /// mttkrp/execute_with.hpp.
  template <NonzeroFunctor<Scalar> Phi>
  void execute_with(const Exec& exec, const Phi& phi, std::span<const Matrix> factors, int mode,
                    const Matrix& output, const FactorVersions& versions = {});

  [[nodiscard]] const MttkrpProblem& problem() const { return m_task.problem; }
  /// Which kernel was taken, and why.
  [[nodiscard]] const KernelChoice& choice() const { return m_task.choice; }
  /// Name of the kernel that was prepared.
  [[nodiscard]] std::string_view kernel() const { return m_task.choice.name; }
  /// Whether `execute` takes matrices of more columns than the rank.
  [[nodiscard]] bool takes_wider() const { return m_engine->takes_wider; }
  /// What the prepared kernel has chosen, as its Choice; null if another one was prepared.
  template <class Kernel>
  [[nodiscard]] const typename Kernel::Choice* choice_of() const {
    return std::any_cast<typename Kernel::Choice>(&m_engine->choice);
  }
  /// The same for people.
  [[nodiscard]] const std::string& describe() const { return m_engine->description; }

 private:
  /// A prepared kernel behind a virtual call, one of which is paid per MTTKRP.
  struct Engine {
    virtual ~Engine() = default;
    virtual void run(const Exec&, const FactorSet<Scalar>&, int mode, const Matrix& output,
                     const std::function<void()>& early) = 0;
    bool needs_padding = false;
    bool takes_wider = false;
    std::any choice;
    std::string description;
  };
  template <class Kernel>
  struct EngineOf;
  // A visitor of the kernel list; nvcc and gcc together do not take a templated lambda for it.
  struct PrepareNamed;
  template <class Phi>
  struct TraversalNamed;

  /// What decides what is prepared.
  struct Task {
    MttkrpProblem problem;
    MachineProperties machine;
    KernelChoice choice;
  };
  static Task task_of(const Exec& exec, RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                      std::size_t rank, const MttkrpOptions& options,
                      std::span<const int> update_order, std::span<const std::size_t> early_rows);

  /// `reads_own`: whether the factor of `mode` is read, too.
  void check(std::span<const Matrix> factors, int mode, const Matrix& output, bool reads_own) const;
  /// The factors, of so many columns, as the engine needs them, those without the right padding
  /// copied. With `reads_own`, that of `mode` is among them, and the padding of all is zero.
  FactorSet<Scalar> factor_set(const Exec& exec, std::span<const Matrix> factors, int mode,
                               std::size_t columns, bool reads_own, const FactorVersions& versions);
  /// Calls run(output), with a padded matrix whose elements then go to the output where that is not
  /// padded.
  template <class Run>
  void with_padded_output(const Exec& exec, const Matrix& output, const Run& run);

  Task m_task;
  std::shared_ptr<Engine> m_engine;
  /// Padded copies of matrices that came without padding: one a mode, and the output.
  std::vector<Matrix> m_padded;
};

/// Of a tensor with subscripts of 64 bits: the plan of the same tensor with row numbers of 32 bits.
/// Throws Error of kind memory for a mode of 2^32 rows or more.
template <RealScalar Scalar, ExecutionSpace Exec>
class MttkrpPlan<Scalar, std::uint64_t, Exec> : public MttkrpPlan<Scalar, RowNumber, Exec> {
 public:
  MttkrpPlan(const Exec& exec, const Sptensor<Scalar, std::uint64_t, Exec>& tensor,
             std::size_t rank, const MttkrpOptions& options = {},
             std::span<const int> update_order = {}, std::span<const std::size_t> early_rows = {})
      : MttkrpPlan<Scalar, RowNumber, Exec>(exec, with_row_numbers(exec, tensor, "MttkrpPlan"),
                                            rank, options, update_order, early_rows) {}
};

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/mttkrp/detail/plan_impl.hpp>
#endif
