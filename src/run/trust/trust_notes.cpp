// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../note_text.hpp"

#include <genten/run/trust/run_trust.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace genten {
namespace {

/// The numbers of components, as faces count them.
class Numbered {
 public:
  void add(std::size_t r) { m_numbers.push_back(error_text::number(r)); }
  [[nodiscard]] bool empty() const { return m_numbers.empty(); }
  [[nodiscard]] std::size_t size() const { return m_numbers.size(); }
  /// A note that begins "of 4 components, 2 and 3 (counted from 1) ": `one` or `several` goes on.
  [[nodiscard]] Note note(NoteCode code, std::size_t rank, const std::string& one,
                          const std::string& several) const {
    return {code,
            "of " + count_of(rank, "component") + ", " + listed(m_numbers) + error_text::counted() +
                " " + (m_numbers.size() == 1 ? one : several),
            {{"components", static_cast<double>(m_numbers.size())},
             {"rank", static_cast<double>(rank)}}};
  }

 private:
  std::vector<std::string> m_numbers;
};

std::string lower_rank(bool compares_ranks) {
  if (compares_ranks) return "a lower rank";
  return "a lower rank (" + error_text::remedy("choose_rank") + " compares ranks)";
}

/// `starts_mix`: every start finds other components, as a note says that is told already;
/// `are_cut`: a limit has ended runs that may have come to the same.
void add_unstable(const std::vector<ComponentStability>& stability, bool starts_mix, bool are_cut,
                  const std::string& lower, std::vector<Note>& notes) {
  Numbered unstable;
  bool by_starts = false, by_refits = false, found_by_best = true;
  for (std::size_t r = 0; r < stability.size(); ++r) {
    if (!stability[r].is_unstable()) continue;
    unstable.add(r);
    by_starts = by_starts || stability[r].is_unstable_by_starts();
    by_refits = by_refits || stability[r].is_unstable_by_refits();
    found_by_best = found_by_best && stability[r].is_found_by_best();
  }
  if (unstable.empty()) return;
  const std::string by = !by_refits  ? "the other starts"
                         : by_starts ? "the other starts or refits"
                                     : "the refits";
  std::string found = " found by fewer than half of " + by, remedy;
  if (found_by_best && !by_refits && !starts_mix && !are_cut) {
    found +=
        ", though by all that came to the least objective: those that ended at worse models "
        "say little, and refits (" +
        error_text::option("bootstrap", "100") + ") tell whether to build on ";
    notes.push_back(unstable.note(NoteCode::unstable_components, stability.size(),
                                  "is" + found + "it", "are" + found + "them"));
    return;
  }
  if (!by_starts && unstable.size() < stability.size()) {
    found += ", at least half of which find the others";
  }
  found += ": do not build on ";
  if (are_cut && by_starts) {
    remedy = "; starts may come to the same once they converge, with more iterations (" +
             error_text::option("max-iterations") + ")";
  } else if (!by_starts || by_refits || !starts_mix) {
    remedy = std::string("; try ") + (by_starts && !starts_mix ? "more starts or " : "");
    remedy += lower;
  }
  notes.push_back(unstable.note(NoteCode::unstable_components, stability.size(),
                                "is" + found + "it" + remedy, "are" + found + "them" + remedy));
}

/// Whether an interval of 90 % of a weight that is not zero holds zero: that of the refits or, of
/// a run without, that of the standard error.
bool may_be_zero(const RunTrust& trust, double weight, std::size_t r) {
  constexpr double within = 1.6448536269514722;  // standard errors
  if (weight == 0.0) return false;               // that is told otherwise
  if (trust.bootstrap && trust.bootstrap->refits != 0) {
    const IntervalNumbers& found = trust.bootstrap->weights;
    return found.lower[r] <= 0.0 && found.upper[r] >= 0.0;
  }
  return trust.standard_errors && std::abs(weight) <= within * trust.standard_errors->weights[r];
}

void add_uncertain(const RunTrust& trust, const std::vector<double>& weights,
                   const std::string& lower, std::vector<Note>& notes) {
  Numbered uncertain;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (may_be_zero(trust, weights[r], r)) uncertain.add(r);
  }
  if (uncertain.empty()) return;
  const std::string why = " interval of 90 % holds zero: the data may do without ";
  notes.push_back(uncertain.note(NoteCode::uncertain_weights, weights.size(),
                                 "has a weight whose" + why + "it; try " + lower,
                                 "have weights whose" + why + "them; try " + lower));
}

/// From twice the variance on: errors are too small by a third and more.
void add_overdispersed(const RunTrust& trust, std::vector<Note>& notes) {
  constexpr double least = 2.0;
  if (!trust.standard_errors || !trust.standard_errors->determined) return;
  const double found = trust.standard_errors->overdispersion.value_or(1.0);
  if (!(found >= least)) return;  // NaN, too
  notes.push_back({NoteCode::overdispersed,
                   "the data vary " + number(found) +
                       " times as much around the model as counts of the loss do, as amounts and "
                       "events that come together do, or where components lack: standard errors "
                       "are too small, by the root of that at least, about " +
                       number(std::sqrt(found), "%.2g") +
                       ", and intervals of refits likewise, but of those that draw slices of a "
                       "mode, " +
                       error_text::option("bootstrap-mode"),
                   {{"overdispersion", found}}});
}

void add_ends(const RunTrust& trust, std::vector<Note>& notes) {
  if (trust.standard_errors && !trust.standard_errors->determined) {
    notes.push_back({NoteCode::no_standard_errors,
                     "there are no standard errors of all numbers: the data do not determine them, "
                     "or the run has not come to its minimum, and a smaller " +
                         error_text::option("tolerance") + " helps"});
  }
  if (!trust.bootstrap || !trust.bootstrap->stopped) return;
  const Bootstrap& made = *trust.bootstrap;
  const std::string by = is_interrupted(trust) ? "an interruption" : "the time limit";
  notes.push_back(
      {NoteCode::refits_cut,
       by + " ended the bootstrap after " + std::to_string(made.refits) + " of " +
           std::to_string(made.asked) + " refits",
       {{"refits", static_cast<double>(made.refits)}, {"asked", static_cast<double>(made.asked)}}});
}

}  // namespace

std::vector<Note> notes_of(const RunTrust& trust, const std::vector<double>& weights,
                           const std::vector<Note>& told, bool compares_ranks, std::size_t starts) {
  std::vector<Note> notes;
  const auto is_told = [&](NoteCode code) {
    return std::any_of(told.begin(), told.end(),
                       [&](const Note& note) { return note.code == code; });
  };
  const bool starts_mix = is_told(NoteCode::two_modes);
  const std::string lower = lower_rank(compares_ranks);
  const bool are_cut = is_told(NoteCode::iteration_limit);
  add_unstable(trust.stability, starts_mix, are_cut, lower, notes);
  const bool compared = !trust.stability.empty() && !std::isnan(trust.stability[0].starts);
  if (starts > 1 && !compared && !is_told(NoteCode::stopped_in_start)) {
    notes.push_back({NoteCode::stability_unknown,
                     "which components the other starts find is not known: a run that is resumed "
                     "has no models of starts that had ended, and one with little memory keeps "
                     "none; a new run with several starts says it",
                     {{"starts", static_cast<double>(starts)}}});
  }
  add_uncertain(trust, weights, lower, notes);
  add_overdispersed(trust, notes);
  add_ends(trust, notes);
  return notes;
}

}  // namespace genten
