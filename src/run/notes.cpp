// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "component_notes.hpp"
#include "entry_notes.hpp"
#include "note_text.hpp"

#include <genten/base/memory.hpp>
#include <genten/base/option_field.hpp>
#include <genten/run/notes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace genten {
namespace {

constexpr double hardly_anything = 1e-3;  ///< a fit
constexpr double tiny = 1e-6;             ///< a part of the largest component
constexpr double told_rounding = 1e-6;    ///< a part of the objective

/// Why components are zero with a ridge that the run has chosen, and what there is instead.
std::string below_ridge(const OwnFigures& own, const RunSettings& settings, bool one) {
  const auto* const completion = std::get_if<CpCompletionFigures>(&own);
  if (completion == nullptr || !settings.fits_ridge || completion->ridge.empty()) return "";
  const double ridge = completion->ridge.front();
  if (!(ridge > 0.0)) return "";
  return ", since with the ridge that the run has chosen, " + number(ridge) +
         (one ? ", it explains less than it costs" : ", they explain less than they cost") +
         error_text::with_options(": a lower {rank} does without, a smaller {ridge}, as ") +
         number(ridge / 10.0) + ", may show what there is";
}

/// The notes of one run.
class Notes {
 public:
  Notes(const CpFigures& figures, const OwnFigures& own, const ComponentFacts& components,
        const RunSettings& settings)
      : m_figures(figures), m_own(own), m_components(components), m_settings(settings) {}

  std::vector<Note> all() {
    of_end();
    of_fit();
    if (const auto* const gcp = own<CpGcpFigures>()) {
      add_doubts(gcp->warnings, gcp->zeros == ZeroSums::closed_form);
    }
    if (const auto* const apr = own<CpAprFigures>()) {
      add_doubts(apr->warnings, true);
      if (apr->lifted_zeros != 0) add_lifted_zeros(apr->lifted_zeros);
    }
    of_components();
    of_systems();
    of_starts();
    of_kernels();
    for (Note& note : entry_notes(m_figures, m_own, m_settings)) m_notes.push_back(std::move(note));
    return std::move(m_notes);
  }

 private:
  using Numbers = std::vector<std::pair<std::string, double>>;

  void add(NoteCode code, std::string text, Numbers numbers = {}) {
    m_notes.push_back({code, std::move(text), std::move(numbers)});
  }
  template <class Own>
  [[nodiscard]] const Own* own() const {
    return std::get_if<Own>(&m_own);
  }

  /// `is_difference`: the sum over zeros is that over all entries less that over the listed ones.
  void add_doubts(const std::vector<GcpWarning>& warnings, bool is_difference) {
    for (const GcpWarning& warning : warnings) {
      m_notes.push_back(note_of(warning));
      const double rounding = warning.number * std::numeric_limits<double>::epsilon();
      if (!is_difference || warning.doubt != GcpDoubt::large_elements ||
          rounding <= told_rounding * std::abs(m_figures.objective)) {
        continue;
      }
      add(NoteCode::no_minimum,
          "the objective may be off by about " + number(rounding, "%.2g") +
              " or more: sums over zeros are differences of sums whose terms are as large as " +
              number(warning.number, "%.3g") + "; a ridge or an upper bound keeps these smaller",
          {{"rounding", rounding}});
    }
  }

  void add_lifted_zeros(std::size_t zeros) {
    add(NoteCode::lifted_zeros,
        "the initial guess was 0 where the tensor is not: before the run " +
            count_of(zeros, "zero") + " of its factors " + (zeros == 1 ? "was" : "were") +
            error_text::with_options(" raised by {kappa}"),
        {{"zeros", static_cast<double>(zeros)}});
  }

