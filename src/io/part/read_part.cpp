// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../../base/usual_types.hpp"
#include "../binary/binary_numbers.hpp"
#include "../file/memory.hpp"
#include "../file/tensor_file.hpp"
#include "../text/tns_entries.hpp"
#include "text_part.hpp"

#include <genten/base/detail/allocation.hpp>
#include <genten/base/error.hpp>
#include <genten/io/part.hpp>

#include <algorithm>
#include <utility>

namespace genten {

namespace detail {

namespace {

using Stage = TensorPartError::Stage;

/// Reads one part with one choice of types. What is wrong is kept among the facts.
template <class Scalar, class Ordinal>
class PartReader {
 public:
  PartReader(const HostExec& host, const std::string& path, std::size_t part, std::size_t parts,
             const ReadOptions& options)
      : m_host(host), m_path(path), m_options(options) {
    m_facts.part = part;
    m_facts.parts = parts;
  }

  TensorFilePart<Scalar, Ordinal> read() {
    guarded([&] {
      const FileContent file(m_path, m_options.memory_limit, m_options.meter, Loading::parts);
      m_facts.head.compression = file.compression();
      m_facts.head.file_bytes = file.file_bytes();
      file.read([&] {
        guarded([&] { read_content(file); });
        return 0;
      });
    });
    if (m_facts.error) return {{}, {}, std::move(m_facts)};
    return {m_arrays.subscripts, m_arrays.values, std::move(m_facts)};
  }

 private:
  /// Keeps what the body throws. What is said of the file itself, in the end, goes before.
  template <class Body>
  void guarded(const Body& body) {
    try {
      with_memory_errors(Error::Fields{.path = m_path}, [&] { body(); });
    } catch (const Error& error) {
      m_facts.error = TensorPartError{m_stage, 0, m_too_wide, error.fields()};
    }
    m_stage = Stage::opening;
    m_too_wide = false;
  }

  void read_content(const FileContent& file) {
    m_stage = Stage::content;
    TextPart text(file, m_facts.part, m_facts.parts, m_options);
    if (!text.binary()) {
      read_text(file, text);
    } else if (file.compression() == Compression::none) {
      read_binary(file, m_options);
    } else {
      const FileContent whole(m_path, m_options.memory_limit, m_options.meter);
      ReadOptions rest = m_options;
      rest.memory_limit = remaining_limit(m_options.memory_limit, whole.held_bytes());
      read_binary(whole, rest);
    }
  }

  /// What is to be read, as messages about memory name it.
  [[nodiscard]] std::string purpose() const {
    if (m_facts.parts == 1) return "a tensor";
    return "part " + std::to_string(m_facts.part + 1) + " of " + std::to_string(m_facts.parts) +
           ", a tensor";
  }

  void set_dimensions(const std::vector<std::size_t>& dimensions) {
    m_facts.head.has_dimensions = !dimensions.empty();
    std::copy(dimensions.begin(), dimensions.end(), m_facts.head.dimensions.begin());
  }

  void set_text_head(const TextLayout& layout) {
    TensorFileHead& head = m_facts.head;
    head.format = layout.format;
    head.order = layout.order;
    head.index_base = layout.base;
    head.lines = layout.lines_before;
    head.has_count = layout.entries.has_value();
    head.count = layout.entries.value_or(0);
    head.count_line = layout.entries_line;
    head.symmetric = layout.symmetry != Symmetry::general;
    head.suspicious_fields = layout.suspicious_first.size();
    std::copy(layout.suspicious_first.begin(), layout.suspicious_first.end(),
              head.suspicious_first.begin());
    set_dimensions(layout.dimensions);
  }

