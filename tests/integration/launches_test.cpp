// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <genten/base/detail/backend.hpp>
#include <genten/core/generate.hpp>
#include <genten/cp/cp_als.hpp>
#include <genten/mttkrp/kernel_list.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tool_recorder.hpp"

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

class Launches : public testing::TestWithParam<std::string> {
 protected:
  static genten::Sptensor<double> tensor() {
    auto const planted =
        genten::generate_planted<double>(genten::HostExec(), {40, 30, 20}, 3, 6, 0.01, 7);
    return genten::copy_to<Exec>(planted.tensor);
  }

  static genten::CpAlsOptions options() {
    genten::CpAlsOptions options;
    options.rank = 4;
    options.max_iterations = 6;
    options.tolerance = 0.0;
    options.mttkrp.kernel = GetParam();
    return options;
  }
};

TEST_P(Launches, CarryALabelAndRunOnTheGivenInstance) {
  auto const sptensor = tensor();
  // On devices another one than that which stands for none.
  genten::detail::Backend<Exec>::SideQueue const queue;
  auto const given = Kokkos::Tools::Experimental::device_id(queue.exec());
  auto const usual = Kokkos::Tools::Experimental::device_id(Exec());
  genten_test::ToolRecorder const recorder;
  auto const result = genten::cp_als(queue.exec(), sptensor, options());
  ASSERT_EQ(result.iterations, 6U);

  std::size_t on_given = 0;
  std::map<std::uint32_t, std::string> others;  // with the label of a launch
  for (auto const& launch : recorder.launches()) {
    // Kokkos launches kernels of its own to fill and copy Views.
    if (launch.label.rfind("Kokkos::", 0) == 0) continue;
    EXPECT_EQ(launch.label.rfind("genten::", 0), 0U) << launch.label;
    if (launch.device == given) {
      ++on_given;
    } else {
      others.emplace(launch.device, launch.label);
      EXPECT_NE(launch.device, usual) << launch.label;
    }
  }
  EXPECT_GE(on_given, 6U * 3U) << "an MTTKRP a mode and iteration is the least";
  // A device solves the R x R systems on an instance of their own.
  EXPECT_LE(others.size(), genten::is_host_space<Exec> ? 0U : 1U)
      << (others.empty() ? "" : others.begin()->second);
}

TEST_P(Launches, IterationsAllocateNothing) {
  auto const sptensor = tensor();
  genten_test::ToolRecorder const recorder;
  std::vector<std::size_t> allocations;
  auto const count = [&](genten::KtensorIteration<double, Exec> const&) {
    allocations.push_back(recorder.allocations().size());
    return genten::ObserverAction::proceed;
  };
  auto const result =
      genten::cp_als(Exec(), sptensor, options(), genten::KtensorObserver<double, Exec>(count));
  ASSERT_EQ(allocations.size(), 6U);
  EXPECT_GT(allocations.front(), 0U) << "the recorder has seen the preparation";
  for (std::size_t i = 2; i < allocations.size(); ++i) {
    EXPECT_EQ(allocations[i], allocations[1])
        << "iteration " << i + 1 << " allocated " << recorder.allocations()[allocations[i - 1]];
  }
}

std::vector<std::string> kernels() {
  auto names = genten::kernel_names<Exec>();
  names.emplace_back("auto");
  return names;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Launches, testing::ValuesIn(kernels()),
                         [](auto const& parameter) { return parameter.param; });

}  // namespace
