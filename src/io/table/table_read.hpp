// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tensors from tables: a row of names, and a row for each nonzero.

#include "../file/tensor_file.hpp"

namespace genten::detail {

/// Reads a table, see `genten::read_tensor`. Three parallel passes over the text count quotes, look
/// at what the columns hold, and read them straight into the tensor's arrays: besides these, only
/// distinct texts take memory.
template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_table(const HostExec& host, const FileContent& file,
                                   const ReadOptions& options, OrdinalWidth width,
                                   TextContent content, ReadReport& report);

/// The line of a record of a table, from 1; records count from 0.
[[nodiscard]] std::size_t line_of_record(const HostExec& host, const FileContent& file,
                                         const ReadOptions& options, std::size_t record);

}  // namespace genten::detail
