#pragma once
// Which processes became compiler spies, and whether these were told what the judge told them.
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck {

/// A tuner can write to the folder that spies lie in, and a spy believes what lies beside its name;
/// and it can send lines to the judge as a spy does. add() for each start, and examine() for those
/// that no compiler made; then processes() and misled(), from any thread.
class SpyStarts {
 public:
  /// Reads the settings as they are; with none, any will do.
  SpyStarts(const std::vector<std::filesystem::path>& spy_programs,
            const std::vector<std::filesystem::path>& settings);

  /// Does `change`, and reads the settings again. Nothing is examined meanwhile.
  [[nodiscard]] Result<void> change(const std::function<Result<void>()>& change);

  /// `process` becomes a spy.
  void add(int process);
  [[nodiscard]] std::set<int> processes() const;
  /// `program` is the name by which the kernel knows the spy that is started.
  void examine(const std::string& program);
  /// What was noticed first, "" if nothing was.
  [[nodiscard]] std::string misled() const;

 private:
  void note(std::string text);  // with the lock held

  std::set<std::string> m_programs;
  mutable std::mutex m_mutex;
  // Guarded by m_mutex:
  std::map<std::filesystem::path, std::string> m_settings;
  std::set<int> m_processes;
  std::string m_misled;
};

}  // namespace tunecheck
