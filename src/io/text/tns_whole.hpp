// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What can be said of a text only when all of its entries are known. (Where its parts have been
/// read by several, no one has them all.)

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace genten::detail {

/// The number of entries that the header in a line gives.
struct HeaderCount {
  std::size_t entries = 0;
  std::size_t line = 0;
};

/// What is wrong where the file ends after `entries`, fewer than the header says.
[[nodiscard]] std::string too_few_entries(const HeaderCount& header, std::size_t entries);
/// What is wrong with the first entry too many, of `entries` in all.
[[nodiscard]] std::string too_many_entries(const HeaderCount& header, std::size_t entries);

/// What is wrong with a first entry of whole numbers, `first`, at the largest subscripts of every
/// mode: a header in one line, of dimensions and number of entries, would look like that, and where
/// the number is wrong the file was cut or put together. Few entries may be like that by chance.
/// Subscripts in the file count from `base`, the largest ones from 0.
[[nodiscard]] std::optional<std::string> ambiguous_first_entry(
    std::span<const std::size_t> first, std::size_t base, std::span<const std::uint64_t> largest,
    std::size_t entries);

/// What is wrong with an entry whose subscripts are those of the entry in line `first`, where so
/// many repeat an earlier one in the file.
[[nodiscard]] std::string repeated_entry(std::size_t first, std::size_t duplicates);
/// What is wrong with an entry whose addition to those before it gives no finite sum.
inline constexpr char sum_not_finite[] =
    "the sum of this entry and its duplicates before it is not finite";

}  // namespace genten::detail
