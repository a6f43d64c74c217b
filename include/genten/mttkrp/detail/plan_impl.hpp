// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/memory.hpp>
#include <genten/format/relabeling.hpp>
#include <genten/mttkrp/detail/padded_factors.hpp>
#include <genten/mttkrp/kernel_list.hpp>
#include <genten/mttkrp/plan.hpp>

#include <algorithm>
#include <functional>

namespace genten::detail {

/// Do two matrices have memory in common, padding included?
template <class Matrix>
[[nodiscard]] bool share_memory(const Matrix& a, const Matrix& b) {
  const auto begin = [](const Matrix& m) { return reinterpret_cast<std::uintptr_t>(m.row(0)); };
  const auto end = [](const Matrix& m) {
    return reinterpret_cast<std::uintptr_t>(m.row(m.rows()));
  };
  return begin(a) < end(b) && begin(b) < end(a);
}

/// All but what is to be found in the values.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] MttkrpProblem problem_without_values(
    const RelabeledTensor<Scalar, Ordinal, Exec>& tensor, std::size_t rank) {
  MttkrpProblem problem;
  problem.dimensions = tensor.dimensions();
  problem.nnz = tensor.nnz();
  problem.rank = rank;
  problem.scalar_bytes = sizeof(Scalar);
  problem.ordinal_bytes = sizeof(Ordinal);
  problem.update_order = natural_mode_order(tensor.dimensions().size());
  problem.relabeled = tensor.relabeled();
  return problem;
}

/// Numbers the values, if few are distinct.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void number_values(const Exec& exec, RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                   MttkrpProblem& problem) {
  tensor.number_values(exec);
  const auto dictionary = tensor.dictionary(exec);
  if (dictionary) problem.distinct_values = dictionary->values().extent(0);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
MttkrpProblem mttkrp_problem(const Exec& exec, RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                             std::size_t rank) {
  MttkrpProblem problem = problem_without_values(tensor, rank);
  number_values(exec, tensor, problem);
  return problem;
}

