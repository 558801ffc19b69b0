#pragma once
// The kinds of device that a tuner may run on, by the names that users write.
#include <string>
#include <string_view>
#include <vector>

namespace tunecheck {

/// "cpu", "sim" (the simulated device), "cuda" and "hip".
[[nodiscard]] const std::vector<std::string>& known_backends();
[[nodiscard]] bool is_gpu(std::string_view backend);

}  // namespace tunecheck
