#include "judge/scenario/scenario_needs.hpp"

namespace tunecheck {

std::vector<std::string_view> needs_of(const Settings& settings) {
  std::vector<std::string_view> needs;
  const auto add_need = [&](std::string_view need) { needs.push_back(need); };
  if (settings.compiler == CompilerMode::other || settings.compiler == CompilerMode::rebuilt)
    add_need("toolchain");
  if (settings.burst) add_need("burst");
  if (settings.remote) add_need("remote");
  if (settings.remote && settings.remote->key != RemoteKey::own) add_need("remote_key");
  if (settings.remote && !settings.remote->salt.empty()) add_need("remote_salt");
  if (settings.table != TableUse::none) add_need("table");
  if (settings.bundle) add_need("bundle");
  if (settings.bundle && settings.bundle->key != RemoteKey::own) add_need("bundle_key");
  if (!settings.config.empty()) add_need("explicit_config");
  if (!settings.wait) add_need("pending");
  if (settings.reverse_arguments) add_need("named_arguments");
  if (settings.gpu.busy_stream) add_need("streams");
  if (settings.gpu.capture) add_need("capture");
  if (settings.gpu.context != 1) add_need("contexts");
  if (settings.gpu.device != 0) add_need("devices");
  return needs;
}

}  // namespace tunecheck
