#pragma once
// Proving a kernel: its comparison accepts the right result in every config and rejects wrong ones,
// and what its kernel file says of it is true.
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "core/result.hpp"

namespace tunecheck {

struct ProofResult {
  /// One config on one backend, over all sizes and dtype variants.
  struct ConfigProof {
    std::string backend;  ///< "cpu", "cuda", "hip"
    std::string arch;
    Config config;
    bool right = false;
    bool ran = false;  ///< false: only compiled, which is all that can be said of it here
    std::string text;  ///< where and how it is wrong, or why it did not compile or run; "" if right
  };
  /// A backend for which nothing could be compiled here, and why.
  struct Skipped {
    std::string backend;
    std::string reason;
  };
  /// One planted wrong result, over all dtype variants.
  struct Rejection {
    std::string wrong_result;  ///< "zeros", "the unchanged input", ...
    bool applicable = true;    ///< false: this result is right for this kernel, and `text` says why
    bool rejected = false;
    std::string text;  ///< how the comparison rejected it, or why it does not apply
  };
  std::string kernel;
  std::string size;                   ///< of the rejections: "smoke"
  std::vector<std::string> sizes;     ///< at which every config was run
  std::vector<std::string> variants;  ///< of dtypes: "f32", "bf16"; of tensors that have several
  std::string excluded;     ///< what the space holds at each size and what `where` excludes
  std::string error;        ///< the reference does not compile or run; then the rest is empty
  std::string nothing_ran;  ///< why no config could be run at all; "" where some were
  std::vector<ConfigProof> configs;
  std::vector<Skipped> skipped;
  std::vector<Rejection> rejections;
  std::vector<std::string> mistakes;  ///< what the author must mend, each with how
  std::vector<std::string> notes;     ///< what the author may want to know

  /// Every config right, every wrong result that applies rejected, at least one of each, and no
  /// mistake found.
  [[nodiscard]] bool proved() const;
};

struct ProveOptions {
  /// One of the kernel file's sizes; "" for smoke and all others but full.
  std::string size;
  std::string arch;  ///< of the CPU; "" for the backend's default
  std::uint64_t seed = 1;
  int jobs = 0;  ///< compilers and runs at once; 0: one a core
  /// Those of proof_backends() that are asked for: each must have a device. None: what is here is
  /// run, and GPU sources are compiled where a compiler is, device or not.
  std::vector<std::string> backends;
  /// A tool and its arguments, under which every config is run: when it ends a process with another
  /// status than 0, a config is not right.
  std::vector<std::string> under;
  /// Compile every config for every GPU arch; else only for the main one, and for the others the
  /// first config and the last. A runtime compiler takes its time.
  bool every_gpu_config = true;

  /// The size of the rejections.
  [[nodiscard]] std::string first_size() const { return size.empty() ? "smoke" : size; }
};

/// "cpu", "cuda", "hip".
[[nodiscard]] const std::vector<std::string>& proof_backends();

/// GPU sources are compiled for these, whatever devices are here; what is not run is said to be
/// only compiled.
struct GpuTarget {
  std::string backend;
  std::string arch;
  bool is_main = true;  ///< every config is always compiled for it
};
[[nodiscard]] const std::vector<GpuTarget>& gpu_targets();

[[nodiscard]] Result<ProofResult> prove_kernel(const KernelDefinition& kernel,
                                               const ProveOptions& options);

/// Proves several, as many at once as there are jobs, and hands each result to `ready` in the order
/// of `kernels`; one call of it at a time, from any thread. The first error ends it.
[[nodiscard]] Result<void> prove_kernels(std::span<const KernelDefinition* const> kernels,
                                         const ProveOptions& options,
                                         const std::function<void(const ProofResult&)>& ready);

}  // namespace tunecheck
