// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The rates that the published figures quote for MTTKRP (E. Phipps and T. Kolda, "Software for
/// Sparse Tensor Decomposition on Emerging Computing Architectures", SISC 41(3), 2019).

#include <genten/mttkrp/problem.hpp>

namespace genten {

/// 10^9 operations and 10^9 bytes a second.
struct PublishedRates {
  double gflops = 0.0;
  double gbytes = 0.0;
};

/// The rates of `calls` calls, of one mode each, that took `seconds` together; 0 where these are 0.
///
/// Operations are N R a nonzero: N - 1 multiplications (of the value and N - 1 row elements) and
/// one addition a column. Bytes are what every nonzero reads and writes if nothing is in a cache:
/// N rows of R reals, 3 more reals (the value, and a read and write of something else), and its N
/// subscripts: ((N R + 3) sizeof(real) + N sizeof(ordinal)) nnz.
[[nodiscard]] inline PublishedRates published_rates(const MttkrpProblem& problem, double calls,
                                                    double seconds) {
  if (!(seconds > 0.0)) return {};
  const auto nnz = static_cast<double>(problem.nnz);
  const double width = problem.order() * static_cast<double>(problem.rank);
  const double bytes = (width + 3.0) * static_cast<double>(problem.scalar_bytes) +
                       problem.order() * static_cast<double>(problem.ordinal_bytes);
  return {calls * width * nnz / seconds * 1e-9, calls * nnz * 1e-9 / seconds * bytes};
}

}  // namespace genten
