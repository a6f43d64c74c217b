// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "component_notes.hpp"

#include "note_text.hpp"

#include <algorithm>
#include <cmath>

namespace genten {
namespace {

constexpr double opposite = -0.85, same = 0.95;
constexpr double comparable = 0.1;   ///< a part of the other component
constexpr double least_part = 1e-3;  ///< a part of a squared norm
constexpr double seldom = 1e-3;      ///< of predictions

/// Pairs of components, by their numbers as a face counts them.
struct Pairs {
  std::size_t count = 0;
  std::vector<std::string> words = {};  ///< of the first ones

  void add(std::size_t r, std::size_t q) {
    if (++count > most_named) return;
    words.push_back(error_text::number(r) + " with " + error_text::number(q));
  }
  void add(std::size_t r, std::size_t q, double cosine) {
    add(r, q);
    if (count <= most_named) words.back() += " (" + number(cosine, "%.2f") + ")";
  }
  [[nodiscard]] std::string text() const { return listed(words, count); }
  [[nodiscard]] std::vector<std::pair<std::string, double>> numbers() const {
    return {{"pairs", static_cast<double>(count)}};
  }
};

class ComponentNotes {
 public:
  ComponentNotes(const CpFigures& figures, const OwnFigures& own, const ComponentFacts& components,
                 const RunSettings& settings)
      : m_figures(figures), m_components(components), m_settings(settings) {
    const auto& norms = m_components.norms;
    m_size = figures.tensor_norm;
    if (const auto* const gcp = std::get_if<CpGcpFigures>(&own)) m_entries = gcp->entries;
    if (const auto* const completion = std::get_if<CpCompletionFigures>(&own)) {
      m_entries = completion->entries;
      // The figures know it also where nobody has counted all entries.
      if (completion->weight_ratio > 0.0 && !norms.empty()) {
        m_size = *std::max_element(norms.begin(), norms.end()) / completion->weight_ratio;
      }
    } else if (settings.has_missing && m_entries > 0.0 && settings.entries.all > 0.0) {
      m_size *= std::sqrt(settings.entries.all / m_entries);
    }
    double square = 0.0;
    for (std::size_t r = 0; r < norms.size(); ++r) {
      for (std::size_t q = 0; q < norms.size(); ++q) {
        square += norms[r] * norms[q] * m_components.cosine(r, q);
      }
    }
    m_model = std::sqrt(std::max(square, 0.0));
  }

  std::vector<Note> all() {
    if (m_components.norms.empty()) return {};
    const bool cancelling = of_degenerate();
    if (!cancelling && !of_large()) of_predictions();
    if (!of_pairs(cancelling) && !cancelling) of_mixtures();
    of_one_entry();
    return std::move(m_notes);
  }

 private:
  using Numbers = std::vector<std::pair<std::string, double>>;

  void add(NoteCode code, std::string text, Numbers numbers) {
    m_notes.push_back({code, std::move(text), std::move(numbers)});
  }

