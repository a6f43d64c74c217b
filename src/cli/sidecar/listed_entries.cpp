// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "listed_entries.hpp"

#include "base/usual_types.hpp"
#include "lacking_rows.hpp"
#include "sidecar.hpp"
#include "table_numbers.hpp"
#include "tools/files.hpp"
#include "tools/program.hpp"
#include "tools/tensor_output.hpp"

#include <genten/core/row_numbers.hpp>
#include <genten/io/entries.hpp>

#include <cstdint>
#include <type_traits>

#include <limits>

namespace genten::cli {

std::vector<std::size_t> lengths_of_list(const NamedRows& own, const std::string& file, bool any) {
  auto shape = may_have_names(file) ? shape_beside(file) : std::vector<std::size_t>();
  if (shape.size() == own.dimensions.size()) return shape;
  auto lengths = own.dimensions;
  for (std::size_t n = 0; n < lengths.size(); ++n) {
    if (any || (own.labels.any_numbers() && own.labels.named(n)))
      lengths[n] = std::numeric_limits<std::int64_t>::max();
  }
  return lengths;
}

template <class Tensor>
Tensor listed_entries(const std::string& file, const NamedRows& own, const std::string& tensor,
                      const ReadReport& report) {
  using Scalar = typename Tensor::scalar_type;
  using Ordinal = typename Tensor::ordinal_type;
  ReadOptions read;
  const bool numbered = own.labels.table_base() && is_table_file(file, read);
  if (!numbered) read.index_base = base_of_list(file, own, tensor, report);
  read = by_names_of(own, file, read, false, remedy_of_list);
  read.dimensions = lengths_of_list(own, file);
  const auto listed = [&]<SubscriptOrdinal Read>(Read /*type*/) {
    const auto entries =
        tools::reading(file, [&] { return read_entries<Scalar, Read>(HostExec(), file, read); });
    Labels names = labels_of("", file, entries.tensor.dimensions(), entries.report);
    const auto found = with_numbers_as_names(own, file, entries.report, entries.tensor, names);
    const NamedRows other{file, names, found.dimensions()};
    require_no_ids_beside_rows(own, other);
    require_names(own, other, entries.report);
    tell_of_rows_by_number(own, file, entries.report, tools::used_dimensions(found));
    const auto placed =
        in_rows_of(found, match_rows(own, other), own, other,
                   {[](bool /*some_left*/) {
                      return std::string("; leave out entries of rows of which nothing is known");
                    },
                    &read});
    if constexpr (std::is_same_v<Read, Ordinal>) {
      return placed;
    } else {
      return with_row_numbers(HostExec(), placed, "missing entries");
    }
  };
  // Ids may be longer than the rows that are called by them are many.
  return own.labels.any() ? listed(std::uint64_t{}) : listed(Ordinal{});
}

#define GENTEN_INSTANTIATE(SCALAR, ORDINAL)                                     \
  template Sptensor<SCALAR, ORDINAL, HostExec> listed_entries(                  \
      const std::string& file, const NamedRows& own, const std::string& tensor, \
      const ReadReport& report);
GENTEN_FOR_TENSORS(GENTEN_INSTANTIATE)

}  // namespace genten::cli
