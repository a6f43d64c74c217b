// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// MttkrpKernel: what a struct must offer to stand in the kernel list.
///
/// A kernel is a struct without state (`kernels/atomic.hpp` is the shortest). Each requirement is a
/// concept of its own, so that a near miss is a compile error that names what is missing.

#include <genten/core/sptensor.hpp>
#include <genten/format/relabeling.hpp>
#include <genten/mttkrp/problem.hpp>

#include <concepts>
#include <string>
#include <string_view>

namespace genten {

/// The tensor that a kernel is prepared from: with new row numbers still to be looked up, for a
/// kernel that says that it does so, otherwise with them written out.
template <class Kernel, RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
using KernelSource =
    std::conditional_t<Kernel::reads_relabeled, RelabeledTensor<Scalar, Ordinal, Exec>,
                       Sptensor<Scalar, Ordinal, Exec>>;

namespace kernel_requirements {

/// `static constexpr std::string_view name`: for users, unique in the list.
template <class Kernel>
concept HasName = requires {
  { Kernel::name } -> std::convertible_to<std::string_view>;
};

/// A static constant of type bool.
template <class Constant>
concept BoolConstant = std::same_as < std::remove_cvref_t<Constant>,
bool > ;

/// `static constexpr bool deterministic`: whether results have the same bits for every number of
/// threads of a host.
template <class Kernel>
concept SaysDeterminism = requires {
  { Kernel::deterministic } -> BoolConstant;
};

/// `static constexpr bool needs_padding`: whether factors and output must have Genten's row stride.
template <class Kernel>
concept SaysPadding = requires {
  { Kernel::needs_padding } -> BoolConstant;
};

/// `static constexpr bool reads_relabeled`: whether it looks new row numbers up itself.
template <class Kernel>
concept SaysSource = requires {
  { Kernel::reads_relabeled } -> BoolConstant;
};

/// `static constexpr bool takes_wider`, true: `run` takes factors and outputs of any number of
/// columns, all of as many, and sums each column in the order in which it does for the columns that
/// it was prepared for, so that the bits of a column do not depend on those beside it. A kernel may
/// do without.
template <class Kernel>
concept TakesWider = requires {
  requires Kernel::takes_wider;
};

/// `template <ExecutionSpace Exec> static constexpr bool supports`: where it runs.
template <class Kernel>
concept SaysSpaces = requires {
  { Kernel::template supports<HostExec> } -> BoolConstant;
};

/// `struct Tuning`: the numbers that measurements set, each with its default.
template <class Kernel>
concept HasTuning = requires {
  typename Kernel::Tuning;
}
&&std::is_aggregate_v<typename Kernel::Tuning>&&
    std::default_initializable<typename Kernel::Tuning>;

/// `static bool accepts(problem)`, and `static constexpr std::string_view accepted`, which says in
/// words which tensors these are.
template <class Kernel>
concept SaysAccepted = requires(const MttkrpProblem& problem) {
  { Kernel::accepts(problem) } -> std::same_as<bool>;
  { Kernel::accepted } -> std::convertible_to<std::string_view>;
};

/// `static double cost(problem, machine, tuning)`: predicted bytes of memory traffic of a sweep.
template <class Kernel>
concept HasCost = requires(const MttkrpProblem& problem, const MachineProperties& machine,
                           const typename Kernel::Tuning& tuning) {
  { Kernel::cost(problem, machine, tuning) } -> std::same_as<double>;
};

/// `static KernelMemory memory(problem, machine, tuning)`: bytes at the peak of preparation and
/// calls, and those that stay prepared, beside the tensor and the model.
template <class Kernel>
concept HasMemory = requires(const MttkrpProblem& problem, const MachineProperties& machine,
                             const typename Kernel::Tuning& tuning) {
  { Kernel::memory(problem, machine, tuning) } -> std::same_as<KernelMemory>;
};

/// `struct Choice` with `std::string describe() const`: what preparation has chosen.
template <class Kernel>
concept HasChoice = requires(const typename Kernel::Choice& choice) {
  { choice.describe() } -> std::convertible_to<std::string>;
};

/// An execution space of this build that a kernel runs on, if there is one.
template <class Kernel>
using SpaceOf = std::conditional_t<Kernel::template supports<Kokkos::DefaultExecutionSpace>,
                                   Kokkos::DefaultExecutionSpace, HostExec>;
/// What a kernel prepares for the most usual types, to be asked for its requirements.
template <class Kernel>
using PreparedOf = typename Kernel::template Prepared<double, std::uint32_t, SpaceOf<Kernel>>;
template <class Kernel, class Source>
concept PreparesFrom = std::constructible_from < PreparedOf<Kernel>,
const SpaceOf<Kernel>&, Source, const MttkrpProblem&, const MachineProperties&,
    const typename Kernel::Tuning& > ;

/// `Prepared<Scalar, Ordinal, Exec>(exec, tensor, problem, machine, tuning)`, of a KernelSource;
/// one that could take a RelabeledTensor has to say so.
template <class Kernel>
concept Prepares =
    PreparesFrom<Kernel, KernelSource<Kernel, double, std::uint32_t, SpaceOf<Kernel>>> &&
    (Kernel::reads_relabeled ||
     !PreparesFrom<Kernel, RelabeledTensor<double, std::uint32_t, SpaceOf<Kernel>>>);

/// `Prepared::run(exec, factors, mode, output)`: writes the MTTKRP of a mode to the output's rows.
template <class Kernel>
concept Runs = requires(PreparedOf<Kernel>& prepared, const SpaceOf<Kernel>& exec,
                        const FactorSet<double>& factors,
                        const FacMatrix<double, SpaceOf<Kernel>>& output) {
  prepared.run(exec, factors, 0, output);
};

/// `Prepared::traversal(exec, factors, mode, output, phi)`: the same with phi(x, m) in the place of
/// each value x, m the model's value there. A kernel may do without.
template <class Kernel, class Scalar, class Ordinal, class Exec, class Phi>
concept Traverses = requires(typename Kernel::template Prepared<Scalar, Ordinal, Exec>& prepared,
                             const Exec& exec, const FactorSet<Scalar>& factors,
                             const FacMatrix<Scalar, Exec>& output, const Phi& phi) {
  prepared.traversal(exec, factors, 0, output, phi);
};

/// `Prepared::choice()`: what it has chosen, as data.
template <class Kernel>
concept TellsChoice = requires(const PreparedOf<Kernel>& prepared) {
  { prepared.choice() } -> std::convertible_to<typename Kernel::Choice>;
};

}  // namespace kernel_requirements

/// An MTTKRP kernel.
template <class Kernel>
concept MttkrpKernel = kernel_requirements::HasName<Kernel> &&
    kernel_requirements::SaysDeterminism<Kernel> && kernel_requirements::SaysPadding<Kernel> &&
    kernel_requirements::SaysSource<Kernel> && kernel_requirements::SaysSpaces<Kernel> &&
    kernel_requirements::HasTuning<Kernel> && kernel_requirements::SaysAccepted<Kernel> &&
    kernel_requirements::HasCost<Kernel> && kernel_requirements::HasMemory<Kernel> &&
    kernel_requirements::HasChoice<Kernel> && kernel_requirements::Prepares<Kernel> &&
    kernel_requirements::Runs<Kernel> && kernel_requirements::TellsChoice<Kernel>;

/// Refuses to compile for what is no kernel, and says what it lacks.
template <class Kernel>
struct CheckedKernel {
  static_assert(kernel_requirements::HasName<Kernel>,
                "an MTTKRP kernel needs: static constexpr std::string_view name");
  static_assert(kernel_requirements::SaysDeterminism<Kernel>,
                "an MTTKRP kernel needs: static constexpr bool deterministic");
  static_assert(kernel_requirements::SaysPadding<Kernel>,
                "an MTTKRP kernel needs: static constexpr bool needs_padding");
  static_assert(kernel_requirements::SaysSource<Kernel>,
                "an MTTKRP kernel needs: static constexpr bool reads_relabeled");
  static_assert(kernel_requirements::SaysSpaces<Kernel>,
                "an MTTKRP kernel needs: template <ExecutionSpace Exec> static constexpr bool "
                "supports");
  static_assert(kernel_requirements::HasTuning<Kernel>,
                "an MTTKRP kernel needs: struct Tuning, an aggregate with defaults");
  static_assert(kernel_requirements::SaysAccepted<Kernel>,
                "an MTTKRP kernel needs: static bool accepts(const MttkrpProblem&), and static "
                "constexpr std::string_view accepted");
  static_assert(kernel_requirements::HasCost<Kernel>,
                "an MTTKRP kernel needs: static double cost(const MttkrpProblem&, const "
                "MachineProperties&, const Tuning&)");
  static_assert(kernel_requirements::HasMemory<Kernel>,
                "an MTTKRP kernel needs: static KernelMemory memory(const MttkrpProblem&, const "
                "MachineProperties&, const Tuning&)");
  static_assert(kernel_requirements::HasChoice<Kernel>,
                "an MTTKRP kernel needs: struct Choice with std::string describe() const");
  static_assert(kernel_requirements::Prepares<Kernel>,
                "an MTTKRP kernel needs: template class Prepared<Scalar, Ordinal, Exec>, "
                "constructed from (const Exec&, tensor, const MttkrpProblem&, const "
                "MachineProperties&, const Tuning&), the tensor a RelabeledTensor if and only if "
                "reads_relabeled");
  static_assert(kernel_requirements::Runs<Kernel>,
                "an MTTKRP kernel needs: Prepared::run(const Exec&, const FactorSet&, int mode, "
                "const FacMatrix& output)");
  static_assert(kernel_requirements::TellsChoice<Kernel>,
                "an MTTKRP kernel needs: Prepared::choice() const, which returns a Choice");
  static_assert(MttkrpKernel<Kernel>);
};

}  // namespace genten