  /// Whether a component is much larger than the data since others cancel it.
  [[nodiscard]] bool is_degenerate(std::size_t r) const {
    const auto& norms = m_components.norms;
    if (!(norms[r] > times_the_data * m_size)) return false;
    if (!m_settings.has_missing && !(norms[r] > times_the_data * m_model)) return false;
    for (std::size_t q = 0; q < norms.size(); ++q) {
      if (m_components.cosine(r, q) < 0.0 && norms[q] > comparable * norms[r]) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_fixed(std::size_t n) const {
    const auto& fixed = m_settings.fixed_modes;
    return std::find(fixed.begin(), fixed.end(), static_cast<int>(n)) != fixed.end();
  }

  /// Whether factors that may be negative need not be.
  [[nodiscard]] bool may_be_nonnegative() const {
    bool is_free = false;
    for (std::size_t n = 0; n < m_settings.constraints.size(); ++n) {
      is_free = is_free || (!is_fixed(n) && m_settings.constraints[n].lower < 0.0);
    }
    const auto& values = m_settings.entries.values;
    return m_settings.least_squares && values && values->lowest >= 0.0 && is_free;
  }

  /// What keeps components from cancelling.
  [[nodiscard]] std::string remedy() const {
    return may_be_nonnegative()
               ? "nonnegative factors cannot cancel, and the data have no negative "
                 "value; or try a ridge, a lower rank or other starts"
               : "try a ridge, a lower rank or other starts";
  }

  bool of_degenerate() {
    if (!m_settings.least_squares || !(m_size > 0.0)) return false;
    std::size_t heavy = 0;
    double largest = 0.0;
    for (std::size_t r = 0; r < m_components.norms.size(); ++r) {
      if (!is_degenerate(r)) continue;
      ++heavy;
      largest = std::max(largest, m_components.norms[r]);
    }
    if (heavy == 0) return false;
    const double ratio = largest / m_size;
    add(NoteCode::degenerate,
        count_of(heavy, "component") + (heavy == 1 ? " is" : " are") + " up to " + number(ratio) +
            " times as large as the data and cancel" + (heavy == 1 ? "s" : "") + " against others" +
            (m_settings.has_missing ? ", and mean" + std::string(heavy == 1 ? "s" : "") +
                                          " nothing where entries are missing"
                                    : "") +
            ": such a model is degenerate, and its components cannot be read; " + remedy(),
        {{"components", static_cast<double>(heavy)}, {"ratio", ratio}});
    return true;
  }

  /// Whether the model is comparable with the data, and entries are missing.
  [[nodiscard]] bool predicts() const {
    return m_settings.has_missing && m_settings.models_means && m_size > 0.0 && m_entries > 0.0;
  }

  /// Of components that nothing cancels, in the model of one component alone, too.
  bool of_large() {
    if (!predicts()) return false;
    const auto& norms = m_components.norms;
    const auto heavy = static_cast<std::size_t>(std::count_if(
        norms.begin(), norms.end(), [&](double norm) { return norm > times_the_data * m_size; }));
    if (heavy == 0) return false;
    const double ratio = *std::max_element(norms.begin(), norms.end()) / m_size;
    add(NoteCode::degenerate,
        count_of(heavy, "component") + (heavy == 1 ? " is" : " are") + " up to " + number(ratio) +
            error_text::with_options(
                " times as large as the data would be if missing entries were as large as the "
                "others: predictions of these may be far beyond any value; try {ridge}, a lower "
                "{rank} or other starts"),
        {{"components", static_cast<double>(heavy)}, {"ratio", ratio}});
    return true;
  }

  /// At entries that count the model is no larger than data and residuals together: what it has
  /// more lies at missing ones.
  void of_predictions() {
    if (!predicts()) return;
    const double missing = m_settings.entries.all - m_entries, data = m_figures.tensor_norm;
    const double known = data + m_figures.residual_norm;
    const double square = m_model * m_model - known * known;
    const bool is_seen = missing > 0.0 && square > least_part * known * known;
    const double ratio =
        is_seen ? std::sqrt(square / missing) / (data / std::sqrt(m_entries)) : 0.0;
    const bool are_large = ratio > times_the_data && std::isfinite(ratio);
    if (!are_large && m_settings.far_predictions < seldom) return;
    add(NoteCode::far_predictions,
        (are_large ? "predictions of missing entries are " + number(ratio) +
                         " times as large as the others, or more, in the root mean square"
                   : "at " + number(100.0 * m_settings.far_predictions) +
                         " % of all entries the model is more than " + number(times_the_data) +
                         " times as large as any value") +
            error_text::with_options(": such predictions are no estimates; try a larger {ridge}, a "
                                     "lower {rank} or other starts"),
        {{"ratio", ratio}, {"part", m_settings.far_predictions}});
  }

  /// Components that cancel, unless that was told already, and those that are alike. Whether any
  /// cancel.
  bool of_pairs(bool told_already) {
    Pairs cancelling, alike;
    const std::size_t rank = m_components.norms.size();
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t q = r + 1; q < rank; ++q) {
        const double cosine = m_components.cosine(r, q);
        if (cosine <= opposite) cancelling.add(r, q, cosine);
        if (cosine >= same) alike.add(r, q, cosine);
      }
    }
    if (cancelling.count > 0 && !told_already) {
      add(NoteCode::cancelling,
          "components cancel each other" + error_text::counted() + ": " + cancelling.text() +
              ": neither of such a pair can be read by itself; " + remedy(),
          cancelling.numbers());
    }
    if (alike.count > 0) {
      add(NoteCode::collinear,
          "components are nearly the same" + error_text::counted() + ": " + alike.text() +
              ": they share one pattern among them; read them together, or try a lower rank",
          alike.numbers());
    }
    return cancelling.count > 0;
  }

  /// The numbers that a model is free to choose.
  [[nodiscard]] double parameters() const {
    double of_component = 1.0;
    for (const auto& mode : m_components.modes) {
      of_component += static_cast<double>(mode.length) - 1.0;
    }
    return of_component * static_cast<double>(m_components.norms.size());
  }

