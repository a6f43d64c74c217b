// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/eti.hpp>
#include <genten/dense/factor_grams.hpp>
#include <genten/dist/detail/row_delivery.hpp>
#include <genten/dist/model_parts.hpp>
#include <genten/io/ktensor.hpp>
#include <genten/io/shared_model_file.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace genten {

namespace detail {

/// This process's hand on a file that several write; none where it cannot reach it.
struct SharedModelWriter {
  /// All processes construct it. Throws what process 0 throws where the file cannot be made, on
  /// all.
  SharedModelWriter(Communicator& processes, const std::string& path, const ModelFileShape& shape);

  /// Whether processes can write at places of the file at all: a pipe takes one byte after the
  /// other.
  [[nodiscard]] bool possible() const { return !writers.empty(); }
  /// Of process 0's part of each round, and so on: who writes what.
  [[nodiscard]] std::vector<std::size_t> absent(std::size_t processes) const;
  /// The file appears under its name. All processes call it.
  void commit(Communicator& processes, std::string_view weights);

  std::optional<SharedModelFile> file;
  std::vector<std::size_t> writers;  ///< the processes that reach it
};

/// Bytes of a section that one process writes in a round.
struct SectionWindow {
  std::size_t begin = 0;
  std::size_t end = 0;

  /// The rows of so many bytes each that have bytes in it.
  [[nodiscard]] RowRange rows(std::size_t row_bytes) const {
    if (begin == end) return {};
    return {begin / row_bytes, (end + row_bytes - 1) / row_bytes};
  }
  /// Copies those bytes of a row that are in it to where they belong.
  void place(std::size_t row, const char* bytes, std::size_t row_bytes, char* to) const {
    const std::size_t first = std::max(row * row_bytes, begin);
    const std::size_t last = std::min((row + 1) * row_bytes, end);
    std::copy_n(bytes + (first - row * row_bytes), last - first, to + (first - begin));
  }
};

/// By process, what each writes of a section of so many bytes in the round that begins at `begin`:
/// the writers in turn so many bytes.
[[nodiscard]] std::vector<SectionWindow> section_windows(std::size_t processes,
                                                         const std::vector<std::size_t>& writers,
                                                         std::size_t section, std::size_t begin,
                                                         std::size_t window);

/// Bytes that a process writes at once: whole blocks of the checksum.
[[nodiscard]] constexpr std::size_t window_bytes(std::size_t round_bytes, std::size_t writers) {
  constexpr std::size_t block = SharedModelFile::block_bytes;
  return std::max<std::size_t>(round_bytes / writers / block, 1) * block;
}

/// Writes the factor of a mode: rows go to those who write their place, round by round.
template <RealScalar Scalar, ExecutionSpace Exec>
void write_factor(Communicator& processes, SharedModelWriter& writer,
                  const ModelPart<Scalar, Exec>& part, std::size_t mode, std::size_t round_bytes) {
  const std::size_t row_bytes = part.rank() * sizeof(Scalar);
  const std::size_t section = part.dimensions[mode] * row_bytes;
  const std::size_t window = window_bytes(round_bytes, writer.writers.size());
  RowDelivery<Scalar, Exec> delivery(Exec(), processes, part.own_rows(mode), part.rows[mode]);
  std::vector<char> bytes;
  for (std::size_t begin = 0; begin < section; begin += window * writer.writers.size()) {
    const auto windows = section_windows(processes.size(), writer.writers, section, begin, window);
    const SectionWindow mine = windows[processes.process()];
    std::vector<RowRange> wanted;
    for (const SectionWindow& each : windows) wanted.push_back(each.rows(row_bytes));
    together(processes, [&] {
      with_memory_errors(Error::Fields{.about = "the rows of a model"},
                         [&] { bytes.assign(mine.end - mine.begin, '\0'); });
    });
    delivery.run(wanted, [&](std::size_t row, const Scalar* values) {
      mine.place(row, reinterpret_cast<const char*>(values), row_bytes, bytes.data());
    });
    together(processes, [&] {
      if (!bytes.empty()) writer.file->write(mode, mine.begin, {bytes.data(), bytes.size()});
    });
  }
}

}  // namespace detail

