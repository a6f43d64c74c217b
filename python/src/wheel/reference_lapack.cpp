// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// What the reference implementation of LAPACK calls of gfortran's runtime library, so that wheels
/// need not carry that: it takes 1.2 MB of them.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {

/// Told of an argument that is out of range, after which there is nothing to return to.
void xerbla_(const char* routine, const int* argument, std::size_t length) {
  std::fprintf(stderr, "LAPACK: %.*s: argument %d is out of range\n", static_cast<int>(length),
               routine, *argument);
  std::abort();
}

/// Fortran's concatenation of characters, with blanks behind them.
void _gfortran_concat_string(std::size_t length, char* to, std::size_t first_length,
                             const char* first, std::size_t second_length, const char* second) {
  const std::size_t begin = std::min(length, first_length);
  const std::size_t end = std::min(length, begin + second_length);
  std::copy_n(first, begin, to);
  std::copy_n(second, end - begin, to + begin);
  std::fill(to + end, to + length, ' ');
}

}  // extern "C"
