// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "duplicates.hpp"
#include "../../base/usual_types.hpp"

#include "../file/blocks.hpp"
#include "../file/memory.hpp"
#include "hash_parts.hpp"

#include <genten/base/error.hpp>
#include <genten/core/merge_duplicates.hpp>
#include <genten/core/random.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace genten::detail {

namespace {

/// The rows in question.
template <class Scalar, class Ordinal>
struct Rows {
  Ordinal* subscripts;
  Scalar* values;
  std::size_t order;
  std::size_t count;

  [[nodiscard]] const Ordinal* row(std::size_t i) const { return subscripts + i * order; }
  [[nodiscard]] bool equal(std::size_t i, std::size_t j) const {
    return std::equal(row(i), row(i) + order, row(j));
  }
  [[nodiscard]] std::uint64_t hash(std::size_t i) const {
    std::uint64_t h = 0;
    const Ordinal* const subscript = row(i);
    for (std::size_t n = 0; n < order; ++n) {
      h = (std::rotl(h, 29) ^ subscript[n]) * 0x9e3779b97f4a7c15U;
    }
    return mix_bits(h);
  }
};

/// One bit a row: whether it repeats an earlier one. Threads may set bits at once.
class Marks {
 public:
  explicit Marks(std::size_t count) : m_words(count / 64 + 1) {}
  void set(std::size_t i) {
    m_words[i / 64].fetch_or(std::uint64_t{1} << (i % 64), std::memory_order_relaxed);
  }
  [[nodiscard]] bool operator[](std::size_t i) const {
    return (m_words[i / 64].load(std::memory_order_relaxed) >> (i % 64) & 1U) != 0;
  }

 private:
  std::vector<std::atomic<std::uint64_t>> m_words;
};

/// What one thread found. Deals with duplicates in the order in which they are found; those of one
/// row must come in file order.
template <class Scalar, class Ordinal>
class Finder {
 public:
  Finder(const Rows<Scalar, Ordinal>& rows, Marks& marks, bool sum)
      : m_rows(rows), m_marks(marks), m_sum(sum) {}

  void found(std::size_t first, std::size_t second) {
    ++m_summary.duplicates;
    if (second < m_summary.second) {
      m_summary.second = second;
      m_summary.first = first;
    }
    if (!m_sum) return;
    m_rows.values[first] += m_rows.values[second];
    if (!std::isfinite(m_rows.values[first])) {
      m_summary.overflow = std::min(m_summary.overflow, second);
    }
    m_marks.set(second);
  }

  void add_to(DuplicateSummary& total) const {
    total.duplicates += m_summary.duplicates;
    total.overflow = std::min(total.overflow, m_summary.overflow);
    if (m_summary.second < total.second) {
      total.second = m_summary.second;
      total.first = m_summary.first;
    }
  }

