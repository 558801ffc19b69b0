#pragma once
// The judge's own measurement of a kernel's configs, to compare a tuner's choice with.
#include "core/device_kinds.hpp"
#include "harness/kernel/tensor_file.hpp"
#include "judge/checks/record.hpp"
#include "judge/run/scenario_runner.hpp"

namespace tunecheck {

/// Compiles every config of the request's space for a backend and measures
/// it there on the pristine arguments in `files`, restored before each launch, several times in
/// turn: on the CPU each time in a process of its own.
[[nodiscard]] OwnMeasurement measure_all_configs(DeviceKind backend, const KernelDefinition& kernel,
                                                 const protocol::CallRequest& request,
                                                 const std::vector<TensorFile>& files);

}  // namespace tunecheck
