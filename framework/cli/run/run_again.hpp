#pragma once
// `tunecheck run --watch`: again whenever a file changes that a run is made of.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/tuner_run.hpp"
#include "core/result.hpp"

namespace tunecheck::cli {

/// The size of each file, and when it was written. A file that is not there is not in it.
using FileStamps = std::map<std::filesystem::path, std::pair<std::uintmax_t, std::int64_t>>;

/// Files, and what is below folders, except what begins with '.' or is called __pycache__, and what
/// is below `out`. At most 20,000 files: an adapter may lie next to somebody's data.
[[nodiscard]] FileStamps stamps_of(const std::vector<std::filesystem::path>& paths,
                                   const std::filesystem::path& out);

/// Where files lie that a run is made of: the adapter's folder, those of kernels and scenarios, and
/// marks.
[[nodiscard]] std::vector<std::filesystem::path> paths_of(const RunArguments& arguments,
                                                          const std::filesystem::path& adapter);

/// Calls `run`, which returns an exit status and prints its own errors, waits until a file changes,
/// and so on until Ctrl-C, which ends this process with the last status that `run` returned. Files
/// are asked every 300 ms: inotify does not see what another machine writes, and an editor that
/// writes twice would start two runs; so a run waits until nothing has changed for as long.
[[noreturn]] void run_whenever_files_change(
    const std::function<int()>& run,
    const std::function<std::vector<std::filesystem::path>()>& paths,
    const std::filesystem::path& out);

}  // namespace tunecheck::cli
