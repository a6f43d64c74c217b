// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Runs on processes that go on from checkpoints, and processes and processes from each other's.
#include "mpi_support.hpp"

#include <genten/dist/cp_als.hpp>

namespace {

using namespace genten;
using namespace genten_test;

using Exec = Kokkos::DefaultExecutionSpace;
using Model = Ktensor<double, Exec>;
using Saved = Checkpoint<Model>;
using Options = CpAlsOptions;

/// With empty slices, and rows that only some processes have.
auto tensor() {
  return skewed_tensor<double, std::uint32_t>({300, 30, 50}, 2000, 3);
}

Options some_iterations() {
  Options options;
  options.rank = 4;
  options.max_iterations = 6;
  options.tolerance = 0.0;
  return options;
}

/// An observer that keeps every checkpoint, where it is called.
auto keep(std::vector<Saved>& saved) {
  return [&saved](const KtensorIteration<double, Exec>& iteration) {
    saved.push_back(iteration.checkpoint());
    return ObserverAction::proceed;
  };
}

std::vector<double> numbers(const Model& model) {
  const auto host = create_mirror_view_and_copy(model);
  std::vector<double> all;
  for (std::size_t r = 0; r < host.rank(); ++r) all.push_back(host.weights()(r));
  for (const auto& factor : host.factors()) {
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      all.insert(all.end(), factor.row(i), factor.row(i) + factor.columns());
    }
  }
  return all;
}

void expect_same_bits(const CpAlsResult<double, Exec>& found,
                      const CpAlsResult<double, Exec>& expected) {
  EXPECT_EQ(found.fit, expected.fit);
  EXPECT_EQ(found.stop_reason, expected.stop_reason);
  EXPECT_EQ(found.best_start, expected.best_start);
  ASSERT_EQ(found.history.size(), expected.history.size());
  for (std::size_t k = 0; k < found.history.size(); ++k) {
    EXPECT_EQ(found.history[k].fit, expected.history[k].fit) << k;
  }
  ASSERT_EQ(found.starts.size(), expected.starts.size());
  for (std::size_t s = 0; s < found.starts.size(); ++s) {
    EXPECT_EQ(found.starts[s].fit, expected.starts[s].fit) << s;
  }
  ASSERT_EQ(found.model.rank(), expected.model.rank());
  if (processes().process() == 0) {
    EXPECT_EQ(numbers(found.model), numbers(expected.model));
  }
}

void expect_same_fits(const CpAlsResult<double, Exec>& found,
                      const CpAlsResult<double, Exec>& expected) {
  ASSERT_EQ(found.history.size(), expected.history.size());
  for (std::size_t k = 0; k < found.history.size(); ++k) {
    EXPECT_NEAR(found.history[k].fit, expected.history[k].fit, 1e-12) << k;
  }
  EXPECT_NEAR(found.fit, expected.fit, 1e-12);
}

/// Runs, and goes on from every checkpoint of it: to the same bits on the same processes, and to
/// the same numbers in one process.
void check_every_checkpoint(const Options& options, const Model* guess = nullptr) {
  const auto parts = distributed(tensor());
  const auto whole = copy_to<Exec>(tensor());
  std::vector<Saved> saved;
  const auto all = cp_als(Exec(), processes(), parts, options, keep(saved), guess);
  const std::size_t iterations = options.max_iterations * options.starts;
  ASSERT_EQ(saved.size(), processes().process() == 0 ? iterations : 0U);
  for (std::size_t k = 0; k < iterations; ++k) {
    SCOPED_TRACE("checkpoint " + std::to_string(k));
    const Saved from = processes().process() == 0 ? saved[k] : Saved();
    const Options before = checkpoint_options(processes(), from);
    EXPECT_EQ(before.max_iterations, options.max_iterations);
    std::vector<Saved> later;
    expect_same_bits(cp_als(Exec(), processes(), parts, from, options, keep(later)), all);
    if (processes().process() != 0) continue;
    EXPECT_EQ(later.size() + k + 1, iterations);
    if (!later.empty()) {
      EXPECT_EQ(numbers(later.back().model), numbers(saved.back().model));
    }
    expect_same_fits(cp_als(Exec(), whole, from, options), all);
  }
}

TEST(ProcessCheckpoints, lead_to_the_same_bits_and_to_the_numbers_of_one_process) {
  check_every_checkpoint(some_iterations());
}

TEST(ProcessCheckpoints, of_several_starts) {
  Options options = some_iterations();
  options.max_iterations = 3;
  options.starts = 3;
  check_every_checkpoint(options);
}

TEST(ProcessCheckpoints, under_constraints) {
  Options options = some_iterations();
  options.nonnegative.all = true;
  options.ridge = {0.1};
  check_every_checkpoint(options);
}

TEST(ProcessCheckpoints, of_accelerated_runs) {
  Options options = some_iterations();
  options.acceleration = Acceleration::nesterov;
  options.max_iterations = 8;
  check_every_checkpoint(options);
}

TEST(ProcessCheckpoints, with_a_factor_of_the_caller) {
  Options options = some_iterations();
  options.max_iterations = 2;
  const auto guess = cp_als(Exec(), copy_to<Exec>(tensor()), options).model;
  options.max_iterations = 4;
  options.fixed_modes = {1};
  check_every_checkpoint(options, &guess);
}

TEST(ProcessCheckpoints, of_one_process_lead_to_its_numbers) {
  Options options = some_iterations();
  options.starts = 2;
  const auto parts = distributed(tensor());
  std::vector<Saved> saved;
  const auto one = cp_als(Exec(), copy_to<Exec>(tensor()), options, keep(saved));
  for (const Saved& each : saved) {
    const Saved from = processes().process() == 0 ? each : Saved();
    expect_same_fits(cp_als(Exec(), processes(), parts, from, options), one);
  }
}

TEST(ProcessCheckpoints, of_other_runs_are_refused_by_all) {
  const auto parts = distributed(tensor());
  std::vector<Saved> saved;
  static_cast<void>(cp_als(Exec(), processes(), parts, some_iterations(), keep(saved)));
  const Saved from = processes().process() == 0 ? saved[2] : Saved();
  Options options = some_iterations();
  options.seed = 2;
  EXPECT_THROW(static_cast<void>(cp_als(Exec(), processes(), parts, from, options)), AgreedError);
  options = some_iterations();
  const auto other = distributed(skewed_tensor<double, std::uint32_t>({300, 30, 50}, 2000, 4));
  EXPECT_THROW(static_cast<void>(cp_als(Exec(), processes(), other, from, options)), AgreedError);
  EXPECT_THROW(static_cast<void>(cp_als(Exec(), processes(), parts, Saved(), options)),
               AgreedError);
  processes().barrier();
}

TEST(ProcessCheckpoints, the_mark_of_a_tensor_is_that_of_one_process) {
  const auto whole = tensor();
  EXPECT_EQ(distributed(whole).part.fingerprint, detail::TensorFingerprint::of(HostExec(), whole));
}

}  // namespace
