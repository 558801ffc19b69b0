#pragma once
// What a tuner is asked: a call's request, made from the kernel file and from the caller's wishes.
#include <span>
#include <string>

#include "adapter/protocol/messages.hpp"
#include "core/device_kinds.hpp"
#include "core/kernel.hpp"
#include "core/result.hpp"

namespace tunecheck {

class TensorFile;
class Workspace;

/// A call of `kernel` on `files`, one per tensor in the order of the kernel file, which lie in
/// Workspace::tensors_folder() of `process` under their own names. All else is as the kernel file
/// says: its scalars, its whole space, the backend's default arch. complete() makes it whole.
[[nodiscard]] protocol::CallRequest make_request(const KernelDefinition& kernel,
                                                 const Workspace& workspace,
                                                 const std::string& process,
                                                 std::span<const TensorFile> files,
                                                 const Sizes& sizes);

/// Fills in what follows from the kernel file and from the request as it now is: the configs that
/// its space allows, the orders, the options. To be called last. An error where an expression has
/// no value, or the arch is not known.
[[nodiscard]] Result<void> complete(protocol::CallRequest& request, const KernelDefinition& kernel,
                                    DeviceKind backend);

}  // namespace tunecheck
