// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Where the data of tests lie. One source knows the paths of the checkout, so that a compiler
/// cache finds the objects of all others in another checkout, too.

#include <string>

namespace genten_test {

/// A file in the checkout's data/.
[[nodiscard]] std::string data_file(const std::string& name);
/// A file in shared/data beside the checkout, which need not be there.
[[nodiscard]] std::string shared_data_file(const std::string& name);

}  // namespace genten_test
