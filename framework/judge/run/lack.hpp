#pragma once
// Why a scenario is not asked of a tuner. The reasons are few: a capability, a
// kernel or a kind of device that the adapter does not declare, and files whose names it does not
// say.
#include <optional>
#include <string>

#include "core/device_kinds.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/scenario/scenario.hpp"

namespace tunecheck {

struct Lack {
  std::string what;  ///< as in ScenarioResult::lacks: "capability threads", "kernel softmax"
  std::string message;
};

/// What the adapter would have to have for this scenario, if anything.
[[nodiscard]] std::optional<Lack> lack_of(const AdapterInfo& adapter, const Scenario& scenario,
                                          DeviceKind device);

}  // namespace tunecheck
