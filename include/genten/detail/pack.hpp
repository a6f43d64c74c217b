// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Pack: a few columns of one row, held in vector registers. Host code only.

#include <cstring>

namespace genten::detail {

/// `Width` neighbouring elements in one vector register (or several, where registers are shorter).
/// The compiler's vector extension is used because the autovectorizer does not keep arrays of
/// partial sums in registers across a loop over nonzeros.
template <class Scalar, int Width>
struct Pack {
  typedef Scalar Vector __attribute__((vector_size(Width * sizeof(Scalar))));
  Vector lanes;

  static Pack load(const Scalar* from) {
    Pack pack;
    std::memcpy(&pack.lanes, from, sizeof(Vector));
    return pack;
  }
  static Pack broadcast(Scalar value) { return Pack{Vector{} + value}; }
  static Pack zero() { return Pack{Vector{}}; }
  void store(Scalar* to) const { std::memcpy(to, &lanes, sizeof(Vector)); }

  friend Pack operator*(Pack a, Pack b) { return Pack{a.lanes * b.lanes}; }
  friend Pack operator+(Pack a, Pack b) { return Pack{a.lanes + b.lanes}; }
  friend Pack operator*(Scalar a, Pack b) { return Pack{a * b.lanes}; }
  friend Pack max(Pack a, Pack b) { return Pack{a.lanes > b.lanes ? a.lanes : b.lanes}; }
  friend Pack abs(Pack a) { return max(a, Pack{-a.lanes}); }
  Pack& operator+=(Pack other) {
    lanes += other.lanes;
    return *this;
  }
  Pack& operator*=(Pack other) {
    lanes *= other.lanes;
    return *this;
  }
};

/// The columns of one row that a kernel processes together: `Count` packs of `Width` elements.
template <class Scalar, int Width, int Count>
struct PackRow {
  using Element = Pack<Scalar, Width>;
  Element packs[Count];

  static PackRow zero() {
    PackRow row;
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) row.packs[v] = Element::zero();
    return row;
  }
  static PackRow load(const Scalar* from) {
    PackRow row;
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) row.packs[v] = Element::load(from + v * Width);
    return row;
  }
  /// Asks for the row to come into the near caches.
  static void fetch(const Scalar* from) {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) __builtin_prefetch(from + v * Width);
  }
  void store(Scalar* to) const {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) packs[v].store(to + v * Width);
  }
  void add_to(Scalar* to) const {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v)
      (Element::load(to + v * Width) + packs[v]).store(to + v * Width);
  }
  void multiply_by(const Scalar* from) {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) packs[v] *= Element::load(from + v * Width);
  }
  /// this += scale * other
  void add_scaled(Scalar scale, const PackRow& other) {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) packs[v] += scale * other.packs[v];
  }
};

}  // namespace genten::detail
