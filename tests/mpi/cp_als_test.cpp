// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_support.hpp"

#include <genten/cp/score.hpp>
#include <genten/dist/bisection.hpp>
#include <genten/dist/cp_als.hpp>
#include <genten/dist/detail/device_gather.hpp>
#include <genten/dist/exchange_count.hpp>

namespace {

using namespace genten;
using namespace genten_test;

using Exec = Kokkos::DefaultExecutionSpace;

template <class Scalar, class Ordinal>
auto decompose(const Sptensor<Scalar, Ordinal, HostExec>& tensor, const CpAlsOptions& options,
               const DistributeOptions& how = {}) {
  return cp_als(Exec(), processes(), distributed(tensor, how), options);
}

/// Every iteration's fit as one process has it, and the same model.
template <class Scalar, class Ordinal>
void check_like_one(const Sptensor<Scalar, Ordinal, HostExec>& tensor, const CpAlsOptions& options,
                    const DistributeOptions& how = {}) {
  const auto one = cp_als(Exec(), copy_to<Exec>(tensor), options);
  const auto several = decompose(tensor, options, how);
  const double tolerance = std::is_same_v<Scalar, double> ? 1e-12 : 2e-5;
  ASSERT_EQ(several.history.size(), one.history.size());
  for (std::size_t k = 0; k < one.history.size(); ++k) {
    EXPECT_NEAR(several.history[k].fit, one.history[k].fit, tolerance) << "iteration " << k + 1;
    const double objective = one.history[k].objective;
    EXPECT_NEAR(several.history[k].objective, objective, 10.0 * tolerance * objective);
  }
  EXPECT_NEAR(several.tensor_norm, one.tensor_norm, tolerance * one.tensor_norm);
  EXPECT_EQ(several.stop_reason, one.stop_reason);
  if (processes().process() != 0) {
    EXPECT_EQ(several.model.rank(), 0U);
    return;
  }
  EXPECT_EQ(several.model.dimensions(), one.model.dimensions());
  const double alike = score(Exec(), several.model, one.model).score;
  EXPECT_GT(alike, 1.0 - (sizeof(Scalar) == 8 ? 1e-8 : 1e-3));
}

CpAlsOptions ten_iterations(std::size_t rank) {
  return iterations_of(rank, 10);
}

TEST(DistributedCpAls, iterates_as_one_process_does_at_every_order) {
  for (std::size_t order = 2; order <= 6; ++order) {
    const auto tensor = skewed_tensor<double, std::uint32_t>(small_dimensions(order), 3000, order);
    check_like_one(tensor, ten_iterations(4));
  }
}

TEST(DistributedCpAls, with_wide_subscripts) {
  check_like_one(skewed_tensor<double, std::uint64_t>({1000, 30, 500}, 3000, 3), ten_iterations(5));
}

TEST(DistributedCpAls, in_float) {
  check_like_one(skewed_tensor<float, std::uint32_t>({100, 30, 50}, 3000, 3), ten_iterations(3));
}

TEST(DistributedCpAls, on_every_grid) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({100, 30, 50}, 3000, 8);
  for (const Grid& grid : all_grids(processes().size(), 3)) {
    check_like_one(tensor, ten_iterations(3), {.grid = grid});
  }
}

TEST(DistributedCpAls, under_constraints) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({100, 30, 50}, 3000, 10);
  CpAlsOptions options = ten_iterations(3);
  options.nonnegative.all = true;
  check_like_one(tensor, options);
  options.ridge = {0.5};
  options.l1 = {0.1};
  check_like_one(tensor, options);
  options = ten_iterations(3);
  options.ridge = {2.0};
  check_like_one(tensor, options);
  options = ten_iterations(3);
  options.upper = {0.7};
  options.lower = {0.0};
  check_like_one(tensor, options);
}

TEST(DistributedCpAls, accelerated) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({100, 30, 50}, 3000, 10);
  CpAlsOptions options = ten_iterations(3);
  options.acceleration = Acceleration::nesterov;
  check_like_one(tensor, options);
  options.mode_order = {1, 2, 0};
  options.nonnegative.all = true;
  check_like_one(tensor, options);
  options.ridge = {0.5};
  check_like_one(tensor, options);
}

/// What a DeviceTransport does, between hosts.
class HostTransport final : public DeviceTransport {
 public:
  [[nodiscard]] std::unique_ptr<DeviceMailbox> make_mailbox(std::size_t outgoing,
                                                            std::size_t incoming) override {
    return std::make_unique<Mailbox>(outgoing, incoming);
  }