  void of_end() {
    const auto iterations = static_cast<double>(m_figures.iterations);
    if (m_figures.stop_reason == StopReason::non_finite) {
      add(NoteCode::non_finite,
          "iteration " + std::to_string(m_figures.iterations + 1) +
              " left the range of finite numbers and was undone",
          {{"iterations", iterations}});
    }
    of_ended_starts();
    const std::size_t begun = m_figures.starts.size();
    const std::optional<StopReason> cut = begun == 0 ? m_figures.stop_reason : m_figures.ended_by();
    const bool stopped = cut == StopReason::observer;
    if ((stopped || cut == StopReason::time_limit) && m_settings.starts > 1) {
      m_is_cut_short = true;
      add_stopped_in_start();
      return;
    }
    if (stopped && !m_settings.by_callback) {
      add(NoteCode::interrupted,
          "the run was interrupted: the model is that of the last finished iteration");
    }
    if (stopped) return;
    if (m_figures.stop_reason == StopReason::stalled) {
      const auto* const gcp = own<CpGcpFigures>();
      const std::size_t failed = gcp == nullptr ? 0 : gcp->failed_epochs;
      add(NoteCode::stalled,
          (failed == 0 ? "no step lowers the objective any more"
                       : count_of(failed, "epoch") + " did not lower the objective") +
              std::string(", and the tolerance is not met"));
    }
    if (m_settings.tolerance > 0.0) of_limits();
    if (m_settings.is_interrupted && !m_settings.by_callback) {
      add(NoteCode::late_signal,
          "a signal came after the last iteration: the run had ended by itself");
    }
  }

  void add_stopped_in_start() {
    const std::size_t begun = m_figures.starts.size();
    std::vector<std::string> unfinished, later;
    std::size_t last = 0;
    bool best_is_one = false;
    for (std::size_t s = 0; s < begun; ++s) {
      const StopReason reason = m_figures.starts[s].stop_reason;
      if (reason != StopReason::observer && reason != StopReason::time_limit) continue;
      last = s + 1;
      unfinished.push_back(std::to_string(last));
      best_is_one = best_is_one || s == m_figures.best_start;
    }
    for (std::size_t s = begun; s < m_settings.starts; ++s) later.push_back(std::to_string(s + 1));
    const auto starts = [](const std::vector<std::string>& numbers) {
      return (numbers.size() == 1 ? "start " : "starts ") + listed(numbers);
    };
    const std::string rest =
        later.empty()
            ? ""
            : ", and " + starts(later) + (later.size() == 1 ? " was" : " were") + " not begun";
    add(NoteCode::stopped_in_start,
        "the run was stopped in start " + std::to_string(last) + " of " +
            std::to_string(m_settings.starts) + ": the model is that of start " +
            std::to_string(m_figures.best_start + 1) + (best_is_one ? ", as far as it came" : "") +
            "; " + starts(unfinished) + " did not finish" + rest,
        {{"start", static_cast<double>(last)}, {"starts", static_cast<double>(m_settings.starts)}});
  }

  /// Of a run that was to converge.
  void of_limits() {
    const std::string before = " was reached before the run converged to the tolerance, " +
                               number(m_settings.tolerance, "%g");
    if (m_figures.stop_reason == StopReason::iteration_limit && m_settings.max_iterations > 0 &&
        m_settings.max_iterations <= m_figures.iterations) {
      const std::string limit = "the iteration limit, " + std::to_string(m_settings.max_iterations);
      const bool none_left = m_settings.max_iterations < m_figures.iterations;  // of a resumed run
      add(NoteCode::iteration_limit,
          none_left ? limit + ", is below the " + std::to_string(m_figures.iterations) +
                          " iterations that were done before the run was resumed: none was left"
                    : limit + "," + before,
          {{"limit", static_cast<double>(m_settings.max_iterations)}});
    }
    if (m_figures.stop_reason == StopReason::time_limit) {
      add(NoteCode::time_limit,
          "the time limit, " + number(m_settings.time_limit, "%g") + " s," + before,
          {{"limit", m_settings.time_limit}});
    }
  }

