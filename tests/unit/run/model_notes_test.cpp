// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/run/report.hpp>

#include <gmock/gmock.h>

#include <vector>

namespace {

using genten::NoteCode;
using genten::RunSettings;
using testing::IsEmpty;

genten::ValueSummary summary(std::vector<double> values) {
  const Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> view(values.data(),
                                                                               values.size());
  return genten::summary_of(Kokkos::DefaultHostExecutionSpace(), view, values.size());
}

TEST(Notes, OneValueThatOutweighsAllOthers) {
  std::vector<double> values(200, 3.0);
  values[7] = -1e5;
  RunSettings settings;
  settings.entries.listed = settings.entries.all = 200.0;
  judge_values(summary(values), settings);
  const std::string text =
      "one of 200 values, -1e+05, holds 99.99 % of the sum of squares, so that the fit tells of it "
      "and of hardly anything else: if it is a slip, correct it";
  for (const auto& notes : {data_notes(settings), notes_beside_model(settings)}) {
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].code, NoteCode::one_large_value);
    EXPECT_EQ(genten::ErrorWords().text(notes[0].text), text);
  }
  settings.entries.values = genten::ValueRange{1.0, 1e5};
  EXPECT_EQ(genten::ErrorWords().text(data_notes(settings).front().text),
            text + "; if not, logarithms of the values let the others count");
  EXPECT_EQ(genten::ErrorWords().text(notes_beside_model(settings).front().text), text);
  settings.least_squares = false;
  settings.entries.largest_part = 0.0;
  judge_values(summary(values), settings);
  EXPECT_THAT(data_notes(settings), IsEmpty());
  settings.of_counts = true;
  std::vector<double> counts(200, 3.0);
  counts[7] = 99999.0;
  judge_values(summary(counts), settings);
  EXPECT_THAT(genten::ErrorWords().text(data_notes(settings).front().text),
              testing::HasSubstr("1e+05, holds 99.41 % of the sum of all, so that much of the "
                                 "model is of it: if it is a slip, correct it"));
  counts[7] = 200.0;  // a fourth
  settings.entries.largest_part = 0.0;
  judge_values(summary(counts), settings);
  EXPECT_THAT(data_notes(settings), IsEmpty());
  settings.of_counts = false;
  settings.least_squares = true;
  values[7] = 120.0;  // 14400 of 16191
  settings.entries.largest_part = 0.0;
  judge_values(summary(values), settings);
  EXPECT_THAT(data_notes(settings), IsEmpty());
}

// Of a model that there is, its modes and zeros are not the matter.
TEST(Notes, ThoseBesideAModel) {
  RunSettings settings;
  settings.entries.values = genten::ValueRange{15.0, 16.0};
  settings.entries.gaps = genten::GapSign::far_from_zero;
  settings.entries.negatives = 3;
  settings.entries.fractions = 2;
  settings.entries.determined_modes = {{.mode = 0, .by = 1, .rows = 5, .by_each_other = false}};
  EXPECT_EQ(data_notes(settings).size(), 4U);
  const auto notes = notes_beside_model(settings);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].code, NoteCode::unlisted_zeros);
  EXPECT_TRUE(tells_of_gaps(notes));
  EXPECT_FALSE(genten::tells_of_gaps({}));
}

}  // namespace
