// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include "tools/text.hpp"

#include <ostream>

namespace genten::cli {

using namespace tools;

void Progress::show(std::size_t start, const IterationRecord& record) {
  if (m_every == 0) return;
  if (m_header_printed && start != m_start) finish();
  m_start = start;
  if (record.iteration == 1 || record.iteration % m_every == 0) {
    print(record);
  } else {
    m_unprinted = record;
  }
}

void Progress::finish() {
  if (m_unprinted) print(*m_unprinted);
  end_line();
}

void Progress::end_line() {
  if (m_line_open) m_out << '\n' << std::flush;
  m_line_open = false;
}

void Progress::print(const IterationRecord& record) {
  const bool numbered = m_starts > 1;
  if (!m_header_printed) {
    m_out << (numbered ? "start  " : "")
          << format("%9s  %15s  %10s  %12s  %10s\n", "iteration", "fit", "change", "residual",
                    "seconds");
    m_header_printed = true;
  }
  std::string line = numbered ? format("%5zu  ", m_start + 1) : "";
  line += format("%9zu  %15.12f  %10.2e  %12.6e  %10.3f", record.iteration, record.fit,
                 record.fit_change, record.residual_norm, record.seconds);
  // On a terminal: back to the beginning, and erase what is right of the new text.
  m_out << (m_terminal ? "\r" : "") << line << (m_terminal ? "\033[K" : "\n") << std::flush;
  m_line_open = m_terminal;
  m_unprinted.reset();
}

}  // namespace genten::cli
