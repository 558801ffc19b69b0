#pragma once
// How observers tell what they saw: one JSON object per line, sent through a socket of the judge's
// (evidence_inbox.hpp), or with a single write(2) to a file opened for appending, so that processes
// and threads may share one file without a lock.
//
//   {"event":"compile","time_ns":N,"pid":N,...}     one line, when the compiler has ended
//   {"event":"launch","time_ns":N,"pid":N,...}      before a CPU kernel runs, about 280 bytes
//   {"event":"launch_end","pid":N,"launch":N,...}   after it, about 75 bytes
//
// A launch takes two lines, because a process may die in the kernel: the first line then says in
// which one. A launch on a GPU takes one, since it only enqueues. A line that is
// no event is an error for the judge, because evidence with a hole is no evidence. A tuning of six
// configs leaves about 54 KB. A burst of a million calls would leave 350 MB, so launches of a burst
// are counted in a file of their own instead (launch_counts.hpp). docs/evidence.md has every event
// and field.
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/files.hpp"
#include "core/result.hpp"
#include "observe/evidence.hpp"

namespace tunecheck {

/// Each line ends with a newline. Bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string to_line(const CompileEvent& event);
/// What is known before the kernel runs.
[[nodiscard]] std::string to_begin_line(const LaunchEvent& event);
/// pid, launch, status, elapsed time and what it left.
[[nodiscard]] std::string to_end_line(const LaunchEvent& event);

/// All of a launch on a GPU.
[[nodiscard]] std::string to_gpu_line(const LaunchEvent& event);

[[nodiscard]] std::string to_line(const FaultEvent& event);
[[nodiscard]] std::string to_line(const FileEvent& event);
[[nodiscard]] std::string to_line(const ModuleEvent& event);
[[nodiscard]] std::string to_line(const GraphLaunchEvent& event);
[[nodiscard]] std::string to_line(const TroubleEvent& event);
[[nodiscard]] std::string to_line(const ProgramEvent& event);
[[nodiscard]] std::string to_line(const UnseenCodeEvent& event);

/// Connects to a socket, or opens the file for appending; made with mode 0644 less the umask where
/// it is missing.
[[nodiscard]] Result<FileDescriptor> open_evidence(const std::filesystem::path& path);
/// Appends the whole line, or fails.
[[nodiscard]] Result<void> append_line(const FileDescriptor& evidence, const std::string& line);

}  // namespace tunecheck
