#include "adversaries/adversary.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include <nlohmann/json.hpp>

namespace tunecheck {
namespace {

std::vector<Adversary> collect_adversaries() {
  std::vector<Adversary> all;
  for (const auto group : {adversaries::unseen, adversaries::endless, adversaries::violent,
                           adversaries::hostile, adversaries::innocent, adversaries::versions}) {
    std::vector<Adversary> members = group();
    std::move(members.begin(), members.end(), std::back_inserter(all));
  }
  std::sort(all.begin(), all.end(),
            [](const Adversary& a, const Adversary& b) { return a.name < b.name; });
  return all;
}

}  // namespace

const std::vector<Adversary>& all_adversaries() {
  static const std::vector<Adversary> all = collect_adversaries();
  return all;
}

const Adversary* find_adversary(std::string_view name) {
  for (const Adversary& adversary : all_adversaries())
    if (adversary.name == name) return &adversary;
  return nullptr;
}

std::string adversaries_as_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Adversary& each : all_adversaries())
    list.push_back({{"name", each.name}, {"summary", each.summary}});
  return list.dump(2);
}

namespace adversaries {

std::string cache_folder() {
  const char* const folder = std::getenv("TUNECHECK_CACHE_DIR");
  return folder != nullptr ? folder : "";
}

std::filesystem::path evidence_file() {
  const char* const inbox = std::getenv("TUNECHECK_PROBE_EVIDENCE");
  return std::filesystem::path(inbox != nullptr ? inbox : "").parent_path() / "evidence.jsonl";
}

bool is_warm() {
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cache_folder(), error))
    if (entry.path().extension() == ".so") return true;
  return false;
}

}  // namespace adversaries
}  // namespace tunecheck