  /// Starts that a lower iteration limit had ended before the run was resumed.
  void of_ended_starts() {
    const auto ended = static_cast<std::size_t>(
        std::count_if(m_figures.starts.begin(), m_figures.starts.end(), [&](const auto& start) {
          return start.stop_reason == StopReason::iteration_limit && start.iterations > 0 &&
                 start.iterations < m_settings.max_iterations;
        }));
    if (ended == 0) return;
    add(NoteCode::ended_starts,
        count_of(ended, "start") + (ended == 1 ? " stays as it was" : " stay as they were") +
            " when a lower iteration limit ended " + (ended == 1 ? "it" : "them") +
            ": a resumed run goes on with the start in hand and those that follow",
        {{"starts", static_cast<double>(ended)}});
  }

  /// What may keep factors from where the data would have them.
  [[nodiscard]] std::vector<std::string> constraints() const {
    bool nonnegative = false, lower = false, upper = false, ridge = false, l1 = false;
    for (const RowConstraint& each : m_settings.constraints) {
      nonnegative = nonnegative || each.lower == 0.0;
      lower = lower || (each.lower != 0.0 && each.lower > -RowConstraint::none);
      upper = upper || each.upper < RowConstraint::none;
      ridge = ridge || each.ridge > 0.0;
      l1 = l1 || each.l1 > 0.0;
    }
    std::vector<std::string> names;
    if (nonnegative) names.emplace_back("nonnegative factors");
    if (lower) names.emplace_back("lower bounds");
    if (upper) names.emplace_back("upper bounds");
    if (ridge) names.emplace_back("a ridge");
    if (l1) names.emplace_back("an l1 penalty");
    return names;
  }

  void of_fit() {
    const double fit = m_figures.fit;
    const auto kept_by = constraints();
    const bool useless = fit <= 0.0 || (!kept_by.empty() && fit < hardly_anything);
    // Under other losses the fit is another question.
    if (m_settings.least_squares && useless && m_figures.tensor_norm != 0.0) {
      std::string text = "a fit of " + number(fit) +
                         (fit <= 0.0 ? " is no better than that of a model of zeros"
                                     : " explains hardly anything");
      if (!kept_by.empty()) {
        text += ": " + listed(kept_by) + " may keep the factors from where the data are";
      }
      add(NoteCode::useless_fit, std::move(text), {{"fit", fit}});
    }
    of_bounds();
    if (!m_figures.residual_is_certain()) {
      add(NoteCode::residual_uncertain,
          "rounding hides residuals of up to " + number(m_figures.residual_error, "%.2g"),
          {{"residual_error", m_figures.residual_error}});
    }
    if (own<CpGcpFigures>() == nullptr && (m_settings.has_missing || !kept_by.empty()) &&
        std::isinf(m_figures.objective)) {
      add(NoteCode::objective_overflow,
          "the objective is beyond the range of numbers: residuals alone say when the run is done, "
          "and of several starts the first is taken");
    }
    if (own<CpGcpFigures>() != nullptr && std::isinf(m_figures.objective)) {
      add(NoteCode::objective_overflow,
          "the objective is beyond the range of numbers: gradients alone say when the run is done, "
          "and of several starts the one with the best fit is taken");
    }
    if (m_figures.tolerance_above_fit) {
      add(NoteCode::tolerance_above_fit,
          "the tolerance, " + number(m_settings.tolerance, "%g") +
              ", is above the fit itself: a smaller one may find more",
          {{"tolerance", m_settings.tolerance}, {"fit", fit}});
    }
  }

