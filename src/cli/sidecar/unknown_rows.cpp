// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "unknown_rows.hpp"

#include "tools/files.hpp"
#include "tools/text.hpp"

#include <iostream>

namespace genten::cli {

void tell_of_unknown_rows(const NamedRows& own, const std::string& file,
                          const std::vector<UnknownRows>& found, const std::string& why) {
  constexpr std::size_t most_named = 3;
  std::cout.flush();
  for (std::size_t n = 0; n < found.size(); ++n) {
    const auto& [entries, rows] = found[n];
    if (entries == 0) continue;
    std::vector<std::string> named;
    for (const std::size_t row : rows) {
      if (named.size() == most_named) break;
      named.push_back(own.labels.row(n, row));
    }
    const std::size_t more = rows.size() - named.size();
    std::cerr << "genten: note: " << tools::input_name(file) << ": " << own.labels.mode(n) << ": "
              << tools::count_of(entries, "entry") << (entries == 1 ? " is" : " are")
              << " in rows of " << tools::input_name(own.file) << " that " << why
              << ": nothing is known of " << tools::join(named, ", ")
              << (more > 0 ? " and " + std::to_string(more) + " more" : "") << '\n';
  }
}

}  // namespace genten::cli
