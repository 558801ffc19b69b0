#include "judge/checks/checks.hpp"

#include <algorithm>

namespace tunecheck::checks {

std::string config_of(const CompileEvent& compile) {
  constexpr std::string_view prefix = "-DTUNECHECK_CONFIG=";
  for (const std::string& argument : compile.arguments)
    if (argument.starts_with(prefix)) {
      std::string config = argument.substr(prefix.size());
      std::erase(config, '"');  // a text, where the source needs one
      return config;
    }
  return {};
}

bool same_question(const protocol::CallRequest& a, const protocol::CallRequest& b) {
  const auto same_tensor = [](const protocol::Tensor& x, const protocol::Tensor& y) {
    return x.name == y.name && x.byte_offset == y.byte_offset && x.dtype == y.dtype &&
           x.layout == y.layout;
  };
  return a.kernel == b.kernel && a.scalars == b.scalars && a.sizes == b.sizes && a.arch == b.arch &&
         a.compile_options == b.compile_options && a.space == b.space &&
         std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(),
                    same_tensor);
}

bool same_key(const protocol::CallRequest& a, const protocol::CallRequest& b) {
  protocol::CallRequest other = b;
  for (auto& [name, value] : other.scalars) {
    const auto& deciding = a.facts.key_scalars;
    if (std::find(deciding.begin(), deciding.end(), name) != deciding.end()) continue;
    if (const auto own = a.scalars.find(name); own != a.scalars.end()) value = own->second;
  }
  return same_question(a, other);
}

std::string winner_of(const CallRecord& call, const LaunchEvent& launch) {
  return call.keeps_artifacts ? launch.module : config_or_artifact(launch);
}

std::string unknown_winner(const CallRecord& call) {
  return call.keeps_artifacts ? "the probe could not read the artifact that was launched"
                              : "neither the config nor the artifact of the launch is known";
}

bool same_winner(const CallRecord& call, const LaunchEvent& a, const LaunchEvent& b) {
  return winner_of(call, a) == winner_of(call, b);
}

bool mentions_store(const std::string& message) {
  for (const std::string_view word :
       {"not stored", "cannot store", "could not be stored", "cannot write", "Error writing",
        "cannot create", "No space", "Read-only", "Permission denied", "not persisted",
        "not saved"})
    if (message.find(word) != message.npos) return true;
  return false;
}

}  // namespace tunecheck::checks
