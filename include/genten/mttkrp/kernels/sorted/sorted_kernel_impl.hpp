// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/format/make_sorted_copy.hpp>
#include <genten/format/sorted_tuples.hpp>
#include <genten/mttkrp/functor.hpp>
#include <genten/mttkrp/kernels/sorted/contraction.hpp>
#include <genten/mttkrp/kernels/sorted/fused_group.hpp>
#include <genten/mttkrp/kernels/sorted/model_loops.hpp>
#include <genten/mttkrp/kernels/sorted/row_reuse.hpp>
#include <genten/mttkrp/kernels/sorted/sorted.hpp>
#include <genten/mttkrp/kernels/sorted/sorted_order_impl.hpp>

namespace genten::kernels {

/// The sorted copies of a tensor, what fused groups need, and the contractions between them.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class Sorted::Prepared {
 public:
  /// Throws Error for a problem that the kernel does not accept. Unless `may_code`, the value of a
  /// nonzero is the last word of its record.
  Prepared(const Exec& exec, RelabeledTensor<Scalar, Ordinal, Exec> tensor,
           const MttkrpProblem& problem, const MachineProperties& machine,
           const Tuning& tuning = {}, bool may_code = true);

  /// Writes the MTTKRP of `mode` to `output`, whose rows have the same padded stride as all
  /// factors, that of the problem or another one: each column is summed as it would be alone.
  /// `early`, unless empty, is called when all that the problem's early rows need is queued.
  void run(const Exec& exec, const FactorSet<Scalar>& factors, int mode,
           const FacMatrix<Scalar, Exec>& output, const std::function<void()>& early = {}) {
    const std::size_t g = m_choice.group_of(mode);
    reserve(exec, output.stride());
    if (!m_fused[g]) {
      contract(exec, factors, g, output.stride(), output.data(), early);
      return;
    }
    if (Scalar* const sums = m_fused[g]->outdated_sums(factors)) {
      contract(exec, factors, g, output.stride(), sums, {});
    }
    m_fused[g]->contract(exec, factors, mode, output.data(), early);
  }

  /// The same with phi(x, m) in the place of each value x, m the model's value there. All factors
  /// are read, and their padding must be zero.
  template <NonzeroFunctor<Scalar> Phi>
  requires is_host_space<Exec>
  void traversal(const Exec& exec, const FactorSet<Scalar>& factors, int mode,
                 const FacMatrix<Scalar, Exec>& output, const Phi& phi) {
    const std::size_t g = m_choice.group_of(mode);
    reserve(exec, output.stride());
    Scalar* const to = m_fused[g] ? m_fused[g]->sums_of_traversal() : output.data();
    m_contractions[g].traversal(exec, gathered_rows(exec, factors, g), output.stride(),
                                rows_of(exec, factors, g), detail::NonzeroMap<Scalar>::of(phi), to);
    if (m_fused[g]) m_fused[g]->contract(exec, factors, mode, output.data());
  }

  [[nodiscard]] const Choice& choice() const { return m_choice; }

  /// The groups whose copies share their records with no earlier group's.
  [[nodiscard]] std::vector<std::size_t> distinct_copies() const {
    std::vector<std::size_t> result;
    for (std::size_t g = 0; g < m_contractions.size(); ++g) {
      const auto* const records = copy(g).records.data();
      if (std::none_of(result.begin(), result.end(),
                       [&](std::size_t h) { return copy(h).records.data() == records; })) {
        result.push_back(g);
      }
    }
    return result;
  }
  /// The copy of group `g`, whose values may be changed where they are no codes; `forget_sums` then
  /// says so.
  [[nodiscard]] const SortedCopy<Scalar, Exec>& copy(std::size_t g) const {
    return m_contractions[g].copy();
  }
  void forget_sums() {
    for (auto& fused : m_fused) {
      if (fused) fused->forget_sums();
    }
  }
  /// What a pass over the copy of group `g` reads that gathers the rows of all groups, one that is
  /// worth fetching last.
  [[nodiscard]] detail::ContractionInput<Scalar> all_rows(const Exec& exec,
                                                          const FactorSet<Scalar>& factors,
                                                          std::size_t g, std::size_t stride) {
    reserve(exec, stride);
    detail::ContractionInput<Scalar> input;
    input.records = copy(g).records.data();
    input.layout = copy(g).layout;
    input.stride = stride;
    const auto add = [&](std::size_t h) {
      input.factors[input.count++] = {input.layout.fields[h], rows_of(exec, factors, h)};
    };
    const auto last = static_cast<std::size_t>(copy(g).order.fetched_mode.value_or(0));
    for (std::size_t h = 0; h < m_choice.groups.size(); ++h) {
      if (h != last) add(h);
    }
    add(last);
    return input;
  }

