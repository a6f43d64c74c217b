// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What memory a process takes, and where the whole model counts.
#include "memory_recorder.hpp"
#include "mpi_support.hpp"

#include <genten/base/detail/memory_peak.hpp>
#include <genten/dist/bisection.hpp>
#include <genten/dist/cp_als.hpp>
#include <genten/dist/process_memory.hpp>

namespace {

using namespace genten;
using namespace genten_test;

using Exec = Kokkos::DefaultExecutionSpace;

CpAlsOptions two_iterations() {
  CpAlsOptions options = iterations_of(24, 2);
  options.mttkrp.kernel = "atomic";
  return options;
}

auto long_tensor() {
  return skewed_tensor<double, std::uint32_t>({200000, 40, 30}, 60000, 3);
}

/// The most that lives at once during a run of this process.
double peak_of_run(const DistributedTensor<double, std::uint32_t>& parts, bool gather) {
  const auto run = [&] {
    return cp_als(Exec(), processes(), parts, two_iterations(), {}, nullptr,
                  ProcessOptions{.gather = gather});
  };
  // Kokkos keeps scratch memory from launch to launch: it is there the second time.
  static_cast<void>(run());
  const MemoryRecorder recorder(Exec::memory_space::name());
  const auto result = run();
  return recorder.peak();
}

// Rows of the model become those that are stored, so that none takes memory for the whole.
TEST(ProcessMemory, is_what_was_forecast) {
  if (!genten::is_host_space<Exec>) GTEST_SKIP() << "parts are copied to devices";
  const auto tensor = long_tensor();
  const auto parts = distributed(tensor);
  const double peak = peak_of_run(parts, false);
  const TensorSlices<std::uint32_t> slices(HostExec(), tensor);
  const auto count =
      count_exchange(HostExec(), slices, bisect(HostExec(), slices, processes().size()));
  const auto told = process_memory<double, std::uint32_t, Exec>(
      count, processes().process(), two_iterations(), machine_of(Exec(), two_iterations().mttkrp));
  double seen = 0.0;
  for (const MemoryPart& part : told) {
    if (part.name != "nonzeros") seen += part.bytes;  // which are there before
  }
  constexpr double small_arrays = 512 << 10;
  EXPECT_NEAR(peak, seen, 0.1 * seen + small_arrays);
  const double whole = whole_model_bytes<double>(tensor.dimensions(), 24);
  EXPECT_LT(peak, whole);
  const double gathering = peak_of_run(parts, true);
  if (processes().process() == 0) {
    EXPECT_GT(gathering, whole);
  } else {
    EXPECT_LT(gathering, peak + small_arrays);
  }
}

TEST(ProcessMemory, of_the_whole_model_is_judged_where_it_is_gathered) {
  if (!genten::is_host_space<Exec>) GTEST_SKIP() << "hosts have their own";
  const auto parts = distributed(long_tensor());
  CpAlsOptions options = two_iterations();
  options.memory_available = 45e6;  // the model takes 38.4 MB, and as much is on its way
  try {
    static_cast<void>(cp_als(Exec(), processes(), parts, options));
    FAIL() << "nothing was thrown";
  } catch (const AgreedError& error) {
    EXPECT_EQ(error.kind(), Error::Kind::memory);
    EXPECT_NE(std::string(error.what()).find("the model of rank 24, on process 0, needs"),
              std::string::npos)
        << error.what();
  }
  const auto result =
      cp_als(Exec(), processes(), parts, options, {}, nullptr, ProcessOptions{.gather = false});
  EXPECT_EQ(result.iterations, 2U);
}

/// What a checkpoint of these options takes on process 0's host by the forecast.
double forecast_of_checkpoints(const DistributedTensor<double, std::uint32_t>& parts,
                               const CpAlsOptions& options) {
  return total_bytes(
      detail::host_parts_of_model<Exec>(parts, options.rank, options, WholeModel::checkpoints));
}

/// That checkpoints of a run have at most the state that is forecast, one of them as much, and take
/// one whole model to be made.
void check_checkpoints(const CpAlsOptions& options) {
  const auto parts = distributed(long_tensor());
  // Long arrays are whole pages.
  const auto pages = [](double bytes) {
    return genten::detail::array_bytes(bytes, !genten::is_host_space<Exec>);
  };
  double made = pages(detail::most_gathered_bytes(parts, options.rank));
  for (const std::size_t dimension : parts.part.dimensions) {
    made += pages(whole_model_bytes<double>({dimension}, options.rank));
  }
  const double expected = processes().process() == 0
                              ? detail::checkpoint_state_bytes(parts, options.rank, options)
                              : 0.0;
  constexpr double small_arrays = 512 << 10;
  double most = 0.0, peak = 0.0;
  const auto observer = [&](const KtensorIteration<double, Exec>& iteration) {
    const MemoryRecorder recorder(Exec::memory_space::name());
    const auto saved = iteration.checkpoint();
    most = std::max(most, static_cast<double>(saved.state.capacity()));
    peak = std::max(peak, recorder.peak());
    return ObserverAction::proceed;
  };
  static_cast<void>(cp_als(Exec(), processes(), parts, options, observer, nullptr,
                           ProcessOptions{.gather = false}));
  if (processes().process() != 0) return;
  EXPECT_NEAR(most, expected, small_arrays);
  EXPECT_NEAR(peak, made, small_arrays);
}

TEST(ProcessMemory, of_a_checkpoint_is_what_was_forecast) {
  check_checkpoints(two_iterations());
}

TEST(ProcessMemory, of_a_checkpoint_counts_the_rows_before_the_last_sweep) {
  CpAlsOptions options = two_iterations();
  options.acceleration = Acceleration::nesterov;
  check_checkpoints(options);
}

TEST(ProcessMemory, of_a_checkpoint_counts_the_best_start) {
  CpAlsOptions options = two_iterations();
  options.starts = 4;  // of which one becomes better than those before it
  check_checkpoints(options);
}

TEST(ProcessMemory, of_a_checkpoint_is_judged_with_all_that_it_holds) {
  if (!genten::is_host_space<Exec>) GTEST_SKIP() << "devices have their own";
  const auto parts = distributed(long_tensor());
  CpAlsOptions plain = two_iterations();
  if (processes().process() == 0) plain.memory_available = forecast_of_checkpoints(parts, plain);
  plain.memory_available += 1.0;
  const auto require = [&](const CpAlsOptions& options) {
    require_memory_to_gather<Exec>(processes(), parts, options.rank, options,
                                   WholeModel::checkpoints);
  };
  require(plain);
  CpAlsOptions fixed = plain, accelerated = plain, repeated = plain;
  fixed.fixed_modes = {0};  // of which there are rows without nonzeros
  accelerated.acceleration = Acceleration::nesterov;
  repeated.starts = 2;
  for (const CpAlsOptions& more : {fixed, accelerated, repeated}) {
    EXPECT_THROW(require(more), AgreedError);
  }
}

}  // namespace
