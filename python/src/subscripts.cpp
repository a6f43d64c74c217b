// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "subscripts.hpp"

#include <algorithm>
#include <cstring>

namespace genten::python {
namespace {

/// Nonzeros that a thread takes at a time: few enough that what it writes stays in its cache while
/// it goes through the modes.
constexpr offset_t block = 2048;

void require_integers(const AnyArray& array) {
  const auto code = static_cast<nb::dlpack::dtype_code>(array.dtype().code);
  const bool whole = code == nb::dlpack::dtype_code::Int || code == nb::dlpack::dtype_code::UInt;
  if (whole && array.dtype().bits <= 64 && array.dtype().bits % 8 == 0) return;
  throw Error("subscripts: expected integers of 8, 16, 32 or 64 bits");
}

SubscriptColumn column_of(const AnyArray& array, std::size_t dimension, std::size_t at) {
  const auto width = static_cast<std::int64_t>(array.dtype().bits / 8);
  const auto* const data = static_cast<const char*>(array.data());
  const std::int64_t step = dimension == 0 ? 0 : array.stride(1) * width;
  return {data + static_cast<std::int64_t>(at) * step, array.stride(0) * width, array.dtype()};
}

/// Calls `use` with a zero of the column's type.
template <class Use>
void with_integer(const nb::dlpack::dtype& type, const Use& use) {
  const bool is_signed =
      static_cast<nb::dlpack::dtype_code>(type.code) == nb::dlpack::dtype_code::Int;
  switch (type.bits) {
    case 8:
      return is_signed ? use(std::int8_t()) : use(std::uint8_t());
    case 16:
      return is_signed ? use(std::int16_t()) : use(std::uint16_t());
    case 32:
      return is_signed ? use(std::int32_t()) : use(std::uint32_t());
    case 64:
      return is_signed ? use(std::int64_t()) : use(std::uint64_t());
    default:
      return;  // require_integers has refused it
  }
}

template <class Integer>
Integer load(const SubscriptColumn& column, offset_t nonzero) {
  Integer value;
  std::memcpy(&value, column.data + nonzero * column.stride, sizeof value);
  return value;
}

/// Goes through a column's nonzeros in [begin, end); returns the first bad one, or `end`.
template <class Integer, SubscriptOrdinal Ordinal>
offset_t take_column(const SubscriptColumn& column, std::uint64_t dimension, offset_t begin,
                     offset_t end, Ordinal* to, std::size_t order) {
  bool good = true;
  for (offset_t p = begin; p < end; ++p) {
    const auto value = load<Integer>(column, p);
    // A negative number becomes one beyond every dimension.
    good &= static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) < dimension;
    if (to != nullptr) to[static_cast<std::size_t>(p) * order] = static_cast<Ordinal>(value);
  }
  if (good) return end;
  for (offset_t p = begin; p < end; ++p) {
    const auto value = static_cast<std::int64_t>(load<Integer>(column, p));
    if (static_cast<std::uint64_t>(value) >= dimension) return p;
  }
  return end;
}

}  // namespace

SubscriptColumns::SubscriptColumns(const AnyArray& matrix) {
  if (matrix.ndim() != 2) {
    throw Error("subscripts: expected a matrix, a row a nonzero, got " +
                std::to_string(matrix.ndim()) + " dimensions");
  }
  require_integers(matrix);
  m_count = static_cast<offset_t>(matrix.shape(0));
  for (std::size_t n = 0; n < matrix.shape(1); ++n) m_columns.push_back(column_of(matrix, 1, n));
}

SubscriptColumns::SubscriptColumns(const std::vector<AnyArray>& vectors) {
  for (const AnyArray& vector : vectors) {
    if (vector.ndim() != 1 || vector.shape(0) != vectors.front().shape(0)) {
      throw Error("subscripts: expected a vector for each mode, all of one length");
    }
    require_integers(vector);
    m_count = static_cast<offset_t>(vector.shape(0));
    m_columns.push_back(column_of(vector, 0, 0));
  }
}

template <SubscriptOrdinal Ordinal>
const Ordinal* SubscriptColumns::packed() const {
  constexpr auto width = static_cast<std::int64_t>(sizeof(Ordinal));
  for (std::size_t n = 0; n < m_columns.size(); ++n) {
    const SubscriptColumn& each = m_columns[n];
    if (each.type.bits != 8 * width) return nullptr;
    if (each.stride != width * order()) return nullptr;
    if (each.data != m_columns[0].data + static_cast<std::int64_t>(n) * width) return nullptr;
  }
  if (m_columns.empty() || reinterpret_cast<std::uintptr_t>(m_columns[0].data) % width != 0) {
    return nullptr;
  }
  return reinterpret_cast<const Ordinal*>(m_columns[0].data);
}

template <SubscriptOrdinal Ordinal>
void SubscriptColumns::check(const std::vector<std::size_t>& dimensions, Ordinal* to,
                             const Row& row) const {
  const offset_t blocks = (m_count + block - 1) / block;
  offset_t first_bad = m_count;
  const HostExec host;
  Kokkos::parallel_reduce(
      "genten::python::check_subscripts",
      Kokkos::RangePolicy<HostExec, Kokkos::IndexType<offset_t>>(host, 0, blocks),
      [&](const offset_t b, offset_t& bad) {
        const offset_t begin = b * block, end = std::min(m_count, begin + block);
        for (std::size_t n = 0; n < m_columns.size(); ++n) {
          with_integer(m_columns[n].type, [&](auto zero) {
            const offset_t found = take_column<decltype(zero), Ordinal>(
                m_columns[n], dimensions[n], begin, end, to == nullptr ? nullptr : to + n,
                m_columns.size());
            if (found < end) bad = std::min(bad, found);
          });
        }
      },
      Kokkos::Min<offset_t>(first_bad));
  host.fence();
  if (first_bad < m_count) refuse(first_bad, dimensions, row);
}

void SubscriptColumns::refuse(offset_t index, const std::vector<std::size_t>& dimensions,
                              const Row& row) const {
  for (std::size_t n = 0; n < m_columns.size(); ++n) {
    std::string value;
    with_integer(m_columns[n].type, [&](auto zero) {
      const auto subscript = load<decltype(zero)>(m_columns[n], index);
      const auto wide = static_cast<std::uint64_t>(static_cast<std::int64_t>(subscript));
      if (wide >= dimensions[n]) value = std::to_string(subscript);
    });
    if (value.empty()) continue;
    const std::string length = std::to_string(dimensions[n]),
                      mode = " in mode " + std::to_string(n);
    const bool negative = value.front() == '-';
    std::string expected = "a subscript of at least 0, and below " + length + mode;
    if (!negative) expected = "a subscript below " + length + mode;
    // Of a mode without rows no subscript is below its length.
    if (dimensions[n] == 0) {
      expected = negative ? "a subscript of at least 0" + mode
                          : "no subscript" + mode + ", which has no rows";
    }
    throw Error::in(row.function, std::string(row.noun) + " " + std::to_string(index) +
                                      ": expected " + expected + ", got " + value);
  }
  throw Error::in("Sptensor", "subscripts were changed while they were read");
}

template const std::uint32_t* SubscriptColumns::packed() const;
template const std::uint64_t* SubscriptColumns::packed() const;
template void SubscriptColumns::check(const std::vector<std::size_t>&, std::uint32_t*,
                                      const Row&) const;
template void SubscriptColumns::check(const std::vector<std::size_t>&, std::uint64_t*,
                                      const Row&) const;

}  // namespace genten::python