 private:
  /// The nonzeros as records, by tuple where a group is sorted.
  static std::optional<PackedTensor<Scalar, Exec>> pack(
      const Exec& exec, const RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
      const std::vector<ModeGroup>& groups, bool may_code, bool lists_all,
      detail::SortWorkspace<Exec>& workspace) {
    if (sorts_tuples(groups)) {
      return pack_sorted_tuples(exec, tensor, groups, may_code, workspace);
    }
    return pack_records(exec, tensor, groups, may_code, lists_all);
  }

  /// Counts by sampling the records, on hosts; devices do not ask.
  static RowReuse row_reuse(const Exec& exec, const PackedTensor<Scalar, Exec>& packed) {
    if constexpr (is_host_space<Exec>) {
      return [&](const NonzeroOrder& order) { return detail::mean_row_reuse(exec, packed, order); };
    } else {
      return {};
    }
  }

  /// Makes the sorted copies, and the contractions that read them.
  void sort(const Exec& exec, const PackedTensor<Scalar, Exec>& packed,
            const MttkrpProblem& problem, const MachineProperties& machine, const Tuning& tuning,
            detail::SortWorkspace<Exec>& workspace) {
    const std::size_t stride = problem.row_stride();
    workspace.results.clear();
    for (const NonzeroOrder& order : m_choice.orders) {
      if (!m_choice.lies_as_packed(order)) continue;
      // They stay as they came, or lie in the order of tuples, which is that of blocks of them.
      workspace.results.push_back(
          {detail::order_number(packed.layout, order), packed.records, packed.records});
    }
    detail::ColumnPanel<Scalar, Exec> panel;
    if (m_choice.panel_packs > 0) {
      const auto& lengths = packed.dimensions;
      panel = {std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}),
               m_choice.panel_packs};
    }
    m_fused.resize(m_choice.groups.size());
    for (std::size_t g = 0; g < m_choice.groups.size(); ++g) {
      const auto input =
          m_choice.may_use_up_records(g) ? detail::SortInput::consume : detail::SortInput::keep;
      const ModeGroup& group = m_choice.groups[g];
      m_contractions.emplace_back(exec,
                                  make_sorted_copy(exec, packed, m_choice.orders[g],
                                                   m_choice.chunk_lengths[g], input, workspace),
                                  gathered_by(g), stride, machine, tuning,
                                  group.fused() ? 0 : problem.early_row(group.modes.front()),
                                  panel);
      m_choice.runs.push_back(m_contractions.back().sums_runs());
      if (group.fused()) {
        m_fused[g].emplace(exec, group, packed.tuples[g], problem, machine, tuning, workspace,
                           [&](int member, const std::vector<std::size_t>& lengths) {
                             return order_of_tuples(group, member, lengths, problem, machine,
                                                    tuning);
                           });
      }
    }
  }

  /// The order of a group's tuples for the rows of a member, and the length of their chunks.
  static std::pair<NonzeroOrder, offset_t> order_of_tuples(const ModeGroup& group, int member,
                                                           const std::vector<std::size_t>& lengths,
                                                           const MttkrpProblem& problem,
                                                           const MachineProperties& machine,
                                                           const Tuning& tuning) {
    if (!group.sorted || machine.device) {
      // Tuples are few and each counts little: shorter chunks than those of nonzeros.
      return {NonzeroOrder::by_row(member), std::max<offset_t>(tuning.nonzeros_per_chunk / 16, 1)};
    }
    const std::size_t rows = lengths[static_cast<std::size_t>(member)];
    const double row_bytes = problem.row_bytes();
    const NonzeroOrder order = tuple_order(member, rows, row_bytes, machine, tuning);
    const int words = RecordLayout::for_dimensions(lengths, 0)->words;
    return {order, chunk_length(order, rows, row_bytes, static_cast<double>(lengths.front()),
                                8.0 * words, machine, tuning)};
  }

  /// The groups whose rows the contraction for group `g` gathers, a fetched one last.
  [[nodiscard]] std::vector<int> gathered_by(std::size_t g) const {
    const auto& fetched = m_choice.orders[g].fetched_mode;
    std::vector<int> result;
    for (int h = 0; h < static_cast<int>(m_choice.groups.size()); ++h) {
      if (h != static_cast<int>(g) && h != fetched) result.push_back(h);
    }
    if (fetched) result.push_back(*fetched);
    return result;
  }

  /// The rows of group `g`: a factor's, or products of those of fused modes.
  [[nodiscard]] const Scalar* rows_of(const Exec& exec, const FactorSet<Scalar>& factors,
                                      std::size_t g) {
    return m_fused[g] ? m_fused[g]->products(exec, factors)
                      : factors.data[m_choice.groups[g].modes.front()];
  }
  /// Those that the contraction for group `g` gathers.
  [[nodiscard]] std::vector<const Scalar*> gathered_rows(const Exec& exec,
                                                         const FactorSet<Scalar>& factors,
                                                         std::size_t g) {
    std::vector<const Scalar*> gathered;
    for (const int other : m_contractions[g].gathered()) {
      gathered.push_back(rows_of(exec, factors, static_cast<std::size_t>(other)));
    }
    return gathered;
  }
  /// Lets fused groups hold rows of that stride.
  void reserve(const Exec& exec, std::size_t stride) {
    for (auto& fused : m_fused) {
      if (fused) fused->reserve(exec, stride);
    }
  }
  /// Contracts the copy of group `g`.
  void contract(const Exec& exec, const FactorSet<Scalar>& factors, std::size_t g,
                std::size_t stride, Scalar* output, const std::function<void()>& early) {
    m_contractions[g].run(exec, gathered_rows(exec, factors, g), stride, output, early);
  }

  Choice m_choice;
  std::vector<detail::Contraction<Scalar, Exec>> m_contractions;         ///< one a group
  std::vector<std::optional<detail::FusedGroup<Scalar, Exec>>> m_fused;  ///< of fused groups
};

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Sorted::Prepared<Scalar, Ordinal, Exec>::Prepared(const Exec& exec,
                                                  RelabeledTensor<Scalar, Ordinal, Exec> tensor,
                                                  const MttkrpProblem& problem,
                                                  const MachineProperties& machine,
                                                  const Tuning& tuning, bool may_code) {
  auto groups = choose_groups(problem, machine, tuning);
  detail::SortWorkspace<Exec> workspace;
  const bool keeps = keeps_order(problem, machine, tuning);
  const auto packed = pack(exec, tensor, groups, may_code && !keeps, keeps, workspace);
  if (!packed) throw Error("kernel sorted: expected " + std::string(accepted));
  // The records are all that is needed from here on.
  tensor = {};
  m_choice = choose(problem, std::move(groups), packed->dimensions, packed->layout.words, machine,
                    tuning, row_reuse(exec, *packed));
  sort(exec, *packed, problem, machine, tuning, workspace);
}

}  // namespace genten::kernels

#define GENTEN_ETI_SORTED(PREFIX, SCALAR, EXEC)                                                 \
  PREFIX template genten::kernels::Sorted::Prepared<SCALAR, genten::RowNumber, EXEC>::Prepared( \
      const EXEC&, genten::RelabeledTensor<SCALAR, genten::RowNumber, EXEC>,                    \
      const genten::MttkrpProblem&, const genten::MachineProperties&,                           \
      const genten::kernels::SortedTuning&, bool);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_SORTED, extern)
#endif
