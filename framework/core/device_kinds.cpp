#include "core/device_kinds.hpp"

#include <algorithm>

#include "core/info.hpp"

namespace tunecheck {

std::vector<std::string> names_of(std::span<const DeviceKind> kinds) {
  std::vector<std::string> names;
  for (const DeviceKind kind : kinds)
    names.emplace_back(name_of(kind));
  return names;
}

Result<DeviceKind> parse_device_kind(std::string_view name, std::span<const DeviceKind> among) {
  const auto found = std::find_if(among.begin(), among.end(),
                                  [&](DeviceKind kind) { return name_of(kind) == name; });
  if (found != among.end()) return *found;
  return failure(ErrorKind::bad_input, "{}",
                 unknown_word_message("backend", name, names_of(among)));
}

}  // namespace tunecheck
