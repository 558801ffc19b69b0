#pragma once
// Commands that a report gives, to be pasted into a shell.
#include <string>
#include <string_view>

#include "gate/history/fingerprint.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// What goes on with a run that was ended: the options are those of the commands that repeat its
/// scenarios. The scenarios need no naming: those that are pending are run.
[[nodiscard]] std::string resume_command(const RunResult& run);

/// "tunecheck run restore.axpy --adapter A --backend cuda": a scenario of the tuner that `tuner`
/// names by its facts "adapter" and "backend".
[[nodiscard]] std::string scenario_command(std::string_view scenario,
                                           const history::Fingerprint& tuner);

}  // namespace tunecheck
