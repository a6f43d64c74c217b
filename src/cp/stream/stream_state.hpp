// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a StreamingCp keeps, and the bytes of it.

#include "small.hpp"

#include <genten/base/detail/option_archive.hpp>
#include <genten/cp/stream.hpp>
#include <genten/mttkrp/plan.hpp>

#include <algorithm>
#include <optional>

namespace genten {

/// A batch whose entries are kept: its tensor as long in all modes as the model was when it came.
struct KeptBatch {
  using Tensor = Sptensor<double, std::uint32_t, HostExec>;

  Tensor tensor;
  HostMatrixOf rows;           ///< of the streaming mode
  bool solved = true;          ///< whether rows were, for some factors
  double inner_product = 0.0;  ///< with the model, as rows were solved last
  std::optional<MttkrpPlan<double, std::uint32_t, HostExec>> plan = std::nullopt;
};

/// Rows of earlier slices, which are `rows` times `turn`: multiplied when they are asked for.
struct SettledRows {
  HostMatrixOf rows;
  SmallMatrix turn;  ///< 0 x 0: none
};

struct StreamingCp::State {
  int mode = 0;
  StreamOptions options;
  std::vector<RowConstraint> constraints;
  std::size_t batches = 0;
  /// That of the streaming mode: the rows before those of `settled`.
  std::vector<HostMatrixOf> factors;
  /// Rows of batches that are no longer kept, in pieces that are each longer than the next one, so
  /// that a batch costs as much after many slices as after few.
  std::vector<SettledRows> settled;
  std::vector<HostMatrixOf> extra;  ///< E_n of counts; else no rows
  FactorVersions versions{};        ///< of the factors, but for that of the streaming mode
  SmallMatrix settled_gram;         ///< S
  std::vector<KeptBatch> kept;
  /// The model where `factors` have extra components; else empty. Rows of the streaming mode are
  /// there, with the weights, or follow from all rows by `shown_turn` but for the last ones, which
  /// are `shown_last`.
  std::vector<HostMatrixOf> shown;
  std::vector<double> shown_weights;
  SmallMatrix shown_turn;
  std::vector<HostMatrixOf> shown_last;
  /// What finds duplicates in batches: kept, since fresh memory costs more than that.
  std::vector<std::uint32_t> workspace;
  /// The machine and what a plan may take there, for batches that are so small that asking for it
  /// would cost more than a tenth of their time.
  MttkrpOptions mttkrp;
  static constexpr offset_t small_batch = offset_t{1} << 20;

  [[nodiscard]] std::size_t order() const { return factors.size(); }
  [[nodiscard]] std::size_t rank() const { return factors[0].columns(); }
  [[nodiscard]] std::size_t streaming() const { return static_cast<std::size_t>(mode); }
  [[nodiscard]] bool counts() const { return options.loss == StreamLoss::poisson; }
  /// The sweeps that a batch takes part in.
  [[nodiscard]] double sweeps_of_batch() const {
    return static_cast<double>(options.sweeps) * static_cast<double>(options.history);
  }
  /// Rows of all slices so far.
  [[nodiscard]] std::size_t slices() const {
    std::size_t rows = factors[streaming()].rows();
    for (const SettledRows& piece : settled) rows += piece.rows.rows();
    for (const KeptBatch& batch : kept) rows += batch.rows.rows();
    return rows;
  }
  /// Whether there are rows of no kept batch.
  [[nodiscard]] bool has_settled() const {
    return factors[streaming()].rows() != 0 || !settled.empty();
  }
  /// Notes that the factor of a mode is another.
  void note_change(std::size_t n) {
    versions[n] = *std::max_element(versions.data(), versions.data() + max_order) + 1;
  }
};

namespace stream {

/// The state as numbers, without the model.
struct Saved {
  std::string tag;
  std::int32_t mode = 0;
  StreamOptions options;
  std::uint64_t batches = 0;
  std::vector<std::vector<double>> extra;
  std::vector<double> settled_gram;
  struct Batch {
    std::vector<std::uint64_t> dimensions;
    std::vector<std::uint32_t> subscripts;
    std::vector<double> values;

    static constexpr auto members() {
      return member_table(&Batch::dimensions, &Batch::subscripts, &Batch::values);
    }
  };
  std::vector<Batch> kept;
  /// Of the state by mode, empty where they are those of the model; that of the streaming mode has
  /// the rows of settled pieces as they are kept.
  std::vector<std::vector<double>> factors;
  struct Piece {
    std::uint64_t rows = 0;
    std::vector<double> turn;
  };
  std::vector<Piece> settled;
};

/// How the bytes of a stream's state begin, without and with the version. The first one knew no
/// extra components, the second no weights of the model, the third no settled pieces.
inline constexpr const char* name = "genten stream ";
inline constexpr const char* tag = "genten stream 4";
inline constexpr const char* third_tag = "genten stream 3";
inline constexpr const char* second_tag = "genten stream 2";
inline constexpr const char* first_tag = "genten stream 1";

template <class Archive, class Self>
requires std::same_as<std::remove_const_t<Self>, Saved>
void archive_members(Archive& archive, Self& saved) {
  archive(saved.tag);
  const bool is_first = saved.tag == first_tag;
  if (!is_first && saved.tag != second_tag && saved.tag != third_tag && saved.tag != tag) {
    throw Error(Error::Kind::file, "expected the state of a stream of version 1 to 4, got " +
                                       saved.tag + ": a later version of Genten has written it");
  }
  archive(saved.mode);
  for_each_field(saved.options, [&](const auto& field, auto& value) {
    if (!is_first || field.name != "extra") archive(value);
  });
  archive(saved.batches);
  archive(saved.extra);
  archive(saved.settled_gram);
  archive(saved.kept);
  if (!is_first) archive(saved.factors);
  if (saved.tag == tag) archive(saved.settled);
}
template <class Archive, class Self>
requires std::same_as<std::remove_const_t<Self>, Saved::Piece>
void archive_members(Archive& archive, Self& piece) {
  archive(piece.rows);
  archive(piece.turn);
}

}  // namespace stream
}  // namespace genten
