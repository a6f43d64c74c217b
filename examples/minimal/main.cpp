// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The smallest program: reads a sparse tensor, decomposes it, prints how well the model fits.
//
//   minimal [FILE [RANK]]

#include <genten/genten.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

int main(int argc, char* argv[]) {
  // The library never starts Kokkos: that is the program's business, as is printing.
  // Kokkos advises how to bind threads unless it is told not to, or OMP_PROC_BIND is set.
  setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    const std::string file = argc > 1 ? argv[1] : DEFAULT_TENSOR;
    genten::CpAlsOptions options;
    options.rank = argc > 2 ? std::stoul(argv[2]) : 2;

    const auto tensor = genten::read_sptensor<double>(file).tensor;
    const auto result = genten::cp_als(tensor, options);

    std::printf("%s: order %d, %lld nonzeros\n", file.c_str(), tensor.order(),
                static_cast<long long>(tensor.nnz()));
    std::printf("rank %zu: fit %.6f after %zu iterations (%s)\n", result.model.rank(), result.fit,
                result.iterations, std::string(to_string(result.stop_reason)).c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "minimal: %s\n", error.what());
    return 1;
  }
  return 0;
}
