// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../file/memory.hpp"
#include "../file/tensor_file.hpp"
#include "binary_form.hpp"

#include <genten/base/error.hpp>
#include <genten/io/binary.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

namespace genten::detail {

namespace {

/// Converts a subscript or value. Subscripts that do not fit become the largest one, which no
/// dimension allows.
template <class To, class From>
To converted(From number) {
  if constexpr (std::is_integral_v<From> && sizeof(To) < sizeof(From)) {
    return static_cast<To>(std::min<From>(number, std::numeric_limits<To>::max()));
  } else {
    return static_cast<To>(number);
  }
}

/// Whether a finite number became another one altogether: infinite, or 0.
template <class From, class To>
bool left_the_range(From number, To result) {
  if constexpr (std::is_integral_v<From> || sizeof(From) <= sizeof(To)) {
    return false;
  } else {
    return std::isfinite(number) && (!std::isfinite(result) || (result == To(0)) != (number == 0));
  }
}

/// Copies the numbers of type From in `bytes`, which may lie unaligned, to numbers of type To.
/// Returns how many there are before the first that left the range of To; all of them without one.
template <class From, class To>
std::size_t convert(std::string_view bytes, To* to) {
  const std::size_t count = bytes.size() / sizeof(From);
  std::size_t good = count;
  if constexpr (std::is_same_v<From, To>) {
    std::memcpy(to, bytes.data(), bytes.size());
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      From number;
      std::memcpy(&number, bytes.data() + i * sizeof number, sizeof number);
      to[i] = converted<To>(number);
      if (left_the_range(number, to[i])) good = std::min(good, i);
    }
  }
  return good;
}

void lower(std::atomic<std::size_t>& lowest, std::size_t number) {
  std::size_t seen = lowest;
  while (number < seen && !lowest.compare_exchange_weak(seen, number)) {
  }
}

void check_dimensions(const std::string& path, const ReadOptions& options,
                      std::vector<std::size_t>& dimensions) {
  if (options.dimensions.empty()) return;
  if (options.dimensions.size() != dimensions.size()) {
    throw Error::in_file(path, 0,
                         "the options give " + std::to_string(options.dimensions.size()) +
                             " dimensions, the file is of order " +
                             std::to_string(dimensions.size()));
  }
  dimensions = options.dimensions;
}

template <class Scalar, class Ordinal>
TensorArrays<Scalar, Ordinal> load_tensor(const HostExec& host, const FileContent& file,
                                          const BinaryHeader& header, const ReadOptions& options,
                                          std::vector<std::size_t> dimensions) {
  const std::size_t row_bytes = header.order * sizeof(Ordinal) + sizeof(Scalar);
  require_memory(file.path(), "a tensor of " + std::to_string(header.count) + " nonzeros",
                 saturating_product(header.count, row_bytes), options.memory_limit);
  auto arrays = allocate_arrays<Scalar, Ordinal>(header.order, header.count);
  std::atomic<std::size_t> good_values = header.count;
  load_sections(host, file, header, {options.threads, options.meter},
                [&](std::size_t section, std::size_t offset, std::string_view bytes) {
                  if (section == 0 && header.ordinal_bytes == 4) {
                    convert<std::uint32_t>(bytes, arrays.subscripts.data() + offset / 4);
                  } else if (section == 0) {
                    convert<std::uint64_t>(bytes, arrays.subscripts.data() + offset / 8);
                  } else if (header.scalar_bytes == 4) {
                    convert<float>(bytes, arrays.values.data() + offset / 4);
                  } else {
                    const std::size_t good =
                        convert<double>(bytes, arrays.values.data() + offset / 8);
                    if (good < bytes.size() / 8) lower(good_values, offset / 8 + good);
                  }
                });
  if (good_values < header.count) {
    const bool small = arrays.values(good_values.load()) == Scalar(0);
    throw Error::in_file(file.path(), 0,
                         "the value of nonzero " + std::to_string(good_values + 1) + " is too " +
                             (small ? "small for single precision, it would become 0"
                                    : "large for single precision"));
  }
  arrays.dimensions = std::move(dimensions);
  return arrays;
}

}  // namespace

template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_binary(const HostExec& host, const FileContent& file,
                                    const ReadOptions& options, OrdinalWidth width,
                                    ReadReport& report) {
  const BinaryHeader header = read_binary_header(file, BinaryKind::sptensor);
  std::vector<std::size_t> dimensions(header.dimensions.begin(),
                                      header.dimensions.begin() + header.order);
  check_dimensions(file.path(), options, dimensions);
  report.format = FileFormat::binary;
  report.index_base = IndexBase::zero;
  report.entries = header.count;
  const std::size_t longest = *std::max_element(dimensions.begin(), dimensions.end());
  const bool fits = longest <= std::numeric_limits<std::uint32_t>::max();
  if (!fits && width == OrdinalWidth::bits32) {
    throw Error::in_file(file.path(), 0,
                         "dimension " + std::to_string(longest) +
                             " is too large for 32-bit ordinals: use 64-bit ones");
  }
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
GENTEN_INSTANTIATE(float, std::uint32_t)
GENTEN_INSTANTIATE(float, std::uint64_t)
GENTEN_INSTANTIATE(double, std::uint32_t)
GENTEN_INSTANTIATE(double, std::uint64_t)
#undef GENTEN_INSTANTIATE

}  // namespace genten::detail
