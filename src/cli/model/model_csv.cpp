// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "model_csv.hpp"

#include "csv_text.hpp"

#include <genten/io/atomic_file.hpp>

namespace genten::cli {
template <RealScalar Scalar>
void write_csv_model(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                     const Labels& labels) {
  AtomicFile file(path);
  std::string line = "mode,row,name";
  for (std::size_t r = 1; r <= model.rank(); ++r) line += ",component_" + std::to_string(r);
  line += "\n0,0,weight";
  for (std::size_t r = 0; r < model.rank(); ++r) append_number(line, model.weights()(r));
  file.write(line + "\n");
  for (std::size_t n = 0; n < model.factors().size(); ++n) {
    const auto& factor = model.factors()[n];
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      line = std::to_string(n + 1) + "," + std::to_string(i + 1) + "," +
             (labels.named(n) ? csv_field(labels.row(n, i)) : "");
      for (std::size_t r = 0; r < model.rank(); ++r) append_number(line, factor(i, r));
      file.write(line + "\n");
    }
  }
  file.commit();
}

template void write_csv_model(const std::string&, const Ktensor<float, HostExec>&, const Labels&);
template void write_csv_model(const std::string&, const Ktensor<double, HostExec>&, const Labels&);

}  // namespace genten::cli
