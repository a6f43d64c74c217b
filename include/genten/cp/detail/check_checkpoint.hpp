// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Whether a checkpoint is one of the run that is to go on.

#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/detail/starts/starts_state.hpp>
#include <genten/cp/options.hpp>

#include <string>

namespace genten::detail {

/// The names of the options that differ though they must not.
template <class Options>
[[nodiscard]] std::vector<std::string> different_options(const Options& a, const Options& b) {
  std::vector<std::string> others, names;
  for_each_field(b, [&](const auto&, const auto& value) { others.push_back(to_bytes(value)); });
  std::size_t k = 0;
  for_each_field(a, [&](const auto& field, const auto& value) {
    const bool same = to_bytes(value) == others[k++];
    if (!same && !may_change_on_resume(field.name)) names.emplace_back(field.name);
  });
  return names;
}

/// Throws Error unless the options are those of the checkpoint.
template <class Options>
void check_same_options(const Options& saved, const Options& options) {
  std::string names;
  for (const std::string& name : different_options(saved, options)) {
    names += (names.empty() ? "" : ", ") + name;
  }
  if (names.empty()) return;
  throw Error("the checkpoint is of a run with other options: " + names)
      .as(Error::Code::checkpoint);
}

/// Throws Error unless the tensor is that of the checkpoint.
inline void check_same_tensor(const TensorFingerprint& saved, const TensorFingerprint& tensor) {
  if (saved == tensor) return;
  const bool same_shape = saved.dimensions == tensor.dimensions && saved.nnz == tensor.nnz;
  throw Error("the checkpoint is of another tensor: " + saved.text() +
              (same_shape ? ", but others" : ", this one has " + tensor.text()))
      .as(Error::Code::checkpoint);
}

}  // namespace genten::detail
