// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SimdVector and SimdRow: a few columns of one row, held in vector registers. Host code only.

#include <genten/base/detail/simd_set.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

/// `Width` neighbouring elements, in one vector register or, where registers are shorter, in
/// several. The compiler's vector extension is used because the autovectorizer does not keep arrays
/// of partial sums in registers across a loop over nonzeros; and each part is no wider than a
/// register, because compilers keep wider ones in memory (4 to 10 times the time of an iteration
/// with AVX2).
template <class Scalar, int Width>
struct SimdVector {
  static constexpr int bytes = Width * static_cast<int>(sizeof(Scalar));
  static constexpr int part_bytes = bytes < vector_bytes ? bytes : vector_bytes;
  static constexpr int count = bytes / part_bytes;
  static constexpr int lanes = Width / count;  ///< of a part
  typedef Scalar Part __attribute__((vector_size(part_bytes)));
  Part parts[count];

  /// One bit pattern a lane: all ones or zeros.
  struct Mask {
    using Integer = std::conditional_t<sizeof(Scalar) == 4, std::int32_t, std::int64_t>;
    typedef Integer Bits __attribute__((vector_size(part_bytes)));
    Bits parts[count];

    static Mask all() {
      Mask mask;
#pragma GCC unroll 8
      for (int p = 0; p < count; ++p) mask.parts[p] = Bits{} == Bits{};
      return mask;
    }
    Mask& operator&=(const Mask& other) {
#pragma GCC unroll 8
      for (int p = 0; p < count; ++p) parts[p] &= other.parts[p];
      return *this;
    }
    bool operator[](int lane) const {
      return parts[lane / lanes][lane % lanes] != 0;
    }
  };

  static SimdVector load(const Scalar* from) {
    SimdVector vector;
    // Copied as a whole, the parts would lie in memory.
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) std::memcpy(&vector.parts[p], from + p * lanes, part_bytes);
    return vector;
  }
  static SimdVector broadcast(Scalar value) {
    SimdVector vector;
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) vector.parts[p] = Part{} + value;
    return vector;
  }
  static SimdVector zero() {
    SimdVector vector;
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) vector.parts[p] = Part{};
    return vector;
  }
  void store(Scalar* to) const {
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) std::memcpy(to + p * lanes, &parts[p], part_bytes);
  }

  /// The sum of the lanes, halves added to each other, whatever the width of registers.
  [[nodiscard]] Scalar sum() const {
    if constexpr (Width == 1) {
      return parts[0][0];
    } else {
      return (half(0) + half(1)).sum();
    }
  }
  /// The same numbers in another type.
  template <class To>
  [[nodiscard]] SimdVector<To, Width> convert() const {
    using Result = SimdVector<To, Width>;
    Result result;
    if constexpr (count == Result::count) {
#pragma GCC unroll 8
      for (int p = 0; p < count; ++p) {
        result.parts[p] = __builtin_convertvector(parts[p], typename Result::Part);
      }
    } else {
      const auto low = half(0).template convert<To>(), high = half(1).template convert<To>();
      constexpr int each = Result::count / 2;
      static_assert(Result::count % 2 == 0 && decltype(low)::count == each);
#pragma GCC unroll 8
      for (int p = 0; p < each; ++p) {
        result.parts[p] = low.parts[p];
        result.parts[p + each] = high.parts[p];
      }
    }
    return result;
  }
  /// The lanes of the lower half, or of the upper one.
  [[nodiscard]] SimdVector<Scalar, Width / 2> half(int upper) const {
    SimdVector<Scalar, Width / 2> result;
    if constexpr (count > 1) {
#pragma GCC unroll 8
      for (int p = 0; p < count / 2; ++p) result.parts[p] = parts[p + upper * (count / 2)];
    } else {
      std::memcpy(&result.parts[0], reinterpret_cast<const char*>(&parts[0]) + upper * (bytes / 2),
                  bytes / 2);
    }
    return result;
  }
  [[nodiscard]] SimdVector reciprocal() const {
    SimdVector result;
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) result.parts[p] = Scalar(1) / parts[p];
    return result;
  }
  [[nodiscard]] Mask above(const SimdVector& other) const {
    Mask mask;
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) mask.parts[p] = parts[p] > other.parts[p];
    return mask;
  }

  friend SimdVector operator*(const SimdVector& a, const SimdVector& b) {
    SimdVector result;
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) result.parts[p] = a.parts[p] * b.parts[p];
    return result;
  }
  friend SimdVector operator+(const SimdVector& a, const SimdVector& b) {
    SimdVector result;
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) result.parts[p] = a.parts[p] + b.parts[p];
    return result;
  }
  friend SimdVector operator-(const SimdVector& a, const SimdVector& b) {
    SimdVector result;
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) result.parts[p] = a.parts[p] - b.parts[p];
    return result;
  }
  friend SimdVector operator*(Scalar a, const SimdVector& b) {
    SimdVector result;
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) result.parts[p] = a * b.parts[p];
    return result;
  }
  SimdVector& operator+=(const SimdVector& other) {
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) parts[p] += other.parts[p];
    return *this;
  }
  SimdVector& operator*=(const SimdVector& other) {
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) parts[p] *= other.parts[p];
    return *this;
  }
};

