// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "error_fields.hpp"

#include <genten/core/generate.hpp>
#include <genten/run/report.hpp>
#include <genten/run/run_cp.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using genten::CpRequest;
using genten::MissingEntries;
using genten::Solver;
using testing::HasSubstr;

/// The option and the complaint that settling throws; empty where it throws nothing.
std::pair<std::string, std::string> refused(CpRequest request, bool on_host = true) {
  try {
    request.settle(on_host);
  } catch (const genten::Error& error) {
    return {error.fields().option, genten_test::complaint_of(error)};
  }
  return {};
}

using Refusal = std::pair<std::string, std::string>;

/// A ridge that nobody asked for is reported as the option; one that was given stays as it was.
TEST(Request, TakesTheRidgeThatARunHasUsed) {
  genten::CpGcpFigures figures;
  figures.ridge = {0.0, 0.0};
  CpRequest request{.loss = "poisson-log"};
  take_ridge_used(figures, request);
  EXPECT_TRUE(request.gcp.ridge.empty());
  figures.ridge = {0.1, 0.2};
  take_ridge_used(figures, request);
  EXPECT_EQ(request.gcp.ridge, (std::vector<double>{0.1, 0.2}));
  request.gcp.ridge = {3.0};
  take_ridge_used(figures, request);
  EXPECT_EQ(request.gcp.ridge, (std::vector<double>{3.0}));
  take_ridge_used(genten::CpAlsFigures(), request);
}

TEST(Request, ChoosesTheSolver) {
  CpRequest request;
  EXPECT_EQ(request.solver(), Solver::als);
  request.missing = MissingEntries::unlisted;
  EXPECT_EQ(request.solver(), Solver::completion);
  request.loss = "poisson";
  EXPECT_EQ(request.solver(), Solver::gcp);
  request.missing = MissingEntries::none;
  EXPECT_EQ(request.solver(), Solver::apr);
  request.given = {"ridge"};
  EXPECT_EQ(request.solver(), Solver::apr) << "it is none";
  request.als.ridge = {1.0};
  EXPECT_EQ(request.solver(), Solver::gcp) << "cp_apr has no ridge";
  request.given = {"upper"};
  request.als.upper = {0.0};
  EXPECT_EQ(request.solver(), Solver::gcp) << "a bound of 0 is a bound";
  request.given = {"kappa"};
  EXPECT_EQ(request.solver(), Solver::apr);
  request = {.given = {"holdout"}};
  EXPECT_EQ(request.solver(), Solver::als) << "none are held out";
  request.completion.holdout = 0.1;
  EXPECT_EQ(request.solver(), Solver::gcp) << "zeros are among what is held out";
  request.missing = MissingEntries::listed;
  EXPECT_EQ(request.solver(), Solver::gcp);
  request.missing = MissingEntries::unlisted;
  EXPECT_EQ(request.solver(), Solver::completion);
  request = {.loss = "huber"};
  EXPECT_EQ(request.solver(), Solver::gcp);
  request = {.asked = Solver::gcp};
  EXPECT_EQ(request.solver(), Solver::gcp);
  request = {.loss = "poisson", .given = {"method"}};
  EXPECT_EQ(request.solver(), Solver::apr) << "it is that of cp_gcp anyway";
  request.gcp.method = genten::GcpMethod::adam;
  EXPECT_EQ(request.solver(), Solver::gcp) << "cp_gcp alone has it";
}

TEST(Request, HandsWhatIsGivenToAllSolvers) {
  CpRequest request{.loss = "huber"};
  request.als.rank = 3;
  request.als.ridge = {2.0};
  request.als.init = genten::FactorKind::normal;
  request.als.tolerance = 0.5;
  request.given = {"rank", "ridge", "init"};
  request.settle(true);
  EXPECT_EQ(request.gcp.method, genten::GcpMethod::automatic);
  EXPECT_EQ(request.gcp.rank, 3U);
  EXPECT_EQ(request.gcp.ridge, std::vector{2.0});
  EXPECT_EQ(request.gcp.init, genten::GcpInit::normal);
  EXPECT_EQ(request.gcp.tolerance, genten::CpGcpOptions().tolerance) << "is not given";
  EXPECT_EQ(request.common().rank, 3U);
  EXPECT_EQ(request.common().tolerance, request.gcp.tolerance);
  EXPECT_EQ(request.common().max_iterations, request.gcp.max_iterations);
  EXPECT_EQ(request.gcp.unlisted, genten::UnlistedEntries::zeros);
  request.missing = MissingEntries::unlisted;
  request.settle(true);
  EXPECT_EQ(request.gcp.unlisted, genten::UnlistedEntries::missing);
}

