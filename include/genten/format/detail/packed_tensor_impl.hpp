// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/format/packed_tensor.hpp>

namespace genten::detail {

/// What a kernel needs to find the subscripts of all groups: one step a mode, those of a group
/// behind one another.
struct GroupSteps {
  struct Step {
    int mode = 0;
    int group = -1;  ///< at the last mode of a group, that group
    std::uint64_t length = 1;
  };
  Kokkos::Array<Step, max_order> steps{};
  int count = 0;
  /// By group: TupleNumbering::number, or null for a single mode.
  Kokkos::Array<const std::uint32_t*, max_order> number{};

  GroupSteps(const std::vector<std::size_t>& dimensions, const std::vector<ModeGroup>& groups) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const int mode : groups[g].modes) {
        steps[count++] = Step{mode, -1, dimensions[static_cast<std::size_t>(mode)]};
      }
      steps[count - 1].group = static_cast<int>(g);
    }
  }

  /// Calls take(group, subscript) for every group of nonzero `p`.
  template <class Subscripts, class Take>
  KOKKOS_FUNCTION void for_each(const Subscripts& subscripts, offset_t p, const Take& take) const {
    std::uint64_t at = 0;
    for (int k = 0; k < count; ++k) {
      at = at * steps[k].length + subscripts(p, steps[k].mode);
      if (steps[k].group < 0) continue;
      const std::uint32_t* const numbers = number[steps[k].group];
      take(steps[k].group, numbers == nullptr ? at : numbers[at] >> 1);
      at = 0;
    }
  }

  /// All possible tuples of the steps.
  [[nodiscard]] std::size_t box() const {
    std::size_t box = 1;
    for (int k = 0; k < count; ++k) box *= steps[k].length;
    return box;
  }
  /// Writes the subscripts of the tuple at a position of that box to a row.
  template <class Subscripts>
  KOKKOS_FUNCTION void list(offset_t position, const Subscripts& subscripts,
                            std::size_t row) const {
    auto rest = static_cast<std::uint64_t>(position);
    for (int k = count - 1; k >= 0; --k) {
      const std::uint64_t length = steps[k].length;
      subscripts(row, k) = static_cast<std::uint32_t>(rest % length);
      rest /= length;
    }
  }
};

/// All possible tuples of a group, in the order of their positions.
template <ExecutionSpace Exec>
[[nodiscard]] FusedTuples<Exec> all_tuples(const Exec& exec,
                                           const std::vector<std::size_t>& dimensions,
                                           const ModeGroup& fused) {
  const GroupSteps group(dimensions, {fused});
  FusedTuples<Exec> result;
  result.subscripts = uninitialized_view<decltype(result.subscripts)>("genten::tuple_subscripts",
                                                                      group.box(), group.count);
  const auto subscripts = result.subscripts;
  Kokkos::parallel_for(
      "genten::list_all_tuples",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0,
                                                             static_cast<offset_t>(group.box())),
      KOKKOS_LAMBDA(const offset_t at) {
        group.list(at, subscripts, static_cast<std::size_t>(at));
      });
  return result;
}

/// Numbers the tuples of one fused group that occur.
template <ExecutionSpace Exec>
struct TupleNumbering {
  using memory_space = typename Exec::memory_space;
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;

  GroupSteps group;  ///< the steps of this group alone
  /// By the tuple's position in the box of all possible ones: twice its number among those that
  /// occur, plus one if it does.
  Kokkos::View<std::uint32_t*, memory_space> number;

  TupleNumbering(const std::vector<std::size_t>& dimensions, const ModeGroup& fused)
      : group(dimensions, {fused}),
        number(new_view<decltype(number)>("genten::tuple_number", group.box())) {}

  /// Numbers the tuples and lists their subscripts.
  template <class Subscripts>
  FusedTuples<Exec> enumerate(const Exec& exec, const Subscripts& tensor_subscripts) const {
    const auto self = *this;
    const offset_t nnz = tensor_subscripts.nnz();
    Kokkos::parallel_for(
        "genten::mark_tuples", Policy(exec, 0, nnz), KOKKOS_LAMBDA(const offset_t p) {
          self.group.for_each(tensor_subscripts, p, [&](int, std::uint64_t at) {
            std::uint32_t* const mark = &self.number(at);
            // The look first spares most of the atomics: there are many nonzeros a tuple.
            if (*static_cast<volatile std::uint32_t*>(mark) == 0) Kokkos::atomic_or(mark, 1u);
          });
        });
    std::uint32_t tuples = 0;
    const auto box = static_cast<offset_t>(number.extent(0));
    Kokkos::parallel_scan(
        "genten::number_tuples", Policy(exec, 0, box),
        KOKKOS_LAMBDA(const offset_t at, std::uint32_t& sum, const bool last) {
          const std::uint32_t occurs = self.number(at) & 1u;
          // The low bit keeps the mark while the scan may visit an element twice.
          if (last) self.number(at) = sum << 1 | occurs;
          sum += occurs;
        },
        tuples);
    FusedTuples<Exec> result;
    result.subscripts = uninitialized_view<decltype(result.subscripts)>("genten::tuple_subscripts",
                                                                        tuples, group.count);
    const auto subscripts = result.subscripts;
    Kokkos::parallel_for(
        "genten::list_tuples", Policy(exec, 0, box), KOKKOS_LAMBDA(const offset_t at) {
          if ((self.number(at) & 1u) == 0) return;
          self.group.list(at, subscripts, self.number(at) >> 1);
        });
    return result;
  }
};

