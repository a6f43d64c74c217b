// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The lines that follow a run.

#include <genten/cp/options.hpp>
#include <genten/cp/result.hpp>

#include <iosfwd>
#include <optional>
#include <string>

namespace genten::cli {

/// Seconds that a run takes at most from iteration `record` of start `start` (from 0) on, by its
/// limits and the time that its iterations took so far; `gone` have passed since it began.
[[nodiscard]] double seconds_left(const CpAlsOptions& limits, std::size_t start,
                                  const IterationRecord& record, double gone);

/// Whether a line that is one of many, by its number from 1, is among some twenty that stand for
/// them: 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, ...
[[nodiscard]] bool is_of_the_few(std::size_t number);

/// Prints lines of iterations and of the last one. On a terminal the line is overwritten in place,
/// and says how much longer the run may take where that is seconds; elsewhere there is one after
/// the other.
class Progress {
 public:
  /// Prints every `every`-th iteration; 0: nothing; none: all on a terminal, elsewhere some twenty
  /// or, of several starts, the last ones of as many of these, and one a minute. Under constraints
  /// the objective is what is followed, and unless `has_fit` there is no column of the fit.
  Progress(std::ostream& out, std::optional<std::size_t> every, const CpAlsOptions& limits,
           bool constrained, bool has_fit = true);

  /// Ends the line where an exception has ended the run.
  ~Progress() { end_line(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// After an iteration of random start `start` (from 0), of which it is perhaps the last.
  void show(std::size_t start, const IterationRecord& record, bool is_last);
  /// After the last iteration: prints it if it was not printed, and ends the line.
  void finish();

 private:
  void end_line();
  /// Whether iteration `number` is to be printed when it comes.
  [[nodiscard]] bool is_shown(std::size_t number) const;
  void print(const IterationRecord& record);
  [[nodiscard]] std::string columns(const IterationRecord& record) const;
  [[nodiscard]] std::string time_left(const IterationRecord& record, std::size_t width) const;

  std::ostream& m_out;
  bool m_terminal;
  std::optional<std::size_t> m_every;
  CpAlsOptions m_limits;
  Stopwatch m_watch;
  double m_printed_at = 0.0;  ///< seconds of the watch
  bool m_constrained;
  bool m_has_fit;
  std::size_t m_start = 0;          ///< of the last iteration
  std::size_t m_highest_start = 0;  ///< that has begun
  double m_objective = 0.0;         ///< of the last iteration
  double m_objective_before = 0.0;  ///< of the one before
  bool m_header_printed = false;
  bool m_line_open = false;
  std::optional<IterationRecord> m_unprinted;
};

}  // namespace genten::cli
