// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/eti.hpp>
#include <genten/mttkrp/plan.hpp>

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
template <class Kernel>
struct MttkrpPlan<Scalar, Ordinal, Exec>::EngineOf final : Engine {
  using Prepared = typename Kernel::template Prepared<Scalar, Ordinal, Exec>;
  using Tuning = typename Kernel::Tuning;
  Prepared prepared;

  using Source = RelabeledTensor<Scalar, Ordinal, Exec>;

  EngineOf(const Exec& exec, Source tensor, const MttkrpProblem& problem,
           const MttkrpOptions& options)
      : prepared(exec, readable(exec, std::move(tensor)), problem, options, Tuning{}) {
    Engine::needs_padding = Kernel::needs_padding;
  }
  /// Kernels that do not look row numbers up themselves get them written out.
  static auto readable(const Exec& exec, Source tensor) {
    if constexpr (std::is_constructible_v<Prepared, const Exec&, Source, const MttkrpProblem&,
                                          const MttkrpOptions&, const Tuning&>) {
      return tensor;
    } else {
      return tensor.materialize(exec);
    }
  }
  void run(const Exec& exec, const FactorSet<Scalar>& factors, int mode,
           const Matrix& output) override {
    prepared.run(exec, factors, mode, output);
  }
  [[nodiscard]] std::string describe() const override { return prepared.describe(); }
};

/// Prepares the kernel of the plan's name, and lists the names of all that run here.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct MttkrpPlan<Scalar, Ordinal, Exec>::PrepareNamed {
  MttkrpPlan& plan;
  const Exec& exec;
  RelabeledTensor<Scalar, Ordinal, Exec>& tensor;
  const MttkrpOptions& options;
  std::string& names;

  template <class Kernel>
  void operator()() const {
    if constexpr (Kernel::template supports<Exec>) {
      if (plan.m_kernel == Kernel::name) {
        plan.m_engine =
            std::make_shared<EngineOf<Kernel>>(exec, std::move(tensor), plan.m_problem, options);
      }
      names += (names.empty() ? "" : ", ") + std::string(Kernel::name);
    }
  }
};

