// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// HoldoutErrors: how well a model meets entries that were held out.

#include <genten/base/result_field.hpp>
#include <genten/base/types.hpp>

#include <limits>

namespace genten {

/// Errors over entries that were held out.
struct HoldoutErrors {
  double rmse = std::numeric_limits<double>::quiet_NaN();  ///< the root of the mean square
  double mae = std::numeric_limits<double>::quiet_NaN();   ///< the mean magnitude
  offset_t entries = 0;

  static constexpr auto figures() {
    return member_table(result_field("rmse", &HoldoutErrors::rmse),
                        result_field("mae", &HoldoutErrors::mae),
                        result_field("entries", &HoldoutErrors::entries));
  }
};

}  // namespace genten
