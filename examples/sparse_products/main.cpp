// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Kernels for other solvers: products of a sparse tensor with vectors, matrices and factors.

#include <genten/genten.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

using Exec = genten::HostExec;
using Tensor = genten::Sptensor<double, std::uint32_t, Exec>;
using Matrix = genten::FacMatrix<double, Exec>;

double normalize(std::vector<double>& vector) {
  double square = 0.0;
  for (const double each : vector) square += each * each;
  const double norm = std::sqrt(square);
  for (double& each : vector) each /= norm;
  return norm;
}

/// The best rank-one approximation, by the higher-order power method: a vector of each mode is the
/// tensor times those of all others.
double power_method(const Tensor& tensor, int sweeps) {
  const Exec exec;
  std::vector<std::vector<double>> vectors;
  for (const std::size_t length : tensor.dimensions()) {
    vectors.emplace_back(length, 1.0);
    normalize(vectors.back());
  }
  double weight = 0.0;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int mode = 0; mode < tensor.order(); ++mode) {
      Tensor rest = tensor;
      for (int n = tensor.order() - 1; n >= 0; --n) {  // from the last, so that numbers stay
        if (n != mode) rest = genten::ttv(exec, rest, vectors[static_cast<std::size_t>(n)], n);
      }
      auto& vector = vectors[static_cast<std::size_t>(mode)];
      std::fill(vector.begin(), vector.end(), 0.0);
      for (std::size_t p = 0; p < static_cast<std::size_t>(rest.nnz()); ++p) {
        vector[rest.subscripts()(p, 0)] += rest.values()(p);
      }
      weight = normalize(vector);
    }
  }
  return weight;
}

/// How much of the tensor's norm two leading vectors of each mode take: one sweep of HOOI.
double core_norm(const Tensor& tensor, std::size_t rank) {
  const Exec exec;
  std::vector<Matrix> factors;
  for (int n = 0; n < tensor.order(); ++n) {
    const auto found = genten::nvecs(exec, tensor, n, rank);
    factors.push_back(found.vectors);
  }
  const genten::Ttmc<double> products(exec, tensor);  // sorts once, for every mode
  for (int n = 0; n < tensor.order(); ++n) {
    const Matrix product(tensor.dimension(n), products.columns(factors, n));
    products.run(exec, factors, n, product);
    factors[static_cast<std::size_t>(n)] =
        genten::leading_left_vectors(exec, product, rank).vectors;
  }
  auto core = genten::ttm(exec, tensor, factors[0], 0);  // dense in mode 1, sparse in the others
  for (std::size_t n = 1; n < factors.size(); ++n) core = core.multiply(exec, factors[n]);
  double square = 0.0;
  const auto elements = core.dense(exec);
  for (std::size_t k = 0; k < elements.extent(0); ++k) square += elements(k) * elements(k);
  return std::sqrt(square);
}

/// The norm of the gradient of 1/2 ||X - M||^2: M's part from Gram matrices, X's by MTTKRP.
double gradient_norm(const Tensor& tensor, const genten::Ktensor<double, Exec>& model) {
  const Exec exec;
  std::vector<genten::HostMatrix> grams;
  for (int n = 0; n < model.order(); ++n) {
    grams.push_back(genten::cross_gram(exec, model.factor(n), model.factor(n)));
  }
  const auto products = genten::mttkrps(exec, tensor, model.factors());
  double square = 0.0;
  for (int n = 0; n < model.order(); ++n) {
    const Matrix& factor = model.factor(n);
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      for (std::size_t r = 0; r < model.rank(); ++r) {
        double slope = -products[static_cast<std::size_t>(n)](i, r);
        for (std::size_t s = 0; s < model.rank(); ++s) {
          double gram = factor(i, s);
          for (int m = 0; m < model.order(); ++m) {
            if (m != n) gram *= grams[static_cast<std::size_t>(m)](s, r);
          }
          slope += gram;
        }
        square += slope * slope;
      }
    }
  }
  return std::sqrt(square);
}

void run() {
  const Exec exec;
  const std::vector<std::uint32_t> subscripts{0, 0, 0, 1, 2, 1, 2, 1, 0, 3, 3, 1, 0, 2, 1};
  const std::vector<double> values{3.0, 1.0, 2.0, 5.0, 1.5};
  const auto tensor = Tensor::from_host(exec, {4, 4, 2}, std::span<const std::uint32_t>(subscripts),
                                        std::span<const double>(values));
  std::printf("best rank one: weight %.6f\n", power_method(tensor, 50));
  std::printf("core of 2 x 2 x 2: norm %.6f\n", core_norm(tensor, 2));
  const auto model = genten::random_ktensor<double>(exec, tensor.dimensions(), 2, 1);
  std::printf("gradient: norm %.6f\n", gradient_norm(tensor, model));
}

}  // namespace

int main() {
  Kokkos::ScopeGuard kokkos;
  try {
    run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