/// Finds the kernel of the lowest cost among those that run here and fit into memory.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct MttkrpPlan<Scalar, Ordinal, Exec>::ChooseCheapest {
  const MttkrpProblem& problem;
  const MachineProperties& machine;
  double allowed;
  double& lowest;
  std::string& best;

  template <class Kernel>
  void operator()() const {
    if constexpr (Kernel::template supports<Exec>) {
      using Prepared = typename Kernel::template Prepared<Scalar, Ordinal, Exec>;
      if (!Prepared::accepts(problem) || Kernel::memory(problem) > allowed) return;
      const double cost = Kernel::cost(problem, machine);
      if (best.empty() || cost < lowest) {
        lowest = cost;
        best = Kernel::name;
      }
    }
  }
};

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
MttkrpPlan<Scalar, Ordinal, Exec>::MttkrpPlan(const Exec& exec,
                                              RelabeledTensor<Scalar, Ordinal, Exec> tensor,
                                              std::size_t rank, const MttkrpOptions& options,
                                              std::span<const int> update_order) {
  check_ranges(options);
  if (rank == 0) throw Error("MttkrpPlan: expected a rank of at least 1, got 0");
  m_problem =
      MttkrpProblem{tensor.dimensions(), tensor.nnz(), rank, sizeof(Scalar), sizeof(Ordinal), {}};
  m_problem.update_order.assign(update_order.begin(), update_order.end());
  if (update_order.empty()) {
    m_problem.update_order.resize(tensor.dimensions().size());
    std::iota(m_problem.update_order.begin(), m_problem.update_order.end(), 0);
  }
  m_padded.resize(tensor.dimensions().size() + 1);
  m_kernel = options.kernel == "auto" ? choose_kernel(exec, options) : options.kernel;
  std::string names;
  KernelList::for_each(PrepareNamed{*this, exec, tensor, options, names});
  if (!m_engine) {
    throw Error("MttkrpPlan: expected a kernel that runs on " + std::string(Exec::name()) +
                " (auto, " + names + "), got " + m_kernel);
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
std::string MttkrpPlan<Scalar, Ordinal, Exec>::choose_kernel(const Exec& exec,
                                                             const MttkrpOptions& options) const {
  const MachineProperties machine = MachineProperties::of(exec);
  double allowed = options.memory_limit;
  if (allowed <= 0.0) {
    allowed = 0.5 * detail::Backend<Exec>::free_bytes();
  }
  std::string best;
  double lowest = std::numeric_limits<double>::infinity();
  KernelList::for_each(ChooseCheapest{m_problem, machine, allowed, lowest, best});
  return best;  // never empty: some kernels take every tensor and need no memory
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void MttkrpPlan<Scalar, Ordinal, Exec>::check(std::span<const Matrix> factors, int mode,
                                              const Matrix& output) const {
  const auto fail = [](const std::string& what) { throw Error("MttkrpPlan::execute: " + what); };
  const auto order = m_problem.dimensions.size();
  if (factors.size() != order) {
    fail("expected " + std::to_string(order) + " factors, got " + std::to_string(factors.size()));
  }
  if (mode < 0 || mode >= m_problem.order()) {
    fail("expected a mode from 0 to " + std::to_string(order - 1) + ", got " +
         std::to_string(mode));
  }
  const auto check_shape = [&](const Matrix& matrix, std::size_t m, const std::string& name) {
    if (matrix.rows() != m_problem.dimensions[m] || matrix.columns() != m_problem.rank) {
      fail("expected " + name + " of mode " + std::to_string(m) + " to be " +
           std::to_string(m_problem.dimensions[m]) + " x " + std::to_string(m_problem.rank) +
           ", got " + std::to_string(matrix.rows()) + " x " + std::to_string(matrix.columns()));
    }
  };
  for (std::size_t m = 0; m < order; ++m) {
    if (m != static_cast<std::size_t>(mode)) check_shape(factors[m], m, "the factor");
  }
  check_shape(output, static_cast<std::size_t>(mode), "the output");
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
auto MttkrpPlan<Scalar, Ordinal, Exec>::padded_copy(std::size_t slot, const Matrix& like)
    -> const Matrix& {
  Matrix& copy = m_padded[slot];
  if (copy.rows() != like.rows() || copy.columns() != like.columns()) {
    copy = Matrix(like.rows(), like.columns(), "genten::padded_copy");
  }
  return copy;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void MttkrpPlan<Scalar, Ordinal, Exec>::execute(const Exec& exec, std::span<const Matrix> factors,
                                                int mode, const Matrix& output,
                                                const FactorVersions& versions) {
  check(factors, mode, output);
  const std::size_t stride = padded_stride(m_problem.rank, sizeof(Scalar));
  FactorSet<Scalar> set;
  set.order = m_problem.order();
  set.columns = m_problem.rank;
  set.version = versions;
  for (int m = 0; m < set.order; ++m) {
    Matrix factor = factors[static_cast<std::size_t>(m)];
    if (m != mode && m_engine->needs_padding && factor.stride() != stride) {
      const Matrix& copy = padded_copy(static_cast<std::size_t>(m), factor);
      detail::fence(exec, "genten::padded_copy");
      deep_copy(copy, factor);
      factor = copy;
    }
    set.data[m] = factor.data();
    set.stride[m] = factor.stride();
  }
  if (m_engine->needs_padding && output.stride() != stride) {
    const Matrix& copy = padded_copy(m_padded.size() - 1, output);
    m_engine->run(exec, set, mode, copy);
    detail::fence(exec, "genten::padded_output");
    deep_copy(output, copy);
  } else {
    m_engine->run(exec, set, mode, output);
  }
}

}  // namespace genten

#define GENTEN_ETI_PLAN(PREFIX, SCALAR, ORDINAL, EXEC) \
  PREFIX template class genten::MttkrpPlan<SCALAR, ORDINAL, EXEC>;

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_PLAN, extern)
#endif
