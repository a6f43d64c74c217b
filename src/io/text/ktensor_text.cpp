// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../file/ktensor_file.hpp"
#include "../file/memory.hpp"
#include "../file/other_forms.hpp"
#include "../model/model_blocks.hpp"
#include "../table/table_layout.hpp"

#include <genten/base/error.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

namespace {

/// Reads the Tensor Toolbox's text form of a model line by line.
template <class Scalar>
class ModelReader : private BlockReader<Scalar> {
 public:
  using BlockReader<Scalar>::BlockReader;

  Ktensor<Scalar, HostExec> read() {
    advance("the word ktensor");
    require_no_tensor();
    require_word("ktensor");
    const std::size_t order = read_order();
    advance("the dimensions");
    require_fields(order, "dimension");
    std::vector<std::size_t> dimensions;
    for (std::size_t n = 0; n < order; ++n) dimensions.push_back(count_field(n, "a dimension"));
    const std::size_t rank = read_count("the number of components");
    if (rank == 0) fail("expected 1 component or more, got 0");
    check_size(dimensions, rank);
    Ktensor<Scalar, HostExec> model(dimensions, rank);
    advance("the weights");
    VanishedColumns vanished(rank);
    read_numbers(model.weights().data(), rank, "weight", vanished);
    vanished.check(m_file.path(), "the weights", sizeof(Scalar));
    for (int n = 0; n < model.order(); ++n) read_factor(model.factor(n), n);
    require_end();
    return model;
  }

 private:
  using Base = BlockReader<Scalar>;
  using Base::advance, Base::count_field, Base::fail, Base::m_file, Base::m_line;
  using Base::read_count, Base::read_matrix_head, Base::read_numbers, Base::read_order;
  using Base::read_rows, Base::refuse, Base::require_end, Base::require_fields, Base::require_word;

  /// Whether the line may be an entry of a tensor or the sizes of a matrix: subscripts and a value.
  [[nodiscard]] bool is_entry() const {
    const auto value = m_line.fields.end() - 1;
    double number = 0.0;
    return value != m_line.fields.begin() && to_value(*value, number) == ValueStatus::good &&
           std::all_of(m_line.fields.begin(), value,
                       [](std::string_view field) { return to_count(field).value_or(0) > 0; });
  }

  /// Sparse tensors begin with their own word, with an entry, or with the names of columns.
  void require_no_tensor() const {
    refuse_json(m_file.path(), m_file.bytes(), "a model");
    const std::string other = other_form(m_file.path(), m_file.bytes());
    if (!other.empty()) refuse("a model", other, "");
    const std::string_view word = m_line.fields[0];
    if (word == "tensor" || word == "matrix") {
      refuse("a model", "a dense tensor", ", as the Tensor Toolbox and pyttb write it");
    }
    if (word == "ttensor") refuse("a CP model", "a Tucker model", "");
    if (word != "ktensor" && is_table(m_file.bytes(), {})) {
      refuse("a model", "a table", ", by its first line");
    }
    if (word != "sptensor" && !is_entry()) return;
    refuse("a model", "a sparse tensor",
           ": " + in_quotes(word) + " stands where a model has the word ktensor");
  }

  /// A number takes two bytes at least, so a short file cannot hold what it announces.
  void check_size(const std::vector<std::size_t>& dimensions, std::size_t rank) const {
    std::size_t rows = 1;
    for (const std::size_t dimension : dimensions) {
      if (dimension > m_file.bytes().size()) rows = m_file.bytes().size();
      rows += dimension > m_file.bytes().size() ? 0 : dimension;
    }
    if (saturating_product(rows, rank) > m_file.bytes().size() / 2) {
      fail("truncated: the file is too short for a model of these dimensions and " +
           counted(rank, "component"));
    }
    require_model_memory(m_file.path(), dimensions, rank, sizeof(Scalar));
  }

  void read_factor(const FacMatrix<Scalar, HostExec>& factor, int n) {
    const std::string name = "the factor of mode " + std::to_string(n + 1);
    const auto [rows, columns] = read_matrix_head(name);
    if (rows != factor.rows() || columns != factor.columns()) {
      fail("expected " + std::to_string(factor.rows()) + " x " + std::to_string(factor.columns()) +
           " as the size of " + name + ", got " + std::to_string(rows) + " x " +
           std::to_string(columns));
    }
    read_rows(factor, name);
  }
};

}  // namespace

template <RealScalar Scalar>
Ktensor<Scalar, HostExec> read_text_ktensor(const FileContent& file) {
  return ModelReader<Scalar>(file).read();
}

template <RealScalar Scalar>
void write_text_ktensor(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                        Compression compression) {
  TextFile file(path, compression);
  file.text = "ktensor\n" + std::to_string(model.order()) + "\n";
  for (const std::size_t rows : model.dimensions()) file.text += std::to_string(rows) + " ";
  file.text.back() = '\n';
  file.text += std::to_string(model.rank()) + "\n";
  append_numbers(file.text, model.weights().data(), model.rank());
  for (const auto& factor : model.factors()) {
    append_matrix_head(file.text, factor.rows(), factor.columns());
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      append_numbers(file.text, factor.row(i), factor.columns());
      file.write_block();
    }
  }
  file.commit();
}

template Ktensor<float, HostExec> read_text_ktensor(const FileContent&);
template Ktensor<double, HostExec> read_text_ktensor(const FileContent&);
template void write_text_ktensor(const std::string&, const Ktensor<float, HostExec>&, Compression);
template void write_text_ktensor(const std::string&, const Ktensor<double, HostExec>&, Compression);

}  // namespace genten::detail
