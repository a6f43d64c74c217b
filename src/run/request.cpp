// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/cp_als.hpp>
#include <genten/cp/evaluate_loss.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/run/report.hpp>
#include <genten/run/run_cp.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace genten {
namespace {

/// What is minimized, and not how: an option for which a run goes to the solver that has it.
constexpr std::array<std::string_view, 8> of_the_problem = {
    "ridge", "l1", "lower", "upper", "fixed-modes", "holdout", "holdout-seed", "patience"};

/// Whether an option is a penalty of 0: none. A bound of 0 is one.
template <class Value>
bool is_no_penalty(std::string_view name, const Value& value) {
  if constexpr (std::is_same_v<Value, std::vector<double>>) {
    return (name == "ridge" || name == "l1") &&
           std::all_of(value.begin(), value.end(), [](double each) { return each == 0.0; });
  } else {
    return false;
  }
}

/// The solver for the loss and what is missing, whatever else is given.
Solver usual_solver(const CpRequest& request) {
  const bool none_missing = request.missing == MissingEntries::none;
  if (request.loss == "gaussian") return none_missing ? Solver::als : Solver::completion;
  return from_word<CountLoss>(request.loss) && none_missing ? Solver::apr : Solver::gcp;
}

/// Whether an option is given, and not what it is anyway.
bool is_asked(const CpRequest& request, std::string_view name) {
  if (!request.given.contains(name)) return false;
  static const CpRequest defaults;
  bool differs = false;
  CpRequest::for_each_option(request, [&](Solver home, const auto& field, const auto& value) {
    if (field.name != name) return;
    CpRequest::for_each_of(defaults, name, [&](Solver solver, const auto&, const auto& otherwise) {
      if constexpr (std::is_same_v<decltype(value), decltype(otherwise)>) {
        if (solver == home) differs = !(value == otherwise) && !is_no_penalty(name, value);
      }
    });
  });
  return differs;
}

/// The option for which the usual solver will not do; empty: it will.
std::string_view reason_for_gcp(const CpRequest& request) {
  const Solver usual = usual_solver(request);
  for (const std::string_view name : of_the_problem) {
    if (is_asked(request, name) && !has_option(usual, name)) return name;
  }
  if (is_asked(request, "method")) return "method";
  // cp_completion holds out entries that a tensor lists, and no zeros.
  const bool zeros_count = request.missing != MissingEntries::unlisted;
  return zeros_count && is_asked(request, "holdout") ? "holdout" : "";
}

/// What has decided on the solver, for messages.
std::string cause(const CpRequest& request) {
  if (request.asked) return "{solver=" + std::string(to_string(*request.asked)) + "}";
  const bool misses = request.missing != MissingEntries::none;
  if (request.loss == "gaussian" && misses) return "{missing}";
  std::string text = "{loss=" + request.loss + "}";
  if (usual_solver(request) != Solver::gcp) {
    const auto reason = reason_for_gcp(request);
    if (!reason.empty()) text += " with {" + std::string(reason) + "}";
  }
  return text + (misses ? " with {missing}" : "");
}

[[noreturn]] void means_nothing(std::string_view name, const std::string& where,
                                const std::string& way = "leave it out") {
  throw Error::of_conflict(name, "has no effect " + where + ": " + way);
}

void check_loss(const CpRequest& request) {
  if (request.own_loss) {
    if (!request.loss_parameter) return;
    means_nothing("loss-parameter", "beside a loss of functions");
  }
  const auto names = loss_names();
  if (std::find(names.begin(), names.end(), request.loss) == names.end()) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : "|") + name;
    throw Error(Error::Fields{.code = Error::Code::option_value,
                              .option = "loss",
                              .expected = all,
                              .found = error_text::option("", request.loss)});
  }
  if (!request.loss_parameter) return;
  if (AnyLoss::named(request.loss).facts().parameter_name.empty()) {
    means_nothing("loss-parameter", "beside {loss=" + request.loss + "}");
  }
  try {
    static_cast<void>(request.any_loss());
  } catch (const Error& error) {  // without the loss's name
    Error::Fields fields = error.fields();
    fields.option = "loss-parameter";
    if (!fields.expected.empty()) fields.complaint.clear();
    throw Error(std::move(fields));
  }
}

