#pragma once
// What a time depends on beside the tuner that is watched: the machine, how fast it is let run, the
// driver, the compiler, the kernel. Times are compared only where all of it is the same.
#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck::history {

/// Facts by name, such as cpu, governor, driver, compiler or kernel_sources. What is not known is
/// not there.
using Fingerprint = std::map<std::string, std::string>;

/// 32 hex digits, the same for the same facts.
[[nodiscard]] std::string digest_of(const Fingerprint& fingerprint);

struct Difference {
  std::string fact;
  std::string baseline, present;  ///< "" where that side does not know it
};

/// In the order of the facts' names.
[[nodiscard]] std::vector<Difference> differences(const Fingerprint& baseline,
                                                  const Fingerprint& present);

/// Success where a time under one may be judged by a time under the other. Otherwise the error
/// names every fact that differs, with both values. Nothing can be compared where nothing is known.
[[nodiscard]] Result<void> compatible(const Fingerprint& baseline, const Fingerprint& present);

}  // namespace tunecheck::history