 private:
  class Mailbox final : public DeviceMailbox {
   public:
    Mailbox(std::size_t outgoing, std::size_t incoming) : m_out(outgoing), m_in(incoming) {}
    [[nodiscard]] void* outgoing(const Message& message) const override {
      return m_out.data() + message.begin;
    }
    void deliver(void* /*queue*/, std::span<const Message> sent,
                 std::span<const Message> received) override {
      move(m_out.data(), sent, received, m_in.data());
    }
    void send(void* /*queue*/, const void* from, std::span<const Message> sent,
              std::span<const Message> received) override {
      move(static_cast<const std::byte*>(from), sent, received, m_in.data());
    }
    [[nodiscard]] const void* incoming() const override { return m_in.data(); }
    [[nodiscard]] void* offered() const override { return m_out.data(); }
    void fetch(void* /*queue*/, std::span<const Message> sent, std::span<const Message> received,
               void* to) override {
      move(m_out.data(), sent, received, static_cast<std::byte*>(to));
    }

   private:
    static void move(const std::byte* from, std::span<const Message> sent,
                     std::span<const Message> received, std::byte* to) {
      std::vector<Communicator::Outgoing> out;
      std::vector<Communicator::Incoming> in;
      for (const auto& each : sent) out.push_back({each.process, from + each.begin, each.bytes});
      for (const auto& each : received) in.push_back({each.process, to + each.begin, each.bytes});
      processes().exchange(out, in);
    }

    mutable std::vector<std::byte> m_out;
    std::vector<std::byte> m_in;
  };
};

/// Those that there are between the processes' devices, by name.
std::vector<TransportChoice> make_transports() {
  std::vector<TransportChoice> made;
  if constexpr (genten::is_host_space<Exec>) {
    made.push_back({std::make_unique<HostTransport>(), "hosts"});
  } else {
    for (const TransportKind kind : {TransportKind::peer, TransportKind::nccl}) {
      try {
        made.push_back(make_device_transport(processes(), kind));
      } catch (const AgreedError& error) {
        if (processes().process() == 0) std::printf("no transport: %s\n", error.what());
      }
    }
  }
  return made;
}

template <class Matrix>
std::vector<double> elements(const Matrix& matrix) {
  const auto host = genten::create_mirror_view(matrix);
  genten::deep_copy(Exec(), host, matrix);
  Exec().fence();
  std::vector<double> result;
  for (std::size_t i = 0; i < host.rows(); ++i) {
    result.insert(result.end(), host.row(i), host.row(i) + host.columns());
  }
  return result;
}

// Rows and sums that go from device to device have the bits of those that hosts move.
TEST(DistributedCpAls, has_the_same_bits_by_every_transport) {
  const auto transports = make_transports();
  if (transports.empty()) GTEST_SKIP() << "rows go by hosts alone";
  const auto tensor = skewed_tensor<double, std::uint32_t>({100, 30, 50}, 3000, 12);
  CpAlsOptions plain = ten_iterations(5), descending = plain, penalized = plain;
  descending.nonnegative.all = true;
  penalized.l1 = {0.1};
  for (const CpAlsOptions& options : {plain, descending, penalized}) {
    const auto staged = decompose(tensor, options);
    for (const TransportChoice& choice : transports) {
      SCOPED_TRACE(choice.name);
      const auto direct = cp_als(Exec(), processes(), distributed(tensor, {}), options, {}, nullptr,
                                 ProcessOptions{.direct = choice.transport.get()});
      ASSERT_EQ(direct.history.size(), staged.history.size());
      for (std::size_t k = 0; k < staged.history.size(); ++k) {
        EXPECT_EQ(direct.history[k].fit, staged.history[k].fit) << "iteration " << k + 1;
      }
      if (options.nonnegative.all) {
        EXPECT_EQ(direct.kkt_violation, staged.kkt_violation);
      }
      if (processes().process() != 0) continue;
      for (int n = 0; n < 3; ++n) {
        EXPECT_EQ(elements(direct.model.factor(n)), elements(staged.model.factor(n)));
      }
    }
  }
}

// In rounds that do not divide the rows of any process, of which one has none.
TEST(DeviceGather, brings_all_rows_in_the_order_of_processes) {
  const std::size_t me = processes().process(), columns = 3;
  const auto count_of = [](std::size_t r) { return r == 1 ? std::size_t{0} : 5 + 3 * r; };
  const auto element = [](std::size_t r, std::size_t i, std::size_t c) {
    return static_cast<double>(100 * r + 10 * i + c);
  };
  std::vector<std::size_t> counts;
  std::size_t all = 0;
  for (std::size_t r = 0; r < processes().size(); ++r) {
    counts.push_back(count_of(r));
    all += counts.back();
  }
  using Matrix = FacMatrix<double, Exec>;
  // Rows that are not the process's own follow.
  const Matrix rows(counts[me] + 2, columns);
  const auto host = genten::create_mirror_view(rows);
  for (std::size_t i = 0; i < host.rows(); ++i) {
    for (std::size_t c = 0; c < columns; ++c) host.row(i)[c] = element(me, i, c);
  }
  genten::deep_copy(Exec(), rows, host);
  for (const TransportChoice& choice : make_transports()) {
    const std::size_t round = 4 * columns * sizeof(double) * processes().size();
    detail::DeviceGather<double, Exec> gather(processes(), *choice.transport, columns, 100, round);
    for (int time = 0; time < 2; ++time) {
      const Matrix gathered(me == 0 ? all : 0, columns);
      gather.run(Exec(), counts, rows, gathered);
      if (me != 0) continue;
      std::vector<double> expected;
      for (std::size_t r = 0; r < counts.size(); ++r) {
        for (std::size_t i = 0; i < counts[r]; ++i) {
          for (std::size_t c = 0; c < columns; ++c) expected.push_back(element(r, i, c));
        }
      }
      EXPECT_EQ(elements(gathered), expected) << choice.name;
    }
  }
}