/// Lane by lane, the largest magnitude of the vectors that it was shown; NaN where one was.
/// Magnitudes of IEEE numbers are in the order of their bits, NaN above infinity. So integers are
/// compared, which costs less than to compare numbers and to look for NaN besides.
template <class Scalar, int Width>
class SimdMagnitude {
 public:
  void include(const SimdVector<Scalar, Width>& vector) {
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) {
      Bits bits;
      std::memcpy(&bits, &vector.parts[p], sizeof(bits));
      bits &= magnitude;
      m_largest[p] = bits > m_largest[p] ? bits : m_largest[p];
    }
  }
  void store(Scalar* to) const {
    constexpr int lanes = SimdVector<Scalar, Width>::lanes;
#pragma GCC unroll 8
    for (int p = 0; p < count; ++p) std::memcpy(to + p * lanes, &m_largest[p], sizeof(Bits));
  }

 private:
  using Integer = typename SimdVector<Scalar, Width>::Mask::Integer;
  using Bits = typename SimdVector<Scalar, Width>::Mask::Bits;
  static constexpr int count = SimdVector<Scalar, Width>::count;
  static constexpr Integer magnitude = std::numeric_limits<Integer>::max();  ///< all but the sign
  Bits m_largest[count] = {};
};

/// No columns.
template <class Scalar>
struct SimdVector<Scalar, 0> {
  static SimdVector load(const Scalar*) { return {}; }
  static SimdVector broadcast(Scalar) { return {}; }
  static SimdVector zero() { return {}; }
  void store(Scalar*) const {}
  [[nodiscard]] Scalar sum() const { return Scalar(0); }

  friend SimdVector operator+(SimdVector, SimdVector) { return {}; }
  friend SimdVector operator*(Scalar, SimdVector) { return {}; }
  friend SimdVector operator*(SimdVector, SimdVector) { return {}; }
  SimdVector& operator+=(SimdVector) { return *this; }
  SimdVector& operator*=(SimdVector) { return *this; }
};

/// The columns of one row that a kernel processes together: `Count` vectors of `Width` elements, a
/// cache line or the whole of a shorter row, and a last one of `Tail`.
template <class Scalar, int Width, int Count, int Tail = 0>
struct SimdRow {
  using Element = SimdVector<Scalar, Width>;
  using Last = SimdVector<Scalar, Tail>;
  static constexpr int tail_at = Count * Width;
  static constexpr bool has_whole_lines = Width == line_width<Scalar>;
  static constexpr int elements = tail_at + Tail;
  static constexpr int lines = Count + (Tail != 0 ? 1 : 0);

