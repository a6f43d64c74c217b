// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/memory.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/model_values.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/components.hpp>
#include <genten/cp/held_out.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/cp/score.hpp>
#include <genten/run/choose_rank.hpp>
#include <genten/run/detail/grown.hpp>
#include <genten/run/detail/rank_memory.hpp>
#include <genten/run/detail/rank_state.hpp>
#include <genten/run/detail/run_cp_impl.hpp>
#include <genten/tucker/core_consistency.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace genten {
namespace detail {

/// Elements of the largest core that core consistency is found of.
inline constexpr double most_core = 1e6;

/// The runs of one call.
template <RealScalar Scalar, ExecutionSpace Exec>
class RankSearch {
 public:
  using Tensor = Sptensor<Scalar, RowNumber, Exec>;
  using Model = Ktensor<Scalar, Exec>;
  using Run = CpRun<Scalar, Exec>;

  RankSearch(const Exec& exec, const Tensor& tensor, const std::optional<Tensor>& missing,
             const CpRequest& request, const RankChoiceOptions& options,
             const RankObserver<Scalar, Exec>& observer)
      : m_exec(exec),
        m_tensor(sum_duplicates(exec, tensor).tensor),
        m_prepared(m_tensor),
        m_missing(missing),
        m_loss(request.any_loss()),
        m_all(rank_request(request)),
        m_trust(request.trust),
        m_test(request_for_test(request)),
        m_options(options),
        m_observer(observer) {
    m_state = state_of(m_all, options);
    m_state.names.emplace_back("tensor");
    m_state.values.push_back(to_bytes(m_tensor.dimensions()) + to_bytes(m_tensor.nnz()) +
                             to_bytes(norm(exec, m_tensor)) +
                             to_bytes(missing ? missing->nnz() : offset_t{0}));
  }

  RankSearchResult<Scalar> run(const std::optional<Checkpoint<Model>>& resume) {
    check_trust(request_at_model(m_all, m_trust, m_options.ranks.back(), 0.0),
                m_tensor.dimensions(), m_tensor.nnz());
    require_rank_models(m_exec, m_tensor, m_all, m_options,
                        m_options.ranks.size() > 1 && may_go_on());
    on_threads_for(m_options.ranks.front(), [this] { draw_held_out(); });
    if (resume) {
      m_state = resumed_state(resume->state, m_state, m_options.ranks);
      m_last = resume->model;
      tell_resumed();
    } else {
      std::vector<double> of_zeros;
      for (std::size_t d = 0; d < m_draws.size(); ++d) add_losses(d, nullptr, of_zeros);
      m_state.losses.push_back(std::move(of_zeros));
    }
    RankSearchResult<Scalar> choice;
    for (std::size_t i = m_state.rows.size(); i < m_options.ranks.size(); ++i) {
      bool is_added = false;
      on_threads_for(m_options.ranks[i], [&] { is_added = add(m_options.ranks[i]); });
      if (!is_added || m_stopped) break;
    }
    m_prepared.release();
    choice.rows = m_state.rows;
    compare_losses(m_state.losses, choice.rows, choice.zero);
    static_cast<RankSuggestion&>(choice) = suggest_rank(
        choice.rows, choice.zero, static_cast<double>(m_nonzeros), m_stopped, m_options.ranks);
    choice.held_out = m_state.losses.front().size();
    choice.draws = m_draws.size();
    choice.part = m_part;
    choice.stopped = m_stopped;
    for (std::size_t i = 0; i < choice.rows.size(); ++i) {
      choice.models.push_back(model_of_row(i));
      m_state.models[i] = std::string();  // no second copy of all of them
    }
    choice.stability = m_state.stability;
    add_trust(choice);
    return choice;
  }

 private:
  [[nodiscard]] bool misses_unlisted() const { return m_all.missing == MissingEntries::unlisted; }
  [[nodiscard]] Ktensor<Scalar, HostExec> model_of_row(std::size_t i) const {
    return model_of_numbers<Scalar>(m_state.models[i], m_tensor.dimensions(), m_state.rows[i].rank);
  }

  template <class Body>
  void on_threads_for(std::size_t rank, const Body& body) const {
    detail::on_threads_for(m_tensor, m_all, rank, body);
  }

