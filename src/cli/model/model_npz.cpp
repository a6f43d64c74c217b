// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "model_npz.hpp"

#include "tools/printable.hpp"

#include <genten/base/error.hpp>
#include <genten/io/atomic_file.hpp>

#include <archive.h>
#include <archive_entry.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

namespace genten::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are said to be little-endian");

/// The header of NumPy's format 1.0, which ends at a multiple of 64 bytes.
std::string npy_header(const std::string& type, const std::vector<std::size_t>& shape,
                       bool first_fastest = false) {
  std::string tuple;
  for (const std::size_t length : shape) tuple += std::to_string(length) + ", ";
  std::string text = "{'descr': '" + type +
                     "', 'fortran_order': " + (first_fastest ? "True" : "False") + ", 'shape': (" +
                     tuple + "), }";
  constexpr std::size_t before = 10, alignment = 64;
  text.append(alignment - 1 - (before + text.size()) % alignment, ' ').append("\n");
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xffU);
  header += static_cast<char>(text.size() >> 8U);
  return header + text;
}

/// A zip archive whose members lie there as they are, written to an AtomicFile.
class ZipWriter {
 public:
  explicit ZipWriter(const std::string& path)
      : m_path(path), m_file(path), m_archive(archive_write_new(), archive_write_free) {
    check(archive_write_set_format_zip(m_archive.get()));
    check(archive_write_zip_set_compression_store(m_archive.get()));
    check(archive_write_set_bytes_per_block(m_archive.get(), 0));
    check(archive_write_open(m_archive.get(), this, nullptr, write_out, nullptr));
  }

  void begin(const std::string& name, std::size_t bytes) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                         archive_entry_free);
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes));
    // Without a time all archives have the same, whatever the time zone.
    archive_entry_unset_mtime(entry.get());
    check(archive_write_header(m_archive.get(), entry.get()));
  }

  void write(const void* data, std::size_t bytes) {
    const la_ssize_t written = archive_write_data(m_archive.get(), data, bytes);
    check(written == static_cast<la_ssize_t>(bytes) ? ARCHIVE_OK : ARCHIVE_FATAL);
  }

  void commit() {
    check(archive_write_close(m_archive.get()));
    m_file.commit();
  }

 private:
  /// Exceptions must not go through the library: `check` throws them.
  static la_ssize_t write_out(archive*, void* self, const void* data, std::size_t bytes) {
    auto& writer = *static_cast<ZipWriter*>(self);
    try {
      writer.m_file.write(data, bytes);
      return static_cast<la_ssize_t>(bytes);
    } catch (...) {
      writer.m_failure = std::current_exception();
      return -1;
    }
  }

  void check(int status) {
    if (status == ARCHIVE_OK) return;
    if (m_failure) std::rethrow_exception(m_failure);
    const char* const why = archive_error_string(m_archive.get());
    throw Error::in_file(m_path, 0, (why == nullptr ? "cannot be written" : why));
  }

  std::string m_path;
  AtomicFile m_file;
  std::exception_ptr m_failure;
  std::unique_ptr<archive, int (*)(archive*)> m_archive;
};

/// `row(i)` is the first of the numbers of row i, which lie side by side.
template <class Scalar>
void write_array(ZipWriter& zip, const std::string& name, const std::vector<std::size_t>& shape,
                 std::size_t rows, std::size_t columns,
                 const std::function<const Scalar*(std::size_t)>& row) {
  const std::string header = npy_header("<f" + std::to_string(sizeof(Scalar)), shape);
  zip.begin(name + ".npy", header.size() + rows * columns * sizeof(Scalar));
  zip.write(header.data(), header.size());
  for (std::size_t i = 0; i < rows; ++i) zip.write(row(i), columns * sizeof(Scalar));
}

/// Texts, each with as many characters as the longest: NumPy pads with zeros.
void write_names(ZipWriter& zip, const std::string& name, const std::vector<std::size_t>& shape,
                 std::size_t rows, const std::function<std::string(std::size_t)>& row) {
  std::size_t longest = 1;
  for (std::size_t i = 0; i < rows; ++i) {
    longest = std::max(longest, tools::code_points(row(i)).size());
  }
  const std::string header = npy_header("<U" + std::to_string(longest), shape);
  const std::size_t row_bytes = longest * sizeof(char32_t);
  zip.begin(name + ".npy", header.size() + rows * row_bytes);
  zip.write(header.data(), header.size());
  for (std::size_t i = 0; i < rows; ++i) {
    std::u32string padded = tools::code_points(row(i));
    padded.resize(longest);
    zip.write(padded.data(), row_bytes);
  }
}

