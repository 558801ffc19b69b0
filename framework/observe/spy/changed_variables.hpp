#pragma once
// How this process's environment differs from the one with which its tuner was started.
#include <map>
#include <string>
#include <vector>

namespace tunecheck::spy {

/// NAME=VALUE of variables that are new or have another value, then NAME of those that are gone,
/// each sorted; long values are cut. Nothing where `given` is empty. What shells set by themselves
/// and what belongs to observers does not count.
[[nodiscard]] std::vector<std::string> changed_variables(
    const std::map<std::string, std::string>& given);

}  // namespace tunecheck::spy
