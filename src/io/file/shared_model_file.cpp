// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/io/shared_model_file.hpp>

#include "../binary/binary_form.hpp"
#include "write_at.hpp"

#include <genten/base/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <utility>

namespace genten {

using namespace detail;

namespace {

/// The name by which processes in other folders find it, too.
std::string name_everywhere(const std::string& name) {
  if (name.empty()) return name;
  std::error_code none_is_known;
  const std::filesystem::path absolute = std::filesystem::absolute(name, none_is_known);
  return none_is_known ? name : absolute.string();
}

/// Whether one can write at places of what the path names: not of a pipe, which is not opened
/// either, or its reader would see it end. Of a directory the attempt to write says what is wrong.
bool has_places(const std::string& path) {
  std::error_code none_is_known;
  const auto status = std::filesystem::status(path, none_is_known);
  return !own_descriptor(path) &&
         (!std::filesystem::exists(status) || is_regular_file(status) || is_directory(status));
}

std::uint64_t new_token() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

BinaryHeader header_of(const ModelFileShape& shape) {
  BinaryHeader header;
  header.kind = static_cast<std::uint32_t>(BinaryKind::ktensor);
  header.order = static_cast<std::uint32_t>(shape.dimensions.size());
  header.scalar_bytes = static_cast<std::uint32_t>(shape.scalar_bytes);
  header.count = shape.rank;
  std::copy(shape.dimensions.begin(), shape.dimensions.end(), header.dimensions.begin());
  return header;
}

}  // namespace

class SharedModelFile::Implementation {
 public:
  Implementation(const std::string& path, const ModelFileShape& shape)
      : m_path(path), m_header(header_of(shape)) {
    const std::size_t row = shape.rank * shape.scalar_bytes;
    m_begins.push_back(sizeof(BinaryHeader) + padded_section(row));
    m_blocks.push_back(0);
    for (const std::size_t rows : shape.dimensions) {
      m_begins.push_back(m_begins.back() + padded_section(rows * row));
      m_blocks.push_back(m_blocks.back() + blocks_between(0, rows * row));
    }
  }
  ~Implementation() {
    if (m_descriptor >= 0) close(m_descriptor);
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  void make() {
    if (!has_places(m_path)) return;
    m_made.emplace(m_path);
    m_place.temporary = name_everywhere(m_made->temporary_name());
    m_place.token = new_token();
    m_made->reserve(m_begins.back());
    m_made->write_at(0, bytes_of(&m_place.token, 1));
    m_made->sync();
  }
  void open(const SharedFilePlace& place) {
    m_descriptor = ::open(place.temporary.c_str(), O_RDWR | O_CLOEXEC);
    if (m_descriptor < 0) fail("cannot be opened where others write it", errno);
    std::uint64_t token = 0;
    if (pread(m_descriptor, &token, sizeof token, 0) != sizeof token || token != place.token) {
      throw Error::in_file(m_path, 0, "is another file here");
    }
  }

  [[nodiscard]] const SharedFilePlace& place() const { return m_place; }
  [[nodiscard]] const std::vector<NumberedHash>& hashes() const { return m_hashes; }

  void write(std::size_t mode, std::size_t begin, std::string_view bytes) {
    std::uint64_t block = m_blocks[mode] + begin / block_bytes;
    const SectionSlice all{bytes, 0, bytes.size()};
    for (const std::uint64_t hash : block_checksums(HostExec(), {&all, 1})) {
      m_hashes.push_back({block++, hash});
    }
    write_at(m_begins[mode] + begin, bytes);
  }
  void flush() {
    if (m_made) return;  // a commit does
    if (fsync(m_descriptor) != 0) fail("cannot be written to the disk", errno);
  }
  void commit(std::string_view weights, std::vector<NumberedHash> hashes) {
    std::sort(hashes.begin(), hashes.end(),
              [](const NumberedHash& a, const NumberedHash& b) { return a.block < b.block; });
    const SectionSlice all{weights, 0, weights.size()};
    std::vector<std::uint64_t> ordered = block_checksums(HostExec(), {&all, 1});
    for (const NumberedHash& each : hashes) {
      if (each.block + blocks_between(0, weights.size()) != ordered.size()) break;
      ordered.push_back(each.hash);
    }
    if (ordered.size() != blocks_between(0, weights.size()) + m_blocks.back()) {
      throw Error::in("SharedModelFile", "expected every block to be written once");
    }
    complete_header(m_header, checksum_of_blocks(ordered));
    m_made->write_at(0, bytes_of(&m_header, 1));
    m_made->write_at(sizeof m_header, weights);
    m_made->commit();
  }

 private:
  [[noreturn]] void fail(const char* what, int why) const {
    throw Error::of_system(m_path, what, why);
  }
  void write_at(std::size_t begin, std::string_view bytes) {
    if (m_made) return m_made->write_at(begin, bytes);
    if (const int why = write_all_at(m_descriptor, begin, bytes); why != 0) {
      fail("cannot be written", why);
    }
  }

  std::string m_path;
  BinaryHeader m_header;
  /// By mode, where the factor's bytes begin and which of all blocks is its first; at last, where
  /// the file ends and how many there are.
  std::vector<std::size_t> m_begins;
  std::vector<std::uint64_t> m_blocks;
  std::optional<AtomicFile> m_made;
  SharedFilePlace m_place;
  int m_descriptor = -1;  ///< of those who have not made it
  std::vector<NumberedHash> m_hashes;
};

SharedModelFile::SharedModelFile(const std::string& path, const ModelFileShape& shape)
    : m_implementation(std::make_unique<Implementation>(path, shape)) {
  m_implementation->make();
}
SharedModelFile::SharedModelFile(const std::string& path, const ModelFileShape& shape,
                                 const SharedFilePlace& place)
    : m_implementation(std::make_unique<Implementation>(path, shape)) {
  m_implementation->open(place);
}
SharedModelFile::SharedModelFile(SharedModelFile&&) noexcept = default;
SharedModelFile::~SharedModelFile() = default;

const SharedFilePlace& SharedModelFile::place() const {
  return m_implementation->place();
}
void SharedModelFile::write(std::size_t mode, std::size_t begin, std::string_view bytes) {
  m_implementation->write(mode, begin, bytes);
}
void SharedModelFile::flush() {
  m_implementation->flush();
}
const std::vector<NumberedHash>& SharedModelFile::hashes() const {
  return m_implementation->hashes();
}
void SharedModelFile::commit(std::string_view weights, std::vector<NumberedHash> hashes) {
  m_implementation->commit(weights, std::move(hashes));
}

}  // namespace genten
