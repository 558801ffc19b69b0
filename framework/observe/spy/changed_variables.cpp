#include "observe/spy/changed_variables.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>

namespace tunecheck::spy {
namespace {

constexpr std::array<std::string_view, 4> of_shells = {"PWD", "OLDPWD", "SHLVL", "_"};
constexpr std::array<std::string_view, 3> of_observers = {"TUNECHECK_PROBE_", "TUNECHECK_FAULT_",
                                                          "LD_PRELOAD"};

bool counts(std::string_view name) {
  return std::find(of_shells.begin(), of_shells.end(), name) == of_shells.end() &&
         std::none_of(of_observers.begin(), of_observers.end(),
                      [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

std::vector<std::string> changed_variables(const std::map<std::string, std::string>& given) {
  if (given.empty()) return {};
  constexpr std::size_t longest = 200;
  std::vector<std::string> changed;
  std::map<std::string, std::string> gone = given;
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string name(text.substr(0, text.find('=')));
    const std::string_view value = text.substr(std::min(text.size(), name.size() + 1));
    const auto before = given.find(name);
    gone.erase(name);
    if (counts(name) && (before == given.end() || before->second != value))
      changed.push_back(name + "=" + std::string(value.substr(0, longest)));
  }
  std::sort(changed.begin(), changed.end());
  for (const auto& [name, value] : gone)
    if (counts(name)) changed.push_back(name);
  return changed;
}

}  // namespace tunecheck::spy
