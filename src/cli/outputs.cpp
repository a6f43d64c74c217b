// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "outputs.hpp"

#include "tools/printable.hpp"
#include "tools/program.hpp"

#include <unistd.h>

#include <filesystem>
#include <iostream>

namespace genten::cli {

using namespace tools;
namespace fs = std::filesystem;

bool Attempts::operator()(const std::function<void()>& step) {
  const int exit_code = guarded("genten", [&] {
    step();
    return static_cast<int>(success);
  });
  if (m_exit_code == success) m_exit_code = exit_code;
  return exit_code == success;
}

std::vector<std::string> rescue_places(const std::string& path) {
  const std::string file = path == "-" ? "model.ktensor" : fs::path(path).filename().string();
  // The number keeps it from the models of other runs.
  const std::string name = "rescued-" + std::to_string(getpid()) + "-" + file;
  std::vector<std::string> places = {name};
  std::error_code none_is_known;
  const fs::path temporary = fs::temp_directory_path(none_is_known);
  if (!none_is_known) places.push_back((temporary / name).string());
  return places;
}

void tell_of_export(const std::string& path) {
  if (path.empty()) return;
  const ModelForm form = model_form(path);
  if (form != ModelForm::csv && form != ModelForm::npz) return;
  std::cout.flush();
  std::cerr << "genten: note: " << output_name(path)
            << ": a model of this form is for other programs"
            << (form == ModelForm::npz ? " and genten.load in Python" : "")
            << ", and no command reads it; a name that ends in .gkt gives one that commands read\n";
}

std::string save_labels(Attempts& attempt, const std::string& path, const OutputNames& names) {
  std::string written;
  if (!holds_names(model_form(path))) {
    attempt([&] { written = write_labels_beside(path, names); });
  }
  return written;
}

void tell_of_rescue(const std::string& place) {
  if (place.empty()) {
    std::cerr << "genten: the model could not be written to the current or the temporary "
                 "directory either: it is lost\n";
  } else {
    std::cerr << "genten: the model is written to " << printable(place) << " instead\n";
  }
}

}  // namespace genten::cli
