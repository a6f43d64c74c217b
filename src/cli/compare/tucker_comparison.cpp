// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tucker_comparison.hpp"

#include "tools/table.hpp"
#include "tools/text.hpp"

#include <genten/core/ttensor_ops.hpp>
#include <genten/dense/leading_vectors.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <ostream>

namespace genten::cli {
namespace {

using TuckerModel = Ttensor<double, HostExec>;
using Matrix = FacMatrix<double, HostExec>;

/// Orthonormal columns of the same space.
Matrix orthonormal(const Matrix& factor) {
  const HostExec exec;
  const Matrix copy(exec, factor.rows(), factor.columns());
  deep_copy(exec, copy, factor);
  orthonormalize(exec, copy, 0, copy.columns());
  return copy;
}

/// The singular values of A^T B, for orthonormal columns.
std::vector<double> cosines_between(const Matrix& a, const Matrix& b) {
  const HostExec exec;
  const HostMatrix product = cross_gram(exec, orthonormal(a), orthonormal(b));
  const std::size_t rows = product.extent(0), columns = product.extent(1);
  const std::size_t count = std::min(rows, columns);
  const HostMatrix gram("genten::gram", count, count);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t s = 0; s < count; ++s) {
      for (std::size_t k = 0; k < std::max(rows, columns); ++k) {
        gram(r, s) +=
            rows <= columns ? product(r, k) * product(s, k) : product(k, r) * product(k, s);
      }
    }
  }
  std::vector<double> cosines = leading_vectors(exec, gram, count).eigenvalues;
  for (double& cosine : cosines) cosine = std::min(1.0, std::sqrt(cosine));
  return cosines;
}

}  // namespace

TuckerComparison compare_tucker(const TuckerModel& model, const TuckerModel& reference) {
  const HostExec exec;
  const double own = innerprod(exec, model, model), other = innerprod(exec, reference, reference);
  const double both = innerprod(exec, model, reference);
  TuckerComparison found;
  found.difference = other > 0.0 ? std::sqrt(std::max(0.0, own - 2.0 * both + other) / other)
                                 : std::numeric_limits<double>::quiet_NaN();
  for (int n = 0; n < model.order(); ++n) {
    const std::size_t count = std::min(model.rank(n), reference.rank(n));
    found.cosines.push_back(model.is_compressed(n) && reference.is_compressed(n)
                                ? cosines_between(model.factor(n), reference.factor(n))
                                : std::vector<double>(count, 1.0));
  }
  return found;
}

void print(std::ostream& out, const TuckerComparison& found) {
  out << tools::format("relative difference  %.6g\n\n", found.difference);
  tools::Table table({{"mode"}, {"cosines of principal angles", tools::Table::Align::left}});
  for (std::size_t n = 0; n < found.cosines.size(); ++n) {
    std::vector<std::string> words;
    for (const double cosine : found.cosines[n]) words.push_back(tools::format("%.9f", cosine));
    table.add({std::to_string(n + 1), tools::join(words, " ")});
  }
  table.print(out);
}

nlohmann::ordered_json to_json(const TuckerComparison& found) {
  return {{"relative_difference", found.difference}, {"cosines", found.cosines}};
}

}  // namespace genten::cli
