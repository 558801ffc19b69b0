#include "observe/gpu/settings.hpp"

#include <cstdlib>
#include <sstream>

namespace tunecheck::gpu {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::optional<Settings> read_settings() {
  Settings settings;
  settings.evidence = variable("TUNECHECK_PROBE_EVIDENCE");
  if (settings.evidence.empty()) return std::nullopt;
  settings.folder = variable("TUNECHECK_PROBE_FOLDER");
  settings.files = variable("TUNECHECK_PROBE_FOLDER_FILES");
  settings.watch = variable("TUNECHECK_PROBE_WATCH") == "yes";
  settings.watch_file = variable("TUNECHECK_PROBE_WATCH_FILE");
  std::istringstream names(variable("TUNECHECK_PROBE_KERNEL"));
  for (std::string name; std::getline(names, name, ',');)
    if (!name.empty()) settings.kernels.insert(name);
  return settings;
}

}  // namespace tunecheck::gpu
