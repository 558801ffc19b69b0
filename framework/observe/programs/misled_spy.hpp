#pragma once
// Compiler spies that were not told what the judge told them.
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace tunecheck {

/// Whether spies are started with the settings that the judge wrote: a tuner can write to the
/// folder that they lie in, and a spy believes what lies beside its name. examine() for each start,
/// then text(), from any thread.
class MisledSpy {
 public:
  /// Reads the settings as they are; with none, any will do.
  MisledSpy(const std::filesystem::path& spy_program,
            const std::vector<std::filesystem::path>& settings);

  /// `program` is the name by which the kernel knows the spy that is started.
  void examine(const std::string& program);
  /// What was noticed first, "" if nothing was.
  [[nodiscard]] std::string text() const;

 private:
  void note(std::string text);

  std::string m_program;
  std::map<std::filesystem::path, std::string> m_settings;
  mutable std::mutex m_mutex;
  std::string m_text;  ///< guarded by m_mutex
};

}  // namespace tunecheck