  void of_bounds() {
    if (!m_settings.entries.values || !m_settings.least_squares) return;
    const ValueRange of_model = values_within(m_settings.constraints, m_settings.rank);
    const ValueRange& of_data = *m_settings.entries.values;
    if (of_model.lowest <= of_data.highest && of_model.highest >= of_data.lowest) return;
    add(NoteCode::bounds_exclude_data,
        "the bounds keep every value of the model between " + number(of_model.lowest, "%g") +
            " and " + number(of_model.highest, "%g") +
            ", and those of the tensor's nonzeros lie between " + number(of_data.lowest, "%g") +
            " and " + number(of_data.highest, "%g"),
        {{"model_lowest", of_model.lowest},
         {"model_highest", of_model.highest},
         {"data_lowest", of_data.lowest},
         {"data_highest", of_data.highest}});
  }

  void of_components() {
    const auto& norms = m_components.norms;
    for (Note& note : component_notes(m_figures, m_own, m_components, m_settings)) {
      m_notes.push_back(std::move(note));
    }
    of_two_modes();
    if (const std::size_t zeros = m_figures.zero_components; zeros != 0) {
      add(NoteCode::zero_components,
          count_of(zeros, "component") + (zeros == 1 ? " is zero" : " are zero") +
              below_ridge(m_own, m_settings, zeros == 1),
          {{"components", static_cast<double>(zeros)}});
    }
    if (norms.empty()) return;
    const double limit = tiny * *std::max_element(norms.begin(), norms.end());
    if (!std::isfinite(limit)) return;
    const auto little = static_cast<std::size_t>(
        std::count_if(norms.begin(), norms.end(), [&](double norm) { return norm <= limit; }));
    if (little <= m_figures.zero_components) return;
    const std::size_t small = little - m_figures.zero_components;
    add(NoteCode::tiny_components,
        count_of(small, "component") + (small == 1 ? " is" : " are") +
            " less than a millionth of the largest: the rank may be higher than the data support",
        {{"components", static_cast<double>(small)}});
  }

  /// Of a matrix: A B' is (A M) (B inv(M)')' for any regular M, at the same ridge if orthogonal.
  void of_two_modes() {
    if (!m_settings.fixed_modes.empty()) return;
    const auto by = constraints();
    const bool is_free = by.empty() || (by.size() == 1 && by[0] == "a ridge");
    if (m_settings.constraints.size() != 2 || m_settings.rank < 2 || !is_free) return;
    add(NoteCode::two_modes,
        "two modes do not determine components: mixtures of these fit as well, and the start "
        "decides which come out; nonnegative factors leave less room, a third mode seldom any");
  }

  /// Of tensors of some size, since of small ones everybody sees it.
  void of_numbers() {
    constexpr double fewest = 100.0;
    const EntryFacts& facts = m_settings.entries;
    const double numbers = static_cast<double>(m_settings.rank) * facts.free_rows;
    const double entries = m_settings.unlisted_are_missing ? facts.listed : facts.all;
    if (!m_settings.fixed_modes.empty() || entries < fewest || numbers < entries) return;
    add(NoteCode::rank_deficient,
        "the model has " + number(numbers, "%.15g") + " free numbers for " +
            number(entries, "%.15g") +
            " entries: so many components fit any data; try a lower rank",
        {{"numbers", numbers}, {"entries", entries}});
  }

  void of_systems() {
    const std::size_t solves = m_figures.rank_deficient_solves;
    if (solves != 0 && m_figures.tensor_norm > 0.0) {
      add(NoteCode::rank_deficient,
          count_of(solves, "solve") + " with a rank-deficient matrix: " +
              (m_settings.has_missing ? "entries do not determine all rows; try a ridge or a lower "
                                        "rank"
                                      : "components are redundant; try a lower rank"),
          {{"solves", static_cast<double>(solves)}});
    } else {
      of_numbers();
    }
    offset_t rows = 0;
    if (const auto* completion = own<CpCompletionFigures>()) rows = completion->empty_rows;
    if (const auto* gcp = own<CpGcpFigures>()) rows = gcp->empty_rows;
    if (rows == 0) return;
    add(NoteCode::empty_rows,
        count_of(static_cast<std::size_t>(rows), "row") + (rows == 1 ? " is zero" : " are zero") +
            (m_settings.unlisted_are_missing ? ", of which no entry counts"
                                             : ", of which no nonzero counts"),
        {{"rows", static_cast<double>(rows)}});
  }

