// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "error_fields.hpp"
#include "tool_recorder.hpp"

#include <genten/core/generate.hpp>
#include <genten/cp/held_out.hpp>
#include <genten/run/choose_rank.hpp>
#include <genten/run/detail/rank_memory.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace {

using genten::CpRequest;
using genten::HostExec;
using genten::ObserverAction;
using genten::RankChoice;
using genten::RankChoiceOptions;
using genten::RankRow;
using genten::StopReason;
using testing::ElementsAre;
using testing::HasSubstr;

using Tensor = genten::Sptensor<double, std::uint32_t, HostExec>;
using Observer = genten::RankObserver<double, HostExec>;
using Saved = genten::Checkpoint<genten::Ktensor<double, HostExec>>;

/// Rows of ranks from 1 on with these scores, and losses of three entries each.
struct Found {
  std::vector<RankRow> rows;
  RankRow zero;

  Found(const std::vector<double>& agreements, const std::vector<std::vector<double>>& losses) {
    for (const double each : agreements) {
      rows.push_back(RankRow{.rank = rows.size() + 1, .agreement = each});
    }
    compare_losses(losses, rows, zero);
  }
  [[nodiscard]] genten::RankSuggestion suggestion(double nonzeros = 99.0) const {
    return suggest_rank(rows, zero, nonzeros);
  }
};

TEST(RankRule, ComparesLossesEntryByEntry) {
  // Losses that differ much among entries, and little among ranks.
  const Found found({1.0, 1.0}, {{9.0, 99.0, 999.0}, {1.0, 10.0, 100.0}, {2.0, 11.0, 104.0}});
  EXPECT_DOUBLE_EQ(found.rows[0].holdout_loss, 37.0);
  EXPECT_NEAR(found.rows[0].holdout_error, std::sqrt((36.0 * 36 + 27 * 27 + 63 * 63) / 6), 1e-12);
  EXPECT_DOUBLE_EQ(found.rows[0].holdout_difference, 0.0);
  EXPECT_DOUBLE_EQ(found.rows[0].holdout_difference_error, 0.0);
  EXPECT_DOUBLE_EQ(found.rows[1].holdout_difference, 2.0);
  EXPECT_NEAR(found.rows[1].holdout_difference_error, 1.0, 1e-12) << "(1, 1, 4)";
  EXPECT_DOUBLE_EQ(found.zero.holdout_difference, 369.0 - 37.0);
}

TEST(RankRule, TakesLossesThatRoundingHidesForEqual) {
  const Found exact({1.0, 1.0, 0.9}, {{5, 6, 7}, {2, 2, 2}, {9e-15, 8e-15, 9e-15}, {5e-18, 0, 0}});
  const auto found = exact.suggestion();
  EXPECT_EQ(found.by_held_out, 2U);
  EXPECT_EQ(found.suggested, 2U);
  const Found better({1.0, 1.0, 1.0}, {{5, 6, 7}, {2, 2, 2}, {1e-9, 2e-9, 1e-9}, {1e-10, 0, 0}});
  EXPECT_EQ(better.suggestion().by_held_out, 3U);
}

