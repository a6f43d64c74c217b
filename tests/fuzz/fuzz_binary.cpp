// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Tensors of the binary form, as they come and with their checksums put right; what is accepted is
// written again and compared byte for byte.
#include "plain_binary.hpp"

#include <genten/io/any.hpp>
#include <genten/io/binary.hpp>

#include <algorithm>

namespace genten::fuzz {
namespace {

constexpr std::uint64_t longest_32 = 0xffffffffU;

void compare(const ReadAnySptensor<double, HostExec>& ours, PlainBinary plain) {
  const bool narrow =
      *std::max_element(plain.dimensions.begin(), plain.dimensions.end()) <= longest_32;
  require((ours.tensor.index() == 0) == narrow, "another width of subscripts");
  require(ours.report.entries == plain.count, "another number of entries");
  const std::string again = written_by([&](const std::string& path) {
    std::visit([&](const auto& tensor) { write_binary_sptensor(HostExec(), path, tensor); },
               ours.tensor);
  });
  plain.scalar_bytes = 8;
  plain.ordinal_bytes = narrow ? 4 : 8;
  require(again == encode_plainly(plain), "written again, the file is another");
}

/// In single precision values may overflow and underflow.
PlainBinary rounded(PlainBinary plain) {
  for (double& value : plain.numbers[0]) {
    const double narrow = static_cast<double>(static_cast<float>(value));
    if (!std::isfinite(narrow)) throw Refusal{0, "too large for single precision"};
    if (narrow == 0.0 && value != 0.0) throw Refusal{0, "too small for single precision"};
    value = narrow;
  }
  return plain;
}

void read_both_ways(const std::string& content) {
  const MemoryFile file(content);
  std::optional<PlainBinary> plain;
  std::optional<ReadAnySptensor<double, HostExec>> wide;
  const auto decode = [&] { return decode_plainly(content, 1); };
  const bool accepted = both_accept(
      file.path(), wide, plain,
      [&] {
        ReadReport report;
        auto arrays =
            detail::read_tensor_file<double>(HostExec(), file.path(), {}, detail::Accept::binary,
                                             detail::OrdinalWidth::narrowest, report);
        return ReadAnySptensor<double, HostExec>{
            std::visit(
                [&](auto& parts) -> AnySptensor<double, HostExec> {
                  return detail::to_sptensor<HostExec>(HostExec(), file.path(), std::move(parts));
                },
                arrays),
            report};
      },
      decode);
  if (accepted) compare(*wide, *plain);
  std::optional<ReadSptensor<float, std::uint64_t, HostExec>> narrow;
  const bool also = both_accept(
      file.path(), narrow, plain,
      [&] { return read_binary_sptensor<float, std::uint64_t, HostExec>(HostExec(), file.path()); },
      [&] { return rounded(decode()); });
  if (!also) return;
  for (std::size_t i = 0; i < plain->count; ++i) {
    require(same_number(double{narrow->tensor.values()(i)}, plain->numbers[0][i]), "a value");
  }
}

}  // namespace
}  // namespace genten::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string content(reinterpret_cast<const char*>(data), size);
  if (!content.starts_with("\x89GTN\r\n\x1a\n")) return 0;
  genten::fuzz::read_both_ways(content);
  genten::fuzz::read_both_ways(genten::fuzz::repaired(content));
  return 0;
}
