// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What people should know of a result before they trust it.

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace genten::cli {

/// A number of a result's JSON form, which has no infinities and NaNs: they stand there as null,
/// and are NaN here.
[[nodiscard]] double number(const nlohmann::ordered_json& value);

/// On the fit and the residual of a result in its JSON form.
[[nodiscard]] std::vector<std::string> fit_notes(const nlohmann::ordered_json& result);
/// On the components, the solves and the kernel.
[[nodiscard]] std::vector<std::string> model_notes(const nlohmann::ordered_json& result);

/// All of them as sentences, with those on the tensor before them, and that a limit ended the run,
/// which the text says where it says why it ended.
[[nodiscard]] std::vector<std::string> warnings(const std::vector<std::string>& tensor_notes,
                                                const nlohmann::ordered_json& result);

}  // namespace genten::cli
