// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "options.hpp"
#include "parts.hpp"
#include "results.hpp"
#include "tensor.hpp"
#include "tools/hints/new_rows.hpp"

#include <genten/cp/stream.hpp>

#include <nanobind/stl/string.h>

#include <optional>

namespace genten::python {
namespace {

/// A stream, whose Views go before Kokkos does.
class Stream final : public KokkosOwned {
 public:
  explicit Stream(StreamingCp stream) : m_stream(std::move(stream)) {}
  void let_go() noexcept override { m_stream.reset(); }
  [[nodiscard]] StreamingCp& get() { return *m_stream; }

 private:
  std::optional<StreamingCp> m_stream;
};

/// Calls use(tensor in double), in a turn.
template <class Use>
void in_double(const Tensor& tensor, const Use& use) {
  tensor.visit_unchanging_rows([&](const auto& any) {
    using Scalar = typename std::remove_cvref_t<decltype(any)>::scalar_type;
    if constexpr (std::is_same_v<Scalar, double>) {
      use(any);
    } else {
      throw Error("expected values of float64");
    }
  });
}

Stream* begin_stream(const ModelArrays& arrays, int mode, const nb::dict& given) {
  StreamOptions options;
  set_options(options, given);
  check_ranges(options);
  return in_turn(
      [&] { return new Stream(StreamingCp(HostExec(), arrays.view<double>(), mode, options)); });
}

Stream* load_stream(const std::string& path) {
  return in_turn([&] {
    const auto saved = read_checkpoint<double, HostExec>(path);
    if (!StreamingCp::is_stream(saved)) {
      throw Error::in_file(path, 0, "expected what a stream has saved, got a solver's checkpoint");
    }
    return new Stream(StreamingCp(HostExec(), saved));
  });
}

/// The options of what a stream has saved; None for any other file.
nb::object stream_options_in(const std::string& path) {
  const auto options = in_turn([&]() -> std::optional<StreamOptions> {
    const auto saved = StreamingCp::saved_in(path);
    return saved ? std::optional(StreamingCp(HostExec(), *saved).options()) : std::nullopt;
  });
  return options ? nb::object(options_dict(*options)) : nb::none();
}

nb::dict update(Stream& stream, const Tensor& slices, std::optional<std::size_t> first_number) {
  StreamBatch found;
  in_double(slices, [&](const auto& tensor) {
    found = stream.get().update(HostExec(), tensor, first_number);
  });
  nb::dict dict;
  dict["slices"] = found.slices;
  dict["nonzeros"] = found.nonzeros;
  dict["empty"] = found.empty;
  dict["first"] = found.first;
  dict["new_rows"] = found.new_rows;
  dict["tensor_norm"] = found.tensor_norm;
  dict["residual_norm"] = found.residual_norm;
  dict["fit"] = found.fit;
  dict["fit_of_new_rows"] = found.fit_of_new_rows;
  dict["fit_of_other_rows"] = found.fit_of_other_rows;
  dict["doubts"] = tools::batch_notes(found, in_words);
  return dict;
}

}  // namespace

void bind_stream(nb::module_& module) {
  nb::class_<Stream>(module, "Stream", "A model that goes on while slices arrive.")
      .def_prop_ro("mode", [](Stream& stream) { return stream.get().mode(); })
      .def_prop_ro("batches", [](Stream& stream) { return stream.get().batches(); })
      .def_prop_ro("options", [](Stream& stream) { return options_dict(stream.get().options()); })
      .def("train",
           [](Stream& stream, const Tensor& tensor) {
             in_double(tensor, [&](const auto& each) { stream.get().train(HostExec(), each); });
           })
      .def("update", &update, nb::arg("slices"), nb::arg("first_number").none())
      .def("set_options",
           [](Stream& stream, double forget, std::size_t history, std::size_t sweeps) {
             stream.get().set_options(forget, history, sweeps);
           })
      .def("model",
           [](Stream& stream) { return show(in_turn([&] { return stream.get().model(); })); })
      .def("save", [](Stream& stream, const std::string& path) {
        in_turn([&] { write_checkpoint(path, stream.get().checkpoint()); });
      });
  module.def(
      "begin_stream",
      [](const PackedArray& weights, const std::vector<AnyArray>& factors, int mode,
         const nb::dict& options) {
        return begin_stream(ModelArrays{weights, factors}, mode, options);
      },
      nb::arg("weights"), nb::arg("factors"), nb::arg("mode"), nb::arg("options"),
      nb::rv_policy::take_ownership);
  module.def("stream_options_in", &stream_options_in, nb::arg("path"));
  module.def("load_stream", &load_stream, nb::arg("path"), nb::rv_policy::take_ownership);
  module.def("stream_options", &option_table<StreamOptions>);
}

}  // namespace genten::python
