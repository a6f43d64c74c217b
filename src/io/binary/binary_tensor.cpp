// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../../base/usual_types.hpp"
#include "../file/memory.hpp"
#include "../file/tensor_file.hpp"
#include "binary_numbers.hpp"

#include <genten/base/error.hpp>
#include <genten/io/binary.hpp>

#include <algorithm>
#include <limits>

namespace genten::detail {

namespace {

template <class Scalar, class Ordinal>
TensorArrays<Scalar, Ordinal> load_tensor(const HostExec& host, const FileContent& file,
                                          const BinaryHeader& header, const ReadOptions& options,
                                          std::vector<std::size_t> dimensions) {
  const std::size_t row_bytes = header.order * sizeof(Ordinal) + sizeof(Scalar);
  require_memory(file.path(), "a tensor of " + std::to_string(header.count) + " nonzeros",
                 saturating_product(header.count, row_bytes), options.memory_limit);
  auto arrays = allocate_arrays<Scalar, Ordinal>(header.order, header.count);
  BinaryNumbers<Scalar, Ordinal> numbers(header, arrays);
  load_sections(host, file, header, {options.threads, options.meter},
                [&](std::size_t section, std::size_t offset, std::string_view bytes) {
                  numbers.take(section, offset, bytes);
                });
  const std::string wrong = numbers.wrong_value(1);
  if (!wrong.empty()) throw Error::in_file(file.path(), 0, wrong);
  arrays.dimensions = std::move(dimensions);
  return arrays;
}

}  // namespace

std::vector<std::size_t> binary_dimensions(const std::string& path, const BinaryHeader& header,
                                           const ReadOptions& options) {
  if (options.dimensions.empty()) {
    return {header.dimensions.begin(), header.dimensions.begin() + header.order};
  }
  if (options.dimensions.size() != header.order) {
    throw Error::of_order(path, options.dimensions.size(), header.order);
  }
  return options.dimensions;
}

std::string too_long_for_32_bits(const std::vector<std::size_t>& dimensions) {
  const std::size_t longest = *std::max_element(dimensions.begin(), dimensions.end());
  if (longest <= std::numeric_limits<std::uint32_t>::max()) return "";
  return "dimension " + std::to_string(longest) +
         " is too large for 32-bit ordinals: use 64-bit ones";
}

template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_binary(const HostExec& host, const FileContent& file,
                                    const ReadOptions& options, OrdinalWidth width,
                                    ReadReport& report) {
  const BinaryHeader header = read_binary_header(file, BinaryKind::sptensor);
  std::vector<std::size_t> dimensions = binary_dimensions(file.path(), header, options);
  report.format = FileFormat::binary;
  report.index_base = IndexBase::zero;
  report.entries = header.count;
  const std::string too_long = too_long_for_32_bits(dimensions);
  const bool fits = too_long.empty();
  if (!fits && width == OrdinalWidth::bits32) throw Error::in_file(file.path(), 0, too_long);
  if (fits && width != OrdinalWidth::bits64) {
    return load_tensor<Scalar, std::uint32_t>(host, file, header, options, std::move(dimensions));
  }
  return load_tensor<Scalar, std::uint64_t>(host, file, header, options, std::move(dimensions));
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void write_binary_tensor(const HostExec& host, const std::string& path,
                         const Sptensor<Scalar, Ordinal, HostExec>& tensor) {
  BinaryHeader header;
  header.kind = static_cast<std::uint32_t>(BinaryKind::sptensor);
  header.order = static_cast<std::uint32_t>(tensor.order());
  header.scalar_bytes = sizeof(Scalar);
  header.ordinal_bytes = sizeof(Ordinal);
  header.count = static_cast<std::uint64_t>(tensor.nnz());
  std::copy(tensor.dimensions().begin(), tensor.dimensions().end(), header.dimensions.begin());
  const std::array sections = {bytes_of(tensor.subscripts().data(), header.count * header.order),
                               bytes_of(tensor.values().data(), header.count)};
  write_binary_form(host, path, header, sections);
}

template AnyTensorArrays<float> read_binary(const HostExec&, const FileContent&, const ReadOptions&,
                                            OrdinalWidth, ReadReport&);
template AnyTensorArrays<double> read_binary(const HostExec&, const FileContent&,
                                             const ReadOptions&, OrdinalWidth, ReadReport&);

#define GENTEN_INSTANTIATE(SCALAR, ORDINAL)                              \
  template void write_binary_tensor(const HostExec&, const std::string&, \
                                    const Sptensor<SCALAR, ORDINAL, HostExec>&);
GENTEN_FOR_TENSORS(GENTEN_INSTANTIATE)
#undef GENTEN_INSTANTIATE

}  // namespace genten::detail
