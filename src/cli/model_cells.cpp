// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "model_cells.hpp"

#include <string_view>

namespace genten::cli {

std::string about_model(const std::string& message, const std::string& model_file) {
  constexpr std::string_view given = "the options give ", noun = " dimension";
  const std::size_t begin = message.find(given), number = begin + given.size();
  if (begin == std::string::npos) return message;
  const std::size_t end = message.find(noun, number), rest = message.find(',', number);
  if (end == std::string::npos || rest == std::string::npos) return message;
  return message.substr(0, begin) + "the model " + tools::input_name(model_file) + " is of order " +
         message.substr(number, end - number) + message.substr(rest);
}

}  // namespace genten::cli
