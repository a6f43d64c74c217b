// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What cp_als says that it takes is what it takes, and what does not fit is refused before the
// first iteration.

#include <genten/core/random.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/cp_als.hpp>
#include <genten/cp/memory.hpp>
#include <genten/mttkrp/kernel_list.hpp>
#include <genten/mttkrp/plan.hpp>

#include "memory_recorder.hpp"
#include "test_types.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using genten::CpAlsForecast;
using genten::CpAlsOptions;
using testing::ContainsRegex;
using testing::HasSubstr;

template <class Combination>
class CpAlsMemory : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Ordinal = typename Combination::Ordinal;
  using Tensor = genten::Sptensor<Scalar, Ordinal, Exec>;
  static constexpr bool host = genten::is_host_space<Exec>;

  /// Distinct subscripts, of every `step`-th row alone.
  static Tensor make(const std::vector<std::size_t>& dimensions, std::size_t nnz,
                     std::size_t step = 1) {
    std::vector<Ordinal> subscripts;
    std::vector<Scalar> values;
    for (std::size_t p = 0; p < nnz; ++p) {
      for (std::size_t n = 0; n < dimensions.size(); ++n) {
        const std::size_t rows = dimensions[n] / step;
        subscripts.push_back(static_cast<Ordinal>(genten::random_bits(1, n, p) % rows * step));
      }
      values.push_back(static_cast<Scalar>(p + 1));
    }
    return genten::sum_duplicates(Exec(), Tensor::from_host(dimensions, subscripts, values)).tensor;
  }

  CpAlsForecast forecast(const Tensor& tensor, const CpAlsOptions& options,
                         double available = 1e18) const {
    auto relabeled = genten::Relabeling<Ordinal, Exec>(exec, tensor).apply(exec, tensor);
    const auto problem = genten::detail::mttkrp_problem(exec, relabeled, options.rank);
    return genten::forecast_cp_als<Scalar, Exec>(
        problem, tensor.dimensions(), options, genten::machine_of(exec, options.mttkrp), available);
  }

  /// Compares a run's forecast with what lived at its peak.
  void compare(const Tensor& tensor, CpAlsOptions options) const {
    options.max_iterations = 2;
    options.tolerance = 0.0;
    const auto run = [&] { return genten::cp_als(exec, tensor, options); };
    // Kokkos keeps scratch memory from launch to launch: it is there the second time.
    static_cast<void>(run());
    double peak = 0.0;
    const auto result = [&] {
      const genten_test::MemoryRecorder recorder(Exec::memory_space::name());
      auto recorded = run();
      peak = recorder.peak();
      return recorded;
    }();
    const auto told = forecast(tensor, options);
    ASSERT_EQ(result.kernel, told.kernels.name);
    // The recorder does not see R x R matrices in memory of the standard library.
    double seen = told.memory.peak();
    const double rank = static_cast<double>(options.rank);
    if (host) seen -= 8.0 * (tensor.order() + 4.0) * rank * rank;
    constexpr double small_arrays = 512 << 10;
    EXPECT_NEAR(peak, seen, 0.1 * seen + small_arrays) << result.kernel;
  }

  std::string refusal(const Tensor& tensor, const CpAlsOptions& options) const {
    std::size_t iterations = 0;
    const auto count = [&](const auto&) {
      ++iterations;
      return genten::ObserverAction::proceed;
    };
    std::string message;
    try {
      static_cast<void>(genten::cp_als(exec, tensor, options, count));
    } catch (const genten::Error& error) {
      EXPECT_EQ(error.kind(), genten::Error::Kind::memory) << error.what();
      message = error.what();
    }
    EXPECT_EQ(iterations == 0, !message.empty());
    return message;
  }

  Exec exec;
};

template <class Exec>
using TwoOfEach = std::tuple<genten_test::Types<Exec, double, std::uint32_t>,
                             genten_test::Types<Exec, float, std::uint32_t>>;
