// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "gather_loop.hpp"

#include <genten/base/instruction_set.hpp>

namespace genten::perf {

#if defined(__x86_64__)
namespace x86_64_v2 {
GatherLoop compiled_gather_loop(int columns, bool prefetch);
}
namespace x86_64_v3 {
GatherLoop compiled_gather_loop(int columns, bool prefetch);
}
namespace x86_64_v4 {
GatherLoop compiled_gather_loop(int columns, bool prefetch);
}

GatherLoop gather_loop(int columns, bool prefetch) {
  const auto set = instruction_set();
  if (set == "v4") return x86_64_v4::compiled_gather_loop(columns, prefetch);
  if (set == "v2") return x86_64_v2::compiled_gather_loop(columns, prefetch);
  return x86_64_v3::compiled_gather_loop(columns, prefetch);
}
#else
namespace baseline {
GatherLoop compiled_gather_loop(int columns, bool prefetch);
}

GatherLoop gather_loop(int columns, bool prefetch) {
  return baseline::compiled_gather_loop(columns, prefetch);
}
#endif

}  // namespace genten::perf
