#pragma once
// What a tuner needs of a kind of device: compile a kernel to an artifact, load it, launch it, time
// it.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/tensor_memory.hpp"
#include "core/config.hpp"
#include "core/device_kinds.hpp"
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
  Stream stream = nullptr;               ///< the launch is queued there, where a device has queues
  const TensorMemory* memory = nullptr;  ///< where the tensors are; null: in the host's

  /// What can be done to the tensors.
  [[nodiscard]] const TensorMemory& where() const {
    return memory != nullptr ? *memory : host_memory();
  }
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

/// Hears of a request that was compiled, or could not be: its place among the requests, and what
/// became of it.
using OnCompiled = std::function<void(std::size_t at, const Result<Artifact>& artifact)>;

/// The outcome of one launch: 0, or the status with which the kernel or the driver refused.
using LaunchStatus = int;

struct TimedLaunch {
  LaunchStatus status = 0;
  std::int64_t elapsed_ns = 0;  ///< of the kernel alone
  std::int64_t flush_ns = 0;    ///< what making the caches cold took before, 0 where none are
  /// Something else had the launching thread's core for a part of the time; false where nobody
  /// knows.
  bool interrupted = false;
};

/// A loaded artifact. Launching is thread-safe where the kernel is.
class Module {
 public:
  virtual ~Module() = default;
  /// Runs the kernel and waits for it; where a device has streams, puts it into that of the
  /// arguments and does not wait.
  [[nodiscard]] virtual LaunchStatus launch(const LaunchArguments& arguments) const = 0;
  /// As launch, with the time it took on the device's own clock. Waits, and on a GPU begins with a
  /// cold L2 cache.
  [[nodiscard]] virtual TimedLaunch timed_launch(const LaunchArguments& arguments) const = 0;
  /// The same with its caches as the launch before has left them; no other where they do not
  /// matter.
  [[nodiscard]] virtual TimedLaunch timed_hot_launch(const LaunchArguments& arguments) const {
    return timed_launch(arguments);
  }
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

/// A place in which launches harm nothing but the place: a process of its own. One thread at a
/// time.
class TrialSite {
 public:
  virtual ~TrialSite() = default;
  /// The backend's memory as seen from here: blocks that the backend's memory() allocated have the
  /// same addresses, and what is asked of this memory is done in the order of the site's launches.
  [[nodiscard]] virtual const TensorMemory& memory() const = 0;
  /// For launches here. It dies before the site.
  [[nodiscard]] virtual Result<std::unique_ptr<Module>> load(const Artifact& artifact) = 0;
  /// Why the site died since it was last asked, "" if it did not. It starts anew by itself.
  [[nodiscard]] virtual std::string take_trouble() = 0;
};

/// One kind of device: compiles a kernel, loads the artifact, and says what trials need there. An
/// artifact is bytes, so it may be loaded in another process than the one that compiled it. All
/// members may be called by several threads at once.
class Backend {
 public:
  virtual ~Backend() = default;
  [[nodiscard]] virtual DeviceKind kind() const = 0;

  /// The device in words, "NVIDIA H200"; an error where there is none.
  [[nodiscard]] virtual Result<std::string> device_name() const { return resolve_arch("native"); }

  /// What the arch leaves open of the device and a fastest config depends on, for the key; "" where
  /// the arch says all there is to say.
  [[nodiscard]] virtual std::string device_kind() const { return {}; }

  /// False where no kernel can crash, hang or write where it must not: then a trial needs no
  /// process of its own.
  [[nodiscard]] virtual bool may_harm_process() const { return true; }

  /// Null where a forked child of the process can do all that a trial needs. A device's context
  /// does not survive a fork, and an illegal address ends it: such trials need a site. A launch
  /// there that does not end within `time_limit` ends the site.
  [[nodiscard]] virtual Result<std::unique_ptr<TrialSite>> make_trial_site(
      std::chrono::milliseconds /*time_limit*/) const {
    return nullptr;
  }

  /// Where the tensors of calls are.
  [[nodiscard]] virtual const TensorMemory& memory() const { return host_memory(); }

  /// True while a graph is captured from the stream: nothing can be measured then.
  [[nodiscard]] virtual bool is_capturing(Stream /*stream*/) const { return false; }

  /// A status in words: "status 701: out of resources".
  [[nodiscard]] virtual std::string describe(LaunchStatus status) const;

  /// Clocks, temperature, what slows the device down at this moment; "" where nothing is known.
  [[nodiscard]] virtual std::string device_state() const { return {}; }

  /// The precise name of an arch: "native" becomes what this device is; "" the backend's default.
  /// An error for an arch that does not exist or that this device cannot run.
  [[nodiscard]] virtual Result<std::string> resolve_arch(std::string_view requested) const = 0;

  /// What a kernel is compiled for where `arch`, as resolve_arch returned it, is wanted: that, or
  /// the same with the features that the kernel asks for.
  [[nodiscard]] virtual std::string arch_for(const KernelDefinition& /*kernel*/,
                                             std::string arch) const {
    return arch;
  }

  /// Identifies the toolchain by its version and content. An error where there is none on this
  /// machine: compiled artifacts can still be loaded. May start the compiler, never to compile.
  [[nodiscard]] virtual Result<std::string> toolchain_fingerprint() const = 0;

  /// The sources that compile() would read.
  [[nodiscard]] virtual Result<KernelSources> sources(const KernelDefinition& kernel) const = 0;

  /// Environment variables that change what the toolchain makes of a source.
  [[nodiscard]] virtual std::vector<std::string> environment_variables() const = 0;

  /// Compiles in a child process. The error is the compiler's first complaint.
  [[nodiscard]] virtual Result<Artifact> compile(const CompileRequest& request) const = 0;

  /// Compiles every request with at most `jobs` compilers at once (0: one for each core), and
  /// returns what compile() says of each, in their order. One failure does not stop the others.
  /// `done`, where there is one, is told of each as soon as it is done: its place and the result,
  /// from any thread and from several at once, and before this returns.
  [[nodiscard]] virtual std::vector<Result<Artifact>> compile_all(
      std::span<const CompileRequest> requests, int jobs, const OnCompiled& done = {}) const;

  /// Whether trials may be measured while compilers run: they have a device of their own.
  [[nodiscard]] virtual bool compiles_beside_trials() const { return false; }

  /// Loads exactly these bytes. Static initialisers of the artifact run: do not load what is not
  /// trusted.
  [[nodiscard]] virtual Result<std::unique_ptr<Module>> load(const Artifact& artifact) const = 0;
};

}  // namespace tunecheck