using Combinations = decltype(genten_test::combinations<TwoOfEach>(genten_test::AllSpaces()));
TYPED_TEST_SUITE(CpAlsMemory, Combinations, genten_test::TypeNames);

TYPED_TEST(CpAlsMemory, OfARunThatPreparationDominates) {
  this->compare(this->make({600, 500, 700}, 300'000), {.rank = 4});
}

TYPED_TEST(CpAlsMemory, OfARunThatFactorsDominate) {
  this->compare(this->make({60'000, 50'000, 70'000}, 150'000), {.rank = 24});
}

TYPED_TEST(CpAlsMemory, OfARunThatTheFinalModelDominates) {
  this->compare(this->make({600'000, 500'000, 700'000}, 20'000, 50), {.rank = 16});
}

TYPED_TEST(CpAlsMemory, OfSeveralStarts) {
  if (!TestFixture::host) GTEST_SKIP() << "side by side, they take of what is left";
  this->compare(this->make({60'000, 50'000, 70'000}, 150'000), {.rank = 24, .starts = 2});
}

TYPED_TEST(CpAlsMemory, OfAnAcceleratedRun) {
  const auto tensor = this->make({60'000, 50'000, 70'000}, 150'000);
  for (const std::size_t starts : {1, 2}) {  // in float, the second makes models of starts
    CpAlsOptions options{.rank = 24, .starts = starts};
    options.acceleration = genten::Acceleration::nesterov;
    this->compare(tensor, options);
  }
  const auto factors = this->forecast(tensor, {.rank = 24}).memory.factors;
  CpAlsOptions options{.rank = 24};
  EXPECT_EQ(this->forecast(tensor, options).memory.momentum, 0.0);
  options.acceleration = genten::Acceleration::nesterov;
  EXPECT_EQ(this->forecast(tensor, options).memory.momentum, factors);
  options.fixed_modes = {0, 1, 2};
  EXPECT_EQ(this->forecast(tensor, options).memory.momentum, 0.0);
}

TYPED_TEST(CpAlsMemory, OfARunUnderConstraints) {
  CpAlsOptions options{.rank = 24, .starts = 2};
  options.nonnegative.all = true;
  this->compare(this->make({60'000, 50'000, 70'000}, 150'000), options);
}

TYPED_TEST(CpAlsMemory, OfEveryKernel) {
  const auto tensor = this->make({60'000, 500, 700}, 100'000);
  for (const auto& name : genten::kernel_names<typename TypeParam::Exec>()) {
    SCOPED_TRACE(name);
    this->compare(tensor, {.rank = 20, .mttkrp = {.kernel = name}});
  }
}

/// Bytes by a name of /proc/self/status; 0 where there are none.
double status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name + ":")) return 1024.0 * std::stod(line.substr(name.size() + 1));
  }
  return 0.0;
}

TYPED_TEST(CpAlsMemory, OfARunThatMatricesDominate) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "memory that is given back stays for a while";
#endif
  if (!this->host) GTEST_SKIP() << "the matrices of a device are in Kokkos' memory";
  const auto tensor = this->make({5, 4, 3}, 60);
  const CpAlsOptions options{.rank = 300, .max_iterations = 1};
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 18);  // what is given back goes back to the system
#endif
  static_cast<void>(genten::cp_als(this->exec, tensor, options));  // what LAPACK keeps
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak is what there is
  const double before = status("VmRSS");
  static_cast<void>(genten::cp_als(this->exec, tensor, options));
  const double peak = status("VmHWM") - before;
  if (before == 0.0 || peak > 1e9) GTEST_SKIP() << "the system does not say";
  const double told = this->forecast(tensor, options).memory.peak();
  EXPECT_NEAR(peak, told, 0.25 * told);
}

TYPED_TEST(CpAlsMemory, RanksWhoseMatricesDoNotFitAreRefusedBeforeTheFirstIteration) {
  const auto tensor = this->make({5, 4, 3}, 60);
  for (const std::size_t rank : {std::size_t{50'000}, std::size_t{1'000'000}}) {
    const std::string message =
        this->refusal(tensor, {.rank = rank, .memory_available = 8.0 * (1 << 30)});
    EXPECT_THAT(message, HasSubstr("CP-ALS of rank " + std::to_string(rank) + " needs "));
    EXPECT_THAT(message, HasSubstr("R x R matrices "));
    EXPECT_THAT(message, HasSubstr("allowed are 8 GiB; rank "));
  }
}

TYPED_TEST(CpAlsMemory, AFinalModelThatDoesNotFitIsRefusedBeforeTheFirstIteration) {
  // Few rows are used, so that all else is small.
  const auto tensor = this->make({400'000, 5, 3}, 2000);
  const double model = 400'000.0 * 16 * sizeof(typename TypeParam::Scalar);
  CpAlsOptions options{.rank = 16, .max_iterations = 1, .memory_available = 0.9 * model};
  const std::string message = this->refusal(tensor, options);
  EXPECT_THAT(message, HasSubstr("CP-ALS of rank 16 needs "));
  EXPECT_THAT(message, HasSubstr(", model "));
  options.memory_available = 1.2 * model;
  EXPECT_EQ(this->refusal(tensor, options), "");
}

TYPED_TEST(CpAlsMemory, NumbersOfRowsThatDoNotFitAreRefusedBeforeTheyAreMade) {
  const auto tensor = this->make({400'000, 5, 3}, 30'000);
  EXPECT_THAT(
      this->refusal(tensor, {.rank = 1, .memory_available = 1e6}),
      ContainsRegex("CP-ALS of rank 1, to find the rows with nonzeros, needs .* of .*memory, "
                    "allowed are 977 KiB; dropping empty slices .*may make it fit"));
}

TYPED_TEST(CpAlsMemory, TheRankThatIsSaidToFitDoesAndTheNextDoesNot) {
  const auto tensor = this->make({5000, 4000, 300}, 20'000);
  CpAlsOptions options{.rank = 300, .max_iterations = 1, .memory_available = 12e6};
  const std::string message = this->refusal(tensor, options);
  const std::size_t at = message.find("; rank ");
  ASSERT_NE(at, std::string::npos) << message;
  options.rank = std::stoul(message.substr(at + 7));
  EXPECT_GT(options.rank, 1u);
  EXPECT_EQ(this->refusal(tensor, options), "");
  ++options.rank;
  EXPECT_NE(this->refusal(tensor, options), "");
}

TYPED_TEST(CpAlsMemory, WhereNoRankFitsThatIsSaid) {
  // The model's rows take far more than finding those with nonzeros, which is refused before.
  const auto tensor = this->make({4'000'000, 4, 3}, 30'000);
  EXPECT_THAT(this->refusal(tensor, {.rank = 3, .memory_available = 5e6}),
              HasSubstr("; no rank would fit as it is; dropping empty slices "));
}

TYPED_TEST(CpAlsMemory, AnAutomaticKernelLeavesRoomForTheRest) {
  const auto tensor = this->make({600, 500, 700}, 100'000);
  CpAlsOptions options{.rank = 20, .max_iterations = 1, .mttkrp = {.kernel = "atomic"}};
  options.memory_available = 1.01 * this->forecast(tensor, options).memory.peak();
  options.mttkrp.kernel = "auto";
  const auto result = genten::cp_als(this->exec, tensor, options);
  EXPECT_LT(result.kernel_choice.find(result.kernel)->memory, 0.01 * options.memory_available);
  EXPECT_FALSE(result.kernel_choice.refused().empty());
  options.mttkrp.kernel = "permuted";
  EXPECT_NE(this->refusal(tensor, options), "");
}

}  // namespace
