// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The numbers of a binary tensor, as the types that were asked for.

#include "../file/blocks.hpp"
#include "binary_form.hpp"

#include <genten/io/detail/tensor_arrays.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

namespace genten::detail {

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

/// Lets several threads fill the arrays of a tensor from the sections of its file.
template <class Scalar, class Ordinal>
class BinaryNumbers {
 public:
  BinaryNumbers(const BinaryHeader& header, const TensorArrays<Scalar, Ordinal>& arrays)
      : m_header(header), m_arrays(arrays), m_good_values(arrays.values.extent(0)) {}

  /// Takes bytes of the subscripts (section 0) or of the values, which start `offset` bytes behind
  /// those of the first nonzero that the arrays are for.
  void take(std::size_t section, std::size_t offset, std::string_view bytes) {
    if (section == 0 && m_header.ordinal_bytes == 4) {
      convert<std::uint32_t>(bytes, m_arrays.subscripts.data() + offset / 4);
    } else if (section == 0) {
      convert<std::uint64_t>(bytes, m_arrays.subscripts.data() + offset / 8);
    } else if (m_header.scalar_bytes == 4) {
      convert<float>(bytes, m_arrays.values.data() + offset / 4);
    } else {
      const std::size_t good = convert<double>(bytes, m_arrays.values.data() + offset / 8);
      if (good < bytes.size() / 8) atomic_lower(m_good_values, offset / 8 + good);
    }
  }

  /// What is wrong with the first value that Scalar cannot hold, where nonzeros count from `first`;
  /// empty without one.
  [[nodiscard]] std::string wrong_value(std::size_t first) const {
    const std::size_t good = m_good_values;
    if (good == m_arrays.values.extent(0)) return "";
    const bool small = m_arrays.values(good) == Scalar(0);
    return "the value of nonzero " + std::to_string(first + good) + " is too " +
           (small ? "small for single precision, it would become 0" : "large for single precision");
  }

 private:
  const BinaryHeader& m_header;
  const TensorArrays<Scalar, Ordinal>& m_arrays;
  std::atomic<std::size_t> m_good_values;
};

/// The dimensions of a file, or those of the options in their place; throws Error in the name of
/// `path` where these are of another order.
[[nodiscard]] std::vector<std::size_t> binary_dimensions(const std::string& path,
                                                         const BinaryHeader& header,
                                                         const ReadOptions& options);

/// What is wrong with dimensions that 32-bit ordinals are too narrow for; empty where they are not.
[[nodiscard]] std::string too_long_for_32_bits(const std::vector<std::size_t>& dimensions);

}  // namespace genten::detail
