#pragma once
// The checks that scenarios name.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/device_kinds.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/scenario/scenario.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// The checks that the scenario's calls name in `expect`.
[[nodiscard]] std::set<std::string_view> named_checks(const Scenario& scenario);

/// True where a check that the call names needs such evidence on a kind of device.
[[nodiscard]] bool needs(const CallStep& call, ExtraEvidence evidence, DeviceKind device);

/// The checks that the scenario's calls name, that are asked on the kind of device and that are not
/// among `answers`, by name. Calls during which their process is killed are asked nothing.
[[nodiscard]] std::vector<std::string> unanswered(const Scenario& scenario,
                                                  const std::vector<CheckResult>& answers,
                                                  DeviceKind device);

}  // namespace tunecheck
