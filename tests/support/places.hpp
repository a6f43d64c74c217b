// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Where the data of tests lie, and what runs test programs. One source knows the paths of the
/// checkout, so that a compiler cache finds the objects of all others in another checkout, too.

#include <string>

namespace genten_test {

/// A file in the checkout's data/.
[[nodiscard]] std::string data_file(const std::string& name);
/// A file in shared/data beside the checkout, which need not be there.
[[nodiscard]] std::string shared_data_file(const std::string& name);

/// What comes before the path of a test program in a command of the shell: an emulator and a blank
/// where the programs are for another processor.
[[nodiscard]] std::string emulator();

}  // namespace genten_test
