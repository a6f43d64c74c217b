// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAprStarts: CP-APR from one or several initial guesses, of which the best is kept.

#include <genten/cp/detail/apr/cp_apr_step.hpp>

#include <memory>
#include <optional>

namespace genten::detail {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class CpAprStarts {
 public:
  using Model = Ktensor<Scalar, Exec>;
  using Problem = CpAprProblem<Scalar, Ordinal, Exec>;

  /// `tensor` is the one that the problem was made from.
  CpAprStarts(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, Problem& problem,
              const CpAprOptions& options, const Observer<Model>& observer)
      : m_exec(exec),
        m_tensor(tensor),
        m_problem(problem),
        m_options(options),
        m_observer(observer) {}

  /// Iterates from the guess or, without one, from as many random ones as the options say. `watch`
  /// has run since the call began.
  void run(const Model* guess, PhaseTimings& timings, const Stopwatch& watch) {
    run_from(0, timings, watch, [&](Step& step, RunState& state) {
      if (guess != nullptr) {
        step.start_from(*guess);
      } else {
        step.start_random(m_options.seed + state.start);
      }
    });
  }

  /// The same from where a checkpoint stands, whose model is `model`.
  void resume(CpAprState<Scalar> state, const Model& model, PhaseTimings& timings,
              const Stopwatch& watch) {
    const std::size_t first = state.run.start;
    m_mark = std::move(state.tensor);
    m_records = std::move(state.starts);
    if (state.best) {
      const auto& packed = state.best->model;
      m_best = Done{std::move(state.best->run), state.best->reached,
                    packed.empty() ? clone(m_exec, model)
                                   : unpacked_model(m_exec, packed, m_problem.tensor.dimensions(),
                                                    m_options.rank)};
    }
    run_from(first, timings, watch, [&](Step& step, RunState& run) {
      if (run.start != first) {
        step.start_random(m_options.seed + run.start);
        return;
      }
      run.history = std::move(state.run.history);
      step.start_at(std::move(state.step), run.history.size());
    });
  }

  /// All but what concerns the whole call. The best start's model is used up.
  [[nodiscard]] CpAprResult<Scalar, Exec> take_result() {
    CpAprResult<Scalar, Exec> result;
    const SweepOutcome& outcome = m_best->reached.outcome;
    result.model = m_best->model;
    result.stop_reason = m_best->reached.stop_reason;
    result.history = std::move(m_best->run.history);
    result.iterations = result.history.size();
    result.fit = outcome.fit;
    result.residual_norm = outcome.residual_norm;
    result.objective = outcome.objective;
    result.kkt_violation = outcome.kkt_violation;
    result.tensor_norm = std::ldexp(m_problem.norm, m_problem.exponent);
    result.residual_error =
        16.0 * std::sqrt(std::numeric_limits<double>::epsilon()) * result.tensor_norm;
    result.deviance = m_best->reached.deviance;
    result.inner_iterations = m_best->reached.inner_iterations;
    result.starts = m_records;
    result.best_start = m_best->run.start;
    result.steps = m_problem.newton ? CountSteps::newton : CountSteps::multiplicative;
    result.kernel = m_problem.newton ? "row systems" : m_problem.plan->kernel();
    return result;
  }

 private:
  using Step = CpAprStep<Scalar, Ordinal, Exec>;
  /// A start that has come to its end.
  struct Done {
    RunState run;
    AprReached reached;
    Model model;
  };

  template <class Begin>
  void run_from(std::size_t first, PhaseTimings& timings, const Stopwatch& watch,
                const Begin& begin) {
    for (std::size_t start = first; start < m_options.starts; ++start) {
      RunState state{.start = start};
      auto step = timings.time(m_exec, "setup", [&] {
        auto made = std::make_unique<Step>(m_exec, m_problem, m_options);
        begin(*made, state);
        return made;
      });
      // A time limit is that of the call: what was spent before a checkpoint does not count.
      state.seconds_before = watch.seconds() - state.seconds();
      const StopReason reason =
          iterate(*step, state, criteria(), timings, observer_of(*step, state));
      const AprReached reached{reason, step->reached(state), step->deviance(),
                               step->inner_iterations()};
      m_records.push_back({m_options.seed + start, reached.outcome.fit, reached.outcome.objective,
                           state.history.size(), reason});
      timings.time(m_exec, "release", [&] {
        // Nothing is better than what is not a number.
        if (!m_best || reached.outcome.objective < m_best->reached.outcome.objective) {
          m_best = Done{std::move(state), reached, step->take_model()};
        }
        step.reset();
      });
      // What ends a run from outside ends the whole search.
      if (reason == StopReason::observer || reason == StopReason::time_limit) break;
    }
  }

  [[nodiscard]] auto criteria() const {
    return first_of(NonFinite{}, KktViolation{m_options.tolerance}, TimeLimit{m_options.time_limit},
                    IterationLimit{m_options.max_iterations});
  }

  /// The caller's observer, which sees checkpoints too.
  [[nodiscard]] Observer<Model> observer_of(const Step& step, const RunState& state) {
    if (!m_observer) return {};
    return [this, &step, &state](const Iteration<Model>& seen) {
      Iteration<Model> iteration = seen;
      iteration.checkpoint = [this, &step, &state] { return make_checkpoint(step, state); };
      return m_observer(iteration);
    };
  }
  [[nodiscard]] Checkpoint<Model> make_checkpoint(const Step& step, const RunState& run) {
    if (!m_mark) m_mark = TensorMark::of(m_exec, m_tensor);
    CpAprState<Scalar> state{.options = m_options,
                             .kernel = m_problem.plan ? std::string(m_problem.plan->kernel()) : "",
                             .tensor = *m_mark,
                             .starts = m_records,
                             .best = {},
                             .run = run,
                             .step = step.save()};
    const bool best_is_done = m_best && m_best->reached.outcome.objective <= run.objective();
    if (m_best) {
      state.best = AprDoneState<Scalar>{m_best->run, m_best->reached, {}};
      if (!best_is_done) state.best->model = packed_model(m_exec, m_best->model);
    }
    ByteWriter write;
    write(state);
    return {best_is_done ? clone(m_exec, m_best->model) : step.model(), write.take()};
  }

  Exec m_exec;
  const Sptensor<Scalar, Ordinal, Exec>& m_tensor;
  Problem& m_problem;
  const CpAprOptions& m_options;
  const Observer<Model>& m_observer;
  std::optional<Done> m_best;
  std::vector<StartRecord> m_records;  ///< of the starts that are done
  std::optional<TensorMark> m_mark;    ///< found when it is first wanted
};

}  // namespace genten::detail
