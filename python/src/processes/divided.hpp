// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What each process has brought of a tensor, divided among all.

#include "../tensor.hpp"
#include "processes.hpp"

#include <genten/dist/distribute.hpp>
#include <genten/io/options.hpp>

#include <optional>
#include <variant>

namespace genten::python {

/// What this process has brought, and how it is to be divided.
struct Brought {
  std::string path;                ///< of a file, of which it is to read a part; or ""
  const Tensor* tensor = nullptr;  ///< or its nonzeros; null: none
  std::string dtype;               ///< that was asked for, which is process 0's affair; or ""
  Grid grid;
  /// On process 0, what stands beside the file: lengths of modes, of which a text may not tell the
  /// last rows, and what its subscripts count from (-1: nobody says).
  std::vector<std::size_t> lengths_beside;
  int base_beside = -1;
};

/// A tensor that all processes have together, of any scalar and ordinal.
using AnyDivided =
    std::variant<DistributedTensor<double, std::uint32_t>, DistributedTensor<double, std::uint64_t>,
                 DistributedTensor<float, std::uint32_t>, DistributedTensor<float, std::uint64_t>>;

/// The tensor, and what is the same to be said of it on all processes.
struct Divided {
  AnyDivided tensor;
  std::vector<std::size_t> shape;
  std::optional<ReadReport> report;  ///< of a file
  bool repeated = false;             ///< whether all processes have brought the same nonzeros
  double least = 0.0, most = 0.0;    ///< of the values, where there are any
};

/// Reads or takes what each process has brought and gives each its part. From within a turn of all
/// processes; throws AgreedErrors.
[[nodiscard]] Divided divide(Communicator& processes, const Brought& brought);

}  // namespace genten::python
