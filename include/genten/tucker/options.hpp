// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Parameters of Tucker decompositions.

#include <genten/base/option_field.hpp>

#include <cstdint>
#include <vector>

namespace genten {

/// How a Tucker model is found.
enum class TuckerMethod {
  hooi,      ///< alternating least squares over the factors
  st_hosvd,  ///< sequentially truncated higher-order SVD
  hosvd      ///< truncated higher-order SVD
};

constexpr auto enum_words(TuckerMethod) {
  return std::array{
      EnumWord("hooi", TuckerMethod::hooi, "alternating least squares over the factors"),
      EnumWord("st-hosvd", TuckerMethod::st_hosvd,
               "leading vectors mode after mode, each of what the modes before it have left"),
      EnumWord("hosvd", TuckerMethod::hosvd, "leading vectors of the tensor in each mode")};
}

/// Where HOOI begins.
enum class TuckerInit { st_hosvd, hosvd, random };

constexpr auto enum_words(TuckerInit) {
  return std::array{EnumWord("st-hosvd", TuckerInit::st_hosvd, "the result of that method"),
                    EnumWord("hosvd", TuckerInit::hosvd, "the result of that method"),
                    EnumWord("random", TuckerInit::random, "random orthonormal factors")};
}

/// Parameters of `tucker`. Defaults are those of the fields' initializers; the table `fields()`
/// says what each means.
struct TuckerOptions {
  std::vector<std::size_t> ranks = {};
  TuckerMethod method = TuckerMethod::hooi;
  TuckerInit init = TuckerInit::st_hosvd;
  std::size_t max_iterations = 100;
  double tolerance = 1e-6;
  double time_limit = 0.0;
  std::uint64_t seed = 1;
  std::vector<int> mode_order = {};
  std::vector<int> fixed_modes = {};
  /// Bytes that a run may take beside the tensor; 0: as many as are available.
  double memory_available = 0.0;

  static constexpr auto fields() {
    return member_table(
        option_field("ranks", &TuckerOptions::ranks,
                     "the core's length in each mode; 0: the mode is not compressed", 0.0, 1e9),
        option_field("method", &TuckerOptions::method, "how the model is found"),
        option_field("init", &TuckerOptions::init, "where hooi begins"),
        option_field("max-iterations", &TuckerOptions::max_iterations,
                     "hooi: sweeps over all modes at most", 0, 1e9),
        option_field("tolerance", &TuckerOptions::tolerance,
                     "hooi: stop when the fit changes by less than this; 0: never", 0.0, 1.0),
        option_field("time-limit", &TuckerOptions::time_limit,
                     "hooi: stop after the iteration that ends past this many seconds; 0: none",
                     0.0),
        option_field("seed", &TuckerOptions::seed, "seed of random factors", 0.0,
                     18446744073709551615.0),
        option_field("mode-order", &TuckerOptions::mode_order,
                     "modes in the order in which they are compressed; none: natural order"),
        option_field("fixed-modes", &TuckerOptions::fixed_modes,
                     "modes whose factors stay as in the guess"),
        option_field("memory-available", &TuckerOptions::memory_available,
                     "bytes that the run may take beside the tensor; 0: as many as are free", 0.0));
  }
};

}  // namespace genten