/// What is needed to write the records of a tensor.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct RecordWriter {
  typename RelabeledTensor<Scalar, Ordinal, Exec>::Subscripts subscripts;
  Kokkos::View<const Scalar*, typename Exec::memory_space> values;
  GroupSteps groups;
  ValueDictionary<Scalar, Exec> dictionary;  ///< of a layout with codes
  RecordLayout layout;
  Kokkos::View<std::uint64_t*, typename Exec::memory_space> records;

  /// Nonzeros that a host thread writes at once, one mode after another: loops without branches
  /// that the compiler vectorizes.
  static constexpr offset_t block = 256;

  /// One record.
  KOKKOS_FUNCTION void write(offset_t p) const {
    std::uint64_t first = 0, second = 0;  // not an array: a field's word is a run-time index
    const auto put = [&](const RecordField& field, std::uint64_t number) {
      (field.word == 0 ? first : second) |= field.put(number);
    };
    groups.for_each(subscripts, p, [&](int group, std::uint64_t subscript) {
      put(layout.fields[group], subscript);
    });
    if (layout.coded) put(layout.code, dictionary.code(values(p)));
    records(p * layout.words) = first;
    if (layout.key_words == 2) records(p * layout.words + 1) = second;
    if (!layout.coded) records(p * layout.words + layout.words - 1) = word_of_value(values(p));
  }

  /// The records of nonzeros [begin, begin + count), at most a block, on the host.
  void write_block(offset_t begin, offset_t count) const {
    std::uint64_t words[2][block] = {}, at[block] = {};
    for (int k = 0; k < groups.count; ++k) {
      const auto step = groups.steps[k];
      for (offset_t i = 0; i < count; ++i) {
        at[i] = at[i] * step.length + subscripts(begin + i, step.mode);
      }
      if (step.group < 0) continue;
      if (const std::uint32_t* const numbers = groups.number[step.group]) {
        for (offset_t i = 0; i < count; ++i) at[i] = numbers[at[i]] >> 1;
      }
      const RecordField field = layout.fields[step.group];
      for (offset_t i = 0; i < count; ++i) words[field.word][i] |= field.put(at[i]);
      std::fill_n(at, count, std::uint64_t{0});
    }
    if (layout.coded) {
      for (offset_t i = 0; i < count; ++i) {
        words[layout.code.word][i] |= layout.code.put(dictionary.code(values(begin + i)));
      }
    }
    std::uint64_t* to = &records(begin * layout.words);
    for (offset_t i = 0; i < count; ++i, to += layout.words) {
      to[0] = words[0][i];
      if (layout.key_words == 2) to[1] = words[1][i];
      if (!layout.coded) to[layout.words - 1] = word_of_value(values(begin + i));
    }
  }
};

/// Writes all records.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void write_records(const Exec& exec, const RecordWriter<Scalar, Ordinal, Exec>& writer) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  const offset_t nnz = writer.subscripts.nnz();
  if constexpr (is_host_space<Exec>) {
    constexpr offset_t block = RecordWriter<Scalar, Ordinal, Exec>::block;
    Kokkos::parallel_for(
        "genten::pack", Policy(exec, 0, (nnz + block - 1) / block),
        [=](const offset_t b) { writer.write_block(b * block, std::min(block, nnz - b * block)); });
  } else {
    Kokkos::parallel_for(
        "genten::pack", Policy(exec, 0, nnz), KOKKOS_LAMBDA(const offset_t p) { writer.write(p); });
  }
  fence(exec, "genten::pack");
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
std::optional<PackedTensor<Scalar, Exec>> pack_records(
    const Exec& exec, const RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
    const std::vector<ModeGroup>& groups, bool may_code, bool lists_all) {
  PackedTensor<Scalar, Exec> packed;
  packed.tuples.resize(groups.size());
  detail::GroupSteps steps(tensor.dimensions(), groups);
  std::vector<detail::TupleNumbering<Exec>> numberings;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].fused() && lists_all) {
      packed.tuples[g] = detail::all_tuples(exec, tensor.dimensions(), groups[g]);
      packed.dimensions.push_back(packed.tuples[g].size());
    } else if (groups[g].fused()) {
      numberings.emplace_back(tensor.dimensions(), groups[g]);
      packed.tuples[g] = numberings.back().enumerate(exec, tensor.subscripts());
      steps.number[static_cast<int>(g)] = numberings.back().number.data();
      packed.dimensions.push_back(packed.tuples[g].size());
    } else {
      packed.dimensions.push_back(
          tensor.dimensions()[static_cast<std::size_t>(groups[g].modes.front())]);
    }
  }
  std::optional<ValueDictionary<Scalar, Exec>> dictionary;
  if (may_code) dictionary = tensor.dictionary(exec);
  const auto layout = RecordLayout::for_dimensions(
      packed.dimensions, dictionary ? std::optional(dictionary->code_bits()) : std::nullopt);
  if (!layout) return std::nullopt;
  packed.layout = *layout;
  if (layout->coded) packed.dictionary = dictionary->values();
  packed.records = detail::uninitialized_view<decltype(packed.records)>(
      "genten::packed_records", tensor.nnz() * layout->words);
  detail::write_records(exec, detail::RecordWriter<Scalar, Ordinal, Exec>{
                                  tensor.subscripts(), tensor.values(), steps,
                                  dictionary.value_or(ValueDictionary<Scalar, Exec>()),
                                  packed.layout, packed.records});
  return packed;
}

}  // namespace genten

#define GENTEN_ETI_PACKED_TENSOR(PREFIX, SCALAR, EXEC)                                    \
  PREFIX template std::optional<genten::PackedTensor<SCALAR, EXEC>> genten::pack_records( \
      const EXEC&, const genten::RelabeledTensor<SCALAR, genten::RowNumber, EXEC>&,       \
      const std::vector<genten::ModeGroup>&, bool, bool);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_PACKED_TENSOR, extern)
#endif
