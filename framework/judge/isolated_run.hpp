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

struct IsolatedRun {
  std::filesystem::path module;    ///< file of the artifact
  bool reference = false;          ///< its entry is a reference, not a kernel
  std::vector<RunTensor> tensors;  ///< in the order of the kernel file
  std::vector<Scalar> scalars;
  std::vector<std::size_t> zeroed;  ///< tensors zeroed before each launch
  int launches = 1;
  bool measure = false;  ///< restore all files before each of as many launches as a median needs
  std::chrono::seconds time_limit{20};
};

struct IsolatedResult {
  LaunchStatus status = 0;               ///< of the last launch
  std::vector<std::int64_t> samples_ns;  ///< where `measure`: each launch, in order
};

/// The sample in the middle, or below a share of the others (0.1: a tenth took less). `samples` is
/// not empty.
[[nodiscard]] double quantile(std::vector<std::int64_t> samples, double share);

/// The error says what became of the process: a signal, a time limit, an artifact that cannot be
/// loaded. `folder` takes the request's file.
[[nodiscard]] Result<IsolatedResult> run_isolated(const IsolatedRun& run,
                                                  const std::filesystem::path& folder);

/// For the runner itself: the request in a file that run_isolated wrote.
[[nodiscard]] Result<IsolatedRun> read_isolated_run(const std::filesystem::path& file);
[[nodiscard]] std::string to_line(const IsolatedResult& result);

}  // namespace tunecheck
