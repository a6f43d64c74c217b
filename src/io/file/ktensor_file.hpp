// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The readers and writers behind `read_ktensor` and `write_ktensor`.

#include "file_content.hpp"

#include <genten/core/ktensor.hpp>

#include <span>
#include <string>
#include <vector>

namespace genten::detail {

/// Notices columns of a matrix that vanish where numbers too small for the precision are read as 0.
/// Beside others in the same column that is rounding; where nothing else is left, the column, and
/// with it a component of the model, would be lost. Weights are a matrix of one row.
class VanishedColumns {
 public:
  explicit VanishedColumns(std::size_t columns) : m_seen(columns, Seen::zeros) {}

  void see(std::size_t column, bool too_small, bool nonzero) {
    if (nonzero) {
      m_seen[column] = Seen::numbers;
    } else if (too_small && m_seen[column] == Seen::zeros) {
      m_seen[column] = Seen::too_small;
    }
  }

  /// Throws Error that names the first such column of `what`, "weights" or a factor.
  void check(const std::string& path, const std::string& what, std::size_t scalar_bytes) const;

 private:
  enum class Seen : unsigned char { zeros, too_small, numbers };

  std::vector<Seen> m_seen;
};

/// Throws Error when a model of this shape does not fit in memory.
void require_model_memory(const std::string& path, std::span<const std::size_t> dimensions,
                          std::size_t rank, std::size_t scalar_bytes);

/// A model in either form.
template <RealScalar Scalar>
Ktensor<Scalar, HostExec> read_ktensor_content(const FileContent& file);

template <RealScalar Scalar>
Ktensor<Scalar, HostExec> read_text_ktensor(const FileContent& file);
template <RealScalar Scalar>
void write_text_ktensor(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                        Compression compression);

template <RealScalar Scalar>
Ktensor<Scalar, HostExec> read_binary_ktensor(const FileContent& file);
/// A model, or a checkpoint where there is the state of a solver.
template <RealScalar Scalar>
void write_binary_ktensor(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                          const std::string* state = nullptr);

}  // namespace genten::detail
