// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What is odd about new rows that were found for a model, for the tool and for Python.

#include "tools/text.hpp"

#include <genten/cp/evaluate_loss.hpp>
#include <genten/cp/project_rows.hpp>
#include <genten/cp/row_sizes.hpp>
#include <genten/cp/stream.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace genten::tools {

/// That the model is 0 at entries that are not; "" where there is nothing the matter.
[[nodiscard]] inline std::string impossible_note(const std::vector<ProjectedRow>& rows) {
  std::size_t entries = 0, of_rows = 0;
  for (const ProjectedRow& row : rows) {
    entries += row.impossible;
    of_rows += row.impossible == 0 ? 0 : 1;
  }
  if (entries == 0) return "";
  return "the model is 0 at " + count_of(entries, "listed entry") + " of " +
         count_of(of_rows, "new row") + ", whatever " +
         (of_rows == 1 ? "this row is" : "these are") +
         ", so that the likelihood there is 0: the part explained is of all other entries";
}

/// What rows that are so many times as large as those of the model ask of the values; "" of NaN.
[[nodiscard]] inline std::string unit_note(double times) {
  if (std::isnan(times)) return "";
  const bool larger = times > 1.0;
  const double factor = larger ? times : 1.0 / times;
  // Two digits: which unit it is shows in the first.
  const double step = std::pow(10.0, std::floor(std::log10(factor)) - 1.0);
  return format(
      "the new rows are about %.15g times as %s as those that the model had: are the "
      "values in the same unit?",
      std::round(factor / step) * step, larger ? "large" : "small");
}

/// The same of the model `found` for slices, under a loss whose models are in the unit of the
/// values; "" under others.
template <class Tensor>
[[nodiscard]] std::string unit_note(const Ktensor<double, HostExec>& had,
                                    const Ktensor<double, HostExec>& found, const Tensor& slices,
                                    int mode, const AnyLoss& loss) {
  if (!models_means(loss)) return "";
  return unit_note(times_as_large(had, found, mode, slice_sizes(slices, mode)));
}

/// All that is to be known of a batch before its rows are believed, each as `in_words` of the face
/// puts it.
template <class InWords>
[[nodiscard]] std::vector<std::string> batch_notes(const StreamBatch& batch,
                                                   const InWords& in_words) {
  std::vector<std::string> notes;
  if (std::string unit = unit_note(batch.times_as_large); !unit.empty()) notes.push_back(unit);
  for (const std::string& doubt : doubts_of(batch)) notes.push_back(in_words(doubt));
  return notes;
}

}  // namespace genten::tools
