#pragma once
// The device that the tests of this program use: one of AMD's, else an NVIDIA GPU by way of the
// shim. Where TUNECHECK_HIP is set, it names the runtime.
#include <filesystem>
#include <string>

#include "core/command.hpp"
#include "core/result.hpp"

namespace tunecheck::test {

/// The shim's file for a version of HIP (5 or 6).
[[nodiscard]] std::filesystem::path shim(int version);

/// True where the tests of this program run on the shim.
[[nodiscard]] bool is_on_shim();

/// What the trials' process says when it starts with this runtime ("": the machine's own): "" if
/// all is well, else what is missing. The error is how it ended without a word.
[[nodiscard]] Result<std::string> trouble_with_runtime(const std::string& file);

/// While it lives, kernels are compiled by this machine's own HIPRTC.
class OwnHiprtc {
 public:
  OwnHiprtc();
  OwnHiprtc(const OwnHiprtc&) = delete;
  OwnHiprtc& operator=(const OwnHiprtc&) = delete;
  ~OwnHiprtc();
};

}  // namespace tunecheck::test
