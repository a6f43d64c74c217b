// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What cp_completion says that it takes is what it takes, and what does not fit is refused.
#include <genten/core/random.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/detail/completion/completion_memory.hpp>

#include "completion_support.hpp"
#include "memory_recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using genten::CpCompletionOptions;
using genten_test::completion::CompletionTest;

template <class Combination>
class CompletionMemory : public CompletionTest<Combination> {
 protected:
  using Base = CompletionTest<Combination>;
  using typename Base::Exec;
  using typename Base::Scalar;
  using typename Base::Tensor;

  /// Distinct entries, unsorted.
  static Tensor make_entries(const std::vector<std::size_t>& dimensions, std::size_t entries,
                             std::uint64_t seed) {
    std::vector<std::uint32_t> subscripts;
    std::vector<Scalar> values;
    for (std::size_t p = 0; p < entries; ++p) {
      for (std::size_t n = 0; n < dimensions.size(); ++n) {
        subscripts.push_back(
            static_cast<std::uint32_t>(genten::random_bits(seed, n, p) % dimensions[n]));
      }
      values.push_back(static_cast<Scalar>(1 + p % 100'000));
    }
    return genten::sum_duplicates(Exec(), Tensor::from_host(dimensions, subscripts, values)).tensor;
  }

  /// Compares the bytes from which on a run is not refused with what lives at its peak.
  template <class... Arguments>
  void compare(CpCompletionOptions options, const Arguments&... arguments) const {
    options.tolerance = 0.0;
    options.max_iterations = 2;
    const auto run = [&] { return genten::cp_completion(this->exec, arguments..., options); };
    static_cast<void>(run());  // scratch memory of Kokkos stays
    double peak = 0.0;
    {
      const genten_test::MemoryRecorder recorder(Exec::memory_space::name());
      static_cast<void>(run());
      peak = recorder.peak();
    }
    options.max_iterations = 0;
    double refused = 0.5 * peak, enough = 2.0 * peak;
    while (enough > 1.01 * refused) {
      options.memory_available = 0.5 * (refused + enough);
      try {
        static_cast<void>(run());
        enough = options.memory_available;
      } catch (const genten::Error& error) {
        ASSERT_EQ(error.kind(), genten::Error::Kind::memory) << error.what();
        refused = options.memory_available;
      }
    }
    EXPECT_GE(enough, 0.999 * peak);
    EXPECT_LE(refused, 1.1 * peak);
  }
};
TYPED_TEST_SUITE(CompletionMemory, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(CompletionMemory, OfListsOfMissingEntries) {
  const std::vector<std::size_t> dimensions{600, 500, 700};
  const auto tensor = this->make_entries(dimensions, 400'000, 1);
  const auto missing = this->make_entries(dimensions, 3000, 2),
             many = this->make_entries(dimensions, 300'000, 3);
  for (const char* const kernel : {"atomic", "permuted"}) {
    SCOPED_TRACE(kernel);
    this->compare({.rank = 4, .mttkrp = {.kernel = kernel}}, tensor, missing);
  }
  this->compare({.rank = 4, .mttkrp = {.kernel = "atomic"}}, tensor, many);
}

TYPED_TEST(CompletionMemory, OfModels) {
  const std::vector<std::size_t> dimensions{20'000, 15'000, 30'000};
  const auto tensor = this->make_entries(dimensions, 20'000, 1);
  const auto missing = this->make_entries(dimensions, 3000, 2);
  for (const std::size_t starts : {1U, 2U}) {
    this->compare({.rank = 24, .starts = starts, .mttkrp = {.kernel = "atomic"}}, tensor, missing);
  }
}

TYPED_TEST(CompletionMemory, OfEntriesThatAreListed) {
  const auto tensor = this->make_entries({600, 500, 700}, 400'000, 1);
  this->compare({.rank = 4}, tensor);
  this->compare({.rank = 4, .holdout = 0.1}, tensor);
}

TYPED_TEST(CompletionMemory, AnAutomaticKernelLeavesRoomForTheRest) {
  const std::vector<std::size_t> dimensions{600, 500, 700};
  const auto tensor = this->make_entries(dimensions, 400'000, 1);
  const auto missing = this->make_entries(dimensions, 3000, 2);
  CpCompletionOptions options{.rank = 20, .max_iterations = 1};
  const auto free = genten::cp_completion(this->exec, tensor, missing, options);
  ASSERT_NE(free.kernel, "per-row normal equations, atomic");
  options.memory_available = 16e6;
  const genten_test::MemoryRecorder recorder(TypeParam::Exec::memory_space::name());
  const auto bound = genten::cp_completion(this->exec, tensor, missing, options);
  EXPECT_NE(bound.kernel, free.kernel);
  EXPECT_LE(recorder.peak(), options.memory_available);
}

}  // namespace
