// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dist/bisection.hpp>
#include <genten/dist/iteration_model.hpp>
#include <genten/dist/process_memory.hpp>

#include <gtest/gtest.h>

#include "dist_support.hpp"

namespace {

using genten::ClusterModel;
using genten::ExchangeCount;
using genten::HostExec;
using genten::predict_iteration;

/// Two processes, one mode with an exchange and one without.
ExchangeCount two_processes() {
  ExchangeCount count;
  count.nonzeros = {100, 60};
  genten::ModeExchange mode;
  mode.processes = {{10, 7, 3, 5, 1, 1}, {12, 7, 5, 3, 1, 1}};
  mode.rows = 14;
  mode.words = 8;
  mode.messages = 2;
  genten::ModeExchange alone;
  alone.processes = {{4, 4, 0, 0, 0, 0}, {6, 6, 0, 0, 0, 0}};
  alone.rows = 10;
  count.modes = {mode, alone};
  return count;
}

const ClusterModel machine{.bandwidth = 1000.0,
                           .latency = 1.0,
                           .message_seconds = 0.25,
                           .nonzero_seconds = 0.5,
                           .row_bandwidth = 100.0,
                           .mode_seconds = 3.0};

TEST(IterationModel, AddsUpWhatItSays) {
  const auto time = predict_iteration(two_processes(), {.rank = 2, .scalar_bytes = 8}, machine);
  EXPECT_DOUBLE_EQ(time.mttkrp, 100 * 2 * 2 * 0.5);      // nonzeros, modes, columns
  EXPECT_DOUBLE_EQ(time.rows, 2 * 11 * 16 / 100.0);      // of the process that takes longest
  EXPECT_DOUBLE_EQ(time.transfer, 2 * 5 * 16 / 1000.0);  // fold and expand of 5 rows
  EXPECT_DOUBLE_EQ(time.latency, 2 * (1.0 + 0.25) + 2 * 1.0);
  EXPECT_DOUBLE_EQ(time.fixed, 2 * 3.0);
  EXPECT_DOUBLE_EQ(time.total(),
                   time.mttkrp + time.rows + time.transfer + time.latency + time.fixed);
}

TEST(IterationModel, OneProcessWaitsForNobody) {
  const HostExec exec;
  const genten::TensorSlices<std::uint32_t> slices(
      exec, genten_test::skewed_tensor<std::uint32_t>({9, 8}, 30, 1));
  const auto count = count_exchange(exec, slices, genten::Partition(2));
  const auto time = predict_iteration(count, {}, ClusterModel());
  EXPECT_EQ(time.transfer + time.latency, 0.0);
  EXPECT_DOUBLE_EQ(time.mttkrp, 30 * 2 * 16 * 25e-12);
}

// Two teams of two: each part of 8 bytes of a row of 16.
TEST(IterationModel, ColumnGroupsShareColumns) {
  EXPECT_DOUBLE_EQ(genten::words_in_groups(two_processes(), 1), 8.0);
  EXPECT_DOUBLE_EQ(genten::words_in_groups(two_processes(), 2), 8.0 + 0.5 * (14 + 10));
  const auto time = predict_iteration(two_processes(), {.rank = 2, .column_groups = 2}, machine);
  EXPECT_DOUBLE_EQ(time.mttkrp, 100 * 2 * 1 * 0.5 * 1.1);
  EXPECT_DOUBLE_EQ(time.transfer, 2 * (5 + 0.5 * 7 + 0.5 * 6) * 8 / 1000.0);
  EXPECT_DOUBLE_EQ(time.latency, 2 * (2 * 1.0 + 2 * 0.25) + 2 * (1.0 + 0.25) + 2 * 2 * 1.0);
}

// All columns on their own: every process has all nonzeros, and hands all rows around.
TEST(IterationModel, GroupsOfAllColumnsSendEachRowOnce) {
  const HostExec exec;
  const genten::TensorSlices<std::uint32_t> slices(
      exec, genten_test::skewed_tensor<std::uint32_t>({90, 80}, 3000, 1));
  const auto count = count_exchange(exec, slices, genten::Partition(2));
  const auto rows = static_cast<double>(slices.mode(0).rows.size() + slices.mode(1).rows.size());
  EXPECT_DOUBLE_EQ(genten::words_in_groups(count, 8), rows * 7 / 8);
}

TEST(ProcessMemory, CountsNonzerosAndRows) {
  const HostExec exec;
  const genten::TensorSlices<std::uint32_t> slices(
      exec, genten_test::skewed_tensor<std::uint32_t>({900, 800, 70}, 30000, 1));
  genten::CpAlsOptions options;
  options.rank = 4;
  const auto of = [&](std::size_t processes) {
    const auto count = count_exchange(exec, slices, genten::bisect(exec, slices, processes));
    const auto parts = genten::process_memory<double, std::uint32_t, HostExec>(
        count, 0, options, genten::MachineProperties::of(exec));
    EXPECT_EQ(parts[0].bytes, static_cast<double>(count.nonzeros[0]) * 20.0);
    EXPECT_EQ(parts[2].bytes == 0.0, processes == 1);
    return genten::total_bytes(parts);
  };
  EXPECT_LT(of(8), 0.5 * of(1));
}

}  // namespace
