// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include "tools/terminal/terminal.hpp"
#include "tools/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

namespace genten::cli {

using namespace tools;

double seconds_left(const CpAlsOptions& limits, std::size_t start, const IterationRecord& record,
                    double gone) {
  const auto each = record.seconds / static_cast<double>(record.iteration);
  const auto starts = static_cast<double>(limits.starts - start - 1);
  const auto most = static_cast<double>(limits.max_iterations);
  const double all = each * (most - static_cast<double>(record.iteration) + starts * most);
  if (limits.time_limit <= 0.0) return all;
  return std::min(all, std::max(0.0, limits.time_limit - gone));
}

bool is_of_the_few(std::size_t number) {
  while (number != 0 && number % 10 == 0) number /= 10;
  constexpr std::array<std::size_t, 6> few = {1, 2, 3, 5, 7, 15};
  return std::find(few.begin(), few.end(), number) != few.end();
}

Progress::Progress(std::ostream& out, std::optional<std::size_t> every, const CpAlsOptions& limits,
                   bool constrained, bool has_fit)
    : m_out(out),
      m_terminal(can_write_over(out)),
      m_every(every),
      m_limits(limits),
      m_constrained(constrained),
      m_has_fit(has_fit) {}

std::string Progress::time_left(const IterationRecord& record, std::size_t width) const {
  const double seconds = seconds_left(m_limits, m_highest_start, record, m_watch.seconds());
  if (!m_terminal || seconds < 2.0) return "";
  // An upper bound, short enough for a terminal of 80 columns: "<1:05:00 left".
  const auto whole = static_cast<unsigned long long>(std::ceil(seconds));
  const std::string hours = whole < 3600 ? "" : std::to_string(whole / 3600) + ":";
  const std::string text =
      "  <" + hours +
      format(whole < 3600 ? "%llu:%02llu left" : "%02llu:%02llu left", whole / 60 % 60, whole % 60);
  return width + text.size() < terminal_width(m_out) ? text : "";
}

bool Progress::is_shown(std::size_t number) const {
  if (m_every) return number == 1 || number % *m_every == 0;
  constexpr double silence = 60.0;  // seconds
  if (m_terminal || m_watch.seconds() - m_printed_at > silence) return true;
  return m_limits.starts == 1 && is_of_the_few(number);
}

void Progress::show(std::size_t start, const IterationRecord& record, bool is_last) {
  if (m_every == 0) return;
  m_start = start;
  m_highest_start = std::max(m_highest_start, start);
  m_objective_before = record.iteration == 1 ? 0.0 : m_objective;
  m_objective = record.objective;
  m_unprinted = record;
  if (is_shown(record.iteration)) print(record);
  constexpr std::size_t few_starts = 20;
  if (is_last && (m_every || m_limits.starts <= few_starts || is_of_the_few(start + 1))) finish();
}

void Progress::finish() {
  if (m_unprinted) print(*m_unprinted);
  end_line();
}

void Progress::end_line() {
  if (m_line_open) m_out << '\n' << std::flush;
  m_line_open = false;
}

std::string Progress::columns(const IterationRecord& record) const {
  if (!m_constrained) {
    return format("%9zu  %15.12f  %10.2e  %12.6e  %10.3f", record.iteration, record.fit,
                  record.fit_change, record.residual_norm, record.seconds);
  }
  // Of the first there is no change, and without bounds no violation.
  const bool first = record.iteration == 1;
  const double step = record.objective - m_objective_before;
  const double change = step == 0.0 ? 0.0 : step / std::abs(record.objective);
  const double followed =
      std::isnan(record.holdout_rmse) ? record.kkt_violation : record.holdout_rmse;
  const std::string violation = std::isnan(followed) ? "-" : format("%.2e", followed);
  const std::string fit = m_has_fit ? format("  %15.12f", record.fit) : "";
  return format("%9zu%s  %14.8e  %9s  %9s  %10.3f", record.iteration, fit.c_str(), record.objective,
                first || std::isnan(change) ? "-" : format("%.2e", change).c_str(),
                violation.c_str(), record.seconds);
}

void Progress::print(const IterationRecord& record) {
  const bool numbered = m_limits.starts > 1;
  if (!m_header_printed) {
    const std::string titles =
        m_constrained
            ? format("%9s%s  %14s  %9s  %9s  %10s", "iteration",
                     m_has_fit ? format("  %15s", "fit").c_str() : "", "objective", "change",
                     std::isnan(record.holdout_rmse) ? "KKT" : "held out", "seconds")
            : format("%9s  %15s  %10s  %12s  %10s", "iteration", "fit", "change", "residual",
                     "seconds");
    m_out << painted(m_out, Paint::name, (numbered ? "start  " : "") + titles) << '\n';
    m_header_printed = true;
  }
  std::string line = numbered ? format("%5zu  ", m_start + 1) : "";
  line += columns(record);
  line += time_left(record, line.size());
  // On a terminal: back to the beginning, and erase what is right of the new text.
  m_out << (m_terminal ? "\r" : "") << line << (m_terminal ? "\033[K" : "\n") << std::flush;
  m_line_open = m_terminal;
  m_printed_at = m_watch.seconds();
  m_unprinted.reset();
}

}  // namespace genten::cli
