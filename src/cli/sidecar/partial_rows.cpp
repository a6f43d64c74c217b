// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "partial_rows.hpp"

#include "base/names_in_option.hpp"
#include "report_lines.hpp"
#include "tools/command_line.hpp"
#include "tools/mode_names.hpp"
#include "tools/printable.hpp"
#include "tools/text.hpp"

#include <numeric>
#include <ostream>

namespace genten::cli {
namespace {

/// What comes of rows of the model that the file lacks, so many by mode: with --partial they do not
/// count, and the values of all others are compared with zeros.
std::string consequence(const AbsentRows& absent, const NamedRows& own,
                        const std::vector<std::size_t>& rows_absent) {
  double all = 1.0, met = 1.0;
  std::vector<std::string> lacking;
  bool compares = false;
  for (std::size_t n = 0; n < rows_absent.size(); ++n) {
    const bool counts = !absent.misses_unlisted && !absent.partial.contains(static_cast<int>(n));
    const auto rows = static_cast<double>(own.dimensions[n] - rows_absent[n]);
    met *= rows;
    all *= counts ? static_cast<double>(own.dimensions[n]) : rows;
    compares = compares || (counts && rows_absent[n] != 0);
    const std::string& name = own.labels.mode_name(n);
    if (rows_absent[n] != 0) lacking.push_back(name.empty() ? std::to_string(n + 1) : name);
  }
  const std::size_t absent_rows =
      std::accumulate(rows_absent.begin(), rows_absent.end(), std::size_t{0});
  if (!compares) return absent_rows == 1 ? "; it does not count" : "; these do not count";
  const std::string option = error_text::option("partial", names_in_option(lacking));
  const bool one = all - met == 1.0;
  return "; " + tools::format("%.9g of %.9g", all - met, all) + " entries, in such rows, " +
         (one ? "is" : "are") +
         " compared with zeros: " + tools::printable(tools::in_words(option)) + " leaves " +
         (one ? "it" : "them") + " out";
}

}  // namespace

void add_partial(CLI::App& app, ModeSelection& partial) {
  tools::add_option(
      app,
      {"partial",
       "modes of which FILE has some rows alone, as weeks: rows without entries in it do not "
       "count"},
      partial);
}

void number_partial(ModeSelection& partial, const NamedRows& own) {
  tools::number_modes("partial", partial, own.labels.mode_names());
  tools::require_modes("partial", partial.modes, own.dimensions.size());
}

void tell_of_absent_rows(const AbsentRows& absent, const RowMatch& match, const NamedRows& own,
                         const NamedRows& other, const LackingEntries& left_out,
                         const std::vector<std::set<std::size_t>>& empty_numbers) {
  tell_of_rows(
      match, own, other,
      [&](const std::vector<std::size_t>& rows) { return consequence(absent, own, rows); },
      left_out, empty_numbers);
}

void print_counting(std::ostream& out, const NamedRows& own, const CountingRows& rows) {
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (rows[n].empty()) continue;
    print_line(out, "rows",
               own.labels.mode(n) + ": " + std::to_string(rows[n].size()) + " of " +
                   std::to_string(own.dimensions[n]) + ", which have entries, count");
  }
}

}  // namespace genten::cli
