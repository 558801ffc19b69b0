#pragma once
// What proving a kernel found.
#include <string>
#include <vector>

#include "core/config.hpp"

namespace tunecheck {

/// All that a proof of one kernel found, on every device. Plain data, filled in by the proof and
/// then only read; after an error, or where nothing ran, what follows in the proof is empty.
struct ProofResult {
  /// One config on one backend, over all sizes and dtype variants.
  struct ConfigProof {
    std::string backend;  ///< the name of a DeviceKind
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
    bool ran = true;   ///< false: no device could make this result here, and nothing is known of it
  };
  /// Of one dtype of a result: the error that is the largest part of what the tolerance allows
  /// there, over all configs, sizes and cases that are right.
  struct LargestError {
    std::string dtype;
    double error = 0;    ///< distance between what a config computed and the reference
    double allowed = 0;  ///< there; without any error the narrowest anywhere
    std::string where;   ///< device, config and case

    /// A result may be off by more than a thousand times what it ever is: then a wrong one may
    /// pass. Without any error nothing is known of that.
    [[nodiscard]] bool is_too_wide() const { return error > 0 && allowed > 1000 * error; }
  };
  std::string kernel;
  std::string size;                   ///< of the rejections: "smoke"
  std::vector<std::string> sizes;     ///< at which every config was run
  std::vector<std::string> variants;  ///< of dtypes: "f32", "bf16"; of tensors that have several
  /// What every config was also asked at `size`, in words: "padded rows", "alpha = 0.625".
  std::vector<std::string> also_asked;
  std::string excluded;     ///< what the space holds at each size and what `where` excludes
  std::string error;        ///< the reference does not compile or run; then the rest is empty
  std::string nothing_ran;  ///< why no config could be run at all; "" where some were
  std::vector<ConfigProof> configs;
  std::vector<Skipped> skipped;
  std::vector<Rejection> rejections;
  std::vector<LargestError> largest_errors;  ///< of dtypes for which any error is allowed
  std::vector<std::string> mistakes;         ///< what the author must mend, each with how
  std::vector<std::string> notes;            ///< what the author may want to know

  /// Every config right, every wrong result that applies rejected, at least one of each, and no
  /// mistake found.
  [[nodiscard]] bool proved() const;
};

}  // namespace tunecheck
