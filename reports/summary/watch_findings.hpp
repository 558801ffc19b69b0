#pragma once
// What a watch found, in words: the same for every format.
#include <string>

#include "result/watch_result.hpp"

namespace tunecheck {

/// "sgd (train.py:9, launched at train.py:53)", as much of it as is known.
[[nodiscard]] std::string subject_text(const WatchResult::Finding& finding);

/// "train.py:9", as much of it as is known.
[[nodiscard]] std::string place_text(const WatchResult::Place& place);

/// The line at which somebody looks for the cause: where the kernel is defined, unless that is in
/// an installed package or, other than the launch, outside of the watch's working folder; then
/// where the program launches it.
[[nodiscard]] const WatchResult::Place& cause_of(const WatchResult::Finding& finding);

}  // namespace tunecheck
