// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "read_model.hpp"

#include "other_kind.hpp"
#include "tools/files.hpp"
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

ValueModel read_cp_model(const std::string& file, const std::string& hint) {
  return hinting_at(tucker_for_cp,
                    "a Tucker model takes no new rows: genten tucker ALL makes another one from "
                    "all data, old and new, and genten decompose ALL a CP model, which takes them",
                    [&] {
                      ValueModel read = read_value_model(file, hint);
                      if (read.facts.contains("rank")) return read;
                      throw Error::of_content(tools::input_name(file), 0, "a CP model",
                                              "a Tucker model");
                    });
}

}  // namespace genten::cli
