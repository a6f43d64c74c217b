// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Values to bytes and back: what lists the members of a state once serves both ways.
///
/// A type of members has a table of them, `members()`, a tuple of pointers in the order in which
/// their bytes lie; what has another table has a function `archive_members(archive, object)` that
/// hands each to the archive. Lengths come before what has them; numbers lie as in memory, which
/// whoever stores the bytes must see to (the binary form of files has a mark for it).

#include <genten/base/error.hpp>
#include <genten/base/member_table.hpp>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace genten::detail {

template <class T>
inline constexpr bool is_plain_value = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T>
concept HasMembers = requires {
  std::remove_const_t<T>::members();
};

template <class Archive, HasMembers Self>
void archive_members(Archive& archive, Self& object) {
  std::remove_const_t<Self>::members().for_each([&](auto member) { archive(object.*member); });
}

/// Hands the bytes of values to `Self`, by its put(data, bytes).
template <class Self>
class BytesOfValues {
 public:
  template <class T>
  void operator()(const T& value) {
    if constexpr (is_plain_value<T>) {
      self().put(&value, sizeof value);
    } else {
      archive_members(self(), value);
    }
  }
  void operator()(const std::string& text) { put_array(text.data(), text.size()); }
  template <class T>
  void operator()(const std::vector<T>& values) {
    if constexpr (is_plain_value<T>) {
      put_array(values.data(), values.size());
    } else {
      (*this)(std::uint64_t{values.size()});
      for (const T& value : values) (*this)(value);
    }
  }
  template <class T>
  void operator()(const std::optional<T>& value) {
    (*this)(value.has_value());
    if (value) (*this)(*value);
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  template <class T>
  void put_array(const T* data, std::size_t count) {
    (*this)(std::uint64_t{count});
    self().put(data, count * sizeof(T));
  }
};

/// Counts them.
class ByteCounter : public BytesOfValues<ByteCounter> {
 public:
  void put(const void* /*data*/, std::size_t bytes) { m_bytes += bytes; }
  [[nodiscard]] std::size_t bytes() const { return m_bytes; }

 private:
  std::size_t m_bytes = 0;
};

/// Appends them to a string that has room for so many.
class ByteWriter : public BytesOfValues<ByteWriter> {
 public:
  explicit ByteWriter(std::size_t bytes) { m_bytes.reserve(bytes); }
  void put(const void* data, std::size_t bytes) {
    m_bytes.append(static_cast<const char*>(data), bytes);
  }
  [[nodiscard]] std::string take() { return std::move(m_bytes); }

 private:
  std::string m_bytes;
};

/// The bytes of a value, in no more memory than they need: states are as large as models.
template <class T>
[[nodiscard]] std::string to_bytes(const T& value) {
  ByteCounter count;
  count(value);
  ByteWriter write(count.bytes());
  write(value);
  return write.take();
}

/// Reads what `to_bytes` has written; throws Error where the bytes are at an end too soon.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : m_bytes(bytes) {}

  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = *take(1) != '\0';
    } else if constexpr (is_plain_value<T>) {
      std::memcpy(&value, take(sizeof value), sizeof value);
    } else {
      archive_members(*this, value);
    }
  }
  void operator()(std::string& text) { get_array(text); }
  template <class T>
  void operator()(std::vector<T>& values) {
    if constexpr (is_plain_value<T>) {
      get_array(values);
    } else {
      values.clear();
      for (std::uint64_t left = length(1); left != 0; --left) (*this)(values.emplace_back());
    }
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    bool there = false;
    (*this)(there);
    value.reset();
    if (there) (*this)(value.emplace());
  }

 private:
  const char* take(std::size_t bytes) {
    if (bytes > m_bytes.size())
      throw Error(Error::Kind::file, "the state of a solver is damaged: it ends too soon");
    const char* const data = m_bytes.data();
    m_bytes.remove_prefix(bytes);
    return data;
  }
  /// Of an array whose elements take at least so many bytes.
  std::uint64_t length(std::size_t element_bytes) {
    std::uint64_t count = 0;
    (*this)(count);
    if (count > m_bytes.size() / element_bytes) {
      throw Error(Error::Kind::file, "the state of a solver is damaged: it ends too soon");
    }
    return count;
  }
  template <class Array>
  void get_array(Array& array) {
    using Element = typename Array::value_type;
    array.resize(length(sizeof(Element)));
    const std::size_t bytes = array.size() * sizeof(Element);
    const char* const from = take(bytes);
    if (bytes != 0) std::memcpy(array.data(), from, bytes);
  }

  std::string_view m_bytes;
};

}  // namespace genten::detail
