// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "ttensor_file.hpp"

#include "../binary/binary_form.hpp"
#include "../binary/binary_rows.hpp"
#include "../file/memory.hpp"
#include "../text/text_lines.hpp"

#include <genten/base/detail/allocation.hpp>
#include <genten/base/error.hpp>
#include <genten/io/ttensor.hpp>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace genten::detail {
namespace {

/// The last section of the binary form: columns of each factor, 0 where a mode is not compressed,
/// then the factors.
struct TuckerShape {
  std::vector<std::size_t> dimensions;
  std::vector<std::uint64_t> columns;

  [[nodiscard]] std::vector<std::size_t> ranks() const {
    std::vector<std::size_t> ranks;
    for (std::size_t n = 0; n < columns.size(); ++n) {
      ranks.push_back(columns[n] == 0 ? dimensions[n] : columns[n]);
    }
    return ranks;
  }
  [[nodiscard]] std::size_t core_elements() const {
    std::size_t elements = 1;
    for (const std::size_t rank : ranks()) elements = saturating_product(elements, rank);
    return elements;
  }
  /// Numbers in all factors; saturated.
  [[nodiscard]] std::size_t factor_elements() const {
    std::size_t elements = 0;
    for (std::size_t n = 0; n < columns.size(); ++n) {
      const std::size_t factor = saturating_product(dimensions[n], columns[n]);
      elements = factor > SIZE_MAX - elements ? SIZE_MAX : elements + factor;
    }
    return elements;
  }
};

TuckerShape shape_of(const FileContent& file, const BinaryHeader& header, const Bytes& last) {
  TuckerShape shape{
      {header.dimensions.begin(), header.dimensions.begin() + header.order},
      std::vector<std::uint64_t>(header.order),
  };
  const std::size_t head = shape.columns.size() * sizeof(std::uint64_t);
  if (last.size() >= head) {
    std::vector<char> buffer;
    std::memcpy(shape.columns.data(), last.load(0, head, buffer).data(), head);
    const std::size_t factors = shape.factor_elements();
    if (shape.core_elements() == header.count && factors <= last.size() &&
        last.size() == padded_section(head + factors * header.scalar_bytes)) {
      return shape;
    }
  }
  throw Error::in_file(file.path(), 0, "damaged: its ranks are not those of its core and factors");
}

}  // namespace

template <RealScalar Scalar>
Ttensor<Scalar, HostExec> read_binary_ttensor(const FileContent& file) {
  using Matrix = FacMatrix<Scalar, HostExec>;
  const BinaryHeader header = read_binary_header(file, BinaryKind::ttensor);
  const auto sections = binary_sections(file, header);
  load_sections(HostExec(), file, header, {}, {});
  const TuckerShape shape = shape_of(file, header, sections[1]);
  require_memory(file.path(), "a Tucker model",
                 saturating_product(header.count + shape.factor_elements(), 2 * sizeof(Scalar)), 0);
  const Matrix core(typename Matrix::view_type("genten::core", 1, header.count));
  load_rows(file, sections[0], header.scalar_bytes, core, "the core");
  const auto elements =
      new_view<typename Ttensor<Scalar, HostExec>::core_view>("genten::core", header.count);
  std::copy_n(core.data(), header.count, elements.data());
  std::vector<Matrix> factors;
  std::size_t offset = shape.columns.size() * sizeof(std::uint64_t);
  for (std::size_t n = 0; n < shape.columns.size(); ++n) {
    factors.emplace_back();
    if (shape.columns[n] == 0) continue;
    factors[n] = Matrix(shape.dimensions[n], shape.columns[n]);
    load_rows(file, sections[1].sub(offset), header.scalar_bytes, factors[n],
              "the factor of mode " + std::to_string(n + 1));
    offset += shape.dimensions[n] * shape.columns[n] * header.scalar_bytes;
  }
  return Ttensor<Scalar, HostExec>(shape.ranks(), elements, factors);
}

template <RealScalar Scalar>
void write_binary_ttensor(const std::string& path, const Ttensor<Scalar, HostExec>& model) {
  BinaryHeader header;
  header.kind = static_cast<std::uint32_t>(BinaryKind::ttensor);
  header.order = static_cast<std::uint32_t>(model.order());
  header.scalar_bytes = sizeof(Scalar);
  header.count = model.core().extent(0);
  std::vector<std::uint64_t> columns;
  for (int n = 0; n < model.order(); ++n) {
    header.dimensions[static_cast<std::size_t>(n)] = model.dimension(n);
    columns.push_back(model.is_compressed(n) ? model.rank(n) : 0);
  }
  std::string last(bytes_of(columns.data(), columns.size()));
  for (const auto& factor : model.factors()) {
    const auto elements = packed(factor);
    last += bytes_of(elements.data(), elements.size());
  }
  last.resize(padded_section(last.size()));
  const std::vector<std::string_view> sections = {bytes_of(model.core().data(), header.count),
                                                  last};
  write_binary_form(HostExec(), path, header, sections);
}

bool is_ttensor(const FileContent& file) {
  if (is_binary_form(file.head())) return is_binary_form(file.head(), BinaryKind::ttensor);
  LineReader reader(file.bytes());
  Line line;
  return reader.next(line) && line.fields.front() == "ttensor";
}

template <RealScalar Scalar>
Ttensor<Scalar, HostExec> read_ttensor_content(const FileContent& file) {
  return file.read([&] {
    return is_binary_form(file.head()) ? read_binary_ttensor<Scalar>(file)
                                       : read_text_ttensor<Scalar>(file);
  });
}

template <RealScalar Scalar>
Ttensor<Scalar, HostExec> read_ttensor_file(const std::string& path) {
  return with_memory_errors(Error::Fields{.path = path},
                            [&] { return read_ttensor_content<Scalar>(FileContent(path, 0)); });
}

template <RealScalar Scalar>
void write_ttensor_file(const std::string& path, const Ttensor<Scalar, HostExec>& model,
                        KtensorFormat format, Compression compression) {
  if (model.order() < 1 || model.order() > max_order) {
    throw Error(Error::Fields{.path = path,
                              .complaint = "expected a model of order 1 to " +
                                           std::to_string(max_order) + ", got order " +
                                           std::to_string(model.order())});
  }
  if (format == KtensorFormat::text) return write_text_ttensor(path, model, compression);
  if (compression != Compression::none) {
    throw Error(Error::Fields{.path = path, .complaint = "the binary form is not compressed"});
  }
  write_binary_ttensor(path, model);
}

template Ttensor<float, HostExec> read_ttensor_content(const FileContent&);
template Ttensor<double, HostExec> read_ttensor_content(const FileContent&);
template Ttensor<float, HostExec> read_ttensor_file(const std::string&);
template Ttensor<double, HostExec> read_ttensor_file(const std::string&);
template void write_ttensor_file(const std::string&, const Ttensor<float, HostExec>&, KtensorFormat,
                                 Compression);
template void write_ttensor_file(const std::string&, const Ttensor<double, HostExec>&,
                                 KtensorFormat, Compression);

}  // namespace genten::detail
