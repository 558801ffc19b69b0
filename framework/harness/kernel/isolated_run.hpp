#pragma once
// Running compiled code that may crash or hang: in the program tunecheck-runner, a process of its
// own.
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "core/result.hpp"
#include "core/tensor_view.hpp"

namespace tunecheck {

/// A tensor of an isolated run: element [0, ..., 0] is at byte_offset of the file, and the run
/// writes the file. Tensors in one file share memory.
struct RunTensor {
  std::filesystem::path file;
  std::uint64_t byte_offset = 0;
  DType dtype = DType::f32;
  Layout layout;
};

/// A launch before those that count, in the same process and of the same module; no tensors: none.
struct EarlierLaunch {
  std::vector<RunTensor> tensors;  ///< in files of their own
  std::vector<Scalar> scalars;
};

struct IsolatedRun {
  std::filesystem::path module;    ///< file of the artifact
  bool reference = false;          ///< its entry is a reference, not a kernel
  std::vector<RunTensor> tensors;  ///< in the order of the kernel file
  std::vector<Scalar> scalars;
  EarlierLaunch earlier = {};
  std::vector<std::size_t> zeroed;  ///< tensors zeroed before each launch, the earlier one too
  int launches = 1;
  bool measure = false;  ///< restore all files before each of as many launches as a median needs
  /// Where `measure`: launches go on for so long, if there are enough for a median by then.
  std::chrono::milliseconds enough{40};
  double slowdown = 0;  ///< where `measure`, on the CPU: 0.1 makes each launch take 10 % longer
  bool hot = false;  ///< where `measure`: right after another launch, with what that left in caches
  /// Where `measure`, on the CPU: in small pages, and only files that the first launch changes are
  /// restored. So a tuner's trials have it; otherwise pages are huge, and all files are restored.
  bool as_trials = false;
  /// In a device's memory, nothing of a file but the tensors' extents, each of which ends where an
  /// allocation ends: a tool that watches accesses sees one past the end.
  bool tight = false;
  std::chrono::seconds time_limit{20};
};

struct IsolatedResult {
  LaunchStatus status = 0;                    ///< of the last launch
  std::string status_text = {};               ///< the status in words, "" for 0
  std::vector<std::int64_t> samples_ns = {};  ///< where `measure`: each launch, in order
};

/// The sample in the middle, or below a share of the others (0.1: a tenth took less). `samples` is
/// not empty.
[[nodiscard]] double quantile(std::vector<std::int64_t> samples, double share);

/// On the CPU. The error says what became of the process: a signal, a time limit, an artifact that
/// cannot be loaded. `folder` takes the request's file.
[[nodiscard]] Result<IsolatedResult> run_isolated(const IsolatedRun& run,
                                                  const std::filesystem::path& folder);

/// What the runner and those who start it say to each other, without newlines.
[[nodiscard]] std::string to_line(const IsolatedRun& run);
[[nodiscard]] Result<IsolatedRun> parse_isolated_run(const std::string& line);
[[nodiscard]] std::string to_line(const Result<IsolatedResult>& result);
[[nodiscard]] Result<IsolatedResult> parse_isolated_result(const std::string& line);

/// A runner that serves many runs begins its answers with this, so that what else is printed to its
/// stdout is no answer.
inline constexpr std::string_view answer_mark = "tunecheck-runner: ";

}  // namespace tunecheck