TEST(Request, RefusesWhatDoesNotGoTogether) {
  EXPECT_EQ(refused({}), Refusal());
  EXPECT_EQ(refused({.loss = "hubert"}).first, "loss");
  EXPECT_EQ(refused({.loss_parameter = 1.0}),
            Refusal("loss-parameter", "has no effect beside {loss=gaussian}: leave it out"));
  EXPECT_EQ(refused({.loss = "huber", .loss_parameter = -1.0}),
            Refusal("loss-parameter", "expected a parameter d that is a number above 0, got -1"));
  EXPECT_EQ(refused({.asked = Solver::apr}),
            Refusal("solver", "expected als|gcp beside {loss=gaussian}, got apr"));
  EXPECT_EQ(refused({.loss = "poisson", .given = {"mode-order"}}),
            Refusal("mode-order", "has no effect beside {loss=poisson}: leave it out"));
  CpRequest ridged{.loss = "poisson", .given = {"ridge", "steps"}};
  ridged.als.ridge = {1.0};
  EXPECT_EQ(refused(ridged),
            Refusal("steps", "has no effect beside {loss=poisson} with {ridge}: leave it out"));
  CpRequest sparse{.asked = Solver::gcp, .given = {"l1"}};
  sparse.als.l1 = {1.0};
  EXPECT_EQ(refused(sparse),
            Refusal("l1", "has no effect beside {solver=gcp} without {nonnegative}: leave it out"));
  CpRequest negative{.loss = "rayleigh", .given = {"nonnegative"}};
  EXPECT_EQ(refused(negative), Refusal());  // of no mode
  negative.als.nonnegative = genten::ModeSelection::every();
  EXPECT_EQ(refused(negative), Refusal());  // as its factors are
  negative.loss = "poisson";
  EXPECT_EQ(refused(negative), Refusal());
  CpRequest bounded{.loss = "bernoulli-odds", .given = {"lower"}};
  bounded.als.lower = {-1.0};
  EXPECT_EQ(refused(bounded),
            Refusal("lower",
                    "expected numbers of at least 0 beside {loss=bernoulli-odds}, whose "
                    "model must not be negative, got -1"));
  bounded.als.lower = {0.5};
  EXPECT_EQ(refused(bounded), Refusal());
  CpRequest fixed{.given = {"fixed-modes"}};
  EXPECT_EQ(refused(fixed), Refusal());
  fixed.als.fixed_modes = {1};
  EXPECT_EQ(refused(fixed).first, "fixed-modes");
  fixed.has_guess = true;
  EXPECT_EQ(refused(fixed), Refusal());
  EXPECT_EQ(refused({.loss = "huber", .given = {"rate"}}),
            Refusal("rate", "has no effect without {method=adam}: leave it out"));
  CpRequest adam{.loss = "huber", .given = {"method", "corrections"}};
  adam.gcp.method = genten::GcpMethod::adam;
  EXPECT_EQ(refused(adam),
            Refusal("corrections", "has no effect beside {method=adam}: leave it out"));
  adam.given = {"method", "batch"};
  EXPECT_EQ(refused(adam), Refusal());
  EXPECT_EQ(refused({.missing = MissingEntries::unlisted, .given = {"kernel"}}),
            Refusal("kernel", "has no effect beside {missing=unlisted}: leave it out"));
  EXPECT_EQ(refused({.missing = MissingEntries::unlisted, .given = {"patience"}}),
            Refusal("patience", "has no effect without {holdout}: leave it out"));
  const Refusal newton("kernel",
                       "has no effect beside Newton's steps: {steps=multiplicative} takes others");
  EXPECT_EQ(refused({.loss = "poisson", .given = {"kernel"}}), newton);
  EXPECT_EQ(refused({.loss = "poisson", .given = {"kernel"}}, false), Refusal());
  EXPECT_EQ(refused({.loss = "poisson", .given = {"kappa"}}),
            Refusal("kappa",
                    "has no effect beside Newton's steps without {init}: {steps=multiplicative} "
                    "takes others"));
  EXPECT_EQ(refused({.loss = "poisson", .has_guess = true, .given = {"kappa", "kappa-tolerance"}}),
            Refusal());
}

/// What `body` throws says.
template <class Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const genten::Error& error) {
    return error.what();
  }
  return "";
}

const auto as_text = [](const auto&) { return std::string("it"); };

