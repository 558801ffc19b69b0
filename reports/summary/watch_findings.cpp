#include "reports/summary/watch_findings.hpp"

#include <fmt/format.h>

#include "core/plain_text.hpp"

namespace tunecheck {

using Finding = WatchResult::Finding;

std::string subject_text(const Finding& finding) {
  const std::string launch = place_text(finding.place);
  const std::string definition = place_text(finding.definition);
  if (finding.kernel.empty()) return launch;
  if (launch.empty() && definition.empty()) return finding.kernel;
  if (definition.empty() || definition == launch)
    return fmt::format("{} ({})", finding.kernel, launch);
  if (launch.empty()) return fmt::format("{} ({})", finding.kernel, definition);
  return fmt::format("{} ({}, launched at {})", finding.kernel, definition, launch);
}

std::string short_command(const WatchResult& watch) {
  std::string line;
  for (const std::string& word : watch.command) {
    const std::size_t folder = word.rfind('/');
    line +=
        (line.empty() ? "" : " ") +
        (folder == std::string::npos || folder + 1 == word.size() ? word : word.substr(folder + 1));
  }
  return shortened(line, 120);
}

std::string place_text(const WatchResult::Place& place) {
  return place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : place.file;
}

const WatchResult::Place& cause_of(const Finding& finding) {
  const std::string& file = finding.definition.file;
  const bool is_of_a_package =
      !finding.place.file.empty() &&
      ((file.starts_with('/') && !finding.place.file.starts_with('/')) ||
       file.find("/site-packages/") != file.npos || file.find("/dist-packages/") != file.npos);
  return finding.definition.file.empty() || is_of_a_package ? finding.place : finding.definition;
}

}  // namespace tunecheck
