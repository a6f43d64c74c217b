// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/error.hpp>
#include <genten/io/part.hpp>

#include <cstring>
#include <type_traits>

namespace genten {

namespace {

/// Puts fields one behind the other.
class Writer {
 public:
  static constexpr bool reads = false;

  template <class T>
  void field(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  /// A string or vector: its length and its elements.
  template <class List>
  void list(const List& values) {
    field(std::uint64_t{values.size()});
    m_bytes.append(reinterpret_cast<const char*>(values.data()),
                   values.size() * sizeof(typename List::value_type));
  }
  [[nodiscard]] std::string take() { return std::move(m_bytes); }

 private:
  std::string m_bytes;
};

/// Takes them back.
class Reader {
 public:
  static constexpr bool reads = true;

  explicit Reader(std::string_view bytes) : m_bytes(bytes) {}

  template <class T>
  void field(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(&value, next(1, sizeof value), sizeof value);
  }
  template <class List>
  void list(List& values) {
    std::uint64_t count = 0;
    field(count);
    constexpr std::size_t size = sizeof(typename List::value_type);
    const char* const from = next(count, size);
    values.resize(count);
    if (count != 0) std::memcpy(values.data(), from, count * size);
  }
  [[nodiscard]] bool done() const { return m_bytes.empty(); }

 private:
  const char* next(std::size_t count, std::size_t size) {
    if (count > m_bytes.size() / size) {
      throw Error::in("part_facts_from_bytes", "the bytes are no facts of a part: too few of them");
    }
    const char* const from = m_bytes.data();
    m_bytes.remove_prefix(count * size);
    return from;
  }

  std::string_view m_bytes;
};

/// All fields, in one order for both directions.
template <class Stream, class Facts>
void exchange(Stream& stream, Facts& facts) {
  stream.field(facts.part);
  stream.field(facts.parts);
  stream.field(facts.head);
  stream.field(facts.begin);
  stream.field(facts.end);
  stream.field(facts.content_bytes);
  stream.field(facts.lines);
  stream.field(facts.entries);
  stream.field(facts.mirrored);
  stream.field(facts.largest);
  stream.field(facts.smallest);
  stream.field(facts.could_count_from_0);
  stream.field(facts.subscript_blocks);
  stream.list(facts.block_checksums);
  bool wrong = facts.error.has_value();
  stream.field(wrong);
  if (!wrong) return;
  if constexpr (Stream::reads) facts.error.emplace();
  stream.field(facts.error->stage);
  stream.field(facts.error->line);
  stream.field(facts.error->too_wide);
  std::string why;
  if constexpr (!Stream::reads) why = Error(facts.error->why).to_bytes();
  stream.list(why);
  if constexpr (Stream::reads) facts.error->why = Error::from_bytes(why).fields();
}

}  // namespace

std::string part_facts_to_bytes(const TensorPartFacts& facts) {
  Writer writer;
  exchange(writer, facts);
  return writer.take();
}

TensorPartFacts part_facts_from_bytes(std::string_view bytes) {
  Reader reader(bytes);
  TensorPartFacts facts;
  exchange(reader, facts);
  if (!reader.done()) {
    throw Error::in("part_facts_from_bytes", "the bytes are no facts of a part: too many of them");
  }
  return facts;
}

}  // namespace genten
