// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "places.hpp"

namespace genten_test {

std::string data_file(const std::string& name) {
  return std::string(GENTEN_SOURCE_DIR "/data/") + name;
}
std::string shared_data_file(const std::string& name) {
  return std::string(GENTEN_SOURCE_DIR "/../shared/data/") + name;
}
std::string emulator() {
  return GENTEN_EMULATOR;
}

}  // namespace genten_test
