// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../binary/binary_form.hpp"
#include "ktensor_file.hpp"

#include <genten/base/error.hpp>
#include <genten/io/checkpoint.hpp>

namespace genten {

std::size_t checkpoint_scalar_bytes(const std::string& path) {
  const detail::FileContent file(path, 0);
  return file.read([&] {
    return std::size_t{
        detail::read_binary_header(file, detail::BinaryKind::checkpoint).scalar_bytes};
  });
}

namespace detail {

template <RealScalar Scalar>
Checkpoint<Ktensor<Scalar, HostExec>> read_checkpoint_file(const std::string& path) {
  const FileContent file(path, 0);
  return file.read([&] {
    const BinaryHeader header = read_binary_header(file, BinaryKind::checkpoint);
    if (header.scalar_bytes != sizeof(Scalar)) {
      throw Error::in_file(file.path(), 0,
                           "expected a checkpoint with numbers of " +
                               std::to_string(sizeof(Scalar)) + " bytes, got one of " +
                               std::to_string(header.scalar_bytes));
    }
    auto model = read_binary_ktensor<Scalar>(file);  // which looks at the checksum of all
    std::vector<char> buffer;
    const Bytes state = binary_sections(file, header).back();
    return Checkpoint<Ktensor<Scalar, HostExec>>{std::move(model),
                                                 std::string(state.load(0, state.size(), buffer))};
  });
}

template <RealScalar Scalar>
void write_checkpoint_file(const std::string& path,
                           const Checkpoint<Ktensor<Scalar, HostExec>>& checkpoint) {
  write_binary_ktensor(path, checkpoint.model, &checkpoint.state);
}

template Checkpoint<Ktensor<float, HostExec>> read_checkpoint_file(const std::string&);
template Checkpoint<Ktensor<double, HostExec>> read_checkpoint_file(const std::string&);
template void write_checkpoint_file(const std::string&,
                                    const Checkpoint<Ktensor<float, HostExec>>&);
template void write_checkpoint_file(const std::string&,
                                    const Checkpoint<Ktensor<double, HostExec>>&);

}  // namespace detail
}  // namespace genten
