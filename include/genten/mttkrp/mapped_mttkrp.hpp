// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// MappedMttkrp: MTTKRP of all modes with functions of a model's values in the place of the
/// tensor's.

#include <genten/core/sptensor.hpp>
#include <genten/mttkrp/detail/padded_factors.hpp>
#include <genten/mttkrp/plan.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace genten {

namespace detail {
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class SortedEntries;
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class ListedEntries;
}  // namespace detail

/// Nonzeros that functors are called for at once, at most.
inline constexpr int most_entries = 64;

/// What is summed over nonzeros: Sums, of one of value x where the model is m (on devices) or of
/// several at once (on hosts).
template <class Term, class Sums>
concept EntryTerm = requires(const Term& term, Sums& sums, const double* numbers, double number) {
  { term(number, number) } -> std::convertible_to<Sums>;
  term.add(sums, numbers, numbers, 1);
  sums.add(sums);
};

/// What takes the place of a value x where the model is m: of one, on devices, or of several, on
/// hosts, where it takes the place of m.
template <class Phi>
concept EntryMap = requires(const Phi& phi, const double* x, double* m, double number) {
  { phi(number, number) } -> std::convertible_to<double>;
  phi.map(x, m, 1);
};

/// Prepared once for a tensor, called many times: `map` finds the model's value m at every nonzero
/// and keeps y = phi(x, m) there, `execute` then is the MTTKRP of y. A gradient by all factors so
/// takes one pass over the nonzeros more than MTTKRP of all modes, and one phi a nonzero; a group
/// of modes that the kernel `sorted` has fused, because they are short or, where `options.sweeps`
/// is not 0, since few tuples of them occur, is summed once for all of them.
///
/// Kernels: `sorted` on hosts, with a word more a nonzero than it has in MttkrpPlan and one for x
/// unless all are equal, and `atomic` everywhere; `auto` takes the former on hosts where it takes
/// the tensor and fits. Sums are in double, and by `sorted` they and y have the same bits for every
/// number of threads.
///
/// Where the functors are called, include mttkrp/map_with.hpp. An object must not
/// be used by two threads at once.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class MappedMttkrp {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  using Factors = std::span<const Matrix>;
  using Tensor = Sptensor<Scalar, Ordinal, Exec>;

  /// For factors of `rank` columns, in so many bytes. Throws what MttkrpPlan throws, and Error for
  /// other kernels.
  MappedMttkrp(const Exec& exec, const Tensor& tensor, std::size_t rank,
               const MttkrpOptions& options, double available);
  ~MappedMttkrp();
  MappedMttkrp(MappedMttkrp&&) noexcept;
  MappedMttkrp& operator=(MappedMttkrp&&) noexcept;
  MappedMttkrp(const MappedMttkrp&) = delete;
  MappedMttkrp& operator=(const MappedMttkrp&) = delete;

  /// The sum of term(x, m) over all nonzeros. What was mapped is lost.
  template <class Sums, EntryTerm<Sums> Term>
  [[nodiscard]] Sums sum(const Exec& exec, Factors factors, const Term& term);
  /// y = phi(x, m). With `known_models` the factors are those of the last call, a sum, whose
  /// model values are used again.
  template <EntryMap Phi>
  void map(const Exec& exec, Factors factors, const Phi& phi, bool known_models = false);
  /// The MTTKRP of y by a mode, for the factors that y was mapped by. All factors have the shape of
  /// the model, `output` that of factor `mode`, and is none of them.
  void execute(const Exec& exec, Factors factors, int mode, const Matrix& output);

  [[nodiscard]] std::string_view kernel() const;
  /// How the kernel `sorted` orders and fuses the nonzeros; empty by `atomic`.
  [[nodiscard]] std::string describe() const;

 private:
  [[nodiscard]] FactorSet<Scalar> padded(const Exec& exec, Factors factors, int left_out,
                                         bool zero_padding);

  std::unique_ptr<detail::SortedEntries<Scalar, Ordinal, Exec>> m_sorted;  ///< on hosts; or
  std::unique_ptr<detail::ListedEntries<Scalar, Ordinal, Exec>> m_listed;
  std::size_t m_rank;
  std::vector<Matrix> m_copies;
  std::uint64_t m_version = 0;  ///< of the model
};

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/mttkrp/detail/mapped_mttkrp_impl.hpp>
#endif