/// Whether the solver that is asked for can do this.
void check_solver(const CpRequest& request) {
  if (!request.asked || *request.asked == Solver::gcp) return;
  const Solver usual = usual_solver(request);
  if (*request.asked == usual) return;
  std::string beside = "{loss=" + request.loss + "}";
  if (request.missing != MissingEntries::none) beside += " with {missing}";
  throw Error::of_option("solver", "expected " + std::string(to_string(usual)) +
                                       (usual == Solver::gcp ? "" : "|gcp") + " beside " + beside +
                                       ", got " + std::string(to_string(*request.asked)));
}

/// Throws for an option that the solver does not have.
void check_name(const CpRequest& request, std::string_view name) {
  if (name == "nonnegative" && !is_asked(request, name)) return;  // of no mode
  // The factors of such losses are nonnegative in all modes, whatever is asked.
  if (name == "nonnegative" && request.any_loss().facts().lower == 0.0) return;
  if (has_option(request.solver(), name)) return;
  const bool of_problem =
      std::find(of_the_problem.begin(), of_the_problem.end(), name) != of_the_problem.end();
  if (of_problem && !is_asked(request, name)) return;  // what goes without saying
  means_nothing(name, "beside " + cause(request));
}

/// Bounds below 0 of a model that must not be negative.
void check_bounds(const CpRequest& request) {
  if (request.solver() != Solver::gcp || request.any_loss().facts().lower != 0.0) return;
  const auto refuse = [&](const char* name, const std::vector<double>& bounds, double least) {
    for (const double each : bounds) {
      if (!(each < 0.0) || each < least) continue;
      throw Error::of_option(name, "expected numbers of at least 0 beside {loss=" + request.loss +
                                       "}, whose model must not be negative, got " +
                                       number_text(each));
    }
  };
  refuse("lower", request.gcp.lower, std::numeric_limits<double>::lowest());
  refuse("upper", request.gcp.upper, -std::numeric_limits<double>::infinity());
}

/// What the entries that count make meaningless.
void check_entries(const CpRequest& request, bool on_host) {
  const auto refuse = [&](std::initializer_list<const char*> names, const std::string& where,
                          const std::string& way = "leave it out") {
    for (const char* name : names) {
      if (request.given.contains(name)) means_nothing(name, where, way);
    }
  };
  double holdout = 0.0;
  if (request.solver() == Solver::gcp) holdout = request.gcp.holdout;
  if (request.solver() == Solver::completion) {
    holdout = request.completion.holdout;
    if (request.missing == MissingEntries::unlisted) {
      refuse({"kernel", "memory-limit"}, "beside {missing=unlisted}");
    }
  }
  if (request.solver() == Solver::gcp && request.any_loss().facts().lower != 0.0 &&
      is_asked(request, "l1") && request.gcp.nonnegative.empty() && request.gcp.lower.empty()) {
    means_nothing("l1", "beside " + cause(request) + " without {nonnegative}");
  }
  if (!(holdout > 0.0)) refuse({"holdout-seed", "patience"}, "without {holdout}");
  if (request.solver() == Solver::gcp) {
    const GcpMethod method = request.gcp.method;
    if (method == GcpMethod::adam) refuse({"corrections"}, "beside {method=adam}");
    if (method == GcpMethod::rows) refuse({"corrections"}, "beside {method=rows}");
    if (method != GcpMethod::adam) {
      refuse({"rate", "epoch-steps", "batch", "failures"}, "without {method=adam}");
    }
  }
  if (request.solver() == Solver::apr) {
    const CountSteps steps = request.apr.steps;
    if (steps == CountSteps::newton || (steps == CountSteps::automatic && on_host)) {
      const std::string others = "{steps=multiplicative} takes others";
      refuse({"kernel", "memory-limit"}, "beside Newton's steps", others);
      // Only zeros of a guess are lifted there.
      if (!request.has_guess) {
        refuse({"kappa", "kappa-tolerance"}, "beside Newton's steps without {init}", others);
      }
    }
  }
}