TEST(RankRule, DoesNotDecideWhereTheSearchWasStopped) {
  const Found noise({0.4}, {{1, 1, 1}, {2, 2, 2}}), planted({1.0}, {{9, 9, 9}, {1, 1, 1}});
  const auto suggested = [](const Found& found, double nonzeros, genten::StopReason reason,
                            const std::vector<std::size_t>& ranks) {
    return suggest_rank(found.rows, found.zero, nonzeros, reason, ranks);
  };
  for (const double nonzeros : {9.0, 99.0}) {
    for (const Found* found : {&noise, &planted}) {
      const auto late =
          suggested(*found, nonzeros, genten::StopReason::time_limit, {1, 2, 3, 4, 5, 6, 7, 8});
      EXPECT_EQ(late.suggested, found == &noise ? 0U : 1U);
      EXPECT_FALSE(late.decided);
      EXPECT_EQ(late.reasons.back().code, genten::RankReasonCode::stopped);
      EXPECT_EQ(late.reasons.back().text,
                "The time limit ended the search after R = 1: 2 to 8 were not tried, and may be "
                "better.");
      for (const auto& reason : late.reasons) {
        EXPECT_NE(reason.code, genten::RankReasonCode::largest);
        EXPECT_NE(reason.code, genten::RankReasonCode::nothing);
        EXPECT_THAT(reason.text, testing::Not(HasSubstr("do not decide")));
      }
    }
  }
  const auto text = [&](const std::vector<std::size_t>& ranks) {
    return suggested(planted, 99.0, genten::StopReason::observer, ranks).reasons.back().text;
  };
  EXPECT_THAT(text({1, 4}),
              HasSubstr("An interruption ended the search after R = 1: 4 was not tr"));
  EXPECT_THAT(text({1, 2, 4, 8}), HasSubstr("after R = 1: 2, 4, 8 were not tried"));
  EXPECT_THAT(text({1}), HasSubstr("ended the search in R = 1, whose runs were cut short."));
}

TEST(RankRule, TakesTheMedianOfThreePicks) {
  const Found three({1.0, 0.99, 0.4}, {{9, 9, 9}, {3, 3, 3}, {1, 1, 4}, {1.1, 0.9, 3.9}});
  const auto found = three.suggestion();
  EXPECT_EQ(found.by_agreement, 2U);
  EXPECT_EQ(found.by_held_out, 3U) << "1.967 and not 2";
  EXPECT_EQ(found.by_standard_error, 2U) << "(-.1, .1, .1), .033 with an error of .067";
  EXPECT_EQ(found.suggested, 2U);
  EXPECT_TRUE(found.decided);
  EXPECT_THAT(found.reasons.back().text, HasSubstr("R = 2: of the picks 2, 3 and 2 the median"));
  EXPECT_THAT(found.reasons.front().text, HasSubstr("0.990; of R = 3 it is 0.400."));
}

TEST(RankRule, SaysWhereTheDataDoNotDecide) {
  const Found apart({1.0, 0.5, 0.4, 0.3},
                    {{9, 9, 9}, {3, 3, 3}, {2, 2, 2}, {1.5, 1.5, 1}, {1, 1, 1}});
  const auto found = apart.suggestion();
  EXPECT_EQ(found.suggested, 4U);
  EXPECT_FALSE(found.decided);
  ASSERT_EQ(found.reasons.size(), 5U);
  EXPECT_THAT(found.reasons[3].text, HasSubstr("do not decide between R = 1 and R = 4"));
  EXPECT_EQ(found.reasons[4].code, genten::RankReasonCode::largest);
}

TEST(RankRule, SaysWhereAFewEntriesMakeTheLoss) {
  const auto text = [](const std::vector<double>& losses) {
    const Found found({1.0, 0.5, 0.4}, {{9, 9, 9}, {2, 2, 2}, {1, 1, 1}, losses});
    for (const auto& reason : found.suggestion().reasons) {
      if (reason.code == genten::RankReasonCode::few_entries) return reason.text;
    }
    return std::string();
  };
  EXPECT_EQ(text({3, 3, 4}), "");
  EXPECT_THAT(text({1, 1, 999}), HasSubstr("most of the loss at R = 3, 333.67 with a standard "
                                           "error of 3.3e+02: "));
}

/// The reasons at the edges of the ranks that were tried, which begin with `first`.
std::vector<genten::RankReasonCode> edges(Found found, std::size_t first, double nonzeros = 99.0) {
  for (auto& row : found.rows) row.rank += first - 1;
  std::vector<genten::RankReasonCode> codes;
  for (const auto& reason : found.suggestion(nonzeros).reasons) {
    using enum genten::RankReasonCode;
    if (reason.code == largest || reason.code == smallest) codes.push_back(reason.code);
  }
  return codes;
}

