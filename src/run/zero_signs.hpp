// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/run/notes.hpp>

namespace genten {

/// How many values lie within a range, of values of which all are among `halves`.
[[nodiscard]] double within(const ValueSummary& values, double least, double most);

/// Zeros where all other values are ten or more, and within five times the least: sensors that
/// fail, and questions without an answer, are written so. Not where they are more than three
/// fifths.
[[nodiscard]] Placeholder zeros_for_unknown(const ValueSummary& values);

/// Zeros beside a hundred answers or more on a scale from 1 to 5 or to 7, of which all occur, a
/// twentieth at the top: more zeros than ones, and fewer ones than of the most frequent answer.
/// Counts fall off from 0 on, or from 1 on, or rise to a peak from 0 on.
[[nodiscard]] Placeholder zeros_for_no_answer(const ValueSummary& values);

/// Whether a hundred whole numbers or more, as counts are, have no zeros, or far fewer than counts
/// have: a tenth of the ones, and of n1² / (2 n2), which is what Poisson's of one mean have with n1
/// ones and n2 twos, and less than those of several means have.
[[nodiscard]] bool lack_zeros(const ValueSummary& values);

}  // namespace genten
