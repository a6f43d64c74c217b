// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// A Tucker model of a sparse tensor: orthonormal factors and a small core that says how their
// columns go together.
//
//   tucker_model                          a random tensor of low rank
//   tucker_model FILE R1,R2,... [MODEL]   tucker_model ucb-admissions.tns 2,2,2 ucb.ttensor
//
// Prints the fit and the largest elements of the core, and writes the model to a file if one is
// named. A rank of 0 leaves its mode as it is.

#include <genten/genten.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Exec = genten::HostExec;

std::vector<std::size_t> ranks_of(const std::string& text) {
  std::vector<std::size_t> ranks;
  std::istringstream fields(text);
  for (std::string field; std::getline(fields, field, ',');) ranks.push_back(std::stoul(field));
  return ranks;
}

void print_core(const genten::Ttensor<double, Exec>& model, std::size_t most) {
  const auto core = model.core();
  std::vector<std::size_t> order(core.extent(0));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(core(a)) > std::abs(core(b));
  });
  order.resize(std::min(order.size(), most));
  for (const std::size_t at : order) {
    std::printf("core (");
    std::size_t rest = at;
    for (int n = 0; n < model.order(); ++n) {
      std::printf(n == 0 ? "%zu" : ", %zu", rest % model.rank(n) + 1);
      rest /= model.rank(n);
    }
    std::printf(") %12.4f\n", core(at));
  }
}

void run(const genten::Sptensor<double, std::uint32_t, Exec>& tensor, const std::string& ranks,
         const char* model_file) {
  const Exec exec;
  genten::TuckerOptions options;
  options.ranks = ranks_of(ranks);
  const auto result = genten::tucker(exec, tensor, options);
  std::printf("fit %.6f after %zu sweeps, norm of the core %.4f of %.4f\n", result.fit,
              result.iterations, result.core_norm, result.tensor_norm);
  print_core(result.model, 5);
  if (model_file != nullptr) genten::write_ttensor(model_file, result.model);
}

}  // namespace

int main(int argc, char* argv[]) {
  setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);  // else it advises how to bind threads
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc == 2) {
    std::fprintf(stderr, "usage: tucker_model [FILE R1,R2,... [MODEL]]\n");
    return 1;
  }
  try {
    if (argc > 2) {
      const auto tensor = genten::read_sptensor<double, std::uint32_t, Exec>(argv[1]).tensor;
      run(tensor, argv[2], argc > 3 ? argv[3] : nullptr);
    } else {
      const std::vector<std::size_t> dimensions = {60, 50, 40};
      const auto planted = genten::generate_planted<double>(Exec(), dimensions, /*rank*/ 4,
                                                            /*support*/ 20, /*noise*/ 0.1,
                                                            /*seed*/ 1);
      run(planted.tensor, "4,4,4", nullptr);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tucker_model: %s\n", error.what());
    return 1;
  }
  return 0;
}
