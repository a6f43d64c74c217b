// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Models, in the text form and in the binary form, as they come and with their checksums put right.
#include "plain_binary.hpp"
#include "plain_model.hpp"

#include <genten/io/ktensor.hpp>

#include <algorithm>

namespace genten::fuzz {
namespace {

template <class Scalar>
void compare(const Ktensor<Scalar, HostExec>& ours, const PlainModel<Scalar>& plain) {
  const auto dimensions = ours.dimensions();
  require(std::equal(dimensions.begin(), dimensions.end(), plain.dimensions.begin(),
                     plain.dimensions.end()),
          "other dimensions");
  require(ours.rank() == plain.rank, "another rank");
  for (std::size_t j = 0; j < plain.rank; ++j) {
    require(same_number(ours.weights()(j), plain.numbers[0][j]), "another weight");
    for (std::size_t n = 0; n < plain.dimensions.size(); ++n) {
      for (std::size_t i = 0; i < plain.dimensions[n]; ++i) {
        require(same_number(ours.factor(static_cast<int>(n))(i, j),
                            plain.numbers[n + 1][i * plain.rank + j]),
                "another element");
      }
    }
  }
}

/// What was read, written in any way and read again is the same.
template <class Scalar>
void write_and_read_again(const Ktensor<Scalar, HostExec>& model, const PlainModel<Scalar>& plain) {
  const auto check = [&](KtensorFormat format, Compression compression) {
    const MemoryFile again(written_by(
        [&](const std::string& path) { write_ktensor(path, model, format, compression); }));
    compare(read_ktensor<Scalar, HostExec>(again.path()), plain);
  };
  check(KtensorFormat::binary, Compression::none);
  for (const auto compression : {Compression::none, Compression::gzip, Compression::zstd}) {
    check(KtensorFormat::text, compression);
  }
}

template <class Scalar>
PlainModel<Scalar> converted(const PlainBinary& file) {
  PlainModel<Scalar> model;
  model.dimensions = file.dimensions;
  model.rank = file.count;
  for (const auto& section : file.numbers) {
    model.numbers.emplace_back();
    std::vector<double> before(file.count);
    std::vector<double> after(file.count);
    for (std::size_t i = 0; i < section.size(); ++i) {
      const auto number = static_cast<Scalar>(section[i]);
      if (!std::isfinite(number)) throw Refusal{0, "too large"};
      model.numbers.back().push_back(number);
      before[i % file.count] += std::abs(section[i]) > 0;
      after[i % file.count] += std::abs(number) > 0;
    }
    for (std::size_t r = 0; r < file.count; ++r) {
      if (before[r] > 0 && after[r] == 0) throw Refusal{0, "a column vanishes"};
    }
  }
  return model;
}

template <class Scalar>
void read_both_ways(const std::string& content, bool binary) {
  const MemoryFile file(content);
  std::optional<Ktensor<Scalar, HostExec>> ours;
  std::optional<PlainModel<Scalar>> plain;
  const bool accepted = both_accept(
      file.path(), ours, plain, [&] { return read_ktensor<Scalar, HostExec>(file.path()); },
      [&] {
        return binary ? converted<Scalar>(decode_plainly(content, 2))
                      : PlainModelReader<Scalar>(content).read();
      });
  if (!accepted) return;
  compare(*ours, *plain);
  write_and_read_again(*ours, *plain);
}

}  // namespace
}  // namespace genten::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace genten::fuzz;
  const std::string content(reinterpret_cast<const char*>(data), size);
  const bool binary = content.starts_with("\x89GTN\r\n\x1a\n");
  const bool compressed = content.starts_with("\x1f\x8b") || content.starts_with("\x28\xb5") ||
                          content.substr(0, 4).ends_with("\x2a\x4d\x18");
  if (content.empty() || compressed) return 0;
  read_both_ways<double>(content, binary);
  read_both_ways<float>(content, binary);
  if (binary) read_both_ways<double>(repaired(content), binary);
  return 0;
}
