// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the tool and the Python package make of an evaluation: errors of expected values, why
/// numbers are infinite or unknown, and what helps.

#include "tools/text.hpp"

#include <genten/base/error.hpp>
#include <genten/cp/evaluate.hpp>
#include <genten/cp/evaluate_loss.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace genten::tools {

/// Puts residuals and fit of expected values in the place of those of a model under a loss of which
/// it is no mean.
inline void take_expected_values(Evaluation& found, const LossEvaluation& under,
                                 const AnyLoss& loss) {
  if (models_means(loss)) return;
  const auto take = [](EntryErrors& errors, const LossErrors& of) {
    errors.residual_norm = of.entries > 0.0 ? of.rmse * std::sqrt(of.entries) : 0.0;
  };
  take(found.listed, under.listed);
  take(found.all, under.all);
  if (!std::isnan(found.fit)) found.fit = 1.0 - found.all.residual_norm / found.tensor_norm;
}

/// What is the matter where the model is 0 at an entry that is not, and what helps.
inline std::string impossible_entries() {
  return "the model is 0 at listed entries that are not, so that their likelihood is 0 and its "
         "logarithm -inf: RMSE and MAE compare such models, and a run with a lower bound, such as "
         "1e-6, makes one without zeros, of which weights are 1; " +
         error_text::remedy("choose_rank") +
         ", which adds a hundredth of the mean to all models, compares ranks";
}

/// Where the model is farther from zero at entries that the tensor does not list than a model of
/// the tensor is, as beside a random part of the data: what the fit is then, with a reference to
/// the option that leaves these entries out; "" elsewhere. By least squares with zeros there the
/// squares of a model's own tensor fall by at least as much as the model has there.
[[nodiscard]] inline std::string part_note(const Evaluation& found, bool of_counts) {
  constexpr double margin = 1.05, least = 0.01;
  const auto square = [](double x) { return x * x; };
  const double all = square(found.all.residual_norm), norm = square(found.tensor_norm);
  const double unlisted = all - square(found.listed.residual_norm);
  if (found.all.entries <= found.listed.entries || std::isnan(found.fit)) return "";
  if (!(unlisted > margin * (norm - all) && unlisted > least * norm)) return "";
  return format(
             "the fit (%.3g) compares the model with zeros at %.15g of %.15g entries, which are "
             "not listed and where it is far from zero: where the tensor is a part of the data, "
             "as a random test split or held-out rows of a table are, it does not tell how well "
             "the model predicts",
             found.fit, found.all.entries - found.listed.entries, found.all.entries) +
         (of_counts
              ? "; a part of counts without its zeros does not, either: " +
                    error_text::option("holdout", "0.1") + " of a run holds out both"
              : ", and " + error_text::option("missing", "unlisted") + " leaves these entries out");
}

/// What there is to know of models that are compared by listed counts, of which hardly one is zero.
[[nodiscard]] inline std::string zeros_not_compared() {
  return "zeros that are not listed are not compared, so that models of listed counts alone, "
         "without zeros, look better here than they are: " +
         error_text::option("holdout", "0.1") + " of runs without " +
         error_text::option("missing", "unlisted") +
         " holds out zeros in proportion, and a tensor that lists the zeros of a held-out part, "
         "too, compares them";
}

/// Notes on errors of least squares, and of counts on Poisson's likelihood, which tells of these
/// alone. Under another loss `under` says what is known: a model of log-odds has negative numbers
/// by right.
[[nodiscard]] inline std::vector<std::string> notes_on(const Evaluation& found,
                                                       const std::optional<LossEvaluation>& under) {
  const bool of_counts = under && under->loss.name == "poisson";
  std::vector<std::string> notes;
  if (found.listed.entries == 0.0) {
    notes.emplace_back("the tensor lists no entries, so that errors over listed ones are unknown");
  }
  if (std::isnan(found.fit)) notes.emplace_back("the fit to a tensor of zeros is undefined");
  if (of_counts && std::isinf(found.listed.log_likelihood)) notes.push_back(impossible_entries());
  const bool undefined = of_counts && std::isnan(found.all.log_likelihood);
  if ((of_counts || !under) && std::isnan(found.all.mae) && found.all.entries > 0.0) {
    notes.emplace_back(
        std::string(undefined ? "MAE, and likelihood and deviance of counts, are" : "MAE is") +
        " unknown over all entries where a model has negative numbers, and known over listed ones: "
        "a CP model with nonnegative factors has none");
  } else if (undefined) {
    notes.emplace_back(
        "likelihood and deviance are those of counts, and undefined where values "
        "are negative");
  }
  return notes;
}

/// Notes on errors under a loss.
[[nodiscard]] inline std::vector<std::string> notes_on(const LossEvaluation& found) {
  std::vector<std::string> notes;
  const bool overflows = std::isinf(found.listed.rmse);
  if (overflows) {
    notes.emplace_back(
        "the model is so large at listed entries that its expected values and the loss are beyond "
        "the range of numbers");
  } else if (std::isinf(found.listed.loss) || std::isinf(found.listed.deviance)) {
    notes.push_back(impossible_entries());
  }
  if (std::isnan(found.all.loss) && !found.loss.takes_zeros && found.all.entries > 0.0) {
    notes.emplace_back(
        "the loss has no minimum where entries are 0, so that it is unknown over "
        "all entries: missing \"unlisted\" says that only listed ones count");
  } else if (std::isnan(found.all.mae) && !overflows && found.all.entries > 0.0) {
    notes.emplace_back("MAE is unknown over all entries under this loss");
  }
  const bool is_binary = found.loss.data == LossData::binary;
  if (is_binary && std::isnan(found.listed.auc) && found.listed.entries > 0.0) {
    notes.emplace_back(
        "AUC, which compares the model at listed entries of 1 with listed ones of 0, is unknown, "
        "since all listed entries are of one kind, and zeros that are not listed do not count, as "
        "those of a dense array: data that list some of both have it");
  }
  return notes;
}

/// Notes on errors of squares and, if there is one, under a loss, each as `in_words` of the face
/// puts it.
template <class InWords>
[[nodiscard]] std::vector<std::string> notes_in_words(const Evaluation& squares,
                                                      const std::optional<LossEvaluation>& under,
                                                      const InWords& in_words) {
  auto notes = notes_on(squares, under);
  if (under) {
    for (std::string& note : notes_on(*under)) {
      if (!std::count(notes.begin(), notes.end(), note)) notes.push_back(std::move(note));
    }
  }
  for (std::string& note : notes) note = in_words(note);
  return notes;
}

}  // namespace genten::tools