  void read_text(const FileContent& file, TextPart& text) {
    m_stage = Stage::head;
    text.lay_out(m_options);
    const TextLayout& layout = text.layout();
    set_text_head(layout);
    m_facts.begin = text.begin();
    m_facts.end = text.end();
    m_facts.content_bytes = text.content_bytes();
    ReadOptions rest = m_options;
    rest.memory_limit = remaining_limit(m_options.memory_limit, text.held_bytes());
    TextBlocks blocks(m_host, text.text(), text.part_layout(), rest);
    m_facts.lines = blocks.lines();
    TextEntries<Scalar, Ordinal> entries(m_host, layout, rest, blocks);
    if (const auto too_long = entries.too_long_dimension()) {
      m_too_wide = true;
      throw Error::in_file(file.path(), layout.dimensions_line, *too_long);
    }
    m_stage = Stage::memory;
    if (const auto wrong = entries.parse(file.path(), purpose())) {
      m_facts.error = TensorPartError{Stage::entries,
                                      wrong->number,
                                      wrong->why.too_wide,
                                      {.kind = Error::Kind::file, .complaint = wrong->why.message}};
      set_smallest(entries.first_subscripts_from_0(), 0);
      return;
    }
    m_facts.entries = entries.entries();
    m_facts.largest = entries.largest();
    set_smallest(entries.smallest_subscripts(), layout.base);
    m_facts.could_count_from_0 = layout.base == 1;
    for (std::size_t n = 0; n < layout.order && m_facts.entries != 0; ++n) {
      m_facts.could_count_from_0 &= m_facts.largest[n] + 1 < entries.most();
    }
    entries.close_gaps();
    entries.shrink(m_facts.entries);
    m_arrays = std::move(entries.arrays());
    if (layout.symmetry == Symmetry::general) return;
    m_stage = Stage::bounds;
    m_arrays = with_mirrored(file.path(), layout.symmetry, m_arrays,
                             remaining_limit(rest.memory_limit, entries.held_bytes()));
    m_facts.mirrored = m_arrays.values.extent(0) - m_facts.entries;
  }

  /// From subscripts that count from 0 in memory and from `base` in the file.
  void set_smallest(const std::vector<std::size_t>& smallest, std::size_t base) {
    m_facts.could_count_from_0 = !smallest.empty();
    for (std::size_t n = 0; n < smallest.size(); ++n) m_facts.smallest[n] = smallest[n] + base;
  }

  void read_binary(const FileContent& file, const ReadOptions& options) {
    m_stage = Stage::head;
    const BinaryHeader header = read_binary_header(file, BinaryKind::sptensor);
    const auto dimensions = binary_dimensions(file.path(), header, options);
    m_facts.head.format = FileFormat::binary;
    m_facts.head.index_base = 0;
    m_facts.head.order = header.order;
    m_facts.head.data_checksum = header.data_checksum;
    m_facts.content_bytes = file.content().size();
    set_dimensions(dimensions);
    const std::string too_long = too_long_for_32_bits(dimensions);
    if (sizeof(Ordinal) == 4 && !too_long.empty()) {
      m_too_wide = true;
      throw Error::in_file(file.path(), 0, too_long);
    }
    m_facts.begin = share_begin(header.count, m_facts.part, m_facts.parts);
    m_facts.end = share_begin(header.count, m_facts.part + 1, m_facts.parts);
    m_facts.entries = m_facts.end - m_facts.begin;
    m_stage = Stage::memory;
    require_memory(
        file.path(), purpose() + " of " + std::to_string(m_facts.entries) + " nonzeros",
        saturating_product(m_facts.entries, header.order * sizeof(Ordinal) + sizeof(Scalar)),
        options.memory_limit);
    m_arrays = allocate_arrays<Scalar, Ordinal>(header.order, m_facts.entries);
    load_slices(file, header, options);
    m_stage = Stage::bounds;
    check_bounds(file.path(), options, dimensions);
  }

