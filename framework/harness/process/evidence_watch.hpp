#pragma once
// What observers have seen of a process so far, read while it runs.
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

namespace tunecheck {

/// Counts compiles and launches of one kernel in an evidence file that grows. One thread at a time.
class EvidenceWatch {
 public:
  EvidenceWatch(std::filesystem::path evidence, std::string kernel)
      : m_file(std::move(evidence)), m_kernel(std::move(kernel)) {}

  /// Reads what was added since; damage is left for the judge to find.
  void look();
  [[nodiscard]] std::int64_t compiles() const { return m_compiles; }
  [[nodiscard]] std::int64_t launches() const { return m_launches; }
  /// Different configs that were launched.
  [[nodiscard]] std::int64_t configs() const { return static_cast<std::int64_t>(m_configs.size()); }

 private:
  std::filesystem::path m_file;
  std::string m_kernel;
  std::uint64_t m_read = 0;
  std::int64_t m_compiles = 0;
  std::int64_t m_launches = 0;
  std::set<std::string> m_configs;
};

}  // namespace tunecheck
