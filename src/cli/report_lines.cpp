// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "report_lines.hpp"

#include "sidecar/sidecar.hpp"
#include "tools/files.hpp"
#include "tools/table.hpp"
#include "tools/tensor_input.hpp"
#include "tools/terminal/terminal.hpp"
#include "tools/text.hpp"

#include <algorithm>
#include <iostream>

namespace genten::cli {

using namespace tools;

void print_line(std::ostream& out, const std::string& name, const std::string& text,
                std::size_t width) {
  const bool is_note = name == "note";
  if (is_note && &out == &report_stream(true, {})) {
    std::cout.flush();
    std::cerr << "genten: note: " << text << '\n';
    return;
  }
  const Paint paint = is_note ? Paint::note : Paint::name;
  out << painted(out, paint, name) << std::string(width - name.size(), ' ') << text << '\n';
}

std::string stop_sentence(StopReason reason, std::size_t iterations, bool interrupted) {
  std::string text;
  for (const auto& entry : enum_words(StopReason{})) {
    if (entry.value == reason) text = entry.meaning;
  }
  if (interrupted && reason != StopReason::observer) text = "interrupted, " + text;
  return text + ", " + count_of(iterations, "iteration");
}

std::string unlisted_zeros(const TensorFacts& facts) {
  const bool has_some = facts.report.table && facts.density < 1.0;
  return has_some ? ", unlisted entries zero" : "";
}

std::string describe_beside(const Labels& model, TensorFacts facts) {
  if (model.any_numbers()) facts.report.first_subscripts.clear();
  return describe(facts) + subscripts_from(model, facts.file, facts.report);
}

std::string subscripts_from(const Labels& model, const std::string& file,
                            const ReadReport& report) {
  if (!is_text(report) || model.any_numbers() || may_have_names(file)) return "";
  return ", subscripts from " + std::to_string(first_subscript(report.index_base));
}

void print_files(std::ostream& out, const RunFiles& files) {
  if (files.model.empty()) return;
  print_line(
      out, "model",
      output_name(files.model) +
          (files.labels.empty() ? "" : ", " + files.beside + " in " + output_name(files.labels)));
}

void print_time(std::ostream& out, const std::vector<PhaseTiming>& timings, bool by_phase) {
  double phases = 0.0, last = 0.0;
  for (const auto& [name, seconds] : timings) (name == "total" ? last : phases) += seconds;
  const double total = std::max(phases, last);
  if (!by_phase) {
    print_line(out, "time", format("%.2f s", total));
    return;
  }
  Table table({{"phase", Table::Align::left}, {"seconds"}, {"share"}});
  for (const auto& [name, seconds] : timings) {
    const double share = total > 0.0 ? 100.0 * seconds / total : 0.0;
    table.add({name, format("%.4f", seconds), format("%.1f %%", share)});
  }
  out << '\n';
  table.print(out);
}

}  // namespace genten::cli
