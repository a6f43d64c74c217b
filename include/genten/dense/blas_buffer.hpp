// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The buffer that OpenBLAS wants before it solves anything. Other LAPACK libraries want none.

namespace genten {

/// Bytes of address space that OpenBLAS is still going to map: at its first call, and for good.
/// Little of it is ever touched, so that it counts against limits on address space and data
/// (`ulimit -v`, `ulimit -d`) alone. 0 where it is mapped already, or another library is used.
[[nodiscard]] double blas_buffer_bytes();

/// Throws Error of kind memory where a limit leaves OpenBLAS no room for its buffer: it would ask
/// for it again and again, for ever.
void require_blas_buffer();

/// The same, to be called before BLAS or LAPACK is: from then on the buffer counts as mapped.
void begin_blas();

/// Bytes that can still be allocated on the host when that buffer is mapped.
[[nodiscard]] double available_beside_blas();

}  // namespace genten
