#include "observe/watch/settings.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "core/files.hpp"
#include "observe/event_lines.hpp"

namespace tunecheck::watch {
namespace {

constexpr std::uint64_t usual_at_most = std::uint64_t{256} << 20;

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::optional<Settings> read_settings() {
  const std::string_view evidence = variable(evidence_variable);
  if (evidence.empty()) return std::nullopt;
  Settings settings{std::string(evidence), usual_at_most};
  const std::string_view at_most = variable(at_most_variable);
  std::uint64_t bytes = 0;
  if (!at_most.empty() &&
      std::from_chars(at_most.data(), at_most.data() + at_most.size(), bytes).ec == std::errc())
    settings.at_most = bytes;
  return settings;
}

std::string rank_of_process() {
  for (const char* const name :
       {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
    if (const std::string_view rank = variable(name); !rank.empty()) return std::string(rank);
  return "";
}

std::string program_of_process() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

void tell(const Settings& settings, const std::string& line) {
  // Opened anew: a kept descriptor could have become the program's own file.
  if (const auto evidence = open_evidence(settings.evidence)) (void)append_line(*evidence, line);
}

}  // namespace tunecheck::watch
