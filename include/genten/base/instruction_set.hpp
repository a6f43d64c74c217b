// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Which instructions of the processor the hot loops use.

#include <string>
#include <string_view>
#include <vector>

namespace genten {

/// The hot loops of the library (MTTKRP, row updates, Gram matrices, systems of rows) are compiled
/// for several instruction sets, and the highest that the processor has is used: of x86-64 the
/// levels "v2" (SSE4.2), "v3" (AVX2 and FMA; "v3-shift" where bits are
/// extracted slowly) and "v4" (AVX-512), of other processors "baseline".
/// The environment's GENTEN_ISA names a lower one. The choice is made once, at the first use.
///
/// Results of one set have the same bits on every machine that has it, as far as its LAPACK gives
/// them; those of two sets may differ by rounding, since v2 has no fused multiply-add.
///
/// Throws Error where GENTEN_ISA names no set, or one that the processor lacks, and where the
/// processor has none of them. Loops of headers that a program compiles itself
/// (Genten::header_only) use the instructions that this program is compiled for.
[[nodiscard]] std::string_view instruction_set();

/// All that this library was compiled for and this processor has, the lowest first.
[[nodiscard]] std::vector<std::string_view> instruction_sets();

/// Uses this one from now on, in the whole program: for tests, or for the bits of a machine that
/// has less. Call it before any other function of Genten: what runs meanwhile may see either.
/// Throws Error for a name that is not among instruction_sets().
void use_instruction_set(std::string_view name);

}  // namespace genten
