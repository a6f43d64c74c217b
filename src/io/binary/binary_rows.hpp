// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Matrices as sections of the binary form: rows without padding.

#include "../file/ktensor_file.hpp"

#include <genten/base/error.hpp>
#include <genten/core/fac_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace genten::detail {

/// Reads `count` numbers of From, converted to Scalar.
template <class From, class Scalar>
void convert_row(const char* bytes, Scalar* to, std::size_t count, VanishedColumns& vanished) {
  for (std::size_t j = 0; j < count; ++j) {
    From number;
    std::memcpy(&number, bytes + j * sizeof number, sizeof number);
    to[j] = static_cast<Scalar>(number);
    vanished.see(j, number != From(0), to[j] != Scalar(0));
  }
}

/// Reads a matrix, whose numbers take `scalar_bytes` in the file; throws Error for numbers that are
/// not finite and for columns that vanish.
template <class Scalar>
void load_rows(const FileContent& file, const Bytes& section, std::size_t scalar_bytes,
               const FacMatrix<Scalar, HostExec>& matrix, const std::string& what) {
  const std::size_t columns = matrix.columns();
  VanishedColumns vanished(columns);
  const std::size_t row_bytes = columns * scalar_bytes;
  const std::size_t block_rows = std::max<std::size_t>(1, (std::size_t{1} << 20) / row_bytes);
  std::vector<char> buffer;
  const char* bytes = nullptr;
  for (std::size_t i = 0; i < matrix.rows(); ++i, bytes += row_bytes) {
    if (i % block_rows == 0) {
      bytes = section.load(i * row_bytes, block_rows * row_bytes, buffer).data();
    }
    Scalar* const row = matrix.row(i);
    if (scalar_bytes == sizeof(float)) {
      convert_row<float>(bytes, row, columns, vanished);
    } else {
      convert_row<double>(bytes, row, columns, vanished);
    }
    const Scalar* const wrong =
        std::find_if(row, row + columns, [](Scalar x) { return !std::isfinite(x); });
    if (wrong == row + columns) continue;
    throw Error::in_file(file.path(), 0,
                         "element (" + std::to_string(i + 1) + ", " +
                             std::to_string(wrong - row + 1) + ") of " + what + " is not finite");
  }
  vanished.check(file.path(), what, sizeof(Scalar));
}

/// The matrix's elements without padding.
template <class Scalar>
std::vector<Scalar> packed(const FacMatrix<Scalar, HostExec>& matrix) {
  std::vector<Scalar> elements(matrix.rows() * matrix.columns());
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    std::copy_n(matrix.row(i), matrix.columns(), elements.data() + i * matrix.columns());
  }
  return elements;
}

}  // namespace genten::detail