  /// Whether the columns of a mode are one but for what noise makes of them: the least that one in
  /// the place of both adds to the sum of squares is 2 (1 - cosine) / (1 / norm^2 + 1 / norm^2),
  /// and noise alone makes that the variance of an entry for each row in the mean.
  [[nodiscard]] bool share_column(std::size_t n, std::size_t r, std::size_t q) const {
    constexpr double chance = 3.0, least = 0.8;
    const auto& mode = m_components.modes[n];
    const double cosine = std::abs(mode.cosines[r * m_components.norms.size() + q]);
    const double all = m_settings.entries.all, entries = m_entries > 0.0 ? m_entries : all;
    const double known = all > entries ? entries / all : 1.0;
    const double noise = std::pow(m_figures.residual_norm, 2) / (entries - parameters());
    const double added =
        2.0 * (1.0 - cosine) /
        (std::pow(m_components.norms[r], -2) + std::pow(m_components.norms[q], -2));
    return cosine >= least && known * added <= chance * noise * static_cast<double>(mode.length);
  }

  /// Whether two starts have come to the same: what a worse model lacks would be taken for noise.
  [[nodiscard]] bool is_found_again() const {
    constexpr double near = 1e-3;
    const auto& starts = m_figures.starts;
    return std::count_if(starts.begin(), starts.end(), [&](const StartRecord& start) {
             return start.objective - m_figures.objective <= near * std::abs(m_figures.objective);
           }) > 1;
  }

  /// Pairs of components that other pairs, or one component, would do for.
  void of_mixtures() {
    const std::size_t order = m_components.modes.size(), rank = m_components.norms.size();
    // Before a run has come to its end, columns are what the guess had in common; of few entries
    // the residuals do not tell how large noise is.
    const bool has_ended = m_figures.stop_reason == StopReason::converged ||
                           m_figures.stop_reason == StopReason::stalled;
    const double entries = m_entries > 0.0 ? m_entries : m_settings.entries.all;
    const bool tells_noise = entries > 2.0 * parameters();
    if (!m_settings.least_squares || order < 3 || !has_ended || !tells_noise) return;
    if (!is_found_again()) return;
    const auto is_free = [&](std::size_t n) {
      return m_settings.constraints[n].lower == -RowConstraint::none && !is_fixed(n);
    };
    Pairs mixed, split;
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t q = r + 1; q < rank; ++q) {
        std::size_t apart = 0, free = 0;
        for (std::size_t n = 0; n < order; ++n) {
          if (share_column(n, r, q)) continue;
          ++apart;
          free += is_free(n) ? 1 : 0;
        }
        if (apart == 1) split.add(r, q);
        if (apart == 2 && free == 2) mixed.add(r, q);
      }
    }
    if (mixed.count > 0) {
      add(NoteCode::mixtures,
          "components have the same column in all modes but two, but for noise" +
              error_text::counted() + ": " + mixed.text() +
              ": mixtures of such a pair fit as well, whatever starts and refits agree on; read "
              "them together" +
              (may_be_nonnegative() ? ", or let factors be nonnegative, which tells many apart"
                                    : ""),
          mixed.numbers());
    }
    if (split.count > 0) {
      add(NoteCode::split_components,
          "components differ in one mode alone, but for noise" + error_text::counted() + ": " +
              split.text() + ": one component would do for such a pair; try a lower rank",
          split.numbers());
    }
  }

  /// Components that are an entry each: of small tensors these are no news.
  void of_one_entry() {
    constexpr double most = 0.9, small = 100.0;
    double entries = 1.0;
    for (const auto& mode : m_components.modes) entries *= static_cast<double>(mode.length);
    if (entries < small) return;
    std::vector<std::string> alone;
    for (std::size_t r = 0; r < m_components.norms.size(); ++r) {
      const bool is_one = std::all_of(
          m_components.modes.begin(), m_components.modes.end(),
          [&](const auto& mode) { return !mode.peaks.empty() && mode.peaks[r] >= most; });
      if (is_one) alone.push_back(error_text::number(r));
    }
    // Of many more components than the data have, most are what is left here and there.
    if (alone.empty() || 2 * alone.size() > m_components.norms.size()) return;
    const auto count = static_cast<double>(alone.size());
    add(NoteCode::one_entry,
        "of " + count_of(m_components.norms.size(), "component") + ", " + listed(alone) +
            error_text::counted() +
            (alone.size() == 1 ? " is one entry of the tensor and little else: its value may be a "
                                 "slip, or is what no pattern explains"
                               : " are one entry of the tensor each and little else: their values "
                                 "may be slips, or are what no pattern explains"),
        {{"components", count}});
  }

  const CpFigures& m_figures;
  const ComponentFacts& m_components;
  const RunSettings& m_settings;
  double m_entries = 0.0;  ///< that count; 0: not known
  double m_size = 0.0;     ///< the norm of the data, were missing entries as large as the others
  double m_model = 0.0;    ///< that of the model, by its components and the cosines between them
  std::vector<Note> m_notes;
};

}  // namespace

std::vector<Note> component_notes(const CpFigures& figures, const OwnFigures& own,
                                  const ComponentFacts& components, const RunSettings& settings) {
  return ComponentNotes(figures, own, components, settings).all();
}

}  // namespace genten
