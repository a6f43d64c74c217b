// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What is nearly an MTTKRP kernel is none, and the requirement that it misses says so. All of it is
// checked when compiled.

#include <genten/mttkrp/kernel_list.hpp>

namespace {

using genten::ExecutionSpace;
using genten::FacMatrix;
using genten::FactorSet;
using genten::KernelMemory;
using genten::MachineProperties;
using genten::MttkrpKernel;
using genten::MttkrpProblem;
using genten::RealScalar;
using genten::RelabeledTensor;
using genten::Sptensor;
using genten::SubscriptOrdinal;
namespace need = genten::kernel_requirements;

/// All that a kernel must offer. Near misses are derived from it and hide one thing.
struct Complete {
  static constexpr std::string_view name = "complete";
  static constexpr bool deterministic = true;
  static constexpr bool needs_padding = false;
  static constexpr bool reads_relabeled = false;
  static constexpr std::string_view accepted = "every tensor";
  struct Tuning {
    int threads = 1;
  };
  struct Choice {
    [[nodiscard]] std::string describe() const { return ""; }
  };
  template <ExecutionSpace Exec>
  static constexpr bool supports = true;
  static bool accepts(const MttkrpProblem&) { return true; }
  static double cost(const MttkrpProblem&, const MachineProperties&, const Tuning&) { return 1.0; }
  static KernelMemory memory(const MttkrpProblem&, const MachineProperties&, const Tuning&) {
    return {};
  }
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  struct Prepared {
    Prepared(const Exec&, const Sptensor<Scalar, Ordinal, Exec>&, const MttkrpProblem&,
             const MachineProperties&, const Tuning&) {}
    void run(const Exec&, const FactorSet<Scalar>&, int, const FacMatrix<Scalar, Exec>&) const {}
    [[nodiscard]] Choice choice() const { return {}; }
  };
};
static_assert(MttkrpKernel<Complete>);
static_assert(!MttkrpKernel<int>);

struct WithoutName : Complete {
  static constexpr int name = 0;
};
static_assert(!need::HasName<WithoutName> && !MttkrpKernel<WithoutName>);

struct NumberForDeterminism : Complete {
  static constexpr int deterministic = 1;
};
static_assert(!need::SaysDeterminism<NumberForDeterminism> && !MttkrpKernel<NumberForDeterminism>);

struct SilentOnItsSource : Complete {
  using reads_relabeled = void;
};
static_assert(!need::SaysSource<SilentOnItsSource> && !MttkrpKernel<SilentOnItsSource>);

struct NumberOfSpaces : Complete {
  template <ExecutionSpace Exec>
  static constexpr int supports = 1;
};
static_assert(!need::SaysSpaces<NumberOfSpaces> && !MttkrpKernel<NumberOfSpaces>);

struct TuningWithoutDefaults : Complete {
  struct Tuning {
    explicit Tuning(int) {}
  };
};
static_assert(!need::HasTuning<TuningWithoutDefaults> && !MttkrpKernel<TuningWithoutDefaults>);

struct CostWithoutMachine : Complete {
  static double cost(const MttkrpProblem&) { return 1.0; }
};
static_assert(!need::HasCost<CostWithoutMachine> && !MttkrpKernel<CostWithoutMachine>);

struct MemoryWithoutMachine : Complete {
  static KernelMemory memory(const MttkrpProblem&, const Tuning&) { return {}; }
};
static_assert(!need::HasMemory<MemoryWithoutMachine> && !MttkrpKernel<MemoryWithoutMachine>);

struct AcceptsWithoutBool : Complete {
  static void accepts(const MttkrpProblem&) {}
};
static_assert(!need::SaysAccepted<AcceptsWithoutBool> && !MttkrpKernel<AcceptsWithoutBool>);

struct ChoiceWithoutWords : Complete {
  struct Choice {};
};
static_assert(!need::HasChoice<ChoiceWithoutWords> && !MttkrpKernel<ChoiceWithoutWords>);

/// It says that it looks row numbers up, and cannot.
struct SaysRelabeledTakesPlain : Complete {
  static constexpr bool reads_relabeled = true;
};
static_assert(!need::Prepares<SaysRelabeledTakesPlain> && !MttkrpKernel<SaysRelabeledTakesPlain>);

/// It could look them up, and does not say so: the tensor would be written out in vain.
struct TakesRelabeledSaysPlain : Complete {
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  struct Prepared : Complete::Prepared<Scalar, Ordinal, Exec> {
    Prepared(const Exec&, const RelabeledTensor<Scalar, Ordinal, Exec>&, const MttkrpProblem&,
             const MachineProperties&, const Tuning&);
  };
};
static_assert(!need::Prepares<TakesRelabeledSaysPlain> && !MttkrpKernel<TakesRelabeledSaysPlain>);

struct PreparedWithoutMachine : Complete {
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  struct Prepared : Complete::Prepared<Scalar, Ordinal, Exec> {
    Prepared(const Exec&, const Sptensor<Scalar, Ordinal, Exec>&, const MttkrpProblem&);
  };
};
static_assert(!need::Prepares<PreparedWithoutMachine> && !MttkrpKernel<PreparedWithoutMachine>);

struct RunsWithoutMode : Complete {
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  struct Prepared : Complete::Prepared<Scalar, Ordinal, Exec> {
    using Complete::Prepared<Scalar, Ordinal, Exec>::Prepared;
    void run(const Exec&, const FactorSet<Scalar>&, const FacMatrix<Scalar, Exec>&) const;
  };
};
static_assert(!need::Runs<RunsWithoutMode> && !MttkrpKernel<RunsWithoutMode>);

struct KeepsItsChoice : Complete {
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  struct Prepared : Complete::Prepared<Scalar, Ordinal, Exec> {
    using Complete::Prepared<Scalar, Ordinal, Exec>::Prepared;
    using choice = void;
  };
};
static_assert(!need::TellsChoice<KeepsItsChoice> && !MttkrpKernel<KeepsItsChoice>);

}  // namespace
