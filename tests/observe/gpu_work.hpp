#pragma once
// What the test's child does with the driver.
#include <string>

namespace tunecheck::gpu_work {

/// Why there is nothing to test here; "" where there is a GPU with all that is needed.
[[nodiscard]] std::string missing();

/// Does the work of that name in the folder, where it leaves the cubin as "step.cubin". Throws
/// where a call of the driver fails.
void run(const std::string& name, const std::string& folder);

}  // namespace tunecheck::gpu_work