/// What other forms of a model have beside them.
void write_beside(ZipWriter& zip, const OutputNames& names) {
  const Labels& labels = names.labels;
  const std::size_t order = names.dimensions.size();
  std::vector<std::int64_t> numbers;
  bool any = false;
  for (std::size_t n = 0; n < order; ++n) {
    if (labels.named(n) && labels.are_numbers(n)) numbers.push_back(static_cast<int>(n + 1));
    any = any || !labels.mode_name(n).empty();
  }
  if (!numbers.empty()) {
    const std::string header = npy_header("<i8", {numbers.size()});
    const std::size_t bytes = numbers.size() * sizeof(std::int64_t);
    zip.begin("number_names.npy", header.size() + bytes);
    zip.write(header.data(), header.size());
    zip.write(numbers.data(), bytes);
  }
  if (any) {
    write_names(zip, "mode_names", {order}, order, [&](std::size_t n) {
      return labels.mode_name(n).empty() ? Labels::numbered(n) : labels.mode_name(n);
    });
  }
  if (names.run.is_null()) return;
  nlohmann::json run = names.run;
  if (labels.table_base()) run["index_base"] = *labels.table_base();
  const std::string text = run.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  write_names(zip, "run", {}, 1, [&](std::size_t) { return text; });
}

/// Factors, and names of rows where there are any.
template <RealScalar Scalar>
void write_modes(ZipWriter& zip, const std::vector<FacMatrix<Scalar, HostExec>>& factors,
                 const std::vector<std::size_t>& dimensions, const Labels& labels) {
  for (std::size_t n = 0; n < factors.size(); ++n) {
    const auto& factor = factors[n];
    if (factor.columns() == 0) continue;
    write_array<Scalar>(zip, "factor_" + std::to_string(n + 1), {factor.rows(), factor.columns()},
                        factor.rows(), factor.columns(),
                        [&](std::size_t i) { return &factor(i, 0); });
  }
  for (std::size_t n = 0; n < factors.size(); ++n) {
    if (!labels.named(n)) continue;
    write_names(zip, "labels_" + std::to_string(n + 1), {dimensions[n]}, dimensions[n],
                [&](std::size_t i) { return labels.row(n, i); });
  }
}

}  // namespace

template <RealScalar Scalar>
void write_npz_model(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                     const OutputNames& names) {
  const std::size_t rank = model.rank();
  ZipWriter zip(path);
  write_array<Scalar>(zip, "weights", {rank}, 1, rank,
                      [&](std::size_t) { return model.weights().data(); });
  write_modes(zip, model.factors(), model.dimensions(), names.labels);
  write_beside(zip, names);
  zip.commit();
}

template <RealScalar Scalar>
void write_npz_model(const std::string& path, const Ttensor<Scalar, HostExec>& model,
                     const OutputNames& names) {
  ZipWriter zip(path);
  const std::size_t elements = model.core().extent(0);
  const std::string header =
      npy_header("<f" + std::to_string(sizeof(Scalar)), model.ranks(), /*first_fastest*/ true);
  zip.begin("core.npy", header.size() + elements * sizeof(Scalar));
  zip.write(header.data(), header.size());
  zip.write(model.core().data(), elements * sizeof(Scalar));
  write_modes(zip, model.factors(), model.dimensions(), names.labels);
  write_beside(zip, names);
  zip.commit();
}

template void write_npz_model(const std::string&, const Ktensor<float, HostExec>&,
                              const OutputNames&);
template void write_npz_model(const std::string&, const Ktensor<double, HostExec>&,
                              const OutputNames&);
template void write_npz_model(const std::string&, const Ttensor<float, HostExec>&,
                              const OutputNames&);
template void write_npz_model(const std::string&, const Ttensor<double, HostExec>&,
                              const OutputNames&);

}  // namespace genten::cli
