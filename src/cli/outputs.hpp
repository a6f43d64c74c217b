// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a command has computed is written, whatever happens to a part of it.

#include "model/model_file.hpp"
#include "sidecar/sidecar_output.hpp"

#include <functional>
#include <string>
#include <vector>

namespace genten::cli {

/// Steps of which each is attempted, whatever became of the others. What fails is told at once.
class Attempts {
 public:
  /// Whether `step` succeeded.
  bool operator()(const std::function<void()>& step);

  /// That of the first step that failed, success if none did.
  [[nodiscard]] int exit_code() const { return m_exit_code; }

 private:
  int m_exit_code = 0;
};

/// Where a model goes that cannot be written to `path`: files of its name, "rescued-" before it and
/// so of the same form, in the current directory and in that of temporary files.
[[nodiscard]] std::vector<std::string> rescue_places(const std::string& path);

/// Says where the model was written instead ("" for nowhere).
void tell_of_rescue(const std::string& place);

/// Writes a model to `path` or, where that fails, to the first of the rescue places that takes it.
/// Returns the name of the file that holds it now, "" for none.
template <class Model>
std::string save_model(Attempts& attempt, const std::string& path, const Model& model,
                       const OutputNames& names) {
  if (attempt([&] { write_model(path, model, names); })) return path;
  std::string written;
  for (const std::string& place : rescue_places(path)) {
    try {
      write_model(place, model, names);
      written = place;
      break;
    } catch (const std::exception&) {  // told of with the last of them
    }
  }
  tell_of_rescue(written);
  return written;
}

/// Says on standard error, before the work begins, that no command reads a model in the form that
/// the name says, if so.
void tell_of_export(const std::string& path);

/// Writes names beside a model that was written to `path`, where its form has no room for them
/// itself. Returns the name of the file that holds them, "" for none.
[[nodiscard]] std::string save_labels(Attempts& attempt, const std::string& path,
                                      const OutputNames& names);

}  // namespace genten::cli
