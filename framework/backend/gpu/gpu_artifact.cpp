#include "backend/gpu/gpu_artifact.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/parse_json.hpp"

namespace tunecheck::gpu {
namespace {

constexpr std::string_view beginning = "TCGPU1\n";

}  // namespace

Artifact pack(const std::string& entry, const GpuLaunchShape& shape,
              std::span<const std::byte> code) {
  const nlohmann::json launch = {{"entry", entry},
                                 {"grid", shape.grid},
                                 {"threads", shape.threads},
                                 {"shared_bytes", shape.shared_bytes}};
  const std::string head = std::string(beginning) + launch.dump() + '\n';
  Artifact artifact;
  artifact.bytes.resize(head.size());
  std::transform(head.begin(), head.end(), artifact.bytes.begin(),
                 [](char each) { return static_cast<std::byte>(each); });
  artifact.bytes.insert(artifact.bytes.end(), code.begin(), code.end());
  return artifact;
}

Result<GpuArtifact> unpack(const Artifact& artifact) {
  const std::string_view text(reinterpret_cast<const char*>(artifact.bytes.data()),
                              artifact.bytes.size());
  const std::size_t end = text.find('\n', beginning.size());
  if (!text.starts_with(beginning) || end == text.npos)
    return failure("the artifact is not a GPU kernel");
  GpuArtifact read;
  try {
    const auto launch = parse_json(text.substr(beginning.size(), end - beginning.size()));
    read.entry = launch.at("entry").get<std::string>();
    read.shape.grid = launch.at("grid").get<std::array<std::int64_t, 3>>();
    read.shape.threads = launch.at("threads").get<std::array<std::int64_t, 3>>();
    read.shape.shared_bytes = launch.at("shared_bytes").get<std::int64_t>();
  } catch (const std::exception& error) {
    return failure("the artifact does not say how it is launched: {}", json_problem(error));
  }
  read.code = std::span(artifact.bytes).subspan(end + 1);
  if (read.code.empty()) return failure("the artifact has no code");
  return read;
}

}  // namespace tunecheck::gpu
