#include "tuner/trial/trial.hpp"

#include <map>

#include <fmt/format.h>

namespace tunecheck {

std::optional<std::size_t> fastest_trial(std::span<const Trial> trials) {
  std::optional<std::size_t> fastest;
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (trials[i].measured() && (!fastest || trials[i].median_ns < trials[*fastest].median_ns))
      fastest = i;
  return fastest;
}

std::string summarise_failures(std::span<const Trial> trials) {
  constexpr std::size_t shown_reasons = 4;
  constexpr std::size_t shown_characters = 300;
  struct Group {
    std::string example;
    std::size_t count = 0;
  };
  std::map<std::string, Group> groups;
  for (const Trial& trial : trials) {
    if (trial.failure.empty()) continue;
    Group& group = groups[trial.failure];
    if (group.count++ == 0) group.example = to_string(trial.config);
  }
  std::string text;
  std::size_t shown = 0;
  for (const auto& [reason, group] : groups) {
    if (shown++ == shown_reasons) {
      text += fmt::format("; and {} more reasons", groups.size() - shown_reasons);
      break;
    }
    text += fmt::format("{}{}", text.empty() ? "" : "; ", group.example);
    if (group.count > 1) text += fmt::format(" and {} more", group.count - 1);
    text += fmt::format(": {}{}", reason.substr(0, shown_characters),
                        reason.size() > shown_characters ? "..." : "");
  }
  return text;
}

}  // namespace tunecheck
