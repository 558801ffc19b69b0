#pragma once
// The offline table as one tier of the slow path: how a call is asked about there, and how a winner
// is told to one.
#include <span>
#include <string>

#include "table/lookup.hpp"
#include "tuner/key/key_axes.hpp"
#include "tuner/trial/trial.hpp"
#include "tuner/tuner_state.hpp"

namespace tunecheck::detail {

/// `tuner.table` is there. What cannot be read is refused, with the reason.
[[nodiscard]] table::Choice ask_table(const TunerState& tuner, const TuneRequest& request,
                                      const BoundFacts& facts, const CallArguments& call);

/// "for these sizes", or "for n=1000, the nearest sizes that it has".
[[nodiscard]] std::string describe(const table::Choice& choice);

/// A winner as a table keeps it, with its time among these trials.
[[nodiscard]] table::Entry table_entry(const TunerState& tuner, const TuneRequest& request,
                                       const BoundFacts& facts, const CallArguments& call,
                                       const Config& winner, std::span<const Trial> trials);

}  // namespace tunecheck::detail
