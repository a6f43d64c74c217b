// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../file/ktensor_file.hpp"
#include "ttensor_file.hpp"

#include <genten/base/detail/allocation.hpp>
#include <genten/io/any_model.hpp>

namespace genten::detail {

template <RealScalar Scalar>
AnyModel<Scalar> read_any_model_file(const std::string& path) {
  return with_memory_errors(path.c_str(), [&] {
    const FileContent file(path, 0);
    return is_ttensor(file) ? AnyModel<Scalar>(read_ttensor_content<Scalar>(file))
                            : AnyModel<Scalar>(read_ktensor_content<Scalar>(file));
  });
}

template AnyModel<float> read_any_model_file(const std::string&);
template AnyModel<double> read_any_model_file(const std::string&);

}  // namespace genten::detail