TEST(RankRule, SaysWhereTheSuggestionIsTheFirstOrTheLastRank) {
  using enum genten::RankReasonCode;
  using Codes = std::vector<genten::RankReasonCode>;
  const Found low({1.0, 0.5, 0.4}, {{9, 9, 9}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}});
  EXPECT_EQ(edges(low, 3), Codes{smallest});
  EXPECT_EQ(edges(low, 1), Codes{});
  const Found amid({1.0, 1.0, 0.4}, {{9, 9, 9}, {2, 2, 2}, {1, 1, 1}, {3, 3, 3}});
  EXPECT_EQ(edges(amid, 3), Codes{});
  const Found one({1.0}, {{9, 9, 9}, {1, 1, 1}});
  EXPECT_EQ(edges(one, 3), (Codes{largest, smallest}));
  // The largest rank that starts agree on is the same beside lower ones.
  EXPECT_EQ(edges(low, 3, 3.0), Codes{});
  EXPECT_EQ(edges(one, 3, 3.0), Codes{largest});
}

TEST(RankRule, SaysThatNothingReplicates) {
  const Found noise({0.5}, {{2, 2, 2}, {3, 3, 3}});
  const auto found = noise.suggestion();
  EXPECT_EQ(found.suggested, 0U);
  EXPECT_THAT(found.reasons[0].text, HasSubstr("at most 0.500, at R = 1"));
  EXPECT_THAT(found.reasons[3].text, HasSubstr("nothing replicates"));
  ASSERT_EQ(found.reasons.size(), 5U);
  EXPECT_EQ(found.reasons[4].code, genten::RankReasonCode::nothing);
  EXPECT_THAT(found.reasons[4].text, HasSubstr("try more starts"));
}

TEST(RankRule, LeavesItToTheStartsWhereFewNonzerosAreHeldOut) {
  const Found few({1.0, 0.5}, {{0, 0, 0}, {3, 3, 3}, {1, 1, 1}});
  const auto found = few.suggestion(3.0);
  EXPECT_EQ(found.suggested, 1U);
  EXPECT_FALSE(found.decided || found.by_held_out || found.by_standard_error);
  EXPECT_THAT(found.reasons[1].text,
              HasSubstr("All draws of held-out entries together have 3 nonzeros, too few"));
}

Tensor planted(std::size_t rank, std::uint64_t seed) {
  return genten::generate_planted(HostExec(), {12, 10, 9}, rank, 7, 0.1, seed).tensor;
}

RankChoice choose(const Tensor& tensor, std::vector<std::size_t> ranks, CpRequest request = {},
                  const Observer& observer = {}, const std::optional<Saved>& resume = {},
                  double time_limit = 0.0) {
  request.als.max_iterations = 60;
  request.given.insert("max-iterations");
  request.settle(true);
  const RankChoiceOptions options{.ranks = std::move(ranks), .starts = 4, .time_limit = time_limit};
  return choose_rank(HostExec(), tensor, std::nullopt, request, options, resume, observer);
}

TEST(ChooseRank, FindsThePlantedRank) {
  std::map<std::size_t, std::size_t> starts;
  Observer observer;
  observer.finished = [&](const genten::FinishedRank<double, HostExec>& done) {
    starts[done.row.rank] = done.run.figures.starts.size();
    EXPECT_EQ(done.run.model.rank(), done.row.rank);
    EXPECT_EQ(done.run.figures.objective, done.row.objective);
  };
  const RankChoice choice = choose(planted(2, 5), {1, 2, 3}, {}, observer);
  EXPECT_EQ(choice.suggested, 2U);
  EXPECT_EQ(choice.by_agreement, 2U);
  EXPECT_EQ(choice.held_out % choice.draws, 0U);
  EXPECT_EQ(choice.held_out / choice.draws, 108U) << "a tenth of 1,080";
  EXPECT_GT(choice.draws, 1U) << "108 are few";
  EXPECT_EQ(starts, (std::map<std::size_t, std::size_t>{{1, 4}, {2, 4}, {3, 4}}));
  const RankRow& row = choice.rows[1];
  EXPECT_GT(row.agreement, 0.95);
  EXPECT_GT(row.fit, 0.8);
  EXPECT_EQ(row.reached, 4U);
  EXPECT_GT(row.core_consistency, 50.0);
  EXPECT_EQ(choice.rows[0].congruence, 0.0);
  EXPECT_GT(choice.zero.holdout_loss, row.holdout_loss);
}