TEST(Request, GoesOnWithWhatMayChange) {
  CpRequest saved{.loss = "poisson"};
  saved.apr.rank = 4;
  saved.apr.tolerance = 0.25;
  CpRequest request;
  request.als.max_iterations = 7;
  request.given = {"max-iterations"};
  const CpRequest taken = resumed(request, saved, true, as_text);
  EXPECT_EQ(taken.solver(), Solver::apr);
  EXPECT_EQ(taken.apr.max_iterations, 7U);
  EXPECT_EQ(taken.apr.rank, 4U);
  EXPECT_EQ(taken.apr.tolerance, 0.25);
  request.given = {"kappa"};  // the run may have begun at a guess
  EXPECT_EQ(resumed(request, saved, true, as_text).solver(), Solver::apr);
}

TEST(Request, GoesOnWithNothingElse) {
  const CpRequest saved{.loss = "poisson", .missing = MissingEntries::none};
  const auto complaint = [&](CpRequest request) {
    return message_of([&] { static_cast<void>(resumed(request, saved, true, as_text)); });
  };
  CpRequest other_rank{.given = {"rank"}};
  other_rank.als.rank = 3;
  EXPECT_EQ(complaint(other_rank), "option rank: expected that of the checkpoint, it, got it");
  EXPECT_EQ(complaint({.given = {"loss"}}),
            "option loss: expected that of the checkpoint, poisson, got gaussian");
  EXPECT_EQ(complaint({.asked = Solver::als, .given = {"solver"}}),
            "option solver: expected that of the checkpoint, apr, got als");
  EXPECT_EQ(complaint({.missing = MissingEntries::listed}),
            "option missing: expected that of the checkpoint, none, got a list of entries");
  EXPECT_THAT(complaint({.given = {"mode-order"}}), HasSubstr("mode-order: has no effect"));
  CpRequest other_parameter{.loss_parameter = 2.0};
  EXPECT_THAT(complaint(other_parameter), HasSubstr("loss-parameter: has no effect"));
}

/// A run by each solver, and one that goes on from its checkpoint.
class EverySolver : public testing::TestWithParam<CpRequest> {};

TEST_P(EverySolver, RunsAndGoesOn) {
  using Exec = Kokkos::DefaultExecutionSpace;
  using Model = genten::Ktensor<double, Exec>;
  const Exec exec;
  const auto tensor = [&] {
    const std::vector<std::uint32_t> subscripts = {0, 0, 0, 1, 1, 0, 2, 1, 1, 2, 0, 1, 1, 0, 0};
    const std::vector<std::size_t> dimensions = {3, 2, 2};
    const std::vector<double> ones(5, 1.0);
    return genten::copy_to<Exec>(
        genten::Sptensor<double, std::uint32_t, genten::HostExec>::from_host(dimensions, subscripts,
                                                                             ones));
  }();
  CpRequest request = GetParam();
  request.als.rank = 2;
  request.als.max_iterations = 6;
  request.als.tolerance = 0.0;
  request.given = {"rank", "max-iterations", "tolerance"};
  request.settle(genten::is_host_space<Exec>);
  std::optional<genten::Checkpoint<Model>> saved;
  const auto keep = [&](const genten::KtensorIteration<double, Exec>& iteration) {
    if (iteration.record.iteration == 3 && iteration.checkpoint) saved = iteration.checkpoint();
    return genten::ObserverAction::proceed;
  };
  const auto run = run_cp(exec, tensor, std::nullopt, request, {}, keep);
  EXPECT_EQ(run.model.rank(), 2U);
  EXPECT_GE(run.figures.iterations, 3U);
  ASSERT_TRUE(saved);
  const CpRequest before = genten::request_of(*saved);
  EXPECT_EQ(before.loss, request.loss);
  EXPECT_EQ(before.solver(), request.solver());
  EXPECT_EQ(before.missing, request.missing);
  EXPECT_EQ(before.any_loss().facts().text(), request.any_loss().facts().text());
  const CpRequest on = resumed(request, before, genten::is_host_space<Exec>, as_text);
  const auto again = run_cp(exec, tensor, std::nullopt, on, {.checkpoint = saved}, {});
  EXPECT_EQ(again.figures.iterations, run.figures.iterations);
  EXPECT_DOUBLE_EQ(again.figures.objective, run.figures.objective);
  const auto report = run_report(run, {}, run_settings(request, 3));
  EXPECT_EQ(report.weights.size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Solvers, EverySolver,
                         testing::Values(CpRequest{}, CpRequest{.loss = "poisson"},
                                         CpRequest{.missing = MissingEntries::unlisted},
                                         CpRequest{.loss = "huber", .loss_parameter = 0.5},
                                         CpRequest{.loss = "poisson",
                                                   .missing = MissingEntries::unlisted},
                                         CpRequest{.asked = Solver::gcp}));

}  // namespace
