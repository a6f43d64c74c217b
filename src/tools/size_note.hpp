// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Whether components explode where entries are missing, under losses other than least squares: in
/// the words of the tool and of the Python package.

#include "tools/text.hpp"

#include <genten/base/error.hpp>
#include <genten/cp/losses/any_loss.hpp>
#include <genten/run/report.hpp>

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

namespace genten::tools {

/// Adds a note on components of more than twice the norm that the whole tensor would have if
/// missing entries were as large as the others. Of losses whose model is the expected value.
inline void add_size_note(RunReport& report, const ComponentFacts& components,
                          const RunSettings& settings, const AnyLoss& loss,
                          const std::vector<std::size_t>& dimensions) {
  constexpr double some = 0.25, most = 2.0;
  const auto* const gcp = std::get_if<CpGcpFigures>(&report.own);
  const auto& norms = components.norms;
  if (gcp == nullptr || settings.least_squares || !settings.has_missing || norms.empty()) return;
  if (loss.mean(some) != some || !(gcp->entries > 0.0)) return;
  double all = 1.0;
  for (const std::size_t length : dimensions) all *= static_cast<double>(length);
  const double size = report.figures.tensor_norm * std::sqrt(all / gcp->entries);
  if (!(size > 0.0)) return;
  const auto heavy = static_cast<std::size_t>(
      std::count_if(norms.begin(), norms.end(), [&](double norm) { return norm > most * size; }));
  if (heavy == 0) return;
  const double ratio = *std::max_element(norms.begin(), norms.end()) / size;
  report.notes.push_back(
      {NoteCode::degenerate,
       count_of(heavy, "component") + (heavy == 1 ? " is" : " are") + " up to " +
           format("%.3g", ratio) +
           error_text::with_options(
               " times as large as the data would be if missing entries were as large as the "
               "others: predictions of these may be far beyond any value; try {ridge}, a lower "
               "{rank} or other starts"),
       {{"components", static_cast<double>(heavy)}, {"ratio", ratio}}});
}

}  // namespace genten::tools
