// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How alike two Tucker models are. Their columns may be turned into each other without a change of
/// the model, so that it is the spaces which they span that are compared.

#include <genten/core/ttensor.hpp>

#include <nlohmann/json_fwd.hpp>

#include <iosfwd>
#include <vector>

namespace genten::cli {

struct TuckerComparison {
  double difference = 0.0;  ///< ||A - B|| / ||B||, to about 1e-8; NaN where B is zero
  /// By mode the cosines of the principal angles between the spaces of the columns, descending, as
  /// many as the smaller rank: 1 where one holds the other. A mode that is not compressed is all of
  /// its space.
  std::vector<std::vector<double>> cosines;
};

/// Throws Error where dimensions differ.
[[nodiscard]] TuckerComparison compare_tucker(const Ttensor<double, HostExec>& model,
                                              const Ttensor<double, HostExec>& reference);

void print(std::ostream& out, const TuckerComparison& found);
nlohmann::ordered_json to_json(const TuckerComparison& found);

}  // namespace genten::cli
