// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// genten decompose --missing: the file that lists missing entries.

#include "decompose.hpp"
#include "sidecar/listed_entries.hpp"
#include "sidecar/sidecar.hpp"
#include "sidecar/unknown_rows.hpp"

#include <genten/core/compact.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace genten::cli {

/// The missing entries of a tensor, where a file lists them: see `listed_entries`. Standard error
/// names rows of which there are no other entries.
template <class Tensor>
[[nodiscard]] std::optional<Tensor> missing_entries(const DecomposeOptions& options,
                                                    const Tensor& tensor,
                                                    const TensorFacts& facts) {
  using Listed = Sptensor<typename Tensor::scalar_type, typename Tensor::ordinal_type, HostExec>;
  using Exec = typename Tensor::execution_space;
  const std::string file = options.missing_file();
  if (file.empty()) return std::nullopt;
  const Labels known = labels_of(options.labels, facts);
  const NamedRows own{facts.file, known, facts.dimensions};
  const auto listed = listed_entries<Listed>(file, own, facts.file, facts.report);
  if constexpr (is_host_space<Exec>) {
    std::vector<std::vector<typename Tensor::ordinal_type>> used;
    for (int n = 0; n < tensor.order(); ++n) used.push_back(genten::detail::used_rows(tensor, n));
    const auto is_empty = [&](std::size_t n, std::size_t row) {
      return !std::binary_search(used[n].begin(), used[n].end(), row);
    };
    tell_of_unknown_rows(own, file, listed, is_empty, "have no nonzeros");
  }
  return copy_to<Exec>(listed);
}

}  // namespace genten::cli
