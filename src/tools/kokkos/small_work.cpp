// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "small_work.hpp"

#include "settings.hpp"
#include "tools/files.hpp"

#include <cstdlib>
#include <filesystem>

namespace genten::tools {

bool is_small_work(const std::string& file, std::size_t columns) {
  // So many products take one thread some tens of microseconds, which is what many threads need to
  // begin and end together; where other programs keep cores busy they need milliseconds.
  constexpr double products = 1 << 15;
  // A nonzero of a matrix, "1 1 1" and the end of the line, or ten and more in compressed text.
  constexpr double shortest = 6.0, most_compressed = 0.5;
  std::error_code trouble;
  if (!std::filesystem::is_regular_file(file, trouble)) return false;
  const auto bytes = static_cast<double>(std::filesystem::file_size(file, trouble));
  if (trouble) return false;
  const bool plain = compression_of_name(file) == Compression::none;
  const double nonzeros = bytes / (plain ? shortest : most_compressed);
  return nonzeros * static_cast<double>(columns) <= products;
}

std::vector<std::string> on_one_thread(std::vector<std::string> arguments) {
  const bool is_said =
      kokkos_setting(arguments, "num-threads") || std::getenv("OMP_NUM_THREADS") != nullptr;
  if (!is_said) arguments.emplace_back("--kokkos-num-threads=1");
  return arguments;
}

}  // namespace genten::tools
