#pragma once
// What a tuner needs of a kind of device: compile a kernel to an artifact, load it, launch it, time
// it.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.hpp"
#include "core/kernel.hpp"
#include "core/result.hpp"
#include "core/tensor_view.hpp"

namespace tunecheck {

/// A scalar argument; `value` is converted to `dtype` when it is passed.
struct Scalar {
  DType dtype = DType::f32;
  double value = 0;
};

/// The arguments of one launch in the order of the kernel file. Owns nothing; the tensors' memory
/// and both arrays must live as long as the launch.
struct LaunchArguments {
  std::span<const TensorView> tensors;
  std::span<const Scalar> scalars;
};

/// A compiled kernel as bytes: what is stored, and all that is needed to load it in another
/// process.
struct Artifact {
  std::vector<std::byte> bytes;
};

/// Everything that decides what an artifact is.
struct CompileRequest {
  const KernelDefinition* kernel = nullptr;
  std::vector<DType> dtypes;  ///< one per tensor
  Config config;
  std::string arch;                  ///< as resolve_arch returned it
  std::vector<std::string> options;  ///< the caller's, after the kernel's own
  Sizes sizes =
      {};  ///< for backends whose cost model needs them; a kernel sees its tensors' shapes
};

/// The outcome of one launch: 0, or the status with which the kernel or the driver refused.
using LaunchStatus = int;

struct TimedLaunch {
  LaunchStatus status = 0;
  std::int64_t elapsed_ns = 0;  ///< of the kernel alone
};

/// A loaded artifact. Launching is thread-safe where the kernel is.
class Module {
 public:
  virtual ~Module() = default;
  /// Runs the kernel and waits for it.
  [[nodiscard]] virtual LaunchStatus launch(const LaunchArguments& arguments) const = 0;
  /// As launch, with the time it took on the device's own clock.
  [[nodiscard]] virtual TimedLaunch timed_launch(const LaunchArguments& arguments) const = 0;
  /// The clock by which whoever measures counts the time spent, from any origin and the same for
  /// all modules of a device: this machine's, unless the device has one of its own.
  [[nodiscard]] virtual std::chrono::nanoseconds now() const {
    return std::chrono::steady_clock::now().time_since_epoch();
  }
};

/// One source text that a kernel is compiled from, by the path as it is included.
struct SourceText {
  std::string name;
  std::string text;
};

/// A kernel's sources: the file itself, and the headers it includes that belong to it (not those of
/// the toolchain), in the order of inclusion.
struct KernelSources {
  SourceText source;
  std::vector<SourceText> headers;
};

/// All members may be called by several threads at once.
class Backend {
 public:
  virtual ~Backend() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// False where no kernel can crash, hang or write where it must not: then a trial needs no
  /// process of its own.
  [[nodiscard]] virtual bool may_harm_process() const { return true; }

  /// The precise name of an arch: "native" becomes what this device is; "" the backend's default.
  /// An error for an arch that does not exist or that this device cannot run.
  [[nodiscard]] virtual Result<std::string> resolve_arch(std::string_view requested) const = 0;

  /// Identifies the toolchain by its version and content. An error where there is none on this
  /// machine: compiled artifacts can still be loaded. May start the compiler, never to compile.
  [[nodiscard]] virtual Result<std::string> toolchain_fingerprint() const = 0;

  /// The sources that compile() would read.
  [[nodiscard]] virtual Result<KernelSources> sources(const KernelDefinition& kernel) const = 0;

  /// Environment variables that change what the toolchain makes of a source.
  [[nodiscard]] virtual std::vector<std::string> environment_variables() const = 0;

  /// Compiles in a child process. The error is the compiler's first complaint.
  [[nodiscard]] virtual Result<Artifact> compile(const CompileRequest& request) const = 0;

  /// Loads exactly these bytes. Static initialisers of the artifact run: do not load what is not
  /// trusted.
  [[nodiscard]] virtual Result<std::unique_ptr<Module>> load(const Artifact& artifact) const = 0;
};

}  // namespace tunecheck
