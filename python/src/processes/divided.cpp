// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "divided.hpp"

#include "tools/launch/file_parts.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace genten::python {
namespace {

using Lengths = std::vector<std::size_t>;

std::string text_of(const Lengths& shape) {
  std::string text;
  for (const std::size_t length : shape)
    text += (text.empty() ? "(" : ", ") + std::to_string(length);
  return text + (shape.size() == 1 ? ",)" : ")");
}

/// The shape of all processes' tensors, which is one.
Lengths agreed_shape(Communicator& processes, const Tensor* tensor) {
  Lengths mine;
  if (tensor != nullptr) {
    mine = tensor->look([](const auto& any) { return any.dimensions(); });
  }
  const auto shapes = all_gather_lists(processes, mine);
  const auto first =
      std::find_if(shapes.begin(), shapes.end(), [](const Lengths& each) { return !each.empty(); });
  if (first == shapes.end()) {
    throw AgreedError(
        "X: expected at least one process to bring nonzeros, got None on all of them");
  }
  for (auto other = first + 1; other != shapes.end(); ++other) {
    if (other->empty() || *other == *first) continue;
    throw AgreedError("X: expected the shape of the whole tensor on all processes, got " +
                      text_of(*first) + " on process " + std::to_string(first - shapes.begin()) +
                      " and " + text_of(*other) + " on process " +
                      std::to_string(other - shapes.begin()) + ": give shape=");
  }
  return *first;
}

/// Whether the run is in single precision: as process 0 asks for or, if it does not, as the
/// tensors.
bool agreed_single(Communicator& processes, const Brought& brought) {
  enum Type : int { none, float32, float64 };
  int asked = brought.dtype.empty() ? none : brought.dtype == "float32" ? float32 : float64;
  processes.broadcast(&asked, sizeof asked, 0);
  if (asked != none) return asked == float32;
  int own = none;
  if (brought.tensor != nullptr) {
    own = brought.tensor->look([](const auto& any) {
      return sizeof(*any.values().data()) == sizeof(float) ? float32 : float64;
    });
  }
  const std::vector<int> types = all_gather(processes, own);
  const auto has = [&](int type) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  if (has(float32) && has(float64)) {
    throw AgreedError(
        "dtype: expected values of one type on all processes, got float32 and float64: give "
        "dtype=");
  }
  return has(float32);
}

/// A copy of the process's nonzeros, checked: the arrays may be those of others, who may write to
/// them.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
NonzeroArrays<Scalar, Ordinal> copied(const Tensor* tensor, const Lengths& shape) {
  const std::size_t order = shape.size();
  const std::size_t count =
      tensor == nullptr
          ? 0
          : static_cast<std::size_t>(tensor->look([](const auto& any) { return any.nnz(); }));
  NonzeroArrays<Scalar, Ordinal> copy{
      detail::new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>>(
          Kokkos::view_alloc("genten::subscripts", Kokkos::WithoutInitializing), count, order),
      detail::new_view<Kokkos::View<Scalar*, Kokkos::HostSpace>>(
          Kokkos::view_alloc("genten::values", Kokkos::WithoutInitializing), count)};
  if (tensor == nullptr) return copy;
  const HostExec host;
  tensor->look([&](const auto& any) {
    const auto from = any.subscripts();
    const auto values = any.values();
    const Kokkos::RangePolicy<HostExec, Kokkos::IndexType<std::size_t>> all(host, 0, count);
    Kokkos::parallel_for("genten::python::copy_nonzeros", all, [&](const std::size_t p) {
      for (std::size_t n = 0; n < order; ++n) {
        // What is too large stays too large also in fewer bits.
        const std::uint64_t subscript = from(p, n);
        copy.subscripts(p, n) = static_cast<Ordinal>(std::min<std::uint64_t>(subscript, shape[n]));
      }
      copy.values(p) = static_cast<Scalar>(values(p));
    });
    host.fence();
  });
  using Host = Sptensor<Scalar, Ordinal, HostExec>;
  Host::trusted(host, shape, copy.subscripts, copy.values, {})
      .check_entries(host, static_cast<int>(order));
  tensor->look([&](const auto& any) {
    for (std::size_t p = 0; p < count; ++p) {
      if (copy.values(p) != 0 || any.values()(p) == 0) continue;
      throw Error("values: nonzero " + std::to_string(p) +
                  ": expected what float32 holds, got a value so small that it would become 0");
    }
  });
  return copy;
}

/// Whether all processes have brought the same nonzeros, in any order.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
bool are_repeated(Communicator& processes, const NonzeroArrays<Scalar, Ordinal>& mine,
                  const Lengths& shape) {
  const HostExec host;
  const auto tensor =
      Sptensor<Scalar, Ordinal, HostExec>::trusted(host, shape, mine.subscripts, mine.values, {});
  const auto fingerprint = detail::TensorFingerprint::of(host, tensor);
  const auto fingerprints = all_gather(processes, std::array{fingerprint.nnz, fingerprint.hash});
  return fingerprint.nnz != 0 &&
         std::all_of(fingerprints.begin(), fingerprints.end(),
                     [&](const auto& each) { return each == fingerprints.front(); });
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void divide_tensors(Communicator& processes, const Brought& brought, Divided& divided) {
  NonzeroArrays<Scalar, Ordinal> mine;
  together(processes, [&] { mine = copied<Scalar, Ordinal>(brought.tensor, divided.shape); });
  divided.repeated = are_repeated(processes, mine, divided.shape);
  divided.tensor = distribute(processes, HostExec(), divided.shape, std::exchange(mine, {}),
                              {.grid = brought.grid});
}

/// The lengths of process 0 instead of those of a text that knows entries alone, where they hold
/// these.
void take_lengths_beside(Communicator& processes, const Brought& brought,
                         AgreedTensorParts& whole) {
  Lengths beside = brought.lengths_beside;
  int base = brought.base_beside;
  processes.broadcast(&base, sizeof base, 0);
  beside = all_gather_lists(processes, beside).front();
  const bool same_base =
      base < 0 || index_base_of(static_cast<std::size_t>(base)) == whole.report.index_base;
  if (!same_base || whole.report.format != FileFormat::frostt) return;
  if (beside.size() != whole.dimensions.size()) return;
  for (std::size_t n = 0; n < beside.size(); ++n) {
    if (beside[n] < whole.dimensions[n]) return;
  }
  whole.dimensions = beside;
}

/// False where the ordinals are too narrow.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
bool divide_file(Communicator& processes, const Brought& brought, Divided& divided) {
  const std::string& file = brought.path;
  const auto read = [&](const ReadOptions& options) {
    return read_tensor_part<Scalar, Ordinal>(HostExec(), file, processes.process(),
                                             processes.size(),
                                             tools::options_of_part(processes, options));
  };
  const auto agreed = [&](AgreedTensorParts& whole) {
    take_lengths_beside(processes, brought, whole);
    divided.shape = whole.dimensions;
  };
  auto found = tools::distribute_file<Scalar, Ordinal>(processes, file, file, {},
                                                       {.grid = brought.grid}, read, agreed);
  if (!found) return false;
  divided.report = found->report;
  divided.tensor = std::move(found->parts);
  return true;
}

template <RealScalar Scalar>
void divide_as(Communicator& processes, const Brought& brought, Divided& divided) {
  if (!brought.path.empty()) {
    if (divide_file<Scalar, std::uint32_t>(processes, brought, divided)) return;
    divide_file<Scalar, std::uint64_t>(processes, brought, divided);
    return;
  }
  divided.shape = agreed_shape(processes, brought.tensor);
  const bool narrow = std::all_of(
      divided.shape.begin(), divided.shape.end(),
      [](std::size_t length) { return length <= std::numeric_limits<std::uint32_t>::max(); });
  if (narrow) divide_tensors<Scalar, std::uint32_t>(processes, brought, divided);
  if (!narrow) divide_tensors<Scalar, std::uint64_t>(processes, brought, divided);
}

}  // namespace

Divided divide(Communicator& processes, const Brought& brought) {
  Divided divided;
  if (agreed_single(processes, brought)) {
    divide_as<float>(processes, brought, divided);
  } else {
    divide_as<double>(processes, brought, divided);
  }
  std::array<double, 2> extremes;
  extremes.fill(-std::numeric_limits<double>::infinity());
  std::visit(
      [&](const auto& any) {
        const auto values = any.part.tensor.values();
        for (std::size_t p = 0; p < values.extent(0); ++p) {
          const auto value = static_cast<double>(values(p));
          extremes = {std::max(extremes[0], -value), std::max(extremes[1], value)};
        }
      },
      divided.tensor);
  combine(processes, {}, extremes);
  divided.least = -extremes[0];
  divided.most = extremes[1];
  return divided;
}

}  // namespace genten::python
