// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "ktensor_file.hpp"

#include "../binary/binary_form.hpp"
#include "../binary/binary_rows.hpp"
#include "../text/text_lines.hpp"
#include "memory.hpp"
#include "other_forms.hpp"

#include <genten/base/detail/allocation.hpp>
#include <genten/base/error.hpp>
#include <genten/io/ktensor.hpp>

#include <algorithm>
#include <cstring>

namespace genten::detail {

void require_model_memory(const std::string& path, std::span<const std::size_t> dimensions,
                          std::size_t rank, std::size_t scalar_bytes) {
  const std::size_t row_bytes = padded_stride(rank, scalar_bytes) * scalar_bytes;
  std::size_t needed = row_bytes;
  for (const std::size_t rows : dimensions) {
    const std::size_t factor = saturating_product(rows, row_bytes);
    needed = factor > SIZE_MAX - needed ? SIZE_MAX : needed + factor;
  }
  require_memory(path, "a model of " + std::to_string(rank) + " components", needed, 0);
}

void VanishedColumns::check(const std::string& path, const std::string& what,
                            std::size_t scalar_bytes) const {
  const auto lost = std::find(m_seen.begin(), m_seen.end(), Seen::too_small);
  if (lost == m_seen.end()) return;
  throw Error::in_file(path, 0,
                       "column " + std::to_string(lost - m_seen.begin() + 1) + " of " + what +
                           " holds only numbers that are too small for " +
                           (scalar_bytes == sizeof(float) ? "single" : "double") +
                           " precision: they would become 0");
}

template <RealScalar Scalar>
Ktensor<Scalar, HostExec> read_binary_ktensor(const FileContent& file) {
  const BinaryHeader header = read_binary_header(file, BinaryKind::ktensor);
  const std::span dimensions(header.dimensions.data(), header.order);
  const std::vector<std::size_t> rows(dimensions.begin(), dimensions.end());
  require_model_memory(file.path(), rows, header.count, sizeof(Scalar));
  load_sections(HostExec(), file, header, {}, {});
  const auto sections = binary_sections(file, header);
  Ktensor<Scalar, HostExec> model(rows, header.count);
  const FacMatrix<Scalar, HostExec> weights(
      typename FacMatrix<Scalar, HostExec>::view_type("genten::weights", 1, header.count));
  load_rows(file, sections[0], header.scalar_bytes, weights, "the weights");
  std::copy_n(weights.data(), header.count, model.weights().data());
  for (int n = 0; n < model.order(); ++n) {
    load_rows(file, sections[static_cast<std::size_t>(n) + 1], header.scalar_bytes, model.factor(n),
              "the factor of mode " + std::to_string(n + 1));
  }
  return model;
}

template <RealScalar Scalar>
void write_binary_ktensor(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                          const std::string* state) {
  BinaryHeader header;
  const BinaryKind kind = state == nullptr ? BinaryKind::ktensor : BinaryKind::checkpoint;
  header.kind = static_cast<std::uint32_t>(kind);
  header.order = static_cast<std::uint32_t>(model.order());
  header.scalar_bytes = sizeof(Scalar);
  header.count = model.rank();
  std::size_t rows = 0;
  for (const std::size_t dimension : model.dimensions()) rows += dimension;
  require_memory(path, "the binary form of the model",
                 saturating_product(rows, model.rank() * sizeof(Scalar)), 0);
  std::vector<std::vector<Scalar>> factors;
  std::vector<std::string_view> sections = {bytes_of(model.weights().data(), model.rank())};
  for (int n = 0; n < model.order(); ++n) {
    header.dimensions[static_cast<std::size_t>(n)] = model.factor(n).rows();
    factors.push_back(packed(model.factor(n)));
    sections.push_back(bytes_of(factors.back().data(), factors.back().size()));
  }
  std::string padded;
  if (state != nullptr) {
    padded = *state;
    padded.resize(padded_section(padded.size()));
    sections.push_back(padded);
  }
  write_binary_form(HostExec(), path, header, sections);
}

namespace {

/// Throws Error for what Genten writes for other programs, by their first bytes.
void require_no_export(const FileContent& file) {
  constexpr std::string_view zip = "PK\x03\x04", table = "mode,row,name,";
  std::string_view text = file.head();
  text.remove_prefix(byte_order_mark(text));
  const bool archive = file.head().starts_with(zip);
  if (!archive && !text.starts_with(table)) return;
  throw Error::in_file(file.path(), 0,
                       std::string("expected a model that can be read back, text (.ktensor) or "
                                   "binary (.gkt), got ") +
                           (archive ? "an archive (.npz): " + way_of_archive(file.path())
                                    : "a table (.csv): those are exports for other programs, .npz "
                                      "for Python"));
}

/// What `body` returns; an allocation that failed and did not know for what gets the file's name.
template <class Body>
decltype(auto) naming_file(const std::string& path, const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::memory || error.is_named()) throw;
    Error::Fields fields = error.fields();
    fields.path = path;
    throw Error(std::move(fields));
  }
}

}  // namespace

template <RealScalar Scalar>
Ktensor<Scalar, HostExec> read_ktensor_content(const FileContent& file) {
  return naming_file(file.path(), [&] {
    return file.read([&] {
      require_no_export(file);
      return is_binary_form(file.head()) ? read_binary_ktensor<Scalar>(file)
                                         : read_text_ktensor<Scalar>(file);
    });
  });
}

template <RealScalar Scalar>
Ktensor<Scalar, HostExec> read_ktensor_file(const std::string& path) {
  return with_memory_errors(Error::Fields{.path = path},
                            [&] { return read_ktensor_content<Scalar>(FileContent(path, 0)); });
}

template <RealScalar Scalar>
void write_ktensor_file(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                        KtensorFormat format, Compression compression) {
  if (model.order() < 1 || model.order() > max_order || model.rank() < 1) {
    throw Error(Error::Fields{
        .path = path,
        .complaint = "expected a model of order 1 to " + std::to_string(max_order) +
                     " with 1 component or more, got order " + std::to_string(model.order()) +
                     " and " + std::to_string(model.rank()) + " components"});
  }
  if (format == KtensorFormat::binary && compression != Compression::none) {
    throw Error(Error::Fields{.path = path, .complaint = "the binary form is not compressed"});
  }
  if (format == KtensorFormat::text) {
    write_text_ktensor(path, model, compression);
  } else {
    write_binary_ktensor(path, model);
  }
}

template Ktensor<float, HostExec> read_binary_ktensor(const FileContent&);
template Ktensor<double, HostExec> read_binary_ktensor(const FileContent&);
template void write_binary_ktensor(const std::string&, const Ktensor<float, HostExec>&,
                                   const std::string*);
template void write_binary_ktensor(const std::string&, const Ktensor<double, HostExec>&,
                                   const std::string*);
template Ktensor<float, HostExec> read_ktensor_content(const FileContent&);
template Ktensor<double, HostExec> read_ktensor_content(const FileContent&);
template Ktensor<float, HostExec> read_ktensor_file(const std::string&);
template Ktensor<double, HostExec> read_ktensor_file(const std::string&);
template void write_ktensor_file(const std::string&, const Ktensor<float, HostExec>&, KtensorFormat,
                                 Compression);
template void write_ktensor_file(const std::string&, const Ktensor<double, HostExec>&,
                                 KtensorFormat, Compression);

}  // namespace genten::detail
