// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SharedModelFile: a model in the binary form that several processes write, each a part of it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace genten {

/// What the length of a model's file follows from.
struct ModelFileShape {
  std::size_t scalar_bytes = 0;
  std::size_t rank = 0;
  std::vector<std::size_t> dimensions;
};

/// Where others find a file that one process has made.
struct SharedFilePlace {
  std::string temporary;  ///< its name while it is written; empty: nobody else can write to it
  /// What it begins with until it is complete: another file of that name, as on a machine with a
  /// file system of its own, is not taken for it.
  std::uint64_t token = 0;
};

/// The hash of a block of the file's data.
struct NumberedHash {
  std::uint64_t block = 0;
  std::uint64_t hash = 0;
};

/// A model's file, as one of those has it who write to it. It appears under its name when the one
/// who has made it commits it; without that nothing happens to what was there, and the temporary
/// file is removed. Every failure is an Error of kind `file` that names the path.
class SharedModelFile {
 public:
  /// The checksum of the data is of blocks of so many bytes of each factor, which are written
  /// whole.
  static constexpr std::size_t block_bytes = std::size_t{1} << 20;

  /// Makes it, as AtomicFile does, with room for all where the file system can reserve it. Nothing
  /// is made, and the place is empty, where `path` is no regular file and so has no places.
  SharedModelFile(const std::string& path, const ModelFileShape& shape);
  /// Opens what another process has made.
  SharedModelFile(const std::string& path, const ModelFileShape& shape,
                  const SharedFilePlace& place);
  SharedModelFile(SharedModelFile&&) noexcept;
  ~SharedModelFile();

  /// Of the one who has made it.
  [[nodiscard]] const SharedFilePlace& place() const;

  /// Writes bytes of a factor's rows, without padding, from such a place on: a multiple of
  /// `block_bytes`, and up to another or the factor's end.
  void write(std::size_t mode, std::size_t begin, std::string_view bytes);
  /// All that was written here has reached the disk.
  void flush();
  /// Of the blocks that were written here.
  [[nodiscard]] const std::vector<NumberedHash>& hashes() const;

  /// Completes and renames the file; `hashes` are those of all blocks of all factors, in any order.
  /// Of the one who has made it, when all others have flushed.
  void commit(std::string_view weights, std::vector<NumberedHash> hashes);

 private:
  class Implementation;
  std::unique_ptr<Implementation> m_implementation;
};

}  // namespace genten
