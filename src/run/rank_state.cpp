// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/base/detail/option_archive.hpp>
#include <genten/run/choose_rank.hpp>
#include <genten/run/detail/rank_state.hpp>
#include <genten/run/detail/starts.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace genten {

void check_rank_request(const CpRequest& request) {
  for (const char* name : {"fixed-modes", "patience", "holdout-seed"}) {
    if (request.given.contains(name)) {
      throw Error::of_conflict(
          name, "has no effect on a choice of the rank, which makes many runs: leave it out");
    }
  }
}

namespace detail {
namespace {

constexpr double settled_tolerance = 1e-6;
constexpr std::size_t settled_iterations = 500;
/// Of exact gradients: fits go on until they have settled, as far as the losses tell them apart.
constexpr double tested_tolerance = 1e-4;
constexpr std::size_t tested_iterations = 300;

/// Whether it does not matter to what was found.
bool is_free(std::string_view name) {
  return name == "rank" || name == "starts" || name == "time-limit" || name == "memory-limit" ||
         name == "memory-available" || name == "holdout" || name == "holdout-seed";
}

/// Sets the tolerance and the most iterations of all solvers, unless they are given.
void settle_unless_given(CpRequest& request, bool given_counts, double tolerance,
                         std::size_t iterations) {
  const bool has_tolerance = given_counts && request.given.contains("tolerance");
  const bool has_iterations = given_counts && request.given.contains("max-iterations");
  CpRequest::for_each_solver(request, [&](Solver, auto& options) {
    if (!has_tolerance) options.tolerance = tolerance;
    if (!has_iterations) options.max_iterations = iterations;
  });
}

std::string words_of(const std::vector<std::size_t>& ranks) {
  std::string text;
  for (const std::size_t rank : ranks) text += (text.empty() ? "" : ",") + std::to_string(rank);
  return text;
}

}  // namespace

void check_ranks(const std::vector<std::size_t>& ranks) {
  const bool ascending =
      std::adjacent_find(ranks.begin(), ranks.end(), std::greater_equal<>()) == ranks.end();
  if (!ranks.empty() && ascending) return;
  throw Error::of_option("ranks", "expected numbers of components, ascending, got " +
                                      (ranks.empty() ? "none" : "{=" + words_of(ranks) + "}"));
}

RankState state_of(const CpRequest& request, const RankChoiceOptions& options) {
  RankState state;
  const auto add = [&](std::string_view name, std::string bytes) {
    state.names.emplace_back(name);
    state.values.push_back(std::move(bytes));
  };
  add("loss", request.loss);
  add("loss-parameter", to_bytes(request.any_loss().facts().parameter));
  add("solver", std::string(to_string(request.solver())));
  add("missing", std::string(to_string(request.missing)));
  CpRequest::with_options(request, [&](const auto& of_solver) {
    for_each_field(of_solver, [&](const auto& field, const auto& value) {
      if (!is_free(field.name)) add(field.name, to_bytes(value));
    });
  });
  add("starts", to_bytes(options.starts));
  add("holdout", to_bytes(options.holdout));
  return state;
}

RankState resumed_state(const std::string& bytes, const RankState& now,
                        const std::vector<std::size_t>& ranks) {
  RankState state;
  ByteReader read(bytes);
  if (bytes.find(RankState::own_name) == std::string::npos) {
    throw Error(Error::Kind::file, "expected a checkpoint of a choice of the rank, got another")
        .as(Error::Code::checkpoint);
  }
  read(state);
  const auto of_tensor = std::find(state.names.begin(), state.names.end(), "tensor");
  const auto place = static_cast<std::size_t>(of_tensor - state.names.begin());
  if (place < now.names.size() && state.values[place] != now.values[place]) {
    throw Error(Error::Kind::file, "expected the checkpoint of this tensor, got that of another")
        .as(Error::Code::checkpoint);
  }
  for (std::size_t i = 0; i < now.names.size(); ++i) {
    if (i >= state.names.size() || state.names[i] != now.names[i] ||
        state.values[i] != now.values[i]) {
      throw Error::of_option(now.names[i], "expected what it was in the run of the checkpoint");
    }
  }
  const bool complete =
      state.models.size() == state.rows.size() && state.stability.size() == state.rows.size();
  if (!complete) {
    throw Error(Error::Kind::file, "expected a checkpoint with a model of each rank, got another")
        .as(Error::Code::checkpoint);
  }
  std::vector<std::size_t> finished;
  for (const RankRow& row : state.rows) finished.push_back(row.rank);
  if (ranks.size() < finished.size() ||
      !std::equal(finished.begin(), finished.end(), ranks.begin())) {
    throw Error::of_option("ranks", "expected a list that begins with those of the checkpoint, {=" +
                                        words_of(finished) + "}, got {=" + words_of(ranks) + "}");
  }
  return state;
}

CpRequest request_for_test(const CpRequest& request) {
  CpRequest test = rank_request(request);
  if (test.missing != MissingEntries::unlisted) test.missing = MissingEntries::listed;
  if (test.asked && *test.asked != Solver::gcp) test.asked.reset();
  if (test.solver() == Solver::gcp) {
    settle_unless_given(test, request.solver() == Solver::gcp, tested_tolerance, tested_iterations);
  }
  return test;
}

void set_run(CpRequest& request, std::size_t rank, std::size_t starts, double time_limit) {
  CpRequest::for_each_solver(request, [&](Solver, auto& options) {
    options.rank = rank;
    options.starts = starts;
    options.time_limit = time_limit;
  });
}

CpRequest request_at_model(const CpRequest& request, const TrustOptions& wanted, std::size_t rank,
                           double time_limit) {
  CpRequest at_model = request;
  at_model.trust = wanted;
  set_run(at_model, rank, 1, time_limit);
  CpRequest::for_each_solver(at_model, [](Solver, auto& options) { options.max_iterations = 0; });
  return at_model;
}

void look_at_starts(const CpFigures& figures, const CpRequest& request, RankRow& row) {
  const std::vector<bool> at_best = starts_at_best(figures, request);
  row.starts = at_best.size();
  row.reached = static_cast<std::size_t>(std::count(at_best.begin(), at_best.end(), true));
  for (const StartRecord& start : figures.starts) {
    const double above = start.objective - figures.objective;
    if (std::isfinite(above)) row.spread = std::max(row.spread, above);
  }
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

void append_starts(CpFigures& to, const CpFigures& run) {
  to.starts.insert(to.starts.end(), run.starts.begin(), run.starts.end());
  for (const PhaseTiming& phase : run.timings) {
    const auto same =
        std::find_if(to.timings.begin(), to.timings.end(),
                     [&](const PhaseTiming& each) { return each.name == phase.name; });
    if (same != to.timings.end()) {
      same->seconds += phase.seconds;
    } else {
      to.timings.insert(to.timings.empty() ? to.timings.end() : to.timings.end() - 1, phase);
    }
  }
}

}  // namespace detail

CpRequest rank_request(const CpRequest& request) {
  CpRequest all = request;
  all.trust = {};
  if (detail::by_least_squares(request)) {
    detail::settle_unless_given(all, true, detail::settled_tolerance, detail::settled_iterations);
  }
  return all;
}

}  // namespace genten
