// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/format/detail/bucket_sort.hpp>
#include <genten/format/sorted_tuples.hpp>

namespace genten::detail {

/// The modes, longest first: tuples that are sorted so lie in the order of the rows that are most
/// expensive to gather.
[[nodiscard]] inline std::vector<int> longest_first(std::vector<int> modes,
                                                    const std::vector<std::size_t>& dimensions) {
  std::stable_sort(modes.begin(), modes.end(), [&](int a, int b) {
    return dimensions[static_cast<std::size_t>(a)] > dimensions[static_cast<std::size_t>(b)];
  });
  return modes;
}

/// What finds the tuples of some fields among records that are sorted by them, and gives them
/// numbers.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
class TupleNumbers {
 public:
  /// `fields`: those of the packed tensor, whose records are those that were sorted.
  TupleNumbers(const Exec& exec, const PackedTensor<Scalar, Exec>& packed,
               const BucketSorted<Exec>& sorted, std::vector<int> fields)
      : m_exec(exec),
        m_packed(packed),
        m_sorted(sorted),
        m_fields(std::move(fields)),
        m_first(sorted.buckets() + 1, 0) {
    for (const int f : m_fields) {
      const RecordField& field = packed.layout.fields[f];
      m_mask[field.word] |= field.put(field.mask);
    }
    for_each_index("genten::count_tuples", exec, sorted.buckets(), [&](const std::size_t bucket) {
      std::size_t count = 0;
      for_records(bucket, [&](const std::uint64_t*, bool first) { count += first ? 1 : 0; });
      m_first[bucket + 1] = count;
    });
    for (std::size_t b = 0; b < sorted.buckets(); ++b) m_first[b + 1] += m_first[b];
  }

  [[nodiscard]] std::size_t tuples() const { return m_first.back(); }

  /// Lists the tuples, and writes the records in the layout of `to`, to memory that may be that of
  /// the sorted ones: the first field holds the tuple, and the others in turn those that are left
  /// over. Values may have codes there though they have none before: those of `dictionary`.
  FusedTuples<Exec> write(const PackedTensor<Scalar, Exec>& to,
                          const ValueDictionary<Scalar, Exec>& dictionary) const {
    FusedTuples<Exec> listed;
    listed.subscripts = uninitialized_view<decltype(listed.subscripts)>("genten::tuple_subscripts",
                                                                        tuples(), m_fields.size());
    const RecordLayout from = m_packed.layout, layout = to.layout;
    const RecordField number = layout.fields[0];
    struct Move {
      RecordField from, to;
    };
    Move moves[max_order];
    int moved = 0;
    for (int f = 0; f < from.order; ++f) {
      if (std::find(m_fields.begin(), m_fields.end(), f) != m_fields.end()) continue;
      moves[moved] = {from.fields[f], layout.fields[moved + 1]};
      ++moved;
    }
    const int words = layout.words;
    const auto value = [&](const std::uint64_t* record) {
      return from.value(record, m_packed.dictionary.data());
    };
    const auto code = [&](const std::uint64_t* record) -> std::uint64_t {
      return from.coded ? from.code.get(record) : dictionary.code(value(record));
    };
    for_each_index("genten::write_tuples", m_exec, m_sorted.buckets(), [&](const std::size_t b) {
      std::uint64_t next = m_first[b];  // the tuple after the one at hand
      std::uint64_t* out = to.records.data() + m_sorted.begins[b] * words;
      for_records(b, [&](const std::uint64_t* record, bool first) {
        if (first) {
          for (std::size_t k = 0; k < m_fields.size(); ++k) {
            listed.subscripts(next, k) =
                static_cast<std::uint32_t>(from.fields[m_fields[k]].get(record));
          }
          ++next;
        }
        const std::uint64_t tuple = number.put(next - 1);
        if (words == 1) {
          std::uint64_t word = tuple | layout.code.put(code(record));
          for (int k = 0; k < moved; ++k) word |= moves[k].to.put(moves[k].from.get(record));
          *out = word;
        } else {
          std::uint64_t put[RecordLayout::most_words] = {0, 0, 0};
          put[number.word] = tuple;
          for (int k = 0; k < moved; ++k) {
            put[moves[k].to.word] |= moves[k].to.put(moves[k].from.get(record));
          }
          if (layout.coded) {
            put[layout.code.word] |= layout.code.put(code(record));
          } else {
            put[words - 1] = word_of_value(value(record));
          }
          for (int w = 0; w < words; ++w) out[w] = put[w];
        }
        out += words;
      });
    });
    return listed;
  }

 private:
  /// Calls take(record, whether it is the first of its tuple), which may overwrite the record.
  template <class Take>
  void for_records(std::size_t bucket, const Take& take) const {
    const int words = m_packed.layout.words;
    const bool two = m_packed.layout.key_words == 2;
    const std::uint64_t* record = m_sorted.records.data() + m_sorted.begins[bucket] * words;
    const std::uint64_t* const end = m_sorted.records.data() + m_sorted.begins[bucket + 1] * words;
    std::uint64_t before[2] = {0, 0};
    for (bool first = true; record != end; record += words) {
      const std::uint64_t here[2] = {record[0] & m_mask[0], two ? record[1] & m_mask[1] : 0};
      take(record, first || here[0] != before[0] || here[1] != before[1]);
      before[0] = here[0];
      before[1] = here[1];
      first = false;
    }
  }

