// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../binary/binary_form.hpp"
#include "../file/file_head.hpp"
#include "../file/ktensor_file.hpp"
#include "../text/text_lines.hpp"
#include "ttensor_file.hpp"

#include <genten/base/detail/allocation.hpp>
#include <genten/io/any_model.hpp>

#include <filesystem>

namespace genten::detail {

template <RealScalar Scalar>
AnyModel<Scalar> read_any_model_file(const std::string& path) {
  return with_memory_errors(Error::Fields{.path = path}, [&] {
    const FileContent file(path, 0);
    return is_ttensor(file) ? AnyModel<Scalar>(read_ttensor_content<Scalar>(file))
                            : AnyModel<Scalar>(read_ktensor_content<Scalar>(file));
  });
}

template AnyModel<float> read_any_model_file(const std::string&);
template AnyModel<double> read_any_model_file(const std::string&);

}  // namespace genten::detail

namespace genten {

bool is_model_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  try {
    return detail::with_head(path, [](std::string_view text) {
      using detail::BinaryKind;
      if (detail::is_binary_form(text)) return !detail::is_binary_form(text, BinaryKind::sptensor);
      detail::LineReader reader(text);
      detail::Line line;
      if (!reader.next(line)) return false;
      const std::string_view word = line.fields.front();
      return word == "ktensor" || word == "ttensor";
    });
  } catch (const Error&) {
    return false;  // who reads it says what is wrong
  }
}

}  // namespace genten
