// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The instruction set in use, as the tables of hot loops are chosen by it.

namespace genten::detail {

/// Its place among all that the library is compiled for. Throws Error as genten::instruction_set
/// does.
[[nodiscard]] int instruction_set_number();

}  // namespace genten::detail
