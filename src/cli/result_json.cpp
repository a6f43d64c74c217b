// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "result_json.hpp"

namespace genten::cli {

nlohmann::ordered_json to_json(const IterationRecord& record) {
  return {{"iteration", record.iteration},
          {"fit", record.fit},
          {"fit_change", record.fit_change},
          {"residual_norm", record.residual_norm},
          {"seconds", record.seconds}};
}

nlohmann::ordered_json to_json(const StartRecord& record) {
  return {{"seed", record.seed},
          {"fit", record.fit},
          {"iterations", record.iterations},
          {"stop_reason", to_string(record.stop_reason)}};
}

}  // namespace genten::cli
