// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/run/tucker_notes.hpp>

#include <gmock/gmock.h>

namespace {

using genten::NoteCode;
using genten::StopReason;
using genten::TuckerFigures;
using genten::TuckerOptions;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TuckerFigures converged() {
  TuckerFigures figures;
  figures.iterations = 5;
  figures.fit = 0.5;
  figures.tensor_norm = 2.0;
  figures.residual_norm = 1.0;
  figures.residual_error = 1e-12;
  return figures;
}

std::vector<NoteCode> codes(const TuckerFigures& figures, const TuckerOptions& options,
                            bool interrupted = false, bool by_callback = false) {
  genten::RunSettings settings = genten::run_settings(options);
  settings.is_interrupted = interrupted;
  settings.by_callback = by_callback;
  std::vector<NoteCode> found;
  for (const auto& note : tucker_notes(figures, settings)) found.push_back(note.code);
  return found;
}

TEST(TuckerNotes, AreOfWhatEndedTheRun) {
  const TuckerOptions options{.max_iterations = 5, .time_limit = 3.0};
  TuckerFigures figures = converged();
  EXPECT_THAT(codes(figures, options), IsEmpty());
  EXPECT_THAT(codes(figures, options, true), ElementsAre(NoteCode::late_signal));
  figures.stop_reason = StopReason::iteration_limit;
  EXPECT_THAT(codes(figures, options), ElementsAre(NoteCode::iteration_limit));
  figures.stop_reason = StopReason::time_limit;
  EXPECT_THAT(codes(figures, options), ElementsAre(NoteCode::time_limit));
  figures.stop_reason = StopReason::observer;
  EXPECT_THAT(codes(figures, options, true), ElementsAre(NoteCode::interrupted));
  EXPECT_THAT(codes(figures, options, true, true), IsEmpty());
}

TEST(TuckerNotes, AreOfTheFit) {
  TuckerFigures figures = converged();
  figures.residual_error = 0.5;
  EXPECT_THAT(codes(figures, {}), ElementsAre(NoteCode::residual_uncertain));
  figures = converged();
  EXPECT_THAT(codes(figures, {.tolerance = 0.6}), ElementsAre(NoteCode::tolerance_above_fit));
  EXPECT_THAT(genten::tucker_warnings(figures), IsEmpty());
  figures.vectors_converged = false;
  EXPECT_THAT(genten::tucker_warnings(figures), ElementsAre(HasSubstr("leading vectors")));
}

TEST(TuckerNotes, AreOfTheTensor) {
  const genten::EntryFacts facts{.values = genten::ValueRange{1.0, 5.0},
                                 .gaps = genten::GapSign::ratings,
                                 .determined_modes = {{.mode = 2, .by = 1, .rows = 9}}};
  const auto notes = tucker_notes(converged(), genten::run_settings(TuckerOptions(), facts));
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_THAT(genten::ErrorWords().text(notes[0].text),
              HasSubstr("missing unlisted of run_cp leaves them out"));
  EXPECT_EQ(notes[1].code, NoteCode::determined_modes);
}

}  // namespace
