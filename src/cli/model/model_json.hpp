// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The factors of a model in JSON.

#include "labels.hpp"

#include <genten/core/ktensor.hpp>

#include <nlohmann/json.hpp>

namespace genten::cli {

/// Adds `factors`, by mode the rows of R numbers, and `labels`, by mode the names of the rows or
/// null, to the JSON form of a result, where the weights are already.
template <RealScalar Scalar>
void add_factors(nlohmann::ordered_json& result, const Ktensor<Scalar, HostExec>& model,
                 const Labels& labels) {
  auto factors = nlohmann::ordered_json::array(), names = nlohmann::ordered_json::array();
  for (std::size_t n = 0; n < model.factors().size(); ++n) {
    const auto& factor = model.factors()[n];
    auto rows = nlohmann::ordered_json::array();
    nlohmann::ordered_json its_names;
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      rows.push_back(std::vector<Scalar>(&factor(i, 0), &factor(i, 0) + model.rank()));
      if (labels.named(n)) its_names.push_back(labels.row(n, i));
    }
    factors.push_back(std::move(rows));
    names.push_back(std::move(its_names));
  }
  result["factors"] = std::move(factors);
  result["labels"] = std::move(names);
}

}  // namespace genten::cli
