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
  /// Share of the starts that came to the least objective; NaN where fewer than three did.
  double best_starts = std::numeric_limits<double>::quiet_NaN();

  /// Whether all starts but those that ended at worse models find it.
  [[nodiscard]] bool is_found_by_best() const { return best_starts == 1.0; }
  /// The start of the model finds its own components: where half of all starts do, fewer than half
  /// of the others do. Refits speak for components that starts lack which ended at worse models.
  [[nodiscard]] bool is_unstable_by_starts() const {
    return starts <= least_share && !(is_found_by_best() && refits >= least_share);
  }
  [[nodiscard]] bool is_unstable_by_refits() const { return refits < least_share; }
  [[nodiscard]] bool is_unstable() const {
    return is_unstable_by_starts() || is_unstable_by_refits();
  }

  static constexpr auto figures() {
    using Of = ComponentStability;
    return member_table(result_field("starts", &Of::starts), result_field("refits", &Of::refits),
                        result_field("best_starts", &Of::best_starts));
  }
};

/// Counts the starts that find the components of a model.
class StartCounts {
 public:
  explicit StartCounts(std::size_t rank) : m_all(rank, 0.0), m_best(rank, 0.0) {}

  /// Adds a start, by the score of each component's match, without regard to weights.
  void add(const std::vector<double>& scores, bool is_at_best) {
    m_starts += 1.0;
    m_starts_at_best += is_at_best ? 1.0 : 0.0;
    for (std::size_t r = 0; r < scores.size(); ++r) {
      const bool is_found = scores[r] >= ComponentStability::least_score;
      m_all[r] += is_found ? 1.0 : 0.0;
      m_best[r] += is_found && is_at_best ? 1.0 : 0.0;
    }
  }
  /// Adds a start of which there is no model.
  void add_unknown() { m_starts += 1.0; }

  [[nodiscard]] std::vector<ComponentStability> stability() const {
    std::vector<ComponentStability> found(m_all.size());
    for (std::size_t r = 0; r < found.size(); ++r) {
      found[r].starts = m_all[r] / m_starts;
      if (m_starts_at_best >= 3.0) found[r].best_starts = m_best[r] / m_starts_at_best;
    }
    return found;
  }

 private:
  double m_starts = 0.0, m_starts_at_best = 0.0;
  std::vector<double> m_all, m_best;
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
      if (seen.ends) m_models.push_back({seen.start, clone_to<HostExec>(seen.model())});
      return observer ? observer(seen) : ObserverAction::proceed;
    };
  }

  /// How often each component of the model is found in those of the starts, its own among them;
  /// nothing where fewer than two were seen. `at_best` says by start which came to the least
  /// objective.
  [[nodiscard]] std::vector<ComponentStability> stability(const Model& model,
                                                          const std::vector<bool>& at_best) const {
    if (m_models.size() < 2) return {};
    const auto reference = create_mirror_view_and_copy(model);
    StartCounts counts(reference.rank());
    for (const auto& [start, other] : m_models) {
      const auto found = score(HostExec(), other, reference, ScoreOptions{.weight_penalty = false});
      counts.add(found.component_scores, start < at_best.size() && at_best[start]);
    }
    return counts.stability();
  }

 private:
  struct StartModel {
    std::size_t start;
    Ktensor<Scalar, HostExec> model;
  };
  std::vector<StartModel> m_models;
};

}  // namespace genten