  /// A run that stays at a model.
  [[nodiscard]] Run run_at(const Ktensor<Scalar, HostExec>& model, const CpRequest& request) const {
    Beginning<Scalar, Exec> beginning;
    beginning.guess = clone_to<Exec>(model);
    Run run = run_cp(m_exec, m_tensor, m_missing, request, beginning, {}, m_observer.interrupted);
    run.model = *beginning.guess;  // normalized again, it would have other last bits
    return run;
  }

  /// Tells of the ranks of a checkpoint.
  void tell_resumed() const {
    for (std::size_t i = 0; m_observer.resumed && i < m_state.rows.size(); ++i) {
      const CpRequest request = request_at_model(m_all, {}, m_state.rows[i].rank, 0.0);
      Run run = run_at(model_of_row(i), request);
      run.trust.stability = m_state.stability[i];
      m_observer.resumed({m_state.rows[i], run, request, {}});
    }
  }

  /// How far the suggested model can be believed.
  void add_trust(RankSearchResult<Scalar>& choice) const {
    for (std::size_t i = 0; i < choice.rows.size(); ++i) {
      if (choice.rows[i].rank != choice.suggested) continue;
      const bool wanted = m_trust.standard_errors || m_trust.bootstrap != 0;
      if (wanted && !m_interrupted) {
        const CpRequest request = request_at_model(m_all, m_trust, choice.suggested, left());
        choice.trust = run_at(choice.models[i], request).trust;
      }
      set_stability(choice.trust, m_state.stability[i]);
    }
  }

  /// Seconds for the next run: as little as goes where none are left, 0 for no limit.
  [[nodiscard]] double left() const {
    if (m_interrupted) return 1e-9;
    if (m_options.time_limit <= 0.0) return 0.0;
    return std::max(m_options.time_limit - m_watch.seconds(), 1e-9);
  }

  /// Chooses the entries to hold out, of which there are several draws where one has few.
  void draw_held_out() {
    const auto listed = static_cast<double>(m_tensor.nnz());
    double all = 1.0;
    for (const std::size_t length : m_tensor.dimensions()) all *= static_cast<double>(length);
    const double entries = std::max(misses_unlisted() ? listed : all, 1.0);
    m_part = m_options.holdout > 0.0 ? m_options.holdout : std::min(0.1, 1e6 / entries);
    // Nonzeros tell ranks apart; where they are few among many zeros, more draws are no remedy.
    const double draws = std::min({std::ceil(200.0 / std::max(m_part * listed, 1.0)), 20.0,
                                   std::max(std::floor(1e6 / (m_part * entries)), 1.0)});
    if (m_loss.facts().lower == 0.0) m_added = 0.01 * std::abs(sum(m_exec, m_tensor)) / entries;
    const std::uint64_t seed = m_all.common().seed;
    const auto unlisted = misses_unlisted() ? UnlistedEntries::missing : UnlistedEntries::zeros;
    for (std::uint64_t draw = 0; static_cast<double>(draw) < draws; ++draw) {
      try {
        m_draws.push_back(hold_out(m_exec, m_tensor, m_missing, unlisted, m_part, seed + draw));
      } catch (const Error& error) {
        if (error.kind() != Error::Kind::argument) throw;
        continue;  // none of so few
      }
      const auto& values = m_draws.back().held_out.values();
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
      for (std::size_t e = 0; e < host.extent(0); ++e) {
        if (misses_unlisted() || host(e) != Scalar(0)) ++m_nonzeros;
      }
    }
    if (m_draws.empty() && m_options.holdout > 0.0) {
      throw Error::of_option("holdout", "expected a part that holds out any of " +
                                            number_text(entries) + " entries, got " +
                                            number_text(m_part));
    }
    // They would tell nothing, and the runs take as long as all others.
    if (static_cast<double>(m_nonzeros) < enough_held_out_nonzeros) m_draws.clear();
  }