TEST(ChooseRank, MakesMoreStartsWithoutHeldOutEntriesWhereThreeFallShort) {
  std::map<std::pair<std::size_t, std::size_t>, std::set<std::size_t>> starts;  // by rank and draw
  Observer observer;
  observer.iterated = [&](const auto& seen) {
    if (seen.draw) starts[{seen.rank, *seen.draw}].insert(seen.iteration.start);
    return ObserverAction::proceed;
  };
  (void)choose(planted(2, 5), {2, 6}, {}, observer);
  std::map<std::size_t, std::size_t> most;  // by rank
  for (const auto& [where, found] : starts) {
    EXPECT_EQ(*found.rbegin() + 1, found.size()) << "counted on";
    most[where.first] = std::max(most[where.first], found.size());
    EXPECT_GE(found.size(), 3U);
    EXPECT_LE(found.size(), 5U) << "four, and one from the model of all entries";
  }
  EXPECT_EQ(most[2], 3U) << "any start finds two";
  EXPECT_GT(most[6], 3U);
}

TEST(ChooseRank, PreparesTheWholeTensorOnceForRowsOfTheSameBytes) {
  const auto packed = [&](const std::vector<std::size_t>& ranks) {
    // Too sparse for tests without held-out entries, which prepare tensors of their own.
    const auto few = genten::generate_planted(HostExec(), {400, 300, 200}, 2, 5, 0.1, 5).tensor;
    const genten_test::ToolRecorder recorder;
    EXPECT_EQ(choose(few, ranks).held_out, 0U);
    const auto& labels = recorder.allocations();
    return std::count(labels.begin(), labels.end(), "genten::packed_records");
  };
  const auto others = packed({5}) - 1;  // of core consistency, for each rank
  EXPECT_EQ(packed({5, 6, 7, 8}), 1 + 4 * others) << "64 bytes";
  EXPECT_EQ(packed({1, 2, 3, 4}), 3 + 4 * others) << "8, 16, 32 and 32 bytes";
}

TEST(ChooseRank, GivesThePreparedTensorBackToTestsThatLackMemory) {
  using genten::Error;
  const Tensor tensor = planted(2, 5);
  std::size_t failures = 1;
  Observer observer;
  observer.iterated = [&](const auto& seen) {
    if (seen.rank == 5 && seen.draw && failures != 0) {
      --failures;
      throw Error(Error::Kind::memory, "too little");
    }
    return ObserverAction::proceed;
  };
  const auto searched = [&] {
    const genten_test::ToolRecorder recorder;
    const RankChoice choice = choose(tensor, {5, 6}, {}, observer);
    const auto& labels = recorder.allocations();
    return std::pair(std::count(labels.begin(), labels.end(), "genten::packed_records"),
                     choice.rows[1].holdout_loss);
  };
  const auto short_of_memory = searched();
  EXPECT_EQ(failures, 0U);
  const auto ample = searched();
  EXPECT_EQ(short_of_memory.second, ample.second);
  EXPECT_GT(short_of_memory.first, ample.first) << "prepared again";
  failures = 2;  // there is nothing more to give back
  EXPECT_THROW((void)searched(), Error);
}

