#pragma once
// Proving a kernel: its comparison accepts the right result in every config and rejects wrong ones.
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "core/result.hpp"

namespace tunecheck {

struct ProofResult {
  /// One config on one backend.
  struct ConfigProof {
    std::string backend;
    Config config;
    bool right = false;
    std::string text;  ///< where and how it is wrong, or why it did not compile or run; "" if right
  };
  /// One planted wrong result.
  struct Rejection {
    std::string wrong_result;  ///< "zeros", "the unchanged input", ...
    bool applicable = true;    ///< false: this result is right for this kernel, and `text` says why
    bool rejected = false;
    std::string text;  ///< how the comparison rejected it, or why it does not apply
  };
  std::string kernel;
  std::string size;      ///< "smoke"
  std::string arch;      ///< that the configs were compiled for
  std::string excluded;  ///< how many combinations `where` excludes, and how many remain
  std::string error;     ///< the reference does not compile or run; then the rest is empty
  std::vector<ConfigProof> configs;
  std::vector<Rejection> rejections;

  /// Every config right, every wrong result that applies rejected, and at least one of each.
  [[nodiscard]] bool proved() const;
};

struct ProveOptions {
  std::string size = "smoke";
  std::string arch;  ///< "" for the backend's default
  std::uint64_t seed = 1;
  int jobs = 0;  ///< compilers at once; 0: one a core
};

[[nodiscard]] Result<ProofResult> prove_kernel(const KernelDefinition& kernel,
                                               const ProveOptions& options);

}  // namespace tunecheck