  /// By held-out entry of a draw; without a model, of the zero model.
  void add_losses(std::size_t draw, const Model* model, std::vector<double>& to) const {
    const Tensor& held = m_draws[draw].held_out;
    const auto x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), held.values());
    Kokkos::View<double*, Kokkos::HostSpace> m("genten::predictions", x.extent(0));
    if (model != nullptr) Kokkos::deep_copy(m, model_values(m_exec, *model, held.subscripts()));
    for (std::size_t e = 0; e < x.extent(0); ++e) {
      to.push_back(m_loss.value(static_cast<double>(x(e)), m(e) + m_added));
    }
  }

  /// Runs a rank, and adds its row unless it was cut short and is not the first. Returns whether it
  /// was added.
  bool add(std::size_t rank) {
    const Stopwatch watch;
    m_models.assign(m_options.starts, std::nullopt);
    Run run = run_all(rank);
    note_end(run.figures);
    if (m_stopped && !m_state.rows.empty()) return false;
    RankRow row = row_of(rank, run);
    m_models.clear();  // they have been compared, and tests have models of their own
    // A limit is one for the tests, too.
    if (m_all.common().memory_available > 0.0) m_prepared.release();
    std::vector<double> losses;
    for (std::size_t draw = 0; draw < m_draws.size(); ++draw) {
      const Model tested = test(run.model, draw);
      if (m_stopped && !m_state.rows.empty()) return false;
      add_losses(draw, &tested, losses);
    }
    row.seconds = watch.seconds();
    m_state.stability.push_back(run.trust.stability);
    m_state.residual = run.figures.residual_norm;
    m_state.losses.push_back(std::move(losses));
    std::tie(row.holdout_loss, row.holdout_error) = mean_with_error(m_state.losses.back());
    m_state.rows.push_back(row);
    m_state.models.push_back(numbers_of(clone_to<HostExec>(run.model)));
    m_last = run.model;
    if (m_observer.finished) {
      CpRequest request = m_all;
      set_run(request, rank, m_options.starts, m_options.time_limit);
      m_observer.finished({m_state.rows.back(), run, request, [this]() -> Checkpoint<Model> {
                             return {m_last, to_bytes(m_state)};
                           }});
    }
    return true;
  }

  /// Takes down what ended a run before its own end.
  void note_end(const CpFigures& figures) {
    const std::optional<StopReason> reason = figures.ended_by();
    if (!reason) return;
    if (!m_stopped) m_stopped = reason;
    if (reason == StopReason::observer) m_interrupted = true;
  }

  /// From all starts, of which the last goes on from the rank before, where there is one.
  Run run_all(std::size_t rank) {
    std::optional<Model> guess = guess_of(rank);
    const std::size_t random = m_options.starts - (guess ? 1 : 0);
    CpRequest request = m_all;
    request.gcp.interrupted = m_observer.interrupted;
    set_run(request, rank, random, left());
    Run run = solve(request, {}, observe(rank, 0));
    if (!guess || run.figures.ended_by()) return run;
    set_run(request, rank, 1, left());
    Beginning<Scalar, Exec> beginning;
    beginning.guess = std::move(guess);
    Run warm = solve(request, beginning, observe(rank, random));
    if (!(warm.figures.objective < run.figures.objective)) {
      append_starts(run.figures, warm.figures);
      return run;
    }
    const auto own = warm.figures.starts;
    warm.figures.starts = run.figures.starts;
    CpFigures last = warm.figures;
    last.starts = own;
    last.timings = run.figures.timings;
    append_starts(warm.figures, last);
    warm.figures.best_start = random;
    return warm;
  }

  /// A run on all entries.
  Run solve(const CpRequest& request, const Beginning<Scalar, Exec>& beginning,
            const KtensorObserver<Scalar, Exec>& observer) {
    if (request.solver() != Solver::als) {
      return solve_cp(m_exec, m_tensor, m_missing, request, beginning, observer);
    }
    return run_of<Scalar, Exec>(
        beginning.guess ? cp_als(m_exec, m_prepared, *beginning.guess, request.als, observer)
                        : cp_als(m_exec, m_prepared, request.als, observer));
  }

  KtensorObserver<Scalar, Exec> observe(std::size_t rank, std::size_t first) {
    return [this, rank, first](const KtensorIteration<Scalar, Exec>& iteration) {
      const std::size_t start = first + iteration.start;
      const KtensorIteration<Scalar, Exec> seen{start, iteration.record, iteration.ends,
                                                iteration.model, iteration.checkpoint};
      ObserverAction action = ObserverAction::proceed;
      if (m_observer.iterated) action = m_observer.iterated({rank, std::nullopt, seen});
      if (iteration.ends || action == ObserverAction::stop) m_models[start] = iteration.model();
      return action;
    };
  }

  /// Whether random components are within the bounds of factors.
  [[nodiscard]] bool may_go_on() const {
    const auto constraints = row_constraints(m_all.common(), m_tensor.order());
    return std::all_of(constraints.begin(), constraints.end(), [](const RowConstraint& each) {
      const bool usual = each.lower == 0.0 || each.lower == -RowConstraint::none;
      return usual && each.upper == RowConstraint::none;
    });
  }

  /// The best model of the rank before with random components behind its own; none at the first
  /// rank, and where factors have bounds that these need not keep.
  std::optional<Model> guess_of(std::size_t rank) const {
    if (m_last.rank() == 0 || m_last.rank() >= rank || !may_go_on()) return std::nullopt;
    // As large as can be told from nothing, and not so large as to push the others away.
    const double size = 0.1 * m_state.residual;
    return grown(m_last, rank, m_all.common().seed, size > 0.0 ? size : 1.0);
  }

  /// What `body` returns; where it lacks memory, after that of the prepared tensor is given back.
  template <class Body>
  Run beside_prepared(const Body& body) {
    try {
      return body();
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::memory || m_prepared.kept() == nullptr) throw;
    }
    m_prepared.release();
    return body();
  }

  /// The model with the least objective of a rank without the held-out entries of a draw. `whole`,
  /// that of all entries, says what can be reached there: starts are made until one has, and where
  /// none has, it is where the last one begins.
  Model test(const Model& whole, std::size_t draw) {
    Beginning<Scalar, Exec> at_whole;
    at_whole.guess = whole;
    const CpFigures told =
        beside_prepared([&] {
          return solve_cp(m_exec, m_draws[draw].counted, missing_of(draw),
                          request_at_model(m_test, {}, whole.rank(), 0.0), at_whole, {});
        }).figures;
    // As near as makes no difference, of exact data too.
    const double near = 1e-4 * std::abs(told.objective) + 1e-9 * std::pow(told.tensor_norm, 2);
    std::optional<Run> best;
    std::size_t made = 0;
    const auto add = [&](std::size_t starts, const Beginning<Scalar, Exec>& beginning) {
      Run run = run_test(whole.rank(), draw, made, starts, beginning);
      made += starts;
      if (!best || run.figures.objective < best->figures.objective) best = std::move(run);
    };
    const auto falls_short = [&] {
      return !m_stopped && !(best->figures.objective <= told.objective + near);
    };
    add(std::min<std::size_t>(m_options.starts, 3), {});
    while (made < m_options.starts && falls_short()) add(1, {});
    if (falls_short()) add(1, at_whole);
    return best->model;
  }

  [[nodiscard]] const std::optional<Tensor>& missing_of(std::size_t draw) const {
    return misses_unlisted() ? m_missing : m_draws[draw].away;
  }

  /// A run of `starts` starts, of which the first is the one of that number.
  Run run_test(std::size_t rank, std::size_t draw, std::size_t first, std::size_t starts,
               const Beginning<Scalar, Exec>& beginning) {
    CpRequest request = m_test;
    request.gcp.interrupted = m_observer.interrupted;
    set_run(request, rank, starts, left());
    CpRequest::for_each_solver(request, [&](Solver, auto& options) { options.seed += first; });
    const KtensorObserver<Scalar, Exec> observer =
        [&](const KtensorIteration<Scalar, Exec>& iteration) {
          if (!m_observer.iterated) return ObserverAction::proceed;
          const KtensorIteration<Scalar, Exec> seen{first + iteration.start, iteration.record,
                                                    iteration.ends, iteration.model,
                                                    iteration.checkpoint};
          return m_observer.iterated({rank, draw, seen});
        };
    Run run = beside_prepared([&] {
      return solve_cp(m_exec, m_draws[draw].counted, missing_of(draw), request, beginning,
                      observer);
    });
    note_end(run.figures);
    return run;
  }

  /// All but what the tests tell; sets how often starts find the components of the run.
  [[nodiscard]] RankRow row_of(std::size_t rank, Run& run) {
    RankRow row;
    row.rank = rank;
    row.objective = run.figures.objective;
    if (m_all.loss == "gaussian") row.fit = run.figures.fit;
    look_at_starts(run.figures, m_all, row);
    std::vector<double> scores, worst;
    const std::vector<bool> at_best = starts_at_best(run.figures, m_all);
    StartCounts counts(rank);
    counts.add(std::vector<double>(rank, 1.0), true);  // the best start itself
    for (std::size_t s = 0; s < run.figures.starts.size(); ++s) {
      if (s == run.figures.best_start) continue;
      if (!m_models[s]) counts.add_unknown();
      // An interruption leaves no model of starts that were live beside the one that it came to.
      const bool is_cut = run.figures.starts[s].stop_reason == StopReason::observer;
      if (is_cut && !m_models[s]) continue;
      scores.push_back(0.0);
      worst.push_back(0.0);
      if (!m_models[s]) continue;
      const ScoreResult match = score(m_exec, run.model, *m_models[s]);
      scores.back() = match.score;
      worst.back() =
          *std::min_element(match.component_scores.begin(), match.component_scores.end());
      std::vector<double> scores_of_own(rank);
      for (std::size_t r = 0; r < rank; ++r) {
        scores_of_own[match.permutation[r]] = match.component_congruences[r];
      }
      counts.add(scores_of_own, at_best[s]);
    }
    run.trust.stability = counts.stability();
    row.agreement = median(scores);
    row.worst_component = median(worst);
    const ComponentFacts components = component_facts(m_exec, run.model);
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t q = 0; q < r; ++q) {
        row.congruence = std::max(row.congruence, std::abs(components.cosine(r, q)));
      }
    }
    row.core_consistency = core_of(run.model);
    return row;
  }

  [[nodiscard]] double core_of(const Model& model) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto rank = static_cast<double>(model.rank());
    const bool whole = m_all.loss == "gaussian" && m_all.missing == MissingEntries::none;
    if (!whole || m_tensor.order() < 2 || std::pow(rank, m_tensor.order()) > most_core) return none;
    for (const std::size_t length : m_tensor.dimensions()) {
      if (length < model.rank()) return none;
    }
    try {
      if (!m_host_tensor) m_host_tensor = copy_to<HostExec>(m_tensor);
      return core_consistency(HostExec(), *m_host_tensor, create_mirror_view_and_copy(model)).value;
    } catch (const Error&) {  // of memory: it informs alone
      return none;
    }
  }

  const Exec& m_exec;
  const Tensor m_tensor;
  PreparedTensor<Scalar, Exec> m_prepared;  ///< for the runs of all ranks on all entries
  const std::optional<Tensor>& m_missing;
  const AnyLoss m_loss;
  const CpRequest m_all;
  const TrustOptions m_trust;  ///< of the suggested model
  const CpRequest m_test;
  const RankChoiceOptions& m_options;
  const RankObserver<Scalar, Exec>& m_observer;
  const Stopwatch m_watch;
  std::optional<Sptensor<Scalar, RowNumber, HostExec>> m_host_tensor;
  std::vector<SplitEntries<Scalar, RowNumber, Exec>> m_draws;
  double m_part = 0.0;
  double m_added = 0.0;        ///< to values of models that must not be negative
  std::size_t m_nonzeros = 0;  ///< among held-out entries
  RankState m_state;
  Model m_last;                                ///< the best of the last rank
  std::vector<std::optional<Model>> m_models;  ///< of the starts of the present rank
  std::optional<StopReason> m_stopped;
  bool m_interrupted = false;
};

}  // namespace detail

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
RankSearchResult<Scalar> choose_rank(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::type_identity_t<std::optional<Sptensor<Scalar, Ordinal, Exec>>>& missing,
    const CpRequest& request, const RankChoiceOptions& options,
    const std::type_identity_t<std::optional<Checkpoint<Ktensor<Scalar, Exec>>>>& resume,
    const std::type_identity_t<RankObserver<Scalar, Exec>>& observer) {
  check_ranges(options);
  check_rank_request(request);
  detail::check_ranks(options.ranks);
  std::optional<Sptensor<Scalar, RowNumber, Exec>> left_out;
  if (missing) left_out = with_row_numbers(exec, *missing, "choose_rank");
  return detail::RankSearch<Scalar, Exec>(exec, with_row_numbers(exec, tensor, "choose_rank"),
                                          left_out, request, options, observer)
      .run(resume);
}

}  // namespace genten

#define GENTEN_ETI_CHOOSE_RANK(PREFIX, SCALAR, ORDINAL, EXEC)                                  \
  PREFIX template genten::RankSearchResult<SCALAR> genten::choose_rank<SCALAR, ORDINAL, EXEC>( \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                             \
      const std::optional<genten::Sptensor<SCALAR, ORDINAL, EXEC>>&, const genten::CpRequest&, \
      const genten::RankChoiceOptions&,                                                        \
      const std::optional<genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>>&,                 \
      const genten::RankObserver<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_CHOOSE_RANK, extern)
#endif
