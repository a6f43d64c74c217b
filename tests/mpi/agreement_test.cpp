// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What processes must agree on: errors, decisions, and what comes to one of them from outside.
#include "mpi_support.hpp"

#include <genten/dist/cp_als.hpp>
#include <genten/dist/detail/row_traffic.hpp>

#include <cmath>

namespace {

using namespace genten;
using namespace genten_test;

using Exec = Kokkos::DefaultExecutionSpace;

CpAlsOptions endless() {
  return iterations_of(3, 100'000);
}

bool is_last() {
  return processes().process() + 1 == processes().size();
}

const auto tensor = [] { return skewed_tensor<double, std::uint32_t>({100, 30, 50}, 3000, 3); };

/// The message of the AgreedError that `run` throws.
template <class Run>
std::string agreed_error(const Run& run) {
  try {
    static_cast<void>(run());
  } catch (const AgreedError& error) {
    processes().barrier();  // all are here
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

/// Processes that differ from those that there are in what a test says.
class OtherProcesses : public Communicator {
 public:
  [[nodiscard]] std::size_t process() const override { return processes().process(); }
  [[nodiscard]] std::size_t size() const override { return processes().size(); }
  void barrier() override { processes().barrier(); }
  void broadcast(void* data, std::size_t bytes, std::size_t from) override {
    processes().broadcast(data, bytes, from);
  }
  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    processes().all_gather(mine, bytes, all);
  }
  void all_to_all(const void* mine, std::size_t bytes, void* theirs) override {
    processes().all_to_all(mine, bytes, theirs);
  }
  void exchange(std::span<const Outgoing> sent, std::span<const Incoming> received) override {
    processes().exchange(sent, received);
  }
};

TEST(Agreement, wrong_options_are_one_error) {
  CpAlsOptions options = endless();
  options.mode_order = {0, 1};
  EXPECT_EQ(
      agreed_error([&] { return cp_als(Exec(), processes(), distributed(tensor()), options); }),
      "option mode-order: expected all 3 modes, got 2");
  options = endless();
  options.tolerance = 2.0;
  agreed_error([&] { return cp_als(Exec(), processes(), distributed(tensor()), options); });
}

TEST(Agreement, a_norm_beyond_double_is_one_error) {
  const auto huge = times_power_of_two(HostExec(), tensor(), 1019);
  const std::string text =
      agreed_error([&] { return cp_als(Exec(), processes(), distributed(huge), endless()); });
  EXPECT_EQ(text.find("cp_als: the norm of the tensor"), 0U) << text;
}

TEST(Agreement, a_guess_that_is_wrong_on_one_process_is_an_error_on_all) {
  CpAlsOptions options = endless();
  options.max_iterations = 1;
  const auto parts = distributed(tensor());
  const auto guess = cp_als(Exec(), copy_to<Exec>(tensor()), options).model;
  if (is_last()) Kokkos::deep_copy(guess.weights(), std::nan(""));
  const std::string text =
      agreed_error([&] { return cp_als(Exec(), processes(), parts, options, {}, &guess); });
  EXPECT_NE(text.find("expected a finite initial guess"), std::string::npos) << text;
  options.starts = 2;
  agreed_error([&] { return cp_als(Exec(), processes(), parts, options, {}, &guess); });
}

/// A tensor in float whose models have weights that are not.
auto heavy_tensor() {
  const auto light = skewed_tensor<float, std::uint32_t>({100, 30, 50}, 3000, 3);
  return times_power_of_two(HostExec(), light, 124);
}

TEST(Agreement, a_model_that_process_0_cannot_finish_is_an_error_on_all) {
  CpAlsOptions options = endless();
  options.max_iterations = 4;
  std::size_t seen = 0, failed = 0;
  const auto look = [&](const KtensorIteration<float, Exec>& iteration) {
    ++seen;
    try {
      static_cast<void>(iteration.model());
    } catch (const Error&) {
      ++failed;  // and goes on
    }
    return ObserverAction::proceed;
  };
  const std::string text = agreed_error(
      [&] { return cp_als(Exec(), processes(), distributed(heavy_tensor()), options, look); });
  EXPECT_NE(text.find("not representable in float"), std::string::npos) << text;
  EXPECT_EQ(seen, processes().process() == 0 ? 4U : 0U);
  EXPECT_EQ(failed, seen);
}

TEST(Agreement, what_an_observer_throws_ends_all_and_is_told) {
  const auto fail = [](const KtensorIteration<double, Exec>&) -> ObserverAction {
    throw std::logic_error("the disk is full");
  };
  const auto run = [&] {
    return cp_als(Exec(), processes(), distributed(tensor()), endless(), fail);
  };
  if (processes().process() == 0) {
    EXPECT_THROW(static_cast<void>(run()), std::logic_error);
    processes().barrier();
    return;
  }
  const std::string text = agreed_error(run);
  EXPECT_NE(text.find("the observer has failed: the disk is full"), std::string::npos) << text;
}

TEST(Agreement, one_interrupted_process_ends_all_after_the_same_iteration) {
  std::size_t asked = 0;
  ProcessOptions how;
  how.interrupted = [&] { return is_last() && ++asked > 3; };
  std::optional<StopReason> last;
  const auto look = [&](const KtensorIteration<double, Exec>& iteration) {
    last = iteration.ends;
    return ObserverAction::proceed;
  };
  const auto result =
      cp_als(Exec(), processes(), distributed(tensor()), endless(), look, nullptr, how);
  EXPECT_EQ(result.stop_reason, StopReason::observer);
  EXPECT_EQ(result.iterations, 3U);  // it was asked before the first, too
  if (processes().process() == 0) {
    EXPECT_EQ(last, StopReason::observer);
  }
}

TEST(Agreement, the_first_time_limit_ends_all_after_the_same_iteration) {
  CpAlsOptions options = endless();
  options.time_limit = is_last() ? 0.1 : 1e6;
  const auto result = cp_als(Exec(), processes(), distributed(tensor()), options);
  EXPECT_EQ(result.stop_reason, StopReason::time_limit);
  for (const std::size_t iterations : all_gather(processes(), result.iterations)) {
    EXPECT_EQ(iterations, result.iterations);
  }
}

/// Processes of which all but the first round sums of matrices otherwise.
class OtherProcessors final : public OtherProcesses {
 public:
  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    processes().all_gather(mine, bytes, all);
    if (process() == 0 || bytes < 9 * sizeof(double)) return;
    auto* const numbers = static_cast<double*>(all);
    for (std::size_t i = 0; i < size() * bytes / sizeof(double); ++i) {
      if (std::isfinite(numbers[i])) numbers[i] *= 1.0 + 1e-13;
    }
  }
};

TEST(Agreement, other_rounding_leads_to_no_other_decision) {
  OtherProcessors others;
  CpAlsOptions options = endless();
  options.tolerance = 1e-7;
  const auto parts = distributed(tensor());
  const auto result = cp_als(Exec(), others, parts, options);
  for (const std::size_t iterations : all_gather(processes(), result.iterations)) {
    ASSERT_EQ(iterations, result.iterations);
  }
  for (const IterationRecord& record : result.history) {
    for (const double fit : all_gather(processes(), record.fit)) EXPECT_EQ(fit, record.fit);
  }
}

/// Processes on a machine of very many.
class CrowdedProcesses final : public OtherProcesses {
 public:
  [[nodiscard]] Node node() const override { return {.size = std::size_t{1} << 50}; }
};

TEST(Agreement, processes_of_a_machine_share_its_memory) {
  if (!is_host_space<Exec>) GTEST_SKIP() << "of devices nothing is known";
  CrowdedProcesses crowded;
  const auto parts = distributed(tensor());
  const std::string text = agreed_error([&] { return cp_als(Exec(), crowded, parts, endless()); });
  EXPECT_NE(text.find("processes of the machine may take as much"), std::string::npos) << text;
  CpAlsOptions options = endless();
  options.max_iterations = 1;
  options.memory_available = 1e9;  // is a process's
  EXPECT_EQ(cp_als(Exec(), crowded, parts, options).iterations, 1U);
}

TEST(Agreement, processes_know_their_machine) {
  const auto node = processes().node();
  EXPECT_EQ(node.size, processes().size());
  EXPECT_EQ(node.number, processes().process());
  EXPECT_EQ(node.first, 0U);
}

TEST(Agreement, what_process_0_alone_does_fails_for_all) {
  std::size_t runs = 0;
  const std::string text = agreed_error([&] {
    first_alone(processes(), [&] {
      ++runs;
      throw Error(Error::Kind::file, "no such file");
    });
    return 0;
  });
  EXPECT_EQ(text, "no such file");
  EXPECT_EQ(runs, processes().process() == 0 ? 1U : 0U);
  EXPECT_NO_THROW(first_alone(processes(), [] {}));
}

TEST(Agreement, rows_that_cannot_be_counted_are_refused) {
  using Lists = detail::RowLists<Exec>;
  EXPECT_NO_THROW(Lists::require_countable((std::size_t{1} << 32) - 1));
  EXPECT_THROW(Lists::require_countable(std::size_t{1} << 32), Error);
}

}  // namespace
