// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Names of rows that are dates, in one form or in several.

#include <string>
#include <string_view>
#include <vector>

namespace genten::tools {

/// Whether a name is a date of more than a year, as 2024-03-01, 1/3/2024, 2024-03 and 1 March 2024,
/// with or without a time behind it.
[[nodiscard]] bool is_date(std::string_view name);

/// What comes first in dates of numbers with the year at their end.
enum class DateOrder { unknown, day_first, month_first };

/// The order of day and month that names have, of which some tell it, as 13/04/2024 and 04/13/2024;
/// unknown where none does, as 03/04/2024, or where some tell the one and some the other.
[[nodiscard]] DateOrder date_order(const std::vector<std::string>& names);

/// By unknown name the known one that is the same day, or month, in another form; "" where there is
/// none, or where it may be either of two. Times of day are none.
[[nodiscard]] std::vector<std::string> dates_written_as(const std::vector<std::string>& known,
                                                        const std::vector<std::string>& unknown);

/// That names are dates in several forms, with how many rows and one example of each, the form of
/// most rows first; "" where they have one form, or where half of the names or more are no dates.
/// In "dates in 2 forms, 8 rows as "2024-03-01" and 4 as "1.3.2024"" `quote` is the sign around
/// examples.
[[nodiscard]] std::string several_date_forms(const std::vector<std::string>& names, char quote);

/// What is to be done about them.
inline constexpr const char* date_forms_remedy =
    "a date in two forms has two rows; write all dates of the column in one form";

}  // namespace genten::tools
