// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The models that subcommands write.

#include "model_csv.hpp"
#include "model_npz.hpp"
#include "tools/files.hpp"

#include <genten/io/ktensor.hpp>
#include <genten/io/ttensor.hpp>

namespace genten::cli {

/// Writes a model in the form that the file's name says, with the names of rows where the form has
/// room for them; nothing for an empty name.
template <RealScalar Scalar, ExecutionSpace Exec>
void write_model(const std::string& path, const Ktensor<Scalar, Exec>& model,
                 const OutputNames& names) {
  if (path.empty()) return;
  const tools::ModelForm form = tools::model_form(path);
  const auto on_host = [&] {
    if constexpr (is_host_space<Exec>) {
      return model;
    } else {
      return clone_to<HostExec>(model);
    }
  };
  switch (form) {
    case tools::ModelForm::csv:
      return write_csv_model<Scalar>(path, on_host(), names.labels);
    case tools::ModelForm::npz:
      return write_npz_model<Scalar>(path, on_host(), names);
    case tools::ModelForm::text:
    case tools::ModelForm::binary:
      return write_ktensor(
          path, model,
          form == tools::ModelForm::binary ? KtensorFormat::binary : KtensorFormat::text,
          tools::compression_of_name(path));
  }
}

/// Writes a Tucker model likewise; there is no table of it.
template <RealScalar Scalar>
void write_model(const std::string& path, const Ttensor<Scalar, HostExec>& model,
                 const OutputNames& names) {
  if (path.empty()) return;
  const tools::ModelForm form = tools::model_form(path);
  if (form == tools::ModelForm::npz) return write_npz_model<Scalar>(path, model, names);
  write_ttensor(path, model,
                form == tools::ModelForm::binary ? KtensorFormat::binary : KtensorFormat::text,
                tools::compression_of_name(path));
}

}  // namespace genten::cli
