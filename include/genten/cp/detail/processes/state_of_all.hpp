// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Where a run stands, from process 0 to all: a checkpoint is process 0's.

#include <genten/cp/detail/cp_als_state.hpp>
#include <genten/cp/exchange.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace genten::detail {

/// Replaces the bytes by those of process 0.
template <RealScalar Scalar, ExecutionSpace Exec>
void take_first_bytes(Exchange<Scalar, Exec>& processes, std::string& bytes) {
  auto length = static_cast<double>(bytes.size());
  processes.take_first({&length, 1});
  bytes.resize(static_cast<std::size_t>(length));
  std::vector<double> words((bytes.size() + sizeof(double) - 1) / sizeof(double));
  if (words.empty()) return;
  std::memcpy(words.data(), bytes.data(), bytes.size());
  processes.take_first(words);
  std::memcpy(bytes.data(), words.data(), bytes.size());
}

/// The state of process 0 on all processes, but for what is as large as factors: that stays where
/// it is, and is empty on the others.
template <RealScalar Scalar, ExecutionSpace Exec>
void take_first_state(Exchange<Scalar, Exec>& processes, CpAlsState<Scalar>& state) {
  auto& live = state.starts.live;
  auto& done = state.starts.best;
  std::vector<std::vector<Scalar>> large, best;
  const auto for_each_large = [&live](const auto& body) {
    for (auto& start : live) {
      for (auto& factor : start.step.factors) body(factor.elements);
      for (auto& factor : start.step.momentum.before) body(factor);
    }
  };
  for_each_large([&](auto& elements) { large.push_back(std::exchange(elements, {})); });
  if (done) best = std::exchange(done->model, {});
  std::string bytes = to_bytes(state);
  take_first_bytes(processes, bytes);
  if (processes.process() != 0) {
    ByteReader read(bytes);
    read(state);
    return;
  }
  auto next = large.begin();
  for_each_large([&](auto& elements) { elements = std::move(*next++); });
  if (done) done->model = std::move(best);
}

}  // namespace genten::detail
