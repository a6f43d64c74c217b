// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tensor.hpp"
#include "base/column_words.hpp"
#include "base/period_words.hpp"
#include "tools/hints/alike_names.hpp"
#include "tools/hints/date_forms.hpp"
#include "tools/hints/margin_names.hpp"
#include "tools/hints/measures.hpp"
#include "tools/hints/new_names.hpp"
#include "tools/hints/summed_rows.hpp"
#include "tools/hints/units.hpp"
#include "tools/hints/unused_columns.hpp"
#include "tools/long_modes.hpp"

#include <genten/core/merge_duplicates.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

namespace genten::python {
namespace {

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
using HostTensor = Sptensor<Scalar, Ordinal, HostExec>;

template <SubscriptOrdinal Ordinal>
using Subscripts = Kokkos::View<const Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// The subscripts as the library wants them: Python's own where they are that already.
template <SubscriptOrdinal Ordinal>
Subscripts<Ordinal> take_subscripts(const SubscriptColumns& columns,
                                    const std::vector<std::size_t>& dimensions,
                                    const Ordinal* packed) {
  const auto count = static_cast<std::size_t>(columns.count());
  if (packed != nullptr) {
    columns.check<Ordinal>(dimensions, nullptr);
    return Subscripts<Ordinal>(packed, count, dimensions.size());
  }
  const auto view =
      detail::uninitialized_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>>(
          "genten::subscripts", count, dimensions.size());
  columns.check<Ordinal>(dimensions, view.data());
  return view;
}

template <RealScalar Scalar>
Kokkos::View<const Scalar*, Kokkos::HostSpace> take_values(const PackedArray& values, bool copy) {
  const Scalar* const data = elements<Scalar>(values, 1);
  if (!copy) return Kokkos::View<const Scalar*, Kokkos::HostSpace>(data, values.shape(0));
  const auto view = detail::uninitialized_view<Kokkos::View<Scalar*, Kokkos::HostSpace>>(
      "genten::values", values.shape(0));
  std::copy_n(data, values.shape(0), view.data());
  return view;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
AnyTensor make_tensor(const SubscriptColumns& columns, const PackedArray& values,
                      const std::vector<std::size_t>& dimensions, const Ordinal* packed,
                      bool copy) {
  const HostExec host;
  const auto subscripts = take_subscripts<Ordinal>(columns, dimensions, packed);
  // Subscripts were checked as they came, in the words of their own type.
  auto tensor = HostTensor<Scalar, Ordinal>::trusted(host, dimensions, subscripts,
                                                     take_values<Scalar>(values, copy), {});
  tensor.check_values(host);
  return tensor;
}

bool fit_in_32_bits(const std::vector<std::size_t>& dimensions) {
  return std::all_of(dimensions.begin(), dimensions.end(), [](std::size_t length) {
    return length <= std::numeric_limits<std::uint32_t>::max();
  });
}

nb::object shape_of(const Tensor& tensor) {
  nb::list shape;
  tensor.look([&](const auto& any) {
    for (const std::size_t length : any.dimensions()) shape.append(length);
  });
  return nb::tuple(shape);
}

/// An array that shows what the tensor's View holds and cannot be written to.
template <class View>
nb::object show_readonly(const View& view, nb::handle owner) {
  using Element = typename View::const_value_type;
  constexpr std::size_t rank = View::rank;
  std::array<std::size_t, rank> shape;
  for (std::size_t d = 0; d < rank; ++d) shape[d] = view.extent(static_cast<int>(d));
  return nb::cast(nb::ndarray<nb::numpy, Element>(view.data(), rank, shape.data(), owner));
}

}  // namespace

Tensor::Tensor(const SubscriptColumns& columns, nb::object subscripts_owner,
               const PackedArray& values, const std::vector<std::size_t>& dimensions, bool copy) {
  if (columns.count() != static_cast<offset_t>(values.size())) {
    throw Error::in("Sptensor", "expected a value for each of " + std::to_string(columns.count()) +
                                    " nonzeros, got " + std::to_string(values.size()));
  }
  if (static_cast<std::size_t>(columns.order()) != dimensions.size()) {
    throw Error::in("Sptensor", "expected " + std::to_string(dimensions.size()) +
                                    " subscripts a nonzero, one a dimension, got " +
                                    std::to_string(columns.order()));
  }
  const bool narrow = fit_in_32_bits(dimensions);
  const std::uint32_t* const as32 = copy || !narrow ? nullptr : columns.packed<std::uint32_t>();
  const std::uint64_t* const as64 = copy ? nullptr : columns.packed<std::uint64_t>();
  m_tensor = in_turn([&] {
    return with_scalar(values, [&](auto zero) -> AnyTensor {
      using Scalar = decltype(zero);
      if (as64 != nullptr || !narrow) {
        return make_tensor<Scalar, std::uint64_t>(columns, values, dimensions, as64, copy);
      }
      return make_tensor<Scalar, std::uint32_t>(columns, values, dimensions, as32, copy);
    });
  });
  m_shared = !copy;
  if (!copy) m_values = values;
  m_shared_subscripts = as32 != nullptr || as64 != nullptr;
  if (m_shared_subscripts) m_subscripts = std::move(subscripts_owner);
}

namespace {

tools::ModesOfTable modes_of_table(const std::vector<AnyArray>& columns,
                                   const std::vector<bool>& named, const PackedArray& values) {
  const bool same = std::all_of(columns.begin(), columns.end(), [&](const AnyArray& column) {
    return column.ndim() == 1 && column.shape(0) == values.shape(0);
  });
  if (!same || named.size() != columns.size()) {
    throw std::invalid_argument("expected a mark for each column, and columns as long as values");
  }
  tools::ModesOfTable table;
  table.named = named;
  for (const AnyArray& column : columns) {
    const auto* const data = elements<std::uint64_t>(column, 1);
    const std::int64_t stride = column.stride(0);
    auto& copy = table.subscripts.emplace_back(column.shape(0));
    for (std::size_t p = 0; p < copy.size(); ++p)
      copy[p] = data[static_cast<std::int64_t>(p) * stride];
  }
  const auto* const numbers = elements<double>(values, 1);
  table.values.assign(numbers, numbers + values.shape(0));
  return table;
}

void keep_listed(Tensor& tensor, const PackedArray& values) {
  tensor.set_as_listed(in_turn([&] {
    return with_scalar(values, [&]<class Scalar>(Scalar) {
      const Kokkos::View<const Scalar*, Kokkos::HostSpace> view(
          static_cast<const Scalar*>(values.data()), values.size());
      return summary_of(HostExec(), view, values.size());
    });
  }));
}

}  // namespace

void bind_tensor(nb::module_& module) {
  module.def("most_rows_of_ids", tools::most_rows_of_ids, nb::arg("length"), nb::arg("least"));
  module.def("are_ids", tools::are_ids, nb::arg("length"), nb::arg("least"), nb::arg("used"));
  module.def(
      "single_rows",
      [](const nb::sequence& names, std::size_t rows, std::size_t nonzeros) {
        const bool named = nb::len(names) != 0;
        const auto name_of = [&](std::size_t i) {
          return named ? nb::cast<std::string>(names[i]) : std::string();
        };
        const auto found = tools::single_rows(rows, nonzeros, name_of);
        return found == tools::SingleRows::none    ? ""
               : found == tools::SingleRows::times ? "times"
                                                   : "any";
      },
      nb::arg("names"), nb::arg("rows"), nb::arg("nonzeros"),
      "'times' for rows of a mode that are times of day, three nonzeros each at most on average; "
      "'any' for others, with names or none, of which nearly each nonzero has one to itself; '' "
      "for rows with more.");
  module.def(
      "unit_of",
      [](const nb::sequence& texts) -> std::optional<std::string> {
        try {
          return tools::unit_of(nb::len(texts),
                                [&](std::size_t i) { return nb::cast<std::string>(texts[i]); });
        } catch (const nb::cast_error&) {  // of what is no Unicode
          return std::nullopt;
        }
      },
      nb::arg("texts"),
      "Where all texts are numbers: the unit behind each, with the blanks before it, or ''.");
  module.def("likeness_to_values", likeness_to_values, nb::arg("name"),
             "How well a column goes by its name for that of the values: 2 of a quantity, 0 of "
             "ids, times and places, 1 of others.");
  module.def(
      "words_among_numbers",
      [](const std::string& column, const nb::sequence& texts) {
        try {
          return tools::words_among_numbers(column, nb::len(texts), [&](std::size_t i) {
            return nb::cast<std::string>(texts[i]);
          });
        } catch (const nb::cast_error&) {  // of what is no Unicode
          return std::vector<std::string>();
        }
      },
      nb::arg("column"), nb::arg("texts"),
      "Of a column of which most texts are numbers: the others, where they stand for values that "
      "nobody knows.");
  module.def("columns_of_times", columns_of_times, nb::arg("columns"),
             "Those that are called as times are, where they are three or more.");
  module.def("most_looked_at", [] { return tools::most_looked_at; });
  module.def(
      "doubtful_numbers",
      [](const std::vector<AnyArray>& columns, const std::vector<bool>& named,
         const PackedArray& values, const std::vector<std::string>& names) {
        if (names.size() != columns.size()) {
          throw std::invalid_argument("expected a name for each column");
        }
        const tools::ModesOfTable table = modes_of_table(columns, named, values);
        const auto wide = tools::wide_columns(table, names);
        const std::string note =
            wide.empty() ? tools::measures_note(tools::measures_in(table, names, false), names)
                         : std::string();
        return nb::make_tuple(wide, in_words(note));
      },
      nb::arg("columns"), nb::arg("named"), nb::arg("values"), nb::arg("names"),
      "Which modes of numbers hold one quantity, as those of a wide table may; where there are "
      "none, a note on modes of numbers that may be quantities, '' of none.");
  module.def(
      "summed_rows",
      [](const std::vector<AnyArray>& columns, const std::vector<bool>& named,
         const PackedArray& values, const nb::callable& name) {
        std::vector<std::vector<std::pair<std::size_t, std::string>>> told;
        for (const auto& of_mode : tools::summed_rows(modes_of_table(columns, named, values))) {
          const auto mode = told.size();
          told.emplace_back();
          for (const tools::SummedRow& sum : of_mode) {
            told.back().emplace_back(sum.row, tools::about_summed_row(sum, [&](std::size_t row) {
                                       return nb::cast<std::string>(name(mode, row));
                                     }));
          }
        }
        return told;
      },
      nb::arg("columns"), nb::arg("named"), nb::arg("values"), nb::arg("name"),
      "By mode with names the rows that hold the sums of others, and what is said of them, in "
      "which "
      "name(mode, row) calls these.");
  module.def(
      "margins_by_numbers",
      [](const std::vector<AnyArray>& columns, const std::vector<bool>& named,
         const PackedArray& values, const std::vector<std::vector<std::string>>& names) {
        return tools::margins_by_numbers(modes_of_table(columns, named, values), names);
      },
      nb::arg("columns"), nb::arg("named"), nb::arg("values"), nb::arg("names"),
      "By mode rows called by ordinary words, as 'overall', that hold sums or means of others.");
  module.def(
      "unused_columns_note",
      [](const std::vector<std::string>& columns, bool of_model, const nb::callable& option) {
        return tools::unused_columns_note(columns, of_model, [&option](const std::string& name) {
          return nb::cast<std::string>(option(name));
        });
      },
      nb::arg("columns"), nb::arg("of_model"), nb::arg("option"),
      "The note on columns of a table that are not used, since its rows are counted.");
  module.def(
      "alike_names",
      [](const std::vector<std::string>& names) {
        const auto found = tools::alike_names(names);
        const std::string text =
            found.count == 0 ? "" : tools::text_of(found, "name", "another", '\'');
        return nb::make_tuple(text, found.first, found.second);
      },
      nb::arg("names"),
      "(what is said, two of them) of names that somebody may have meant to be the same.");
  module.def(
      "several_date_forms",
      [](const std::vector<std::string>& names) -> std::optional<std::string> {
        const std::string found = tools::several_date_forms(names, '\'');
        if (found.empty()) return std::nullopt;
        return found + ": " + tools::date_forms_remedy;
      },
      nb::arg("names"), "That names are dates in several forms, and what is to be done.");
  module.def("missing_names", &tools::missing_names, nb::arg("names"),
             "Those that stand for a missing value where a program has written them.");
  module.def("margin_names", &tools::margin_names, nb::arg("names"), nb::arg("modes"),
             nb::arg("ordinary"),
             "By mode those of rows that sum or average the others, as 'Total' among three.");
  module.def(
      "new_name_notes", &tools::new_name_notes, nb::arg("known"), nb::arg("fresh"),
      "What is doubtful of names of new rows beside those of the model: parts of sentences.");
  module.def("meant_names", &tools::meant_names, nb::arg("known"), nb::arg("unknown"),
             "Which known rows are meant by unknown names; '' where nothing tells.");
  module.def("new_margins_note", &tools::new_margins_note, nb::arg("known"), nb::arg("fresh"),
             "The same of new rows that sum or average the others alone; '' of none.");
  module.def("margins_remedy", [] { return tools::margins_remedy; });
  nb::class_<Tensor>(module, "SparseTensor", "A sparse tensor that the library can read.")
      .def_prop_ro("shape", &shape_of, "Lengths of the modes.",
                   nb::sig("def shape(self) -> tuple[int, ...]"))
      .def_prop_ro("nnz",
                   [](const Tensor& self) {
                     return self.look([](const auto& tensor) { return tensor.nnz(); });
                   })
      .def_prop_ro("density",
                   [](const Tensor& self) {
                     return self.look([](const auto& tensor) { return tensor.density(); });
                   })
      .def_prop_ro(
          "values",
          [](nb::handle self) {
            return nb::cast<const Tensor&>(self).look(
                [&](const auto& tensor) { return show_readonly(tensor.values(), self); });
          },
          nb::sig("def values(self) -> numpy.ndarray"))
      .def_prop_ro(
          "subscripts",
          [](nb::handle self) {
            return nb::cast<const Tensor&>(self).look(
                [&](const auto& tensor) { return show_readonly(tensor.subscripts(), self); });
          },
          nb::sig("def subscripts(self) -> numpy.ndarray"))
      .def_prop_ro("shares_subscripts", &Tensor::shares_subscripts)
      .def("check", [](const Tensor& self) { self.visit([](const auto&) {}); })
      .def("keep_listed", &keep_listed, nb::arg("values"),
           "Keeps for notes what these values are, of which some were merged.")
      .def(
          "keep_listed_of",
          [](Tensor& self, const Tensor& other) { self.set_as_listed(other.as_listed()); },
          nb::arg("other"))
      .def("norm", [](const Tensor& self) {
        return self.visit([](const auto& tensor) {
          const HostExec host;
          return norm(host, sum_duplicates(host, tensor).tensor);
        });
      });
  module.def(
      "merged",
      [](const Tensor& given, const std::string& rule) {
        std::size_t many = 0;
        AnyTensor tensor;
        std::optional<ValueSummary> as_listed;
        given.visit([&](const auto& any) {
          as_listed = summary_of(HostExec(), any.values(), static_cast<std::size_t>(any.nnz()));
          auto found = merge_duplicates(HostExec(), any, from_word<Duplicates>(rule).value());
          many = static_cast<std::size_t>(found.merged);
          tensor = std::move(found.tensor);
        });
        auto made = std::make_unique<Tensor>(std::move(tensor));
        if (many != 0) made->set_as_listed(as_listed);
        return nb::make_tuple(std::move(made), many);
      },
      nb::arg("tensor"), nb::arg("rule"),
      "The tensor with one nonzero an entry, in the order of the entries, and how many were "
      "merged.");
  module.def(
      "tensor_from_matrix",
      [](nb::object subscripts, const PackedArray& values,
         const std::vector<std::size_t>& dimensions, bool copy) {
        const auto matrix = nb::cast<AnyArray>(subscripts);
        return std::make_unique<Tensor>(SubscriptColumns(matrix), subscripts, values, dimensions,
                                        copy);
      },
      nb::arg("subscripts"), nb::arg("values"), nb::arg("shape"), nb::arg("copy"),
      "A tensor of a nnz x N matrix of subscripts.");
  module.def(
      "tensor_from_columns",
      [](nb::object subscripts, const PackedArray& values,
         const std::vector<std::size_t>& dimensions, bool copy) {
        // Vectors may well be the columns of a matrix.
        const auto vectors = nb::cast<std::vector<AnyArray>>(subscripts);
        return std::make_unique<Tensor>(SubscriptColumns(vectors), subscripts, values, dimensions,
                                        copy);
      },
      nb::arg("subscripts"), nb::arg("values"), nb::arg("shape"), nb::arg("copy"),
      "A tensor of a vector of subscripts a mode.");
}

}  // namespace genten::python
