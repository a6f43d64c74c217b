// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "file_digest.hpp"

#include <genten/base/error.hpp>

#include <archive.h>
#include <archive_entry.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

namespace genten::cli {
namespace {

la_ssize_t append_to_text(archive*, void* text, const void* data, std::size_t bytes) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(data), bytes);
  return static_cast<la_ssize_t>(bytes);
}

/// The digest in the list of files that libarchive writes: " sha256digest=<digits>".
std::string digest_in(const std::string& list) {
  const std::string key = "sha256digest=";
  const std::size_t at = list.find(key);
  if (at == std::string::npos) {
    throw Error(Error::Kind::runtime, "this build of libarchive computes no SHA-256");
  }
  return list.substr(at + key.size(), 64);
}

/// SHA-256 of so many bytes, which `read(block, size)` gives block by block, and then 0 of them.
template <class Read>
std::string sha256_of(std::uintmax_t bytes, const Read& read) {
  // mtree is a list of files with their checksums, which needs the files' content but keeps none.
  const std::unique_ptr<archive, int (*)(archive*)> list(archive_write_new(), archive_write_free);
  std::string text;
  archive_write_set_format_mtree(list.get());
  archive_write_set_options(list.get(), "mtree:!all,mtree:sha256");
  archive_write_set_bytes_per_block(list.get(), 0);
  archive_write_open(list.get(), &text, nullptr, append_to_text, nullptr);
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                       archive_entry_free);
  archive_entry_set_pathname(entry.get(), "file");
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes));
  archive_write_header(list.get(), entry.get());
  std::vector<char> block(std::size_t{1} << 20);
  while (const std::size_t size = read(block.data(), block.size())) {
    archive_write_data(list.get(), block.data(), size);
  }
  archive_write_close(list.get());
  return digest_in(text);
}

}  // namespace

std::string sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error::in_file(path, 0, "cannot be read");
  return sha256_of(std::filesystem::file_size(path), [&](char* block, std::size_t size) {
    file.read(block, static_cast<std::streamsize>(size));
    return static_cast<std::size_t>(file.gcount());
  });
}

std::string sha256_of_text(const std::string& text) {
  std::size_t done = 0;
  return sha256_of(text.size(), [&](char* block, std::size_t size) {
    const std::size_t count = text.copy(block, size, done);
    done += count;
    return count;
  });
}

}  // namespace genten::cli
