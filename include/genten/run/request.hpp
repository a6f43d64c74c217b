// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpRequest: what is asked for when a tensor is to be decomposed, whichever solver does it. The
/// tool and Python fill in one, and all rules between options are here.

#include <genten/base/error.hpp>
#include <genten/base/option_field.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/cp/cp_gcp.hpp>
#include <genten/cp/losses/any_loss.hpp>
#include <genten/cp/options.hpp>
#include <genten/run/trust/options.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace genten {

/// The solvers of CP decompositions.
enum class Solver { als, apr, completion, gcp };

constexpr auto enum_words(Solver) {
  return std::array{
      EnumWord("als", Solver::als, "alternating least squares"),
      EnumWord("apr", Solver::apr, "alternating Poisson regression, of counts or of 0 and 1"),
      EnumWord("completion", Solver::completion, "alternating least squares of known entries"),
      EnumWord("gcp", Solver::gcp, "generalized CP, any loss by its exact gradient")};
}

/// Which entries do not count.
enum class MissingEntries {
  none,
  unlisted,  ///< all that the tensor does not list
  listed     ///< those of a list; all others count, zeros too
};

constexpr auto enum_words(MissingEntries) {
  return std::array{EnumWord("none", MissingEntries::none),
                    EnumWord("unlisted", MissingEntries::unlisted),
                    EnumWord("listed", MissingEntries::listed)};
}

/// A decomposition as it is asked for. Options that several solvers have are one: who sets one sets
/// that of the first solver in `for_each_option`, and puts its name among `given`; `settle` hands
/// it on to the others.
struct CpRequest {
  std::string loss = "gaussian";                        ///< out of loss_names()
  std::optional<double> loss_parameter = std::nullopt;  ///< none: that of the loss
  std::optional<AnyLoss> own_loss = std::nullopt;       ///< a caller's, of the name that `loss` is
  MissingEntries missing = MissingEntries::none;
  std::optional<Solver> asked = std::nullopt;  ///< the solver; none: that of the rest
  CpAlsOptions als;
  CpAprOptions apr;
  CpCompletionOptions completion;
  CpGcpOptions gcp;
  TrustOptions trust = {};  ///< of the model that is found
  bool has_guess = false;   ///< the run begins at a model of the caller's, or may have
  /// What the caller has set: names of options, as in the tables, and "loss" and "solver".
  std::set<std::string, std::less<>> given = {};

  /// The solver that will run: that which is asked for, or else the fastest for the loss and what
  /// is missing, or cp_gcp where that one lacks a penalty, a bound, fixed modes or held-out
  /// entries that are given.
  [[nodiscard]] Solver solver() const;
  /// Throws Error for a name that is none, and for a parameter that the loss does not take.
  [[nodiscard]] AnyLoss any_loss() const {
    return own_loss ? *own_loss : AnyLoss::named(loss, loss_parameter);
  }

  /// Hands what is given on to all solvers that have it, and checks it.
  void settle(bool on_host);
  /// Throws Error for a loss that there is not, a solver that is asked for and cannot do
  /// this, an option that means nothing to the solver, and options that exclude each other.
  /// `on_host`: where it will run.
  void check(bool on_host) const;

  /// What the solver shares with cp_als, as it has it; the rest as by default.
  [[nodiscard]] CpAlsOptions common() const;
  /// Sets the rank, which an initial guess may bring.
  void set_rank(std::size_t rank);

  /// Calls `visit(solver, options)` for each solver, in order; constant options of a constant
  /// request.
  template <class Self, class Visitor>
  static void for_each_solver(Self& self, Visitor&& visit) {
    visit(Solver::als, self.als);
    visit(Solver::apr, self.apr);
    visit(Solver::completion, self.completion);
    visit(Solver::gcp, self.gcp);
  }
  /// Calls `visit(options)` with those of the solver.
  template <class Self, class Visitor>
  static void with_options(Self& self, Visitor&& visit) {
    const Solver chosen = self.solver();
    for_each_solver(self, [&](Solver each, auto& options) {
      if (each == chosen) visit(options);
    });
  }
  /// Calls `visit(solver, field, value)` for the option of that name of each solver that has it.
  template <class Self, class Visitor>
  static void for_each_of(Self& self, std::string_view name, Visitor&& visit) {
    for_each_solver(self, [&](Solver solver, auto& options) {
      for_each_field(options, [&](const auto& field, auto& value) {
        if (field.name == name) visit(solver, field, value);
      });
    });
  }
  /// Calls `visit(solver, field, value)` once for each option, with the first solver that has it.
  template <class Self, class Visitor>
  static void for_each_option(Self& self, Visitor&& visit) {
    std::set<std::string_view> seen = {"unlisted"};  // follows from what is missing
    for_each_solver(self, [&](Solver solver, auto& options) {
      for_each_field(options, [&](const auto& field, auto& value) {
        if (seen.insert(field.name).second) visit(solver, field, value);
      });
    });
  }
};

/// Whether the table of the solver has an option of that name.
[[nodiscard]] bool has_option(Solver solver, std::string_view name);

/// Throws the Error of an option that a resumed run has otherwise than the run before.
[[noreturn]] void refuse_on_resume(std::string_view name, const std::string& before,
                                   const std::string& now);
/// Throws Error where a request gives another loss or solver than those of the run that it
/// goes on from, or other missing entries; unlisted ones are missing without being asked for.
void require_same_problem(const CpRequest& request, const CpRequest& saved);

/// What a request becomes that goes on from the run of `saved`, which says its solver: that, with
/// what is given and may be otherwise. `text(value)` writes a value for messages. Throws
/// Error for what is given and is not that of the saved run, and what `check` throws.
template <class Text>
[[nodiscard]] CpRequest resumed(const CpRequest& request, const CpRequest& saved, bool on_host,
                                Text&& text) {
  require_same_problem(request, saved);
  CpRequest taken = saved;
  taken.asked = saved.solver();
  taken.given = request.given;
  taken.has_guess = true;  // the checkpoint does not say
  taken.trust = request.trust;
  taken.check(on_host);
  CpRequest::for_each_option(request, [&](Solver, const auto& field, const auto& now) {
    using Value = std::remove_cvref_t<decltype(now)>;
    if (!request.given.contains(field.name) || field.name == "init") return;
    CpRequest::for_each_of(taken, field.name, [&](Solver solver, const auto&, auto& value) {
      if constexpr (std::is_same_v<Value, std::remove_cvref_t<decltype(value)>>) {
        if (solver != *taken.asked) return;
        if (value != now && !may_change_on_resume(field.name)) {
          refuse_on_resume(field.name, text(value), text(now));
        }
        value = now;
      }
    });
  });
  return taken;
}

}  // namespace genten
