// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/format/detail/bucket_sort.hpp>
#include <genten/format/detail/tuple_record.hpp>
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

/// Finds the tuples of some fields among records, and gives them numbers in the order of what the
/// records are sorted by: on hosts, bucket by bucket.
template <RealScalar Scalar, ExecutionSpace Exec>
class TuplesByBucket {
 public:
  /// Sorts the records of `packed`, which lose them, by `number`, made of the fields of the tuple.
  TuplesByBucket(const Exec& exec, PackedTensor<Scalar, Exec>& packed, const RecordNumber& number,
                 const std::vector<int>& fields, SortWorkspace<Exec>& workspace)
      : m_exec(exec),
        m_record(packed, fields),
        m_sorted(sort_in_buckets(exec, std::exchange(packed.records, {}), packed.layout.words,
                                 number, workspace)),
        m_first(m_sorted.buckets() + 1, 0) {
    workspace.records = std::exchange(m_sorted.spare, {});
    for_each_index("genten::count_tuples", exec, m_sorted.buckets(), [&](const std::size_t bucket) {
      std::size_t count = 0;
      for_records(bucket, [&](const std::uint64_t*, bool first) { count += first ? 1 : 0; });
      m_first[bucket + 1] = count;
    });
    for (std::size_t b = 0; b < m_sorted.buckets(); ++b) m_first[b + 1] += m_first[b];
  }

  [[nodiscard]] std::size_t tuples() const { return m_first.back(); }

  /// Lists the tuples, and writes the records in the layout of `to`, which then has them.
  FusedTuples<Exec> write(PackedTensor<Scalar, Exec>& to,
                          const ValueDictionary<Scalar, Exec>& dictionary) {
    m_record.set_target(to.layout, dictionary);
    const int words = to.layout.words;
    to.records = words == m_record.from.words
                     ? m_sorted.records
                     : uninitialized_view<Records<Exec>>(
                           "genten::packed_records",
                           static_cast<std::size_t>(m_sorted.begins.back() * words));
    const auto listed = unlisted_tuples<Exec>(tuples(), m_record.count);
    for_each_index("genten::write_tuples", m_exec, m_sorted.buckets(), [&](const std::size_t b) {
      std::uint64_t next = m_first[b];  // the tuple after the one at hand
      std::uint64_t* out = to.records.data() + m_sorted.begins[b] * words;
      for_records(b, [&](const std::uint64_t* record, bool first) {
        if (first) m_record.list(record, listed.subscripts, next++);
        m_record.write(record, next - 1, out);
        out += words;
      });
    });
    return listed;
  }

 private:
  /// Calls take(record, whether it is the first of its tuple), which may overwrite the record.
  template <class Take>
  void for_records(std::size_t bucket, const Take& take) const {
    const int words = m_record.from.words;
    const bool two = m_record.from.key_words == 2;
    const std::uint64_t* record = m_sorted.records.data() + m_sorted.begins[bucket] * words;
    const std::uint64_t* const end = m_sorted.records.data() + m_sorted.begins[bucket + 1] * words;
    std::uint64_t before[2] = {0, 0};
    for (bool first = true; record != end; record += words) {
      const std::uint64_t here[2] = {record[0], two ? record[1] : 0};
      take(record, first || m_record.differ(here, before));
      before[0] = here[0];
      before[1] = here[1];
      first = false;
    }
  }

  Exec m_exec;
  TupleRecord<Scalar, Exec> m_record;
  BucketSorted<Exec> m_sorted;
  std::vector<std::size_t> m_first;  ///< by bucket, its first tuple
};

/// The same on devices, by scans over the sorted records.
template <RealScalar Scalar, ExecutionSpace Exec>
class TuplesByScan {
 public:
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;

  TuplesByScan(const Exec& exec, PackedTensor<Scalar, Exec>& packed, const RecordNumber& number,
               const std::vector<int>& fields, SortWorkspace<Exec>& workspace)
      : m_exec(exec),
        m_record(packed, fields),
        m_nnz(packed.nnz()),
        m_sorted(sorted_records(exec, std::exchange(packed.records, {}), packed.layout.words,
                                number, SortInput::keep, workspace)) {
    workspace.results.clear();  // they would keep the records alive
    count();
  }

  [[nodiscard]] std::size_t tuples() const { return static_cast<std::size_t>(m_tuples); }

  /// Lists the tuples, and writes the records in the layout of `to`, which then has them.
  FusedTuples<Exec> write(PackedTensor<Scalar, Exec>& to,
                          const ValueDictionary<Scalar, Exec>& dictionary) {
    m_record.set_target(to.layout, dictionary);
    to.records = uninitialized_view<Records<Exec>>(
        "genten::packed_records", static_cast<std::size_t>(m_nnz * to.layout.words));
    const auto listed = unlisted_tuples<Exec>(tuples(), m_record.count);
    const auto record = m_record;
    const auto sorted = m_sorted, records = to.records;
    const auto subscripts = listed.subscripts;
    Kokkos::parallel_scan(
        "genten::write_tuples", Policy(m_exec, 0, m_nnz),
        KOKKOS_LAMBDA(const offset_t p, offset_t& before, const bool last) {
          const bool first = record.begins_tuple(sorted.data(), p);
          before += first ? 1 : 0;
          if (!last) return;
          const std::uint64_t* const at = sorted.data() + p * record.from.words;
          const auto tuple = static_cast<std::size_t>(before - 1);
          if (first) record.list(at, subscripts, tuple);
          record.write(at, tuple, records.data() + p * record.to.words);
        });
    fence(m_exec, "genten::write_tuples");
    return listed;
  }

  /// How many there are.
  void count() {
    const auto record = m_record;
    const auto sorted = m_sorted;
    Kokkos::parallel_reduce(
        "genten::count_tuples", Policy(m_exec, 0, m_nnz),
        KOKKOS_LAMBDA(const offset_t p, offset_t& sum) {
          sum += record.begins_tuple(sorted.data(), p) ? 1 : 0;
        },
        m_tuples);
  }

 private:
  Exec m_exec;
  TupleRecord<Scalar, Exec> m_record;
  offset_t m_nnz;
  Records<Exec> m_sorted;
  offset_t m_tuples = 0;
};

/// Sorts the records by the tuples of `group`, whose modes are single in `held`, and replaces the
/// fields of these modes by the number of the tuple, which becomes the first field. Returns whether
/// there is a layout for such records.
template <RealScalar Scalar, ExecutionSpace Exec>
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
  using Tuples = std::conditional_t<is_host_space<Exec>, TuplesByBucket<Scalar, Exec>,
                                    TuplesByScan<Scalar, Exec>>;
  Tuples numbers(exec, packed, number, fields, workspace);
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
  tuples = numbers.write(numbered, dictionary.value_or(ValueDictionary<Scalar, Exec>()));
  packed = std::move(numbered);
  return true;
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
std::optional<PackedTensor<Scalar, Exec>> pack_sorted_tuples(
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
GENTEN_ETI_SCALARS(GENTEN_ETI_PACKED_TUPLES, extern)
#endif
