// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// TrustOptions: what a run is to say of how far its model can be believed.

#include <genten/base/option_field.hpp>

#include <vector>

namespace genten {

/// Error bars that a run is asked for. Agreement of several starts needs no asking.
struct TrustOptions {
  bool standard_errors = false;
  std::size_t bootstrap = 0;
  std::vector<int> bootstrap_mode = {};  ///< one, or none

  static constexpr auto fields() {
    using Options = TrustOptions;
    return member_table(
        option_field("standard-errors", &Options::standard_errors,
                     "standard errors of weights and of all elements of the factors, from the "
                     "curvature of the likelihood at the minimum"),
        option_field("bootstrap", &Options::bootstrap,
                     "refits of data that are drawn from the model, for intervals of weights and "
                     "entries and for how often each component is found again; 0: none",
                     0, 1e5),
        option_field("bootstrap-mode", &Options::bootstrap_mode,
                     "the mode whose slices are drawn again, with replacement, in place of data "
                     "drawn from the model"));
  }
};

}  // namespace genten