TEST(ChooseRank, GoesOnFromACheckpointToTheSameNumbers) {
  const Tensor tensor = planted(2, 3);
  std::optional<Saved> saved;
  Observer observer;
  observer.finished = [&](const genten::FinishedRank<double, HostExec>& done) {
    if (done.row.rank == 2) saved = done.checkpoint();
  };
  const RankChoice whole = choose(tensor, {1, 2, 3}, {}, observer);
  ASSERT_TRUE(saved);
  std::vector<std::size_t> ranks;
  Observer seen;
  seen.finished = [&](const auto& done) { ranks.push_back(done.row.rank); };
  const RankChoice rest = choose(tensor, {1, 2, 3}, {}, seen, saved);
  EXPECT_THAT(ranks, ElementsAre(3));
  ASSERT_EQ(rest.rows.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(rest.rows[i].objective, whole.rows[i].objective);
    EXPECT_EQ(rest.rows[i].agreement, whole.rows[i].agreement);
    EXPECT_EQ(rest.rows[i].holdout_loss, whole.rows[i].holdout_loss);
    EXPECT_EQ(rest.rows[i].holdout_difference_error, whole.rows[i].holdout_difference_error);
  }
  EXPECT_EQ(rest.suggested, whole.suggested);
  const auto refused = [&](const std::vector<std::size_t>& asked, const CpRequest& request) {
    const auto error = genten_test::thrown_by(
        [&] { static_cast<void>(choose(tensor, asked, request, {}, saved)); });
    return error ? error->fields().option : "";
  };
  EXPECT_EQ(refused({1, 3}, {}), "ranks");
  EXPECT_THROW(static_cast<void>(choose(planted(2, 4), {1, 2}, {}, {}, saved)), genten::Error);
  CpRequest other;
  other.als.seed = 7;
  other.given = {"seed"};
  EXPECT_EQ(refused({1, 2}, other), "seed");
  const Saved strange{saved->model, "no state of ours"};
  EXPECT_THROW(static_cast<void>(choose(tensor, {1, 2}, {}, {}, strange)), genten::Error);
}

TEST(ChooseRank, RefusesModelsThatDoNotFitBeforeTheFirstRun) {
  CpRequest request;
  request.als.memory_available = 2000.0;  // (1 + 2 + 9 + 4 * 9) components of 32 numbers: 12 KiB
  request.given = {"memory-available"};
  Observer observer;
  observer.iterated = [](const auto&) {
    ADD_FAILURE() << "a run has begun";
    return ObserverAction::proceed;
  };
  try {
    static_cast<void>(choose(planted(2, 5), {1, 2, 9}, request, observer));
    ADD_FAILURE() << "it has not thrown";
  } catch (const genten::Error& error) {
    EXPECT_EQ(error.kind(), genten::Error::Kind::memory);
    EXPECT_THAT(error.what(),
                HasSubstr("a choice among 3 ranks, for its models alone, needs 12 KiB "
                          "of memory (the best of each rank 3 KiB, 4 starts of rank 9 "
                          "9 KiB), allowed are 1.95 KiB; fewer ranks or starts"));
  }
}

TEST(ChooseRank, RefusesARunThatDoesNotFitBesideTheModels) {
  CpRequest request;
  request.als.memory_available = 16384.0;  // for 12 KiB of models
  request.given = {"memory-available"};
  Observer observer;
  observer.iterated = [](const auto&) {
    ADD_FAILURE() << "a run has begun";
    return ObserverAction::proceed;
  };
  try {
    static_cast<void>(choose(planted(2, 5), {1, 2, 9}, request, observer));
    ADD_FAILURE() << "it has not thrown";
  } catch (const genten::Error& error) {
    EXPECT_EQ(error.kind(), genten::Error::Kind::memory);
    EXPECT_THAT(error.what(), HasSubstr("a choice among 3 ranks needs "));
    EXPECT_THAT(error.what(), HasSubstr("the best of each rank before 768 bytes, "));
    EXPECT_THAT(error.what(), HasSubstr(" models of rank 9 "));
    EXPECT_THAT(error.what(), HasSubstr(" KiB, a run of rank 9 "));
    EXPECT_THAT(error.what(), HasSubstr("allowed are 16 KiB; fewer ranks or starts"));
  }
}

TEST(ChooseRank, CountsTheModelOfTheLargestRankOnce) {
  const Tensor tensor = planted(2, 5);
  CpRequest request;
  request.given = {"memory-available"};
  // Of one rank there are 4 starts, and the run that finds its best model.
  const genten::detail::AlsMemory<double, HostExec> memory(HostExec(), tensor, 9, request.als);
  constexpr double of_model = 9 * 32 * sizeof(double);
  request.als.memory_available = 5 * of_model;  // for the models alone
  const double needed = 4 * of_model + memory.peak(4, false, of_model);
  try {
    static_cast<void>(choose(tensor, {9}, request));
    ADD_FAILURE() << "it has not thrown";
  } catch (const genten::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("needs " + genten::format_bytes(needed) +
                                        " of memory (4 models of rank 9 9 KiB, a run of rank 9 "));
  }
}

