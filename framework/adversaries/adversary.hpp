#pragma once
// Tuners that do, beside what the reference tuner does, one thing by which a judge could be fooled,
// blinded or ended. Scenarios say under `bears` what must come of each; docs/adversaries.md.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/reference/reference_adapter.hpp"

namespace tunecheck {

struct Adversary {
  std::string name;
  /// One sentence: what it does beside tuning.
  std::string summary;
  /// Adds the one thing. Called once a process, before the tuner is made.
  std::function<void(ReferenceAdapterSetup&)> join;
};

/// Sorted by name; the same for the life of the process.
[[nodiscard]] const std::vector<Adversary>& all_adversaries();
/// Null for an unknown name.
[[nodiscard]] const Adversary* find_adversary(std::string_view name);
/// [{"name": ..., "summary": ...}, ...]: what `--list` prints.
[[nodiscard]] std::string adversaries_as_json();

namespace adversaries {

[[nodiscard]] std::vector<Adversary> unseen();    ///< what is to be done where nobody looks
[[nodiscard]] std::vector<Adversary> endless();   ///< files and answers without end
[[nodiscard]] std::vector<Adversary> violent();   ///< what is done to processes
[[nodiscard]] std::vector<Adversary> hostile();   ///< what is done to observers
[[nodiscard]] std::vector<Adversary> innocent();  ///< what is unusual and right
[[nodiscard]] std::vector<Adversary> versions();  ///< what another version does

/// The folder of the tuner's winners, as the judge names it.
[[nodiscard]] std::string cache_folder();
/// What the judge keeps of what this process's observers saw.
[[nodiscard]] std::filesystem::path evidence_file();
/// True where a winner was stored before this process began.
[[nodiscard]] bool is_warm();

}  // namespace adversaries
}  // namespace tunecheck
