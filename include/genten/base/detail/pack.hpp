// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Pack: a few columns of one row, held in vector registers. Host code only.

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

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
  /// The sum of the lanes, halves added to each other.
  [[nodiscard]] Scalar sum() const {
    if constexpr (Width == 1) {
      return lanes[0];
    } else {
      using Half = Pack<Scalar, Width / 2>;
      Half low, high;
      std::memcpy(&low.lanes, &lanes, sizeof(low.lanes));
      std::memcpy(&high.lanes, reinterpret_cast<const char*>(&lanes) + sizeof(low.lanes),
                  sizeof(high.lanes));
      return (low + high).sum();
    }
  }

  friend Pack operator*(Pack a, Pack b) { return Pack{a.lanes * b.lanes}; }
  friend Pack operator+(Pack a, Pack b) { return Pack{a.lanes + b.lanes}; }
  friend Pack operator*(Scalar a, Pack b) { return Pack{a * b.lanes}; }
  Pack& operator+=(Pack other) {
    lanes += other.lanes;
    return *this;
  }
  Pack& operator*=(Pack other) {
    lanes *= other.lanes;
    return *this;
  }
};

/// Lane by lane, the largest magnitude of the packs that it was shown; NaN where one was.
/// Magnitudes of IEEE numbers are in the order of their bits, NaN above infinity. So integers are
/// compared, which costs less than to compare numbers and to look for NaN besides.
template <class Scalar, int Width>
class PackMagnitude {
 public:
  void include(const Pack<Scalar, Width>& pack) {
    Bits bits;
    std::memcpy(&bits, &pack.lanes, sizeof(bits));
    bits &= magnitude;
    m_largest = bits > m_largest ? bits : m_largest;
  }
  void store(Scalar* to) const { std::memcpy(to, &m_largest, sizeof(m_largest)); }

 private:
  using Integer = std::conditional_t<sizeof(Scalar) == 4, std::int32_t, std::int64_t>;
  typedef Integer Bits __attribute__((vector_size(Width * sizeof(Scalar))));
  static constexpr Integer magnitude = std::numeric_limits<Integer>::max();  ///< all but the sign
  Bits m_largest = Bits{};
};

/// No columns.
template <class Scalar>
struct Pack<Scalar, 0> {
  static Pack load(const Scalar*) { return {}; }
  static Pack broadcast(Scalar) { return {}; }
  static Pack zero() { return {}; }
  void store(Scalar*) const {}
  [[nodiscard]] Scalar sum() const { return Scalar(0); }

  friend Pack operator+(Pack, Pack) { return {}; }
  friend Pack operator*(Scalar, Pack) { return {}; }
  friend Pack operator*(Pack, Pack) { return {}; }
  Pack& operator+=(Pack) { return *this; }
  Pack& operator*=(Pack) { return *this; }
};

/// Elements in a pack of 64 bytes, the widest there is.
template <class Scalar>
inline constexpr int full_width = 64 / static_cast<int>(sizeof(Scalar));

/// The columns of one row that a kernel processes together: `Count` packs of `Width` elements and a
/// last one of `Tail`.
template <class Scalar, int Width, int Count, int Tail = 0>
struct PackRow {
  using Element = Pack<Scalar, Width>;
  using Last = Pack<Scalar, Tail>;
  static constexpr int tail_at = Count * Width;
  static constexpr bool has_full_packs = Width == full_width<Scalar>;
  static constexpr int elements = tail_at + Tail;
  static constexpr int lines = Count + (Tail != 0 ? 1 : 0);

  Element packs[Count];
  [[no_unique_address]] Last tail;

  static PackRow broadcast(Scalar value) {
    PackRow row;
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) row.packs[v] = Element::broadcast(value);
    row.tail = Last::broadcast(value);
    return row;
  }
  static PackRow zero() {
    PackRow row;
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) row.packs[v] = Element::zero();
    row.tail = Last::zero();
    return row;
  }
  static PackRow load(const Scalar* from) {
    PackRow row;
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) row.packs[v] = Element::load(from + v * Width);
    row.tail = Last::load(from + tail_at);
    return row;
  }
  /// Asks for the row to come into the near caches.
  static void fetch(const Scalar* from) {
#pragma GCC unroll 16
    for (int v = 0; v < lines; ++v) __builtin_prefetch(from + v * Width);
  }
  /// Asks for the row to come into the nearest cache without displacing what the next holds.
  static void fetch_non_temporal(const Scalar* from) {
#pragma GCC unroll 16
    for (int v = 0; v < lines; ++v) __builtin_prefetch(from + v * Width, 0, 0);
  }
  void store(Scalar* to) const {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) packs[v].store(to + v * Width);
    tail.store(to + tail_at);
  }
  void add_to(Scalar* to) const {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v)
      (Element::load(to + v * Width) + packs[v]).store(to + v * Width);
    (Last::load(to + tail_at) + tail).store(to + tail_at);
  }
  void multiply_by(const Scalar* from) {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) packs[v] *= Element::load(from + v * Width);
    tail *= Last::load(from + tail_at);
  }
  /// The sum of the elements' products.
  [[nodiscard]] Scalar dot(const PackRow& other) const {
    Element sum = packs[0] * other.packs[0];
#pragma GCC unroll 16
    for (int v = 1; v < Count; ++v) sum += packs[v] * other.packs[v];
    return Tail == 0 ? sum.sum() : sum.sum() + (tail * other.tail).sum();
  }
  /// this += scale * other
  void add_scaled(Scalar scale, const PackRow& other) {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) packs[v] += scale * other.packs[v];
    tail += scale * other.tail;
  }
};

}  // namespace genten::detail