  Exec m_exec;
  PackedTensor<Scalar, Exec> m_packed;
  BucketSorted<Exec> m_sorted;
  std::vector<int> m_fields;
  std::vector<std::size_t> m_first;  ///< by bucket, its first tuple
  std::uint64_t m_mask[2] = {0, 0};
};

/// Sorts records of as many words as they have.
template <ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] BucketSorted<Exec> sort_in_buckets(const Exec& exec, const Records<Exec>& from,
                                                 int words, const RecordNumber& number,
                                                 SortWorkspace<Exec>& workspace) {
  switch (words) {
    case 1:
      return sort_in_buckets<1>(exec, from, number, workspace);
    case 2:
      return sort_in_buckets<2>(exec, from, number, workspace);
    default:
      return sort_in_buckets<RecordLayout::most_words>(exec, from, number, workspace);
  }
}

/// Sorts the records by the tuples of `group`, whose modes are single in `held`, and replaces the
/// fields of these modes by the number of the tuple, which becomes the first field. Returns whether
/// there is a layout for such records.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] bool number_tuples(const Exec& exec, const ModeGroup& group,
                                 const std::vector<ModeGroup>& held,
                                 const std::vector<std::size_t>& dimensions,
                                 const std::optional<ValueDictionary<Scalar, Exec>>& dictionary,
                                 PackedTensor<Scalar, Exec>& packed, FusedTuples<Exec>& tuples,
                                 SortWorkspace<Exec>& workspace) {
  const auto field_of = [&](int mode) {
    return static_cast<int>(
        std::find_if(held.begin(), held.end(),
                     [&](const ModeGroup& one) { return one.modes == std::vector{mode}; }) -
        held.begin());
  };
  RecordNumber number;
  for (const int mode : longest_first(group.modes, dimensions)) {
    number.append(packed.layout.fields[field_of(mode)], 0);
  }
  std::vector<int> fields;
  for (const int mode : group.modes) fields.push_back(field_of(mode));
  BucketSorted<Exec> sorted = sort_in_buckets(exec, std::exchange(packed.records, {}),
                                              packed.layout.words, number, workspace);
  workspace.records = std::exchange(sorted.spare, {});
  const TupleNumbers<Scalar, Exec> numbers(exec, packed, sorted, fields);
  PackedTensor<Scalar, Exec> numbered;
  numbered.dimensions = {numbers.tuples()};
  for (std::size_t h = 0; h < held.size(); ++h) {
    if (std::find(fields.begin(), fields.end(), static_cast<int>(h)) == fields.end()) {
      numbered.dimensions.push_back(packed.dimensions[h]);
    }
  }
  const auto layout = RecordLayout::for_dimensions(
      numbered.dimensions, dictionary ? std::optional(dictionary->code_bits()) : std::nullopt);
  if (!layout) return false;
  numbered.layout = *layout;
  if (layout->coded) numbered.dictionary = dictionary->values();
  const auto words = static_cast<std::size_t>(layout->words);
  numbered.records =
      layout->words == packed.layout.words
          ? sorted.records
          : uninitialized_view<Records<Exec>>(
                "genten::packed_records",
                sorted.records.extent(0) / static_cast<std::size_t>(packed.layout.words) * words);
  tuples = numbers.write(numbered, dictionary.value_or(ValueDictionary<Scalar, Exec>()));
  packed = std::move(numbered);
  return true;
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec> std::optional<PackedTensor<Scalar, Exec>> pack_sorted_tuples(
    const Exec& exec, const RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
    const std::vector<ModeGroup>& groups, bool may_code, detail::SortWorkspace<Exec>& workspace) {
  std::vector<ModeGroup> held = split_groups(groups, groups.size());
  auto packed = pack_records(exec, tensor, held, may_code);
  if (!packed) return std::nullopt;
  std::optional<ValueDictionary<Scalar, Exec>> dictionary;
  if (may_code) dictionary = tensor.dictionary(exec);
  std::vector<FusedTuples<Exec>> tuples(groups.size());
  for (std::size_t g = groups.size(); g-- > 0;) {
    if (!groups[g].sorted) continue;
    if (!detail::number_tuples(exec, groups[g], held, tensor.dimensions(), dictionary, *packed,
                               tuples[g], workspace)) {
      return std::nullopt;
    }
    held = split_groups(groups, g);
  }
  packed->tuples = std::move(tuples);
  return packed;
}

}  // namespace genten

#define GENTEN_ETI_SORTED_BUCKETS(PREFIX, EXEC)                                                    \
  PREFIX template genten::detail::BucketSorted<EXEC> genten::detail::sort_in_buckets(              \
      const EXEC&, const genten::detail::Records<EXEC>&, int, const genten::detail::RecordNumber&, \
      genten::detail::SortWorkspace<EXEC>&);
#define GENTEN_ETI_PACKED_TUPLES(PREFIX, SCALAR, EXEC)                                          \
  PREFIX template std::optional<genten::PackedTensor<SCALAR, EXEC>> genten::pack_sorted_tuples( \
      const EXEC&, const genten::RelabeledTensor<SCALAR, genten::RowNumber, EXEC>&,             \
      const std::vector<genten::ModeGroup>&, bool, genten::detail::SortWorkspace<EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_HOSTS(GENTEN_ETI_SORTED_BUCKETS, extern)
GENTEN_ETI_HOSTS(GENTEN_ETI_PACKED_TUPLES, extern, float)
GENTEN_ETI_HOSTS(GENTEN_ETI_PACKED_TUPLES, extern, double)
#endif
