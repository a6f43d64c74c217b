// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The tensor that a subcommand writes.

#include <genten/io/any.hpp>
#include <genten/io/binary.hpp>

#include <optional>

namespace CLI {
class App;
}

namespace genten::cli {

/// What the command line says about a tensor file to write.
struct TensorSink {
  std::string file;
  std::optional<FileFormat> format;  ///< none: by the file's name
  IndexBase index_base = IndexBase::one;
};

/// Adds the positional argument OUTPUT, --to and --output-index-base.
void add_tensor_sink(CLI::App& app, TensorSink& sink);

/// The form to write: --to, or what the name says (.tns: frostt, .txt or .sptensor: sptensor, .gtn
/// or .bin: binary, and .gz or .zst after it: compressed). Throws a usage error where neither says.
WriteOptions write_options(const TensorSink& sink);

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
void write_tensor(const TensorSink& sink, const Sptensor<Scalar, Ordinal, HostExec>& tensor) {
  const WriteOptions options = write_options(sink);
  if (options.format == FileFormat::binary) {
    write_binary_sptensor(sink.file, tensor);
    return;
  }
  if (options.format == FileFormat::frostt) {
    warn_of_lost_dimensions(sink.file, options.format, tensor.dimensions(),
                            used_dimensions(tensor));
  }
  write_sptensor(sink.file, tensor, options);
}

}  // namespace genten::cli
