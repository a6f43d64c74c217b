// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tucker.hpp"

#include <nlohmann/json.hpp>

#include <ostream>

namespace genten::cli {

void print_beginning(std::ostream& out, const TuckerCommand& options, const TensorFacts& facts) {
  print_line(out, "tensor", describe(facts));
  const TuckerOptions& run = options.run;
  std::string text = "ranks " + value_text(run.ranks) + ", " + value_text(run.method);
  if (!options.guess_file.empty()) {
    text += " from " + input_name(options.guess_file);
    if (!run.fixed_modes.empty()) text += ", fixed modes " + value_text(run.fixed_modes);
  } else if (run.method == TuckerMethod::hooi) {
    text += " from " + value_text(run.init);
    if (run.init == TuckerInit::random) text += ", seed " + value_text(run.seed);
  }
  text += unlisted_zeros(facts);
  text += options.input.precision == Precision::float32 ? ", float" : ", double";
  print_line(out, "run",
             text + (options.verbose ? format(", %zu-bit ordinals", facts.ordinal_bits) : "") +
                 ", " + describe_backend());
  for (const std::string& note : facts.notes) print_line(out, "note", note);
  out << std::endl;
}

void print_summary(std::ostream& out, const TuckerCommand& options, const TuckerReport& report,
                   const RunFiles& files, bool interrupted) {
  const TuckerFigures& figures = report.figures;
  if (options.run.method == TuckerMethod::hooi) {
    print_line(out, "stopped", stop_sentence(figures.stop_reason, figures.iterations, interrupted));
  }
  print_line(out, "fit", format("%.12f", figures.fit));
  print_line(out, "residual",
             format("%.9g of norm %.9g", figures.residual_norm, figures.tensor_norm));
  print_line(out, "core",
             format_dimensions(report.core_dimensions) + format(", norm %.9g", figures.core_norm));
  for (const std::string& warning : report.warnings) print_line(out, "note", warning);
  for (const Note& note : report.notes) print_line(out, "note", in_words(note.text));
  print_files(out, files);
  print_time(out, figures.timings, options.verbose);
}

}  // namespace genten::cli
