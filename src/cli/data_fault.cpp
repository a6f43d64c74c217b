// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "data_fault.hpp"

#include "sidecar/readable_again.hpp"
#include "tools/program.hpp"

#include <genten/io/entries.hpp>
#include <genten/run/notes.hpp>
#include <genten/run/report.hpp>

#include <cstdint>

namespace genten::cli {

namespace {

bool takes(LossData data, double value) {
  switch (data) {
    case LossData::nonnegative:
      return value >= 0.0;
    case LossData::positive:
      return value > 0.0;
    case LossData::binary:
      return value == 0.0 || value == 1.0;
    default:
      return true;
  }
}

}  // namespace

std::string line_of_bad_value(const tools::TensorFacts& facts, const ReadOptions& options,
                              LossData data) {
  const std::string& file = facts.file;
  // A value that was merged stands in no line.
  if (!can_be_read_again(file) || facts.report.duplicates != 0) return "";
  ReadOptions read = options;
  read.dimensions = facts.before ? facts.before->dimensions : facts.dimensions;
  return unless_it_fails([&]() -> std::string {
    const auto entries = read_entries<double, std::uint64_t>(HostExec(), file, read).tensor;
    const auto values = entries.values();
    for (std::size_t p = 0; p < values.extent(0); ++p) {
      if (takes(data, values(p))) continue;
      const std::size_t line = line_of_entry(HostExec(), file, read, p);
      return line == 0 ? "" : ":" + std::to_string(line);
    }
    return "";
  });
}

std::string way_out_of_sums(const tools::TensorFacts& facts, LossData data) {
  const bool are_summed = facts.report.duplicates != 0 && facts.merged_by == Duplicates::sum;
  if (data != LossData::binary || !are_summed) return "";
  return tools::in_words(summed_binary(facts.report.duplicates));
}

}  // namespace genten::cli
