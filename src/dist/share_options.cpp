// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/detail/option_archive.hpp>
#include <genten/dist/cp_als.hpp>

#include <string>

namespace genten {

void share_options(Communicator& processes, CpAlsOptions& options) {
  std::string bytes = detail::to_bytes(options);
  std::size_t length = bytes.size();
  processes.broadcast(&length, sizeof length, 0);
  bytes.resize(length);
  processes.broadcast(bytes.data(), length, 0);
  detail::ByteReader read(bytes);
  read(options);
}

}  // namespace genten