TEST(ChooseRank, KeepsWhatIsDoneWhenItIsStopped) {
  const Tensor tensor = planted(2, 3);
  const RankChoice late = choose(tensor, {1, 2, 3}, {}, {}, {}, 1e-6);
  EXPECT_EQ(late.stopped, StopReason::time_limit);
  ASSERT_EQ(late.rows.size(), 1U);
  EXPECT_FALSE(late.decided);
  EXPECT_THAT(late.reasons.back().text, HasSubstr("after R = 1: 2, 3 were not tried"));
  Observer observer;
  observer.iterated = [](const auto& seen) {
    return seen.rank == 2 ? ObserverAction::stop : ObserverAction::proceed;
  };
  const RankChoice stopped = choose(tensor, {1, 2, 3}, {}, observer);
  EXPECT_EQ(stopped.stopped, StopReason::observer);
  ASSERT_EQ(stopped.rows.size(), 1U);
  EXPECT_EQ(stopped.rows[0].starts, 4U);
}

TEST(ChooseRank, TakesOtherLossesAndMissingEntries) {
  const Tensor tensor = planted(2, 3);
  for (const char* loss : {"poisson", "huber"}) {
    CpRequest request;
    request.loss = loss;
    const RankChoice choice = choose(tensor, {1, 2}, request);
    ASSERT_EQ(choice.rows.size(), 2U) << loss;
    EXPECT_TRUE(std::isnan(choice.rows[1].fit) && std::isnan(choice.rows[1].core_consistency));
    EXPECT_LT(choice.rows[1].holdout_loss, choice.rows[0].holdout_loss) << loss;
  }
  CpRequest request;
  request.missing = genten::MissingEntries::unlisted;
  const RankChoice choice = choose(tensor, {1, 2}, request);
  EXPECT_LT(choice.held_out, static_cast<std::size_t>(tensor.nnz()) / 2);
  EXPECT_LT(choice.rows[1].holdout_loss, choice.rows[0].holdout_loss);
}

TEST(ChooseRank, RefusesWhatItCannotDo) {
  const Tensor tensor = planted(2, 3);
  const auto complaint = [&](const std::vector<std::size_t>& ranks, CpRequest request) {
    try {
      static_cast<void>(choose(tensor, ranks, std::move(request)));
    } catch (const genten::Error& error) {
      return error.fields().option;
    }
    return std::string();
  };
  EXPECT_EQ(complaint({}, {}), "ranks");
  EXPECT_EQ(complaint({2, 1}, {}), "ranks");
  CpRequest fixed;
  fixed.als.fixed_modes = {1};
  fixed.given = {"fixed-modes"};
  EXPECT_EQ(complaint({1}, fixed), "fixed-modes");
}

TEST(HoldOut, DrawsEntriesOfTheBoxWithZerosInProportion) {
  const Tensor tensor = planted(2, 3);
  const auto split =
      hold_out(HostExec(), tensor, std::nullopt, genten::UnlistedEntries::zeros, 0.25, 1);
  EXPECT_EQ(split.held_out.nnz(), 270);
  const auto values = split.held_out.values();
  double nonzeros = 0.0;
  for (std::size_t e = 0; e < values.extent(0); ++e) nonzeros += values(e) != 0.0 ? 1.0 : 0.0;
  EXPECT_EQ(static_cast<double>(split.counted.nnz()) + nonzeros, static_cast<double>(tensor.nnz()));
  EXPECT_NEAR(nonzeros / 270.0, tensor.density(), 0.1);
  EXPECT_EQ(split.away->nnz(), 270);
  EXPECT_THROW(static_cast<void>(hold_out(HostExec(), tensor, std::nullopt,
                                          genten::UnlistedEntries::missing, 1e-9, 1)),
               genten::Error);
}

}  // namespace
