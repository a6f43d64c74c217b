// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "terms.hpp"

#include <genten/base/memory.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/run/report.hpp>
#include <genten/run/trust/bootstrap.hpp>

#include <algorithm>

namespace genten {
namespace {

const char* const slices_instead = "; {bootstrap} with {bootstrap-mode} draws slices instead";

[[noreturn]] void refuse(const char* option, const std::string& complaint) {
  throw Error::of_conflict(option, complaint);
}

std::string loss_words(const CpRequest& request) {
  return "{loss=" + request.loss + "}";
}

bool zeros_count(const CpRequest& request) {
  return request.missing != MissingEntries::unlisted;
}

/// Of which all entries would have to be visited.
std::string too_many(const FittedEntries& shape) {
  return "one by one, at most " + number_text(trust::most_enumerated) + ", got " +
         number_text(shape.size());
}

void check_mode(const CpRequest& request, const FittedEntries& shape) {
  const auto& modes = request.trust.bootstrap_mode;
  if (modes.empty()) return;
  if (request.trust.bootstrap == 0) refuse("bootstrap-mode", "has no effect without {bootstrap}");
  if (modes.size() != 1) {
    throw Error::of_option("bootstrap-mode",
                           "expected one mode, got " + std::to_string(modes.size()));
  }
  if (modes[0] < 0 || static_cast<std::size_t>(modes[0]) >= shape.order()) {
    throw Error::of_option("bootstrap-mode", "expected a mode of the tensor, whose order is " +
                                                 std::to_string(shape.order()));
  }
  if (shape.dimensions[static_cast<std::size_t>(modes[0])] < 2) {
    throw Error::of_option("bootstrap-mode", "expected a mode of two slices or more");
  }
}

void check_standard_errors(const CpRequest& request, const FittedEntries& shape,
                           const std::vector<RowConstraint>& constraints) {
  const char* const option = "standard-errors";
  const LossFacts loss = request.any_loss().facts();
  if (!trust::is_likelihood(loss) || trust::curvature_of(loss) == nullptr) {
    refuse(option,
           "is not for " + loss_words(request) + ", which is no likelihood" + slices_instead);
  }
  for (const RowConstraint& each : constraints) {
    if (each.l1 > 0.0) refuse(option, std::string("is not for {l1}") + slices_instead);
  }
  if (!loss.zero_terms && zeros_count(request) && shape.size() > trust::most_enumerated) {
    refuse(option, "under " + loss_words(request) + " takes all entries " + too_many(shape) +
                       slices_instead);
  }
}

void check_bootstrap(const CpRequest& request, const FittedEntries& shape) {
  if (!request.trust.bootstrap_mode.empty()) return;
  const bool enumerates = request.loss == "gaussian" || request.loss == "bernoulli-logit";
  const bool draws = enumerates || request.loss == "poisson" || request.loss == "bernoulli-odds" ||
                     request.loss == "bernoulli-poisson";
  if (!draws) {
    refuse("bootstrap", "draws data under gaussian, poisson and the bernoulli losses; beside " +
                            loss_words(request) + " it needs {bootstrap-mode}, to draw slices");
  }
  if (enumerates && zeros_count(request) && shape.size() > trust::most_enumerated) {
    refuse("bootstrap", "draws entries under " + loss_words(request) + " " + too_many(shape) +
                            "; {bootstrap-mode} draws slices instead");
  }
}

/// Bytes beside the tensor and the model.
void check_memory(const CpRequest& request, const FittedEntries& shape, offset_t listed) {
  const CpAlsOptions common = request.common();
  const auto rank = static_cast<double>(common.rank);
  double rows = 0.0, longest = 0.0;
  for (const std::size_t length : shape.dimensions) {
    rows += static_cast<double>(length);
    longest = std::max(longest, static_cast<double>(length));
  }
  const double numbers = rows * rank;
  const bool whole = numbers <= static_cast<double>(most_whole_numbers);
  const bool enumerates = zeros_count(request) && !request.any_loss().facts().zero_terms;
  const double entries = std::max(static_cast<double>(listed), enumerates ? shape.size() : 0.0);
  MemoryRequest memory{.what = "error bars",
                       .parts = {{"entries", entries * (4.0 * static_cast<double>(shape.order()) +
                                                        3.0 * sizeof(double))}},
                       .available = available_memory<HostExec>()};
  if (request.trust.standard_errors) {
    memory.parts.push_back(
        {"second derivatives",
         sizeof(double) * (whole ? 3.0 * numbers * numbers : longest * rank * rank)});
  }
  if (request.trust.bootstrap != 0) {
    memory.parts.push_back(
        {"refits", sizeof(double) * numbers * static_cast<double>(request.trust.bootstrap)});
  }
  require_memory(memory);
}

}  // namespace

void check_trust(const CpRequest& request, const std::vector<std::size_t>& dimensions,
                 offset_t listed) {
  const FittedEntries shape{dimensions};
  const TrustOptions& trust = request.trust;
  check_mode(request, shape);
  if (!trust.standard_errors && trust.bootstrap == 0) return;
  const char* const option = trust.standard_errors ? "standard-errors" : "bootstrap";
  const auto constraints = run_settings(request, dimensions.size()).constraints;
  if (!bounds_allow_scaling(constraints)) {
    refuse(option, "is not for bounds other than 0, under which columns are not normalized");
  }
  const auto has_ridge = [](const RowConstraint& each) { return each.ridge > 0.0; };
  const auto penalized = std::count_if(constraints.begin(), constraints.end(), has_ridge);
  if (trust.standard_errors && penalized != 0 &&
      penalized != static_cast<std::ptrdiff_t>(constraints.size())) {
    throw Error::of_option(option,
                           "expected {ridge} of all modes, or of none and without {fixed-modes}");
  }
  if (trust.standard_errors) check_standard_errors(request, shape, constraints);
  if (trust.bootstrap != 0) check_bootstrap(request, shape);
  check_memory(request, shape, listed);
}

std::vector<double> ridge_of_sum(const CpRequest& request, const std::vector<double>& used,
                                 std::size_t order) {
  std::vector<double> ridge = used;
  if (request.solver() == Solver::als) ridge = request.als.ridge;
  if (ridge.empty()) ridge.assign(order, 0.0);
  if (ridge.size() == 1) ridge.assign(order, ridge[0]);
  // They minimize half of the sum of squares.
  const bool halves = request.solver() == Solver::als || request.solver() == Solver::completion;
  for (double& each : ridge) each *= halves ? 2.0 : 1.0;
  return ridge;
}

}  // namespace genten
