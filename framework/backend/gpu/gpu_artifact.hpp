#pragma once
// What is stored of a compiled GPU kernel: its code, and how it is launched.
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "backend/backend.hpp"

namespace tunecheck::gpu {

/// The bytes: "TCGPU1\n", the launch as one line of JSON, and the code (a cubin, PTX or a code
/// object) as the runtime compiler returned it.
struct GpuArtifact {
  std::string entry;
  GpuLaunchShape shape;
  std::span<const std::byte> code;  ///< of the artifact that it was read from
};

[[nodiscard]] Artifact pack(const std::string& entry, const GpuLaunchShape& shape,
                            std::span<const std::byte> code);
[[nodiscard]] Result<GpuArtifact> unpack(const Artifact& artifact);

}  // namespace tunecheck::gpu
