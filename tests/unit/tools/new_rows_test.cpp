// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Notes on new rows of a model.

#include "tools/hints/new_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace genten::tools {
namespace {

using Model = Ktensor<double, HostExec>;
using Tensor = Sptensor<double, std::uint32_t, HostExec>;

/// Of order 2 and rank 1, the rows of its mode 0 being these, and 1 the one of the other.
Model model_of(const std::vector<double>& rows) {
  const Model model(std::vector<std::size_t>{rows.size(), 1}, 1);
  model.weights()(0) = 1.0;
  model.factor(1)(0, 0) = 1.0;
  for (std::size_t i = 0; i < rows.size(); ++i) model.factor(0)(i, 0) = rows[i];
  return model;
}

Tensor slices_of(const std::vector<double>& values) {
  const Kokkos::View<double*, HostExec::memory_space> view("values", values.size());
  const Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, HostExec::memory_space> subscripts(
      "subscripts", values.size(), 2);
  for (std::size_t p = 0; p < values.size(); ++p) {
    view(p) = values[p];
    subscripts(p, 0) = static_cast<std::uint32_t>(p);
  }
  return Tensor(std::vector<std::size_t>{values.size(), 1}, subscripts, view);
}

TEST(NewRows, AnotherUnitIsAskedFor) {
  EXPECT_EQ(unit_note(std::nan("")), "");
  EXPECT_EQ(unit_note(996.0),
            "the new rows are about 1000 times as large as those that the model had: are the "
            "values in the same unit?");
  EXPECT_NE(unit_note(1.0 / 103.0).find("about 100 times as small as"), std::string::npos);
}

TEST(NewRows, UnitsAreThoseOfModelsThatAreMeans) {
  const std::vector<double> cents{150.5, 210.25, 305.75};
  const auto note = [&](const char* loss) {
    return unit_note(model_of({1.5, 2.0, 2.5, 3.0}), model_of(cents), slices_of(cents), 0,
                     AnyLoss::named(loss));
  };
  EXPECT_NE(note("gaussian").find("about 94 times as large"), std::string::npos);
  EXPECT_EQ(note("poisson-log"), "");
}

TEST(NewRows, UnitsOfABatchComeBeforeItsDoubts) {
  StreamBatch batch;
  const auto as_it_is = [](const std::string& note) { return "- " + note; };
  EXPECT_TRUE(batch_notes(batch, as_it_is).empty());
  batch.times_as_large = 100.0;
  batch.forgets_all = true;
  const auto notes = batch_notes(batch, as_it_is);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_NE(notes[0].find("100 times as large"), std::string::npos);
  EXPECT_NE(notes[1].find("nothing is kept"), std::string::npos);
}

}  // namespace
}  // namespace genten::tools
