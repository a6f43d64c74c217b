// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "read_model.hpp"

#include "other_kind.hpp"
#include "tools/program.hpp"
#include "tools/text.hpp"

#include <genten/core/ttensor_ops.hpp>
#include <genten/io/any_model.hpp>

namespace genten::cli {

ValueModel read_value_model(const std::string& file, const std::string& hint) {
  return hinting_at(tensor_for_model, hint, [&] {
    return tools::reading(file, [&] {
      const auto any = read_any_model<double>(file);
      if (const auto* const cp = std::get_if<0>(&any)) {
        return ValueModel{*cp, "rank " + std::to_string(cp->rank()), {{"rank", cp->rank()}}};
      }
      const auto& tucker = std::get<1>(any);
      return ValueModel{to_ktensor(tucker),
                        "ranks " + tools::format_dimensions(tucker.ranks()),
                        {{"core_dimensions", tucker.ranks()}}};
    });
  });
}

}  // namespace genten::cli
