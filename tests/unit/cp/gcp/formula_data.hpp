// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tensors and models by formula, of which objectives and minima under many losses are known, and a
/// sum over every entry.

#include "plain.hpp"

#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/losses/any_loss.hpp>

#include <cmath>
#include <functional>
#include <string>

namespace genten_test {

/// The tensor of values value(i, j, k) that are not 0.
[[nodiscard]] inline PlainTensor tensor_by_formula(
    const std::vector<std::size_t>& dimensions,
    const std::function<double(long long, long long, long long)>& value) {
  PlainTensor tensor{dimensions, {}, {}};
  for (std::size_t i = 0; i < dimensions[0]; ++i) {
    for (std::size_t j = 0; j < dimensions[1]; ++j) {
      for (std::size_t k = 0; k < dimensions[2]; ++k) {
        const double x =
            value(static_cast<long long>(i), static_cast<long long>(j), static_cast<long long>(k));
        if (x == 0.0) continue;
        tensor.subscripts.push_back({i, j, k});
        tensor.values.push_back(x);
      }
    }
  }
  return tensor;
}

/// "bin2" (binary), "cnt" (counts), "pos" (positive) or "real".
[[nodiscard]] inline PlainTensor formula_tensor(const std::string& name) {
  using Number = long long;
  if (name == "bin2") {
    return tensor_by_formula({9, 8, 7}, [](Number i, Number j, Number k) {
      return (i / 3 == j % 3 && (i + 2 * j + 3 * k + i * k) % 5 < 3) ||
                     (7 * i + 5 * j + 3 * k) % 29 == 0
                 ? 1.0
                 : 0.0;
    });
  }
  if (name == "cnt") {
    return tensor_by_formula({8, 7, 6}, [](Number i, Number j, Number k) {
      const Number h = (17 * i + 29 * j + 43 * k + i * j * k) % 23;
      return h < 6 && (i % 3 == k % 3 || j % 2 == 0)
                 ? static_cast<double>(1 + (h * h + i + 2 * k) % 9)
                 : 0.0;
    });
  }
  if (name == "pos") {
    return tensor_by_formula({6, 5, 4}, [](Number i, Number j, Number k) {
      return static_cast<double>((1 + i) * (1 + j % 3)) / static_cast<double>(1 + k) +
             static_cast<double>((5 * i + 7 * j + 11 * k + i * j * k) % 10) / 4.0 + 0.25;
    });
  }
  return tensor_by_formula({6, 7, 5}, [](Number i, Number j, Number k) {
    return std::cos(static_cast<double>(i + 1)) * std::sin(static_cast<double>(j) + 0.5) *
               (1.0 + static_cast<double>(k) / 2.0) +
           0.5 * static_cast<double>((3 * i + 4 * j + 5 * k) % 7 - 3) / 3.0 +
           ((i + 2 * j + 3 * k) % 31 == 0 ? 10.0 : 0.0);
  });
}

/// Kind '+': elements .1 to 1.1; '0': -.625 to .625. Weights one.
[[nodiscard]] inline PlainModel formula_model(const std::vector<std::size_t>& dimensions,
                                              std::size_t rank, char kind) {
  PlainModel model{std::vector<double>(rank, 1.0), {}};
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    PlainMatrix factor(dimensions[n], rank);
    for (std::size_t i = 0; i < dimensions[n]; ++i) {
      for (std::size_t r = 0; r < rank; ++r) {
        const auto h = static_cast<double>((3 * i + 5 * r + 7 * n + i * r) % 11);
        factor(i, r) = kind == '+' ? 0.1 + h / 10.0 : (h - 5.0) / 8.0;
      }
    }
    model.factors.push_back(factor);
  }
  return model;
}

/// F by a loop over every entry, or, with `missing`, every listed one, but for those of `away`; the
/// gradient where one is given.
[[nodiscard]] inline double loss_by_entries(const genten::AnyLoss& loss, const PlainTensor& tensor,
                                            const PlainModel& model, bool missing,
                                            PlainModel* gradient = nullptr,
                                            const PlainTensor& away = {}) {
  const std::size_t order = tensor.order();
  const auto entries = tensor.entries(), left_out = away.entries();
  if (gradient != nullptr) {
    *gradient = model;
    for (auto& factor : gradient->factors) {
      std::fill(factor.elements.begin(), factor.elements.end(), 0.0);
    }
  }
  double sum = 0.0;
  std::vector<std::size_t> at(order, 0);
  for (bool more = true; more;) {
    const auto found = entries.find(at);
    if ((found != entries.end() || !missing) && left_out.count(at) == 0) {
      double m = 0.0;
      for (std::size_t r = 0; r < model.weights.size(); ++r) {
        double product = 1.0;
        for (std::size_t n = 0; n < order; ++n) product *= model.factors[n](at[n], r);
        m += product;
      }
      const double x = found == entries.end() ? 0.0 : found->second;
      sum += loss.value(x, m);
      for (std::size_t n = 0; gradient != nullptr && n < order; ++n) {
        for (std::size_t r = 0; r < model.weights.size(); ++r) {
          double product = loss.slope(x, m);
          for (std::size_t o = 0; o < order; ++o) {
            if (o != n) product *= model.factors[o](at[o], r);
          }
          gradient->factors[n](at[n], r) += product;
        }
      }
    }
    std::size_t n = 0;
    while (n < order && ++at[n] == tensor.dimensions[n]) at[n++] = 0;
    more = n < order;
  }
  return sum;
}

}  // namespace genten_test
