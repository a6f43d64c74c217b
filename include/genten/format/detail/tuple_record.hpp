// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// TupleRecord: how records are rewritten where tuples of their fields have numbers.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/format/packed_tensor.hpp>

namespace genten::detail {

/// Rewrites records of tuples: the first field holds the number of the tuple, and the others in
/// turn those that make no part of it. Values may have codes then though they have none before:
/// those of `dictionary`.
template <RealScalar Scalar, ExecutionSpace Exec>
struct TupleRecord {
  struct Move {
    RecordField from, to;
  };
  RecordLayout from, to;
  Kokkos::View<const Scalar*, typename Exec::memory_space> values;  ///< by the codes of `from`
  ValueDictionary<Scalar, Exec> dictionary;
  std::uint64_t mask[2] = {0, 0};  ///< of the fields that make the tuple
  Kokkos::Array<RecordField, max_order> fields{};
  int count = 0;
  Kokkos::Array<Move, max_order> moves{};
  int moved = 0;

  TupleRecord(const PackedTensor<Scalar, Exec>& packed, const std::vector<int>& tuple)
      : from(packed.layout), values(packed.dictionary) {
    for (const int f : tuple) {
      fields[count++] = from.fields[f];
      mask[from.fields[f].word] |= from.fields[f].put(from.fields[f].mask);
    }
    for (int f = 0; f < from.order; ++f) {
      if (std::find(tuple.begin(), tuple.end(), f) != tuple.end()) continue;
      moves[moved++].from = from.fields[f];
    }
  }
  /// What is written from now on.
  void set_target(const RecordLayout& layout, const ValueDictionary<Scalar, Exec>& codes) {
    to = layout;
    dictionary = codes;
    for (int k = 0; k < moved; ++k) moves[k].to = to.fields[k + 1];
  }

  /// Whether a record has another tuple than the one before.
  KOKKOS_FUNCTION bool differ(const std::uint64_t* record, const std::uint64_t* before) const {
    return ((record[0] ^ before[0]) & mask[0]) != 0 ||
           (from.key_words == 2 && ((record[1] ^ before[1]) & mask[1]) != 0);
  }

  /// Whether record `p` of those that are sorted by the tuple is the first of its tuple.
  KOKKOS_FUNCTION bool begins_tuple(const std::uint64_t* records, offset_t p) const {
    const std::uint64_t* const at = records + p * from.words;
    return p == 0 || differ(at, at - from.words);
  }

  /// Writes the record with that number of its tuple to where it may have been read.
  KOKKOS_FUNCTION void write(const std::uint64_t* record, std::uint64_t tuple,
                             std::uint64_t* out) const {
    std::uint64_t first = 0, second = 0;  // not an array: a field's word is a run-time index
    const auto put = [&](const RecordField& field, std::uint64_t number) {
      (field.word == 0 ? first : second) |= field.put(number);
    };
    put(to.fields[0], tuple);
    for (int k = 0; k < moved; ++k) put(moves[k].to, moves[k].from.get(record));
    std::uint64_t value = 0;
    if (!to.coded) {
      value = word_of_value(from.value(record, values.data()));
    } else if (from.coded) {
      put(to.code, from.code.get(record));
    } else {
      put(to.code, dictionary.code(from.value(record, values.data())));
    }
    out[0] = first;
    if (to.key_words == 2) out[1] = second;
    if (!to.coded) out[to.words - 1] = value;
  }

  /// Lists the subscripts of the tuple.
  template <class Subscripts>
  KOKKOS_FUNCTION void list(const std::uint64_t* record, const Subscripts& subscripts,
                            std::size_t tuple) const {
    for (int k = 0; k < count; ++k) {
      subscripts(tuple, k) = static_cast<std::uint32_t>(fields[k].get(record));
    }
  }
};

/// Memory for so many tuples of `modes` modes.
template <ExecutionSpace Exec>
[[nodiscard]] FusedTuples<Exec> unlisted_tuples(std::size_t tuples, int modes) {
  FusedTuples<Exec> result;
  result.subscripts =
      uninitialized_view<decltype(result.subscripts)>("genten::tuple_subscripts", tuples, modes);
  return result;
}

}  // namespace genten::detail
