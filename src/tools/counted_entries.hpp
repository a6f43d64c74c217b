// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Errors of a model over all entries but missing ones.

#include <genten/cp/evaluate.hpp>
#include <genten/cp/evaluate_loss.hpp>

#include <optional>

namespace genten::tools {

/// What `evaluate` finds for a tensor without duplicates, but for the entries of a list.
template <class Tensor, class Evaluate>
[[nodiscard]] auto evaluate_known(const Tensor& tensor, const std::optional<Tensor>& missing,
                                  const Evaluate& evaluate) {
  return missing ? evaluate_without(HostExec(), tensor, *missing, evaluate) : evaluate(tensor);
}

}  // namespace genten::tools