  Element vectors[Count];
  [[no_unique_address]] Last tail;

  static SimdRow broadcast(Scalar value) {
    SimdRow row;
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) row.vectors[v] = Element::broadcast(value);
    row.tail = Last::broadcast(value);
    return row;
  }
  static SimdRow zero() {
    SimdRow row;
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) row.vectors[v] = Element::zero();
    row.tail = Last::zero();
    return row;
  }
  static SimdRow load(const Scalar* from) {
    SimdRow row;
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) row.vectors[v] = Element::load(from + v * Width);
    row.tail = Last::load(from + tail_at);
    return row;
  }
  /// Asks for the row to come into the L1 and L2 caches. Inlined always: GCC 12 takes a function of
  /// prefetches alone for one without effects, and drops calls of it.
  [[gnu::always_inline]] static void fetch(const Scalar* from) {
#pragma GCC unroll 16
    for (int v = 0; v < lines; ++v) __builtin_prefetch(from + v * Width);
  }
  /// Asks for the row to come into the nearest cache without displacing what the next holds.
  [[gnu::always_inline]] static void fetch_non_temporal(const Scalar* from) {
#pragma GCC unroll 16
    for (int v = 0; v < lines; ++v) __builtin_prefetch(from + v * Width, 0, 0);
  }
  void store(Scalar* to) const {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) vectors[v].store(to + v * Width);
    tail.store(to + tail_at);
  }
  void add_to(Scalar* to) const {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v)
      (Element::load(to + v * Width) + vectors[v]).store(to + v * Width);
    (Last::load(to + tail_at) + tail).store(to + tail_at);
  }
  void multiply_by(const Scalar* from) {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) vectors[v] *= Element::load(from + v * Width);
    tail *= Last::load(from + tail_at);
  }
  /// The sum of the elements' products.
  [[nodiscard]] Scalar dot(const SimdRow& other) const {
    Element sum = vectors[0] * other.vectors[0];
#pragma GCC unroll 16
    for (int v = 1; v < Count; ++v) sum += vectors[v] * other.vectors[v];
    return Tail == 0 ? sum.sum() : sum.sum() + (tail * other.tail).sum();
  }
  /// this += scale * other
  void add_scaled(Scalar scale, const SimdRow& other) {
#pragma GCC unroll 16
    for (int v = 0; v < Count; ++v) vectors[v] += scale * other.vectors[v];
    tail += scale * other.tail;
  }

  /// Calls body.template operator()<Size>(part, column) for groups of at most `Most` neighbouring
  /// parts, each a register's worth; `part` is a default SimdVector of their width and `column` the
  /// first column of the first.
  template <int Most, class Body>
  [[gnu::always_inline]] static void for_groups(const Body& body) {
    constexpr int parts = Count * Element::count;
    using Part = SimdVector<Scalar, Element::lanes>;
#pragma GCC unroll 16
    for (int g = 0; g + Most <= parts; g += Most) {
      body.template operator()<Most>(Part{}, g * Element::lanes);
    }
    constexpr int done = parts / Most * Most;
    if constexpr (done < parts) {
      body.template operator()<parts - done>(Part{}, done * Element::lanes);
    }
    if constexpr (Tail != 0) {
      body.template operator()<Last::count>(SimdVector<Scalar, Last::lanes>{}, tail_at);
    }
  }
  /// Adds to the part that begins at a column.
  template <int Lanes>
  [[gnu::always_inline]] void add_at(int column, const SimdVector<Scalar, Lanes>& part) {
    if (column < tail_at) {
      if constexpr (Lanes == Element::lanes) {
        vectors[column / Width].parts[column % Width / Lanes] += part.parts[0];
      }
    } else if constexpr (Tail != 0) {
      if constexpr (Lanes == Last::lanes) tail.parts[(column - tail_at) / Lanes] += part.parts[0];
    }
  }
};

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
