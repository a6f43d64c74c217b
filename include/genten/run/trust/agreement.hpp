// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How often each component of a model is found again, by other starts and by refits.

#include <genten/base/result_field.hpp>
#include <genten/cp/observer.hpp>
#include <genten/cp/score.hpp>

#include <limits>
#include <vector>

namespace genten {

/// Of one component.
struct ComponentStability {
  /// A component counts as found in another model where the score of its match, without regard to
  /// weights, is at least this.
  static constexpr double least_score = 0.9;
  /// Components that fewer than this share of the other starts, or of the refits, find count as
  /// unstable.
  static constexpr double least_share = 0.5;

  double starts = std::numeric_limits<double>::quiet_NaN();  ///< share of all starts; NaN: of one
  double refits = std::numeric_limits<double>::quiet_NaN();  ///< of a bootstrap; NaN: none

  /// The start of the model finds its own components: where half of all starts do, fewer than half
  /// of the others do.
  [[nodiscard]] bool is_unstable_by_starts() const { return starts <= least_share; }
  [[nodiscard]] bool is_unstable_by_refits() const { return refits < least_share; }
  [[nodiscard]] bool is_unstable() const {
    return is_unstable_by_starts() || is_unstable_by_refits();
  }

  static constexpr auto figures() {
    using Of = ComponentStability;
    return member_table(result_field("starts", &Of::starts), result_field("refits", &Of::refits));
  }
};

/// Keeps the models of starts, on the host, as an observer sees them at each start's end.
template <RealScalar Scalar, ExecutionSpace Exec>
class StartModels {
 public:
  using Model = Ktensor<Scalar, Exec>;

  /// Bytes that models of those dimensions take.
  [[nodiscard]] static double memory(const std::vector<std::size_t>& dimensions, std::size_t rank,
                                     std::size_t starts) {
    double rows = 0.0;
    for (const std::size_t length : dimensions) rows += static_cast<double>(length);
    return rows * static_cast<double>(padded_stride(rank, sizeof(Scalar)) * sizeof(Scalar)) *
           static_cast<double>(starts);
  }

  /// An observer that keeps models and hands on to another one, if there is one.
  [[nodiscard]] Observer<Model> before(const Observer<Model>& observer) {
    return [this, &observer](const Iteration<Model>& seen) {
      if (seen.ends) m_models.push_back(clone_to<HostExec>(seen.model()));
      return observer ? observer(seen) : ObserverAction::proceed;
    };
  }

  /// The share of the starts, that of the model among them, in which each component of the model is
  /// found; nothing where fewer than two were seen.
  [[nodiscard]] std::vector<double> shares(const Model& model) const {
    if (m_models.size() < 2) return {};
    const auto reference = create_mirror_view_and_copy(model);
    std::vector<double> shares(reference.rank(), 0.0);
    for (const auto& other : m_models) {
      const auto found = score(HostExec(), other, reference, ScoreOptions{.weight_penalty = false});
      for (std::size_t r = 0; r < shares.size(); ++r) {
        const bool is_found = found.component_scores[r] >= ComponentStability::least_score;
        shares[r] += is_found ? 1.0 : 0.0;
      }
    }
    for (double& share : shares) share /= static_cast<double>(m_models.size());
    return shares;
  }

 private:
  std::vector<Ktensor<Scalar, HostExec>> m_models;
};

}  // namespace genten
