// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz_target.hpp"

#include <Kokkos_Core.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  Kokkos::initialize(*argc, *argv);
  std::atexit([] { Kokkos::finalize(); });
  return 0;
}

namespace genten::fuzz {

Counts counts;

void require(bool holds, const std::string& message) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", message.c_str());
  std::abort();
}

MemoryFile::MemoryFile(std::string_view content)
    : m_descriptor(memfd_create("genten-fuzz", MFD_CLOEXEC)),
      m_path("/proc/self/fd/" + std::to_string(m_descriptor)) {
  require(m_descriptor >= 0, "memfd_create failed");
  const ssize_t written = write(m_descriptor, content.data(), content.size());
  require(written == static_cast<ssize_t>(content.size()), "a file in memory cannot be written");
}

MemoryFile::~MemoryFile() {
  close(m_descriptor);
}

std::string written_by(const std::function<void(const std::string&)>& write) {
  // The writers replace files by renaming, so this one needs a directory; one in memory if
  // possible.
  static const std::filesystem::path memory = "/dev/shm";
  static const std::filesystem::path directory =
      std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
  const std::filesystem::path path = directory / ("genten-fuzz-" + std::to_string(getpid()));
  write(path.string());
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

std::uint64_t hash_of(std::string_view content) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : content) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash ^ (hash >> 29);
}

}  // namespace genten::fuzz
