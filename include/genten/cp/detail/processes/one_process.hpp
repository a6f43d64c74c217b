// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// OneProcess: the Exchange of a run that has one process.

#include <genten/cp/exchange.hpp>

namespace genten::detail {

/// One process has the whole tensor and all rows: nothing is exchanged, nothing copied.
template <RealScalar Scalar, ExecutionSpace Exec>
class OneProcess final : public Exchange<Scalar, Exec> {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;

  /// One for all runs, since it has no state.
  [[nodiscard]] static OneProcess& instance() {
    static OneProcess only;
    return only;
  }

  [[nodiscard]] bool is_distributed() const override { return false; }
  [[nodiscard]] std::size_t process() const override { return 0; }
  [[nodiscard]] std::size_t own_rows(int /*mode*/, std::size_t all) const override { return all; }
  void send_parts(const Exec& /*exec*/, int /*mode*/, const Matrix& /*rows*/) override {}
  void add_parts(const Exec& /*exec*/, int /*mode*/, const Matrix& /*rows*/) override {}
  void expand(const Exec& /*exec*/, int /*mode*/, const Matrix& /*rows*/) override {}
  void combine(std::span<double> /*sums*/, std::span<double> /*largest*/) override {}
  [[nodiscard]] bool queue_combine(const Exec& /*exec*/,
                                   std::span<const CombinedNumbers> /*numbers*/) override {
    return true;
  }
  void take_first(std::span<double> /*numbers*/) override {}
  [[nodiscard]] Matrix gather(const Exec& /*exec*/, int /*mode*/, const Matrix& rows) override {
    return rows;
  }
  void scatter(const Exec& /*exec*/, int /*mode*/, const Matrix& all, Matrix& rows) override {
    rows = all;
  }
  void together(const std::function<void()>& body) override { body(); }
  void add_times(PhaseTimings& /*timings*/) override {}
};

}  // namespace genten::detail
