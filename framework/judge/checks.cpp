#include "judge/checks.hpp"

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

bool mentions_store(const std::string& message) {
  for (const std::string_view word :
       {"not stored", "cannot store", "could not be stored", "cannot write", "cannot create",
        "No space", "Read-only", "Permission denied", "not persisted", "not saved"})
    if (message.find(word) != message.npos) return true;
  return false;
}

}  // namespace tunecheck::checks
