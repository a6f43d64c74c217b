// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "model_csv.hpp"

#include <genten/io/atomic_file.hpp>

#include <array>
#include <charconv>

namespace genten::cli {
namespace {

/// In quotes where the separators, quotes or line ends in it would be taken for the table's.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

template <class Scalar>
void append(std::string& line, Scalar number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  line.append(",").append(digits.data(), end);
}

}  // namespace

template <RealScalar Scalar>
void write_csv_model(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                     const Labels& labels) {
  AtomicFile file(path);
  std::string line = "mode,row,name";
  for (std::size_t r = 1; r <= model.rank(); ++r) line += ",component_" + std::to_string(r);
  line += "\n0,0,weight";
  for (std::size_t r = 0; r < model.rank(); ++r) append(line, model.weights()(r));
  file.write(line + "\n");
  for (std::size_t n = 0; n < model.factors().size(); ++n) {
    const auto& factor = model.factors()[n];
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      line = std::to_string(n + 1) + "," + std::to_string(i + 1) + "," +
             (labels.named(n) ? field(labels.row(n, i)) : "");
      for (std::size_t r = 0; r < model.rank(); ++r) append(line, factor(i, r));
      file.write(line + "\n");
    }
  }
  file.commit();
}

template void write_csv_model(const std::string&, const Ktensor<float, HostExec>&, const Labels&);
template void write_csv_model(const std::string&, const Ktensor<double, HostExec>&, const Labels&);

}  // namespace genten::cli