  /// By what starts are compared: of each start, and how far from the best one another may be and
  /// still count as equal.
  struct Measure {
    double StartRecord::*figure;
    const char* name;
    const char* format;
    bool most;
    double near;
  };
  [[nodiscard]] Measure measure() const {
    if (const auto* completion = own<CpCompletionFigures>();
        completion != nullptr && completion->holdout.entries != 0) {
      return {&StartRecord::holdout_rmse, "held-out RMSE", "%.7g", false,
              0.01 * completion->holdout.rmse};
    }
    if (const auto* apr = own<CpAprFigures>()) {  // the objective may be near 0
      return {&StartRecord::objective, "objective", "%.7g", false, 1e-3 * apr->deviance};
    }
    if (const auto* gcp = own<CpGcpFigures>(); gcp != nullptr && gcp->holdout.entries != 0) {
      return {&StartRecord::holdout_loss, "held-out loss", "%.7g", false, gcp->holdout_loss_error};
    }
    if (!m_settings.least_squares) {
      return {&StartRecord::objective, "objective", "%.7g", false,
              1e-4 * std::abs(m_figures.objective)};
    }
    const double norm = m_figures.tensor_norm, residual = m_figures.residual_norm;
    if (m_settings.has_missing || !constraints().empty()) {
      // By so much a change of the fit by a thousandth would change it.
      return {&StartRecord::objective, "objective", "%.7g", false,
              1e-3 * norm * std::max(residual, 1e-3 * norm)};
    }
    return {&StartRecord::fit, "fit", "%.6f", true, 10.0 * std::max(m_settings.tolerance, 1e-6)};
  }

  void of_starts() {
    const Measure by = measure();
    std::vector<double> reached;
    for (const StartRecord& start : m_figures.starts) {
      const double value = by.most ? -(start.*by.figure) : start.*by.figure;
      if (std::isfinite(value)) reached.push_back(value);
    }
    if (reached.size() < 2 || m_is_cut_short) return;
    std::sort(reached.begin(), reached.end());
    if (!(reached[1] - reached[0] > by.near)) return;
    const double sign = by.most ? -1.0 : 1.0;
    add(NoteCode::starts_disagree,
        "only one of " + std::to_string(reached.size()) + " starts reached the " +
            (by.most ? "best " : "least ") + by.name + ", " + number(sign * reached[0], by.format) +
            "; the next one ended at " + number(sign * reached[1], by.format) +
            ": more starts may find better models",
        {{"best", sign * reached[0]}, {"next", sign * reached[1]}});
  }

  void of_kernels() {
    const auto* const als = own<CpAlsFigures>();
    if (als == nullptr || als->kernel_choice.refused().empty()) return;
    std::vector<std::string> reasons;
    for (const KernelCandidate& one : als->kernel_choice.refused()) {
      reasons.push_back(to_string(one.refusal) == "memory"
                            ? one.name + " needs " + format_bytes(one.memory)
                            : one.name + " does not take this tensor");
    }
    add(NoteCode::refused_kernels,
        "kernel " + als->kernel_choice.name + " where others would be faster: " + listed(reasons) +
            "; allowed are " + format_bytes(als->kernel_choice.allowed),
        {{"allowed_bytes", als->kernel_choice.allowed}});
  }

  const CpFigures& m_figures;
  const OwnFigures& m_own;
  const ComponentFacts& m_components;
  const RunSettings& m_settings;
  std::vector<Note> m_notes;
  bool m_is_cut_short = false;  ///< not all starts were finished
};

}  // namespace

std::vector<Note> notes_of(const CpFigures& figures, const OwnFigures& own,
                           const ComponentFacts& components, const RunSettings& settings) {
  return Notes(figures, own, components, settings).all();
}

}  // namespace genten
