// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Fitted: a model, the entries that it was fitted to and the loss, on the host and by run-time
/// types. What error bars are computed from.

#include <genten/core/column_norms.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/losses/any_loss.hpp>
#include <genten/run/trust/options.hpp>

#include <optional>
#include <vector>

namespace genten {

struct CpRequest;

/// Entries of a tensor, each named once.
struct FittedEntries {
  std::vector<std::size_t> dimensions;
  std::vector<RowNumber> subscripts = {};  ///< of each entry N, side by side
  std::vector<double> values = {};
  std::vector<RowNumber> missing = {};  ///< likewise, of entries that do not count
  bool unlisted_are_missing = false;    ///< otherwise they are zeros

  [[nodiscard]] std::size_t order() const { return dimensions.size(); }
  /// Of all entries, those that are missing too.
  [[nodiscard]] double size() const {
    double product = 1.0;
    for (const std::size_t length : dimensions) product *= static_cast<double>(length);
    return product;
  }
};

/// A model on the host, in double.
using HostModel = Ktensor<double, HostExec>;

/// A model, what it was fitted to, and how.
struct Fitted {
  HostModel model;
  FittedEntries entries;
  AnyLoss loss;
  /// By mode: half of it times the squared norm of the factor is added to the sum of the loss.
  std::vector<double> ridge;
  std::vector<bool> nonnegative;  ///< by mode
  std::vector<bool> fixed;        ///< by mode: not fitted
  NormKind norm = NormKind::two;  ///< that which columns of the model have one of
};

/// Throws Error where error bars that a request asks for cannot be had, for a tensor of those
/// dimensions of which so many entries are listed: before the run, so that none is lost.
void check_trust(const CpRequest& request, const std::vector<std::size_t>& dimensions,
                 offset_t listed);

/// By mode, the ridge beside the plain sum of a loss: that which a solver used, doubled for those
/// that halve the sum of squares.
[[nodiscard]] std::vector<double> ridge_of_sum(const CpRequest& request,
                                               const std::vector<double>& used, std::size_t order);

/// Entries in the memory of the host. Duplicates are added up.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] FittedEntries fitted_entries(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::optional<Sptensor<Scalar, Ordinal, Exec>>& missing, bool unlisted_are_missing) {
  FittedEntries entries{tensor.dimensions()};
  entries.unlisted_are_missing = unlisted_are_missing;
  const auto add_subscripts = [&](const auto& distinct, std::vector<RowNumber>& to) {
    const auto host = create_mirror_view_and_copy(with_row_numbers(exec, distinct, "error bars"));
    const auto subscripts = host.subscripts();
    to.assign(subscripts.data(), subscripts.data() + subscripts.size());
    return host;
  };
  const auto host = add_subscripts(sum_duplicates(exec, tensor).tensor, entries.subscripts);
  entries.values.assign(host.values().data(), host.values().data() + host.nnz());
  if (missing) add_subscripts(sum_duplicates(exec, *missing).tensor, entries.missing);
  return entries;
}

/// A model as HostModel, copied.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] HostModel host_model(const Ktensor<Scalar, Exec>& model) {
  const auto from = create_mirror_view_and_copy(model);
  HostModel to(HostExec(), from.dimensions(), from.rank());
  for (std::size_t r = 0; r < from.rank(); ++r) {
    to.weights()(r) = static_cast<double>(from.weights()(r));
    for (int n = 0; n < from.order(); ++n) {
      for (std::size_t i = 0; i < from.factor(n).rows(); ++i) {
        to.factor(n)(i, r) = static_cast<double>(from.factor(n)(i, r));
      }
    }
  }
  return to;
}

}  // namespace genten
