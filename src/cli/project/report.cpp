// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "model/csv_text.hpp"
#include "project.hpp"
#include "report_lines.hpp"
#include "tools/files.hpp"
#include "tools/hints/empty_rows.hpp"
#include "tools/hints/new_rows.hpp"
#include "tools/printable.hpp"
#include "tools/table.hpp"
#include "tools/text.hpp"

#include <genten/io/atomic_file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace genten::cli {
namespace {

constexpr std::size_t most_shown = 20;  ///< rows of the table for people

std::string number(double value, const char* how = "%.6g") {
  return std::isnan(value) ? "-" : tools::format(how, value);
}

/// The first names, and how many there are beside them.
std::string some_of(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_shown);
  const std::string more =
      names.size() > shown ? " and " + std::to_string(names.size() - shown) + " more" : "";
  return tools::join({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown)}, ", ") +
         more;
}

std::string name_in_list(const ProjectedSlices& slices, std::size_t row) {
  return tools::in_list(tools::printable(slices.labels.row(slices.mode, row)));
}

std::vector<std::string> elements(const ProjectedSlices& slices, std::size_t row) {
  std::vector<std::string> texts;
  const auto& factor = slices.found.model.factor(static_cast<int>(slices.mode));
  for (std::size_t r = 0; r < factor.columns(); ++r) texts.push_back(number(factor(row, r)));
  return texts;
}

}  // namespace

void write_rows(const std::string& path, const ProjectedSlices& slices) {
  if (path.empty()) return;
  const auto& factor = slices.found.model.factor(static_cast<int>(slices.mode));
  const std::string& name = slices.labels.mode_name(slices.mode);
  std::string line = csv_field(name.empty() ? Labels::numbered(slices.mode) : name);
  for (std::size_t r = 0; r < factor.columns(); ++r) {
    line += ",component_" + std::to_string(r + 1);
  }
  AtomicFile file(path);
  file.write(line + "," + tools::row_figures + "\n");
  for (std::size_t i = 0; i < factor.rows(); ++i) {
    const ProjectedRow& row = slices.found.rows[i];
    line = csv_field(slices.labels.row(slices.mode, i));
    for (std::size_t r = 0; r < factor.columns(); ++r) append_number(line, factor(i, r));
    append_number(line, row.entries);
    append_number(line, row.loss);
    std::isnan(row.explained) ? void(line += ",") : append_number(line, row.explained);
    append_number(line, row.kkt);
    line += row.converged ? ",true" : ",false";
    line += std::isnan(slices.fence) ? "," : slices.far_worse(i) ? ",true" : ",false";
    file.write(line + "\n");
  }
  file.commit();
}

nlohmann::ordered_json to_json(const ProjectedSlices& slices) {
  using Json = nlohmann::ordered_json;
  const auto finite = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
  Json rows = Json::array();
  for (std::size_t i = 0; i < slices.found.rows.size(); ++i) {
    const ProjectedRow& row = slices.found.rows[i];
    rows.push_back({{"row", slices.labels.row(slices.mode, i)},
                    {"entries", row.entries},
                    {"loss", finite(row.loss)},
                    {"explained", finite(row.explained)},
                    {"kkt", finite(row.kkt)},
                    {"iterations", row.iterations},
                    {"converged", row.converged},
                    {"impossible", row.impossible},
                    {"underdetermined", slices.is_open(i)},
                    {"far_worse", std::isnan(slices.fence) ? Json() : Json(slices.far_worse(i))}});
  }
  return {{"far_worse_below", finite(slices.fence)}, {"notes", slices.notes}, {"rows", rows}};
}

void print(std::ostream& out, const ProjectedSlices& slices) {
  const auto& rows = slices.found.rows;
  double loss = 0.0, worst = 0.0;
  std::size_t open = 0, empty = 0, first = 0;
  std::vector<std::string> far, few;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (slices.is_open(i)) few.push_back(name_in_list(slices, i));
    loss += rows[i].loss;
    worst = std::max(worst, rows[i].kkt);
    open += rows[i].converged ? 0 : 1;
    if (rows[i].listed == 0 && empty++ == i) first = i + 1;
    if (slices.far_worse(i)) far.push_back(name_in_list(slices, i));
  }
  for (const std::string& note : slices.notes) print_line(out, "note", note);
  print_line(out, "loss", tools::format("%.12g", loss));
  print_line(out, "KKT", tools::format("the conditions of a minimum hold to within %.2g", worst));
  if (open > 0) {
    print_line(out, "note",
               tools::count_of(open, "row") +
                   " not at the tolerance: " + (open == 1 ? "its" : "their") +
                   " loss may have no minimum, as where all entries are 0 or all are 1; a ridge "
                   "gives it one");
  }
  if (const auto note = tools::empty_rows_note(first, empty, rows.size()); !note.empty()) {
    print_line(out, "note", tools::in_words(note));
  }
  if (const auto note = tools::impossible_note(slices.found.rows); !note.empty()) {
    print_line(out, "note", note);
  }
  if (!few.empty()) {
    print_line(
        out, "note",
        tools::count_of(few.size(), "row") + " with fewer entries than the " +
            tools::count_of(slices.found.model.rank(), "component") +
            ", so that more than one row fits as well, and a --ridge says which: " + some_of(few));
  }
  if (!slices.has_training) {
    print_line(out, "note",
               "to learn which rows fit far worse than those of the model's own tensor, give that "
               "tensor by --training FILE");
  } else if (std::isnan(slices.fence)) {
    print_line(out, "note",
               "the rows of --training are too few (below four) or fit too poorly to say which "
               "new rows fit far worse");
  } else {
    print_line(
        out, "far worse",
        (far.empty() ? "no row" : some_of(far)) +
            tools::format(" (less than %.4g explained, a limit by the rows of --training, to "
                          "which the model was fitted)",
                          slices.fence));
  }
  tools::Table table({{slices.labels.mode(slices.mode), tools::Table::Align::left},
                      {"loss"},
                      {"explained"},
                      {"row", tools::Table::Align::left}});
  for (std::size_t i = 0; i < std::min(rows.size(), most_shown); ++i) {
    table.add({tools::printable(slices.labels.row(slices.mode, i)), number(rows[i].loss),
               number(rows[i].explained, "%.4f"), tools::join(elements(slices, i), " ")});
  }
  out << '\n';
  table.print(out);
  if (rows.size() > most_shown) {
    out << "... " << rows.size() - most_shown << " more rows: --rows writes them all\n";
  }
}

}  // namespace genten::cli