  void load_slices(const FileContent& file, const BinaryHeader& header,
                   const ReadOptions& options) {
    const auto sections = binary_sections(file, header);
    const std::size_t row = std::size_t{header.order} * header.ordinal_bytes;
    const std::array slices = {SectionSlice{sections[0], m_facts.begin * row, m_facts.end * row},
                               SectionSlice{sections[1], m_facts.begin * header.scalar_bytes,
                                            m_facts.end * header.scalar_bytes}};
    for (const auto& [section, begin, end] : slices) {
      section.sub(begin, end - begin).will_need();
    }
    BinaryNumbers<Scalar, Ordinal> numbers(header, m_arrays);
    m_facts.subscript_blocks = blocks_between(slices[0].begin, slices[0].end);
    m_facts.block_checksums =
        block_checksums(m_host, slices, {options.threads, options.meter},
                        [&](std::size_t section, std::size_t offset, std::string_view bytes) {
                          numbers.take(section, offset - slices[section].begin, bytes);
                        });
    m_stage = Stage::entries;
    const std::string wrong = numbers.wrong_value(m_facts.begin + 1);
    if (!wrong.empty()) throw Error::in_file(file.path(), 0, wrong);
  }

  /// As the constructor of Sptensor does, but that nonzeros count from the first of the file.
  void check_bounds(const std::string& path, const ReadOptions& options,
                    const std::vector<std::size_t>& dimensions) const {
    constexpr std::size_t rows = std::size_t{1} << 16;
    const std::size_t order = dimensions.size();
    const std::size_t entries = m_facts.entries;
    const std::size_t blocks = (entries + rows - 1) / rows;
    std::atomic<std::size_t> first_bad{entries};
    for_each_block("genten::check_part", m_host, worker_count(m_host, blocks, options.threads),
                   blocks, [&](std::size_t block, std::size_t) {
                     const std::size_t end = std::min(entries, (block + 1) * rows);
                     for (std::size_t p = block * rows; p < end; ++p) {
                       const Ordinal* const row = m_arrays.subscripts.data() + p * order;
                       bool good = std::isfinite(m_arrays.values(p));
                       for (std::size_t n = 0; n < order; ++n) good &= row[n] < dimensions[n];
                       if (!good) atomic_lower(first_bad, p);
                     }
                   });
    const std::size_t bad = first_bad;
    if (bad == entries) return;
    const std::string where =
        "Sptensor: nonzero " + std::to_string(m_facts.begin + bad) + ": expected a ";
    for (std::size_t n = 0; n < order; ++n) {
      const Ordinal subscript = m_arrays.subscripts(bad, n);
      if (subscript < dimensions[n]) continue;
      throw Error::in_file(path, 0,
                           where + "subscript below " + std::to_string(dimensions[n]) +
                               " in mode " + std::to_string(n + 1) + ", got " +
                               std::to_string(subscript));
    }
    throw Error::in_file(path, 0,
                         where + "finite value, got " + std::to_string(m_arrays.values(bad)));
  }

  const HostExec& m_host;
  const std::string& m_path;
  const ReadOptions& m_options;
  Stage m_stage = Stage::opening;
  bool m_too_wide = false;
  TensorPartFacts m_facts;
  TensorArrays<Scalar, Ordinal> m_arrays;
};

}  // namespace

}  // namespace detail

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
TensorFilePart<Scalar, Ordinal> read_tensor_part(const HostExec& host, const std::string& path,
                                                 std::size_t part, std::size_t parts,
                                                 const ReadOptions& options) {
  if (part >= parts) {
    throw Error::in("read_tensor_part", "expected a part below " + std::to_string(parts) +
                                            ", got " + std::to_string(part));
  }
  return detail::PartReader<Scalar, Ordinal>(host, path, part, parts, options).read();
}

#define GENTEN_INSTANTIATE(SCALAR, ORDINAL)                  \
  template TensorFilePart<SCALAR, ORDINAL> read_tensor_part( \
      const HostExec&, const std::string&, std::size_t, std::size_t, const ReadOptions&);
GENTEN_FOR_TENSORS(GENTEN_INSTANTIATE)
#undef GENTEN_INSTANTIATE

}  // namespace genten
