#pragma once
// What a watch found, in words: the same for every format.
#include <string>

#include "result/watch_result.hpp"

namespace tunecheck {

/// "sgd (train.py:9, launched at train.py:53)", as much of it as is known.
[[nodiscard]] std::string subject_text(const WatchResult::Finding& finding);

/// "python3 train.py --epochs 2": the program without the folders that it lies in, which differ
/// from machine to machine. At most 120 bytes.
[[nodiscard]] std::string short_command(const WatchResult& watch);

/// "train.py:9", as much of it as is known.
[[nodiscard]] std::string place_text(const WatchResult::Place& place);

/// The line at which somebody looks for the cause: where the kernel is defined, unless that is in
/// an installed package or, other than the launch, outside of the watch's working folder; then
/// where the program launches it.
[[nodiscard]] const WatchResult::Place& cause_of(const WatchResult::Finding& finding);

}  // namespace tunecheck