/// Random numbers that stay are hardly what somebody wants of a factor.
void check_fixed_modes(const CpRequest& request) {
  if (request.has_guess || !is_asked(request, "fixed-modes")) return;
  throw Error::of_option("fixed-modes",
                         "expected {init} beside it, a model that has the factors that are to "
                         "stay: a run that begins at random would keep its random numbers");
}

/// Sets an option to what another of the same name is, where it can be that.
template <class To, class From>
void take(To& to, const From& from) {
  if constexpr (std::is_same_v<To, From>) {
    to = from;
  } else if constexpr (WordedEnum<To> && WordedEnum<From>) {
    to = from_word<To>(to_string(from)).value_or(to);
  }
}

}  // namespace

bool has_option(Solver solver, std::string_view name) {
  static const CpRequest request;
  bool found = false;
  CpRequest::for_each_of(request, name, [&](Solver each, const auto&, const auto&) {
    found = found || (each == solver && name != "unlisted");
  });
  return found;
}

Solver CpRequest::solver() const {
  if (asked) return *asked;
  return reason_for_gcp(*this).empty() ? usual_solver(*this) : Solver::gcp;
}

void CpRequest::check(bool on_host) const {
  check_loss(*this);
  check_solver(*this);
  for (const std::string& name : given) {
    if (name != "loss" && name != "solver") check_name(*this, name);
  }
  check_entries(*this, on_host);
  check_bounds(*this);
  check_fixed_modes(*this);
}

void CpRequest::settle(bool on_host) {
  for_each_option(*this, [&](Solver home, const auto& field, const auto& value) {
    if (!given.contains(field.name)) return;
    for_each_of(*this, field.name, [&](Solver solver, const auto&, auto& to) {
      if (solver != home) take(to, value);
    });
  });
  gcp.unlisted =
      missing == MissingEntries::unlisted ? UnlistedEntries::missing : UnlistedEntries::zeros;
  // What is asked of a method asks for it.
  if (given.contains("corrections") && gcp.method == GcpMethod::automatic) {
    gcp.method = GcpMethod::lbfgs;
  }
  check(on_host);
}

CpAlsOptions CpRequest::common() const {
  CpAlsOptions common;
  with_options(*this, [&](const auto& options) {
    for_each_field(options, [&](const auto& field, const auto& value) {
      for_each_field(common, [&](const auto& other, auto& to) {
        if (other.name == field.name) take(to, value);
      });
    });
  });
  return common;
}

void CpRequest::set_rank(std::size_t rank) {
  for_each_solver(*this, [rank](Solver, auto& options) { options.rank = rank; });
}

RunSettings run_settings(const CpRequest& request, std::size_t order, EntryFacts entries) {
  const CpAlsOptions common = request.common();
  RunSettings settings{.rank = common.rank,
                       .max_iterations = common.max_iterations,
                       .tolerance = common.tolerance,
                       .time_limit = common.time_limit,
                       .starts = common.starts,
                       .constraints = row_constraints(common, order),
                       .fixed_modes = common.fixed_modes,
                       .least_squares = request.loss == "gaussian",
                       .models_means = models_means(request.any_loss()),
                       .has_missing = request.missing != MissingEntries::none,
                       .unlisted_are_missing = request.missing == MissingEntries::unlisted,
                       .fits_ridge = request.missing == MissingEntries::unlisted &&
                                     request.solver() == Solver::completion &&
                                     request.completion.ridge.empty(),
                       .of_counts = request.loss == "poisson",
                       .adds_counts = is_of_counts(request.loss),
                       .added = request.any_loss().facts().added,
                       .entries = std::move(entries)};
  const double lowest = request.any_loss().facts().lower;
  for (RowConstraint& each : settings.constraints) each.lower = std::max(each.lower, lowest);
  for (const int mode : common.fixed_modes) {
    settings.constraints[static_cast<std::size_t>(mode)] = RowConstraint();
  }
  return settings;
}

