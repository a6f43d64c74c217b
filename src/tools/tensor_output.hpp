// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The tensor file that a program writes: its options, and writing it.

#include "command_line.hpp"

#include <genten/io/any.hpp>
#include <genten/io/binary.hpp>

namespace genten::tools {

/// What the command line says about a tensor file to write.
struct TensorOutput {
  std::string file;
  WriteOptions write;
  std::string option = "OUTPUT";                ///< what names the file on the command line
  FileFormat of_stream = FileFormat::sptensor;  ///< that of the standard output
  DeclaredOption format = {};           ///< where it was not given, the file's name says the form
  DeclaredOption compression = {};      ///< the same
  DeclaredOption index_base = {};       ///< means nothing for the binary form
  std::string of_model = "; use --to";  ///< what to say of a name that is that of a model
  std::string more_names = {};          ///< endings that the command itself writes, ", .csv"
};

/// Adds the option or positional argument that names the file, whose default is what it is now,
/// --to, --output-index-base and --output-compression. `more_forms` stand behind those that all
/// commands write.
void add_tensor_output(CLI::App& app, TensorOutput& output, const std::string& more_forms = "");

/// Was the form given, by --to?
bool has_format(const TensorOutput& output);

/// The form to write: what the options say, or else the name (.tns: frostt, .txt or .sptensor:
/// sptensor, .mtx: matrix_market, .gtn or .bin: binary, and .gz or .zst after it: compressed; the
/// standard output, "-", gets its own). Throws a usage error where neither says, and for options
/// that mean nothing for the form.
WriteOptions write_options(const TensorOutput& output);

/// Complains on standard error where the form cannot say the dimensions and they will be lost.
void warn_of_lost_dimensions(const std::string& file, FileFormat format,
                             const std::vector<std::size_t>& dimensions,
                             const std::vector<std::size_t>& largest_subscripts);

/// For each mode, one more than the largest subscript that occurs.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::vector<std::size_t> used_dimensions(const Sptensor<Scalar, Ordinal, HostExec>& tensor) {
  std::vector<std::size_t> used(tensor.dimensions().size(), 0);
  const auto subscripts = tensor.subscripts();
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    for (std::size_t n = 0; n < used.size(); ++n) {
      used[n] = std::max(used[n], static_cast<std::size_t>(subscripts(p, n)) + 1);
    }
  }
  return used;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void write_tensor(const TensorOutput& output, const Sptensor<Scalar, Ordinal, HostExec>& tensor) {
  const WriteOptions options = write_options(output);
  if (options.format == FileFormat::binary) {
    write_binary_sptensor(output.file, tensor);
    return;
  }
  if (options.format == FileFormat::frostt) {
    warn_of_lost_dimensions(output.file, options.format, tensor.dimensions(),
                            used_dimensions(tensor));
  }
  write_sptensor(output.file, tensor, options);
}

}  // namespace genten::tools
