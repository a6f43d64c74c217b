// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../file/memory.hpp"
#include "model_blocks.hpp"
#include "ttensor_file.hpp"

#include <genten/base/detail/allocation.hpp>
#include <genten/base/error.hpp>

#include <vector>

namespace genten::detail {
namespace {

constexpr std::size_t longest_identity = 10000;

/// Reads a Tucker model line by line.
template <class Scalar>
class TuckerReader : private BlockReader<Scalar> {
 public:
  using BlockReader<Scalar>::BlockReader;

  Ttensor<Scalar, HostExec> read() {
    expect_word("ttensor");
    expect_word("tensor");
    const std::size_t order = read_order();
    advance("the ranks");
    require_fields(order, "rank");
    std::vector<std::size_t> ranks;
    std::size_t elements = 1;
    for (std::size_t n = 0; n < order; ++n) {
      ranks.push_back(count_field(n, "a rank"));
      if (ranks.back() == 0) fail("expected ranks of 1 or more, got 0");
      elements = saturating_product(elements, ranks.back());
    }
    check_size("the core", elements);
    const auto core =
        new_view<typename Ttensor<Scalar, HostExec>::core_view>("genten::core", elements);
    VanishedColumns vanished(1);
    for (std::size_t k = 0; k < elements; ++k) {
      advance("element " + std::to_string(k + 1) + " of the core");
      read_numbers(&core(k), 1, "number", vanished);
    }
    vanished.check(m_file.path(), "the core", sizeof(Scalar));
    std::vector<FacMatrix<Scalar, HostExec>> factors;
    for (std::size_t n = 0; n < order; ++n) factors.push_back(read_factor(n + 1, ranks[n]));
    require_end();
    return Ttensor<Scalar, HostExec>(ranks, core, factors);
  }

 private:
  using Base = BlockReader<Scalar>;
  using Base::advance, Base::count_field, Base::expect_word, Base::fail, Base::m_file;
  using Base::read_matrix_head, Base::read_numbers, Base::read_order, Base::read_rows;
  using Base::require_end, Base::require_fields;

  /// A number takes two bytes at least, so a short file cannot hold what it announces.
  void check_size(const std::string& what, std::size_t numbers) const {
    if (numbers > m_file.bytes().size() / 2) {
      fail("truncated: the file is too short for " + what);
    }
    require_memory(m_file.path(), what, saturating_product(numbers, 2 * sizeof(Scalar)), 0);
  }

  FacMatrix<Scalar, HostExec> read_factor(std::size_t mode, std::size_t rank) {
    const std::string name = "the factor of mode " + std::to_string(mode);
    const auto [rows, columns] = read_matrix_head(name);
    if (rows == 0 || columns != rank) {
      fail("expected 1 row or more and " + counted(rank, "column") + " (the rank) in " + name +
           ", got " + std::to_string(rows) + " x " + std::to_string(columns));
    }
    check_size(name, saturating_product(rows, columns));
    const FacMatrix<Scalar, HostExec> factor(rows, columns);
    read_rows(factor, name);
    return is_identity(factor) ? FacMatrix<Scalar, HostExec>() : factor;
  }

  static bool is_identity(const FacMatrix<Scalar, HostExec>& factor) {
    if (factor.rows() != factor.columns()) return false;
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      for (std::size_t j = 0; j < factor.columns(); ++j) {
        if (factor(i, j) != Scalar(i == j ? 1 : 0)) return false;
      }
    }
    return true;
  }
};

}  // namespace

template <RealScalar Scalar>
Ttensor<Scalar, HostExec> read_text_ttensor(const FileContent& file) {
  return TuckerReader<Scalar>(file).read();
}

template <RealScalar Scalar>
void write_text_ttensor(const std::string& path, const Ttensor<Scalar, HostExec>& model,
                        Compression compression) {
  for (int n = 0; n < model.order(); ++n) {
    if (model.is_compressed(n) || model.rank(n) <= longest_identity) continue;
    throw Error(Error::Fields{
        .path = path,
        .complaint = "mode " + std::to_string(n + 1) + " is not compressed, and the identity of " +
                     std::to_string(model.rank(n)) + " rows is too large to be written; expected " +
                     std::to_string(longest_identity) + " at most"});
  }
  TextFile file(path, compression);
  file.text = "ttensor\ntensor\n" + std::to_string(model.order()) + "\n";
  for (const std::size_t rank : model.ranks()) file.text += std::to_string(rank) + " ";
  file.text.back() = '\n';
  for (std::size_t k = 0; k < model.core().extent(0); ++k) {
    append_numbers(file.text, &model.core()(k), 1);
    file.write_block();
  }
  for (int n = 0; n < model.order(); ++n) {
    const auto& factor = model.factor(n);
    append_matrix_head(file.text, model.dimension(n), model.rank(n));
    std::vector<Scalar> unit(model.is_compressed(n) ? 0 : model.rank(n), Scalar(0));
    for (std::size_t i = 0; i < model.dimension(n); ++i) {
      if (!unit.empty()) unit[i] = Scalar(1);
      append_numbers(file.text, unit.empty() ? factor.row(i) : unit.data(), model.rank(n));
      if (!unit.empty()) unit[i] = Scalar(0);
      file.write_block();
    }
  }
  file.commit();
}

template Ttensor<float, HostExec> read_text_ttensor(const FileContent&);
template Ttensor<double, HostExec> read_text_ttensor(const FileContent&);
template void write_text_ttensor(const std::string&, const Ttensor<float, HostExec>&, Compression);
template void write_text_ttensor(const std::string&, const Ttensor<double, HostExec>&, Compression);

}  // namespace genten::detail
