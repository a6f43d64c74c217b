// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What notes need to know of a tensor that several processes have together.

#include <genten/dist/distribute.hpp>
#include <genten/run/report.hpp>

#include <array>
#include <optional>
#include <span>

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
  const auto values = unless_it_fails([&] {
    ValueSummary own;
    together(processes, [&] {
      own = summary_of(host, part.tensor.values(), static_cast<std::size_t>(part.tensor.nnz()));
    });
    std::array<double, 5> largest{-own.lowest, own.highest, -own.lowest_other, own.highest_other,
                                  -own.lowest_positive};
    combine(processes, std::span(&own.sums[0], ValueSummary::size), largest);
    own.lowest = -largest[0];
    own.highest = largest[1];
    own.lowest_other = -largest[2];
    own.highest_other = largest[3];
    own.lowest_positive = -largest[4];
    return std::optional(own);
  });
  if (!values || tensor.nnz == 0) return;
  facts.values = ValueRange{values->lowest, values->highest};
  judge_values(*values, settings);
}

}  // namespace genten