TEST(DistributedCpAls, where_processes_have_nothing) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({40, 30, 20}, 2, 6);
  CpAlsOptions options = ten_iterations(1);
  options.max_iterations = 3;
  check_like_one(tensor, options);
}

TEST(DistributedCpAls, takes_the_scale_of_all_processes_out) {
  auto tensor = skewed_tensor<double, std::uint32_t>({100, 30, 50}, 3000, 3);
  for (const int exponent : {-600, 500}) {
    check_like_one(times_power_of_two(HostExec(), tensor, exponent), ten_iterations(3));
  }
}

TEST(DistributedCpAls, sends_what_is_counted) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({400, 37, 230}, 3000, 3);
  const auto result = decompose(tensor, ten_iterations(4));
  const TensorSlices<std::uint32_t> slices(HostExec(), tensor);
  const auto count =
      count_exchange(HostExec(), slices, bisect(HostExec(), slices, processes().size()));
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(result.exchange.folded[n].rows, 10 * count.modes[n].words);
    EXPECT_EQ(result.exchange.expanded[n].rows, 10 * count.modes[n].words);
    EXPECT_EQ(result.exchange.folded[n].messages, 10 * count.modes[n].messages);
    EXPECT_EQ(result.exchange.expanded[n].messages, 10 * count.modes[n].messages);
  }
}

TEST(DistributedCpAls, from_a_guess_and_with_fixed_modes) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({100, 30, 50}, 3000, 3);
  CpAlsOptions options = ten_iterations(3);
  options.max_iterations = 2;
  const auto guess = cp_als(Exec(), copy_to<Exec>(tensor), options).model;
  options.max_iterations = 5;
  options.fixed_modes = {1};
  const auto one = cp_als(Exec(), copy_to<Exec>(tensor), guess, options);
  const auto several = cp_als(Exec(), processes(), distributed(tensor), options, {}, &guess);
  EXPECT_NEAR(several.fit, one.fit, 1e-12);
  if (processes().process() == 0) {
    EXPECT_GT(score(Exec(), several.model, one.model).score, 1.0 - 1e-8);
  }
}

TEST(DistributedCpAls, several_starts_keep_the_best) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({100, 30, 50}, 3000, 3);
  CpAlsOptions options = ten_iterations(3);
  options.starts = 3;
  const auto one = cp_als(Exec(), copy_to<Exec>(tensor), options);
  const auto several = decompose(tensor, options);
  EXPECT_EQ(several.best_start, one.best_start);
  ASSERT_EQ(several.starts.size(), 3U);
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_NEAR(several.starts[s].fit, one.starts[s].fit, 1e-12);
  }
}

TEST(DistributedCpAls, rank_0_observes_for_all) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({100, 30, 50}, 3000, 3);
  std::size_t seen = 0;
  const auto stop_at_3 = [&](const KtensorIteration<double, Exec>& iteration) {
    ++seen;
    if (iteration.record.iteration == 2) {
      EXPECT_EQ(iteration.model().rank(), 3U);
    }
    return iteration.record.iteration == 3 ? ObserverAction::stop : ObserverAction::proceed;
  };
  const auto result =
      cp_als(Exec(), processes(), distributed(tensor), ten_iterations(3), stop_at_3);
  EXPECT_EQ(result.stop_reason, StopReason::observer);
  EXPECT_EQ(result.iterations, 3U);
  EXPECT_EQ(seen, processes().process() == 0 ? 3U : 0U);
}

TEST(DistributedCpAls, a_time_limit_ends_all_at_one_iteration) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({100, 30, 50}, 3000, 3);
  CpAlsOptions options = ten_iterations(3);
  options.max_iterations = 1'000'000;
  options.time_limit = 0.2;
  const auto result = decompose(tensor, options);
  EXPECT_EQ(result.stop_reason, StopReason::time_limit);
  for (const std::size_t iterations : all_gather(processes(), result.iterations)) {
    EXPECT_EQ(iterations, result.iterations);
  }
}

TEST(DistributedCpAls, too_little_memory_on_any_process_is_an_error_on_all) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({100, 30, 50}, 3000, 3);
  CpAlsOptions options = ten_iterations(3);
  options.memory_available = processes().process() == 0 ? 1e9 : 1000.0;
  if (processes().size() == 1) options.memory_available = 1000.0;
  try {
    static_cast<void>(decompose(tensor, options));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::memory);
  }
}

}  // namespace
