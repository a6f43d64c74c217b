// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/sptensor.hpp>
#include <genten/version.hpp>

#include <cstdint>
#include <iostream>
#include <vector>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  std::vector<std::uint32_t> const subscripts{0, 0, 1, 2};
  std::vector<double> const values{1.0, 2.0};
  auto const tensor = genten::Sptensor<double>::from_host({2, 3}, subscripts, values);
  std::cout << "Genten " << GENTEN_VERSION << ": " << tensor.nnz() << " nonzeros\n";
  return tensor.nnz() == 2 ? 0 : 1;
}
