#pragma once
// What the rules of `tunecheck watch` have in common.
#include <cstdint>
#include <string>
#include <vector>

#include "result/watch_result.hpp"
#include "watch/program_run.hpp"
#include "watch/tunings.hpp"

namespace tunecheck::watch {

/// "1 launch", "3 launches".
[[nodiscard]] std::string counted(std::int64_t count, const char* one, const char* many);
[[nodiscard]] std::string launches_text(std::int64_t count);
/// "/usr/bin/c++ 2 times, /usr/bin/ptxas 1 time"
[[nodiscard]] std::string tools_text(const std::vector<const ProgramCompile*>& compiles);
/// "/usr/bin/c++ -c k.cpp"
[[nodiscard]] std::string command_text(const CompileEvent& compile);

/// The burst of a process that says most of where it launches the kernel: the last one with the
/// most codes; null where there is none.
[[nodiscard]] const BurstEvent* last_burst(const Group& group, int pid);

/// Without a text.
[[nodiscard]] WatchResult::Finding finding_of(WatchWord word, bool is_certain,
                                              const ProgramRun& run, const GroupKey& key,
                                              const std::string& place);

/// Of compiles, without a text. Its place is the first in the alphabet where some are known, so
/// that threads that compile in another order change nothing; its kernel is that of all of them.
[[nodiscard]] WatchResult::Finding finding_of_compiles(
    WatchWord word, const ProgramRun& run, const std::vector<const ProgramCompile*>& compiles);

/// COMPILED, of the first warm run that compiles.
[[nodiscard]] std::vector<WatchResult::Finding> find_compiled(const std::vector<ProgramRun>& runs,
                                                              const Tunings& tunings);

/// LATE, of each run that is cold or warm: trials that were recorded into a graph, and trials and
/// compiles behind the moment at which the program was ready, where its user says how to tell.
[[nodiscard]] std::vector<WatchResult::Finding> find_late(const std::vector<ProgramRun>& runs,
                                                          const Tunings& tunings);

/// STALE: what caches had kept, launched where starts in empty folders launch something else. Asked
/// where two such starts follow the others.
[[nodiscard]] std::vector<WatchResult::Finding> find_stale(const std::vector<ProgramRun>& runs,
                                                           const Tunings& tunings);

}  // namespace tunecheck::watch