 private:
  const Rows<Scalar, Ordinal>& m_rows;
  Marks& m_marks;
  bool m_sum;
  DuplicateSummary m_summary;
};

template <class Index, class Scalar, class Ordinal>
DuplicateSummary search_by_hash(const HostExec& host, const Rows<Scalar, Ordinal>& rows,
                                Marks& marks, bool sum, const BlockWork& work) {
  const HashParts<Index> parts(host, rows, work);
  const std::size_t workers = worker_count(host, parts.parts(), work.threads);
  std::vector<Finder<Scalar, Ordinal>> finders(workers, {rows, marks, sum});
  std::vector<PartSearch<Index>> searches(workers);
  work.begin("looking for duplicates", parts.parts());
  for_each_block(
      "genten::find_duplicates", host, workers, parts.parts(),
      [&](std::size_t part, std::size_t worker) {
        searches[worker].search(parts.begin(part), parts.end(part), rows, finders[worker]);
      },
      work.meter);
  DuplicateSummary total;
  for (const auto& finder : finders) finder.add_to(total);
  return total;
}

template <class Scalar, class Ordinal>
DuplicateSummary search_sorted(const Rows<Scalar, Ordinal>& rows, Marks& marks, bool sum) {
  Finder<Scalar, Ordinal> finder(rows, marks, sum);
  std::size_t first = 0;
  for (std::size_t i = 1; i < rows.count; ++i) {
    if (rows.equal(first, i)) {
      finder.found(first, i);
    } else {
      first = i;
    }
  }
  DuplicateSummary total;
  finder.add_to(total);
  return total;
}

template <class Scalar, class Ordinal>
void close_gaps(const Rows<Scalar, Ordinal>& rows, const Marks& marks) {
  std::size_t to = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (marks[i]) continue;
    if (to != i) {
      std::copy_n(rows.row(i), rows.order, rows.subscripts + to * rows.order);
      rows.values[to] = rows.values[i];
    }
    ++to;
  }
}

}  // namespace

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
DuplicateSummary find_duplicates(const HostExec& host, const std::string& path,
                                 const TensorArrays<Scalar, Ordinal>& arrays, std::size_t entries,
                                 bool sum, const BlockWork& work, std::size_t memory_limit) {
  const Rows<Scalar, Ordinal> rows{arrays.subscripts.data(), arrays.values.data(),
                                   arrays.subscripts.extent(1), entries};
  const auto kept = Kokkos::make_pair(std::size_t{0}, entries);
  DuplicateSummary summary;
  summary.facts = look_at_order(host, Kokkos::subview(arrays.subscripts, kept, Kokkos::ALL()));
  if (summary.facts.distinct) return summary;
  const bool sorted = summary.facts.sorted;
  const bool narrow = entries < std::numeric_limits<std::uint32_t>::max();
  if (!sorted) {
    require_memory(path, "the search for duplicates", entries * (narrow ? 8 : 16) + entries / 8,
                   memory_limit);
  }
  Marks marks(entries);
  if (sorted) {
    summary = search_sorted(rows, marks, sum);
  } else if (narrow) {
    summary = search_by_hash<std::uint32_t>(host, rows, marks, sum, work);
  } else {
    summary = search_by_hash<std::uint64_t>(host, rows, marks, sum, work);
  }
  if (sum && summary.duplicates != 0 && summary.overflow == no_entry) close_gaps(rows, marks);
  summary.facts = {true, sorted};
  return summary;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
SptensorFacts merge_sorted(const HostExec& host, const std::string& path,
                           const TensorArrays<Scalar, Ordinal>& arrays, std::size_t entries,
                           Duplicates rule, std::size_t memory_limit) {
  constexpr std::size_t keys = 33;  // the most that `group_subscripts` takes
  const std::size_t row = arrays.subscripts.extent(1) * sizeof(Ordinal) + sizeof(Scalar);
  require_memory(path, "merging duplicates", saturating_product(entries, keys + row), memory_limit);
  const auto all = Kokkos::make_pair(std::size_t{0}, entries);
  const auto raw = Sptensor<Scalar, Ordinal, HostExec>::trusted(
      host, arrays.dimensions, Kokkos::subview(arrays.subscripts, all, Kokkos::ALL()),
      Kokkos::subview(arrays.values, all), SptensorFacts());
  Sptensor<Scalar, Ordinal, HostExec> merged;
  try {
    merged = merge_duplicates(host, raw, rule).tensor;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::argument) throw;
    throw Error::in_file(path, 0, "the sum of entries at the same subscripts is not finite");
  }
  const auto kept = Kokkos::make_pair(std::size_t{0}, static_cast<std::size_t>(merged.nnz()));
  Kokkos::deep_copy(host, Kokkos::subview(arrays.subscripts, kept, Kokkos::ALL()),
                    merged.subscripts());
  Kokkos::deep_copy(host, Kokkos::subview(arrays.values, kept), merged.values());
  fence(host, "genten::merge_rows");
  return merged.facts();
}

#define GENTEN_INSTANTIATE(SCALAR, ORDINAL)                                                    \
  template DuplicateSummary find_duplicates(const HostExec&, const std::string&,               \
                                            const TensorArrays<SCALAR, ORDINAL>&, std::size_t, \
                                            bool, const BlockWork&, std::size_t);              \
  template SptensorFacts merge_sorted(const HostExec&, const std::string&,                     \
                                      const TensorArrays<SCALAR, ORDINAL>&, std::size_t,       \
                                      Duplicates, std::size_t);
GENTEN_FOR_TENSORS(GENTEN_INSTANTIATE)
#undef GENTEN_INSTANTIATE

}  // namespace genten::detail