/// The tuples of these sets, of which those that `groups_of(problem)` are fused by are counted, and
/// all others estimated. When `most_counted` are and still others look better, only sets of all
/// modes but one, which are few, are counted on; others are left out. Who asks again for the same
/// tensor finds the same counts, and gets the same answer.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, class GroupsOf>
[[nodiscard]] std::vector<TupleCount> tuples_counted(const Exec& exec,
                                                     RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                                                     MttkrpProblem problem,
                                                     const std::vector<std::vector<int>>& sets,
                                                     std::ptrdiff_t most_counted,
                                                     const GroupsOf& groups_of) {
  const auto estimated = [](const TupleCount& one) { return !one.counted; };
  for (bool counting = true; counting;) {
    problem.tuples = tensor.tuples(exec, sets);
    auto& tuples = problem.tuples;
    if (std::count_if(tuples.begin(), tuples.end(), std::not_fn(estimated)) >= most_counted) {
      std::erase_if(tuples, [&](const TupleCount& one) {
        return estimated(one) && one.modes.size() + 1 < problem.dimensions.size();
      });
    }
    counting = false;
    for (const ModeGroup& group : groups_of(problem)) {
      if (!group.sorted) continue;
      const TupleCount* const count = tuples_of(problem, group.modes);
      if (count->counted) continue;
      const auto set = std::find(sets.begin(), sets.end(), count->modes);
      tensor.count_tuples(exec, static_cast<std::size_t>(set - sets.begin()));
      counting = true;
    }
  }
  // What was only estimated decides nothing: neither here nor in forecasts for other ranks.
  std::erase_if(problem.tuples, estimated);
  return problem.tuples;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
std::vector<TupleCount> tuples_to_sort(const Exec& exec,
                                       RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                                       MttkrpProblem problem, const MachineProperties& machine) {
  if (problem.rank == 0) return {};
  const auto sets = kernels::Sorted::sets_to_count(problem, machine);
  if (sets.empty()) return {};
  const auto groups_of = [&](const MttkrpProblem& one) {
    return kernels::Sorted::choose_groups(one, machine, {});
  };
  constexpr std::ptrdiff_t most_counted = 6;
  problem.tuples = tuples_counted(exec, tensor, problem, sets, most_counted, groups_of);
  if (!sorts_tuples(groups_of(problem))) return {};
  return problem.tuples;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void add_tuples(const Exec& exec, RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                MttkrpProblem& problem, const MachineProperties& machine, double allowed) {
  if (problem.sweeps == 0.0 || !kernels::Sorted::accepts(problem)) return;
  problem.tuples = tuples_to_sort(exec, tensor, problem, machine);
  if (kernels::Sorted::memory(problem, machine).peak > allowed) problem.tuples.clear();
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
std::vector<int> cheapest_update_order(const Exec& exec,
                                       RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                                       MttkrpProblem problem, const MachineProperties& machine) {
  const std::size_t order = problem.dimensions.size();
  const auto neighbours = kernels::Sorted::sets_to_count(problem, machine);
  const bool partitioned = std::any_of(neighbours.begin(), neighbours.end(),
                                       [&](const auto& set) { return set.size() + 1 < order; });
  if (problem.rank == 0 || order > most_reordered || !partitioned) return problem.update_order;
  const kernels::SortedTuning tuning;
  const auto groups_of = [&](const MttkrpProblem& one) {
    auto groups = kernels::Sorted::choose_groups(one, machine, tuning);
    const auto others = cheapest_partition_in_any_order(one, FusionCost(one, machine, tuning));
    groups.insert(groups.end(), others.begin(), others.end());
    return groups;
  };
  constexpr std::ptrdiff_t most_counted = 12;
  problem.tuples =
      tuples_counted(exec, tensor, problem, sets_in_any_order(order), most_counted, groups_of);
  return choose_update_order(problem, machine, tuning);
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
template <class Kernel>
struct MttkrpPlan<Scalar, Ordinal, Exec>::EngineOf final : Engine {
  using Source = RelabeledTensor<Scalar, Ordinal, Exec>;

  typename Kernel::template Prepared<Scalar, Ordinal, Exec> prepared;

  EngineOf(const Exec& exec, Source tensor, const MttkrpProblem& problem,
           const MachineProperties& machine)
      : prepared(exec, readable(exec, std::move(tensor)), problem, machine,
                 typename Kernel::Tuning{}) {
    Engine::needs_padding = Kernel::needs_padding;
    Engine::takes_wider = kernel_requirements::TakesWider<Kernel>;
    Engine::choice = typename Kernel::Choice(prepared.choice());
    Engine::description = prepared.choice().describe();
  }
  /// Kernels that do not look row numbers up themselves get them written out.
  static auto readable(const Exec& exec, Source tensor) {
    if constexpr (Kernel::reads_relabeled) {
      return tensor;
    } else {
      return tensor.materialize(exec);
    }
  }
  void run(const Exec& exec, const FactorSet<Scalar>& factors, int mode, const Matrix& output,
           const std::function<void()>& early) override {
    if constexpr (requires { prepared.run(exec, factors, mode, output, early); }) {
      prepared.run(exec, factors, mode, output, early);
    } else {
      prepared.run(exec, factors, mode, output);
      if (early) early();
    }
  }
};

/// Prepares the kernel that was chosen.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct MttkrpPlan<Scalar, Ordinal, Exec>::PrepareNamed {
  MttkrpPlan& plan;
  const Exec& exec;
  RelabeledTensor<Scalar, Ordinal, Exec>& tensor;

  template <class Kernel>
  void operator()() const {
    if constexpr (Kernel::template supports<Exec>) {
      const Task& task = plan.m_task;
      if (task.choice.name != Kernel::name) return;
      plan.m_engine =
          std::make_shared<EngineOf<Kernel>>(exec, std::move(tensor), task.problem, task.machine);
    }
  }
};

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
auto MttkrpPlan<Scalar, Ordinal, Exec>::task_of(const Exec& exec,
                                                RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                                                std::size_t rank, const MttkrpOptions& options,
                                                std::span<const int> update_order,
                                                std::span<const std::size_t> early_rows) -> Task {
  check_ranges(options);
  if (rank == 0) throw Error::in("MttkrpPlan", "expected a rank of at least 1, got 0");
  MttkrpProblem problem = detail::problem_without_values(tensor, rank);
  problem.sweeps = options.sweeps;
  if (!update_order.empty()) problem.update_order = {update_order.begin(), update_order.end()};
  std::vector<int> modes = problem.update_order;
  std::sort(modes.begin(), modes.end());
  if (modes != natural_mode_order(tensor.dimensions().size())) {
    throw Error::in("MttkrpPlan", "expected an update order that names every mode once");
  }
  problem.early_rows = {early_rows.begin(), early_rows.end()};
  const MachineProperties machine = machine_of(exec, options);
  if (!kernels::Sorted::keeps_order(problem, machine)) {
    detail::number_values(exec, tensor, problem);
  }
  const double allowed = options.memory_limit > 0.0
                             ? options.memory_limit
                             : allowed_memory(options, available_memory<Exec>());
  detail::add_tuples(exec, tensor, problem, machine, allowed);
  KernelChoice choice = choose_kernel<Exec>(problem, machine, allowed, options.kernel);
  return {std::move(problem), machine, std::move(choice)};
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
MttkrpPlan<Scalar, Ordinal, Exec>::MttkrpPlan(const Exec& exec,
                                              RelabeledTensor<Scalar, Ordinal, Exec> tensor,
                                              std::size_t rank, const MttkrpOptions& options,
                                              std::span<const int> update_order,
                                              std::span<const std::size_t> early_rows)
    : m_task(task_of(exec, tensor, rank, options, update_order, early_rows)) {
  m_padded.resize(tensor.dimensions().size() + 1);
  KernelList::for_each(PrepareNamed{*this, exec, tensor});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
bool MttkrpPlan<Scalar, Ordinal, Exec>::fits(const Exec& exec,
                                             RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
                                             std::size_t rank, const MttkrpOptions& options,
                                             std::span<const int> update_order,
                                             std::span<const std::size_t> early_rows) {
  Task task = task_of(exec, tensor, rank, options, update_order, early_rows);
  Task same = task;
  // Rows as wide are laid out alike, whatever part of them is padding, and for any threads.
  if (takes_wider() && task.problem.row_stride() == m_task.problem.row_stride()) {
    same.problem.rank = m_task.problem.rank;
    same.machine.workers = m_task.machine.workers;
  }
  if (same.choice.name != kernel() || same.problem != m_task.problem ||
      same.machine != m_task.machine) {
    return false;
  }
  m_task = std::move(task);
  return true;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void MttkrpPlan<Scalar, Ordinal, Exec>::check(std::span<const Matrix> factors, int mode,
                                              const Matrix& output, bool reads_own) const {
  const auto fail = [](const std::string& what) { throw Error::in("MttkrpPlan::execute", what); };
  const auto order = m_task.problem.dimensions.size();
  if (factors.size() != order) {
    fail("expected " + std::to_string(order) + " factors, got " + std::to_string(factors.size()));
  }
  if (mode < 0 || mode >= m_task.problem.order()) {
    throw Error::no_such_mode("MttkrpPlan::execute", mode, m_task.problem.order());
  }
  const bool wider = !reads_own && takes_wider() && output.columns() > m_task.problem.rank;
  const std::size_t columns = wider ? output.columns() : m_task.problem.rank;
  const auto check_shape = [&](const Matrix& matrix, std::size_t m, const std::string& name) {
    if (matrix.rows() != m_task.problem.dimensions[m] || matrix.columns() != columns) {
      fail("expected " + name + " of mode " + error_text::number(m) + " to be " +
           std::to_string(m_task.problem.dimensions[m]) + " x " + std::to_string(columns) +
           ", got " + std::to_string(matrix.rows()) + " x " + std::to_string(matrix.columns()));
    }
  };
  for (std::size_t m = 0; m < order; ++m) {
    if (reads_own || m != static_cast<std::size_t>(mode)) {
      check_shape(factors[m], m, "the factor");
    }
  }
  check_shape(output, static_cast<std::size_t>(mode), "the output");
  for (std::size_t m = 0; m < order; ++m) {
    const bool read = reads_own || m != static_cast<std::size_t>(mode);
    if (!read || !detail::share_memory(factors[m], output)) continue;
    fail(
        "expected an output apart from the factors that are read, got one that shares memory "
        "with the factor of mode " +
        error_text::number(m));
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
FactorSet<Scalar> MttkrpPlan<Scalar, Ordinal, Exec>::factor_set(const Exec& exec,
                                                                std::span<const Matrix> factors,
                                                                int mode, std::size_t columns,
                                                                bool reads_own,
                                                                const FactorVersions& versions) {
  if (m_engine->needs_padding) {
    return detail::padded_factors(exec, factors, reads_own ? -1 : mode, columns, reads_own,
                                  versions, m_padded);
  }
  return detail::factor_set_of(factors, columns, versions);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
template <class Run>
void MttkrpPlan<Scalar, Ordinal, Exec>::with_padded_output(const Exec& exec, const Matrix& output,
                                                           const Run& run) {
  if (!m_engine->needs_padding) return run(output);
  detail::with_padded_output(exec, output, m_padded, run);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void MttkrpPlan<Scalar, Ordinal, Exec>::execute(const Exec& exec, std::span<const Matrix> factors,
                                                int mode, const Matrix& output,
                                                const FactorVersions& versions,
                                                const std::function<void()>& early) {
  check(factors, mode, output, false);
  const auto set = factor_set(exec, factors, mode, output.columns(), false, versions);
  // What is copied to the output is there at the end.
  const bool copied =
      m_engine->needs_padding && output.stride() != padded_stride(output.columns(), sizeof(Scalar));
  with_padded_output(exec, output, [&](const Matrix& to) {
    m_engine->run(exec, set, mode, to, copied ? std::function<void()>() : early);
  });
  if (copied && early) early();
}

/// Traverses with the kernel that was prepared.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
template <class Phi>
struct MttkrpPlan<Scalar, Ordinal, Exec>::TraversalNamed {
  Engine& engine;
  const Exec& exec;
  const Phi& phi;
  const FactorSet<Scalar>& factors;
  int mode;
  const Matrix& output;
  bool& traversed;

  template <class Kernel>
  void operator()() const {
    if constexpr (Kernel::template supports<Exec> &&
                  kernel_requirements::Traverses<Kernel, Scalar, Ordinal, Exec, Phi>) {
      auto* const prepared = dynamic_cast<EngineOf<Kernel>*>(&engine);
      if (prepared == nullptr) return;
      prepared->prepared.traversal(exec, factors, mode, output, phi);
      traversed = true;
    }
  }
};

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
template <NonzeroFunctor<Scalar> Phi>
void MttkrpPlan<Scalar, Ordinal, Exec>::execute_with(const Exec& exec, const Phi& phi,
                                                     std::span<const Matrix> factors, int mode,
                                                     const Matrix& output,
                                                     const FactorVersions& versions) {
  check(factors, mode, output, true);
  const auto set = factor_set(exec, factors, mode, m_task.problem.rank, true, versions);
  bool traversed = false;
  with_padded_output(exec, output, [&](const Matrix& to) {
    KernelList::for_each(TraversalNamed<Phi>{*m_engine, exec, phi, set, mode, to, traversed});
  });
  if (traversed) return;
  throw Error::in("MttkrpPlan::execute_with",
                  "expected a plan for the kernel sorted (on hosts) or "
                  "atomic, got one for " +
                      std::string(kernel()));
}

}  // namespace genten

#define GENTEN_ETI_PLAN(PREFIX, SCALAR, EXEC)                                               \
  PREFIX template class genten::MttkrpPlan<SCALAR, genten::RowNumber, EXEC>;                \
  PREFIX template genten::MttkrpProblem genten::detail::mttkrp_problem(                     \
      const EXEC&, genten::RelabeledTensor<SCALAR, genten::RowNumber, EXEC>&, std::size_t); \
  PREFIX template std::vector<genten::TupleCount> genten::detail::tuples_to_sort(           \
      const EXEC&, genten::RelabeledTensor<SCALAR, genten::RowNumber, EXEC>&,               \
      genten::MttkrpProblem, const genten::MachineProperties&);                             \
  PREFIX template void genten::detail::add_tuples(                                          \
      const EXEC&, genten::RelabeledTensor<SCALAR, genten::RowNumber, EXEC>&,               \
      genten::MttkrpProblem&, const genten::MachineProperties&, double);                    \
  PREFIX template std::vector<int> genten::detail::cheapest_update_order(                   \
      const EXEC&, genten::RelabeledTensor<SCALAR, genten::RowNumber, EXEC>&,               \
      genten::MttkrpProblem, const genten::MachineProperties&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_PLAN, extern)
#endif
