// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// A model of the first slices of a mode, and the slices that come later: their rows for the model
// as it is, and a model that goes on with them one by one.
//
//   new_slices                         random data of rank 3
//   new_slices FILE MODE FIRST RANK    new_slices ucb-admissions.tns 3 4 2
//
// MODE counts from 1; the model is of the first FIRST slices.

#include <genten/genten.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

using Exec = genten::HostExec;
using Tensor = genten::Sptensor<double, std::uint32_t, Exec>;

/// Slices [begin, end) of a mode, counted from 0 again.
Tensor slices(const Tensor& tensor, int mode, std::size_t begin, std::size_t end) {
  std::vector<std::uint32_t> subscripts;
  std::vector<double> values;
  for (genten::offset_t p = 0; p < tensor.nnz(); ++p) {
    const std::size_t slice = tensor.subscripts()(p, mode);
    if (slice < begin || slice >= end) continue;
    for (int n = 0; n < tensor.order(); ++n) {
      const std::size_t at = tensor.subscripts()(p, n);
      subscripts.push_back(static_cast<std::uint32_t>(n == mode ? at - begin : at));
    }
    values.push_back(tensor.values()(p));
  }
  auto dimensions = tensor.dimensions();
  dimensions[static_cast<std::size_t>(mode)] = end - begin;
  return Tensor::from_host(dimensions, std::span<const std::uint32_t>(subscripts),
                           std::span<const double>(values));
}

void run(const Tensor& tensor, int mode, std::size_t first, std::size_t rank) {
  const Exec exec;
  const std::size_t all = tensor.dimension(mode);
  genten::CpAlsOptions options;
  options.rank = rank;
  const auto old = genten::cp_als(exec, slices(tensor, mode, 0, first), options);

  const auto loss = genten::AnyLoss::named("gaussian");
  const auto found = genten::project_rows(exec, old.model, slices(tensor, mode, first, all), mode,
                                          loss, {.loss_factor = 0.5});
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    std::printf("slice %zu: explained %.4f\n", first + i + 1, found.rows[i].explained);
  }

  genten::StreamingCp stream(exec, old.model, mode, {.sweeps = 5});
  for (std::size_t slice = first; slice < all; ++slice) {
    const auto batch = stream.update(exec, slices(tensor, mode, slice, slice + 1));
    std::printf("slice %zu: fit %.4f when it came\n", slice + 1, batch.fit);
  }
  const auto evaluation = genten::evaluate(exec, tensor, stream.model());
  std::printf("fit %.4f of the first slices, %.4f of all by the model that went on\n", old.fit,
              evaluation.fit);
}

}  // namespace

int main(int argc, char* argv[]) {
  setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);  // else it advises how to bind threads
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc != 1 && argc != 5) {
    std::fprintf(stderr, "usage: new_slices [FILE MODE FIRST RANK]\n");
    return 1;
  }
  try {
    if (argc == 5) {
      const auto tensor = genten::read_sptensor<double, std::uint32_t, Exec>(argv[1]).tensor;
      const int mode = std::stoi(argv[2]);
      const std::size_t first = std::stoul(argv[3]);
      if (mode < 1 || mode > tensor.order() || first < 1 || first >= tensor.dimension(mode - 1)) {
        std::fprintf(stderr,
                     "new_slices: expected a mode of %d, and a slice of it that is not "
                     "the last\n",
                     tensor.order());
        return 1;
      }
      run(tensor, mode - 1, first, std::stoul(argv[4]));
    } else {
      const std::vector<std::size_t> dimensions = {30, 25, 20};
      const auto planted = genten::generate_planted<double>(Exec(), dimensions, /*rank*/ 3,
                                                            /*support*/ 15, /*noise*/ 0.05,
                                                            /*seed*/ 1);
      run(planted.tensor, 2, 15, 3);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "new_slices: %s\n", error.what());
    return 1;
  }
  return 0;
}