ValueRange values_within(const std::vector<RowConstraint>& constraints, std::size_t rank) {
  if (constraints.empty()) return {-RowConstraint::none, RowConstraint::none};
  ValueRange range{1.0, 1.0};
  for (const RowConstraint& each : constraints) {
    ValueRange next{RowConstraint::none, -RowConstraint::none};
    for (const double a : {range.lowest, range.highest}) {
      for (const double b : {each.lower, each.upper}) {
        // Of 0 times infinity the limit is 0: no factor is infinite.
        const double end = a == 0.0 || b == 0.0 ? 0.0 : a * b;
        next = {std::min(next.lowest, end), std::max(next.highest, end)};
      }
    }
    range = next;
  }
  const auto components = static_cast<double>(rank);
  return {range.lowest * components, range.highest * components};
}

void refuse_on_resume(std::string_view name, const std::string& before, const std::string& now) {
  throw Error::of_option(name, "expected that of the checkpoint, " +
                                   (before.empty() ? "none" : before) + ", got " + now);
}

void require_same_problem(const CpRequest& request, const CpRequest& saved) {
  if (request.given.contains("loss")) {
    const bool other = request.loss != saved.loss;
    if (other) refuse_on_resume("loss", "{=" + saved.loss + "}", "{=" + request.loss + "}");
  }
  if (request.loss_parameter) {
    const LossFacts facts = saved.any_loss().facts();
    if (facts.parameter_name.empty()) {
      means_nothing("loss-parameter", "beside {loss=" + saved.loss + "}");
    }
    if (*request.loss_parameter != facts.parameter) {
      refuse_on_resume("loss-parameter", number_text(facts.parameter),
                       number_text(*request.loss_parameter));
    }
  }
  if (request.given.contains("solver") && request.asked && *request.asked != saved.solver()) {
    refuse_on_resume("solver", "{=" + std::string(to_string(saved.solver())) + "}",
                     "{=" + std::string(to_string(*request.asked)) + "}");
  }
  const bool same = request.missing == saved.missing || (request.missing == MissingEntries::none &&
                                                         saved.missing == MissingEntries::unlisted);
  if (same) return;
  const auto words = [](MissingEntries missing) -> std::string {
    if (missing == MissingEntries::none) return "none";
    return missing == MissingEntries::listed ? "a list of entries" : "{=unlisted}";
  };
  refuse_on_resume("missing", words(saved.missing), words(request.missing));
}

void take_ridge_used(const OwnFigures& own, CpRequest& request) {
  const auto used = std::visit(
      [](const auto& figures) -> std::vector<double> {
        if constexpr (requires { figures.ridge; }) return figures.ridge;
        return {};
      },
      own);
  if (std::all_of(used.begin(), used.end(), [](double each) { return each == 0.0; })) return;
  CpRequest::for_each_of(request, "ridge", [&](Solver, const auto&, auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::vector<double>>) {
      if (value.empty()) value = used;
    }
  });
}

namespace detail {

CpRequest saved_request(std::string_view state) {
  CpRequest request;
  if (is_apr_state(state)) {
    request.apr = saved_apr_options(state);
    request.loss = to_string(request.apr.loss);
    return request;
  }
  if (is_gcp_state(state)) {
    const LossFacts loss = saved_gcp_loss(state).facts();
    request.asked = Solver::gcp;
    request.loss = loss.name;
    if (!loss.parameter_name.empty()) request.loss_parameter = loss.parameter;
    request.gcp = saved_gcp_options(state);
    if (request.gcp.unlisted == UnlistedEntries::missing) {
      request.missing = MissingEntries::unlisted;
    } else if (is_gcp_state_with_list(state)) {
      request.missing = MissingEntries::listed;
    }
    return request;
  }
  switch (saved_completion(state)) {
    case CompletionCheckpoint::none:
      request.als = saved_als_options(state);
      return request;
    case CompletionCheckpoint::unlisted:
      request.missing = MissingEntries::unlisted;
      break;
    case CompletionCheckpoint::listed:
      request.missing = MissingEntries::listed;
      break;
  }
  request.completion = saved_completion_options(state);
  return request;
}

}  // namespace detail

}  // namespace genten
