// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What notes need to know of a tensor that several processes have together.

#include <genten/dist/distribute.hpp>
#include <genten/run/report.hpp>

namespace genten {

/// Takes into the settings of least squares of all entries what `look_at_values` of the whole
/// tensor would take. All processes call it, with the same settings.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void look_at_values(Communicator& processes, const DistributedTensor<Scalar, Ordinal>& tensor,
                    RunSettings& settings) {
  const HostExec host;
  const auto& part = tensor.part;
  EntryFacts& facts = settings.entries;
  detail::take_sizes(static_cast<double>(tensor.nnz), part.dimensions, facts);
  facts.determined_modes = unless_it_fails([&] {
    const auto subscripts = part.tensor.subscripts();
    const auto row_of = [&part](std::size_t mode, std::size_t own) {
      return static_cast<std::size_t>(part.rows[mode](own));
    };
    return detail::determined_modes(
        detail::NonzerosOfAll<std::remove_cvref_t<decltype(subscripts)>, decltype(row_of)>{
            processes, subscripts, part.dimensions, static_cast<std::size_t>(tensor.nnz), row_of});
  });
  facts.values = value_range(processes, tensor);
  if (facts.values) {
    facts.gaps = unless_it_fails([&] { return gap_sign(processes, host, part.tensor, facts); });
    facts.placeholder =
        unless_it_fails([&] { return placeholder_of(processes, host, part.tensor, facts); });
  }
}

}  // namespace genten
