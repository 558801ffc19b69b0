#pragma once
// Which configs are looked at again before one of them wins.
#include <cstddef>
#include <span>
#include <vector>

#include "tuner/search/looks.hpp"
#include "tuner/trial/trial.hpp"

namespace tunecheck {

/// The trials of the next round of looks, in the order of the space; none where enough is known.
///
/// The first look at a config may have been lucky (helion#2377), or disturbed by what else runs on
/// the machine. So in the first round every config that is at most twice as slow as the fastest one
/// is looked at again, and fewer and fewer in later rounds. Nobody is done before the fastest
/// config has been looked at three times more, and one whose looks do not agree, up to five times
/// more. A config that would be alone in a round is accompanied by the next one, which shows a
/// disturbance. None where no other config could win. `again` has one element a trial.
[[nodiscard]] std::vector<std::size_t> finalists(std::span<const Trial> trials,
                                                 std::span<const LooksAgain> again);

}  // namespace tunecheck
