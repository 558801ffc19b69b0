#pragma once
// What happened in the parts of a program that the program itself names: tests of a suite, requests
// of a server.
#include <vector>

#include "result/watch_result.hpp"
#include "watch/program_run.hpp"

namespace tunecheck::watch {

/// The sections of all runs, by run and time. A compiler belongs to the section in which its
/// process or one of those that it descends from was; a tuning, to the section in which a second
/// code was launched. Where no section was under way, what happened belongs to none.
[[nodiscard]] std::vector<WatchResult::Section> find_sections(const std::vector<ProgramRun>& runs,
                                                              bool first_is_warm);

}  // namespace tunecheck::watch