template <RealScalar Scalar, ExecutionSpace Exec>
Ktensor<Scalar, HostExec> gather(Communicator& processes, const ModelPart<Scalar, Exec>& part,
                                 std::size_t round_bytes) {
  Ktensor<Scalar, HostExec> model;
  together(processes, [&] {
    if (processes.process() != 0) return;
    model = Ktensor<Scalar, HostExec>(part.dimensions, part.rank());
    std::copy_n(part.weights.data(), part.rank(), model.weights().data());
  });
  const std::size_t row_bytes = part.rank() * sizeof(Scalar);
  const std::size_t step = std::max<std::size_t>(round_bytes / row_bytes, 1);
  for (std::size_t n = 0; n < part.order(); ++n) {
    detail::RowDelivery<Scalar, Exec> delivery(Exec(), processes, part.own_rows(n), part.rows[n]);
    const auto place = [&](std::size_t row, const Scalar* values) {
      std::copy_n(values, part.rank(), model.factor(static_cast<int>(n)).row(row));
    };
    std::vector<detail::RowRange> wanted(processes.size());
    for (std::size_t begin = 0; begin < part.dimensions[n]; begin += step) {
      wanted[0] = {begin, std::min(begin + step, part.dimensions[n])};
      delivery.run(wanted, place);
    }
  }
  return model;
}

template <RealScalar Scalar, ExecutionSpace Exec>
std::vector<std::size_t> write_ktensor(Communicator& processes, const std::string& path,
                                       const ModelPart<Scalar, Exec>& part,
                                       std::size_t round_bytes) {
  detail::SharedModelWriter writer(processes, path, {sizeof(Scalar), part.rank(), part.dimensions});
  if (!writer.possible()) {
    const auto whole = gather(processes, part);
    first_alone(processes, [&] { write_ktensor(path, whole, KtensorFormat::binary); });
    return {};
  }
  for (std::size_t n = 0; n < part.order(); ++n) {
    detail::write_factor(processes, writer, part, n, round_bytes);
  }
  writer.commit(processes, {reinterpret_cast<const char*>(part.weights.data()),
                            part.weights.size() * sizeof(Scalar)});
  return writer.absent(processes.size());
}

template <RealScalar Scalar, ExecutionSpace Exec>
ComponentFacts component_facts(const Exec& exec, Communicator& processes,
                               const ModelPart<Scalar, Exec>& part) {
  const std::size_t rank = part.rank();
  ComponentFacts facts;
  std::vector<double> sums, all;
  std::optional<FactorGrams<Scalar, Exec>> grams;
  std::size_t most_rows = 0;
  for (const auto& rows : part.rows) most_rows = std::max(most_rows, rows.size());
  together(processes, [&] {
    grams.emplace(rank, most_rows);
    facts.congruence.assign(rank * rank, 1.0);
    sums.resize(rank * rank);
    all.resize(rank * processes.size());
  });
  for (const Scalar weight : part.weights) {
    facts.norms.push_back(std::abs(static_cast<double>(weight)));
  }
  for (std::size_t n = 0; n < part.order(); ++n) {
    HostMatrix own;
    together(processes, [&] { own = grams->of(exec, part.own_rows(n)); });
    for (std::size_t r = 0; r < rank; ++r) {  // a row at a time, so that all take little memory
      processes.all_gather(&own(r, 0), rank * sizeof(double), all.data());
      for (std::size_t q = 0; q < rank; ++q) {
        double sum = 0.0;
        for (std::size_t p = 0; p < processes.size(); ++p) sum += all[p * rank + q];
        sums[r * rank + q] = sum;
      }
    }
    auto& mode = facts.modes.emplace_back();
    mode.length = part.dimensions[n];
    std::vector<double> norms;
    for (std::size_t r = 0; r < rank; ++r) norms.push_back(std::sqrt(sums[r * rank + r]));
    for (std::size_t r = 0; r < rank; ++r) {
      facts.norms[r] *= norms[r];
      for (std::size_t q = 0; q < rank; ++q) {
        const double product = norms[r] * norms[q];
        mode.cosines.push_back(product > 0.0 ? std::clamp(sums[r * rank + q] / product, -1.0, 1.0)
                                             : 0.0);
        facts.congruence[r * rank + q] *= mode.cosines.back();
      }
    }
  }
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t q = 0; q < rank; ++q) {
      double& cosine = facts.congruence[r * rank + q];
      const Scalar product = part.weights[r] * part.weights[q];
      cosine = product == 0 ? 0.0 : product < 0 ? -cosine : cosine;
      if (r == q) cosine = 1.0;
    }
  }
  return facts;
}

}  // namespace genten

#define GENTEN_ETI_MODEL_PARTS(PREFIX, SCALAR, EXEC)                                     \
  PREFIX template genten::Ktensor<SCALAR, genten::HostExec> genten::gather(              \
      genten::Communicator&, const genten::ModelPart<SCALAR, EXEC>&, std::size_t);       \
  PREFIX template std::vector<std::size_t> genten::write_ktensor(                        \
      genten::Communicator&, const std::string&, const genten::ModelPart<SCALAR, EXEC>&, \
      std::size_t);                                                                      \
  PREFIX template genten::ComponentFacts genten::component_facts(                        \
      const EXEC&, genten::Communicator&, const genten::ModelPart<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_MODEL_PARTS, extern)
#endif
